//! A whole flask, from the throw to the splash.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    HolyWater, HolyWaterArgs, HolyWaterBystander, HolyWaterOutcome, Oil, OilArgs, OilBystander, OilOutcome, Throw,
    ThrowArgs, ThrowOutcome,
};
use crate::rules::core::{List, Modifier, Referee, Rule, RuleError, Whole};

/// How far a flask splashes, in feet (GRE-03, GRE-05).
const SPLASH: i64 = 5;
/// Half the side of a square of the scatter diagram, in feet (GRE-01).
const HALF_SQUARE: i64 = 5;

/// From where the splash of a flask that missed is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Measured {
    /// From the edge of the square it landed in, so that a missed target beside it may be splashed, as the source has it.
    #[default]
    Square,
    /// From the middle of that square.
    Middle,
}

/// The switches of a whole flask. Those of the throw are `grenade.throw`'s.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ResolveOptions {
    /// From where the splash of a flask that missed is measured.
    pub splash_from: Measured,
}

/// What is in the flask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Content {
    /// Oil.
    Oil,
    /// Holy water.
    HolyWater,
}

/// The one thrown at, apart from its armor class.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FlaskTarget {
    /// Who it is.
    pub name: String,
    /// The saving throw against Death Ray to reach; burning oil with a wick needs it.
    #[serde(default)]
    pub save: Option<Whole<1, 40>>,
    /// Added to the saving throw.
    #[serde(default)]
    pub modifier: Modifier,
    /// Whether fire does nothing to it.
    #[serde(default)]
    pub fireproof: bool,
    /// Whether it is undead.
    #[serde(default)]
    pub undead: bool,
    /// Whether it has a body for a flask to break on.
    #[serde(default = "crate::rules::core::yes")]
    pub corporeal: bool,
}

/// Somebody near the target.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Near {
    /// Who it is.
    pub name: String,
    /// Feet to the right of the target, as the thrower sees it; negative to the left.
    pub dx: Whole<-1_000, 1_000>,
    /// Feet beyond the target; negative on the thrower's side.
    pub dy: Whole<-1_000, 1_000>,
    /// The saving throw against Death Ray to reach; burning oil with a wick needs it.
    #[serde(default)]
    pub save: Option<Whole<1, 40>>,
    /// Added to the saving throw.
    #[serde(default)]
    pub modifier: Modifier,
    /// Whether fire does nothing to it.
    #[serde(default)]
    pub fireproof: bool,
    /// Whether it is undead.
    #[serde(default)]
    pub undead: bool,
}

/// What `grenade.resolve` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ResolveArgs {
    /// What is in the flask.
    pub content: Content,
    /// The target's armor class, ascending.
    pub ac: Modifier,
    /// The thrower's attack bonus.
    #[serde(default)]
    pub attack_bonus: Modifier,
    /// The thrower's dexterity modifier.
    #[serde(default)]
    pub dex_mod: Modifier,
    /// Anything else that counts for the throw: range, cover.
    #[serde(default)]
    pub modifier: Modifier,
    /// The one thrown at.
    pub target: FlaskTarget,
    /// Oil: whether it burns.
    #[serde(default)]
    pub ignited: bool,
    /// Oil: whether a wick or fuse lit it, which makes it splash.
    #[serde(default)]
    pub wick: bool,
    /// Everybody else near the target, with where they stand.
    #[serde(default)]
    pub bystanders: List<Near>,
}

/// How a whole flask went.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ResolveOutcome {
    /// The throw, with where the flask landed.
    pub throw: ThrowOutcome,
    /// Those within the splash, the missed target among them, in the order in which they were splashed.
    pub within: Vec<String>,
    /// What the oil did; nothing for holy water.
    pub oil: Option<OilOutcome>,
    /// What the holy water did; nothing for oil.
    pub holy_water: Option<HolyWaterOutcome>,
}

rule! {
    /// Throws a flask and resolves what it does: the throw, where a miss lands, and who stands within 5 feet of that.
    ///
    /// A miss lands in a square of 10 feet; the splash reaches 5 feet from its edge, or from its middle by a switch. A
    /// direct hit splashes 5 feet from the target.
    pub struct Resolve;
}

