//! Normal men: people without a class, of level zero.
//! Source: combat-details NM-01.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::attack;
use super::core::{AnyTable, DamageDice, Keyed, NoOptions, Referee, Rule, RuleError, Table, one_row_each, row_of};

/// Which normal men.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Average,
    GreenTroops,
}

/// What a normal man is proficient with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Proficient {
    /// Bare hands only.
    BareHands,
    /// Any weapon that a fighter may use.
    FighterWeapons,
}

#[derive(Serialize, Deserialize)]
struct NormalManRow {
    kind: Kind,
    hit_points: DamageDice,
    proficient: Proficient,
}

impl Keyed for NormalManRow {
    type Key = Kind;
    const KEYS: &'static [Kind] = &[Kind::Average, Kind::GreenTroops];
    fn key(&self) -> Kind {
        self.kind
    }
}

static NORMAL_MEN: Table<NormalManRow> = Table::new("normal_men", include_str!("data/normal_men.json"), one_row_each);

/// What `normal_man.create` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CreateArgs {
    /// Whether it is a soldier who has not seen battle yet.
    #[serde(default)]
    pub green_troops: bool,
}

/// A normal man.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CreateOutcome {
    /// Hit points.
    pub hp: i64,
    /// The attack bonus.
    pub attack_bonus: i64,
    /// What it is proficient with.
    pub proficient: Proficient,
}

rule! {
    /// Makes a normal man, of level zero: 1d4 hit points and bare hands; green troops have 1d6 and a fighter's weapons.
    pub struct Create;
}

impl Rule for Create {
    const NAME: &'static str = "normal_man.create";
    const SOURCE: &'static [&'static str] = &["combat-details NM-01"];
    const EXAMPLE: &'static str = "{ green_troops = true }";
    const TABLES: &'static [&'static dyn AnyTable] = &[&NORMAL_MEN];
    type Args = CreateArgs;
    type Options = NoOptions;
    type Outcome = CreateOutcome;

    fn resolve(args: CreateArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<CreateOutcome, RuleError> {
        let normal_man = attack::BonusArgs { class: Some(attack::Class::NormalMan), level: None, hd: None };
        let attack_bonus = referee.call::<attack::Bonus>(normal_man)?.attack_bonus;
        let kind = if args.green_troops { Kind::GreenTroops } else { Kind::Average };
        let rows = referee.table(&NORMAL_MEN);
        let row = row_of(&rows, kind)?;
        let rolled = row.hit_points.roll(referee, "hit points")?;
        let hp = (rolled.sum + row.hit_points.modifier()).max(1);
        Ok(CreateOutcome { hp, attack_bonus, proficient: row.proficient })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::outcome;

    #[test]
    fn common_people_have_a_d4_and_their_hands() {
        let man = outcome::<Create>("{}", &[4]);
        assert_eq!((man.hp, man.attack_bonus, man.proficient), (4, 0, Proficient::BareHands));
    }

    #[test]
    fn green_troops_have_a_d6_and_weapons() {
        let soldier = outcome::<Create>(r#"{"green_troops":true}"#, &[6]);
        assert_eq!((soldier.hp, soldier.proficient), (6, Proficient::FighterWeapons));
    }
}
