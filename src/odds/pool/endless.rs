//! Sums of dice that explode without an end, exactly up to a value beyond which hardly anything lies.
//!
//! With E the faces that end a chain and Q those that go on, one die has the generating function E/(1 - Q), a sum of n
//! has E^n·(1 - Q)^(-n). The second factor has no end, but each of its coefficients follows from the last few. So every
//! probability that is listed is exact, and all that is cut off lies above.

use dashu_int::UBig;

use super::steps::Test;
use super::{Fresh, Step, Task, fits};
use crate::dice::notation::tree::Style;
use crate::odds::budget::Meter;
use crate::odds::distribution::Distribution;
use crate::odds::error::OddsError;
use crate::odds::polynomial::Polynomial;
use crate::odds::weight::ratio;

/// A die may add so many dice and no more: chains that come there must not count.
const MOST_ADDED: i32 = 1_000;

/// The odds of a pool with one explosion without an end and nothing else; nothing where this way does not fit.
pub(super) fn summed(count: u32, fresh: &Fresh, task: &Task<'_>) -> Result<Option<Distribution<i64>>, OddsError> {
    let [(Step::Explode(style, None, test), _)] = task.steps else { return Ok(None) };
    if *style == Style::Alone {
        return Ok(None);
    }
    let less = i64::from(*style == Style::Penetrate);
    let Some(chains) = Chains::of(count, fresh, *test, less, task.cut) else { return Ok(None) };
    fits(chains.ends.low(), chains.ends.high().max(chains.on.high()), u64::from(count) + chains.explosions, task.span)?;
    chains.sum(task.meter).map(Some)
}

struct Chains {
    count: u32,
    /// The faces that end a chain, and those that go on, as they count when they were added.
    ends: Polynomial,
    on: Polynomial,
    faces: UBig,
    /// More explosions in all are too unlikely to be told.
    explosions: u64,
    cut: f64,
}

impl Chains {
    fn of(count: u32, fresh: &Fresh, test: Test, less: i64, cut: f64) -> Option<Self> {
        let ends = fresh.polynomial(|face| !test.holds(face), 0);
        let on = fresh.polynomial(|face| test.holds(face), -less);
        if ends.is_zero() || on.is_zero() || on.low() < 1 {
            return None;
        }
        let span = on.high().max(ends.high()).abs_diff(ends.low());
        let again = ratio(&on.total(), &fresh.total);
        let in_bounds =
            f64::from(count) * again.powi(MOST_ADDED) <= cut && span <= 50 * fresh.faces.len() as u64 + 1_000;
        let explosions = explosions(f64::from(count), again, cut)?;
        in_bounds.then(|| Chains { count, ends, on, faces: fresh.total.clone(), explosions, cut })
    }

    fn sum(&self, meter: &Meter) -> Result<Distribution<i64>, OddsError> {
        let n = i64::from(self.count);
        // Every value up to here is told in full: whatever the ends come to, enough explosions are counted beside them.
        let added = n * (self.ends.high() - self.ends.low()) + self.explosions as i64 * self.on.high();
        let last = n * self.ends.low() + added;
        let most = added / self.on.low();
        let what = || format!("the sum of {} exploding dice", self.count);
        let words = 1.0 + (most + n) as f64 * ratio(&self.faces, &UBig::ONE).log2() / 64.0;
        let terms = self.on.len() as f64;
        meter.announce(
            what,
            added as f64 * (terms * (1.0 + words / 30.0) + words) + self.ends.power_steps(self.count),
        )?;
        let more = self.more(added as usize, most as usize, meter)?;
        let ends = self.ends.power(self.count, meter)?;
        meter.announce(what, ends.product_steps(&more))?;
        let sums = ends.multiply_within(&more, meter)?;
        let total = self.faces.pow(n as usize + most as usize);
        let mut entries = sums.into_distribution(total.clone()).into_entries();
        entries.retain(|(value, _)| *value <= last);
        self.shorten(&mut entries, &total);
        let last = entries.last().map_or(0, |(value, _)| *value);
        Ok(Distribution::from_sorted(entries, total).cut_above(last))
    }

    /// The coefficients 0 to `added` of (1 - Q)^(-n), times the faces to the power `most` so that all are whole: with R
    /// that series, (1 - Q)·R' = n·Q'·R.
    fn more(&self, added: usize, most: usize, meter: &Meter) -> Result<Polynomial, OddsError> {
        let n = u64::from(self.count);
        let on: Vec<(usize, UBig)> = self.on.terms().map(|(value, weight)| (value as usize, weight.clone())).collect();
        let mut more: Vec<UBig> = Vec::with_capacity(added + 1);
        more.push(self.faces.pow(most));
        for k in 1..=added {
            meter.pause()?;
            let mut sum = UBig::ZERO;
            for (value, weight) in on.iter().take_while(|(value, _)| *value <= k) {
                if !more[k - value].is_zero() {
                    sum += &more[k - value] * ((k - value) as u64 + n * *value as u64) * weight;
                }
            }
            more.push(if sum.is_zero() { sum } else { sum / (&self.faces * k as u64) });
        }
        Ok(Polynomial::from_low(0, more))
    }

    /// Leaves off the greatest values as long as they are hardly likely together.
    fn shorten(&self, entries: &mut Vec<(i64, UBig)>, total: &UBig) {
        let mut left_off = UBig::ZERO;
        while let Some((_, weight)) = entries.last() {
            left_off += weight;
            if ratio(&left_off, total) > self.cut {
                return;
            }
            entries.pop();
        }
    }
}

/// How many explosions `count` dice may have together, each die going on with chance `again`, so that more are no
/// likelier than `cut`; nothing where that is hardly bounded.
fn explosions(count: f64, again: f64, cut: f64) -> Option<u64> {
    let mut log_chance = count * (1.0 - again).ln();
    for number in 0..1_000_000u64 {
        // So many explosions happen `grows` times as often as one fewer, and from the likeliest on ever less.
        let grows = again * (count + number as f64) / (number as f64 + 1.0);
        if grows < 1.0 && log_chance + (grows / (1.0 - grows)).ln() < cut.ln() {
            return Some(number);
        }
        log_chance += grows.ln();
    }
    None
}
