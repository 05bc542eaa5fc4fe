//! What comes after: the coma, the weakness on waking, the recovery from it (DYING-08 to DYING-10).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rules::core::{
    AnyTable, Natural, NoOptions, Positive, Referee, Rolls, Rule, RuleError, Table, Whole, one_row, only_row,
};

/// The figures of the coma and of what follows it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct ComaFigures {
    coma_dice: Whole<1, 100>,
    coma_die: Whole<1, 1_000>,
    least_hours: Natural,
    /// The weakness with which one wakes.
    pub waking_weakness: Positive,
    recovery_die: Whole<1, 1_000>,
    /// The rounds of an hour, for those who count time in rounds.
    pub rounds_an_hour: Positive,
}

/// The figures of the coma and of what follows it (DYING-08 to DYING-10).
pub static COMA: Table<ComaFigures> = Table::new("coma", include_str!("../data/coma.json"), one_row);

impl ComaFigures {
    /// The figures as the campaign has them.
    pub fn of(referee: &Referee<'_>) -> Result<Self, RuleError> {
        only_row(&referee.table(&COMA)).copied()
    }

    /// A weakness as given, the whole of it when not; more than that nobody has.
    pub fn weakness(self, field: &str, given: Option<Natural>) -> Result<i64, RuleError> {
        let whole = self.waking_weakness.get();
        match given.map_or(whole, Natural::get) {
            weakness if weakness <= whole => Ok(weakness),
            weakness => {
                Err(RuleError::out_of_range(field, format!("must be a whole number from 0 to {whole}, not {weakness}")))
            }
        }
    }
}

/// What a good Constitution does to a coma (DYING-08).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ComaCon {
    /// A bonus shortens it, a penalty lengthens it.
    #[default]
    Shortens,
    /// The modifier is added as it stands.
    Lengthens,
}

/// The switches of a coma.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ComaOptions {
    /// What a good Constitution does to it.
    pub coma_con: ComaCon,
}

/// What `dying.coma` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ComaArgs {
    /// The Constitution modifier, -10 to 10.
    #[serde(default)]
    pub con_mod: Whole<-10, 10>,
}

/// How long the coma lasts.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ComaOutcome {
    /// The two d6.
    pub rolls: Rolls,
    /// The hours from the moment of dropping below zero, at least 1.
    pub hours: i64,
}

rule! {
    /// Rolls how long somebody who dropped below zero and lives is comatose: 2d6 hours adjusted by Constitution, at
    /// least one.
    pub struct Coma;
}

impl Rule for Coma {
    const NAME: &'static str = "dying.coma";
    const SOURCE: &'static [&'static str] = &["house-rules DYING-08"];
    const EXAMPLE: &'static str = "{ con_mod = 1 }";
    const TABLES: &'static [&'static dyn AnyTable] = &[&COMA];
    type Args = ComaArgs;
    type Options = ComaOptions;
    type Outcome = ComaOutcome;

    fn resolve(args: ComaArgs, options: ComaOptions, referee: &mut Referee<'_>) -> Result<ComaOutcome, RuleError> {
        let adjustment = match options.coma_con {
            ComaCon::Shortens => -args.con_mod.get(),
            ComaCon::Lengthens => args.con_mod.get(),
        };
        referee.modifier(adjustment, "hours, for Constitution");
        let figures = ComaFigures::of(referee)?;
        let (count, die) = (figures.coma_dice.get() as u32, figures.coma_die.get() as u32);
        let rolled = referee.total(count, die, "hours of coma")?;
        let hours = (rolled.sum + adjustment).max(figures.least_hours.get());
        Ok(ComaOutcome { hours, rolls: rolled.rolls })
    }
}

/// What `dying.weakness` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct WeaknessArgs {
    /// Usual Strength.
    pub str: Natural,
    /// Usual Dexterity.
    pub dex: Natural,
    /// The weakness, 0 to 24; 24, as on waking, when not given.
    #[serde(default)]
    pub penalty: Option<Natural>,
}

/// What is left of somebody's strength.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct WeaknessOutcome {
    /// Strength for now, never below 0.
    pub str: i64,
    /// Dexterity for now, never below 0.
    pub dex: i64,
    /// The modifier to attack rolls, 0 or negative.
    pub attack: i64,
    /// The modifier to saving throws, 0 or negative.
    pub saves: i64,
}

rule! {
    /// The weakness after a coma: -24 to Strength, Dexterity, attack rolls and saving throws, less as one recovers.
    pub struct Weakness;
}

impl Rule for Weakness {
    const NAME: &'static str = "dying.weakness";
    const SOURCE: &'static [&'static str] = &["house-rules DYING-09"];
    const EXAMPLE: &'static str = "{ str = 16, dex = 13, penalty = 10 }";
    const TABLES: &'static [&'static dyn AnyTable] = &[&COMA];
    type Args = WeaknessArgs;
    type Options = NoOptions;
    type Outcome = WeaknessOutcome;

    fn resolve(args: WeaknessArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<WeaknessOutcome, RuleError> {
        let penalty = ComaFigures::of(referee)?.weakness("penalty", args.penalty)?;
        let weakened = |score: Natural| (score.get() - penalty).max(0);
        Ok(WeaknessOutcome { str: weakened(args.str), dex: weakened(args.dex), attack: -penalty, saves: -penalty })
    }
}

