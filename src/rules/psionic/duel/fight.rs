//! The course of a duel: who stands, what each segment brings, when it is over.

use smallvec::SmallVec;

use super::exchange::{After, Attack, Blow, Meeting};
use super::mind::{Mind, mode_name};
use super::{
    Announcement, ChooseAttack, ChooseAttackArgs, ChooseDefense, ChooseDefenseArgs, DuelArgs, DuelEnd, DuelEvent,
    DuelOutcome, Fate, Foe, MindAfter,
};
use crate::rules::core::{List, Natural, Positive, Referee, RuleError, Whole};
use crate::rules::psionic::conduct::{
    CombatEnds, CombatEndsArgs, CombatSegments, CombatSegmentsArgs, Conduct, MayAct, MayActArgs, PsychicCrushDefense,
    PsychicCrushDefenseArgs,
};
use crate::rules::psionic::modes::{DefenseModeArgs, DefenseModeStatistics};
use crate::rules::psionic::ranges::{AttackRange, AttackRangeArgs, Reach};
use crate::rules::psionic::recovery::hours_to_regain;
use crate::rules::psionic::{AttackMode, DefenseMode, Forbidden, Inches};

/// A duel while it runs.
pub(super) struct Fight<'a> {
    args: &'a DuelArgs,
    pub(super) minds: Vec<Mind<'a>>,
    /// The minds of each series in the order they stand, the leader last.
    pub(super) series: Vec<Vec<usize>>,
    round: i64,
    segments: i64,
    events: Vec<DuelEvent>,
    /// What the last segment brought; kept for its room.
    after: Vec<After>,
}

impl<'a> Fight<'a> {
    /// Checks the arguments and links the series.
    pub(super) fn prepare(args: &'a DuelArgs, referee: &mut Referee<'_>) -> Result<Result<Self, Forbidden>, RuleError> {
        for (place, mind) in args.minds.iter().enumerate() {
            if args.minds[..place].iter().any(|other| other.name == mind.name) {
                let message = "is the name of another mind; give each its own";
                return Err(RuleError::invalid(&format!("minds[{}].name", place + 1), message));
            }
        }
        if args.minds.iter().all(|mind| mind.side == args.minds[0].side) {
            return Err(RuleError::invalid("minds", "are all on one side; a duel needs two sides at least"));
        }
        let minds = args.minds.iter().map(Mind::of).collect();
        let mut fight =
            Fight { args, minds, series: Vec::new(), round: 0, segments: 0, events: Vec::new(), after: Vec::new() };
        for (place, names) in args.series.iter().enumerate() {
            if let Some(reason) = fight.link(names, place, referee)? {
                return Ok(Err(reason));
            }
        }
        Ok(Ok(fight))
    }

    /// How far two minds are apart.
    fn distance(&self, one: usize, other: usize) -> Inches {
        match (self.minds[one].given.place, self.minds[other].given.place) {
            (Some(a), Some(b)) => Inches::clamped((a.x - b.x).hypot(a.y - b.y)),
            _ => self.args.distance_inches,
        }
    }

    // ---- the course ----

    /// Fights it to its end.
    pub(super) fn fought(mut self, referee: &mut Referee<'_>) -> Result<DuelOutcome, RuleError> {
        let mut end = self.side_left();
        while end.is_none() {
            let in_surprise = self.round == 0 && self.args.surprise_segments.is_some();
            let when = CombatSegmentsArgs {
                in_surprise,
                surprise_segments: self.args.surprise_segments,
                initiator_side_surprised: false,
            };
            let segments = referee.call::<CombatSegments>(when)?.segments;
            self.round += 1;
            end = self.round_of(segments, referee)?;
            if end.is_none() && self.round >= self.args.max_rounds.get() {
                end = Some(DuelEnd::BrokenOff);
            }
        }
        self.outcome(end, referee)
    }

