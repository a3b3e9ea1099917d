//! Plots identifier coverage over budgets, one line per series, as self-contained SVG.

use std::fmt::Write as _;

use crate::runs::table::{Group, Series, Table, by_budget};

const WIDTH: f64 = 900.0;
const PANEL: f64 = 360.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 230.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 40.0;

/// Colours that also differ in lightness.
const COLOURS: [&str; 10] = [
    "#1b6ca8", "#d1495b", "#2e8b57", "#8d5fa8", "#c77d0a", "#3aa6a6", "#7a4b2a", "#d16ba5",
    "#55617a", "#a3a319",
];

/// The plot, one panel per group.
pub fn plot(table: &Table) -> String {
    let height = PANEL * table.groups.len().max(1) as f64;
    let mut res = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (idx, group) in table.groups.iter().enumerate() {
        let top = idx as f64 * PANEL;
        let title = format!(
            "{}, {} ({} tasks): identifier coverage by tokens",
            table.experiment, group.name, group.n
        );
        let _ = writeln!(res, "<g transform=\"translate(0 {top})\">");
        let _ = writeln!(
            res,
            "<text x=\"{LEFT}\" y=\"22\" font-size=\"14\">{}</text>",
            escaped(&title)
        );
        panel(&mut res, group);
        res.push_str("</g>\n");
    }
    res + "</svg>\n"
}

fn panel(res: &mut String, group: &Group) {
    let budgets: Vec<usize> = {
        let all = group.series.iter().flat_map(|it| by_budget(&it.points).into_keys());
        let set: std::collections::BTreeSet<usize> = all.collect();
        set.into_iter().collect()
    };
    let (Some(first), Some(last)) = (budgets.first(), budgets.last()) else { return };
    let highest = group.series.iter().flat_map(|it| &it.points).map(|it| it.identifiers.high);
    let highest = highest.fold(0.05, f64::max);
    let span = ((*last as f64) / (*first as f64).max(1.0)).ln().max(1e-9);
    let x = |budget: usize| {
        LEFT + (budget as f64 / (*first as f64).max(1.0)).ln() / span * (WIDTH - LEFT - RIGHT)
    };
    let y = |value: f64| PANEL - BOTTOM - value / highest * (PANEL - TOP - BOTTOM);
    for step in 0..=4 {
        let value = highest * f64::from(step) / 4.0;
        let (at, right) = (y(value), WIDTH - RIGHT);
        let _ = writeln!(res, "<path d=\"M{LEFT} {at:.1}H{right}\" stroke=\"#ddd\"/>");
        let _ = writeln!(
            res,
            "<text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\">{value:.2}</text>",
            LEFT - 6.0,
            at + 4.0
        );
    }
    for budget in &budgets {
        let _ = writeln!(
            res,
            "<text x=\"{:.1}\" y=\"{:.0}\" text-anchor=\"middle\">{budget}</text>",
            x(*budget),
            PANEL - BOTTOM + 18.0
        );
    }
    for (idx, series) in group.series.iter().enumerate() {
        line(res, series, idx, &x, &y);
    }
}

fn line(
    res: &mut String,
    series: &Series,
    idx: usize,
    x: &dyn Fn(usize) -> f64,
    y: &dyn Fn(f64) -> f64,
) {
    let colour = COLOURS[idx % COLOURS.len()];
    let dash = ["", "6 3", "2 2"][idx / COLOURS.len() % 3];
    let points = by_budget(&series.points);
    let path: Vec<String> = points
        .iter()
        .map(|(b, it)| format!("{:.1},{:.1}", x(*b), y(it.identifiers.mean)))
        .collect();
    let _ = writeln!(
        res,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.6\" stroke-dasharray=\"{dash}\"/>",
        path.join(" ")
    );
    for (budget, it) in &points {
        let _ = writeln!(
            res,
            "<path d=\"M{0:.1} {1:.1}V{2:.1}\" stroke=\"{colour}\" stroke-opacity=\"0.35\"/>",
            x(*budget),
            y(it.identifiers.low),
            y(it.identifiers.high)
        );
    }
    let at = TOP + 15.0 * idx as f64;
    let left = WIDTH - RIGHT + 20.0;
    let _ = writeln!(
        res,
        "<path d=\"M{left} {at}h22\" stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dash}\"/>\
         <text x=\"{}\" y=\"{}\">{}</text>",
        left + 28.0,
        at + 4.0,
        escaped(&series.name)
    );
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
