//! The rulebook: one file a subsystem of the rules, on the foundations in [`core`].
//!
//! To add a rule, write it in its file and add one line to the list below; Lua, the command line, help, completion,
//! stubs, the reference, golden tests and odds follow from that.

// First, so that its macro is known to all that follow.
#[macro_use]
pub mod core;

pub mod ability;
pub mod armor;
pub mod armor_class;
pub mod attack;
pub mod back_stab;
pub mod check;
pub mod class;
pub mod critical;
pub mod damage;
pub mod disengage;
pub mod dying;
pub mod ego;
pub mod equipment;
pub mod experience;
pub mod flight;
pub mod fraction;
pub mod fumble;
pub mod grapple;
pub mod grenade;
pub mod guard;
pub mod initiative;
pub mod joust;
pub mod level;
pub mod maneuver;
pub mod missile;
pub mod morale;
pub mod movement;
pub mod multiclass;
pub mod normal_man;
pub mod odds;
pub mod opposed;
pub mod potion;
pub mod proficiency;
pub mod psionic;
pub mod pursuit;
pub mod reaction;
pub mod ruling;
pub mod save;
pub mod scroll;
pub mod skill;
pub mod spell;
pub mod subdual;
pub mod surprise;
pub mod touch;
pub mod training;
pub mod turning;
pub mod vehicle;
pub mod vision;
pub mod weapon;

use std::collections::HashMap;
use std::sync::OnceLock;

use self::core::{AnyTable, RuleEntry};

