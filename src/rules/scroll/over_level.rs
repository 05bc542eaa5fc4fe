//! Magic-users and scrolls above their level.
//! Source: house-rules SCR-01, SCR-02.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rules::core::{AnyTable, Referee, Rule, RuleError, Table, Whole};

/// What each level over the caster's adds to the risk.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RiskRow {
    fizzle_percent_per_level: Whole<0, 100>,
    backfire_percent_per_level: Whole<0, 100>,
}

/// The risk of a scroll above the caster's level.
pub static SCROLL_RISK: Table<RiskRow> =
    Table::new("scroll_risk", include_str!("../data/scroll_risk.json"), |rows| match rows.len() {
        1 => Ok(()),
        rows => Err(format!("there must be one row, not {rows}")),
    });

/// Which share stays whole when both together pass 100 percent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Overflow {
    /// The backfire keeps its share; fizzling takes the rest.
    #[default]
    BackfireFirst,
    /// Fizzling keeps its share; the backfire takes the rest.
    FizzleFirst,
}

/// The switches of scrolls above one's level.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ScrollOptions {
    /// Which share stays whole from five levels over, where the two pass 100 percent (SCR-02).
    pub overflow: Overflow,
}

/// What `scroll.chances` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ChancesArgs {
    /// The highest spell level that the caster can cast.
    pub max_level: Whole<1, 9>,
    /// The spell level of the scroll.
    pub spell_level: Whole<1, 9>,
}

/// The risk of a scroll, in percent.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ChancesOutcome {
    /// Levels of the spell above what the caster can cast; 0 when not above.
    pub difference: i64,
    /// The spell fails and wipes itself.
    pub fizzle_percent: i64,
    /// Something terrible happens.
    pub backfire_percent: i64,
    /// It works.
    pub success_percent: i64,
}

rule! {
    /// Gives the chances of casting from a scroll: for each level over one's own 20% to fizzle and 5% to backfire.
    pub struct Chances;
}

impl Rule for Chances {
    const NAME: &'static str = "scroll.chances";
    const SOURCE: &'static [&'static str] = &["house-rules SCR-02"];
    const EXAMPLE: &'static str = "{ max_level = 3, spell_level = 6 }";
    const TABLES: &'static [&'static dyn AnyTable] = &[&SCROLL_RISK];
    type Args = ChancesArgs;
    type Options = ScrollOptions;
    type Outcome = ChancesOutcome;

    fn resolve(
        args: ChancesArgs,
        options: ScrollOptions,
        referee: &mut Referee<'_>,
    ) -> Result<ChancesOutcome, RuleError> {
        let difference = (args.spell_level.get() - args.max_level.get()).max(0);
        let risk = referee.table(&SCROLL_RISK);
        let share = |percent: fn(&RiskRow) -> i64| (risk.first().map_or(0, percent) * difference).min(100);
        let fizzle = share(|row| row.fizzle_percent_per_level.get());
        let backfire = share(|row| row.backfire_percent_per_level.get());
        let (fizzle_percent, backfire_percent) = match options.overflow {
            Overflow::BackfireFirst => (fizzle.min(100 - backfire), backfire),
            Overflow::FizzleFirst => (fizzle, backfire.min(100 - fizzle)),
        };
        let success_percent = 100 - fizzle_percent - backfire_percent;
        Ok(ChancesOutcome { difference, fizzle_percent, backfire_percent, success_percent })
    }
}

/// What `scroll.cast` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CastArgs {
    /// Whether the reader is a magic-user.
    pub magic_user: bool,
    /// The highest spell level that the caster can cast.
    pub max_level: Whole<1, 9>,
    /// The spell level of the scroll.
    pub spell_level: Whole<1, 9>,
}

/// What became of the spell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CastResult {
    /// It works.
    Success,
    /// It fails and wipes itself from the scroll.
    Fizzle,
    /// Something terrible happens.
    Backfire,
    /// Only magic-users cast from scrolls by this rule.
    NotAllowed,
}

/// How casting from a scroll went.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CastOutcome {
    /// What became of the spell.
    pub result: CastResult,
    /// What the d100 showed; nothing when there was no risk.
    pub roll: Option<i64>,
    /// Whether the scroll is used up.
    pub scroll_gone: bool,
}

rule! {
    /// Casts from a scroll: without risk up to one's own level, above it on d100 (backfire lowest, then fizzle).
    pub struct Cast;
}

impl Rule for Cast {
    const NAME: &'static str = "scroll.cast";
    const SOURCE: &'static [&'static str] = &["house-rules SCR-01", "house-rules SCR-02"];
    const EXAMPLE: &'static str = "{ magic_user = true, max_level = 3, spell_level = 6 }";
    const TABLES: &'static [&'static dyn AnyTable] = &[&SCROLL_RISK];
    type Args = CastArgs;
    type Options = ScrollOptions;
    type Outcome = CastOutcome;

    fn resolve(args: CastArgs, options: ScrollOptions, referee: &mut Referee<'_>) -> Result<CastOutcome, RuleError> {
        if !args.magic_user {
            return Ok(CastOutcome { result: CastResult::NotAllowed, roll: None, scroll_gone: false });
        }
        let asked = ChancesArgs { max_level: args.max_level, spell_level: args.spell_level };
        let chances = referee.call_with::<Chances>(asked, options)?;
        if chances.difference == 0 {
            return Ok(CastOutcome { result: CastResult::Success, roll: None, scroll_gone: true });
        }
        let (backfire, fizzle) = (chances.backfire_percent, chances.fizzle_percent);
        referee.need(|| format!("over {} (1 to {backfire} backfires)", backfire + fizzle));
        let roll = referee.d(100, "scroll")?;
        let result = match roll {
            roll if roll <= backfire => CastResult::Backfire,
            roll if roll <= backfire + fizzle => CastResult::Fizzle,
            _ => CastResult::Success,
        };
        Ok(CastOutcome { result, roll: Some(roll), scroll_gone: true })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::outcome;

    #[test]
    fn three_levels_over_backfires_to_fifteen_and_fizzles_to_seventy_five() {
        let cast = |roll| outcome::<Cast>(r#"{"magic_user":true,"max_level":3,"spell_level":6}"#, &[roll]).result;
        assert_eq!(
            [cast(15), cast(16), cast(75), cast(76)],
            [CastResult::Backfire, CastResult::Fizzle, CastResult::Fizzle, CastResult::Success]
        );
    }

    #[test]
    fn a_fighter_reads_nothing() {
        let cast = outcome::<Cast>(r#"{"magic_user":false,"max_level":1,"spell_level":1}"#, &[]);
        assert_eq!((cast.result, cast.scroll_gone), (CastResult::NotAllowed, false));
    }
}
