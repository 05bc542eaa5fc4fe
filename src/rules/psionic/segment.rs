//! One segment of psionic combat: two minds attack and defend at the same moment.
//! Source: first-edition PSI-CMB-05, PSI-CMB-10, PSI-DFL-01.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::conduct::{PsychicCrushDefense, PsychicCrushDefenseArgs};
use super::defended::{
    ApplyDefenseLoss, ApplyDefenseLossArgs, AttackDefended, AttackDefendedArgs, AttackDefendedOptions, HalfRounding,
    PsychicCrush, PsychicCrushArgs,
};
use super::defenseless::{
    AttackDefenseless, AttackDefenselessArgs, AttackDefenselessOptions, AttackDefenselessOutcome, Defender,
    MindBarAgainstCrush,
};
use super::exchange::{Against, ExchangeKind};
use super::modes::{AttackModeArgs, AttackModeStatistics, DefenseModeArgs, DefenseModeStatistics, no_bought_range};
use super::names::{AttackMode, DefenseMode, Forbidden, Inches, Only, RangeBand, reasons};
use super::ranges::{AttackRange, AttackRangeArgs, Reach};
use crate::rules::core::{Any, List, Natural, Referee, Rule, RuleError, Whole};

/// When an attack is paid for, beside what its user loses in the same segment. It matters to a mind without defense, whose
/// attack strength bears losses too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AttackCosts {
    /// When it is announced: losses find only what is left.
    #[default]
    WhenAnnounced,
    /// After the losses, in the order that the source prints (steps 5 and 6): the loss takes from the whole strength, and
    /// the cost from what that leaves, which stops at 0.
    AfterLosses,
}

impl AttackCosts {
    /// The attack strength that losses find, and what is to be paid after them.
    pub(super) fn split(self, at_start: i64, paid: i64) -> (i64, i64) {
        match self {
            AttackCosts::WhenAnnounced => (paid, 0),
            AttackCosts::AfterLosses => (at_start, at_start - paid),
        }
    }
}

/// The switches of a segment: its own, and those of the rules it calls. One of theirs that is absent is as the campaign
/// has it.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SegmentOptions {
    /// When attacks are paid for (PSI-CMB-05).
    pub attack_costs: AttackCosts,
    /// As `psionic.attack_defended` has it.
    pub half_rounding: Option<HalfRounding>,
    /// As `psionic.attack_defended` has it.
    pub appendix_a_errata: Option<bool>,
    /// As `psionic.attack_defenseless` has it.
    pub mind_bar_against_crush: Option<MindBarAgainstCrush>,
}

/// One of the two minds, and what it announces.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Side {
    /// Attack strength at the start of the segment.
    pub attack_strength: Natural,
    /// Defense strength at the start of the segment.
    pub defense_strength: Natural,
    /// Hit points at the start of the segment.
    pub hp: Any,
    /// The attack, if any; both sides name theirs before either names a defense.
    #[serde(default)]
    pub attack_mode: Option<AttackMode>,
    /// Bought range: two or three times the cost for two or three times the range.
    #[serde(default = "no_bought_range")]
    pub range_multiplier: Whole<1, 3>,
    /// The range of this side's attack, where it differs from the other's.
    #[serde(default)]
    pub range_band: Option<RangeBand>,
    /// The defense, if any. None counts as none available.
    #[serde(default)]
    pub defense_mode: Option<DefenseMode>,
    /// The mode that covers it, when a neighbor's does better than its own (`psionic.shared_defense`): attacks meet that
    /// mode, and the side pays for its own alone.
    #[serde(default)]
    pub shared_mode: Option<DefenseMode>,
    /// The names of its modes and disciplines, one of which a defenseless mind may lose.
    #[serde(default)]
    pub powers: List<String>,
    /// Whether it has the discipline mind bar.
    #[serde(default)]
    pub mind_bar: bool,
    /// Of a Psychic Crush on a defended mind: the chance of death in percent, which the source leaves out. Without it the
    /// crush costs the defense and stays open.
    #[serde(default)]
    pub crush_percent: Option<Whole<0, 100>>,
}

/// What `psionic.segment` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SegmentArgs {
    /// The one mind.
    pub a: Side,
    /// The other mind.
    pub b: Side,
    /// How far apart they are, in scale inches; each side's band follows from its mode and bought range.
    #[serde(default)]
    pub distance_inches: Option<Inches>,
    /// Instead of the distance: the band of both attacks.
    #[serde(default)]
    pub range_band: Option<RangeBand>,
}

