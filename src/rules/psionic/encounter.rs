//! Whether a random encounter is a psionic one, and how wise a monster is.
//! Source: first-edition PSI-ENC-01, PSI-NPB-06.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::keyed;
use crate::rules::core::{AnyTable, NoOptions, Referee, Rolls, Rule, RuleError, Table, Whole, one_row_each, row_of};

// ---- encounters ----

/// What `psionic.encounter` is asked, once a random encounter falls due.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct EncounterArgs {
    /// Whether the party used psionic powers during the last turn.
    #[serde(default)]
    pub psionics_last_turn: bool,
    /// Whether the party used spells that resemble disciplines during the last round.
    #[serde(default)]
    pub resembling_spell_last_round: bool,
}

/// What kind of encounter it is.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct EncounterOutcome {
    /// Whether anything drew psionic creatures.
    pub triggered: bool,
    /// What d4 showed; nothing when nothing drew them.
    pub roll: Option<i64>,
    /// Whether the psionic table is used. Some of its creatures go unnoticed.
    pub psionic: bool,
}

rule! {
    /// Says whether a random encounter is drawn from the psionic table: 1 in 4 after psionic powers in the last turn or
    /// spells like them in the last round. Both together are still one roll.
    pub struct Encounter;
}

impl Rule for Encounter {
    const NAME: &'static str = "psionic.encounter";
    const SOURCE: &'static [&'static str] = &["first-edition PSI-ENC-01"];
    const EXAMPLE: &'static str = "{ psionics_last_turn = true }";
    type Args = EncounterArgs;
    type Options = NoOptions;
    type Outcome = EncounterOutcome;

    fn resolve(args: EncounterArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<EncounterOutcome, RuleError> {
        let triggered = args.psionics_last_turn || args.resembling_spell_last_round;
        let roll = if triggered { Some(referee.d(4, "psionic encounter")?) } else { None };
        Ok(EncounterOutcome { triggered, roll, psionic: roll == Some(1) })
    }
}

// ---- wisdom of monsters ----

/// How intelligent a monster is, as its description says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum IntelligenceRating {
    /// Non-, animal or semi-intelligent.
    BelowLow,
    /// Low.
    Low,
    /// Average.
    Average,
    /// Very.
    Very,
    /// Highly.
    Highly,
    /// Exceptional.
    Exceptional,
    /// Genius.
    Genius,
    /// Supra-genius.
    SupraGenius,
    /// Godlike.
    Godlike,
}

impl IntelligenceRating {
    const ALL: [Self; 9] = [
        Self::BelowLow,
        Self::Low,
        Self::Average,
        Self::Very,
        Self::Highly,
        Self::Exceptional,
        Self::Genius,
        Self::SupraGenius,
        Self::Godlike,
    ];
}

/// The dice of wisdom for a rating.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MonsterWisdomRow {
    intelligence: IntelligenceRating,
    dice: Whole<0, 100>,
    sides: Whole<0, 1_000>,
    add: Whole<-100, 100>,
}

/// Wisdom of monsters (PSI-NPB-06).
static MONSTER_WISDOM: Table<MonsterWisdomRow> =
    Table::new("psionic_monster_wisdom", include_str!("../data/psionic_monster_wisdom.json"), each_rating);

keyed!(MonsterWisdomRow, intelligence: IntelligenceRating, IntelligenceRating::ALL);

fn each_rating(rows: &[MonsterWisdomRow]) -> Result<(), String> {
    one_row_each(rows)?;
    match rows.iter().find(|row| row.dice.get() > 0 && row.sides.get() == 0) {
        None => Ok(()),
        Some(_) => Err("dice need at least one side".into()),
    }
}

/// What `psionic.monster_wisdom` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MonsterWisdomArgs {
    /// How intelligent the monster is.
    pub intelligence: IntelligenceRating,
}

/// How wise it is.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MonsterWisdomOutcome {
    /// What the dice showed.
    pub rolls: Rolls,
    /// Its wisdom; roll it once for a creature and keep it.
    pub wisdom: i64,
}

rule! {
    /// Rolls the wisdom of a monster from its rating of intelligence, for saves against Psionic Blast.
    pub struct MonsterWisdom;
}

impl Rule for MonsterWisdom {
    const NAME: &'static str = "psionic.monster_wisdom";
    const SOURCE: &'static [&'static str] = &["first-edition PSI-NPB-06"];
    const EXAMPLE: &'static str = r#"{ intelligence = "genius" }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&MONSTER_WISDOM];
    type Args = MonsterWisdomArgs;
    type Options = NoOptions;
    type Outcome = MonsterWisdomOutcome;

    fn resolve(
        args: MonsterWisdomArgs,
        _: NoOptions,
        referee: &mut Referee<'_>,
    ) -> Result<MonsterWisdomOutcome, RuleError> {
        let rows = referee.table(&MONSTER_WISDOM);
        let row = row_of(&rows, args.intelligence)?;
        if row.dice.get() == 0 {
            return Ok(MonsterWisdomOutcome { rolls: Rolls::new(), wisdom: row.add.get() });
        }
        let rolled = referee.total(row.dice.get() as u32, row.sides.get() as u32, "wisdom")?;
        Ok(MonsterWisdomOutcome { rolls: rolled.rolls, wisdom: rolled.sum + row.add.get() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::outcome;

    #[test]
    fn nothing_psionic_draws_no_die() {
        assert!(!outcome::<Encounter>("{}", &[]).triggered);
        assert!(
            outcome::<Encounter>(r#"{"psionics_last_turn":true,"resembling_spell_last_round":true}"#, &[1]).psionic
        );
    }

    #[test]
    fn a_beast_has_no_wisdom_and_a_genius_eight_at_least() {
        assert_eq!(outcome::<MonsterWisdom>(r#"{"intelligence":"below_low"}"#, &[]).wisdom, 0);
        assert_eq!(outcome::<MonsterWisdom>(r#"{"intelligence":"genius"}"#, &[1, 1]).wisdom, 8);
    }
}
