//! The figures of armor.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rules::core::{
    AnyTable, Named, Natural, NoOptions, Referee, Rule, RuleError, Table, Whole, distinct_names, row_named,
};

/// The row of the shield.
const SHIELD: &str = "shield";

/// A piece of armor.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ArmorRow {
    /// Its name.
    pub armor: String,
    /// What it costs, in gold pieces.
    pub cost_gp: Natural,
    /// What it weighs, in pounds.
    pub weight_lb: Natural,
    /// The armor class of one who wears it, ascending; a shield has none.
    #[serde(default)]
    pub ac: Option<Whole<0, 100>>,
    /// What it adds to armor class; a shield's.
    #[serde(default)]
    pub ac_bonus: Option<Whole<0, 100>>,
}

impl Named for ArmorRow {
    fn name(&self) -> &str {
        &self.armor
    }
}

static ARMOR: Table<ArmorRow> = Table::new("armor", include_str!("../data/basic_fantasy/armor.json"), worn_or_carried);

fn worn_or_carried(rows: &[ArmorRow]) -> Result<(), String> {
    match rows.iter().find(|row| row.ac.is_some() == row.ac_bonus.is_some()) {
        Some(row) => Err(format!("{} must have either ac or ac_bonus", row.armor)),
        None if rows.iter().all(|row| row.armor != SHIELD) => Err("there must be a shield".into()),
        None => distinct_names(rows),
    }
}

/// What `armor.figures` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ArmorArgs {
    /// The armor: `none`, `leather`, `chain_mail`, `plate_mail`.
    pub armor: String,
    /// Whether a shield is carried.
    #[serde(default)]
    pub shield: bool,
    /// The dexterity modifier of the wearer.
    #[serde(default)]
    pub dex_mod: Whole<-10, 20>,
}

/// What armor gives and costs.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ArmorOutcome {
    /// The wearer's armor class, ascending, with shield and dexterity.
    pub ac: i64,
    /// The cost, in gold pieces, shield included.
    pub cost_gp: i64,
    /// The weight, in pounds, shield included.
    pub weight_lb: i64,
}

rule! {
    /// Looks up the armor class that armor, shield and dexterity give, with cost and weight.
    pub struct ArmorFigures;
}

impl Rule for ArmorFigures {
    const NAME: &'static str = "armor.figures";
    const SOURCE: &'static [&'static str] = &["Basic Fantasy, armor and shields"];
    const EXAMPLE: &'static str = r#"{ armor = "chain_mail", shield = true }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&ARMOR];
    type Args = ArmorArgs;
    type Options = NoOptions;
    type Outcome = ArmorOutcome;

    fn resolve(args: ArmorArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<ArmorOutcome, RuleError> {
        let rows = referee.table(&ARMOR);
        let armor = row_named(&rows, "armor", "armor", &args.armor)?;
        let Some(ac) = armor.ac else {
            let message = format!("must be worn, not carried: write armor = \"none\" and {} = true", args.armor);
            return Err(RuleError::invalid("armor", message));
        };
        let mut outcome = ArmorOutcome {
            ac: ac.get() + args.dex_mod.get(),
            cost_gp: armor.cost_gp.get(),
            weight_lb: armor.weight_lb.get(),
        };
        if args.shield {
            let shield = row_named(&rows, "armor", "shield", SHIELD)?;
            outcome.ac += shield.ac_bonus.map_or(0, Whole::get);
            outcome.cost_gp += shield.cost_gp.get();
            outcome.weight_lb += shield.weight_lb.get();
        }
        Ok(outcome)
    }
}

#[cfg(test)]
mod tests {
    use super::ArmorFigures;
    use crate::rules::core::ErrorKind;
    use crate::rules::core::testing::{outcome, resolved};

    #[test]
    fn a_shield_adds_to_what_is_worn() {
        assert_eq!(outcome::<ArmorFigures>(r#"{"armor":"plate_mail","shield":true}"#, &[]).ac, 18);
        assert_eq!(outcome::<ArmorFigures>(r#"{"armor":"none","dex_mod":2}"#, &[]).ac, 13);
    }

    #[test]
    fn nobody_wears_a_shield() {
        let error = resolved("armor.figures", r#"{"armor":"shield"}"#, &[]).unwrap_err();
        assert_eq!((error.kind(), error.field()), (ErrorKind::Invalid, Some("armor")));
    }
}
