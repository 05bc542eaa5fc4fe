//! Odds as a picture for a page: SVG text.

use std::fmt::Write as _;

use dashu_int::UBig;

use super::distribution::Distribution;
use super::plot::percent;
use super::weight::Weight;
use crate::printable;

/// One distribution of a picture, with the name that the legend gives it.
#[derive(Clone, Copy, Debug)]
pub struct Series<'d> {
    /// Its name: the expression, usually.
    pub name: &'d str,
    /// Its numbers.
    pub distribution: &'d Distribution<i64>,
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 64.0;
const BOTTOM: f64 = 48.0;

/// Fills of the series, told apart by people who see few colors too.
const FILLS: [&str; 4] = ["#2f6f9f", "#d9822b", "#6a994e", "#8e5ea2"];

/// Where things lie on the picture.
struct Scale {
    least: f64,
    unit: f64,
    most: f64,
}

impl Scale {
    fn x(&self, value: f64) -> f64 {
        LEFT + (value - self.least + 0.5) * self.unit
    }

    fn y(&self, p: f64) -> f64 {
        HEIGHT - BOTTOM - p / self.most * (HEIGHT - TOP - BOTTOM)
    }
}

/// A step that people count in (1, 2 or 5 times a power of ten) and that divides a length into about `parts`.
fn pleasant_step(length: f64, parts: f64) -> f64 {
    let raw = (length / parts).max(f64::MIN_POSITIVE);
    let power = 10f64.powf(raw.log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * power).find(|step| *step >= raw).unwrap_or(raw)
}

