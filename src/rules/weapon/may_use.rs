//! What a class may use (PRF-03), and what an assassination needs (PRF-04).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Class;
use crate::rules::core::{
    AnyTable, Named, NoOptions, Referee, Rule, RuleError, Table, Whole, any_rows, row_meant, row_named,
};
use crate::rules::equipment::WEAPONS;

/// A weapon that druids may use besides one-handed melee weapons.
#[derive(Serialize, Deserialize)]
struct DruidWeapon {
    weapon: String,
}

impl Named for DruidWeapon {
    fn name(&self) -> &str {
        &self.weapon
    }
}

static DRUID_WEAPONS: Table<DruidWeapon> =
    Table::new("druid_weapons", include_str!("../data/druid_weapons.json"), any_rows);

/// What somebody wants to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Gear {
    /// A weapon.
    Weapon,
    /// Armor.
    Armor,
    /// A shield.
    Shield,
}

/// What `weapon.may_use` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MayUseArgs {
    /// The class.
    pub class: Class,
    /// Weapon, armor or shield.
    pub kind: Gear,
    /// The hands that a weapon takes, 1 or 2; needed where it decides, for a druid.
    #[serde(default)]
    pub hands: Option<Whole<1, 2>>,
    /// Whether a weapon is one for melee; needed where it decides, for a druid.
    #[serde(default)]
    pub melee: Option<bool>,
    /// A weapon's name, as `weapon.figures` knows it: `shortbow`. Druids may use a few that are neither one-handed nor for
    /// melee.
    #[serde(default)]
    pub name: Option<String>,
    /// Whether armor or shield is of metal; needed where it decides, for a druid.
    #[serde(default)]
    pub metal: Option<bool>,
    /// Whether armor is of leather, which does not hinder a thief.
    #[serde(default)]
    pub leather: bool,
}

/// Why a class may not use something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MayUseReason {
    /// It is of metal.
    Metal,
    /// It is neither a one-handed melee weapon nor one of the few others that the class may use.
    Weapon,
}

/// Whether the class may use it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MayUseOutcome {
    /// Whether nothing in the combat chapter forbids it.
    pub allowed: bool,
    /// Why not.
    pub reason: Option<MayUseReason>,
    /// For thieves and assassins in armor: whether it hinders their skills.
    pub hinders_thief_skills: Option<bool>,
    /// Whether the combat chapter is silent on this class, so that the class's own chapter decides.
    pub silent: bool,
}

rule! {
    /// Whether a class may use a weapon, armor or shield.
    ///
    /// Clerics and thieves may use any weapon, clerics any armor; thieves work unhindered only in leather. Druids use
    /// no metal armor or shield, and only one-handed melee weapons and a few named others. Of fighters, their like and
    /// magic-users the chapter says nothing: nothing is forbidden here, and `silent` says so. The assassin is read with
    /// the thief.
    pub struct MayUse;
}

impl Rule for MayUse {
    const NAME: &'static str = "weapon.may_use";
    const SOURCE: &'static [&'static str] = &["combat-details PRF-03"];
    const EXAMPLE: &'static str = r#"{ class = "druid", kind = "weapon", name = "longbow", hands = 2, melee = false }"#;
    const TABLES: &'static [&'static dyn AnyTable] = &[&DRUID_WEAPONS, &WEAPONS];
    type Args = MayUseArgs;
    type Options = NoOptions;
    type Outcome = MayUseOutcome;

    fn resolve(args: MayUseArgs, _: NoOptions, referee: &mut Referee<'_>) -> Result<MayUseOutcome, RuleError> {
        if args.leather && args.metal == Some(true) {
            return Err(RuleError::invalid("leather", "does not go with metal; armor is of the one or the other"));
        }
        let weapon = match &args.name {
            Some(name) if args.kind == Gear::Weapon => {
                Some(row_named(&referee.table(&WEAPONS), "weapon", "name", name)?.weapon.clone())
            }
            _ => None,
        };
        let druid = args.class == Class::Druid;
        let reason = if druid { refused_to_druids(&args, weapon.as_deref(), referee)? } else { None };
        let thief = matches!(args.class, Class::Thief | Class::Assassin);
        let silent = !thief && !matches!(args.class, Class::Cleric | Class::Druid);
        Ok(MayUseOutcome {
            allowed: reason.is_none(),
            reason,
            hinders_thief_skills: (thief && args.kind == Gear::Armor).then_some(!args.leather),
            silent,
        })
    }
}