/// One of the two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SideName {
    /// The side `a`.
    A,
    /// The side `b`.
    B,
}

reasons! {
    /// Why an attack is not used.
    AttackNotUsed: OutOfRange, BandNotAvailable
}

/// A mind after the segment.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SideAfter {
    /// Attack strength now.
    pub attack_strength: i64,
    /// Defense strength now.
    pub defense_strength: i64,
    /// Hit points now.
    pub hp: i64,
    /// Both strengths together.
    pub psionic_strength: i64,
    /// Why its attack was not used, when it was not: out of range. Such an attack costs nothing.
    #[schemars(with = "Option<Only<AttackNotUsed>>")]
    pub attack_not_used: Option<Forbidden>,
}

reasons! {
    /// Why an announcement cannot be carried out.
    AnnouncementRefused: RangeNotExtendable, InsufficientAttackStrength, InsufficientDefenseStrength, CrushLimitsDefense
}

/// The segment's outcome.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct SegmentOutcome {
    /// Whether both announcements can be carried out.
    pub allowed: bool,
    /// Why not.
    #[schemars(with = "Option<Only<AnnouncementRefused>>")]
    pub reason: Option<Forbidden>,
    /// Whose announcement it is that cannot.
    pub side: Option<SideName>,
    /// The one mind now.
    pub a: Option<SideAfter>,
    /// The other mind now.
    pub b: Option<SideAfter>,
    /// What `a` had to stand.
    pub against_a: Option<Against>,
    /// What `b` had to stand.
    pub against_b: Option<Against>,
    /// Whether either side attacked; without an attack the combat ends.
    pub any_attack: Option<bool>,
}

/// What a side does, once it is known that it can.
struct Announced {
    attack: Option<(AttackMode, RangeBand)>,
    attack_cost: i64,
    not_used: Option<Forbidden>,
    defense: Option<Defense>,
}

/// What an attack meets, and what its user pays for it.
#[derive(Clone, Copy)]
struct Defense {
    mode: DefenseMode,
    cost: i64,
}

/// Whether an attack can be used, and where it goes.
enum AttackReach {
    /// It goes this far, at this cost.
    At(RangeBand, i64),
    /// The target is beyond it.
    NotUsed(Forbidden),
    /// It may not be announced so.
    Forbidden(Forbidden),
}

impl SegmentArgs {
    /// Says so when ranges are given twice.
    fn check_ranges(&self) -> Result<(), RuleError> {
        let bands =
            [("range_band", self.range_band), ("a.range_band", self.a.range_band), ("b.range_band", self.b.range_band)];
        match bands.iter().find(|(_, band)| band.is_some()) {
            Some((field, _)) if self.distance_inches.is_some() => {
                Err(RuleError::invalid(field, "goes without distance_inches, from which the bands follow"))
            }
            _ => Ok(()),
        }
    }

    /// Where a side's attack goes, and what it costs.
    fn reach(&self, side: &Side, attack_mode: AttackMode, referee: &mut Referee<'_>) -> Result<AttackReach, RuleError> {
        let range_multiplier = side.range_multiplier;
        if let Some(distance) = self.distance_inches {
            let range = referee.call::<AttackRange>(AttackRangeArgs { attack_mode, distance, range_multiplier })?;
            let band = range.range_band.and_then(Reach::band);
            return Ok(match (range.reason, band) {
                (Some(reason), _) => AttackReach::Forbidden(reason),
                (None, None) => AttackReach::NotUsed(Forbidden::OutOfRange),
                (None, Some(band)) => AttackReach::At(band, range.cost.unwrap_or(0)),
            });
        }
        let band = side.range_band.or(self.range_band).ok_or_else(|| RuleError::missing("range_band"))?;
        let mode = referee.call::<AttackModeStatistics>(AttackModeArgs { attack_mode, range_multiplier })?;
        let limit = match band {
            RangeBand::Short => mode.short,
            RangeBand::Medium => mode.medium,
            RangeBand::Long => mode.long,
        };
        Ok(match (mode.reason, limit) {
            (Some(reason), _) => AttackReach::Forbidden(reason),
            (None, None) => AttackReach::NotUsed(Forbidden::BandNotAvailable),
            (None, Some(_)) => AttackReach::At(band, mode.cost_per_segment.unwrap_or(0)),
        })
    }

