//! Experience: awards, and how several classes share them.
//! Source: house-rules XP-01 to XP-04.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::core::{List, Natural, NoOptions, Referee, Rule, RuleError, Whole};

/// What `experience.total` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TotalArgs {
    /// The session's award, in experience points.
    pub general: Natural,
    /// Individual awards on top of it. Which there are the source has lost: the referee's choice.
    #[serde(default)]
    pub individual: List<Natural>,
}

/// A character's award.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TotalOutcome {
    /// All together, in experience points.
    pub total: i64,
}

rule! {
    /// Adds individual awards to the general award of the session.
    pub struct Total;
}

impl Rule for Total {
    const NAME: &'static str = "experience.total";
    const SOURCE: &'static [&'static str] = &["house-rules XP-01"];
    const EXAMPLE: &'static str = "{ general = 400, individual = { 50, 25 } }";
    type Args = TotalArgs;
    type Options = NoOptions;
    type Outcome = TotalOutcome;

    fn resolve(args: TotalArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<TotalOutcome, RuleError> {
        referee.modifier(args.general.get(), "general award");
        let individual: i64 = args.individual.iter().map(|award| award.get()).sum();
        referee.modifier(individual, "individual awards (XP-01)");
        Ok(TotalOutcome { total: args.general.get() + individual })
    }
}

/// One of a character's classes, as a split sees it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ClassShare {
    /// The class; each stands there once.
    pub class: String,
    /// The bonus for high prime requisites, in percent of this class's share (XP-03).
    #[serde(default)]
    pub bonus_percent: Whole<0, 100>,
    /// Experience points the class can still take before its species' limit; without it, any (XP-04).
    #[serde(default)]
    pub room: Option<Natural>,
}

impl ClassShare {
    fn bonus(&self, base: i64) -> i64 {
        base * self.bonus_percent.get() / 100
    }

    /// The most base experience the class can use: as much as with its bonus fills the room.
    fn most_base(&self) -> Option<i64> {
        let room = self.room?.get();
        let with_bonus = 100 + self.bonus_percent.get();
        // Close to room * 100 / (100 + bonus); the dropped fractions of the bonus can ask for a point more.
        let mut base = room * 100 / with_bonus;
        while base + self.bonus(base) < room {
            base += 1;
        }
        Some(base)
    }
}

/// What `experience.split` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SplitArgs {
    /// The award, in experience points.
    pub xp: Natural,
    /// The character's classes.
    pub classes: List<ClassShare, 1, 100>,
}

/// What a class gets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Share {
    /// The class.
    pub class: String,
    /// Its part of the award.
    pub base: i64,
    /// Its own bonus, fractions dropped, held to the room.
    pub bonus: i64,
    /// Both together.
    pub total: i64,
}

/// How an award was split.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SplitOutcome {
    /// Each class in the order given.
    pub shares: Vec<Share>,
    /// Points that could not be divided evenly, or that no class could use; nobody's.
    pub remainder: i64,
}

rule! {
    /// Splits an award evenly among a character's classes, each with its own bonus and its own limit.
    ///
    /// A class takes base experience only until base and bonus together fill its room; what it cannot use goes to the
    /// other classes. Shares are whole, and the remainder is reported.
    pub struct Split;
}

impl Rule for Split {
    const NAME: &'static str = "experience.split";
    const SOURCE: &'static [&'static str] = &["house-rules XP-02", "house-rules XP-03", "house-rules XP-04"];
    const EXAMPLE: &'static str =
        r#"{ xp = 1000, classes = { { class = "fighter", bonus_percent = 10, room = 510 }, { class = "thief" } } }"#;
    type Args = SplitArgs;
    type Options = NoOptions;
    type Outcome = SplitOutcome;

    fn resolve(args: SplitArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<SplitOutcome, RuleError> {
        for (i, class) in args.classes.iter().enumerate() {
            if args.classes[..i].iter().any(|other| other.class == class.class) {
                let error = RuleError::invalid("class", format!("\"{}\" stands there twice", class.class));
                return Err(error.within_element(i).within("classes"));
            }
        }
        let (bases, remainder) = even_shares(args.xp.get(), &args.classes);
        let shares = args.classes.into_iter().zip(bases).map(|(class, base)| {
            let room_for_bonus = class.room.map_or(i64::MAX, |room| room.get() - base);
            let bonus = class.bonus(base).min(room_for_bonus);
            Share { class: class.class, base, bonus, total: base + bonus }
        });
        Ok(SplitOutcome { shares: shares.collect(), remainder })
    }
}

/// Even whole shares; a class that is full takes no more and the others divide the rest. Also what is left over.
fn even_shares(xp: i64, classes: &[ClassShare]) -> (Vec<i64>, i64) {
    let mut bases = vec![0; classes.len()];
    let mut open: Vec<usize> = (0..classes.len()).collect();
    let mut left = xp;
    while !open.is_empty() {
        let share = left / open.len() as i64;
        let full = |i: &usize| classes[*i].most_base().is_some_and(|most| most <= share);
        let (filled, rest): (Vec<usize>, Vec<usize>) = open.iter().partition(|i| full(i));
        if filled.is_empty() {
            for i in &open {
                bases[*i] = share;
            }
            return (bases, left - share * open.len() as i64);
        }
        for i in filled {
            bases[i] = classes[i].most_base().unwrap_or(0);
            left -= bases[i];
        }
        open = rest;
    }
    (bases, left)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::{outcome, resolved};

    fn totals(args: &str) -> (Vec<(i64, i64)>, i64) {
        let split = outcome::<Split>(args, &[]);
        (split.shares.iter().map(|share| (share.base, share.bonus)).collect(), split.remainder)
    }

    #[test]
    fn a_limited_fighter_takes_base_and_bonus_up_to_the_limit_and_nothing_is_burnt() {
        let args = r#"{"xp":1000,"classes":[{"class":"fighter","bonus_percent":10,"room":510},{"class":"thief"}]}"#;
        assert_eq!(totals(args), (vec![(464, 46), (536, 0)], 0));
    }

    #[test]
    fn thirds_leave_a_point_to_nobody() {
        let args = r#"{"xp":1000,"classes":[{"class":"a"},{"class":"b"},{"class":"c"}]}"#;
        assert_eq!(totals(args), (vec![(333, 0); 3], 1));
    }

    #[test]
    fn a_class_twice_is_refused_by_its_place() {
        let error =
            resolved("experience.split", r#"{"xp":1,"classes":[{"class":"a"},{"class":"a"}]}"#, &[]).unwrap_err();
        assert_eq!(error.field(), Some("classes[2].class"));
    }
}
