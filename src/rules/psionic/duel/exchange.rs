//! What lands in a segment of a duel: two minds that have only each other to do with, or several on one.

use smallvec::SmallVec;

use super::Fate;
use super::mind::Mind;
use crate::rules::core::{Any, List, Natural, Referee, RuleError, Whole};
use crate::rules::psionic::defended::{
    ApplyDefenseLoss, ApplyDefenseLossArgs, AttackDefended, AttackDefendedArgs, PsychicCrush, PsychicCrushArgs,
};
use crate::rules::psionic::defenseless::{
    AttackDefenseless, AttackDefenselessArgs, AttackDefenselessOutcome, Defender, Effect,
};
use crate::rules::psionic::exchange::Against;
use crate::rules::psionic::modes::{DefenseModeArgs, DefenseModeStatistics, no_bought_range};
use crate::rules::psionic::segment::{Segment, SegmentArgs, Side, SideAfter};
use crate::rules::psionic::{AttackMode, DefenseMode, Inches, Label, RangeBand};

/// An attack that was announced and can be carried out.
pub(super) struct Attack {
    pub(super) by: usize,
    pub(super) on: usize,
    pub(super) mode: AttackMode,
    pub(super) band: RangeBand,
    pub(super) cost: i64,
    pub(super) distance: Inches,
    pub(super) range_multiplier: Whole<1, 3>,
}

/// A mind after the segment, with the blows it took: which attack, and what it did.
pub(super) struct After {
    pub(super) mind: usize,
    pub(super) attack: i64,
    pub(super) defense: i64,
    pub(super) hp: i64,
    pub(super) blows: SmallVec<[(usize, Blow); 1]>,
}

/// What a duel remembers of a blow.
#[derive(Default)]
pub(super) struct Blow {
    pub(super) damage: Option<i64>,
    pub(super) cell: Option<Label>,
    pub(super) effect: Option<Effect>,
    pub(super) killed: Option<bool>,
    pub(super) lost: Option<String>,
    pub(super) unusable: Option<String>,
}

impl Blow {
    /// Takes over what it tells of the rest, which is far larger.
    fn told(against: &mut Against) -> Self {
        let &mut Against { damage, ref mut cell, effect, killed, ref mut lost, ref mut unusable, .. } = against;
        Blow { damage, cell: cell.take(), effect, killed, lost: lost.take(), unusable: unusable.take() }
    }
}

impl From<AttackDefenselessOutcome> for Blow {
    fn from(attack: AttackDefenselessOutcome) -> Self {
        let AttackDefenselessOutcome { cell, effect, killed, lost, unusable, .. } = attack;
        Blow { damage: None, cell: Some(cell), effect: Some(effect), killed, lost, unusable }
    }
}

impl Fate {
    /// What an effect of Appendix C makes of a mind.
    pub(super) fn of(effect: Effect) -> Self {
        match effect {
            Effect::None | Effect::Loss | Effect::MindBarLoss | Effect::Wounded => Fate::Standing,
            Effect::Confused => Fate::Confused,
            // A power lost for good dazes as well.
            Effect::Dazed | Effect::PermanentLoss => Fate::Dazed,
            Effect::Idiocy => Fate::Idiocy,
            Effect::Killed => Fate::Killed,
            Effect::Coma => Fate::Coma,
            Effect::Robot => Fate::Robot,
        }
    }
}

/// Everything that was announced for a segment.
pub(super) struct Meeting<'a> {
    pub(super) minds: &'a [Mind<'a>],
    pub(super) attacks: &'a [Attack],
    pub(super) defenses: &'a [Option<DefenseMode>],
}

