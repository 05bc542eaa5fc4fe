//! Level limits of the species.
//! Source: house-rules LVL-01.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::core::{NoOptions, Positive, Referee, Rule, RuleError};

/// A playable species.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Species {
    /// Human: no limit in any class.
    Human,
    /// Dwarf.
    Dwarf,
    /// Elf.
    Elf,
    /// Gnome.
    Gnome,
    /// Half-elf.
    HalfElf,
    /// Halfling.
    Halfling,
    /// Half-orc.
    HalfOrc,
}

/// What `level.limit` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LimitArgs {
    /// The species.
    pub species: Species,
    /// The level now.
    pub level: Positive,
    /// The rulebook's limit for this species in this class; without it there is none. A human's is passed over.
    #[serde(default)]
    pub limit: Option<Positive>,
}

/// How far a species may rise.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LimitOutcome {
    /// The limit that holds; nothing when there is none.
    pub limit: Option<i64>,
    /// Whether the next level is open.
    pub may_advance: bool,
}

rule! {
    /// Says whether a character may rise: demi-humans keep the rulebook's limits, only humans have none.
    pub struct Limit;
}

impl Rule for Limit {
    const NAME: &'static str = "level.limit";
    const SOURCE: &'static [&'static str] = &["house-rules LVL-01"];
    const EXAMPLE: &'static str = r#"{ species = "dwarf", level = 8, limit = 9 }"#;
    type Args = LimitArgs;
    type Options = NoOptions;
    type Outcome = LimitOutcome;

    fn resolve(args: LimitArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<LimitOutcome, RuleError> {
        let limit = args.limit.map(Positive::get).filter(|_| args.species != Species::Human);
        Ok(LimitOutcome { limit, may_advance: limit.is_none_or(|limit| args.level.get() < limit) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::outcome;

    #[test]
    fn a_dwarf_stops_at_the_limit_and_a_human_never() {
        assert!(outcome::<Limit>(r#"{"species":"dwarf","level":8,"limit":9}"#, &[]).may_advance);
        assert!(!outcome::<Limit>(r#"{"species":"dwarf","level":9,"limit":9}"#, &[]).may_advance);
        assert!(outcome::<Limit>(r#"{"species":"human","level":30,"limit":9}"#, &[]).may_advance);
    }
}