/// What `dying.recover` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RecoverArgs {
    /// The weakness before, 0 to 24; 24, as on waking, when not given.
    #[serde(default)]
    pub penalty: Option<Natural>,
    /// The full hours that go by awake, 0 or more.
    pub hours: Natural,
}

/// What is left of the weakness.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RecoverOutcome {
    /// The d3 of each hour until nothing was left.
    pub rolls: Rolls,
    /// The weakness now, 0 to 24.
    pub penalty: i64,
    /// The hours in which it shrank.
    pub hours: i64,
    /// Whether nothing is left of it.
    pub recovered: bool,
}

rule! {
    /// Lets hours go by: the weakness shrinks by 1d3 after each, and is gone after 8 to 24.
    pub struct Recover;
}

impl Rule for Recover {
    const NAME: &'static str = "dying.recover";
    const SOURCE: &'static [&'static str] = &["house-rules DYING-10"];
    const EXAMPLE: &'static str = "{ hours = 6 }";
    const TABLES: &'static [&'static dyn AnyTable] = &[&COMA];
    type Args = RecoverArgs;
    type Options = NoOptions;
    type Outcome = RecoverOutcome;

    fn resolve(args: RecoverArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<RecoverOutcome, RuleError> {
        let figures = ComaFigures::of(referee)?;
        let die = figures.recovery_die.get();
        let mut penalty = figures.weakness("penalty", args.penalty)?;
        let mut hours = 0;
        let mut rolls = Rolls::new();
        loop {
            // As many hours at once as are needed at the least, so that exact odds see sums and not single dice.
            let certain = (penalty + die - 1) / die;
            let next = certain.min(args.hours.get() - hours);
            if next == 0 {
                break;
            }
            let rolled = referee.total(next as u32, die as u32, "recovery")?;
            rolls.extend_from_slice(&rolled.rolls);
            penalty = (penalty - rolled.sum).max(0);
            hours += next;
        }
        Ok(RecoverOutcome { rolls, penalty, hours, recovered: penalty == 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::{outcome, resolved_in};
    use crate::rules::core::{ErrorKind, House};

    #[test]
    fn a_good_constitution_shortens_the_coma_but_never_below_an_hour() {
        assert_eq!(outcome::<Coma>(r#"{"con_mod":2}"#, &[3, 4]).hours, 5);
        assert_eq!(outcome::<Coma>(r#"{"con_mod":2}"#, &[1, 1]).hours, 1);
        assert_eq!(outcome::<Coma>(r#"{"con_mod":2,"options":{"coma_con":"lengthens"}}"#, &[3, 4]).hours, 9);
    }

    #[test]
    fn whoever_wakes_has_no_strength_at_all() {
        let weak = outcome::<Weakness>(r#"{"str":16,"dex":25}"#, &[]);
        assert_eq!((weak.str, weak.dex, weak.attack, weak.saves), (0, 1, -24, -24));
    }

    #[test]
    fn a_house_may_wake_its_sleepers_stronger_and_heal_them_faster() {
        let mut house = House::new();
        let rows = r#"[{"coma_dice":1,"coma_die":4,"least_hours":2,"waking_weakness":6,"recovery_die":6,"rounds_an_hour":360}]"#;
        house.patch("coma", serde_json::from_str(rows).unwrap(), "a test").unwrap();
        let hours = |rule, args, dice: &[i64]| resolved_in(&house, rule, args, dice).unwrap().get("hours").cloned();
        assert_eq!(hours("dying.coma", "{}", &[1]), Some(2.into()));
        assert_eq!(hours("dying.recover", r#"{"hours":5}"#, &[6]), Some(1.into()));
        let error = resolved_in(&house, "dying.weakness", r#"{"str":9,"dex":9,"penalty":7}"#, &[]).unwrap_err();
        assert_eq!((error.kind(), error.field()), (ErrorKind::OutOfRange, Some("penalty")));
    }

    #[test]
    fn recovery_takes_eight_hours_at_the_earliest_and_a_day_at_the_most() {
        assert!(outcome::<Recover>(r#"{"hours":8}"#, &[3; 8]).recovered);
        assert!(!outcome::<Recover>(r#"{"hours":7}"#, &[3; 7]).recovered);
        assert!(outcome::<Recover>(r#"{"hours":24}"#, &[1; 24]).recovered);
    }

    #[test]
    fn nothing_is_rolled_once_recovered() {
        let recovered = outcome::<Recover>(r#"{"hours":24}"#, &[2; 12]);
        assert_eq!((recovered.hours, recovered.penalty, recovered.rolls.len()), (12, 0, 12));
        assert_eq!(outcome::<Recover>(r#"{"penalty":0,"hours":5}"#, &[]).hours, 0);
    }
}
