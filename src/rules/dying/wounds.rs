//! What makes it worse: damage, bleeding, violent movement (DYING-01, 02, 05, 06).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Condition, Status, THRESHOLDS, thresholds, wound_args, wound_outcome};
use crate::rules::core::{AnyTable, NoOptions, Positive, Referee, Rule, RuleError};

/// What one blow does that takes somebody from zero or above to below -10 (DYING-06).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Overkill {
    /// Death, as bleeding that far would be.
    #[default]
    Dead,
    /// Hit points stop at -10, and the victim bleeds.
    Bleeding,
}

/// What exactly zero hit points mean (DYING-01).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AtZero {
    /// One is still on one's feet: zero is not below zero.
    #[default]
    Ok,
    /// One is unconscious, as in the combat chapter (DMG-02), without bleeding.
    Unconscious,
}

impl AtZero {
    /// As the campaign has it.
    pub(super) fn of(referee: &Referee<'_>) -> Self {
        referee.options::<Damage>().at_zero
    }

    /// Whether somebody in this condition is awake.
    pub(super) fn awake(self, condition: Condition) -> bool {
        match self {
            AtZero::Ok => condition.status == Status::Ok,
            AtZero::Unconscious => condition.status == Status::Ok && condition.hp > 0,
        }
    }
}

/// The switches of damage.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct DamageOptions {
    /// What one blow from zero or above to below -10 does.
    pub overkill: Overkill,
    /// What exactly zero hit points mean.
    pub at_zero: AtZero,
}

wound_args! {
    /// What `dying.damage` is asked.
    DamageArgs {
        /// The damage, 1 or more.
        pub damage: Positive,
    }
}

/// What a victim died of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// Hurt again while bleeding below zero.
    FurtherDamage,
    /// Hit points below -10.
    #[serde(rename = "below_minus_10")]
    BelowMinus10,
}

wound_outcome! {
    /// How the victim is after the damage.
    DamageOutcome {
        /// What it died of, if it did.
        pub cause: Option<Cause>,
        /// Whether it is awake: neither below zero nor, by a switch, at it. Coma and weakness are not counted here.
        pub conscious: bool,
    }
}

rule! {
    /// Takes damage off somebody's hit points: below zero one is down and bleeding, and a bleeding victim that is hurt
    /// dies.
    ///
    /// A stable victim that is hurt bleeds again, and dies only below -10.
    pub struct Damage;
}

impl Rule for Damage {
    const NAME: &'static str = "dying.damage";
    const SOURCE: &'static [&'static str] = &["house-rules DYING-01", "house-rules DYING-05", "house-rules DYING-06"];
    const EXAMPLE: &'static str = r#"{ hp = 5, status = "ok", damage = 8 }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&THRESHOLDS];
    type Args = DamageArgs;
    type Options = DamageOptions;
    type Outcome = DamageOutcome;

    fn resolve(
        args: DamageArgs,
        options: DamageOptions,
        referee: &mut Referee<'_>,
    ) -> Result<DamageOutcome, RuleError> {
        let limits = thresholds(referee)?;
        let before = args.condition(limits)?;
        let least = limits.lowest_alive.get();
        let hp = before.hp - args.damage.get();
        let (hp, status, cause) = match before.status {
            Status::Bleeding => (hp, Status::Dead, Some(Cause::FurtherDamage)),
            Status::Ok if hp < least && options.overkill == Overkill::Bleeding => (least, Status::Bleeding, None),
            _ if hp < least => (hp, Status::Dead, Some(Cause::BelowMinus10)),
            _ if hp < 0 => (hp, Status::Bleeding, None),
            _ => (hp, Status::Ok, None),
        };
        let after = before.become_at(hp, status);
        Ok(DamageOutcome {
            hp,
            status,
            lowest_hp: after.lowest_hp,
            scarred: after.scarred(limits),
            cause,
            conscious: options.at_zero.awake(after),
        })
    }
}

fn one() -> Positive {
    Positive::clamped(1)
}

wound_args! {
    /// What `dying.bleed` is asked.
    BleedArgs {
        /// How many rounds go by, 1 or more.
        #[serde(default = "one")]
        pub rounds: Positive,
    }
}

wound_outcome! {
    /// How the victim is after those rounds.
    BleedOutcome {
        /// The round in which it died, counted from 1; nothing for a survivor.
        pub death_round: Option<i64>,
    }
}

rule! {
    /// Lets rounds go by: a bleeding victim loses a hit point in each and dies below -10. Others lose nothing.
    ///
    /// The first loss comes a full round after the fall: each round asked for costs one.
    pub struct Bleed;
}

impl Rule for Bleed {
    const NAME: &'static str = "dying.bleed";
    const SOURCE: &'static [&'static str] = &["house-rules DYING-02", "house-rules DYING-06", "house-rules DYING-07"];
    const EXAMPLE: &'static str = r#"{ hp = -1, status = "bleeding", rounds = 3 }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&THRESHOLDS];
    type Args = BleedArgs;
    type Options = NoOptions;
    type Outcome = BleedOutcome;

    fn resolve(args: BleedArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<BleedOutcome, RuleError> {
        let limits = thresholds(referee)?;
        let before = args.condition(limits)?;
        let loss = limits.lost_each_round.get();
        // The round that takes the hit points below the lowest that one can live with.
        let deadly = (before.hp - limits.lowest_alive.get()) / loss + 1;
        let bleeding = before.status == Status::Bleeding;
        let dies = bleeding && args.rounds.get() >= deadly;
        let after = match (bleeding, dies) {
            (false, _) => before,
            (true, false) => before.become_at(before.hp - loss * args.rounds.get(), Status::Bleeding),
            (true, true) => before.become_at(before.hp - loss * deadly, Status::Dead),
        };
        Ok(BleedOutcome {
            hp: after.hp,
            status: after.status,
            lowest_hp: after.lowest_hp,
            scarred: after.scarred(limits),
            death_round: dies.then_some(deadly),
        })
    }
}

