//! Surprise by a d20: a roll for each side against a number for each of its members.
//! Source: combat-details SUR-01 to SUR-03.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rules::core::{
    AnyTable, Keyed, List, NoOptions, Referee, Rolls, Rule, RuleError, Table, Whole, one_row_each, row_of,
};

/// What well hidden ambushers gain (SUR-02).
const AMBUSH: i64 = 3;

/// Who might be surprised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Most creatures.
    #[default]
    Normal,
    /// Elves.
    Elf,
}

/// A kind of creature and its number.
#[derive(Serialize, Deserialize)]
struct NumberRow {
    kind: Kind,
    dc: Whole<1, 40>,
}

impl Keyed for NumberRow {
    type Key = Kind;
    const KEYS: &'static [Kind] = &[Kind::Normal, Kind::Elf];
    fn key(&self) -> Kind {
        self.kind
    }
}

static NUMBERS: Table<NumberRow> =
    Table::new("surprise_number", include_str!("../data/surprise_number.json"), one_row_each);

/// Which side of its number surprises a creature (SUR-01).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SurprisedWhen {
    /// A roll below the number, as the worked example has it: elves are surprised more often than others.
    #[default]
    Below,
    /// A roll of the number or more: elves are the more alert ones, and an ambush lowers the number.
    AtLeast,
}

/// Who rolls (SUR-01).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RollPer {
    /// One d20 for the side, held against the number of each member.
    #[default]
    Side,
    /// A d20 for each member, in order.
    Member,
}

/// The switches of a surprise check.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct CheckOptions {
    /// Which side of its number surprises a creature.
    pub surprised_when: SurprisedWhen,
    /// Who rolls.
    pub roll_per: RollPer,
}

/// Somebody, or a group that shares a number, on the side that might be surprised.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Member {
    /// Who it is.
    pub name: String,
    /// Normal or elf, which gives the number.
    #[serde(default)]
    pub kind: Kind,
    /// Its number where it has one of its own, 1 to 40, in place of its kind's.
    #[serde(default)]
    pub dc: Option<Whole<1, 40>>,
}

/// What `surprise.check` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CheckArgs {
    /// The side that might be surprised, at least one.
    pub members: List<Member, 1>,
    /// Whether the others lie in a well hidden, prepared ambush: +3 to surprise (SUR-02).
    #[serde(default)]
    pub ambush: bool,
}

/// How a member fared.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CheckedMember {
    /// Who it is.
    pub name: String,
    /// The number it was held against, the ambush included.
    pub dc: i64,
    /// Whether it is surprised.
    pub surprised: bool,
}

/// Who is surprised.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CheckOutcome {
    /// The d20 of the side, or of each member in order.
    pub rolls: Rolls,
    /// The members in the order given.
    pub members: Vec<CheckedMember>,
    /// Whether anybody is surprised.
    pub any: bool,
    /// Whether everybody is.
    pub all: bool,
}

rule! {
    /// Rolls a d20 for a side that might be surprised and holds it against the number of each member: below it is
    /// surprised.
    ///
    /// As the source's example is written a higher number is worse, and elves have the higher one. Campaigns that want
    /// alert elves set `surprised_when` to `at_least`.
    pub struct Check;
}