    /// Checks a side's announcement: what it does, or why it cannot.
    fn announced(&self, side: &Side, referee: &mut Referee<'_>) -> Result<Result<Announced, Forbidden>, RuleError> {
        let mut announced = Announced { attack: None, attack_cost: 0, not_used: None, defense: None };
        if let Some(mode) = side.attack_mode {
            match self.reach(side, mode, referee)? {
                AttackReach::Forbidden(reason) => return Ok(Err(reason)),
                AttackReach::NotUsed(reason) => announced.not_used = Some(reason),
                AttackReach::At(_, cost) if cost > side.attack_strength.get() => {
                    return Ok(Err(Forbidden::InsufficientAttackStrength));
                }
                AttackReach::At(band, cost) => {
                    announced.attack = Some((mode, band));
                    announced.attack_cost = cost;
                }
            }
        }
        if let Some((AttackMode::PsychicCrush, _)) = announced.attack {
            let beside = PsychicCrushDefenseArgs { defense_mode: side.defense_mode };
            if let Some(reason) = referee.call::<PsychicCrushDefense>(beside)?.reason {
                return Ok(Err(reason));
            }
        }
        if let Some(defense_mode) = side.defense_mode {
            let cost = referee.call::<DefenseModeStatistics>(DefenseModeArgs { defense_mode })?.cost_per_segment;
            if cost > side.defense_strength.get() {
                return Ok(Err(Forbidden::InsufficientDefenseStrength));
            }
            announced.defense = Some(Defense { mode: defense_mode, cost });
        }
        if let Some(mode) = side.shared_mode {
            let cost = announced.defense.map_or(0, |own| own.cost);
            announced.defense = Some(Defense { mode, cost });
        }
        Ok(Ok(announced))
    }
}

/// A side with what it announced.
struct Mind<'a> {
    side: &'a Side,
    announced: Announced,
}

impl Mind<'_> {
    /// Psionic strength at the start of the segment.
    fn strength(&self) -> i64 {
        self.side.attack_strength.get() + self.side.defense_strength.get()
    }

    fn after(&self, attack_strength: i64, defense_strength: i64, hp: i64) -> SideAfter {
        let psionic_strength = attack_strength + defense_strength;
        let attack_not_used = self.announced.not_used;
        SideAfter { attack_strength, defense_strength, hp, psionic_strength, attack_not_used }
    }

    /// What the other's attack does to this mind, taken down in `against`, which is new. Its own attack is paid for
    /// already unless a switch has it paid after the losses: costs are committed when they are announced, while tables
    /// count the strengths from the start of the segment.
    fn stand(
        &self,
        attacker: &Mind<'_>,
        options: SegmentOptions,
        against: &mut Against,
        referee: &mut Referee<'_>,
    ) -> Result<SideAfter, RuleError> {
        let attack_left = self.side.attack_strength.get() - self.announced.attack_cost;
        let (defense, hp) = (self.side.defense_strength.get(), self.side.hp.get());
        match (attacker.announced.attack, self.announced.defense) {
            (None, None) => Ok(self.after(attack_left, defense, hp)),
            (None, Some(Defense { cost, .. })) => {
                against.kind = ExchangeKind::ModeOnly;
                (against.defense_mode_cost, against.defense_loss) = (Some(cost), Some(cost));
                Ok(self.after(attack_left, defense - cost, hp))
            }
            (Some((attack_mode, band)), Some(defense)) => {
                meet(attacker, attack_mode, defense, band, options, against, referee)?;
                let loss = Natural::clamped(against.defense_loss.unwrap_or(0));
                let borne =
                    ApplyDefenseLossArgs { defense_strength: self.side.defense_strength, hp: self.side.hp, loss };
                let borne = referee.call::<ApplyDefenseLoss>(borne)?;
                against.hit_point_loss = borne.hit_point_loss;
                Ok(self.after(attack_left, borne.defense_strength, borne.hp))
            }
            (Some((attack_mode, _)), None) => {
                let (at_stake, due) = options.attack_costs.split(self.side.attack_strength.get(), attack_left);
                let struck = self.struck_open(attacker, attack_mode, at_stake, options, referee)?;
                let attack = (struck.attack_strength - due).max(0);
                let after = self.after(attack, struck.defense_strength, struck.hp);
                against.undefended(struck);
                Ok(after)
            }
        }
    }

    fn struck_open(
        &self,
        attacker: &Mind<'_>,
        attack_mode: AttackMode,
        attack_left: i64,
        options: SegmentOptions,
        referee: &mut Referee<'_>,
    ) -> Result<AttackDefenselessOutcome, RuleError> {
        let args = AttackDefenselessArgs {
            attack_strength: Whole::clamped(attacker.side.attack_strength.get()),
            attack_mode,
            defender: Defender {
                attack_strength: Natural::clamped(attack_left),
                defense_strength: self.side.defense_strength,
                hp: self.side.hp,
                powers: self.side.powers.clone(),
                mind_bar: self.side.mind_bar,
                strength_at_start: Some(Natural::clamped(self.strength())),
            },
        };
        let campaign: AttackDefenselessOptions = referee.options::<AttackDefenseless>();
        let mind_bar_against_crush = options.mind_bar_against_crush.unwrap_or(campaign.mind_bar_against_crush);
        referee.call_with::<AttackDefenseless>(args, AttackDefenselessOptions { mind_bar_against_crush })
    }
}

