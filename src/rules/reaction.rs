//! Reactions: how monsters and people take to a party that they meet.
//! Source: combat-details REA-01 and REA-02. REA-03 is guidance: a good reaction is cooperation, not treasure.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::core::{
    AnyTable, Band, ErrorKind, Modifier, NoOptions, Referee, Rule, RuleError, Table, Whole, band_of, unbroken_bands,
};

/// How the party is met (REA-02).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reaction {
    /// They attack at once, with all they have.
    ViolentlyHostile,
    /// They attack at once.
    Hostile,
    /// Undecided and ill disposed; they may attack when provoked.
    UncertainNegative,
    /// Not interested.
    Neutral,
    /// Undecided and well disposed; they may parley.
    UncertainPositive,
    /// They act helpfully.
    Friendly,
    /// They accept the party at once and may help at length.
    Enthusiastic,
}

#[derive(Serialize, Deserialize)]
struct ReactionRow {
    from: Option<Modifier>,
    to: Option<Modifier>,
    result: Reaction,
    attacks: bool,
}

impl Band for ReactionRow {
    fn from(&self) -> Option<i64> {
        self.from.map(Whole::get)
    }
    fn to(&self) -> Option<i64> {
        self.to.map(Whole::get)
    }
}

static REACTIONS: Table<ReactionRow> = Table::new("reaction", include_str!("data/reaction.json"), unbroken_bands);

/// What `reaction.roll` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RollArgs {
    /// The Charisma modifier of whoever leads, -10 to 10.
    #[serde(default)]
    pub cha_mod: Whole<-10, 10>,
    /// The bonus of a leadership or diplomacy skill, 0 to 20.
    #[serde(default)]
    pub skill_bonus: Whole<0, 20>,
    /// Anything else the Dungeon Master finds reasonable, -40 to 40.
    #[serde(default)]
    pub modifier: Whole<-40, 40>,
}

/// How the party is met.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RollOutcome {
    /// The d20.
    pub roll: i64,
    /// The roll with all modifiers.
    pub total: i64,
    /// The reaction.
    pub result: Reaction,
    /// Whether they attack at once.
    pub attacks: bool,
}

rule! {
    /// Rolls a d20 with the leader's Charisma modifier and other adjustments for how a party is met, where that is in
    /// doubt.
    pub struct Roll;
}

impl Rule for Roll {
    const NAME: &'static str = "reaction.roll";
    const SOURCE: &'static [&'static str] = &["combat-details REA-01", "combat-details REA-02"];
    const EXAMPLE: &'static str = "{ cha_mod = 2, skill_bonus = 1 }";
    const TABLES: &'static [&'static dyn AnyTable] = &[&REACTIONS];
    type Args = RollArgs;
    type Options = NoOptions;
    type Outcome = RollOutcome;

    fn resolve(args: RollArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<RollOutcome, RuleError> {
        referee.modifier(args.cha_mod.get(), "for the leader's Charisma");
        referee.modifier(args.skill_bonus.get(), "for leadership or diplomacy");
        referee.modifier(args.modifier.get(), "for the situation");
        let reactions = referee.table(&REACTIONS);
        let roll = referee.d(20, "reaction")?;
        let total = roll + args.cha_mod.get() + args.skill_bonus.get() + args.modifier.get();
        let row = band_of(&reactions, total)
            .ok_or_else(|| RuleError::general(ErrorKind::Invalid, "the table reaction has no rows; give it some"))?;
        Ok(RollOutcome { roll, total, result: row.result, attacks: row.attacks })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::outcome;

    #[test]
    fn five_or_less_attacks_at_once() {
        assert!(outcome::<Roll>("{}", &[5]).attacks);
        assert!(!outcome::<Roll>("{}", &[6]).attacks);
    }

    #[test]
    fn totals_beyond_the_die_take_the_end_rows() {
        assert_eq!(outcome::<Roll>(r#"{"cha_mod":-3}"#, &[1]).result, Reaction::ViolentlyHostile);
        let loved = outcome::<Roll>(r#"{"cha_mod":3,"skill_bonus":5}"#, &[20]);
        assert_eq!((loved.total, loved.result), (28, Reaction::Enthusiastic));
    }

    #[test]
    fn charisma_skill_and_situation_add_up() {
        let met = outcome::<Roll>(r#"{"cha_mod":3,"skill_bonus":2,"modifier":-1}"#, &[10]);
        assert_eq!((met.total, met.result), (14, Reaction::UncertainPositive));
    }
}
