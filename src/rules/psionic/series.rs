//! Psionics who work together: linked minds and series.
//! Source: first-edition PSI-OPS-01 to PSI-OPS-04.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::names::{Forbidden, Only, reasons};
use crate::rules::core::{List, Natural, NoOptions, Positive, Referee, Rule, RuleError, UNBOUNDED, Whole};

// ---- linked minds ----

/// What `psionic.linked_range` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LinkedRangeArgs {
    /// The range that each member would have alone, all in the same unit.
    pub ranges: List<Positive, 1>,
}

/// The range of linked minds.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LinkedRangeOutcome {
    /// How many are linked.
    pub participants: i64,
    /// What share of the shortest range they reach.
    pub percent: i64,
    /// The shortest range.
    pub base: i64,
    /// The common range; a fraction of a unit is kept.
    pub range: f64,
}

rule! {
    /// Stretches the range of a discipline that linked minds share: n of them reach 100 and n times 50 percent of the
    /// shortest member's range. One alone stays at its own.
    pub struct LinkedRange;
}

impl Rule for LinkedRange {
    const NAME: &'static str = "psionic.linked_range";
    const SOURCE: &'static [&'static str] = &["first-edition PSI-OPS-01"];
    const EXAMPLE: &'static str = "{ ranges = { 60, 40, 90 } }";
    type Args = LinkedRangeArgs;
    type Options = NoOptions;
    type Outcome = LinkedRangeOutcome;

    fn resolve(args: LinkedRangeArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<LinkedRangeOutcome, RuleError> {
        let participants = args.ranges.len() as i64;
        let percent = if participants == 1 { 100 } else { 100 + 50 * participants };
        let base = args.ranges.iter().map(|range| range.get()).min().unwrap_or(0);
        Ok(LinkedRangeOutcome { participants, percent, base, range: (base * percent) as f64 / 100.0 })
    }
}

// ---- the strength of a series ----

/// How the members after the weakest stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SeriesOrder {
    /// By rising psionic strength, as in the source's example.
    #[default]
    Ascending,
    /// As they are given.
    Given,
}

/// The switches of a series.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SeriesOptions {
    /// Whether what a member passes on leaves its own pools. The source takes it away when the series is dissolved and
    /// speaks of no return, so it is copied unless this is set.
    pub donor_pays: bool,
    /// How the members after the weakest stand.
    pub order: SeriesOrder,
}

/// A member of a series.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Member {
    /// Its name.
    pub id: String,
    /// Attack strength.
    pub attack_strength: Natural,
    /// Defense strength.
    pub defense_strength: Natural,
}

/// What `psionic.series` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SeriesArgs {
    /// The members, two at least, each with a name of its own.
    pub members: List<Member, 2>,
}

/// What one member passes on.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Link {
    /// Who gives.
    pub from: String,
    /// Who receives.
    pub to: String,
    /// The giver's psionic strength, with what it received.
    pub strength: i64,
    /// Attack strength passed on.
    pub attack_strength: i64,
    /// Defense strength passed on.
    pub defense_strength: i64,
    /// Both together.
    pub transferred: i64,
}

/// The last member, who attacks and is attacked for all.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LastMember {
    /// Its name.
    pub id: String,
    /// Attack strength, with what it received.
    pub attack_strength: i64,
    /// Defense strength, with what it received.
    pub defense_strength: i64,
    /// Both together.
    pub psionic_strength: i64,
    /// How much of it was received; it is spent first and goes when the series is dissolved.
    pub transferred: i64,
}

/// What a giver has left of its own.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Donor {
    /// Its name.
    pub id: String,
    /// Attack strength left.
    pub attack_strength: i64,
    /// Defense strength left.
    pub defense_strength: i64,
}

reasons! {
    /// Why the members cannot stand so.
    SeriesRefused: SeriesMustStartLowest
}

/// The series.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct SeriesOutcome {
    /// Whether the members can stand so.
    pub allowed: bool,
    /// Why not.
    #[schemars(with = "Option<Only<SeriesRefused>>")]
    pub reason: Option<Forbidden>,
    /// The names in the order they stand.
    pub order: Option<Vec<String>>,
    /// What each passes to the next.
    pub links: Option<Vec<Link>>,
    /// The last member.
    #[serde(rename = "final")]
    pub last: Option<LastMember>,
    /// What the givers have left; only where they pay. A pool stops at 0.
    pub donors: Option<Vec<Donor>>,
}

/// A member while the strength runs through the line.
struct Standing {
    id: String,
    attack: i64,
    defense: i64,
}

/// Divides and rounds up.
fn share_up(strength: i64, parts: i64) -> i64 {
    (strength + parts - 1).div_euclid(parts)
}

rule! {
    /// Passes strength along a line of psionics, weakest first: each gives the next a fifth of what it has, own and
    /// received, half to attack and half to defense, every fraction up.
    pub struct Series;
}

