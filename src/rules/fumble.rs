//! Fumbles: what a natural 1 on an attack brings beyond a miss.
//! Source: combat-details FUM-01, FUM-02.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::core::{
    AnyTable, Band, ErrorKind, NoOptions, Referee, Rule, RuleError, Table, Whole, band_of, unbroken_bands,
};

/// The dexterity check of a fumble, and what failing it brings.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct CheckRow {
    /// What d20 and the dexterity modifier must reach.
    dc: i64,
    /// To combat rolls.
    #[serde(default)]
    penalty: i64,
    /// The die that says for how many rounds.
    #[serde(default)]
    penalty_die: Option<Whole<2, 1_000>>,
    /// Whether the opponent has a free attack.
    #[serde(default)]
    free_attack: bool,
}

/// A band of the fumble roll.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FumbleRow {
    from: i64,
    to: i64,
    /// Its name; a house may add its own.
    result: String,
    loses_next_attack: bool,
    #[serde(default)]
    check: Option<CheckRow>,
}

impl Band for FumbleRow {
    fn from(&self) -> Option<i64> {
        Some(self.from)
    }
    fn to(&self) -> Option<i64> {
        Some(self.to)
    }
}

/// Fumbles by d20.
pub static CRITICAL_MISS: Table<FumbleRow> =
    Table::new("critical_miss", include_str!("data/critical_miss.json"), unbroken_bands);

/// What `fumble.roll` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RollArgs {
    /// The dexterity modifier of the one who fumbles, -10 to 10.
    #[serde(default)]
    pub dex_mod: Whole<-10, 10>,
}

/// The dexterity check of a fumble.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FumbleCheck {
    /// What had to be reached.
    pub dc: i64,
    /// What the d20 showed.
    pub roll: i64,
    /// The roll and the dexterity modifier.
    pub total: i64,
    /// Whether the total reached it.
    pub success: bool,
}

/// What a fumble brings.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RollOutcome {
    /// What the d20 showed.
    pub roll: i64,
    /// What happens: `weapon_breaks`, `stumble`, `sloppy`, `drop_weapon` or `just_a_miss`, or a result that the house
    /// added to the table.
    pub result: String,
    /// Whether there is no attack next round.
    pub loses_next_attack: bool,
    /// The dexterity check, where one was due.
    pub check: Option<FumbleCheck>,
    /// To combat rolls, 0 or less.
    pub penalty: i64,
    /// For how many rounds.
    pub penalty_rounds: i64,
    /// Whether the opponent has a free attack. It carries no bonus: the source names none.
    pub free_attack: bool,
}

rule! {
    /// Rolls what becomes of a natural 1: a broken or dropped weapon, a stumble, a sloppy attack, or just the miss.
    ///
    /// The source's "DEX check" is read as d20 and the dexterity modifier, at least the DC (FUM-02).
    pub struct Roll;
}

impl Rule for Roll {
    const NAME: &'static str = "fumble.roll";
    const SOURCE: &'static [&'static str] = &["combat-details FUM-01", "combat-details FUM-02"];
    const EXAMPLE: &'static str = "{ dex_mod = 1 }";
    const TABLES: &'static [&'static dyn AnyTable] = &[&CRITICAL_MISS];
    type Args = RollArgs;
    type Options = NoOptions;
    type Outcome = RollOutcome;

    fn resolve(args: RollArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<RollOutcome, RuleError> {
        let roll = referee.d(20, "fumble")?;
        let rows = referee.table(&CRITICAL_MISS);
        let Some(row) = band_of(&rows, roll) else {
            return Err(RuleError::general(ErrorKind::Invalid, "the table critical_miss has no rows"));
        };
        let mut outcome = RollOutcome {
            roll,
            result: row.result.clone(),
            loses_next_attack: row.loses_next_attack,
            check: None,
            penalty: 0,
            penalty_rounds: 0,
            free_attack: false,
        };
        let Some(due) = row.check else { return Ok(outcome) };
        referee.modifier(args.dex_mod.get(), "dexterity (FUM-02)");
        referee.need(|| format!("at least {} to keep one's feet or guard", due.dc));
        let roll = referee.d(20, "dexterity check")?;
        let total = roll + args.dex_mod.get();
        let success = total >= due.dc;
        outcome.check = Some(FumbleCheck { dc: due.dc, roll, total, success });
        if !success {
            outcome.penalty = due.penalty;
            outcome.free_attack = due.free_attack;
            if let Some(die) = due.penalty_die {
                outcome.penalty_rounds = referee.d(die.get() as u32, "rounds of penalty")?;
            }
        }
        Ok(outcome)
    }
}

#[cfg(test)]
mod tests {
    use super::Roll;
    use crate::rules::core::testing::outcome;

    #[test]
    fn a_broken_or_dropped_weapon_costs_the_next_attack() {
        for (roll, result) in [(2, "weapon_breaks"), (15, "drop_weapon")] {
            let fumble = outcome::<Roll>("{}", &[roll]);
            assert_eq!((fumble.result.as_str(), fumble.loses_next_attack), (result, true));
        }
    }

    #[test]
    fn a_stumble_is_caught_on_twenty() {
        assert_eq!(outcome::<Roll>(r#"{"dex_mod":3}"#, &[4, 17]).penalty, 0);
        let fallen = outcome::<Roll>("{}", &[5, 19, 2]);
        assert_eq!((fallen.penalty, fallen.penalty_rounds, fallen.free_attack), (-1, 2, false));
    }

    #[test]
    fn a_sloppy_attack_opens_the_guard_unless_fifteen_is_reached() {
        assert!(!outcome::<Roll>("{}", &[10, 15]).free_attack);
        assert!(outcome::<Roll>(r#"{"dex_mod":-2}"#, &[6, 16]).free_attack);
    }

    #[test]
    fn from_sixteen_it_is_just_a_miss() {
        assert_eq!(outcome::<Roll>("{}", &[16]).result, "just_a_miss");
    }
}