impl Rule for Check {
    const NAME: &'static str = "surprise.check";
    const SOURCE: &'static [&'static str] = &["combat-details SUR-01", "combat-details SUR-02"];
    const EXAMPLE: &'static str = r#"{ members = { { name = "Drahff" }, { name = "Morningstar", kind = "elf" } } }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&NUMBERS];
    type Args = CheckArgs;
    type Options = CheckOptions;
    type Outcome = CheckOutcome;

    fn resolve(args: CheckArgs, options: CheckOptions, referee: &mut Referee<'_>) -> Result<CheckOutcome, RuleError> {
        let numbers = referee.table(&NUMBERS);
        let ambush = match (args.ambush, options.surprised_when) {
            (false, _) => 0,
            (true, SurprisedWhen::Below) => AMBUSH,
            (true, SurprisedWhen::AtLeast) => -AMBUSH,
        };
        let mut members = Vec::with_capacity(args.members.len());
        for member in args.members {
            let dc = member.dc.map_or_else(|| row_of(&numbers, member.kind).map(|row| row.dc), Ok)?.get() + ambush;
            members.push(CheckedMember { name: member.name, dc, surprised: false });
        }
        referee.modifier(ambush, "to the number, for an ambush (SUR-02)");
        let rolls = match options.roll_per {
            RollPer::Side => referee.pool(1, 20, "surprise")?,
            RollPer::Member => referee.pool(members.len() as u32, 20, "surprise")?,
        };
        for (member, roll) in members.iter_mut().zip(rolls.iter().cycle()) {
            member.surprised = match options.surprised_when {
                SurprisedWhen::Below => *roll < member.dc,
                SurprisedWhen::AtLeast => *roll >= member.dc,
            };
            referee.note(|| {
                let side = if options.surprised_when == SurprisedWhen::Below { "below" } else { "at or above" };
                format!("{} is surprised {side} {}", member.name, member.dc)
            });
        }
        let any = members.iter().any(|member| member.surprised);
        let all = members.iter().all(|member| member.surprised);
        Ok(CheckOutcome { rolls, members, any, all })
    }
}

/// What `surprise.effect` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct EffectArgs {
    /// Whether the creature is surprised.
    pub surprised: bool,
}

/// What a creature may do in the first round.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct EffectOutcome {
    /// Whether it may move.
    pub may_move: bool,
    /// Whether it may attack.
    pub may_attack: bool,
    /// What surprise takes from its armor class: nothing, the surprised still defend themselves.
    pub ac_penalty: i64,
    /// The rounds it loses.
    pub rounds: i64,
}

rule! {
    /// What surprise costs: one round without moving or attacking. Armor class is unchanged.
    pub struct Effect;
}

impl Rule for Effect {
    const NAME: &'static str = "surprise.effect";
    const SOURCE: &'static [&'static str] = &["combat-details SUR-03"];
    const EXAMPLE: &'static str = "{ surprised = true }";
    type Args = EffectArgs;
    type Options = NoOptions;
    type Outcome = EffectOutcome;

    fn resolve(args: EffectArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<EffectOutcome, RuleError> {
        let free = !args.surprised;
        Ok(EffectOutcome { may_move: free, may_attack: free, ac_penalty: 0, rounds: i64::from(args.surprised) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::outcome;

    const PAIR: &str = r#"{"members":[{"name":"Drahff"},{"name":"Morningstar","kind":"elf"}]}"#;

    fn surprised(args: &str, dice: &[i64]) -> Vec<bool> {
        outcome::<Check>(args, dice).members.iter().map(|member| member.surprised).collect()
    }

    #[test]
    fn one_roll_is_held_against_both_numbers() {
        assert_eq!(surprised(PAIR, &[12]), [true, true]);
        assert_eq!(surprised(PAIR, &[13]), [false, true]);
        assert_eq!(surprised(PAIR, &[15]), [false, false]);
    }

    #[test]
    fn an_ambush_makes_surprise_likelier_whichever_way_the_number_is_read() {
        let ambush = r#"{"members":[{"name":"goblins"}],"ambush":true}"#;
        assert_eq!(outcome::<Check>(ambush, &[15]).members[0].dc, 16);
        let at_least = r#"{"members":[{"name":"goblins"}],"ambush":true,"options":{"surprised_when":"at_least"}}"#;
        assert_eq!(surprised(at_least, &[10]), [true]);
    }

    #[test]
    fn each_member_may_roll_for_itself() {
        let args = PAIR.replace("]}", r#"],"options":{"roll_per":"member"}}"#);
        let checked = outcome::<Check>(&args, &[13, 14]);
        assert!(checked.any && !checked.all);
        assert_eq!(checked.rolls.len(), 2);
    }

    #[test]
    fn the_surprised_lose_a_round_and_keep_their_armor_class() {
        let effect = outcome::<Effect>(r#"{"surprised":true}"#, &[]);
        assert_eq!((effect.may_move, effect.may_attack, effect.ac_penalty, effect.rounds), (false, false, 0, 1));
    }
}