    /// Fights a round; nothing when the duel goes on.
    fn round_of(&mut self, segments: i64, referee: &mut Referee<'_>) -> Result<Option<DuelEnd>, RuleError> {
        for segment in 1..=segments {
            let any_attack = self.segment(segment, referee)?;
            if let Some(end) = self.side_left() {
                return Ok(Some(end));
            }
            if self.args.max_segments.is_some_and(|most| self.segments >= most.get()) {
                return Ok(Some(DuelEnd::BrokenOff));
            }
            let so_far = CombatEndsArgs { segment: Whole::clamped(segment), any_attack };
            if referee.call::<CombatEnds>(so_far)?.ends {
                // Who is only distracted attacks again in the next round.
                let resumes = any_attack || (0..self.minds.len()).any(|mind| self.distracted(mind, segment));
                return Ok((!resumes).then_some(DuelEnd::NoAttacks));
            }
        }
        Ok(None)
    }

    /// Whether the duel is decided.
    fn side_left(&self) -> Option<DuelEnd> {
        let mut sides = self.minds.iter().filter(|mind| mind.active()).map(|mind| &mind.given.side);
        match sides.next() {
            None => Some(DuelEnd::NobodyLeft),
            Some(first) => sides.all(|side| side == first).then_some(DuelEnd::Won),
        }
    }

    fn distracted(&self, mind: usize, segment: i64) -> bool {
        let from = |when: &super::Distraction| when.round.get() == self.round && when.segment.get() <= segment;
        self.minds[mind].active() && self.minds[mind].given.distractions.iter().any(from)
    }

    /// Fights a segment, and says whether anybody attacked in it.
    fn segment(&mut self, segment: i64, referee: &mut Referee<'_>) -> Result<bool, RuleError> {
        self.segments += 1;
        let mut attacks: SmallVec<[Attack; 4]> = SmallVec::new();
        for mind in 0..self.minds.len() {
            if self.minds[mind].active() && !self.minds[mind].attack_modes.is_empty() {
                attacks.extend(self.announced(mind, segment, referee)?);
            }
        }
        let mut defenses: SmallVec<[Option<DefenseMode>; 4]> = SmallVec::from_elem(None, self.minds.len());
        for (mind, defense) in defenses.iter_mut().enumerate() {
            if self.minds[mind].active() && !self.minds[mind].defense_modes.is_empty() {
                *defense = self.defense_of(mind, &attacks, referee)?;
            }
        }
        let meeting = Meeting { minds: &self.minds, attacks: &attacks, defenses: &defenses };
        let mut after = std::mem::take(&mut self.after);
        meeting.resolved(&mut after, referee)?;
        self.bear(&after, &attacks, &defenses, segment, referee)?;
        self.after = after;
        Ok(!attacks.is_empty())
    }