impl Rule for Series {
    const NAME: &'static str = "psionic.series";
    const SOURCE: &'static [&'static str] = &["first-edition PSI-OPS-02"];
    const EXAMPLE: &'static str = r#"{ members = { { id = "A", attack_strength = 50, defense_strength = 50 }, { id = "B", attack_strength = 60, defense_strength = 60 } } }"#;
    type Args = SeriesArgs;
    type Options = SeriesOptions;
    type Outcome = SeriesOutcome;

    fn resolve(args: SeriesArgs, options: SeriesOptions, _: &mut Referee<'_>) -> Result<SeriesOutcome, RuleError> {
        let mut line: Vec<Standing> = Vec::with_capacity(args.members.len());
        for (place, Member { id, attack_strength, defense_strength }) in args.members.into_iter().enumerate() {
            if line.iter().any(|member| member.id == id) {
                let message = "is the name of another member; give each its own";
                return Err(RuleError::invalid(&format!("members[{}].id", place + 1), message));
            }
            line.push(Standing { id, attack: attack_strength.get(), defense: defense_strength.get() });
        }
        let strength = |member: &Standing| member.attack + member.defense;
        match options.order {
            SeriesOrder::Ascending => line.sort_by_key(strength),
            SeriesOrder::Given if line.iter().any(|member| strength(member) < strength(&line[0])) => {
                return Ok(SeriesOutcome { reason: Some(Forbidden::SeriesMustStartLowest), ..Default::default() });
            }
            SeriesOrder::Given => {}
        }
        let order = line.iter().map(|member| member.id.clone()).collect();
        let mut links: Vec<Link> = Vec::with_capacity(line.len() - 1);
        let mut donors = Vec::new();
        for giver in 0..line.len() - 1 {
            let whole = strength(&line[giver]);
            // A fifth, rounded up, and its halves rounded up once more: 105 gives 21, which is 11 and 11.
            let half = share_up(share_up(whole, 5), 2);
            donors.push(Donor {
                id: line[giver].id.clone(),
                attack_strength: (line[giver].attack - half).max(0),
                defense_strength: (line[giver].defense - half).max(0),
            });
            line[giver + 1].attack += half;
            line[giver + 1].defense += half;
            links.push(Link {
                from: line[giver].id.clone(),
                to: line[giver + 1].id.clone(),
                strength: whole,
                attack_strength: half,
                defense_strength: half,
                transferred: 2 * half,
            });
        }
        let transferred = links.last().map_or(0, |link| link.transferred);
        let last = line.pop().map(|member| LastMember {
            psionic_strength: member.attack + member.defense,
            id: member.id,
            attack_strength: member.attack,
            defense_strength: member.defense,
            transferred,
        });
        Ok(SeriesOutcome {
            allowed: true,
            reason: None,
            order: Some(order),
            links: Some(links),
            last,
            donors: options.donor_pays.then_some(donors),
        })
    }
}

// ---- standing in a series ----

/// What befalls a member of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SeriesEvent {
    /// It is hurt by a blow or touched by a spell.
    Distracted,
    /// It dies.
    Killed,
    /// It dissolves the series.
    Dissolve,
}

/// What `psionic.series_member` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SeriesMemberArgs {
    /// Where the member stands, from 1, the weakest.
    pub position: Positive,
    /// How many stand in the series.
    pub length: Whole<2, UNBOUNDED>,
    /// What befalls it.
    #[serde(default)]
    pub event: Option<SeriesEvent>,
}

reasons! {
    /// Why the event cannot come from the member.
    NotFromThisMember: OnlyTheLeaderDissolves
}

/// What a member may do.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SeriesMemberOutcome {
    /// Whether the event can come from this member.
    pub allowed: bool,
    /// Why not.
    #[schemars(with = "Option<Only<NotFromThisMember>>")]
    pub reason: Option<Forbidden>,
    /// Whether it attacks and defends psionically for all.
    pub may_attack: bool,
    /// Whether psionic attacks can be aimed at it. What they do to the last member strikes all, except numeric losses.
    pub may_be_attacked: bool,
    /// Whether the series goes on.
    pub series_continues: bool,
    /// Whether it can do anything else.
    pub may_act_otherwise: bool,
    /// Whether the transferred strength is gone.
    pub transferred_removed: bool,
}

rule! {
    /// Says what a member of a series may do, and whether the series outlasts what befalls it.
    ///
    /// Only the last member, its leader, attacks and is attacked, and only it dissolves the series. That its death ends
    /// the series is our reading; earlier members may fall or be distracted without an end to it.
    pub struct SeriesMember;
}

