//! Mind against defenseless mind: the results of Appendix C.
//! Source: first-edition PSI-DFL-02 to PSI-DFL-06.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::appendix_c::{COLUMNS, Cell, DEFENSELESS, LETTERS, Letter};
pub use super::exchange::AttackDefenselessOutcome;
use super::names::AttackMode;
use super::present;
use crate::rules::core::{Any, AnyTable, List, Natural, Positive, Referee, Rule, RuleError, Whole, band_of, row_of};

/// What a letter costs a mind with mind bar: so much in all, half of it from each pool first (PSI-DFL-06).
const MIND_BAR_LOSS: i64 = 40;

/// What mind bar does against the percentage of a Psychic Crush.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MindBarAgainstCrush {
    /// Nothing: it turns letters, and a percentage is none.
    #[default]
    NoEffect,
    /// The percentage counts as a letter and costs strength instead.
    AsLetter,
}

/// The switches of an attack on a defenseless mind.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct AttackDefenselessOptions {
    /// What mind bar does against the percentage of a Psychic Crush (PSI-DFL-06).
    pub mind_bar_against_crush: MindBarAgainstCrush,
}

/// A mind without defense.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Defender {
    /// Attack strength left.
    pub attack_strength: Natural,
    /// Defense strength left.
    pub defense_strength: Natural,
    /// Hit points left.
    pub hp: Any,
    /// The names of its attack modes, defense modes and disciplines, one of which may be lost.
    #[serde(default)]
    pub powers: List<String>,
    /// Whether it has the discipline mind bar.
    #[serde(default)]
    pub mind_bar: bool,
    /// Its psionic strength at the start of the segment; attack and defense strength together when absent.
    #[serde(default)]
    pub strength_at_start: Option<Natural>,
}

/// What `psionic.attack_defenseless` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AttackDefenselessArgs {
    /// The attacker's ATTACK strength at the start of the segment, before its own costs.
    pub attack_strength: Positive,
    /// The attack.
    pub attack_mode: AttackMode,
    /// The mind without defense.
    pub defender: Defender,
}

/// What befalls a defenseless mind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Nothing.
    #[default]
    None,
    /// Strength lost, then hit points.
    Loss,
    /// A letter turned by mind bar into a loss of strength.
    MindBarLoss,
    /// Confused: no psionics.
    Confused,
    /// Dazed: neither psionics nor anything else.
    Dazed,
    /// Idiocy until cured, psionics gone for good.
    Idiocy,
    /// Dead; raised, it has no psionics.
    Killed,
    /// One power gone for good, and dazed.
    PermanentLoss,
    /// In a coma.
    Coma,
    /// Controlled by the victor until released or saved.
    Robot,
    /// One power unusable for a time.
    Wounded,
}

impl AttackDefenselessOutcome {
    /// Takes from the pools in order, and what they cannot bear from hit points.
    fn lose(&mut self, loss: i64) {
        let from_defense = loss.min(self.defense_strength);
        let from_attack = (loss - from_defense).min(self.attack_strength);
        self.defense_strength -= from_defense;
        self.attack_strength -= from_attack;
        let rest = loss - from_defense - from_attack;
        self.hp -= rest;
        self.hit_point_loss = Some(rest);
    }

    /// Half from each pool, then whatever strength is left, then hit points.
    fn lose_behind_mind_bar(&mut self) {
        let from_attack = (MIND_BAR_LOSS / 2).min(self.attack_strength);
        let from_defense = (MIND_BAR_LOSS / 2).min(self.defense_strength);
        self.attack_strength -= from_attack;
        self.defense_strength -= from_defense;
        self.effect = Effect::MindBarLoss;
        self.lose(MIND_BAR_LOSS - from_attack - from_defense);
    }

    fn crush(&mut self, percent: i64, referee: &mut Referee<'_>) -> Result<(), RuleError> {
        referee.need(|| format!("{percent} or less on d100 kills"));
        let roll = referee.d(100, "psychic crush")?;
        let killed = roll <= percent;
        self.roll = Some(roll);
        self.killed = Some(killed);
        if killed {
            self.effect = Effect::Killed;
            self.psionics_lost_if_raised = Some(true);
        }
        Ok(())
    }