impl Meeting<'_> {
    /// What becomes of every mind that has to do with it, all of it reckoned from the start of the segment.
    pub(super) fn resolved(&self, after: &mut Vec<After>, referee: &mut Referee<'_>) -> Result<(), RuleError> {
        after.clear();
        let mut done: SmallVec<[bool; 8]> = SmallVec::from_elem(false, self.minds.len());
        for mind in 0..self.minds.len() {
            if done[mind] {
                continue;
            }
            if let Some(other) = self.only_opponent(mind) {
                done[other] = true;
                after.extend(self.pair(mind, other, referee)?);
            } else if self.defenses[mind].is_some() || self.attacks.iter().any(|a| a.by == mind || a.on == mind) {
                after.push(self.stand(mind, referee)?);
            }
        }
        Ok(())
    }

    /// The one mind that this one has to do with, when that has to do with nobody else.
    fn only_opponent(&self, mind: usize) -> Option<usize> {
        let mut others = self.attacks.iter().filter_map(|attack| match (attack.by, attack.on) {
            (by, on) if by == mind => Some(on),
            (by, on) if on == mind => Some(by),
            _ => None,
        });
        let other = others.next()?;
        let touches = |attack: &Attack, one: usize| attack.by == one || attack.on == one;
        let elsewhere = |attack: &Attack| touches(attack, other) && !touches(attack, mind);
        (others.all(|next| next == other) && !self.attacks.iter().any(elsewhere)).then_some(other)
    }

    fn side(&self, mind: usize) -> Side {
        let one = &self.minds[mind];
        let attack = self.attacks.iter().find(|attack| attack.by == mind);
        let defense_mode = self.defenses[mind];
        Side {
            attack_strength: Natural::clamped(one.attack),
            defense_strength: Natural::clamped(one.defense),
            hp: Any::clamped(one.hp),
            attack_mode: attack.map(|attack| attack.mode),
            range_multiplier: attack.map_or_else(no_bought_range, |attack| attack.range_multiplier),
            range_band: None,
            defense_mode,
            shared_mode: None,
            // Only an open mind can lose a power.
            powers: if defense_mode.is_none() { one.powers() } else { List::default() },
            mind_bar: one.given.mind_bar,
            crush_percent: one.given.crush_percent,
        }
    }

    /// Two minds against each other, by the rule for that.
    fn pair(&self, a: usize, b: usize, referee: &mut Referee<'_>) -> Result<[After; 2], RuleError> {
        let distance =
            self.attacks.iter().find(|attack| attack.by == a || attack.on == a).map(|attack| attack.distance);
        let args = SegmentArgs { a: self.side(a), b: self.side(b), distance_inches: distance, range_band: None };
        let mut fought = referee.call::<Segment>(args)?;
        let after = |mind: usize, now: Option<SideAfter>, against: &mut Option<Against>| {
            let one = &self.minds[mind];
            let (attack, defense, hp) = now
                .map_or((one.attack, one.defense, one.hp), |now| (now.attack_strength, now.defense_strength, now.hp));
            let coming = self.attacks.iter().position(|attack| attack.on == mind);
            let blow = coming.zip(against.as_mut()).map(|(place, against)| (place, Blow::told(against)));
            After { mind, attack, defense, hp, blows: blow.into_iter().collect() }
        };
        Ok([after(a, fought.a, &mut fought.against_a), after(b, fought.b, &mut fought.against_b)])
    }

    /// A mind that several attack, or none: it pays for its defense once and bears the sum.
    pub(super) fn stand(&self, mind: usize, referee: &mut Referee<'_>) -> Result<After, RuleError> {
        let one = &self.minds[mind];
        let spent: i64 = self.attacks.iter().filter(|attack| attack.by == mind).map(|attack| attack.cost).sum();
        let costs = referee.options::<Segment>().attack_costs;
        let open = self.defenses[mind].is_none();
        // Only an open mind loses attack strength to a blow.
        let (attack, due) = if open { costs.split(one.attack, one.attack - spent) } else { (one.attack - spent, 0) };
        let mut after = After { mind, attack, defense: one.defense, hp: one.hp, blows: SmallVec::new() };
        let coming = self.attacks.iter().enumerate().filter(|(_, attack)| attack.on == mind);
        let Some(defense_mode) = self.defenses[mind] else {
            for (place, attack) in coming {
                let blow = self.strike_open(attack, &mut after, referee)?;
                after.blows.push((place, blow));
            }
            after.attack = (after.attack - due).max(0);
            return Ok(after);
        };
        let mut loss = referee.call::<DefenseModeStatistics>(DefenseModeArgs { defense_mode })?.cost_per_segment;
        for (place, attack) in coming {
            let blow = self.strike_defended(attack, defense_mode, referee)?;
            loss += blow.damage.unwrap_or(0);
            after.blows.push((place, blow));
        }
        let borne = referee.call::<ApplyDefenseLoss>(ApplyDefenseLossArgs {
            defense_strength: Natural::clamped(one.defense),
            hp: Any::clamped(one.hp),
            loss: Natural::clamped(loss),
        })?;
        (after.defense, after.hp) = (borne.defense_strength, borne.hp);
        Ok(after)
    }

    fn strike_open(&self, attack: &Attack, after: &mut After, referee: &mut Referee<'_>) -> Result<Blow, RuleError> {
        let struck = &self.minds[attack.on];
        let args = AttackDefenselessArgs {
            attack_strength: Whole::clamped(self.minds[attack.by].attack),
            attack_mode: attack.mode,
            defender: Defender {
                attack_strength: Natural::clamped(after.attack),
                defense_strength: Natural::clamped(after.defense),
                hp: Any::clamped(after.hp),
                powers: struck.powers(),
                mind_bar: struck.given.mind_bar,
                strength_at_start: Some(Natural::clamped(struck.strength())),
            },
        };
        let struck = referee.call::<AttackDefenseless>(args)?;
        (after.attack, after.defense, after.hp) = (struck.attack_strength, struck.defense_strength, struck.hp);
        Ok(Blow::from(struck))
    }

    fn strike_defended(
        &self,
        attack: &Attack,
        defense_mode: DefenseMode,
        referee: &mut Referee<'_>,
    ) -> Result<Blow, RuleError> {
        let attacker = &self.minds[attack.by];
        let struck = referee.call::<AttackDefended>(AttackDefendedArgs {
            attacker_psionic_strength: Whole::clamped(attacker.strength()),
            attack_mode: attack.mode,
            defense_mode,
            range_band: attack.band,
        })?;
        let mut blow = Blow { damage: struck.damage, ..Blow::default() };
        if attack.mode == AttackMode::PsychicCrush {
            let crush = referee.call::<PsychicCrush>(PsychicCrushArgs { percent: attacker.given.crush_percent })?;
            blow.killed = crush.resolved.then_some(crush.killed);
        }
        Ok(blow)
    }
}
