//! Initiative: who acts when in a round.
//! Source: combat-details INI-01 to INI-05.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::core::{Any, List, NoOptions, Referee, Rule, RuleError, Whole, names};

/// Somebody who rolls initiative; a group of identical monsters may roll as one (INI-03).
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Combatant {
    /// The name, its own in this round.
    pub name: String,
    /// The dexterity modifier, -10 to 10.
    #[serde(default)]
    pub dex_mod: Whole<-10, 10>,
    /// Anything else added, -20 to 20: -2 when blinded (CRT-03).
    #[serde(default)]
    pub modifier: Whole<-20, 20>,
}

/// What `initiative.roll` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RollArgs {
    /// Who rolls, in the order of their dice.
    pub combatants: List<Combatant, 1>,
}

/// Those who act on one number, simultaneously.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Place {
    /// The number.
    pub initiative: i64,
    /// Who acts on it, in the order given; among them that order means nothing.
    pub names: Vec<String>,
}

/// The order of a round.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RollOutcome {
    /// From the highest number to the lowest; those with equal numbers stand together.
    pub order: Vec<Place>,
}

rule! {
    /// Rolls d6 and the dexterity modifier for each combatant: high acts first, equal numbers act simultaneously.
    ///
    /// Numbers below 1 and above 6 stand as they are.
    pub struct Roll;
}

impl Rule for Roll {
    const NAME: &'static str = "initiative.roll";
    const SOURCE: &'static [&'static str] =
        &["combat-details INI-01", "combat-details INI-02", "combat-details INI-03"];
    const EXAMPLE: &'static str = r#"{ combatants = { { name = "six goblins" }, { name = "Uric", dex_mod = 1 } } }"#;
    type Args = RollArgs;
    type Options = NoOptions;
    type Outcome = RollOutcome;

    fn resolve(args: RollArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<RollOutcome, RuleError> {
        names::distinct("combatants", args.combatants.iter().map(|combatant| combatant.name.as_str()))?;
        let mut rolled = Vec::with_capacity(args.combatants.len());
        for combatant in args.combatants {
            let Combatant { name, dex_mod, modifier } = combatant;
            let roll = referee.d(6, &format!("initiative of {name}"))?;
            referee.modifier(dex_mod.get(), "dexterity (INI-01)");
            referee.modifier(modifier.get(), "to initiative");
            rolled.push((roll + dex_mod.get() + modifier.get(), name));
        }
        // A stable sort keeps the order given among equals.
        rolled.sort_by_key(|(initiative, _)| std::cmp::Reverse(*initiative));
        let mut order: Vec<Place> = Vec::new();
        for (initiative, name) in rolled {
            match order.last_mut() {
                Some(place) if place.initiative == initiative => place.names.push(name),
                _ => order.push(Place { initiative, names: vec![name] }),
            }
        }
        Ok(RollOutcome { order })
    }
}

/// When somebody acts.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MomentOutcome {
    /// The number on which the action falls.
    pub initiative: i64,
    /// Whether it happens at the same time as the other's.
    pub simultaneous: bool,
}

/// What `initiative.delay` is asked: until a number, or until another acts.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DelayArgs {
    /// The number rolled.
    pub own_initiative: Any,
    /// The number waited for, below one's own.
    #[serde(default)]
    pub new_initiative: Option<Any>,
    /// The number of the creature waited for, at most one's own; instead of `new_initiative`.
    #[serde(default)]
    pub other_initiative: Option<Any>,
}

rule! {
    /// Lets a combatant wait for a later number, or for another creature to act with it, simultaneously.
    ///
    /// One cannot wait for a number or a creature that has passed.
    pub struct Delay;
}

impl Rule for Delay {
    const NAME: &'static str = "initiative.delay";
    const SOURCE: &'static [&'static str] = &["combat-details INI-04"];
    const EXAMPLE: &'static str = "{ own_initiative = 5, other_initiative = 3 }";
    type Args = DelayArgs;
    type Options = NoOptions;
    type Outcome = MomentOutcome;

    fn resolve(args: DelayArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<MomentOutcome, RuleError> {
        let own = args.own_initiative.get();
        match (args.new_initiative.map(Any::get), args.other_initiative.map(Any::get)) {
            (None, None) => Err(RuleError::missing("new_initiative")),
            (Some(_), Some(_)) => {
                let message = "does not go with new_initiative: wait for a number or for a creature";
                Err(RuleError::invalid("other_initiative", message))
            }
            (Some(later), None) if later >= own => {
                let message = format!("must be below the {own} rolled, not {later}");
                Err(RuleError::out_of_range("new_initiative", message))
            }
            (None, Some(other)) if other > own => {
                let message = format!("must be at most the {own} rolled, not {other}: that creature has acted already");
                Err(RuleError::out_of_range("other_initiative", message))
            }
            (Some(later), None) => Ok(MomentOutcome { initiative: later, simultaneous: false }),
            (None, Some(other)) => Ok(MomentOutcome { initiative: other, simultaneous: true }),
        }
    }
}

