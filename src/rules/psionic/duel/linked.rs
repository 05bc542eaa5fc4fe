//! Series in a duel: linked before the first segment, dissolved when their leader is out (PSI-OPS-02 to PSI-OPS-04).

use super::Fate;
use super::fight::Fight;
use crate::rules::core::{List, Positive, Referee, RuleError, Whole};
use crate::rules::psionic::Forbidden;
use crate::rules::psionic::series::{Member, Series, SeriesArgs, SeriesEvent, SeriesMember, SeriesMemberArgs};

impl Fight<'_> {
    /// Links the minds of one series, or says why they cannot stand so.
    pub(super) fn link(
        &mut self,
        names: &[String],
        place: usize,
        referee: &mut Referee<'_>,
    ) -> Result<Option<Forbidden>, RuleError> {
        let mut members = Vec::with_capacity(names.len());
        for (position, name) in names.iter().enumerate() {
            let field = format!("series[{}][{}]", place + 1, position + 1);
            let found = self.minds.iter().find(|mind| *mind.given.name == **name).ok_or_else(|| {
                let known: Vec<&str> = self.minds.iter().map(|mind| &*mind.given.name).collect();
                RuleError::unknown_among(&field, "mind", name, &known)
            })?;
            let first = self.minds.iter().find(|mind| *mind.given.name == *names[0]);
            if first.is_some_and(|first| first.given.side != found.given.side) {
                return Err(RuleError::invalid(&field, "is on another side than the first of the series"));
            }
            if found.behind.is_some() || found.received.is_some() {
                return Err(RuleError::invalid(&field, "stands in another series; a mind stands in one"));
            }
            members.push(Member {
                id: name.clone(),
                attack_strength: found.given.attack_strength,
                defense_strength: found.given.defense_strength,
            });
        }
        let Some(members) = List::new(members) else { return Ok(None) };
        let series = referee
            .call::<Series>(SeriesArgs { members })
            .map_err(|error| error.within(&format!("series[{}]", place + 1)))?;
        if let Some(reason) = series.reason {
            return Ok(Some(reason));
        }
        let order = series.order.unwrap_or_default();
        let line: Vec<usize> =
            order.iter().filter_map(|id| self.minds.iter().position(|mind| *mind.given.name == **id)).collect();
        for donor in series.donors.unwrap_or_default() {
            if let Some(mind) = self.minds.iter_mut().find(|mind| *mind.given.name == *donor.id) {
                (mind.attack, mind.defense) = (donor.attack_strength, donor.defense_strength);
            }
        }
        for &member in &line {
            self.minds[member].behind = Some(self.series.len());
        }
        if let (Some(last), Some(&leader)) = (series.last, line.last()) {
            let mind = &mut self.minds[leader];
            mind.behind = None;
            let received = [
                (last.attack_strength - mind.attack, last.attack_strength),
                (last.defense_strength - mind.defense, last.defense_strength),
            ];
            (mind.attack, mind.defense) = (last.attack_strength, last.defense_strength);
            mind.received = Some(received);
        }
        self.series.push(line);
        Ok(None)
    }

    /// Ends a series whose leader is out: the others stand alone from the next segment.
    pub(super) fn leader_fell(&mut self, series: usize, referee: &mut Referee<'_>) -> Result<(), RuleError> {
        let Some(&leader) = self.series[series].last() else { return Ok(()) };
        let mind = &self.minds[leader];
        if mind.fate == Fate::Standing || mind.received.is_none() {
            return Ok(());
        }
        let length = self.series[series].len() as i64;
        let fallen = SeriesMemberArgs {
            position: Positive::clamped(length),
            length: Whole::clamped(length),
            event: Some(SeriesEvent::Killed),
        };
        let stands = referee.call::<SeriesMember>(fallen)?;
        if stands.transferred_removed {
            self.minds[leader].stand_alone(referee)?;
        }
        if !stands.series_continues {
            for member in self.series[series].clone() {
                self.minds[member].behind = None;
            }
        }
        Ok(())
    }
}
