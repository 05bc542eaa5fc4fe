//! A whole psionic duel: minds of several sides, alone or linked in series, segment by segment and round by round.
//! Source: first-edition PSI-CMB-01 to PSI-CMB-12, PSI-DFL-01 to PSI-DFL-06, PSI-OPS-02 to PSI-OPS-04, PSI-REC-01.

mod choose;
mod exchange;
mod fight;
mod linked;
mod mind;

pub use choose::{
    Announcement, ChooseAttack, ChooseAttackArgs, ChooseAttackOutcome, ChooseDefense, ChooseDefenseArgs,
    ChooseDefenseOutcome, Foe,
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::defenseless::Effect;
use super::names::{Only, reasons};
use super::recovery::Activity;
use super::{AttackMode, DefenseMode, Forbidden, Inches, Label};
use crate::rules::core::{Any, List, Natural, NoOptions, Positive, Referee, Rule, RuleError, Whole};
use fight::Fight;

/// Where a mind stands, in scale inches.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Place {
    /// Along one side of the map.
    pub x: f64,
    /// Along the other.
    pub y: f64,
}

/// When a mind is distracted: from that segment to the end of that round (PSI-CMB-04).
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Distraction {
    /// The round of the duel.
    pub round: Positive,
    /// The segment of that round.
    pub segment: Positive,
}

/// A mind in the duel.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Contender {
    /// Its name, one of its own.
    pub name: Label,
    /// The side it is on; those of one side never attack each other.
    pub side: Label,
    /// Attack strength.
    pub attack_strength: Natural,
    /// Defense strength.
    pub defense_strength: Natural,
    /// Hit points. At 0 or below it is out.
    pub hp: Any,
    /// The most attack strength it can have, for recovery; what it begins with when not given.
    #[serde(default)]
    pub max_attack_strength: Option<Natural>,
    /// The most defense strength it can have, for recovery; what it begins with when not given.
    #[serde(default)]
    pub max_defense_strength: Option<Natural>,
    /// Its attack modes; none when not given.
    #[serde(default)]
    pub attack_modes: List<AttackMode, 0, 5>,
    /// Its defense modes; none when not given.
    #[serde(default)]
    pub defense_modes: List<DefenseMode, 0, 5>,
    /// Its disciplines, which Appendix C may take as it may take a mode.
    #[serde(default)]
    pub disciplines: List<String, 0, 100>,
    /// Whether it has the discipline mind bar.
    #[serde(default)]
    pub mind_bar: bool,
    /// Of its Psychic Crush on a defended mind: the chance of death in percent, which the source leaves out.
    #[serde(default)]
    pub crush_percent: Option<Whole<0, 100>>,
    /// Where it stands. Without it all distances are `distance_inches`.
    #[serde(default)]
    pub place: Option<Place>,
    /// When blows or spells distract it.
    #[serde(default)]
    pub distractions: List<Distraction, 0, 100>,
}

/// What `psionic.duel` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DuelArgs {
    /// The minds, of two sides at least.
    pub minds: List<Contender, 2, 100>,
    /// Linked minds: each a list of two or more names of one side (`psionic.series`).
    #[serde(default)]
    pub series: List<List<String, 2, 100>, 0, 50>,
    /// How far minds are apart that have no place, in scale inches.
    #[serde(default)]
    pub distance_inches: Inches,
    /// After how many rounds it is broken off; 10 when not given.
    #[serde(default = "ten")]
    pub max_rounds: Whole<1, 100>,
    /// After how many segments in all it is broken off, if sooner.
    #[serde(default)]
    pub max_segments: Option<Whole<1, 1_000>>,
    /// How many segments of surprise come first, begun by a side that is not surprised; they are a round of their own
    /// (PSI-CMB-02).
    #[serde(default)]
    pub surprise_segments: Option<Positive>,
    /// What everybody does afterwards to recover: sleeping when not given.
    #[serde(default = "asleep")]
    pub rest: Activity,
    /// Whether to list what happened; by default yes.
    #[serde(default = "crate::rules::core::yes")]
    pub events: bool,
}

fn ten() -> Whole<1, 100> {
    Whole::clamped(10)
}

fn asleep() -> Activity {
    Activity::Sleeping
}

/// What has become of a mind, the worse the later.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// It can go on.
    #[default]
    Standing,
    /// Confused: no psionics, so it is out of the duel.
    Confused,
    /// Dazed.
    Dazed,
    /// Its hit points are gone.
    Down,
    /// In a coma.
    Coma,
    /// A robot of the victor's.
    Robot,
    /// Idiocy.
    Idiocy,
    /// Dead.
    Killed,
}

/// What ended a duel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DuelEnd {
    /// One side alone is left.
    Won,
    /// No side is left.
    NobodyLeft,
    /// Nobody attacks any more.
    NoAttacks,
    /// The rounds or segments ran out.
    BrokenOff,
}

reasons! {
    /// Why an attack that was chosen cannot be made.
    AttackForbidden: RangeNotExtendable, OutOfRange, InsufficientAttackStrength
}

