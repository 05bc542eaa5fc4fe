//! Ego saves: charisma against what attacks the will.
//! Source: house-rules EGO-01, EGO-02.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::core::{AnyTable, Band, Modifier, Referee, Rule, RuleError, Table, Whole, band_of, unbroken_bands};

/// A row of the Ego save table.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EgoRow {
    from: i64,
    to: i64,
    modifier: i64,
}

impl Band for EgoRow {
    fn from(&self) -> Option<i64> {
        Some(self.from)
    }
    fn to(&self) -> Option<i64> {
        Some(self.to)
    }
}

/// Modifiers to Ego saves by charisma.
pub static EGO_SAVE: Table<EgoRow> = Table::new("ego_save", include_str!("data/ego_save.json"), unbroken_bands);

/// What happens with a charisma that the table does not list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OffTable {
    /// It is refused.
    #[default]
    Error,
    /// The nearest row counts.
    Clamp,
}

/// The switches of Ego saves.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct EgoOptions {
    /// What happens with a charisma under 3 or over 19 (EGO-01).
    pub off_table: OffTable,
}

/// What `ego.modifier` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ModifierArgs {
    /// Charisma: 3 to 19, or to 40 when a switch holds it to the table.
    pub cha: Whole<0, 40>,
}

/// A modifier to Ego saves.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ModifierOutcome {
    /// The modifier, -3 to +5.
    pub modifier: i64,
}

rule! {
    /// Looks up what charisma adds to saves of will and self-image, in place of wisdom.
    pub struct EgoModifier;
}

impl Rule for EgoModifier {
    const NAME: &'static str = "ego.modifier";
    const SOURCE: &'static [&'static str] = &["house-rules EGO-01"];
    const EXAMPLE: &'static str = "{ cha = 16 }";
    const TABLES: &'static [&'static dyn AnyTable] = &[&EGO_SAVE];
    type Args = ModifierArgs;
    type Options = EgoOptions;
    type Outcome = ModifierOutcome;

    fn resolve(
        args: ModifierArgs,
        options: EgoOptions,
        referee: &mut Referee<'_>,
    ) -> Result<ModifierOutcome, RuleError> {
        let rows = referee.table(&EGO_SAVE);
        let least = rows.first().map_or(0, |row| row.from);
        let greatest = rows.last().map_or(0, |row| row.to);
        let cha = args.cha.get();
        if options.off_table == OffTable::Error && !(least..=greatest).contains(&cha) {
            let message = format!("must be from {least} to {greatest}, as the table goes, not {cha}");
            return Err(RuleError::out_of_range("cha", message));
        }
        let modifier = band_of(&rows, cha.clamp(least, greatest)).map_or(0, |row| row.modifier);
        Ok(ModifierOutcome { modifier })
    }
}

/// What `ego.save` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SaveArgs {
    /// Charisma: 3 to 19, or to 40 when a switch holds it to the table.
    pub cha: Whole<0, 40>,
    /// The number to reach, from the rulebook's saving throws; which kind the source does not say.
    pub target: Whole<1, 40>,
    /// Whatever else counts on the roll.
    #[serde(default)]
    pub modifier: Modifier,
}

/// How an Ego save went.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SaveOutcome {
    /// What the d20 showed.
    pub roll: i64,
    /// The modifier for charisma.
    pub modifier: i64,
    /// Roll and all modifiers.
    pub total: i64,
    /// Whether the total reached the target. No roll is automatic.
    pub success: bool,
}

rule! {
    /// Saves against domination and the like: d20 and the Ego modifier, at least the target.
    pub struct Save;
}

impl Rule for Save {
    const NAME: &'static str = "ego.save";
    const SOURCE: &'static [&'static str] = &["house-rules EGO-02"];
    const EXAMPLE: &'static str = "{ cha = 18, target = 15 }";
    const TABLES: &'static [&'static dyn AnyTable] = &[&EGO_SAVE];
    type Args = SaveArgs;
    type Options = EgoOptions;
    type Outcome = SaveOutcome;

    fn resolve(args: SaveArgs, options: EgoOptions, referee: &mut Referee<'_>) -> Result<SaveOutcome, RuleError> {
        let modifier = referee.call_with::<EgoModifier>(ModifierArgs { cha: args.cha }, options)?.modifier;
        referee.modifier(modifier, "charisma (EGO-01)");
        referee.modifier(args.modifier.get(), "modifier");
        referee.need(|| format!("at least {}", args.target));
        let roll = referee.d(20, "Ego save")?;
        let total = roll + modifier + args.modifier.get();
        Ok(SaveOutcome { roll, modifier, total, success: total >= args.target.get() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::testing::outcome;

    #[test]
    fn a_switch_holds_a_great_charisma_to_the_table() {
        assert_eq!(outcome::<EgoModifier>(r#"{"cha":25,"options":{"off_table":"clamp"}}"#, &[]).modifier, 5);
        assert_eq!(outcome::<EgoModifier>(r#"{"cha":0,"options":{"off_table":"clamp"}}"#, &[]).modifier, -3);
    }

    #[test]
    fn charisma_three_saves_three_worse() {
        assert!(!outcome::<Save>(r#"{"cha":3,"target":15}"#, &[17]).success);
    }
}