/// The attack on a defended mind, before it is borne.
fn meet(
    attacker: &Mind<'_>,
    attack_mode: AttackMode,
    defense: Defense,
    range_band: RangeBand,
    options: SegmentOptions,
    against: &mut Against,
    referee: &mut Referee<'_>,
) -> Result<(), RuleError> {
    let campaign: AttackDefendedOptions = referee.options::<AttackDefended>();
    let options = AttackDefendedOptions {
        half_rounding: options.half_rounding.unwrap_or(campaign.half_rounding),
        appendix_a_errata: options.appendix_a_errata.unwrap_or(campaign.appendix_a_errata),
    };
    let attacker_psionic_strength = Whole::clamped(attacker.strength());
    let defense_mode = defense.mode;
    let args = AttackDefendedArgs { attacker_psionic_strength, attack_mode, defense_mode, range_band };
    let attack = referee.call_with::<AttackDefended>(args, options)?;
    against.defended(attack);
    against.defense_mode_cost = Some(defense.cost);
    against.defense_loss = against.damage.map(|damage| defense.cost + damage);
    if attack_mode == AttackMode::PsychicCrush {
        let crush = referee.call::<PsychicCrush>(PsychicCrushArgs { percent: attacker.side.crush_percent })?;
        against.crush_resolved = Some(crush.resolved);
        against.roll = crush.roll;
        against.killed = crush.resolved.then_some(crush.killed);
        against.psionics_lost_if_raised = crush.psionics_lost_if_raised;
    }
    Ok(())
}

rule! {
    /// Fights one segment of psionic combat between two minds, all of it in one moment.
    ///
    /// Tables count the strengths from the start of the segment; each attack lands even if its user falls. Costs are
    /// committed when announced and paid whole: what a side cannot pay, it cannot announce. The source prints another
    /// order, losses before payment, which the switch `attack_costs` keeps. A mode out of its range is not used. The dice of `a`'s attack on `b` fall before those of `b`'s on `a`.
    pub struct Segment;
}

