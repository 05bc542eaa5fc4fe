//! Several characters together: an award among all who live.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::character::Character;
use super::experience::{Award, AwardArgs};
use crate::rules::core::{List, Natural, Referee, RuleError};

/// What a party is awarded.
#[derive(Clone, Debug, Deserialize)]
pub struct PartyAwardArgs {
    /// Experience points for all together, divided evenly among those who live.
    pub xp: Natural,
    /// Individual awards by name, on top (XP-01).
    #[serde(default)]
    pub individual: BTreeMap<String, List<Natural, 0, 1_000>>,
}

/// What a member made of its part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MemberAward {
    /// Who.
    pub name: String,
    /// What the classes made of it.
    pub award: Award,
}

/// How an award was divided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PartyAward {
    /// Experience points for each who lives.
    pub each: i64,
    /// Points that could not be divided evenly; nobody's.
    pub remainder: i64,
    /// Those who live, in the party's order.
    pub members: Vec<MemberAward>,
}

/// Divides an award evenly among the members who live; each splits its part among its classes.
///
/// # Errors
/// When an individual award names nobody who lives; nobody has changed when it is told before the first die.
pub fn award(
    members: &mut [&mut Character],
    args: PartyAwardArgs,
    referee: &mut Referee<'_>,
) -> Result<PartyAward, RuleError> {
    let PartyAwardArgs { xp, mut individual } = args;
    let living: Vec<usize> = (0..members.len()).filter(|index| members[*index].is_alive()).collect();
    if let Some(nobody) = individual.keys().find(|name| living.iter().all(|index| members[*index].name() != *name)) {
        let known: Vec<&str> = living.iter().map(|index| members[*index].name()).collect();
        let error = RuleError::unknown_among(nobody, "member who lives", nobody, &known);
        return Err(error.within("individual"));
    }
    let (each, remainder) = match living.len() as i64 {
        0 => (0, xp.get()),
        count => (xp.get() / count, xp.get() % count),
    };
    let mut awards = Vec::with_capacity(living.len());
    for index in living {
        let member = &mut *members[index];
        let individual = individual.remove(member.name()).unwrap_or_default();
        let award = member.award(AwardArgs { xp: Natural::clamped(each), individual }, referee)?;
        awards.push(MemberAward { name: member.name().to_owned(), award });
    }
    Ok(PartyAward { each, remainder, members: awards })
}

#[cfg(test)]
mod tests {
    use super::super::character::tests::{halfling, read_json, with_dice};
    use super::*;
    use crate::rules::core::{House, Positive};

    fn mage() -> Character {
        read_json(r#"{"name":"Ilse","max_hp":4,"classes":[{"class":"magic_user"}]}"#).unwrap()
    }

    fn args(xp: i64) -> PartyAwardArgs {
        PartyAwardArgs { xp: Natural::clamped(xp), individual: BTreeMap::new() }
    }

    #[test]
    fn the_dead_get_no_experience() {
        let (mut tam, mut ilse) = (halfling(), mage());
        let mut party = [&mut tam, &mut ilse];
        with_dice(&House::new(), &[], |referee| party[0].take_damage(Positive::clamped(90), referee)).unwrap();
        let award = with_dice(&House::new(), &[], |referee| award(&mut party, args(1_001), referee)).unwrap();
        assert_eq!((award.each, award.remainder, award.members.len()), (1_001, 0, 1));
        assert_eq!(award.members[0].name, "Ilse");
    }

    #[test]
    fn an_individual_award_comes_on_top() {
        let (mut tam, mut ilse) = (halfling(), mage());
        let mut party = [&mut tam, &mut ilse];
        let fifty = List::new(vec![Natural::clamped(50)]).unwrap();
        let given = PartyAwardArgs { individual: BTreeMap::from([("Ilse".to_owned(), fifty)]), ..args(1_001) };
        let award = with_dice(&House::new(), &[], |referee| award(&mut party, given, referee)).unwrap();
        assert_eq!((award.remainder, award.members[0].award.total, award.members[1].award.total), (1, 500, 550));
    }

    #[test]
    fn an_individual_award_for_nobody_is_refused_by_name() {
        let (mut tam, mut ilse) = (halfling(), mage());
        let mut party = [&mut tam, &mut ilse];
        let given = PartyAwardArgs { individual: BTreeMap::from([("Ilsa".to_owned(), List::default())]), ..args(0) };
        let error = with_dice(&House::new(), &[], |referee| award(&mut party, given, referee)).unwrap_err();
        assert!(error.to_string().contains("did you mean \"Ilse\"?"), "{error}");
    }
}