/// Every rule of the book, in the order that lists show them.
static RULES: &[RuleEntry] = &[
    // ability
    RuleEntry::of::<ability::Bonus>(),
    // class
    RuleEntry::of::<class::Level>(),
    RuleEntry::of::<class::Threshold>(),
    RuleEntry::of::<class::SpellLevel>(),
    RuleEntry::of::<class::Limit>(),
    RuleEntry::of::<class::PrimeBonus>(),
    // check
    RuleEntry::of::<check::Roll>(),
    RuleEntry::of::<check::Dice>(),
    RuleEntry::of::<check::Combine>(),
    // skill
    RuleEntry::of::<skill::Check>(),
    RuleEntry::of::<skill::Average>(),
    RuleEntry::of::<skill::GoodAtSlots>(),
    RuleEntry::of::<skill::Task>(),
    // experience
    RuleEntry::of::<experience::Total>(),
    RuleEntry::of::<experience::Split>(),
    // training
    RuleEntry::of::<training::Ready>(),
    RuleEntry::of::<training::Train>(),
    RuleEntry::of::<training::Recognized>(),
    // multiclass
    RuleEntry::of::<multiclass::NewClass>(),
    RuleEntry::of::<multiclass::LevelHitPoints>(),
    // level
    RuleEntry::of::<level::Limit>(),
    // vision
    RuleEntry::of::<vision::Mode>(),
    // armor_class
    RuleEntry::of::<armor_class::Ascending>(),
    RuleEntry::of::<armor_class::AttackBonus>(),
    RuleEntry::of::<armor_class::Attack>(),
    // guard
    RuleEntry::of::<guard::Bonus>(),
    // ego
    RuleEntry::of::<ego::EgoModifier>(),
    RuleEntry::of::<ego::Save>(),
    // scroll
    RuleEntry::of::<scroll::over_level::Cast>(),
    RuleEntry::of::<scroll::over_level::Chances>(),
    RuleEntry::of::<scroll::EffectiveLevel>(),
    RuleEntry::of::<scroll::MayRead>(),
    RuleEntry::of::<scroll::CastAboveLevel>(),
    RuleEntry::of::<scroll::CastAsThief>(),
    // opposed
    RuleEntry::of::<opposed::Dice>(),
    RuleEntry::of::<opposed::Contest>(),
    RuleEntry::of::<opposed::Retry>(),
    // surprise
    RuleEntry::of::<surprise::Check>(),
    RuleEntry::of::<surprise::Effect>(),
    RuleEntry::of::<surprise::ChanceInSix>(),
    RuleEntry::of::<surprise::RaceChance>(),
    RuleEntry::of::<surprise::RollInSix>(),
    RuleEntry::of::<surprise::RollBoth>(),
    // reaction
    RuleEntry::of::<reaction::Roll>(),
    // turning
    RuleEntry::of::<turning::Lookup>(),
    RuleEntry::of::<turning::Attempt>(),
    RuleEntry::of::<turning::Retry>(),
    RuleEntry::of::<turning::FleeDuration>(),
    RuleEntry::of::<turning::Blast>(),
    RuleEntry::of::<turning::Round>(),
    // dying
    RuleEntry::of::<dying::Damage>(),
    RuleEntry::of::<dying::Bleed>(),
    RuleEntry::of::<dying::Stabilize>(),
    RuleEntry::of::<dying::Heal>(),
    RuleEntry::of::<dying::Strain>(),
    RuleEntry::of::<dying::Coma>(),
    RuleEntry::of::<dying::Weakness>(),
    RuleEntry::of::<dying::Recover>(),
    RuleEntry::of::<dying::HealSpell>(),
    RuleEntry::of::<dying::Outlook>(),
    // attack
    RuleEntry::of::<attack::Bonus>(),
    RuleEntry::of::<attack::Roll>(),
    RuleEntry::of::<attack::Modifiers>(),
    RuleEntry::of::<attack::Resolve>(),
    // critical
    RuleEntry::of::<critical::Hit>(),
    RuleEntry::of::<critical::Condition>(),
    // fumble
    RuleEntry::of::<fumble::Roll>(),
    // damage
    RuleEntry::of::<damage::Roll>(),
    RuleEntry::of::<damage::State>(),
    // morale
    RuleEntry::of::<morale::Check>(),
    RuleEntry::of::<morale::Archetype>(),
    RuleEntry::of::<morale::Due>(),
    RuleEntry::of::<morale::Watch>(),
    // initiative
    RuleEntry::of::<initiative::Roll>(),
    RuleEntry::of::<initiative::Delay>(),
    RuleEntry::of::<initiative::Reach>(),
    // grenade
    RuleEntry::of::<grenade::Throw>(),
    RuleEntry::of::<grenade::Oil>(),
    RuleEntry::of::<grenade::OilBurning>(),
    RuleEntry::of::<grenade::OilPool>(),
    RuleEntry::of::<grenade::HolyWater>(),
    RuleEntry::of::<grenade::Resolve>(),
    // movement
    RuleEntry::of::<movement::Step>(),
    RuleEntry::of::<movement::Engaged>(),
    RuleEntry::of::<movement::Run>(),
    RuleEntry::of::<movement::Endurance>(),
    RuleEntry::of::<movement::Turn>(),
    RuleEntry::of::<movement::Sidestep>(),
    // flight
    RuleEntry::of::<flight::Climb>(),
    RuleEntry::of::<flight::Dive>(),
    RuleEntry::of::<flight::Float>(),
    // pursuit
    RuleEntry::of::<pursuit::Evade>(),
    RuleEntry::of::<pursuit::Stumble>(),
    RuleEntry::of::<pursuit::Lost>(),
    // disengage
    RuleEntry::of::<disengage::Leave>(),
    RuleEntry::of::<disengage::PartingShots>(),
    // weapon
    RuleEntry::of::<weapon::ProficiencySlots>(),
    RuleEntry::of::<weapon::MayUse>(),
    RuleEntry::of::<weapon::Assassinate>(),
    // normal_man
    RuleEntry::of::<normal_man::Create>(),
    // touch
    RuleEntry::of::<touch::Attack>(),
    // vehicle
    RuleEntry::of::<vehicle::Hit>(),
    RuleEntry::of::<vehicle::State>(),
    RuleEntry::of::<vehicle::Repair>(),
    // psionic
    RuleEntry::of::<psionic::potential::TotalStrength>(),
    RuleEntry::of::<psionic::potential::Eligible>(),
    RuleEntry::of::<psionic::potential::TestPotential>(),
    RuleEntry::of::<psionic::potential::StartingStrength>(),
    RuleEntry::of::<psionic::potential::RetestPotential>(),
    RuleEntry::of::<psionic::change::AdjustStrength>(),
    RuleEntry::of::<psionic::change::Wish>(),
    RuleEntry::of::<psionic::change::ItemStrength>(),
    RuleEntry::of::<psionic::change::NaturalScores>(),
    RuleEntry::of::<psionic::modes::AttackModeCount>(),
    RuleEntry::of::<psionic::modes::DefenseModeCount>(),
    RuleEntry::of::<psionic::modes::ChooseAttackModes>(),
    RuleEntry::of::<psionic::modes::ChooseDefenseModes>(),
    RuleEntry::of::<psionic::modes::AttackModeStatistics>(),
    RuleEntry::of::<psionic::modes::DefenseModeStatistics>(),
    RuleEntry::of::<psionic::ranges::AttackRange>(),
    RuleEntry::of::<psionic::ranges::BlastCone>(),
    RuleEntry::of::<psionic::ranges::IdInsinuationArea>(),
    RuleEntry::of::<psionic::discipline::DisciplineCount>(),
    RuleEntry::of::<psionic::discipline::RollDisciplines>(),
    RuleEntry::of::<psionic::discipline::UsableDisciplines>(),
    RuleEntry::of::<psionic::discipline::DisciplineMastery>(),
    RuleEntry::of::<psionic::discipline::PayDiscipline>(),
    RuleEntry::of::<psionic::series::LinkedRange>(),
    RuleEntry::of::<psionic::series::Series>(),
    RuleEntry::of::<psionic::series::SeriesMember>(),
    RuleEntry::of::<psionic::series::SpendStrength>(),
    RuleEntry::of::<psionic::recovery::Recover>(),
    RuleEntry::of::<psionic::conduct::CombatSegments>(),
    RuleEntry::of::<psionic::conduct::CombatEnds>(),
    RuleEntry::of::<psionic::conduct::MayAct>(),
    RuleEntry::of::<psionic::conduct::PsychicCrushDefense>(),
    RuleEntry::of::<psionic::defended::AttackDefended>(),
    RuleEntry::of::<psionic::defended::ApplyDefenseLoss>(),
    RuleEntry::of::<psionic::shared_defense::SharedDefense>(),
    RuleEntry::of::<psionic::defended::PsychicCrush>(),
    RuleEntry::of::<psionic::defenseless::AttackDefenseless>(),
    RuleEntry::of::<psionic::segment::Segment>(),
    RuleEntry::of::<psionic::duel::ChooseAttack>(),
    RuleEntry::of::<psionic::duel::ChooseDefense>(),
    RuleEntry::of::<psionic::duel::Duel>(),
    RuleEntry::of::<psionic::blast::BlastSave>(),
    RuleEntry::of::<psionic::blast_effect::BlastEffectRoll>(),
    RuleEntry::of::<psionic::encounter::Encounter>(),
    RuleEntry::of::<psionic::encounter::MonsterWisdom>(),
    // spell
    RuleEntry::of::<spell::GainLevel>(),
    RuleEntry::of::<spell::CheckGroup>(),
    RuleEntry::of::<spell::CheckSpell>(),
    RuleEntry::of::<spell::StartingBook>(),
    RuleEntry::of::<spell::StartingBookIllusionist>(),
    RuleEntry::of::<spell::MayLearn>(),
    RuleEntry::of::<spell::Learn>(),
    RuleEntry::of::<spell::Transcribe>(),
    RuleEntry::of::<spell::ResearchChance>(),
    RuleEntry::of::<spell::ResearchWeekCost>(),
    RuleEntry::of::<spell::ResearchSetback>(),
    RuleEntry::of::<spell::Research>(),
    RuleEntry::of::<spell::PagesNeeded>(),
    RuleEntry::of::<spell::BookHasRoom>(),
    RuleEntry::of::<spell::Inscribe>(),
    RuleEntry::of::<spell::MayCastFrom>(),
    RuleEntry::of::<spell::IntelligenceFalls>(),
    RuleEntry::of::<spell::IntelligenceRises>(),
    RuleEntry::of::<spell::Study>(),
    // proficiency
    RuleEntry::of::<proficiency::AbilityModifier>(),
    RuleEntry::of::<proficiency::TargetNumber>(),
    RuleEntry::of::<proficiency::Check>(),
    RuleEntry::of::<proficiency::Assist>(),
    RuleEntry::of::<proficiency::Opposed>(),
    RuleEntry::of::<proficiency::Slots>(),
    RuleEntry::of::<proficiency::SlotCost>(),
    RuleEntry::of::<proficiency::IsClassSkill>(),
    RuleEntry::of::<proficiency::AssignLevelPoints>(),
    // potion
    RuleEntry::of::<potion::Requirements>(),
    RuleEntry::of::<potion::HireAlchemist>(),
    RuleEntry::of::<potion::LaboratoryCost>(),
    RuleEntry::of::<potion::ResearchFormula>(),
    RuleEntry::of::<potion::BrewingCost>(),
    RuleEntry::of::<potion::FailureChance>(),
    RuleEntry::of::<potion::Brew>(),
    RuleEntry::of::<potion::Mishap>(),
    RuleEntry::of::<potion::Project>(),
    // ruling
    RuleEntry::of::<ruling::Encumbrance>(),
    RuleEntry::of::<ruling::PolymorphChecks>(),
    RuleEntry::of::<ruling::ConstitutionHitPoints>(),
    RuleEntry::of::<ruling::DetectEvil>(),
    RuleEntry::of::<ruling::SurpriseMissiles>(),
    RuleEntry::of::<ruling::SurpriseSpell>(),
    RuleEntry::of::<ruling::HideInShadows>(),
    RuleEntry::of::<ruling::AssassinationExperience>(),
    RuleEntry::of::<ruling::AnimateDead>(),
    RuleEntry::of::<ruling::CastAndMove>(),
    RuleEntry::of::<ruling::ConsciousnessRuling>(),
    RuleEntry::of::<ruling::HearNoise>(),
    RuleEntry::of::<ruling::BackpackLoad>(),
    // back_stab
    RuleEntry::of::<back_stab::Multiplier>(),
    RuleEntry::of::<back_stab::Attack>(),
    RuleEntry::of::<back_stab::Approach>(),
    RuleEntry::of::<back_stab::RearArmorClass>(),
    RuleEntry::of::<back_stab::ChanceToHit>(),
    RuleEntry::of::<back_stab::Damage>(),
    RuleEntry::of::<back_stab::DamagePerRound>(),
    // grapple
    RuleEntry::of::<grapple::Start>(),
    RuleEntry::of::<grapple::Check>(),
    RuleEntry::of::<grapple::May>(),
    RuleEntry::of::<grapple::Move>(),
    RuleEntry::of::<grapple::Take>(),
    RuleEntry::of::<grapple::HeldAc>(),
    RuleEntry::of::<grapple::Escape>(),
    RuleEntry::of::<grapple::Capacity>(),
    RuleEntry::of::<grapple::Bout>(),
    // joust
    RuleEntry::of::<joust::MayHit>(),
    RuleEntry::of::<joust::Pass>(),
    RuleEntry::of::<joust::Unhorse>(),
    RuleEntry::of::<joust::Run>(),
    // maneuver
    RuleEntry::of::<maneuver::Brawl>(),
    RuleEntry::of::<maneuver::Charge>(),
    RuleEntry::of::<maneuver::Cover>(),
    RuleEntry::of::<maneuver::Flank>(),
    RuleEntry::of::<maneuver::SetWeapon>(),
    RuleEntry::of::<maneuver::DisruptSpell>(),
    RuleEntry::of::<maneuver::SpellDuel>(),
    // missile
    RuleEntry::of::<missile::Range>(),
    RuleEntry::of::<missile::WeaponRanges>(),
    RuleEntry::of::<missile::Reload>(),
    RuleEntry::of::<missile::Stray>(),
    RuleEntry::of::<missile::Shoot>(),
    // save
    RuleEntry::of::<save::Target>(),
    RuleEntry::of::<save::Roll>(),
    // armor, weapon, vehicle: figures
    RuleEntry::of::<equipment::ArmorFigures>(),
    RuleEntry::of::<equipment::WeaponFigures>(),
    RuleEntry::of::<equipment::VehicleFigures>(),
    // subdual
    RuleEntry::of::<subdual::Apply>(),
    RuleEntry::of::<subdual::Wake>(),
];