impl Rule for Resolve {
    const NAME: &'static str = "grenade.resolve";
    const SOURCE: &'static [&'static str] =
        &["combat-details GRE-01", "combat-details GRE-02", "combat-details GRE-03", "combat-details GRE-05"];
    const EXAMPLE: &'static str = r#"{ content = "oil", ignited = true, wick = true, ac = 12, attack_bonus = 1, target = { name = "ogre", save = 12 }, bystanders = { { name = "goblin", dx = 5, dy = 0, save = 14 } } }"#;
    type Args = ResolveArgs;
    type Options = ResolveOptions;
    type Outcome = ResolveOutcome;

    fn resolve(
        args: ResolveArgs,
        options: ResolveOptions,
        referee: &mut Referee<'_>,
    ) -> Result<ResolveOutcome, RuleError> {
        let splashes_fire = args.content == Content::Oil && args.ignited && args.wick;
        if splashes_fire {
            saves_are_there(&args)?;
        }
        let throw = referee.call::<Throw>(ThrowArgs {
            ac: args.ac,
            attack_bonus: args.attack_bonus,
            ability_mod: args.dex_mod,
            modifier: args.modifier,
            proficient: true,
            immune: false,
        })?;
        let ResolveArgs { content, target, ignited, wick, bystanders, .. } = args;
        let FlaskTarget { name, save, modifier, fireproof, undead, corporeal } = target;
        let zero = Whole::default();
        let missed = Near { name, dx: zero, dy: zero, save, modifier, fireproof, undead };
        let missed = (!throw.direct).then_some(missed);
        let reached: Vec<Near> =
            missed.into_iter().chain(bystanders).filter(|near| within(near, &throw, options.splash_from)).collect();
        let splashes = content == Content::HolyWater || splashes_fire;
        let within = if splashes { reached.iter().map(|near| near.name.clone()).collect() } else { Vec::new() };
        let mut outcome = ResolveOutcome { throw, within, oil: None, holy_water: None };
        let direct = outcome.throw.direct;
        match content {
            Content::Oil => {
                let bystanders =
                    if splashes_fire { reached.into_iter().filter_map(in_the_fire).collect() } else { vec![] };
                let bystanders = List::new(bystanders).ok_or_else(too_many)?;
                let oil = OilArgs { ignited, direct, wick, target_fireproof: fireproof, bystanders };
                outcome.oil = Some(referee.call::<Oil>(oil)?);
            }
            Content::HolyWater => {
                let wet = reached.into_iter().map(|near| HolyWaterBystander { name: near.name, undead: near.undead });
                let water = HolyWaterArgs {
                    direct,
                    target_undead: undead,
                    target_corporeal: corporeal,
                    poured: false,
                    bystanders: List::new(wet.collect()).ok_or_else(too_many)?,
                };
                outcome.holy_water = Some(referee.call::<HolyWater>(water)?);
            }
        }
        Ok(outcome)
    }
}

/// Everybody who might be splashed with fire has a saving throw.
fn saves_are_there(args: &ResolveArgs) -> Result<(), RuleError> {
    if args.target.save.is_none() {
        return Err(RuleError::missing("target.save"));
    }
    match args.bystanders.iter().position(|near| near.save.is_none()) {
        Some(at) => Err(RuleError::missing("save").within_element(at).within("bystanders")),
        None => Ok(()),
    }
}

fn too_many() -> RuleError {
    RuleError::out_of_range("bystanders", "must be fewer")
}

fn in_the_fire(near: Near) -> Option<OilBystander> {
    let Near { name, save, modifier, fireproof, .. } = near;
    save.map(|save| OilBystander { name, save, modifier, fireproof })
}

/// Whether somebody stands within the splash.
fn within(near: &Near, throw: &ThrowOutcome, measured: Measured) -> bool {
    let half = if !throw.direct && measured == Measured::Square { HALF_SQUARE } else { 0 };
    let away = |at: i64, impact: i64| ((at - impact).abs() - half).max(0);
    let (x, y) = (away(near.dx.get(), throw.dx), away(near.dy.get(), throw.dy));
    x * x + y * y <= SPLASH * SPLASH
}

#[cfg(test)]
mod tests {
    use super::{Resolve, ResolveOutcome};
    use crate::rules::core::ErrorKind;
    use crate::rules::core::testing::{outcome, resolved};

    fn flask(more: &str, dice: &[i64]) -> ResolveOutcome {
        let args = format!(
            r#"{{"content":"oil","ignited":true,"wick":true,"ac":12,"target":{{"name":"ogre","save":12}},
                "bystanders":[{{"name":"near","dx":5,"dy":0,"save":14}},{{"name":"far","dx":-6,"dy":0,"save":14}}]{more}}}"#
        );
        outcome::<Resolve>(&args, dice)
    }

    #[test]
    fn a_direct_hit_splashes_five_feet_and_no_farther() {
        let hit = flask("", &[12, 6, 13, 4]);
        assert_eq!(hit.within, ["near"]);
        let oil = hit.oil.unwrap();
        assert_eq!((oil.direct_damage, oil.burns_next_round, oil.splash[0].damage), (6, true, 4));
    }

    #[test]
    fn a_missed_target_beside_the_square_is_splashed() {
        // 6 on the diagram lands 10 ft to the right; the ogre and the one at 5 ft are within 5 ft of that square.
        let miss = flask("", &[5, 6, 12, 13, 2]);
        assert_eq!(miss.within, ["ogre", "near"]);
        assert_eq!(miss.oil.unwrap().splash[0].saved, Some(true));
        let middle = flask(r#","options":{"splash_from":"middle"}"#, &[5, 6, 14]);
        assert_eq!(middle.within, ["near"]);
    }

    #[test]
    fn far_behind_the_target_the_splash_is_wasted() {
        assert!(flask("", &[5, 10]).within.is_empty());
    }

    #[test]
    fn holy_water_hurts_the_undead_alone() {
        let args = r#"{"content":"holy_water","ac":12,"target":{"name":"zombie","undead":true},
            "bystanders":[{"name":"Uric","dx":0,"dy":5},{"name":"ghoul","dx":0,"dy":-5,"undead":true}]}"#;
        let water = outcome::<Resolve>(args, &[12, 7, 3]).holy_water.unwrap();
        assert_eq!(water.direct_damage, 7);
        assert_eq!(water.splash.iter().map(|splash| splash.damage).sum::<i64>(), 3);
    }

    #[test]
    fn fire_asks_for_everybodys_save_before_the_throw() {
        let args = r#"{"content":"oil","ignited":true,"wick":true,"ac":12,"target":{"name":"ogre","save":12},
            "bystanders":[{"name":"near","dx":5,"dy":0}]}"#;
        let error = resolved("grenade.resolve", args, &[]).unwrap_err();
        assert_eq!((error.kind(), error.field()), (ErrorKind::Missing, Some("bystanders[1].save")));
    }
}