/// What `initiative.reach` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ReachArgs {
    /// The number rolled.
    pub own_initiative: Any,
    /// The number of the opponent who closes in.
    pub opponent_initiative: Any,
    /// Whether one's weapon has a long reach, a spear for instance.
    pub long_reach: bool,
}

rule! {
    /// Says when somebody may strike an opponent who closes in: with a long weapon on the opponent's number, even if
    /// slower.
    ///
    /// Without one, each acts on its own number; equal numbers are simultaneous as always (INI-02).
    pub struct Reach;
}

impl Rule for Reach {
    const NAME: &'static str = "initiative.reach";
    const SOURCE: &'static [&'static str] = &["combat-details INI-05"];
    const EXAMPLE: &'static str = "{ own_initiative = 2, opponent_initiative = 5, long_reach = true }";
    type Args = ReachArgs;
    type Options = NoOptions;
    type Outcome = MomentOutcome;

    fn resolve(args: ReachArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<MomentOutcome, RuleError> {
        let initiative = if args.long_reach { args.opponent_initiative } else { args.own_initiative }.get();
        Ok(MomentOutcome { initiative, simultaneous: initiative == args.opponent_initiative.get() })
    }
}

#[cfg(test)]
mod tests {
    use super::{Delay, Reach, Roll};
    use crate::rules::core::ErrorKind;
    use crate::rules::core::testing::{outcome, resolved};

    #[test]
    fn high_acts_first_and_equals_act_together_in_the_order_given() {
        let args = r#"{"combatants":[{"name":"a","dex_mod":2},{"name":"b"},{"name":"c","modifier":-2},{"name":"d"}]}"#;
        let order = outcome::<Roll>(args, &[3, 5, 1, 6]).order;
        let shown: Vec<(i64, String)> = order.iter().map(|place| (place.initiative, place.names.join(" "))).collect();
        assert_eq!(shown, [(6, "d".to_owned()), (5, "a b".to_owned()), (-1, "c".to_owned())]);
    }

    #[test]
    fn names_differ() {
        let args = r#"{"combatants":[{"name":"a"},{"name":"a"}]}"#;
        let error = resolved("initiative.roll", args, &[]).unwrap_err();
        assert_eq!((error.kind(), error.field()), (ErrorKind::Invalid, Some("combatants[2].name")));
    }

    #[test]
    fn one_waits_for_what_is_still_to_come() {
        let moment = outcome::<Delay>(r#"{"own_initiative":5,"new_initiative":2}"#, &[]);
        assert_eq!((moment.initiative, moment.simultaneous), (2, false));
        let moment = outcome::<Delay>(r#"{"own_initiative":5,"other_initiative":5}"#, &[]);
        assert_eq!((moment.initiative, moment.simultaneous), (5, true));
        let refused = [
            (r#""new_initiative":5"#, ErrorKind::OutOfRange, "new_initiative"),
            (r#""other_initiative":6"#, ErrorKind::OutOfRange, "other_initiative"),
            (r#""new_initiative":2,"other_initiative":2"#, ErrorKind::Invalid, "other_initiative"),
        ];
        for (more, kind, field) in refused {
            let error = resolved("initiative.delay", &format!(r#"{{"own_initiative":5,{more}}}"#), &[]).unwrap_err();
            assert_eq!((error.kind(), error.field()), (kind, Some(field)));
        }
        let error = resolved("initiative.delay", r#"{"own_initiative":5}"#, &[]).unwrap_err();
        assert_eq!((error.kind(), error.field()), (ErrorKind::Missing, Some("new_initiative")));
    }

    #[test]
    fn a_spear_strikes_on_the_closing_foes_number_even_when_slower() {
        let moment = |args: &str| {
            let moment = outcome::<Reach>(args, &[]);
            (moment.initiative, moment.simultaneous)
        };
        assert_eq!(moment(r#"{"own_initiative":2,"opponent_initiative":5,"long_reach":true}"#), (5, true));
        assert_eq!(moment(r#"{"own_initiative":2,"opponent_initiative":5,"long_reach":false}"#), (2, false));
        assert_eq!(moment(r#"{"own_initiative":5,"opponent_initiative":5,"long_reach":false}"#), (5, true));
    }
}
