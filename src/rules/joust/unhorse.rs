//! Staying in the saddle.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rules::core::{
    AnyTable, Band, Natural, NoOptions, Referee, Rule, RuleError, Table, Whole, band_of, unbroken_bands,
};
use crate::rules::critical::{CRITICAL_CONDITION, Effects, effects_of};

/// So many points of damage take 1 off the saving throw (JST-02).
const DAMAGE_PER_POINT: i64 = 5;

/// How a rider sits after a hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Seat {
    /// In the saddle.
    Seated,
    /// On the ground, prone.
    Unhorsed,
    /// On the ground, prone, and stunned: 2 less armor class, no dexterity bonus, 2 less to hit.
    Stunned,
    /// On the ground and out.
    KnockedOut,
}

/// What happens by how much the saving throw failed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct UnhorseRow {
    /// Failed by at least this much.
    #[serde(default)]
    pub from: Option<i64>,
    /// Failed by at most this much.
    #[serde(default)]
    pub to: Option<i64>,
    /// How the rider sits.
    pub result: Seat,
    /// For how many rounds the rider is stunned.
    pub stunned_rounds: Whole<0, 1_000>,
    /// Whether the rider lies prone.
    #[serde(default)]
    pub prone: bool,
    /// What changes while the rider is stunned.
    #[serde(default)]
    pub stunned: Effects,
    /// Whether the bonus for dexterity is lost while the rider is stunned.
    #[serde(default)]
    pub loses_dex_bonus: bool,
}

impl Band for UnhorseRow {
    fn from(&self) -> Option<i64> {
        self.from
    }
    fn to(&self) -> Option<i64> {
        self.to
    }
}

static UNHORSE: Table<UnhorseRow> = Table::new("unhorse", include_str!("../data/unhorse.json"), unbroken_bands);

/// What `joust.unhorse` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct UnhorseArgs {
    /// The saving throw against Death Ray to reach; constitution does not count.
    pub save: Whole<1, 40>,
    /// The rider's bonus for riding.
    #[serde(default)]
    pub riding: Whole<0, 20>,
    /// The damage of the hit, after the doubling of the charge.
    pub damage: Natural,
}

/// How the rider sits.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct UnhorseOutcome {
    /// What the d20 showed.
    pub roll: i64,
    /// The roll with riding added and the damage's share taken off.
    pub total: i64,
    /// By how much the saving throw failed; 0 when it was made.
    pub failed_by: i64,
    /// How the rider sits.
    pub result: Seat,
    /// For how many rounds the rider is stunned.
    pub stunned_rounds: i64,
    /// What the fall changes: lying prone until the rider gets up, as `critical.condition` has it, and being stunned for
    /// its rounds, together.
    pub effects: Effects,
    /// Of these, what lying prone changes.
    pub prone: Effects,
    /// Of these, what being stunned changes.
    pub stunned: Effects,
    /// Whether the bonus for dexterity is lost as long as the rider is stunned.
    pub loses_dex_bonus: bool,
}

rule! {
    /// Rolls whether a rider who was hit stays in the saddle: a saving throw against Death Ray, with riding, less 1 for
    /// every full 5 points of damage.
    ///
    /// Failed, the rider lies prone; by 4 or more also stunned for 2 rounds; by 8 or more knocked out.
    pub struct Unhorse;
}

impl Rule for Unhorse {
    const NAME: &'static str = "joust.unhorse";
    const SOURCE: &'static [&'static str] = &["combat-details JST-02", "combat-details JST-03"];
    const EXAMPLE: &'static str = "{ save = 12, riding = 1, damage = 10 }";
    const TABLES: &'static [&'static dyn AnyTable] = &[&UNHORSE, &CRITICAL_CONDITION];
    type Args = UnhorseArgs;
    type Options = NoOptions;
    type Outcome = UnhorseOutcome;

    fn resolve(args: UnhorseArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<UnhorseOutcome, RuleError> {
        let shaken = -(args.damage.get() / DAMAGE_PER_POINT);
        referee.modifier(args.riding.get(), "riding (JST-02)");
        referee.modifier(shaken, "for the damage (JST-02)");
        referee.need(|| format!("at least {}", args.save));
        let roll = referee.d(20, "save")?;
        let total = roll + args.riding.get() + shaken;
        let failed_by = (args.save.get() - total).max(0);
        let rows = referee.table(&UNHORSE);
        let row = band_of(&rows, failed_by).ok_or_else(|| RuleError::missing("unhorse"))?;
        let prone = if row.prone { effects_of("prone", referee) } else { Effects::default() };
        Ok(UnhorseOutcome {
            roll,
            total,
            failed_by,
            result: row.result,
            stunned_rounds: row.stunned_rounds.get(),
            effects: prone.and(row.stunned),
            prone,
            stunned: row.stunned,
            loses_dex_bonus: row.loses_dex_bonus,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Effects, Seat, Unhorse};
    use crate::rules::core::testing::outcome;

    #[test]
    fn the_worse_the_save_the_harder_the_fall() {
        let seats = [(14, Seat::Seated), (13, Seat::Unhorsed), (11, Seat::Unhorsed), (10, Seat::Stunned)];
        for (roll, seat) in [(7, Seat::Stunned), (6, Seat::KnockedOut)].into_iter().chain(seats) {
            assert_eq!(outcome::<Unhorse>(r#"{"save":14,"damage":0}"#, &[roll]).result, seat, "{roll}");
        }
    }

    #[test]
    fn a_fall_leaves_its_effects() {
        // JST-02: the fall leaves the rider prone (CRT-03); JST-03: 2 less armor class and to hit while stunned.
        let fall = |roll: i64| outcome::<Unhorse>(r#"{"save":14,"damage":0}"#, &[roll]);
        assert_eq!(fall(14).effects, Effects::default());
        let prone = fall(13).effects;
        assert_eq!((prone.attack, prone.ac, prone.ac_melee, prone.ac_missile), (Some(-4), None, Some(-4), Some(4)));
        let stunned = fall(10);
        assert_eq!(
            (stunned.effects.attack, stunned.effects.ac, stunned.effects.ac_melee),
            (Some(-6), Some(-2), Some(-4))
        );
        assert!(stunned.loses_dex_bonus && !fall(13).loses_dex_bonus);
    }

    #[test]
    fn each_full_five_points_of_damage_take_one_off() {
        let total = |damage: i64| outcome::<Unhorse>(&format!(r#"{{"save":14,"damage":{damage}}}"#), &[14]).total;
        assert_eq!([total(4), total(5), total(9), total(10)], [14, 13, 13, 12]);
    }
}