fn refused_to_druids(
    args: &MayUseArgs,
    weapon: Option<&str>,
    referee: &Referee<'_>,
) -> Result<Option<MayUseReason>, RuleError> {
    if args.kind != Gear::Weapon {
        // Leather is no metal, and need not be said twice.
        let metal = if args.leather { Some(false) } else { args.metal };
        return match metal {
            Some(metal) => Ok(metal.then_some(MayUseReason::Metal)),
            None => Err(RuleError::missing("metal")),
        };
    }
    let weapons = referee.table(&DRUID_WEAPONS);
    if weapon.is_some_and(|weapon| row_meant(&weapons, weapon).is_some()) {
        return Ok(None);
    }
    let hands = args.hands.ok_or_else(|| RuleError::missing("hands"))?;
    let melee = args.melee.ok_or_else(|| RuleError::missing("melee"))?;
    let one_handed_melee = hands.get() == 1 && melee;
    Ok((!one_handed_melee).then_some(MayUseReason::Weapon))
}

/// What `weapon.assassinate` is asked.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AssassinateArgs {
    /// The hands that the weapon takes, 1 or 2.
    pub hands: Whole<1, 2>,
    /// Whether it is one for melee.
    pub melee: bool,
    /// Whether it pierces.
    pub piercing: bool,
}

/// Whether the weapon will do.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AssassinateOutcome {
    /// Whether it will do.
    pub allowed: bool,
}

rule! {
    /// Whether a weapon will do for an assassination: a one-handed piercing weapon, in melee, such as a dagger or a
    /// sword.
    pub struct Assassinate;
}

impl Rule for Assassinate {
    const NAME: &'static str = "weapon.assassinate";
    const SOURCE: &'static [&'static str] = &["combat-details PRF-04"];
    const EXAMPLE: &'static str = "{ hands = 1, melee = true, piercing = true }";
    type Args = AssassinateArgs;
    type Options = NoOptions;
    type Outcome = AssassinateOutcome;

    fn resolve(args: AssassinateArgs, _: NoOptions, _: &mut Referee<'_>) -> Result<AssassinateOutcome, RuleError> {
        Ok(AssassinateOutcome { allowed: args.hands.get() == 1 && args.melee && args.piercing })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::core::ErrorKind;
    use crate::rules::core::testing::{outcome, resolved};

    fn allowed(args: &str) -> bool {
        outcome::<MayUse>(args, &[]).allowed
    }

    #[test]
    fn druids_keep_to_small_arms_and_the_short_bow() {
        assert!(allowed(r#"{"class":"druid","kind":"weapon","name":"long_sword","hands":1,"melee":true}"#));
        assert!(allowed(r#"{"class":"druid","kind":"weapon","name":"short_bow","hands":2,"melee":false}"#));
        assert!(!allowed(r#"{"class":"druid","kind":"weapon","name":"long_bow","hands":2,"melee":false}"#));
        assert!(allowed(r#"{"class":"cleric","kind":"weapon","name":"long_bow","hands":2,"melee":false}"#));
    }

    #[test]
    fn a_weapon_has_one_name_in_every_rule_and_an_unknown_one_is_an_error() {
        for name in ["shortbow", "short_bow", "Short Bow", "quarterstaff", "staff", "Sling"] {
            let args = format!(r#"{{"class":"druid","kind":"weapon","name":"{name}","hands":2,"melee":false}}"#);
            assert!(allowed(&args), "{name}");
        }
        for class in ["druid", "cleric"] {
            let args = format!(r#"{{"class":"{class}","kind":"weapon","name":"shrotbow","hands":2,"melee":false}}"#);
            let error = resolved("weapon.may_use", &args, &[]).unwrap_err();
            assert_eq!((error.kind(), error.field()), (ErrorKind::Unknown, Some("name")));
            assert!(error.to_string().contains("shortbow"), "{error}");
        }
    }

    #[test]
    fn druids_wear_and_carry_no_metal() {
        let refused = outcome::<MayUse>(r#"{"class":"druid","kind":"shield","metal":true}"#, &[]);
        assert_eq!(refused.reason, Some(MayUseReason::Metal));
        assert!(allowed(r#"{"class":"druid","kind":"armor","leather":true}"#));
        let error = resolved("weapon.may_use", r#"{"class":"druid","kind":"armor"}"#, &[]).unwrap_err();
        assert_eq!((error.kind(), error.field()), (ErrorKind::Missing, Some("metal")));
    }

    #[test]
    fn thieves_are_hindered_by_all_but_leather() {
        let hinders = |args: &str| outcome::<MayUse>(args, &[]).hinders_thief_skills;
        assert_eq!(hinders(r#"{"class":"thief","kind":"armor","leather":true}"#), Some(false));
        assert_eq!(hinders(r#"{"class":"assassin","kind":"armor","metal":true}"#), Some(true));
        assert_eq!(hinders(r#"{"class":"cleric","kind":"armor","metal":true}"#), None);
    }

    #[test]
    fn assassins_strike_with_one_hand_and_a_point() {
        let allowed = |args: &str| outcome::<Assassinate>(args, &[]).allowed;
        assert!(allowed(r#"{"hands":1,"melee":true,"piercing":true}"#));
        assert!(!allowed(r#"{"hands":2,"melee":true,"piercing":true}"#));
        assert!(!allowed(r#"{"hands":1,"melee":false,"piercing":true}"#));
    }
}
