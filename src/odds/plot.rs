//! Odds as pictures in plain text, for a terminal.

use std::fmt::{Display, Write as _};

use dashu_int::UBig;
use dashu_ratio::RBig;

use super::distribution::Distribution;
use super::odds::{Odds, OddsValue};
use super::weight::Weight;
use crate::printable::escaped;

/// How large a picture may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Columns. Below 24 it is taken as 24.
    pub width: usize,
    /// The most rows; numbers that would need more are put together in ranges.
    pub rows: usize,
}

impl Default for Frame {
    /// 80 columns, 40 rows.
    fn default() -> Self {
        Frame { width: 80, rows: 40 }
    }
}

/// One row of a picture.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Bar {
    pub label: String,
    pub p: f64,
}

/// Each value a bar.
pub(super) fn bars<T: Display>(distribution: &Distribution<T>) -> Vec<Bar> {
    distribution.floats().map(|(value, p)| Bar { label: escaped(&value.to_string()).into_owned(), p }).collect()
}

/// Numbers as bars, no more than `rows`: ranges of equal width where there are more values.
fn ranges(distributions: &[&Distribution<i64>], rows: usize) -> Vec<Vec<Bar>> {
    let least = distributions.iter().filter_map(|d| d.min()).min().copied().unwrap_or(0);
    let greatest = distributions.iter().filter_map(|d| d.max()).max().copied().unwrap_or(0);
    let mut values: Vec<i64> = distributions.iter().flat_map(|d| d.entries().iter().map(|(value, _)| *value)).collect();
    values.sort_unstable();
    values.dedup();
    if values.len() <= rows.max(1) {
        let bars = |d: &&Distribution<i64>| {
            let p = |value: &i64| d.weight(value).float(d.total());
            values.iter().map(|value| Bar { label: value.to_string(), p: p(value) }).collect()
        };
        return distributions.iter().map(bars).collect();
    }
    // What is all but impossible at either end stands in one row, so that the ranges show the body.
    let (low, high) = distributions
        .iter()
        .map(|d| body(d))
        .fold((greatest, least), |(low, high), (from, to)| (low.min(from), high.max(to)));
    let tails = usize::from(low > least) + usize::from(high < greatest);
    let span = i128::from(high) - i128::from(low) + 1;
    let body_rows = rows.saturating_sub(tails).max(1) as i128;
    let width = (span + body_rows - 1) / body_rows;
    let mut ranges: Vec<(i128, i128)> = Vec::new();
    if low > least {
        ranges.push((least.into(), i128::from(low) - 1));
    }
    let mut from = i128::from(low);
    while from <= i128::from(high) {
        ranges.push((from, (from + width - 1).min(high.into())));
        from += width;
    }
    if high < greatest {
        ranges.push((i128::from(high) + 1, greatest.into()));
    }
    let label = |(from, to): (i128, i128)| if from == to { from.to_string() } else { format!("{from}…{to}") };
    let bars = |d: &&Distribution<i64>| {
        let mut bars: Vec<Bar> = ranges.iter().map(|range| Bar { label: label(*range), p: 0.0 }).collect();
        for (value, p) in d.floats() {
            let at = ranges.partition_point(|(_, to)| *to < i128::from(*value));
            bars[at].p += p;
        }
        bars
    };
    distributions.iter().map(bars).collect()
}

/// The values between which all but a thousandth lies.
fn body(distribution: &Distribution<i64>) -> (i64, i64) {
    let end = |part: f64| distribution.percentile(part).copied().unwrap_or(0);
    (end(0.000_5), end(0.999_5))
}

/// A share in percent with a place that tells something: `13.3 %`, `0.08 %`, `<0.01 %`.
pub(super) fn percent(p: f64) -> String {
    let percent = p * 100.0;
    if p <= 0.0 {
        "0 %".into()
    } else if percent < 0.01 {
        "<0.01 %".into()
    } else if percent < 0.1 {
        format!("{percent:.2} %")
    } else {
        format!("{percent:.1} %")
    }
}

/// A bar of some eighths of a column; the least mark where there is anything at all.
fn blocks(part: f64, columns: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (part * columns as f64 * 8.0).round() as usize;
    let eighths = if part > 0.0 { eighths.max(1) } else { 0 };
    format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8])
}

fn widest<'t>(texts: impl Iterator<Item = &'t str>) -> usize {
    texts.map(|text| text.chars().count()).max().unwrap_or(0)
}

