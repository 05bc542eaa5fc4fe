//! What hurts a character and what heals it: the way below zero and back (DYING-01 to 11).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::character::Character;
use crate::rules::core::{Any, Natural, Positive, Referee, RuleError};
use crate::rules::dying::{
    Bleed, BleedArgs, Cause, Coma, ComaArgs, ComaFigures, Damage, DamageArgs, Heal, HealArgs, HealSpell, HealSpellArgs,
    Recover, RecoverArgs, Stabilize, StabilizeArgs, Status, Strain, StrainArgs,
};

/// How a character is after something happened to it, and what that was.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Condition {
    /// Hit points.
    pub hp: i64,
    /// Status; nothing before it is known.
    pub status: Option<Status>,
    /// The lowest hit points reached since the last full recovery; nothing when never below zero.
    pub lowest_hp: Option<i64>,
    /// Whether the character is hideously scarred.
    pub scarred: bool,
    /// Hours of coma left.
    pub coma_hours: i64,
    /// The weakness left after a coma, 0 to 24.
    pub weakness: i64,
    /// Whether the character can act.
    pub awake: bool,
    /// What it died of, when damage killed it.
    pub cause: Option<Cause>,
    /// The round in which it bled to death, counted from the first of those that went by.
    pub death_round: Option<i64>,
    /// The rounds of care that were needed, when wounds were bound and the victim lived to see it.
    pub rounds: Option<i64>,
    /// The rounds that went by until the bleeding stopped or the victim died, when wounds were bound.
    pub elapsed: Option<i64>,
    /// Whether it woke from a coma.
    pub woke: bool,
    /// Whether the last of the weakness went.
    pub recovered: bool,
}

/// How wounds are bound.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct BindArgs {
    /// Rounds that go by before somebody begins, 0 or more.
    #[serde(default)]
    pub delay: Natural,
}

/// How much time goes by: rounds or hours.
#[derive(Clone, Debug, Deserialize)]
pub struct PassArgs {
    /// Rounds, 1 or more.
    #[serde(default)]
    pub rounds: Option<Positive>,
    /// Hours, 1 or more.
    #[serde(default)]
    pub hours: Option<Positive>,
}

impl Character {
    fn hp_now(&self) -> Any {
        Any::clamped(self.hp)
    }

    fn lowest_now(&self) -> Option<Any> {
        self.lowest_hp.map(Any::clamped)
    }

    /// Takes over what a rule said of the wounds.
    fn become_at(&mut self, hp: i64, status: Status, lowest_hp: i64, scarred: bool) {
        (self.hp, self.status) = (hp, status);
        self.lowest_hp = (lowest_hp < 0).then_some(lowest_hp);
        self.scarred |= scarred;
        if status == Status::Dead {
            (self.coma_hours, self.weakness, self.rounds_gone) = (0, 0, None);
        }
    }

    /// Rolls the coma of somebody who was below zero and whose bleeding has stopped, unless it lies in one already.
    fn fall_into_coma(&mut self, referee: &mut Referee<'_>) -> Result<(), RuleError> {
        if self.coma_hours == 0 {
            let con_mod = self.con_mod(referee)?;
            self.coma_hours = referee.call::<Coma>(ComaArgs { con_mod })?.hours;
            self.rounds_gone = None;
        }
        Ok(())
    }

    /// How the character is now.
    pub fn condition(&self) -> Condition {
        Condition {
            hp: self.hp,
            status: Some(self.status),
            lowest_hp: self.lowest_hp,
            scarred: self.scarred,
            coma_hours: self.coma_hours,
            weakness: self.weakness,
            awake: self.is_awake(),
            ..Condition::default()
        }
    }

    /// Takes damage (DYING-01, 05, 06): below zero it goes down bleeding, and while it bleeds any damage kills.
    pub fn take_damage(&mut self, damage: Positive, referee: &mut Referee<'_>) -> Result<Condition, RuleError> {
        let (hp, status, lowest_hp) = (self.hp_now(), self.status, self.lowest_now());
        let hurt = referee.call::<Damage>(DamageArgs { hp, status, lowest_hp, damage })?;
        self.become_at(hurt.hp, hurt.status, hurt.lowest_hp, hurt.scarred);
        if hurt.status == Status::Bleeding && status == Status::Ok {
            // Down again: what was left of an earlier coma does not count beside the one to come.
            self.coma_hours = 0;
        }
        self.fallen = hurt.status == Status::Ok && !hurt.conscious;
        Ok(Condition { cause: hurt.cause, ..self.condition() })
    }

