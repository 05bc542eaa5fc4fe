//! Getting loose, and how many can hold one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Size;
use crate::rules::core::{List, Modifier, NoOptions, Referee, Rule, RuleError, Whole};

/// What a friend's hold on the holder adds to an escape (GRP-10).
const HOLDER_IS_HELD: i64 = 4;
/// What being held takes off armor class (GRP-07).
const HELD_AC: i64 = -4;
/// Wrestlers of its own size who have room around one opponent, in halves (GRP-09).
const ROOM_IN_HALVES: i64 = 8;

/// An ability modifier of a saving throw.
pub type SaveMod = Whole<-10, 20>;

/// What `grapple.escape` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct EscapeArgs {
    /// The saving throw against Death Ray to reach.
    pub save: Whole<1, 40>,
    /// The strength modifier; the better of it and dexterity's counts, also when both are penalties.
    #[serde(default)]
    pub str_mod: SaveMod,
    /// The dexterity modifier.
    #[serde(default)]
    pub dex_mod: SaveMod,
    /// Whether a friend holds the holder (GRP-10).
    #[serde(default)]
    pub holder_is_held: bool,
    /// Grasping limbs beyond two (GRP-11).
    #[serde(default)]
    pub extra_limbs: Whole<0, 20>,
    /// How many hold.
    #[serde(default = "one_holder")]
    pub holders: Whole<1, 20>,
}

fn one_holder() -> Whole<1, 20> {
    Whole::clamped(1)
}

/// How an escape went.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct EscapeOutcome {
    /// What the d20 showed.
    pub roll: i64,
    /// The roll with everything added.
    pub total: i64,
    /// Whether the saving throw was made.
    pub success: bool,
    /// How many still hold.
    pub holders_remaining: i64,
    /// Whether nobody holds any more; the escaped then stands in a space beside the holder.
    pub free: bool,
}

rule! {
    /// Rolls an escape: a saving throw against Death Ray with the better of strength and dexterity, which frees from
    /// one holder.
    pub struct Escape;
}

impl Rule for Escape {
    const NAME: &'static str = "grapple.escape";
    const SOURCE: &'static [&'static str] =
        &["combat-details GRP-08", "combat-details GRP-10", "combat-details GRP-11"];
    const EXAMPLE: &'static str = "{ save = 14, str_mod = 2, dex_mod = -1 }";
    type Args = EscapeArgs;
    type Options = NoOptions;
    type Outcome = EscapeOutcome;

    fn resolve(args: EscapeArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<EscapeOutcome, RuleError> {
        let ability = args.str_mod.max(args.dex_mod).get();
        let friend = if args.holder_is_held { HOLDER_IS_HELD } else { 0 };
        referee.modifier(ability, "the better of strength and dexterity (GRP-08)");
        referee.modifier(friend, "a friend holds the holder (GRP-10)");
        referee.modifier(args.extra_limbs.get(), "spare limbs (GRP-11)");
        referee.need(|| format!("at least {}", args.save));
        let roll = referee.d(20, "save")?;
        let total = roll + ability + friend + args.extra_limbs.get();
        let success = total >= args.save.get();
        let holders_remaining = args.holders.get() - i64::from(success);
        Ok(EscapeOutcome { roll, total, success, holders_remaining, free: holders_remaining == 0 })
    }
}

/// What `grapple.held_ac` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct HeldAcArgs {
    /// The armor class before, ascending.
    pub ac: Modifier,
    /// How many hold.
    pub holders: Whole<0, 20>,
    /// Whether the attacker is one of them.
    pub attacker_is_holder: bool,
}

/// The armor class of somebody held.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct HeldAcOutcome {
    /// Against this attacker, ascending.
    pub ac: i64,
}

rule! {
    /// Tells the armor class of somebody held: 4 lower against all but the holders, once however many hold.
    pub struct HeldAc;
}

impl Rule for HeldAc {
    const NAME: &'static str = "grapple.held_ac";
    const SOURCE: &'static [&'static str] = &["combat-details GRP-07"];
    const EXAMPLE: &'static str = "{ ac = 16, holders = 2, attacker_is_holder = false }";
    type Args = HeldAcArgs;
    type Options = NoOptions;
    type Outcome = HeldAcOutcome;

    fn resolve(args: HeldAcArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<HeldAcOutcome, RuleError> {
        let change = if args.holders.get() > 0 && !args.attacker_is_holder { HELD_AC } else { 0 };
        referee.modifier(change, "held (GRP-07)");
        Ok(HeldAcOutcome { ac: args.ac.get() + change })
    }
}

/// What `grapple.capacity` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CapacityArgs {
    /// The size of the one to be held.
    pub defender_size: Size,
    /// The sizes of those who would hold.
    pub attackers: List<Size>,
}

/// Whether there is room for all.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CapacityOutcome {
    /// How much room they take; one of the defender's own size takes 1.
    pub load: f64,
    /// Whether it is at most 4.
    pub fits: bool,
}

rule! {
    /// Tells whether so many can hold one: four of its own size; smaller ones take half the room, larger ones double.
    ///
    /// The source measures against "the attacker", which several attackers leave open; read as the defender's size.
    pub struct Capacity;
}

impl Rule for Capacity {
    const NAME: &'static str = "grapple.capacity";
    const SOURCE: &'static [&'static str] = &["combat-details GRP-09"];
    const EXAMPLE: &'static str = r#"{ defender_size = "medium", attackers = { "large", "small", "small" } }"#;
    type Args = CapacityArgs;
    type Options = NoOptions;
    type Outcome = CapacityOutcome;

    fn resolve(args: CapacityArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<CapacityOutcome, RuleError> {
        let halves: i64 = args
            .attackers
            .iter()
            .map(|size| match size.cmp(&args.defender_size) {
                std::cmp::Ordering::Less => 1,
                std::cmp::Ordering::Equal => 2,
                std::cmp::Ordering::Greater => 4,
            })
            .sum();
        Ok(CapacityOutcome { load: halves as f64 / 2.0, fits: halves <= ROOM_IN_HALVES })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::outcome;

    #[test]
    fn the_better_of_two_penalties_counts() {
        assert_eq!(outcome::<Escape>(r#"{"save":14,"str_mod":-2,"dex_mod":-1}"#, &[15]).total, 14);
    }

    #[test]
    fn an_escape_frees_from_one_holder_of_several() {
        let escape = outcome::<Escape>(r#"{"save":14,"holders":2,"holder_is_held":true}"#, &[10]);
        assert_eq!((escape.success, escape.holders_remaining, escape.free), (true, 1, false));
    }

    #[test]
    fn three_holders_lower_the_guard_no_more_than_one() {
        let ac = |holders: i64, own: bool| {
            outcome::<HeldAc>(&format!(r#"{{"ac":16,"holders":{holders},"attacker_is_holder":{own}}}"#), &[]).ac
        };
        assert_eq!([ac(0, false), ac(1, false), ac(3, false), ac(3, true)], [16, 12, 12, 16]);
    }

    #[test]
    fn eight_goblins_fit_around_a_man_and_nine_do_not() {
        let goblins = |count: usize| {
            let sizes = vec![r#""small""#; count].join(",");
            outcome::<Capacity>(&format!(r#"{{"defender_size":"medium","attackers":[{sizes}]}}"#), &[])
        };
        assert!(goblins(8).fits);
        assert!(!goblins(9).fits);
    }
}
