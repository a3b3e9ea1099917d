//! Draws means and intervals as inline SVG: one line per row and run, in the colours of the page.

use std::fmt::Write as _;

use super::markup::escape;
use crate::measures::Estimate;

const LINE: f64 = 15.0;
const LEFT: f64 = 190.0;
const RIGHT: f64 = 560.0;
const WIDTH: f64 = 580.0;

/// A row's name and its value in each run.
pub(super) type PlotRow<'r> = (&'r str, Vec<Option<Estimate>>);

/// Draws one column.
pub(super) fn intervals(title: &str, rows: &[PlotRow<'_>]) -> String {
    let plot = Plot::new(rows);
    let mut res = format!(
        r#"<svg viewBox="0 0 {WIDTH} {:.0}" role="img" aria-label="{}">"#,
        plot.height,
        escape(title)
    );
    plot.axis(&mut res);
    for (idx, row) in rows.iter().enumerate() {
        plot.row(&mut res, idx, row);
    }
    res + "</svg>"
}

/// The geometry of a picture.
struct Plot {
    /// The distance between two ticks.
    step: f64,
    /// The first and the last tick, in steps.
    bottom: f64,
    top: f64,
    /// Number of runs per row.
    runs: usize,
    row_height: f64,
    height: f64,
}

impl Plot {
    fn new(rows: &[PlotRow<'_>]) -> Self {
        let values = || rows.iter().flat_map(|it| it.1.iter().flatten());
        let low = values().map(|it| it.low).fold(0.0, f64::min);
        let high = values().map(|it| it.high).fold(0.0, f64::max);
        let step = step_up((high - low) / 4.0);
        let (bottom, top) = ((low / step).floor(), (high / step - 1e-9).ceil().max(1.0));
        let runs = rows.iter().map(|it| it.1.len()).max().unwrap_or(1);
        let row_height = LINE * runs as f64 + 5.0;
        let height = row_height * rows.len() as f64 + 22.0;
        Self { step, bottom, top, runs, row_height, height }
    }

    fn x(&self, value: f64) -> f64 {
        LEFT + (value / self.step - self.bottom) / (self.top - self.bottom) * (RIGHT - LEFT)
    }

    fn axis(&self, res: &mut String) {
        for part in self.bottom as i32..=self.top as i32 {
            let value = f64::from(part) * self.step;
            let (at, foot, base) = (self.x(value), self.height - 18.0, self.height - 5.0);
            let class = if part == 0 { "zero" } else { "grid" };
            let _ = write!(
                res,
                r#"<line class="{class}" x1="{at:.1}" x2="{at:.1}" y1="0" y2="{foot:.1}"/>"#
            );
            let _ = write!(
                res,
                r#"<text class="tick" x="{at:.1}" y="{base:.1}">{}</text>"#,
                tick(value)
            );
        }
    }

    fn row(&self, res: &mut String, idx: usize, (name, values): &PlotRow<'_>) {
        let y = self.row_height * idx as f64 + 4.0;
        let middle = y + LINE * self.runs as f64 / 2.0 + 4.0;
        let _ = write!(
            res,
            r#"<text class="name" x="{:.0}" y="{middle:.1}">{}</text>"#,
            LEFT - 8.0,
            escape(&short(name))
        );
        for (run, value) in values.iter().enumerate() {
            let Some(it) = value else { continue };
            let y = y + LINE * run as f64 + LINE / 2.0;
            let [from, to, mean] = [it.low, it.high, it.mean].map(|it| self.x(it));
            let colour = run % 6;
            let _ = write!(
                res,
                r#"<line class="bar c{colour}" x1="{from:.1}" x2="{to:.1}" y1="{y:.1}" y2="{y:.1}"/>"#
            );
            let _ = write!(res, r#"<circle class="c{colour}" cx="{mean:.1}" cy="{y:.1}" r="4"/>"#);
        }
    }
}

/// Rounds up to 1, 2 or 5 times a power of ten.
fn step_up(value: f64) -> f64 {
    if value <= 0.0 {
        return 1.0;
    }
    let power = 10_f64.powf(value.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|it| it * power);
    steps.into_iter().find(|it| *it >= value * (1.0 - 1e-9)).unwrap_or(value)
}

fn tick(value: f64) -> String {
    let text = format!("{value:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

fn short(name: &str) -> String {
    let long = name.chars().count() > 30;
    if long { name.chars().take(29).chain(['…']).collect() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axis_has_round_numbers_and_zero_in_it() {
        let estimate = |mean, low, high| Some(Estimate { n: 3, mean, low, high });
        let picture = intervals("x", &[("a", vec![estimate(0.01, -0.03, 0.05)])]);
        for tick in [">-0.04<", ">-0.02<", ">0<", ">0.02<", ">0.04<", ">0.06<"] {
            assert!(picture.contains(tick), "{tick}: {picture}");
        }
        assert_eq!(picture.matches("class=\"zero\"").count(), 1);
        // Empty rows still give a picture.
        assert!(intervals("x", &[("a", vec![estimate(0.0, 0.0, 0.0), None])]).ends_with("</svg>"));
    }
}