    fn suffer(&mut self, letter: Letter, powers: &[String], referee: &mut Referee<'_>) -> Result<(), RuleError> {
        let rows = referee.table(&LETTERS);
        let row = row_of(&rows, letter)?;
        self.effect = row.effect;
        self.cured_by.clone_from(&row.cured_by);
        self.mistaken_for_dead_percent = row.mistaken_for_dead_percent.map(Whole::get);
        let struck = matches!(letter, Letter::P | Letter::W).then(|| struck_power(powers, referee)).transpose()?;
        // A permanent loss dazes as D does.
        let lasts = if letter == Letter::P { &row_of(&rows, Letter::D)?.lasts } else { &row.lasts };
        let lasted = lasts.as_ref().map(|lasting| lasting.roll(referee)).transpose()?;
        self.unit = lasts.as_ref().map(|lasting| lasting.unit);
        match letter {
            Letter::P => (self.lost, self.dazed) = (struck.flatten(), lasted),
            Letter::W => (self.unusable, self.duration) = (struck.flatten(), lasted),
            Letter::R => self.save_vs_magic_after = lasted,
            _ => self.duration = lasted,
        }
        if matches!(letter, Letter::C | Letter::D) {
            self.psionic_activity = Some(false);
        }
        if letter == Letter::D {
            self.any_activity = Some(false);
        }
        if letter == Letter::I {
            self.psionics_lost = Some(true);
        }
        if letter == Letter::K {
            self.killed = Some(true);
            self.psionics_lost_if_raised = Some(true);
        }
        Ok(())
    }
}

/// The power that is struck: an even pick over all that are listed; none listed, no die.
fn struck_power(powers: &[String], referee: &mut Referee<'_>) -> Result<Option<String>, RuleError> {
    if powers.is_empty() {
        return Ok(None);
    }
    let roll = referee.d(powers.len() as u32, "power struck")?;
    Ok(Some(powers[roll as usize - 1].clone()))
}

rule! {
    /// Attacks a mind without defense: a number takes strength and then hit points, a percentage may kill, a letter
    /// maims.
    ///
    /// The row is by the attacker's attack strength (not, as against the defended, by psionic strength), the column by
    /// the defender's psionic strength at the start of the segment; below 10 counts as the first column. A mind with
    /// mind bar that had strength at the start loses 40 instead of suffering a letter, and what strength it lacks comes
    /// off hit points at once.
    pub struct AttackDefenseless;
}