/// An attack and what came of it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct DuelEvent {
    /// The round of the duel.
    pub round: i64,
    /// The segment of the round.
    pub segment: i64,
    /// Who attacked, or meant to.
    pub attacker: Label,
    /// How.
    pub attack_mode: AttackMode,
    /// Whom.
    pub target: Label,
    /// What it met.
    pub defense_mode: Option<DefenseMode>,
    /// The damage that came through to a defense, its own cost apart.
    pub damage: Option<i64>,
    /// The cell of Appendix C, against an open mind.
    pub cell: Option<Label>,
    /// What it came to there.
    pub effect: Option<Effect>,
    /// What has become of the target.
    pub fate: Fate,
    /// Why the attack came to nothing, where the rules forbid it.
    #[schemars(with = "Option<Only<AttackForbidden>>")]
    pub forbidden: Option<Forbidden>,
}

/// A mind after the duel. A series is dissolved: what was passed on is gone.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MindAfter {
    /// Its name.
    pub name: Label,
    /// Its side.
    pub side: Label,
    /// Attack strength left, its own.
    pub attack_strength: i64,
    /// Defense strength left, its own.
    pub defense_strength: i64,
    /// Both together.
    pub psionic_strength: i64,
    /// Hit points left.
    pub hp: i64,
    /// What has become of it.
    pub fate: Fate,
    /// Names of modes and disciplines that it lost for good or for a time.
    pub powers_lost: Vec<String>,
    /// Full hours of rest until both pools are full; nothing for the dead and for those who lost psionics.
    pub recovery_hours: Option<i64>,
}

reasons! {
    /// Why the duel cannot be fought.
    DuelRefused: SeriesMustStartLowest
}

/// How the duel went; only `allowed` and `reason` when a series cannot stand so.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct DuelOutcome {
    /// Whether it could be fought.
    pub allowed: bool,
    /// Why not.
    #[schemars(with = "Option<Only<DuelRefused>>")]
    pub reason: Option<Forbidden>,
    /// What ended it.
    pub result: Option<DuelEnd>,
    /// The side that is left, when one alone is.
    pub winner: Option<Label>,
    /// Rounds fought, a surprise counting as one.
    pub rounds: Option<i64>,
    /// Segments fought in all.
    pub segments: Option<i64>,
    /// The minds, in the order given.
    pub minds: Option<Vec<MindAfter>>,
    /// What happened, in order; nothing when not wanted.
    pub events: Option<Vec<DuelEvent>>,
}

rule! {
    /// Fights a psionic duel to its end: each segment all attacks are announced (`psionic.choose_attack`), then all
    /// defenses chosen (`psionic.choose_defense`), then everything lands in one moment; until one side is left, nobody
    /// attacks any more, or the rounds run out.
    ///
    /// Two minds that fight only each other meet by `psionic.segment`, whose switches count here too; where several
    /// attack one, it pays for its defense once and bears the sum. A series fights through its strongest member with the strength passed on to it;
    /// what a letter does to that member strikes all, and when it falls the others stand alone from the next segment.
    /// Confused minds are out for the duel. Exact odds are for small duels; the sides of large ones are better sampled.
    ///
    /// An attack strikes the mind it is aimed at and no other. Areas are the referee's: who else stands in the square
    /// of an Id Insinuation, friends too, says `psionic.id_insinuation_area`, who else in the cone of a Psionic Blast
    /// `psionic.blast_cone`; each of them stands the attack by `psionic.attack_defended` or
    /// `psionic.attack_defenseless`, one who is not psionic a blast by `psionic.blast_save` and `psionic.blast_effect`.
    /// Whom a neighbor's Intellect Fortress or Tower of Iron Will covers says `psionic.shared_defense`. A Psychic Crush
    /// strikes one mind in any case.
    pub struct Duel;
}

impl Rule for Duel {
    const NAME: &'static str = "psionic.duel";
    const SOURCE: &'static [&'static str] = &[
        "first-edition PSI-CMB-01",
        "first-edition PSI-CMB-05",
        "first-edition PSI-CMB-10",
        "first-edition PSI-CMB-11",
        "first-edition PSI-DFL-01",
        "first-edition PSI-OPS-02",
        "first-edition PSI-OPS-03",
        "first-edition PSI-REC-01",
    ];
    const EXAMPLE: &'static str = r#"{ distance_inches = 5, minds = { { name = "Vey", side = "heroes", attack_strength = 60, defense_strength = 60, hp = 20, attack_modes = { "mind_thrust", "ego_whip" }, defense_modes = { "mind_blank", "mental_barrier" } }, { name = "Ulm", side = "foes", attack_strength = 40, defense_strength = 40, hp = 15, attack_modes = { "id_insinuation" }, defense_modes = { "mind_blank" } } } }"#;
    type Args = DuelArgs;
    type Options = NoOptions;
    type Outcome = DuelOutcome;

    fn resolve(args: DuelArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<DuelOutcome, RuleError> {
        match Fight::prepare(&args, referee)? {
            Err(reason) => Ok(DuelOutcome { reason: Some(reason), ..Default::default() }),
            Ok(fight) => fight.fought(referee),
        }
    }
}

#[cfg(test)]
mod tests;