fn escaped(text: &str) -> String {
    printable::escaped(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A bar chart of one distribution or several over each other, as the text of an SVG file, 760 by 420.
///
/// Values that are all but impossible at either end (less than a thousandth of the likeliest) are left out, so that
/// the shape fills the picture.
#[must_use]
pub fn svg(title: &str, series: &[Series<'_>]) -> String {
    let shown: Vec<Vec<(i64, f64)>> = series.iter().map(|series| shown(series.distribution)).collect();
    let all = || shown.iter().flatten().map(|(value, _)| *value);
    let least = all().min().unwrap_or(0) as f64;
    let greatest = all().max().unwrap_or(1) as f64;
    let highest = shown.iter().flatten().map(|(_, p)| *p).fold(0.0, f64::max).max(1e-9);
    let grid = pleasant_step(highest, 5.0);
    let most = (highest / grid).ceil() * grid;
    let scale = Scale { least, unit: (WIDTH - LEFT - RIGHT) / (greatest - least + 1.0), most };
    let mut text = String::new();
    head(&mut text, title, series);
    axes(&mut text, &scale, grid, greatest);
    for (index, (bars, series)) in shown.iter().zip(series).enumerate() {
        let _ = writeln!(text, "<g fill=\"{}\"><title>{}</title>", fill(index), escaped(series.name));
        draw_bars(&mut text, &scale, bars, index, shown.len());
        text.push_str("</g>\n");
    }
    for (index, series) in series.iter().enumerate() {
        mean_line(&mut text, &scale, series.distribution, index);
    }
    legend(&mut text, series);
    text.push_str("</svg>\n");
    text
}

fn fill(index: usize) -> &'static str {
    FILLS[index % FILLS.len()]
}

/// The values worth showing.
fn shown(distribution: &Distribution<i64>) -> Vec<(i64, f64)> {
    let all: Vec<(i64, f64)> = distribution.floats().map(|(value, p)| (*value, p)).collect();
    let least = all.iter().map(|(_, p)| *p).fold(0.0, f64::max) / 1_000.0;
    let from = all.iter().position(|(_, p)| *p >= least).unwrap_or(0);
    let to = all.iter().rposition(|(_, p)| *p >= least).map_or(all.len(), |at| at + 1);
    all[from..to].to_vec()
}

fn head(text: &mut String, title: &str, series: &[Series<'_>]) {
    let names: Vec<&str> = series.iter().map(|series| series.name).collect();
    let (title, names) = (escaped(title), escaped(&names.join(", ")));
    let _ = writeln!(
        text,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
         height=\"{HEIGHT}\" role=\"img\" font-family=\"system-ui, 'DejaVu Sans', sans-serif\" font-size=\"12\">\n\
         <title>{title}</title>\n<desc>Probabilities of {names}</desc>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"{LEFT}\" y=\"30\" font-size=\"18\" font-weight=\"600\" fill=\"#222222\">{title}</text>"
    );
}

/// Grid lines with percents, and the values below.
fn axes(text: &mut String, scale: &Scale, grid: f64, greatest: f64) {
    let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
    let lines = (scale.most / grid).round() as u32;
    text.push_str("<g stroke=\"#e4e4e4\" fill=\"#666666\">\n");
    for line in 0..=lines {
        let p = f64::from(line) * grid;
        let y = scale.y(p);
        let label = if p == 0.0 { "0".to_owned() } else { trimmed_percent(p) };
        let _ = writeln!(
            text,
            "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\" stroke=\"none\">{label}</text>",
            LEFT - 8.0,
            y + 4.0
        );
    }
    let step = pleasant_step(greatest - scale.least + 1.0, 20.0).max(1.0);
    let first = (scale.least / step).ceil() * step;
    // Counted, because far from 0 a step may be too small to change a number.
    let labels = ((greatest - first) / step).max(0.0) as u32;
    for label in 0..=labels {
        let value = first + f64::from(label) * step;
        if value > greatest {
            break;
        }
        let _ = writeln!(
            text,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\" stroke=\"none\">{value}</text>",
            scale.x(value),
            bottom + 20.0
        );
    }
    let _ =
        writeln!(text, "<line x1=\"{LEFT}\" y1=\"{bottom}\" x2=\"{right}\" y2=\"{bottom}\" stroke=\"#999999\"/>\n</g>");
}

/// A percent of a grid line without zeros behind the point.
fn trimmed_percent(p: f64) -> String {
    let text = format!("{:.4}", p * 100.0);
    format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
}

/// A bar a value, the series side by side; where they would be thinner than a hair, one outline over all.
fn draw_bars(text: &mut String, scale: &Scale, bars: &[(i64, f64)], index: usize, series: usize) {
    // Between the bars of one value and the next lies a little more room than between the series.
    let group = if series > 1 { scale.unit * 0.86 } else { scale.unit };
    let slot = group / series as f64;
    let base = HEIGHT - BOTTOM;
    if slot < 3.0 {
        let mut path = String::new();
        for (value, p) in bars {
            let (left, right) = (scale.x(*value as f64) - scale.unit / 2.0, scale.x(*value as f64) + scale.unit / 2.0);
            let y = scale.y(*p);
            if path.is_empty() {
                let _ = write!(path, "M{left:.2} {base:.2}");
            }
            let _ = write!(path, "L{left:.2} {y:.2}L{right:.2} {y:.2}");
        }
        if let Some((last, _)) = bars.last() {
            let right = scale.x(*last as f64) + scale.unit / 2.0;
            let _ = writeln!(text, "<path fill-opacity=\"0.8\" d=\"{path}L{right:.2} {base:.2}Z\"/>");
        }
        return;
    }
    let gap = (slot * 0.12).min(6.0);
    for (value, p) in bars {
        let x = scale.x(*value as f64) - group / 2.0 + gap / 2.0 + index as f64 * slot;
        let y = scale.y(*p);
        let _ = writeln!(
            text,
            "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{:.2}\" height=\"{:.2}\" rx=\"1.5\"><title>{value}: {}</title></rect>",
            slot - gap,
            base - y,
            percent(*p)
        );
    }
}

fn mean_line(text: &mut String, scale: &Scale, distribution: &Distribution<i64>, index: usize) {
    let mean = UBig::share_float(&distribution.mean());
    let x = scale.x(mean);
    let (top, bottom) = (TOP - 6.0, HEIGHT - BOTTOM);
    // White below the color, so that the line shows before bars of its own color too.
    for (color, width, dashes) in [("#ffffff", 3.5, ""), (fill(index), 1.5, " stroke-dasharray=\"5 4\"")] {
        let _ = writeln!(
            text,
            "<line x1=\"{x:.2}\" y1=\"{top}\" x2=\"{x:.2}\" y2=\"{bottom}\" stroke=\"{color}\" stroke-width=\"{width}\"{dashes}/>"
        );
    }
}

/// Names, means and standard deviations, in one line below the title.
fn legend(text: &mut String, series: &[Series<'_>]) {
    let mut x = LEFT;
    for (index, series) in series.iter().enumerate() {
        let mean = UBig::share_float(&series.distribution.mean());
        let label = format!("{}   mean {mean:.2}, sd {:.2}", series.name, series.distribution.sd());
        let _ = writeln!(
            text,
            "<rect x=\"{x:.1}\" y=\"40\" width=\"11\" height=\"11\" rx=\"2\" fill=\"{}\"/>\
             <text x=\"{:.1}\" y=\"50\" fill=\"#444444\" xml:space=\"preserve\">{}</text>",
            fill(index),
            x + 17.0,
            escaped(&label)
        );
        x += 40.0 + 6.6 * label.chars().count() as f64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_names_what_it_shows_and_escapes_it() {
        let die = Distribution::uniform(1..=6);
        let text = svg("1d6 <&>", &[Series { name: "1d6 >= 3", distribution: &die }]);
        assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"));
        assert!(text.contains("1d6 &lt;&amp;&gt;") && text.contains("1d6 &gt;= 3"));
        assert_eq!(text.matches("<rect x").count(), 7, "six bars and the legend's mark");
    }

    #[test]
    fn nothing_to_show_is_an_empty_picture() {
        let none = Distribution::<i64>::from_weights([], Some(1u8.into()));
        assert!(!svg("none", &[Series { name: "none", distribution: &none }]).contains("NaN"));
        assert!(!svg("none", &[]).contains("NaN"));
    }

    #[test]
    fn numbers_so_far_from_0_that_floats_skip_some_still_end_in_a_picture() {
        let far = Distribution::uniform((1_i64 << 62) + 1..=(1 << 62) + 2);
        let text = svg("far", &[Series { name: "far", distribution: &far }]);
        assert!(text.ends_with("</svg>\n") && text.matches("<text").count() < 50);
    }

    #[test]
    fn steps_are_ones_twos_and_fives() {
        for (length, parts, step) in [(17.0, 20.0, 1.0), (500.0, 20.0, 50.0), (0.14, 5.0, 0.05)] {
            assert!((pleasant_step(length, parts) - step).abs() < 1e-12);
        }
    }
}