impl Rule for AttackDefenseless {
    const NAME: &'static str = "psionic.attack_defenseless";
    const SOURCE: &'static [&'static str] = &[
        "first-edition PSI-DFL-02",
        "first-edition PSI-DFL-03",
        "first-edition PSI-DFL-04",
        "first-edition PSI-DFL-05",
        "first-edition PSI-DFL-06",
    ];
    const EXAMPLE: &'static str = r#"{ attack_strength = 90, attack_mode = "mind_thrust", defender = { attack_strength = 120, defense_strength = 0, hp = 40, powers = { "ego_whip", "empathy" } } }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&DEFENSELESS, &COLUMNS, &LETTERS];
    type Args = AttackDefenselessArgs;
    type Options = AttackDefenselessOptions;
    type Outcome = AttackDefenselessOutcome;

    fn resolve(
        args: AttackDefenselessArgs,
        options: AttackDefenselessOptions,
        referee: &mut Referee<'_>,
    ) -> Result<AttackDefenselessOutcome, RuleError> {
        let AttackDefenselessArgs { attack_strength, attack_mode, defender } = args;
        let (attack, defense) = (defender.attack_strength.get(), defender.defense_strength.get());
        let at_start = defender.strength_at_start.map_or(attack + defense, Natural::get);
        let rows = referee.table(&DEFENSELESS);
        let row = present(band_of(&rows, attack_strength.get()), "the attacker")?;
        let columns = referee.table(&COLUMNS);
        let column = present(band_of(&columns, at_start), "the defender")?;
        let place = columns.iter().position(|band| std::ptr::eq(band, column)).unwrap_or_default();
        let cell = *present(row.cells.of(attack_mode).get(place), "the column")?;
        let mut outcome = AttackDefenselessOutcome {
            row: row.label.of(row),
            column: column.label.of(column),
            cell: cell.label(),
            attack_strength: attack,
            defense_strength: defense,
            hp: defender.hp.get(),
            ..Default::default()
        };
        let barred = defender.mind_bar && at_start > 0;
        match cell {
            Cell::Letter(_) if barred => outcome.lose_behind_mind_bar(),
            Cell::Death(_) if barred && options.mind_bar_against_crush == MindBarAgainstCrush::AsLetter => {
                outcome.lose_behind_mind_bar();
            }
            Cell::Letter(letter) => outcome.suffer(letter, &defender.powers, referee)?,
            Cell::Death(percent) => outcome.crush(percent, referee)?,
            Cell::Loss(loss) => {
                outcome.effect = Effect::Loss;
                outcome.lose(loss);
            }
        }
        Ok(outcome)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::outcome;
    use crate::rules::psionic::TimeUnit;

    fn attack(strength: i64, mode: &str, defender: &str, dice: &[i64]) -> AttackDefenselessOutcome {
        let args = format!(r#"{{"attack_strength":{strength},"attack_mode":"{mode}","defender":{defender}}}"#);
        outcome::<AttackDefenseless>(&args, dice)
    }

    #[test]
    fn a_loss_takes_defense_then_attack_then_hit_points() {
        let hurt = attack(20, "id_insinuation", r#"{"attack_strength":10,"defense_strength":12,"hp":30}"#, &[]);
        assert_eq!((hurt.defense_strength, hurt.attack_strength, hurt.hp), (0, 0, 12));
        assert_eq!(hurt.hit_point_loss, Some(18));
    }

    #[test]
    fn a_hundred_belongs_to_the_fourth_row() {
        let defender = r#"{"attack_strength":200,"defense_strength":0,"hp":30}"#;
        assert_eq!(attack(100, "ego_whip", defender, &[]).row, "76-100");
        assert_eq!(attack(101, "ego_whip", defender, &[]).row, "101-125");
    }

    #[test]
    fn a_permanent_loss_picks_a_power_and_dazes() {
        let defender = r#"{"attack_strength":40,"defense_strength":0,"hp":30,"powers":["ego_whip","esp"]}"#;
        let hurt = attack(90, "mind_thrust", defender, &[2, 4]);
        assert_eq!((hurt.lost.as_deref(), hurt.dazed, hurt.unit), (Some("esp"), Some(4), Some(TimeUnit::Turns)));
    }

    #[test]
    fn mind_bar_turns_a_letter_into_forty_points() {
        let barred = r#"{"attack_strength":25,"defense_strength":5,"hp":50,"mind_bar":true}"#;
        let hurt = attack(130, "mind_thrust", barred, &[]);
        assert_eq!((hurt.effect, hurt.hp), (Effect::MindBarLoss, 40));
    }

    #[test]
    fn mind_bar_stops_a_crush_only_by_a_switch() {
        let barred = r#""defender":{"attack_strength":50,"defense_strength":0,"hp":50,"mind_bar":true}"#;
        let args = format!(r#"{{"attack_strength":20,"attack_mode":"psychic_crush",{barred}}}"#);
        assert_eq!(outcome::<AttackDefenseless>(&args, &[72]).killed, Some(true));
        let args = format!(
            r#"{{"attack_strength":20,"attack_mode":"psychic_crush",{barred},
                "options":{{"mind_bar_against_crush":"as_letter"}}}}"#
        );
        let turned = outcome::<AttackDefenseless>(&args, &[]);
        assert_eq!((turned.effect, turned.attack_strength), (Effect::MindBarLoss, 10));
    }
}