impl Rule for SeriesMember {
    const NAME: &'static str = "psionic.series_member";
    const SOURCE: &'static [&'static str] = &["first-edition PSI-OPS-03"];
    const EXAMPLE: &'static str = r#"{ position = 2, length = 3, event = "distracted" }"#;
    type Args = SeriesMemberArgs;
    type Options = NoOptions;
    type Outcome = SeriesMemberOutcome;

    fn resolve(args: SeriesMemberArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<SeriesMemberOutcome, RuleError> {
        let (position, length) = (args.position.get(), args.length.get());
        if position > length {
            let message = format!("must be from 1 to {length}, the length of the series, not {position}");
            return Err(RuleError::out_of_range("position", message));
        }
        let leads = position == length;
        let dissolves = args.event == Some(SeriesEvent::Dissolve);
        let ends = leads && matches!(args.event, Some(SeriesEvent::Killed | SeriesEvent::Dissolve));
        let forbidden = dissolves && !leads;
        Ok(SeriesMemberOutcome {
            allowed: !forbidden,
            reason: forbidden.then_some(Forbidden::OnlyTheLeaderDissolves),
            may_attack: leads && args.event.is_none(),
            may_be_attacked: leads && !ends,
            series_continues: !ends,
            may_act_otherwise: leads && dissolves,
            transferred_removed: ends,
        })
    }
}

// ---- what is spent first ----

/// What `psionic.spend_strength` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SpendStrengthArgs {
    /// Strength received through a series.
    pub transferred: Natural,
    /// The member's own strength.
    pub own: Natural,
    /// What is spent.
    pub cost: Natural,
}

reasons! {
    /// Why the strength cannot be spent.
    CannotSpend: InsufficientPsionicStrength
}

/// What is left.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct SpendStrengthOutcome {
    /// Whether there was enough.
    pub allowed: bool,
    /// Why not.
    #[schemars(with = "Option<Only<CannotSpend>>")]
    pub reason: Option<Forbidden>,
    /// Transferred strength left.
    pub transferred: Option<i64>,
    /// Own strength left.
    pub own: Option<i64>,
}

rule! {
    /// Spends strength in a series: what was transferred goes first, then one's own (item strength between the two).
    pub struct SpendStrength;
}

impl Rule for SpendStrength {
    const NAME: &'static str = "psionic.spend_strength";
    const SOURCE: &'static [&'static str] = &["first-edition PSI-OPS-04"];
    const EXAMPLE: &'static str = "{ transferred = 32, own = 150, cost = 40 }";
    type Args = SpendStrengthArgs;
    type Options = NoOptions;
    type Outcome = SpendStrengthOutcome;

    fn resolve(args: SpendStrengthArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<SpendStrengthOutcome, RuleError> {
        let (transferred, own, cost) = (args.transferred.get(), args.own.get(), args.cost.get());
        if cost > transferred + own {
            let reason = Some(Forbidden::InsufficientPsionicStrength);
            return Ok(SpendStrengthOutcome { reason, ..Default::default() });
        }
        let first = cost.min(transferred);
        Ok(SpendStrengthOutcome {
            allowed: true,
            reason: None,
            transferred: Some(transferred - first),
            own: Some(own - (cost - first)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::{outcome, resolved};

    #[test]
    fn the_books_series_passes_on_twenty_twenty_eight_and_thirty_two() {
        let args = r#"{"members":[{"id":"D","attack_strength":75,"defense_strength":75},
            {"id":"A","attack_strength":50,"defense_strength":50},{"id":"B","attack_strength":60,"defense_strength":60},
            {"id":"C","attack_strength":65,"defense_strength":65}]}"#;
        let series = outcome::<Series>(args, &[]);
        let passed: Vec<i64> = series.links.unwrap().iter().map(|link| link.transferred).collect();
        assert_eq!(passed, [20, 28, 32]);
        assert_eq!(series.last.unwrap().psionic_strength, 182);
    }

    #[test]
    fn a_series_given_in_order_still_begins_with_the_weakest() {
        let args = r#"{"members":[{"id":"B","attack_strength":60,"defense_strength":60},
            {"id":"A","attack_strength":50,"defense_strength":50}],"options":{"order":"given"}}"#;
        assert_eq!(outcome::<Series>(args, &[]).reason, Some(Forbidden::SeriesMustStartLowest));
    }

    #[test]
    fn three_linked_minds_reach_two_and_a_half_times_as_far() {
        let linked = outcome::<LinkedRange>(r#"{"ranges":[15,15,15]}"#, &[]);
        assert_eq!((linked.percent, linked.range), (250, 37.5));
        assert_eq!(outcome::<LinkedRange>(r#"{"ranges":[15]}"#, &[]).percent, 100);
    }

    #[test]
    fn only_the_leader_dissolves_a_series() {
        let by = |position| {
            let args = format!(r#"{{"position":{position},"length":3,"event":"dissolve"}}"#);
            outcome::<SeriesMember>(&args, &[])
        };
        assert!(by(3).transferred_removed && by(3).may_act_otherwise);
        assert!(!by(2).allowed && by(2).series_continues);
    }

    #[test]
    fn two_members_cannot_share_a_name() {
        let args = r#"{"members":[{"id":"A","attack_strength":1,"defense_strength":1},
            {"id":"A","attack_strength":1,"defense_strength":1}]}"#;
        assert_eq!(resolved("psionic.series", args, &[]).unwrap_err().field(), Some("members[2].id"));
    }
}