    /// The attack a mind announces, when it can be carried out.
    fn announced(&mut self, mind: usize, segment: i64, referee: &mut Referee<'_>) -> Result<Option<Attack>, RuleError> {
        let me = &self.minds[mind];
        let seen = |foe: usize| Foe {
            name: self.minds[foe].given.name.clone(),
            attack_strength: Natural::clamped(self.minds[foe].attack),
            defense_strength: Natural::clamped(self.minds[foe].defense),
            distance_inches: self.distance(mind, foe),
        };
        let foes: Vec<Foe> = (0..self.minds.len())
            .filter(|&foe| self.minds[foe].active() && self.minds[foe].given.side != me.given.side)
            .map(seen)
            .collect();
        let doing = MayActArgs::attacking(self.distracted(mind, segment));
        if foes.is_empty() || referee.call::<MayAct>(doing)?.reason == Some(Conduct::Distracted) {
            return Ok(None);
        }
        let chosen = referee.call::<ChooseAttack>(ChooseAttackArgs {
            mind: me.given.name.clone(),
            attack_strength: Natural::clamped(me.attack),
            defense_strength: Natural::clamped(me.defense),
            attack_modes: List::new(me.attack_modes.to_vec()).unwrap_or_default(),
            crush_percent: me.given.crush_percent,
            foes: List::new(foes).unwrap_or_default(),
            round: Positive::clamped(self.round),
            segment: Positive::clamped(segment),
        })?;
        let Some(mode) = chosen.attack_mode else { return Ok(None) };
        let foe = |one: &Mind<'_>| one.active() && one.given.side != me.given.side;
        let named = self.minds.iter().position(|one| foe(one) && Some(&one.given.name) == chosen.target.as_ref());
        let target = named.ok_or_else(|| {
            let known: Vec<&str> = self.minds.iter().filter(|one| foe(one)).map(|one| &*one.given.name).collect();
            RuleError::unknown_among("target", "foe", chosen.target.as_deref().unwrap_or("(none)"), &known)
        })?;
        if !me.attack_modes.contains(&mode) {
            let message = format!("{} does not have the mode {}; choose one it has", me.given.name, mode_name(&mode));
            return Err(RuleError::invalid("attack_mode", message));
        }
        let distance = self.distance(mind, target);
        let range_multiplier = chosen.range_multiplier;
        let range = referee.call::<AttackRange>(AttackRangeArgs { attack_mode: mode, distance, range_multiplier })?;
        let cost = range.cost.unwrap_or(0);
        let forbidden = match (range.reason, range.range_band.and_then(Reach::band)) {
            (Some(reason), _) => reason,
            (None, None) => Forbidden::OutOfRange,
            (None, Some(_)) if cost > me.attack => Forbidden::InsufficientAttackStrength,
            (None, Some(band)) => {
                return Ok(Some(Attack { by: mind, on: target, mode, band, cost, distance, range_multiplier }));
            }
        };
        if self.args.events {
            self.events.push(DuelEvent {
                forbidden: Some(forbidden),
                ..self.event(segment, mind, target, mode, None, &Blow::default())
            });
        }
        Ok(None)
    }

    /// The defense a mind chooses, when it can be taken.
    fn defense_of(
        &self,
        mind: usize,
        attacks: &[Attack],
        referee: &mut Referee<'_>,
    ) -> Result<Option<DefenseMode>, RuleError> {
        let me = &self.minds[mind];
        let coming = attacks.iter().filter(|attack| attack.on == mind).map(|attack| Announcement {
            attack_mode: attack.mode,
            psionic_strength: Natural::clamped(self.minds[attack.by].strength()),
            range_band: attack.band,
        });
        let own = attacks.iter().find(|attack| attack.by == mind).map(|attack| attack.mode);
        let chosen = referee.call::<ChooseDefense>(ChooseDefenseArgs {
            mind: me.given.name.clone(),
            defense_strength: Natural::clamped(me.defense),
            defense_modes: List::new(me.defense_modes.to_vec()).unwrap_or_default(),
            attack_mode: own,
            attacks: List::new(coming.collect()).unwrap_or_default(),
        })?;
        let Some(defense_mode) = chosen.defense_mode else { return Ok(None) };
        if !me.defense_modes.contains(&defense_mode) {
            let name = mode_name(&defense_mode);
            let message = format!("{} does not have the mode {name}; choose one it has", me.given.name);
            return Err(RuleError::invalid("defense_mode", message));
        }
        let cost = referee.call::<DefenseModeStatistics>(DefenseModeArgs { defense_mode })?.cost_per_segment;
        let beside = PsychicCrushDefenseArgs { defense_mode: Some(defense_mode) };
        let allowed = cost <= me.defense
            && (own != Some(AttackMode::PsychicCrush) || referee.call::<PsychicCrushDefense>(beside)?.allowed);
        Ok(allowed.then_some(defense_mode))
    }

    // ---- what comes of it ----

