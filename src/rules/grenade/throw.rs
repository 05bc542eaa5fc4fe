//! The throw, and where a miss lands (GRE-01).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rules::attack::{self, TableRolls};
use crate::rules::core::{AnyTable, Keyed, Modifier, Referee, Rule, RuleError, Table, Whole, one_row_each, row_of};

/// The side of a square of the diagram, in feet.
const SQUARE: i64 = 10;

/// Where a roll of the d10 lands, in squares from the target.
#[derive(Serialize, Deserialize)]
struct ScatterRow {
    roll: Whole<1, 10>,
    right: Whole<-100, 100>,
    away: Whole<-100, 100>,
}

impl Keyed for ScatterRow {
    type Key = i64;
    const KEYS: &'static [i64] = &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
    fn key(&self) -> i64 {
        self.roll.get()
    }
}

static SCATTER: Table<ScatterRow> = Table::new("scatter", include_str!("../data/scatter.json"), one_row_each);

/// The switches of a throw.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ThrowOptions {
    /// Which naturals call for a roll on the tables of critical hits and misses.
    pub table_rolls: TableRolls,
}

/// What `grenade.throw` is asked: an attack, as `attack.roll` is.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ThrowArgs {
    /// The target's armor class, ascending.
    pub ac: Modifier,
    /// The thrower's attack bonus.
    #[serde(default)]
    pub attack_bonus: Modifier,
    /// The thrower's Dexterity modifier.
    #[serde(default)]
    pub ability_mod: Modifier,
    /// Everything else that counts on the roll.
    #[serde(default)]
    pub modifier: Modifier,
    /// Whether the thrower is proficient; without it the attack bonus stays out.
    #[serde(default = "crate::rules::core::yes")]
    pub proficient: bool,
    /// Whether the target cannot be hit at all.
    #[serde(default)]
    pub immune: bool,
}

/// Where the flask lands.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ThrowOutcome {
    /// The d20.
    pub roll: i64,
    /// The roll with everything that counts.
    pub total: i64,
    /// Whether it is a direct hit.
    pub direct: bool,
    /// The d10 of a miss.
    pub scatter: Option<i64>,
    /// Feet to the thrower's right of the target, negative to the left.
    pub dx: i64,
    /// Feet beyond the target, negative short of it.
    pub dy: i64,
    /// Whether a roll on the table of critical hits is due.
    pub critical_check: bool,
    /// Whether a roll on the table of critical misses is due.
    pub fumble_check: bool,
}

rule! {
    /// Throws a flask: an attack roll; a hit is direct, a miss lands in one of ten 10-foot squares by 1d10.
    pub struct Throw;
}

impl Rule for Throw {
    const NAME: &'static str = "grenade.throw";
    const SOURCE: &'static [&'static str] = &["combat-details GRE-01"];
    const EXAMPLE: &'static str = "{ attack_bonus = 1, ac = 12 }";
    const TABLES: &'static [&'static dyn AnyTable] = &[&SCATTER];
    type Args = ThrowArgs;
    type Options = ThrowOptions;
    type Outcome = ThrowOutcome;

    fn resolve(args: ThrowArgs, options: ThrowOptions, referee: &mut Referee<'_>) -> Result<ThrowOutcome, RuleError> {
        let ThrowArgs { ac, attack_bonus, ability_mod, modifier, proficient, immune } = args;
        let attack = attack::RollArgs { ac, attack_bonus, ability_mod, modifier, proficient, immune };
        let attack = referee.call::<attack::Roll>(attack)?;
        let mut landed = ThrowOutcome {
            roll: attack.roll,
            total: attack.total,
            direct: attack.hit,
            scatter: None,
            dx: 0,
            dy: 0,
            critical_check: options.table_rolls.critical_check(&attack),
            fumble_check: options.table_rolls.fumble_check(&attack),
        };
        if !attack.hit {
            let scatter = referee.d(10, "scatter")?;
            let diagram = referee.table(&SCATTER);
            let square = row_of(&diagram, scatter)?;
            landed.scatter = Some(scatter);
            landed.dx = SQUARE * square.right.get();
            landed.dy = SQUARE * square.away.get();
        }
        Ok(landed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::outcome;

    #[test]
    fn a_hit_is_direct_and_does_not_scatter() {
        let landed = outcome::<Throw>(r#"{"attack_bonus":1,"ac":12}"#, &[11]);
        assert_eq!((landed.direct, landed.scatter, landed.dx, landed.dy), (true, None, 0, 0));
    }

    #[test]
    fn a_miss_lands_where_the_d10_says() {
        let landed = outcome::<Throw>(r#"{"attack_bonus":1,"ac":12}"#, &[10, 4]);
        assert_eq!((landed.scatter, landed.dx, landed.dy), (Some(4), 10, -10));
    }

    #[test]
    fn natural_one_misses_whatever_the_bonus() {
        let landed = outcome::<Throw>(r#"{"attack_bonus":30,"ac":12}"#, &[1, 10]);
        assert!(!landed.direct && landed.fumble_check);
        let plain = outcome::<Throw>(r#"{"ac":12,"options":{"table_rolls":"neither"}}"#, &[1, 10]);
        assert!(!plain.fumble_check);
    }
}
