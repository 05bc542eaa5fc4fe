//! A mind while a duel runs: its pools and modes, and what has become of it.

use smallvec::SmallVec;

use super::{Contender, Fate};
use crate::rules::core::{List, Natural, Referee, RuleError};
use crate::rules::psionic::series::{SpendStrength, SpendStrengthArgs};
use crate::rules::psionic::{AttackMode, DefenseMode};

/// A mind while the duel runs.
pub(super) struct Mind<'a> {
    pub(super) given: &'a Contender,
    pub(super) attack: i64,
    pub(super) defense: i64,
    pub(super) hp: i64,
    pub(super) attack_modes: SmallVec<[AttackMode; 5]>,
    pub(super) defense_modes: SmallVec<[DefenseMode; 5]>,
    pub(super) fate: Fate,
    pub(super) powers_lost: Vec<String>,
    /// The series it stands in, when it does not lead it.
    pub(super) behind: Option<usize>,
    /// What it received as the last of a series, of attack and defense, and what it had with that.
    pub(super) received: Option<[(i64, i64); 2]>,
}

impl<'a> Mind<'a> {
    pub(super) fn of(given: &'a Contender) -> Self {
        Mind {
            given,
            attack: given.attack_strength.get(),
            defense: given.defense_strength.get(),
            hp: given.hp.get(),
            attack_modes: given.attack_modes.iter().copied().collect(),
            defense_modes: given.defense_modes.iter().copied().collect(),
            fate: if given.hp.get() <= 0 { Fate::Down } else { Fate::Standing },
            powers_lost: Vec::new(),
            behind: None,
            received: None,
        }
    }

    /// Whether it attacks and can be attacked.
    pub(super) fn active(&self) -> bool {
        self.fate == Fate::Standing && self.behind.is_none()
    }

    pub(super) fn strength(&self) -> i64 {
        self.attack + self.defense
    }

    pub(super) fn lose_power(&mut self, power: &str) {
        self.attack_modes.retain(|mode| mode_name(mode) != power);
        self.defense_modes.retain(|mode| mode_name(mode) != power);
        self.powers_lost.push(power.to_owned());
    }

    /// Its powers by name, for Appendix C to pick from.
    pub(super) fn powers(&self) -> List<String> {
        let mut powers: Vec<String> = self.attack_modes.iter().map(mode_name).collect();
        powers.extend(self.defense_modes.iter().map(mode_name));
        powers.extend(self.given.disciplines.iter().filter(|name| !self.powers_lost.contains(name)).cloned());
        List::new(powers).unwrap_or_default()
    }

    /// Takes off what a series had passed on; what was received is spent first (PSI-OPS-04).
    pub(super) fn stand_alone(&mut self, referee: &mut Referee<'_>) -> Result<(), RuleError> {
        let Some(received) = self.received.take() else { return Ok(()) };
        for ((transferred, began_with), pool) in received.into_iter().zip([&mut self.attack, &mut self.defense]) {
            let spent = SpendStrengthArgs {
                transferred: Natural::clamped(transferred),
                own: Natural::clamped(began_with - transferred),
                cost: Natural::clamped(began_with - *pool),
            };
            *pool = referee.call::<SpendStrength>(spent)?.own.unwrap_or(0);
        }
        Ok(())
    }
}

/// A mode's name, as arguments spell it.
pub(super) fn mode_name<M: serde::Serialize>(mode: &M) -> String {
    match crate::rules::core::write(mode) {
        Ok(crate::rules::core::Value::Text(name)) => name.into(),
        _ => String::new(),
    }
}
