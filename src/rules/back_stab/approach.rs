//! Coming up behind somebody: skills and surprise.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rules::core::{
    AnyTable, Band, List, Positive, Referee, Rule, RuleError, Table, Whole, band_row, unbroken_bands,
};
use crate::rules::surprise::{ChanceArgs, ChanceInSix, InSix, RollArgs, RollInSix};

/// A chance in percent.
pub type Percent = Whole<0, 100>;

/// A thief's skills of stealth at a level.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct StealthRow {
    from: Option<i64>,
    to: Option<i64>,
    move_silently: Percent,
    hide_in_shadows: Percent,
}

impl Band for StealthRow {
    fn from(&self) -> Option<i64> {
        self.from
    }
    fn to(&self) -> Option<i64> {
        self.to
    }
}

static STEALTH: Table<StealthRow> =
    Table::new("thief_stealth", include_str!("../data/thief_stealth.json"), unbroken_bands);

/// A thief's skill of stealth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StealthSkill {
    /// Moving silently.
    MoveSilently,
    /// Hiding in shadows.
    HideInShadows,
}

/// The switches of an approach.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ApproachOptions {
    /// Whether a thief who comes silently from behind counts as hidden too (a generous ruling).
    pub hidden_from_rear: bool,
    /// Whether a failed skill check ends the attempt (the practice that the source argues against).
    pub skill_checks_required: bool,
}

/// What `back_stab.approach` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ApproachArgs {
    /// The chance to move silently in percent, 0 to 100, when the thief tries.
    #[serde(default)]
    pub move_silently: Option<Percent>,
    /// The chance to hide in shadows in percent, 0 to 100, when the thief tries.
    #[serde(default)]
    pub hide_in_shadows: Option<Percent>,
    /// Skills that the thief tries at the chance of the `level`, where the chance is not given above.
    #[serde(default)]
    pub skills: List<StealthSkill, 0, 2>,
    /// The thief's level, for `skills`.
    #[serde(default)]
    pub level: Option<Positive>,
}

/// How an approach went.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ApproachOutcome {
    /// In how many of six the target is surprised.
    pub in_six: i64,
    /// Whether the thief was silent; nothing when it was not tried.
    pub move_silently: Option<bool>,
    /// Whether the thief was hidden; nothing when it was not tried.
    pub hide_in_shadows: Option<bool>,
    /// Whether the target is surprised.
    pub surprised: bool,
    /// For how many segments.
    pub segments: i64,
}

/// The chance of a skill that is tried: given, or that of the level.
fn chance_of(
    skill: StealthSkill,
    given: Option<Percent>,
    args: &ApproachArgs,
    referee: &Referee<'_>,
) -> Result<Option<i64>, RuleError> {
    if given.is_some() || !args.skills.contains(&skill) {
        return Ok(given.map(Percent::get));
    }
    let level = args.level.ok_or_else(|| RuleError::missing("level"))?;
    let rows = referee.table(&STEALTH);
    let row = band_row(&rows, level.get())?;
    Ok(Some(match skill {
        StealthSkill::MoveSilently => row.move_silently.get(),
        StealthSkill::HideInShadows => row.hide_in_shadows.get(),
    }))
}

/// Rolls d100 for a skill that is tried.
fn tried(chance: Option<i64>, purpose: &str, referee: &mut Referee<'_>) -> Result<Option<bool>, RuleError> {
    let Some(chance) = chance else { return Ok(None) };
    referee.need(|| format!("{chance} or less on d100"));
    Ok(Some(referee.d(100, purpose)? <= chance))
}

rule! {
    /// Lets a thief come up behind somebody: skills that are tried first, each bettering the chance of surprise by 1 in
    /// 6, then d6 for surprise. A failed skill does not end the attempt.
    pub struct Approach;
}

impl Rule for Approach {
    const NAME: &'static str = "back_stab.approach";
    const SOURCE: &'static [&'static str] = &["first-edition STAB-11"];
    const EXAMPLE: &'static str = "{ move_silently = 20, hide_in_shadows = 15 }";
    const TABLES: &'static [&'static dyn AnyTable] = &[&STEALTH];
    type Args = ApproachArgs;
    type Options = ApproachOptions;
    type Outcome = ApproachOutcome;

    fn resolve(
        args: ApproachArgs,
        options: ApproachOptions,
        referee: &mut Referee<'_>,
    ) -> Result<ApproachOutcome, RuleError> {
        let silent_chance = chance_of(StealthSkill::MoveSilently, args.move_silently, &args, referee)?;
        let hidden_chance = chance_of(StealthSkill::HideInShadows, args.hide_in_shadows, &args, referee)?;
        let move_silently = tried(silent_chance, "move silently", referee)?;
        // Where a failed check ends it, there is nothing more to roll.
        let ended = options.skill_checks_required && move_silently == Some(false);
        let hide_in_shadows = if ended { None } else { tried(hidden_chance, "hide in shadows", referee)? };
        let ended = ended || (options.skill_checks_required && hide_in_shadows == Some(false));

        let silent = move_silently == Some(true);
        let hidden = hide_in_shadows == Some(true) || (options.hidden_from_rear && silent);
        let chance = ChanceArgs { silent, hidden, ..ChanceArgs::default() };
        let in_six = referee.call::<ChanceInSix>(chance)?.in_six;
        let mut outcome = ApproachOutcome { in_six, move_silently, hide_in_shadows, surprised: false, segments: 0 };
        if !ended {
            let rolled =
                referee.call::<RollInSix>(RollArgs { in_six: Some(InSix::clamped(in_six)), creature: None })?;
            (outcome.surprised, outcome.segments) = (rolled.surprised, rolled.segments);
        }
        Ok(outcome)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::{outcome, resolved};

    #[test]
    fn a_thief_who_is_heard_still_has_two_in_six() {
        let came = outcome::<Approach>(r#"{"move_silently":20}"#, &[21, 2]);
        assert_eq!((came.in_six, came.surprised, came.segments), (2, true, 2));
    }

    #[test]
    fn silent_and_hidden_makes_four_in_six() {
        let came = outcome::<Approach>(r#"{"move_silently":20,"hide_in_shadows":15}"#, &[20, 15, 4]);
        assert_eq!((came.in_six, came.surprised), (4, true));
    }

    #[test]
    fn where_checks_are_required_the_first_failure_ends_it() {
        let options = r#""options":{"skill_checks_required":true}"#;
        let heard = format!(r#"{{"move_silently":20,"hide_in_shadows":15,{options}}}"#);
        let came = outcome::<Approach>(&heard, &[21]);
        assert_eq!((came.move_silently, came.hide_in_shadows, came.surprised), (Some(false), None, false));
        let seen = outcome::<Approach>(&heard, &[20, 16]);
        assert_eq!((seen.in_six, seen.hide_in_shadows, seen.surprised), (3, Some(false), false));
    }

    #[test]
    fn a_level_can_stand_for_the_chances() {
        let args = r#"{"skills":["move_silently","hide_in_shadows"],"level":5}"#;
        let came = outcome::<Approach>(args, &[40, 31, 3]);
        assert_eq!((came.move_silently, came.hide_in_shadows, came.in_six), (Some(true), Some(false), 3));
        let error = resolved("back_stab.approach", r#"{"skills":["move_silently"]}"#, &[]).unwrap_err();
        assert_eq!(error.field(), Some("level"));
    }
}