/// The list of rules, with an index by name.
pub struct Book {
    by_name: HashMap<&'static str, &'static RuleEntry>,
}

impl Book {
    /// The one book.
    #[must_use]
    pub fn shared() -> &'static Book {
        static BOOK: OnceLock<Book> = OnceLock::new();
        BOOK.get_or_init(|| Book { by_name: RULES.iter().map(|entry| (entry.name, entry)).collect() })
    }

    /// Every rule, in order.
    #[must_use]
    pub fn entries(&self) -> &'static [RuleEntry] {
        RULES
    }

    /// The rule of this name.
    #[must_use]
    pub fn entry(&self, name: &str) -> Option<&'static RuleEntry> {
        self.by_name.get(name).copied()
    }

    /// The modules, each once, in order.
    #[must_use]
    pub fn modules(&self) -> Vec<&'static str> {
        let mut modules: Vec<&'static str> = Vec::new();
        for entry in RULES {
            if !modules.contains(&entry.module()) {
                modules.push(entry.module());
            }
        }
        modules
    }

    /// Every table that a rule reads, each once.
    #[must_use]
    pub fn tables(&self) -> Vec<&'static dyn AnyTable> {
        let mut tables: Vec<&'static dyn AnyTable> = Vec::new();
        for table in RULES.iter().flat_map(|entry| entry.tables) {
            if tables.iter().all(|known| known.name() != table.name()) {
                tables.push(*table);
            }
        }
        tables
    }

    /// The full names of all switches: `opposed.contest.ties`.
    #[must_use]
    pub fn switch_paths(&self) -> Vec<String> {
        RULES
            .iter()
            .flat_map(|entry| entry.switch_names().into_iter().map(move |switch| format!("{}.{switch}", entry.name)))
            .collect()
    }
}