    fn event(
        &self,
        segment: i64,
        by: usize,
        on: usize,
        attack_mode: AttackMode,
        defense_mode: Option<DefenseMode>,
        blow: &Blow,
    ) -> DuelEvent {
        DuelEvent {
            round: self.round,
            segment,
            attacker: self.minds[by].given.name.clone(),
            attack_mode,
            target: self.minds[on].given.name.clone(),
            defense_mode,
            damage: blow.damage,
            cell: blow.cell.clone(),
            effect: blow.effect,
            fate: self.minds[on].fate,
            forbidden: None,
        }
    }

    /// Everything lands at once: pools first, then what befalls the minds, then what that does to the series.
    fn bear(
        &mut self,
        after: &[After],
        attacks: &[Attack],
        defenses: &[Option<DefenseMode>],
        segment: i64,
        referee: &mut Referee<'_>,
    ) -> Result<(), RuleError> {
        for now in after {
            let mind = &mut self.minds[now.mind];
            (mind.attack, mind.defense, mind.hp) = (now.attack, now.defense, now.hp);
            if mind.hp <= 0 && mind.fate == Fate::Standing {
                mind.fate = Fate::Down;
            }
            for (_, blow) in &now.blows {
                self.suffer(now.mind, blow);
            }
        }
        if self.args.events {
            for now in after {
                for (attack, blow) in &now.blows {
                    let attack = &attacks[*attack];
                    let event = self.event(segment, attack.by, attack.on, attack.mode, defenses[attack.on], blow);
                    self.events.push(event);
                }
            }
        }
        for series in 0..self.series.len() {
            self.leader_fell(series, referee)?;
        }
        Ok(())
    }

    /// What a blow does beyond the pools. A letter strikes a whole series (PSI-OPS-03).
    fn suffer(&mut self, struck: usize, blow: &Blow) {
        let fate = match blow.effect {
            _ if blow.killed == Some(true) => Fate::Killed,
            Some(effect) => Fate::of(effect),
            None => Fate::Standing,
        };
        let leads = self.minds[struck].received.is_some();
        let line = self.series.iter().find(|line| leads && line.last() == Some(&struck));
        for &mind in line.map_or(&[struck][..], Vec::as_slice) {
            let mind = &mut self.minds[mind];
            if fate > mind.fate {
                mind.fate = fate;
            }
            for power in blow.lost.iter().chain(&blow.unusable) {
                mind.lose_power(power);
            }
        }
    }

    fn outcome(mut self, end: Option<DuelEnd>, referee: &mut Referee<'_>) -> Result<DuelOutcome, RuleError> {
        let left = self.minds.iter().find(|mind| mind.active()).map(|mind| mind.given.side.clone());
        let mut minds = Vec::with_capacity(self.minds.len());
        for mind in &mut self.minds {
            mind.stand_alone(referee)?;
            let given = mind.given;
            let most = |most: Option<Natural>, began: Natural| most.unwrap_or(began).get().max(began.get());
            let missing = [
                most(given.max_attack_strength, given.attack_strength) - mind.attack,
                most(given.max_defense_strength, given.defense_strength) - mind.defense,
            ];
            let gone = matches!(mind.fate, Fate::Killed | Fate::Idiocy);
            minds.push(MindAfter {
                name: given.name.clone(),
                side: given.side.clone(),
                attack_strength: mind.attack,
                defense_strength: mind.defense,
                psionic_strength: mind.strength(),
                hp: mind.hp,
                fate: mind.fate,
                powers_lost: std::mem::take(&mut mind.powers_lost),
                recovery_hours: if gone { None } else { hours_to_regain(missing, self.args.rest, referee)? },
            });
        }
        Ok(DuelOutcome {
            allowed: true,
            reason: None,
            result: end,
            winner: left.filter(|_| end == Some(DuelEnd::Won)),
            rounds: Some(self.round),
            segments: Some(self.segments),
            minds: Some(minds),
            events: self.args.events.then_some(self.events),
        })
    }
}
