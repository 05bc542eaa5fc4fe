//! What holder and held may do.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rules::core::names::not_among;
use crate::rules::core::{AnyTable, NoOptions, Referee, Rule, RuleError, Table};

/// Whose action it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The one who holds.
    Holder,
    /// The one who is held.
    Held,
}

/// Something done in a hold. Each role has its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Holder: deal the damage of a punch, without a roll to hit.
    UnarmedDamage,
    /// Holder: keep the held from speaking.
    Silence,
    /// Either: use a ring or another simple magic item.
    SimpleMagicItem,
    /// Holder: take something away (`grapple.take`).
    TakeObject,
    /// Holder: drag the held along (`grapple.move`).
    MoveOpponent,
    /// Holder: let go.
    Release,
    /// Holder: draw a weapon.
    DrawWeapon,
    /// Holder: use a weapon.
    UseWeapon,
    /// Holder: use a wand.
    Wand,
    /// Holder: use a staff.
    Staff,
    /// Holder: read a scroll.
    Scroll,
    /// Holder: drink a potion.
    Potion,
    /// Holder: get out of somebody else's hold.
    EscapeOtherHold,
    /// Either: cast a spell.
    CastSpell,
    /// Holder: pin somebody else.
    PinAnother,
    /// Held: get loose (`grapple.escape`).
    Escape,
    /// Held: move at half speed with the holder in tow.
    DragHolder,
    /// Held: move freely.
    Move,
}

/// Whether an action is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Allowed {
    /// It is.
    Yes,
    /// It is not.
    No,
    /// Only to somebody much stronger or larger than the holder.
    MuchStronger,
}

/// An action of a role.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ActionRow {
    /// Whose.
    pub role: Role,
    /// What.
    pub action: Action,
    /// Whether it is open.
    pub allowed: Allowed,
}

static GRAPPLE_ACTIONS: Table<ActionRow> =
    Table::new("grapple_actions", include_str!("../data/grapple_actions.json"), each_action_once);

fn each_action_once(rows: &[ActionRow]) -> Result<(), String> {
    for (at, row) in rows.iter().enumerate() {
        if rows[..at].iter().any(|other| (other.role, other.action) == (row.role, row.action)) {
            return Err(format!("{:?} of {:?} stands there twice", row.action, row.role));
        }
    }
    for role in [Role::Holder, Role::Held] {
        if rows.iter().all(|row| row.role != role) {
            return Err(format!("{role:?} must have an action"));
        }
    }
    Ok(())
}

/// What `grapple.may` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MayArgs {
    /// Whose action it is.
    pub role: Role,
    /// The action; one of the role's own.
    pub action: Action,
    /// Whether the held is much stronger or larger than the holder; counts for `drag_holder` only.
    #[serde(default)]
    pub much_stronger: bool,
}

/// Whether an action is open.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MayOutcome {
    /// Whether it is.
    pub allowed: bool,
}

rule! {
    /// Tells what the holder and the held may do: no weapons, wands or spells for the holder, no moving and no casting
    /// for the held.
    ///
    /// The source's sentence about rings is read of the holder, since the held "also" may use them.
    pub struct May;
}

impl Rule for May {
    const NAME: &'static str = "grapple.may";
    const SOURCE: &'static [&'static str] = &["combat-details GRP-04", "combat-details GRP-07"];
    const EXAMPLE: &'static str = r#"{ role = "held", action = "drag_holder", much_stronger = true }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&GRAPPLE_ACTIONS];
    type Args = MayArgs;
    type Options = NoOptions;
    type Outcome = MayOutcome;

    fn resolve(args: MayArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<MayOutcome, RuleError> {
        let rows = referee.table(&GRAPPLE_ACTIONS);
        let Some(row) = rows.iter().find(|row| (row.role, row.action) == (args.role, args.action)) else {
            return Err(not_of_role(&rows, &args));
        };
        let allowed = match row.allowed {
            Allowed::Yes => true,
            Allowed::No => false,
            Allowed::MuchStronger => args.much_stronger,
        };
        Ok(MayOutcome { allowed })
    }
}

/// The action is the other role's; the error lists the role's own.
fn not_of_role(rows: &[ActionRow], args: &MayArgs) -> RuleError {
    let name = |action: Action| serde_json::to_value(action).ok().and_then(|name| name.as_str().map(str::to_owned));
    let known: Vec<String> =
        rows.iter().filter(|row| row.role == args.role).filter_map(|row| name(row.action)).collect();
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let role = if args.role == Role::Holder { "action of the holder" } else { "action of the held" };
    not_among("action", role, &name(args.action).unwrap_or_default(), &known)
}

#[cfg(test)]
mod tests {
    use super::May;
    use crate::rules::core::ErrorKind;
    use crate::rules::core::testing::{outcome, resolved};

    fn may(role: &str, action: &str) -> bool {
        outcome::<May>(&format!(r#"{{"role":"{role}","action":"{action}"}}"#), &[]).allowed
    }

    #[test]
    fn a_holder_has_no_hand_for_a_wand_but_has_one_for_a_ring() {
        assert!(may("holder", "simple_magic_item") && !may("holder", "wand"));
    }

    #[test]
    fn only_the_much_stronger_drags_the_holder_along() {
        assert!(!may("held", "drag_holder"));
        assert!(outcome::<May>(r#"{"role":"held","action":"drag_holder","much_stronger":true}"#, &[]).allowed);
    }

    #[test]
    fn an_action_of_the_other_role_is_unknown() {
        let error = resolved("grapple.may", r#"{"role":"held","action":"wand"}"#, &[]).unwrap_err();
        assert_eq!((error.kind(), error.field()), (ErrorKind::Unknown, Some("action")));
    }
}