/// A label no longer than a width; the end of a long one is left out.
fn shortened(label: &str, width: usize) -> String {
    if label.chars().count() <= width {
        return label.to_owned();
    }
    label.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

fn rows(bars: &[Bar], frame: Frame) -> String {
    let width = frame.width.max(24);
    let labels: Vec<String> = bars.iter().map(|bar| shortened(&bar.label, width / 3)).collect();
    let shares: Vec<String> = bars.iter().map(|bar| percent(bar.p)).collect();
    let label_width = widest(labels.iter().map(String::as_str));
    let share_width = widest(shares.iter().map(String::as_str));
    let columns = width.saturating_sub(label_width + share_width + 2).max(1);
    let most = bars.iter().map(|bar| bar.p).fold(0.0, f64::max);
    let mut text = String::new();
    for ((bar, label), share) in bars.iter().zip(&labels).zip(&shares) {
        let part = if most > 0.0 { bar.p / most } else { 0.0 };
        // Writing into a String cannot fail.
        let _ = writeln!(text, "{label:>label_width$} {:<columns$} {share:>share_width$}", blocks(part, columns));
    }
    text
}

/// A histogram of numbers that fits the frame: a row a value (or a range of values), each row ended.
#[must_use]
pub fn histogram(distribution: &Distribution<i64>, frame: Frame) -> String {
    ranges(&[distribution], frame.rows).first().map_or_else(String::new, |bars| rows(bars, frame))
}

/// A histogram of values of any kind, a row each; beyond the frame's rows the least likely are counted together.
#[must_use]
pub fn histogram_of<T: Display>(distribution: &Distribution<T>, frame: Frame) -> String {
    let mut all = bars(distribution);
    if all.len() > frame.rows.max(1) {
        let mut by_chance: Vec<f64> = all.iter().map(|bar| bar.p).collect();
        by_chance.sort_by(|a, b| b.total_cmp(a));
        let least = by_chance[frame.rows.max(2) - 2];
        let (shown, rest): (Vec<Bar>, Vec<Bar>) = all.into_iter().partition(|bar| bar.p >= least);
        let (shown, more) = shown.split_at(shown.len().min(frame.rows.max(2) - 1));
        let others = rest.iter().chain(more);
        let label = format!("{} others", others.clone().count());
        let p = others.map(|bar| bar.p).sum();
        all = shown.to_vec();
        all.push(Bar { label, p });
    }
    rows(&all, frame)
}

/// Two histograms over each other, with a legend: `█` where both reach, `▓` the first alone, `░` the second alone.
#[must_use]
pub fn overlay(first: (&str, &Distribution<i64>), second: (&str, &Distribution<i64>), frame: Frame) -> String {
    let both = ranges(&[first.1, second.1], frame.rows);
    let [one, two] = &both[..] else { return String::new() };
    let width = frame.width.max(24);
    let label_width = widest(one.iter().map(|bar| bar.label.as_str()));
    let shares: Vec<(String, String)> = one.iter().zip(two).map(|(a, b)| (percent(a.p), percent(b.p))).collect();
    let share_width = widest(shares.iter().flat_map(|(a, b)| [a.as_str(), b.as_str()]));
    let columns = width.saturating_sub(label_width + 2 * share_width + 3).max(1);
    let most = one.iter().chain(two).map(|bar| bar.p).fold(0.0, f64::max);
    let reach = |p: f64| if p > 0.0 { ((p / most * columns as f64).round() as usize).max(1) } else { 0 };
    let mut text = String::new();
    for ((a, b), (share_a, share_b)) in one.iter().zip(two).zip(&shares) {
        let (first, second) = (reach(a.p), reach(b.p));
        let both = first.min(second);
        let alone = if first > second { "▓" } else { "░" };
        let bar = format!("{}{}", "█".repeat(both), alone.repeat(first.max(second) - both));
        let label = &a.label;
        let _ = writeln!(text, "{label:>label_width$} {bar:<columns$} {share_a:>share_width$} {share_b:>share_width$}");
    }
    let legend = format!("▓ {}   ░ {}   █ both", first.0, second.0);
    let _ = writeln!(text, "{}", shortened(&legend, width));
    text
}

/// The line above a picture: `mean 12.24 · sd 2.85 · 3 to 18 · exact`.
#[must_use]
pub fn summary(odds: &Odds) -> String {
    let mut parts = Vec::new();
    if let OddsValue::Number(distribution) = &odds.value
        && let (Some(mean), Some(least), Some(greatest)) = (odds.mean(), distribution.min(), distribution.max())
    {
        parts.push(format!("mean {}", decimal(UBig::share_float(&mean))));
        parts.push(format!("sd {}", decimal(distribution.sd())));
        let open = if distribution.is_whole() { "" } else { " and beyond" };
        parts.push(format!("{least} to {greatest}{open}"));
    }
    parts.push(match (odds.sampled(), odds.remainder().is_zero()) {
        (Some(trials), _) => match odds.mean_interval() {
            Some(interval) => format!("{trials} rolls, mean ± {}", decimal(interval.high - interval.middle)),
            None => format!("{trials} rolls"),
        },
        (None, _) => exactness(&odds.remainder()),
    });
    parts.join(" · ")
}

/// How exact odds are that were not sampled: `exact`, or what was cut off, `exact but for 1e-15`.
#[must_use]
pub fn exactness(remainder: &RBig) -> String {
    match UBig::share_float(remainder) {
        0.0 => "exact".into(),
        small @ ..0.001 => format!("exact but for {small:.0e}"),
        part => format!("exact but for {} that was cut off", percent(part)),
    }
}

/// Two places, or more where the number is small.
fn decimal(number: f64) -> String {
    if number != 0.0 && number.abs() < 0.095 { format!("{number:.2e}") } else { format!("{number:.2}") }
}

/// Every value with its share in one line, the likeliest first: `ogre 62.0 % · fighter 30.5 % · nobody 7.5 %`.
#[must_use]
pub fn shares<T: Display>(distribution: &Distribution<T>) -> String {
    let mut all = bars(distribution);
    all.sort_by(|a, b| b.p.total_cmp(&a.p));
    let parts: Vec<String> = all.iter().map(|bar| format!("{} {}", bar.label, percent(bar.p))).collect();
    parts.join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::{Expression, Params};
    use crate::odds::{Budget, of_expression};

    fn odds(text: &str) -> Odds {
        of_expression(&Expression::parse(text).unwrap(), &Params::new(), &Budget::default()).unwrap()
    }

    fn picture(text: &str, width: usize, rows: usize) -> String {
        histogram(odds(text).number().unwrap(), Frame { width, rows })
    }

    #[test]
    fn a_histogram_has_a_row_a_value_and_fits_its_width() {
        let text = picture("2d4", 30, 40);
        let expected = "\
2 █████▎                 6.2 %
3 ██████████▌           12.5 %
4 ███████████████▊      18.8 %
5 █████████████████████ 25.0 %
6 ███████████████▊      18.8 %
7 ██████████▌           12.5 %
8 █████▎                 6.2 %
";
        assert_eq!(text, expected);
        for width in [24, 40, 80, 200] {
            for text in ["4d6kh3", "100d6", "1d6!", "1d1"] {
                let lines = picture(text, width, 20);
                assert!(lines.lines().count() <= 20);
                assert!(lines.lines().all(|line| line.chars().count() == width), "{lines}");
            }
        }
    }

    #[test]
    fn many_values_stand_in_ranges_that_lose_nothing() {
        let lines = picture("100d6", 60, 10);
        assert_eq!(lines.lines().count(), 10);
        assert!(lines.starts_with("100…"), "{lines}");
        let shares = ranges(&[odds("100d6").number().unwrap()], 10);
        assert!((shares[0].iter().map(|bar| bar.p).sum::<f64>() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn an_overlay_shows_both_and_names_them() {
        let (a, b) = (odds("2d6"), odds("1d12"));
        let text = overlay(("2d6", a.number().unwrap()), ("1d12", b.number().unwrap()), Frame { width: 50, rows: 40 });
        assert_eq!(text.lines().count(), 13);
        assert!(text.lines().take(12).all(|line| line.chars().count() == 50), "{text}");
        assert!(text.ends_with("▓ 2d6   ░ 1d12   █ both\n"), "{text}");
    }

    #[test]
    fn the_summary_says_how_exact_it_is() {
        assert_eq!(summary(&odds("4d6kh3")), "mean 12.24 · sd 2.85 · 3 to 18 · exact");
        assert!(summary(&odds("1d6!")).starts_with("mean 4.20"), "{}", summary(&odds("1d6!")));
        assert!(summary(&odds("1d6!")).contains("exact but for"), "{}", summary(&odds("1d6!")));
    }

    #[test]
    fn values_of_any_kind_are_named_with_their_share() {
        let winners = Distribution::from_weights([("ogre", 3u8.into()), ("fighter", UBig::ONE)], None);
        assert_eq!(shares(&winners), "ogre 75.0 % · fighter 25.0 %");
        let many = Distribution::<i64>::uniform(1..=30);
        let text = histogram_of(&many, Frame { width: 40, rows: 5 });
        assert_eq!(text.lines().count(), 5);
        assert!(text.contains("26 others"), "{text}");
    }
}