wound_args! {
    /// What `dying.strain` is asked.
    StrainArgs {}
}

wound_outcome! {
    /// How the victim is after the violent movement.
    StrainOutcome {}
}

rule! {
    /// Moves somebody violently: the wounds of a stable victim open again, whether bandages or magic had closed them.
    pub struct Strain;
}

impl Rule for Strain {
    const NAME: &'static str = "dying.strain";
    const SOURCE: &'static [&'static str] = &["house-rules DYING-05"];
    const EXAMPLE: &'static str = r#"{ hp = -4, status = "stable" }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&THRESHOLDS];
    type Args = StrainArgs;
    type Options = NoOptions;
    type Outcome = StrainOutcome;

    fn resolve(args: StrainArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<StrainOutcome, RuleError> {
        let limits = thresholds(referee)?;
        let before = args.condition(limits)?;
        let status = if before.status == Status::Stable { Status::Bleeding } else { before.status };
        let after = before.become_at(before.hp, status);
        Ok(StrainOutcome { hp: after.hp, status, lowest_hp: after.lowest_hp, scarred: after.scarred(limits) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::{outcome, resolved, resolved_in};
    use crate::rules::core::{ErrorKind, House};

    #[test]
    fn exactly_zero_is_not_below_zero() {
        let args = r#"{"hp":5,"status":"ok","damage":5}"#;
        let hurt = outcome::<Damage>(args, &[]);
        assert_eq!((hurt.status, hurt.conscious), (Status::Ok, true));
        let other = args.replace('}', r#","options":{"at_zero":"unconscious"}}"#);
        assert!(!outcome::<Damage>(&other, &[]).conscious);
    }

    #[test]
    fn a_scratch_kills_whoever_is_bleeding() {
        let hurt = outcome::<Damage>(r#"{"hp":-1,"status":"bleeding","damage":1}"#, &[]);
        assert_eq!((hurt.status, hurt.cause), (Status::Dead, Some(Cause::FurtherDamage)));
    }

    #[test]
    fn a_stable_victim_bleeds_again_and_dies_only_below_minus_ten() {
        let hurt = |damage: i64| outcome::<Damage>(&format!(r#"{{"hp":-4,"status":"stable","damage":{damage}}}"#), &[]);
        assert_eq!((hurt(6).status, hurt(6).scarred), (Status::Bleeding, true));
        assert_eq!((hurt(7).status, hurt(7).cause), (Status::Dead, Some(Cause::BelowMinus10)));
    }

    #[test]
    fn a_great_blow_kills_unless_a_switch_stops_it_at_minus_ten() {
        let args = r#"{"hp":5,"status":"ok","damage":40,"options":{"overkill":"OVERKILL"}}"#;
        assert_eq!(outcome::<Damage>(&args.replace("OVERKILL", "dead"), &[]).hp, -35);
        let spared = outcome::<Damage>(&args.replace("OVERKILL", "bleeding"), &[]);
        assert_eq!((spared.hp, spared.status), (-10, Status::Bleeding));
    }

    #[test]
    fn bleeding_stops_at_death() {
        let bled = outcome::<Bleed>(r#"{"hp":-1,"status":"bleeding","rounds":50}"#, &[]);
        assert_eq!((bled.hp, bled.status, bled.death_round), (-11, Status::Dead, Some(10)));
        assert!(!bled.scarred);
    }

    #[test]
    fn a_house_may_let_wounds_bleed_faster() {
        let mut house = House::new();
        let rows = r#"[{"lowest_alive":-10,"scarred_at":-8,"lost_each_round":2}]"#;
        house.patch("dying", serde_json::from_str(rows).unwrap(), "a test").unwrap();
        let bled = resolved_in(&house, "dying.bleed", r#"{"hp":-1,"status":"bleeding","rounds":5}"#, &[]).unwrap();
        assert_eq!(
            bled.to_string(),
            r#"{ hp = -11, status = "dead", lowest_hp = -11, scarred = false, death_round = 5 }"#
        );
    }

    #[test]
    fn states_that_contradict_themselves_are_refused() {
        for (args, field) in [
            (r#"{"hp":-14,"status":"bleeding"}"#, "status"),
            (r#"{"hp":3,"status":"stable"}"#, "status"),
            (r#"{"hp":-1,"status":"ok"}"#, "status"),
            (r#"{"hp":-11,"status":"dead"}"#, "status"),
            (r#"{"hp":-4,"status":"stable","lowest_hp":-3}"#, "lowest_hp"),
        ] {
            let error = resolved("dying.strain", args, &[]).unwrap_err();
            assert_eq!((error.kind(), error.field()), (ErrorKind::Invalid, Some(field)), "{args}");
        }
    }

    #[test]
    fn violent_movement_opens_closed_wounds() {
        assert_eq!(outcome::<Strain>(r#"{"hp":-4,"status":"stable"}"#, &[]).status, Status::Bleeding);
        assert_eq!(outcome::<Strain>(r#"{"hp":4,"status":"ok"}"#, &[]).status, Status::Ok);
    }
}