impl Rule for Segment {
    const NAME: &'static str = "psionic.segment";
    const SOURCE: &'static [&'static str] =
        &["first-edition PSI-CMB-05", "first-edition PSI-CMB-10", "first-edition PSI-DFL-01"];
    const EXAMPLE: &'static str = r#"{ distance_inches = 5, a = { attack_strength = 60, defense_strength = 60, hp = 40, attack_mode = "ego_whip", defense_mode = "mental_barrier" }, b = { attack_strength = 55, defense_strength = 55, hp = 40, attack_mode = "id_insinuation", defense_mode = "mind_blank" } }"#;
    type Args = SegmentArgs;
    type Options = SegmentOptions;
    type Outcome = SegmentOutcome;

    fn resolve(
        args: SegmentArgs,
        options: SegmentOptions,
        referee: &mut Referee<'_>,
    ) -> Result<SegmentOutcome, RuleError> {
        args.check_ranges()?;
        let announced = (args.announced(&args.a, referee)?, args.announced(&args.b, referee)?);
        let refused =
            |side, reason| Ok(SegmentOutcome { side: Some(side), reason: Some(reason), ..Default::default() });
        let (a, b) = match announced {
            (Err(reason), _) => return refused(SideName::A, reason),
            (_, Err(reason)) => return refused(SideName::B, reason),
            (Ok(a), Ok(b)) => (Mind { side: &args.a, announced: a }, Mind { side: &args.b, announced: b }),
        };
        let any_attack = a.announced.attack.is_some() || b.announced.attack.is_some();
        let mut outcome = SegmentOutcome { allowed: true, any_attack: Some(any_attack), ..Default::default() };
        outcome.b = Some(b.stand(&a, options, outcome.against_b.insert(Against::default()), referee)?);
        outcome.a = Some(a.stand(&b, options, outcome.against_a.insert(Against::default()), referee)?);
        Ok(outcome)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::{outcome, resolved, resolved_in};
    use crate::rules::core::{House, Value};
    use crate::rules::psionic::defenseless::Effect;

    /// A mind with 60 in each pool and 40 hit points, and what else it has.
    fn mind(rest: &str) -> String {
        format!(r#"{{"attack_strength":60,"defense_strength":60,"hp":40{rest}}}"#)
    }

    fn fought(range: &str, a: &str, b: &str, dice: &[i64]) -> SegmentOutcome {
        outcome::<Segment>(&format!(r#"{{{range},"a":{a},"b":{b}}}"#), dice)
    }

    #[test]
    fn each_side_has_its_own_band_at_one_distance() {
        let whip = mind(r#","attack_mode":"ego_whip","defense_mode":"mind_blank""#);
        let insinuation = mind(r#","attack_mode":"id_insinuation","defense_mode":"mind_blank""#);
        // Five inches are medium range for the whip and short range for the insinuation.
        let exchange = fought(r#""distance_inches":5"#, &whip, &insinuation, &[]);
        let (on_b, on_a) = (exchange.against_b.unwrap(), exchange.against_a.unwrap());
        assert_eq!((on_b.short_range_damage, on_b.damage), (Some(30), Some(24)));
        assert_eq!((on_a.short_range_damage, on_a.damage), (Some(11), Some(11)));
    }

    #[test]
    fn an_attack_out_of_its_range_is_not_used_and_costs_nothing() {
        let crush = mind(r#","attack_mode":"psychic_crush","defense_mode":"mind_blank""#);
        let exchange = fought(r#""distance_inches":6"#, &crush, &mind(""), &[]);
        let a = exchange.a.unwrap();
        assert_eq!((a.attack_strength, a.attack_not_used), (60, Some(Forbidden::OutOfRange)));
        assert_eq!(exchange.any_attack, Some(false));
    }

    #[test]
    fn what_a_side_cannot_pay_it_cannot_announce() {
        let poor = r#"{"attack_strength":19,"defense_strength":60,"hp":9,"attack_mode":"psionic_blast"}"#;
        let refused = fought(r#""range_band":"short""#, &mind(""), poor, &[]);
        assert_eq!(refused.reason, Some(Forbidden::InsufficientAttackStrength));
        assert_eq!((refused.allowed, refused.side), (false, Some(SideName::B)));
        let bare = r#"{"attack_strength":60,"defense_strength":9,"hp":9,"defense_mode":"tower_of_iron_will"}"#;
        let refused = fought(r#""range_band":"short""#, bare, &mind(""), &[]);
        assert_eq!(refused.reason, Some(Forbidden::InsufficientDefenseStrength));
    }

    #[test]
    fn a_crush_bares_its_user() {
        let crush = mind(r#","attack_mode":"psychic_crush","defense_mode":"mental_barrier""#);
        let refused = fought(r#""range_band":"short""#, &crush, &mind(""), &[]);
        assert_eq!(refused.reason, Some(Forbidden::CrushLimitsDefense));
    }

    #[test]
    fn a_crush_on_a_defended_mind_needs_the_referees_percentage() {
        let open = mind(r#","attack_mode":"psychic_crush""#);
        let shielded = mind(r#","defense_mode":"thought_shield""#);
        let exchange = fought(r#""range_band":"short""#, &open, &shielded, &[]);
        assert_eq!(exchange.against_b.unwrap().crush_resolved, Some(false));
        let given = mind(r#","attack_mode":"psychic_crush","crush_percent":5"#);
        let exchange = fought(r#""range_band":"short""#, &given, &shielded, &[5]);
        assert_eq!(exchange.against_b.unwrap().killed, Some(true));
    }

    #[test]
    fn the_attack_of_a_falling_mind_still_lands() {
        let blast = mind(r#","attack_mode":"psionic_blast","defense_mode":"mind_blank""#);
        let falling = r#"{"attack_strength":60,"defense_strength":0,"hp":5,"attack_mode":"ego_whip"}"#;
        let exchange = fought(r#""range_band":"short""#, &blast, falling, &[1]);
        assert_eq!(exchange.against_b.unwrap().effect, Some(Effect::Coma));
        assert_eq!(exchange.against_a.unwrap().damage, Some(17));
        assert_eq!(exchange.b.unwrap().attack_strength, 53);
    }

    #[test]
    fn losses_come_before_payment_where_the_printed_order_is_kept() {
        // An open mind of 20 spends all of it on its own blast; what it loses takes those 20 first, or finds them gone.
        let insinuation = r#"{"attack_strength":20,"defense_strength":60,"hp":40,"attack_mode":"id_insinuation","defense_mode":"mind_blank"}"#;
        let open = r#"{"attack_strength":20,"defense_strength":0,"hp":60,"attack_mode":"psionic_blast"}"#;
        let after = |options: &str| {
            let args = format!(r#"{{"range_band":"short","a":{insinuation},"b":{open}{options}}}"#);
            let fought = outcome::<Segment>(&args, &[]);
            (fought.against_b.unwrap().hit_point_loss, fought.b.unwrap())
        };
        let (hurt, paid) = after("");
        let (less, printed) = after(r#","options":{"attack_costs":"after_losses"}"#);
        assert_eq!((paid.attack_strength, printed.attack_strength), (0, 0));
        assert!(hurt > 0 && less == (hurt - 20).max(0), "{hurt} and {less}");
        assert_eq!((paid.hp, printed.hp), (60 - hurt, 60 - less));
    }

    #[test]
    fn a_neighbors_tower_is_met_and_ones_own_mode_is_paid() {
        let blast = mind(r#","attack_mode":"psionic_blast""#);
        let covered = mind(r#","defense_mode":"mind_blank","shared_mode":"tower_of_iron_will""#);
        let on_b = fought(r#""range_band":"short""#, &blast, &covered, &[]).against_b.unwrap();
        assert_eq!((on_b.damage, on_b.defense_mode_cost, on_b.defense_loss), (Some(4), Some(1), Some(5)));
        let bare = mind(r#","shared_mode":"tower_of_iron_will""#);
        assert_eq!(fought(r#""range_band":"short""#, &blast, &bare, &[]).against_b.unwrap().defense_loss, Some(4));
    }

    #[test]
    fn ranges_are_given_once() {
        let whip = mind(r#","attack_mode":"ego_whip""#);
        let fault = |range: &str| {
            let args = format!(r#"{{{range}"a":{whip},"b":{}}}"#, mind(""));
            resolved("psionic.segment", &args, &[]).unwrap_err()
        };
        assert_eq!(fault(r#""distance_inches":3,"range_band":"short","#).field(), Some("range_band"));
        assert_eq!(fault("").field(), Some("range_band"));
    }

    #[test]
    fn a_switch_of_the_campaign_reaches_the_segment() {
        let weak = r#"{"attack_strength":20,"defense_strength":0,"hp":9,"attack_mode":"psionic_blast"}"#;
        let args = |own: &str| {
            let shielded = mind(r#","defense_mode":"thought_shield""#);
            format!(r#"{{"range_band":"long","a":{weak},"b":{shielded}{own}}}"#)
        };
        let mut house = House::new();
        house.set("psionic.attack_defended.half_rounding", Value::from("down"), "a test").unwrap();
        let damage = |args: &str| {
            let value = resolved_in(&house, "psionic.segment", args, &[]).unwrap();
            value.get("against_b").and_then(|against| against.get("damage")).cloned()
        };
        assert_eq!(damage(&args("")), Some(Value::from(3)));
        assert_eq!(damage(&args(r#","options":{"half_rounding":"half_up"}"#)), Some(Value::from(4)));
    }
}