    /// Is healed by magic (DYING-04): bleeding stops, and from below zero a coma follows whatever the hit points.
    pub fn heal(&mut self, amount: Positive, referee: &mut Referee<'_>) -> Result<Condition, RuleError> {
        let max_hp = Positive::clamped(self.max_hp);
        let (hp, status, lowest_hp) = (self.hp_now(), self.status, self.lowest_now());
        let healed = referee.call::<Heal>(HealArgs { hp, status, lowest_hp, max_hp, amount })?;
        // A stable victim that woke below zero has had its coma.
        let coma_due = healed.coma_due && status == Status::Bleeding;
        self.become_at(healed.hp, healed.status, healed.lowest_hp, healed.scarred);
        if coma_due {
            self.fall_into_coma(referee)?;
        }
        self.fallen = healed.status == Status::Ok && !healed.conscious;
        Ok(self.condition())
    }

    /// Moves violently: closed wounds below zero open again (DYING-05).
    pub fn strain(&mut self, referee: &mut Referee<'_>) -> Result<Condition, RuleError> {
        let (hp, status, lowest_hp) = (self.hp_now(), self.status, self.lowest_now());
        let strained = referee.call::<Strain>(StrainArgs { hp, status, lowest_hp })?;
        self.become_at(strained.hp, strained.status, strained.lowest_hp, strained.scarred);
        Ok(self.condition())
    }

    /// Somebody binds the wounds (DYING-03), which bleed on meanwhile; a survivor falls into a coma (DYING-08).
    pub fn bind(&mut self, args: BindArgs, referee: &mut Referee<'_>) -> Result<Condition, RuleError> {
        let (hp, status, lowest_hp) = (self.hp_now(), self.status, self.lowest_now());
        let bound = referee.call::<Stabilize>(StabilizeArgs { hp, status, lowest_hp, delay: args.delay })?;
        self.become_at(bound.hp, bound.status, bound.lowest_hp, bound.scarred);
        if bound.status == Status::Stable {
            self.fall_into_coma(referee)?;
        }
        Ok(Condition { rounds: bound.rounds, elapsed: Some(bound.elapsed), ..self.condition() })
    }

    /// Receives a Heal spell, which ends all of it (DYING-11).
    pub fn heal_spell(&mut self, referee: &mut Referee<'_>) -> Result<Condition, RuleError> {
        let args =
            HealSpellArgs { max_hp: Positive::clamped(self.max_hp), status: self.status, hp: Some(self.hp_now()) };
        let healed = referee.call::<HealSpell>(args)?;
        (self.hp, self.status) = (healed.hp, healed.status);
        (self.weakness, self.coma_hours) = (healed.penalty, healed.coma_hours);
        (self.fallen, self.rounds_gone) = (false, None);
        self.lowest_hp = None;
        self.scarred &= !healed.clears_scars;
        Ok(self.condition())
    }

    /// Lets time go by: wounds bleed round by round; a coma runs out and the sleeper wakes weak; the weakness shrinks
    /// hour by hour, whether the time is told in hours or in rounds (DYING-02, 08, 09, 10). For the dead and the hale
    /// nothing happens.
    pub fn pass(&mut self, args: PassArgs, referee: &mut Referee<'_>) -> Result<Condition, RuleError> {
        let an_hour = ComaFigures::of(referee)?.rounds_an_hour.get();
        let rounds = match (args.rounds, args.hours) {
            (Some(rounds), None) => rounds.get(),
            (None, Some(hours)) => hours.get().saturating_mul(an_hour),
            (None, None) => return Err(RuleError::missing("rounds")),
            (Some(_), Some(_)) => {
                return Err(RuleError::invalid("hours", "does not go with rounds: give one of the two"));
            }
        };
        let (mut death_round, mut woke, mut recovered) = (None, false, false);
        if self.status == Status::Bleeding {
            let (hp, status, lowest_hp) = (self.hp_now(), self.status, self.lowest_now());
            let bled = referee.call::<Bleed>(BleedArgs { hp, status, lowest_hp, rounds: Positive::clamped(rounds) })?;
            self.become_at(bled.hp, bled.status, bled.lowest_hp, bled.scarred);
            death_round = bled.death_round;
        }
        if self.coma_hours > 0 || self.weakness > 0 {
            let gone = self.rounds_gone.unwrap_or(0).saturating_add(rounds);
            (woke, recovered) = self.sleep_and_recover(gone / an_hour, referee)?;
            // What does not fill an hour counts towards the next.
            let more = (self.coma_hours > 0 || self.weakness > 0) && gone % an_hour > 0;
            self.rounds_gone = more.then_some(gone % an_hour);
        }
        Ok(Condition { death_round, woke, recovered, ..self.condition() })
    }

