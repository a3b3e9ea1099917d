//! Means and intervals as an inline picture: one line a row and run, in the colours of the page.

use std::fmt::Write as _;

use super::html::escape;
use crate::metrics::Estimate;

const LINE: f64 = 15.0;
const LEFT: f64 = 190.0;
const RIGHT: f64 = 560.0;
const WIDTH: f64 = 580.0;

/// A row's name and its value in each run.
pub(super) type PlotRow<'r> = (&'r str, Vec<Option<Estimate>>);

/// The picture of one column.
pub(super) fn intervals(title: &str, rows: &[PlotRow<'_>]) -> String {
    let values = || rows.iter().flat_map(|it| it.1.iter().flatten());
    let low = values().map(|it| it.low).fold(0.0, f64::min);
    let high = values().map(|it| it.high).fold(f64::MIN, f64::max);
    let top = step_up(high);
    let bottom = if low < 0.0 { -step_up(-low) } else { 0.0 };
    let span = if top > bottom { top - bottom } else { 1.0 };
    let x = |value: f64| LEFT + (value - bottom) / span * (RIGHT - LEFT);
    let runs = rows.iter().map(|it| it.1.len()).max().unwrap_or(1);
    let row_height = LINE * runs as f64 + 5.0;
    let height = row_height * rows.len() as f64 + 22.0;
    let mut res = format!(
        r#"<svg viewBox="0 0 {WIDTH} {height:.0}" role="img" aria-label="{}">"#,
        escape(title)
    );
    for part in 0..=4 {
        let value = bottom + span * f64::from(part) / 4.0;
        let (at, foot) = (x(value), height - 18.0);
        let _ =
            write!(res, r#"<line class="grid" x1="{at:.1}" x2="{at:.1}" y1="0" y2="{foot:.1}"/>"#);
        let _ = write!(
            res,
            r#"<text class="tick" x="{at:.1}" y="{:.1}">{}</text>"#,
            height - 5.0,
            tick(value)
        );
    }
    for (idx, (name, values)) in rows.iter().enumerate() {
        let y = row_height * idx as f64 + 4.0;
        let middle = y + LINE * runs as f64 / 2.0 + 4.0;
        let _ = write!(
            res,
            r#"<text class="name" x="{:.0}" y="{middle:.1}">{}</text>"#,
            LEFT - 8.0,
            escape(&short(name))
        );
        for (run, value) in values.iter().enumerate() {
            let Some(it) = value else { continue };
            let y = y + LINE * run as f64 + LINE / 2.0;
            let (from, to, mean, colour) = (x(it.low), x(it.high), x(it.mean), run % 6);
            let _ = write!(
                res,
                r#"<line class="bar c{colour}" x1="{from:.1}" x2="{to:.1}" y1="{y:.1}" y2="{y:.1}"/>"#
            );
            let _ = write!(res, r#"<circle class="c{colour}" cx="{mean:.1}" cy="{y:.1}" r="4"/>"#);
        }
    }
    res + "</svg>"
}

/// The next number above that reads well.
fn step_up(value: f64) -> f64 {
    if value <= 0.0 {
        return 0.0;
    }
    let power = 10_f64.powf(value.log10().floor());
    [1.0, 2.0, 4.0, 5.0, 8.0, 10.0]
        .into_iter()
        .map(|it| it * power)
        .find(|it| *it >= value - 1e-9)
        .unwrap_or(value)
}

fn tick(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn short(name: &str) -> String {
    let long = name.chars().count() > 30;
    if long { name.chars().take(29).chain(['…']).collect() } else { name.to_owned() }
}