    /// Hours of coma, then of recovery; whether the character woke, and whether it recovered.
    fn sleep_and_recover(&mut self, hours: i64, referee: &mut Referee<'_>) -> Result<(bool, bool), RuleError> {
        let asleep = hours.min(self.coma_hours);
        self.coma_hours -= asleep;
        let woke = asleep > 0 && self.coma_hours == 0;
        if woke {
            self.weakness = ComaFigures::of(referee)?.waking_weakness.get();
        }
        let awake = hours - asleep;
        if self.coma_hours > 0 || self.weakness == 0 || awake == 0 {
            return Ok((woke, false));
        }
        let args = RecoverArgs { penalty: Some(Natural::clamped(self.weakness)), hours: Natural::clamped(awake) };
        let recovery = referee.call::<Recover>(args)?;
        self.weakness = recovery.penalty;
        if recovery.recovered && self.hp >= 0 {
            self.lowest_hp = None;
        }
        Ok((woke, recovery.recovered))
    }
}

impl Character {
    /// The state in a few words, for a sheet and for errors.
    pub(super) fn state_in_words(&self) -> String {
        match self.status {
            Status::Dead => "dead".to_owned(),
            Status::Bleeding => "bleeding".to_owned(),
            _ if self.coma_hours == 1 => "in a coma, one hour more".to_owned(),
            _ if self.coma_hours > 0 => format!("in a coma, {} hours more", self.coma_hours),
            _ if self.weakness > 0 && !self.fallen => format!("awake and weak (-{})", self.weakness),
            Status::Stable => "awake, wounds closed".to_owned(),
            Status::Ok if self.fallen => "unconscious".to_owned(),
            Status::Ok => "well".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::character::tests::{halfling, with_dice};
    use super::*;
    use crate::rules::core::{House, Value};

    fn points(n: i64) -> Positive {
        Positive::clamped(n)
    }

    fn hours(n: i64) -> PassArgs {
        PassArgs { rounds: None, hours: Some(points(n)) }
    }

    fn rounds(n: i64) -> PassArgs {
        PassArgs { rounds: Some(points(n)), hours: None }
    }

    /// Lets something happen to the halfling with these dice, in a house without rules of its own.
    fn happens<T>(
        who: &mut Character,
        dice: &[i64],
        run: impl FnOnce(&mut Character, &mut Referee<'_>) -> Result<T, RuleError>,
    ) -> T {
        with_dice(&House::new(), dice, |referee| run(who, referee)).unwrap()
    }

    #[test]
    fn from_the_fall_to_full_strength() {
        let mut tam = halfling();
        let hurt = happens(&mut tam, &[], |tam, referee| tam.take_damage(points(22), referee));
        assert_eq!((hurt.hp, hurt.status, hurt.awake), (-4, Some(Status::Bleeding), false));
        happens(&mut tam, &[], |tam, referee| tam.pass(rounds(2), referee));
        // Two rounds of care from -6; then a coma of seven hours less one for Constitution 13.
        let bound = happens(&mut tam, &[2, 3, 4], |tam, referee| tam.bind(BindArgs::default(), referee));
        assert_eq!((bound.hp, bound.rounds, bound.scarred, bound.coma_hours), (-8, Some(2), true, 6));
        let healed = happens(&mut tam, &[], |tam, referee| tam.heal(points(40), referee));
        assert_eq!((healed.hp, healed.coma_hours, healed.awake), (18, 6, false));
        let woke = happens(&mut tam, &[], |tam, referee| tam.pass(hours(6), referee));
        assert_eq!((woke.woke, woke.weakness, woke.awake), (true, 24, true));
        let well = happens(&mut tam, &[3; 8], |tam, referee| tam.pass(hours(10), referee));
        assert_eq!((well.recovered, well.weakness, well.lowest_hp, well.scarred), (true, 0, None, true));
    }

    #[test]
    fn a_coma_and_a_weakness_run_by_rounds_as_by_hours() {
        let mut tam = halfling();
        happens(&mut tam, &[], |tam, referee| tam.take_damage(points(20), referee));
        happens(&mut tam, &[1, 1, 2], |tam, referee| tam.bind(BindArgs::default(), referee));
        assert_eq!(tam.condition().coma_hours, 2);
        let passed = happens(&mut tam, &[], |tam, referee| tam.pass(rounds(59), referee));
        assert_eq!((passed.coma_hours, passed.woke), (2, false));
        assert_eq!(happens(&mut tam, &[], |tam, referee| tam.pass(rounds(1), referee)).coma_hours, 1);
        let woke = happens(&mut tam, &[], |tam, referee| tam.pass(rounds(90), referee));
        assert_eq!((woke.woke, woke.weakness), (true, 24));
        // Half an hour is gone already.
        assert_eq!(happens(&mut tam, &[3], |tam, referee| tam.pass(rounds(30), referee)).weakness, 21);
    }

    #[test]
    fn at_zero_a_house_may_lay_everybody_low() {
        let mut house = House::new();
        house.set("dying.damage.at_zero", Value::from("unconscious"), "a test").unwrap();
        let with = |who: &mut Character, amount: i64, heals: bool| {
            with_dice(&house, &[], |referee| {
                if heals { who.heal(points(amount), referee) } else { who.take_damage(points(amount), referee) }
            })
            .unwrap()
        };
        let mut tam = halfling();
        assert!(!with(&mut tam, 18, false).awake);
        assert!(!tam.is_awake() && !tam.condition().awake && tam.state_in_words() == "unconscious");
        // The table that it is written to is read back as it was.
        let again = with_dice(&house, &[], |referee| Character::read(&tam.data().unwrap(), referee)).unwrap();
        assert!(!again.is_awake());
        assert!(with(&mut tam, 1, true).awake && tam.is_awake());
    }

    #[test]
    fn whoever_bleeds_for_an_hour_is_dead() {
        let mut tam = halfling();
        happens(&mut tam, &[], |tam, referee| tam.take_damage(points(19), referee));
        let passed = happens(&mut tam, &[], |tam, referee| tam.pass(hours(1), referee));
        assert_eq!((passed.status, passed.death_round), (Some(Status::Dead), Some(10)));
        // The dead wait without harm, and nothing helps them.
        assert_eq!(happens(&mut tam, &[], |tam, referee| tam.pass(hours(1), referee)).hp, -11);
        assert!(with_dice(&House::new(), &[], |referee| tam.heal(points(1), referee)).is_err());
    }

    #[test]
    fn wounds_that_open_again_keep_the_coma_they_had() {
        let mut tam = halfling();
        happens(&mut tam, &[], |tam, referee| tam.take_damage(points(20), referee));
        happens(&mut tam, &[1, 6, 6], |tam, referee| tam.bind(BindArgs::default(), referee));
        let strained = happens(&mut tam, &[], Character::strain);
        assert_eq!((strained.status, strained.coma_hours), (Some(Status::Bleeding), 11));
        let bound = happens(&mut tam, &[1], |tam, referee| tam.bind(BindArgs::default(), referee));
        assert_eq!((bound.status, bound.coma_hours), (Some(Status::Stable), 11));
    }

    #[test]
    fn the_heal_spell_ends_everything() {
        let mut tam = halfling();
        happens(&mut tam, &[], |tam, referee| tam.take_damage(points(27), referee));
        let healed = happens(&mut tam, &[1], Character::heal_spell);
        assert_eq!((healed.hp, healed.scarred, healed.coma_hours, healed.awake), (17, false, 0, true));
    }

    #[test]
    fn a_house_may_stop_a_great_blow_at_minus_ten() {
        let mut house = House::new();
        house.set("dying.damage.overkill", Value::from("bleeding"), "a test").unwrap();
        let mut tam = halfling();
        let hurt = with_dice(&house, &[], |referee| tam.take_damage(points(90), referee)).unwrap();
        assert_eq!((hurt.hp, hurt.status), (-10, Some(Status::Bleeding)));
    }

    #[test]
    fn time_is_given_in_rounds_or_in_hours() {
        let mut tam = halfling();
        for args in [PassArgs { rounds: None, hours: None }, PassArgs { rounds: Some(points(1)), ..hours(1) }] {
            assert!(with_dice(&House::new(), &[], |referee| tam.pass(args, referee)).is_err());
        }
    }
}
