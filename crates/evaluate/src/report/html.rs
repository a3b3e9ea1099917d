//! The HTML page.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::markup::{escape, number};
use super::paired::differences;
use super::plot::{PlotRow, intervals};
use super::read::Report;
use crate::measures::Estimate;

/// Supports light and dark schemes and narrow screens: tables scroll, pictures shrink with the page.
const STYLE: &str = include_str!("style.css");

/// Renders runs; compares the others with the first.
pub fn page(title: &str, runs: &[Report]) -> String {
    let mut res = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{0}</title><style>{STYLE}</style></head>\n<body><main><h1>{0}</h1>\n",
        escape(title)
    );
    res += &legend(runs);
    res += &left_out(runs);
    res += &facts(runs);
    res += &compared(runs);
    for table in tables(runs) {
        res += &section(&table, runs.len());
    }
    res + "<p class=\"note\">Intervals are 95 % percentile bootstrap intervals of the mean; a value without one is a single \
           number. n is how many tasks have a value.</p></main></body></html>\n"
}

fn legend(runs: &[Report]) -> String {
    let item = |(idx, run): (usize, &Report)| {
        let colour = idx % 6;
        format!("<li><span class=\"dot c{colour}\"></span>{}</li>", escape(&run.name))
    };
    let items: String = runs.iter().enumerate().map(item).collect();
    if runs.len() < 2 { String::new() } else { format!("<ul class=\"legend\">{items}</ul>\n") }
}

fn left_out(runs: &[Report]) -> String {
    let mut res = String::new();
    for run in runs.iter().filter(|it| !it.left_out.is_empty()) {
        let lines: String =
            run.left_out.iter().map(|it| format!("<li>{}</li>", escape(it))).collect();
        let (name, n) = (escape(&run.name), run.left_out.len());
        let _ = writeln!(
            res,
            "<details class=\"warning\"><summary>{name}: {n} omissions and notes</summary><ul>{lines}</ul></details>"
        );
    }
    res
}

fn facts(runs: &[Report]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in runs.iter().flat_map(|it| &it.facts) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let head: String = runs.iter().map(|it| format!("<th>{}</th>", escape(&it.name))).collect();
    let value = |run: &Report, name: &str| -> String {
        let fact = run.facts.iter().find(|it| it.0 == name);
        fact.map(|it| escape(&it.1)).unwrap_or_default()
    };
    let row = |name: &&str| -> String {
        let cells: String = runs.iter().map(|it| format!("<td>{}</td>", value(it, name))).collect();
        format!("<tr><th>{}</th>{cells}</tr>", escape(name))
    };
    let rows: String = names.iter().map(row).collect();
    format!(
        "<h2>Made with</h2><div class=\"wide\"><table class=\"facts\"><tr><th></th>{head}</tr>{rows}</table></div>\n"
    )
}

fn compared(runs: &[Report]) -> String {
    let Some((first, others)) = runs.split_first() else { return String::new() };
    let mut res = String::new();
    for run in others {
        let found = differences(first, run);
        if found.is_empty() {
            continue;
        }
        let (ours, theirs) = (escape(&run.name), escape(&first.name));
        let _ = write!(
            res,
            "<h2>{ours} against {theirs}, task by task</h2><div class=\"wide\"><table>"
        );
        res += "<tr><th></th><th>higher by</th><th>n</th></tr>";
        for (name, it) in &found {
            let sure = if it.low > 0.0 {
                "better"
            } else if it.high < 0.0 {
                "worse"
            } else {
                ""
            };
            let value = format!("{:+.3} [{:+.3}, {:+.3}]", it.mean, it.low, it.high);
            let _ = write!(
                res,
                "<tr><th>{}</th><td class=\"{sure}\">{value}</td><td>{}</td></tr>",
                escape(name),
                it.n
            );
        }
        res += "</table></div>";
        let rows: Vec<PlotRow<'_>> =
            found.iter().map(|it| (it.0.as_str(), vec![Some(it.1)])).collect();
        res += &figure("difference", &rows);
    }
    res
}

/// A table of the page: each row has the values of every column and run.
struct Table {
    title: String,
    rows: Vec<String>,
    columns: Vec<String>,
    values: BTreeMap<(usize, usize, usize), Estimate>,
}

fn tables(runs: &[Report]) -> Vec<Table> {
    let mut res: Vec<Table> = Vec::new();
    for (run, it) in
        runs.iter().enumerate().flat_map(|(idx, run)| run.cells.iter().map(move |it| (idx, it)))
    {
        let at = match res.iter().position(|table| table.title == it.table) {
            Some(at) => at,
            None => {
                let (title, rows) = (it.table.clone(), Vec::new());
                res.push(Table { title, rows, columns: Vec::new(), values: BTreeMap::new() });
                res.len() - 1
            }
        };
        let table = &mut res[at];
        let (row, column) =
            (index_of(&mut table.rows, &it.row), index_of(&mut table.columns, &it.column));
        table.values.insert((row, column, run), it.value);
    }
    // The totals of the runs come first.
    res.sort_by_key(|it| it.title != "run");
    res
}

fn index_of(names: &mut Vec<String>, name: &str) -> usize {
    names.iter().position(|it| it == name).unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    })
}

fn section(table: &Table, runs: usize) -> String {
    let mut res =
        format!("<h2>{}</h2><div class=\"wide\"><table><tr><th></th>", escape(&table.title));
    res.extend(table.columns.iter().map(|it| format!("<th>{}</th>", escape(it))));
    res += "</tr>";
    for (row, name) in table.rows.iter().enumerate() {
        let _ = write!(res, "<tr><th>{}</th>", escape(name));
        for column in 0..table.columns.len() {
            let of_run = |run| table.values.get(&(row, column, run)).map(|it| (run, it));
            let values: Vec<String> =
                (0..runs).filter_map(of_run).map(|it| value(it, runs)).collect();
            let _ = write!(res, "<td>{}</td>", values.join("<br>"));
        }
        res += "</tr>";
    }
    res += "</table></div>";
    for (column, name) in table.columns.iter().enumerate() {
        let values =
            |row| (0..runs).map(|run| table.values.get(&(row, column, run)).copied()).collect();
        let rows: Vec<PlotRow<'_>> =
            table.rows.iter().enumerate().map(|(row, name)| (name.as_str(), values(row))).collect();
        let has_interval = rows.iter().flat_map(|it| it.1.iter().flatten()).any(|it| it.n > 0);
        if has_interval && (rows.len() > 1 || runs > 1) {
            res += &figure(name, &rows);
        }
    }
    res + "\n"
}

fn value((run, it): (usize, &Estimate), runs: usize) -> String {
    let dot =
        if runs > 1 { format!("<span class=\"dot c{}\"></span>", run % 6) } else { String::new() };
    if it.n == 0 {
        return format!("{dot}{}", number(it));
    }
    let bound = |mean: f64| number(&Estimate { mean, ..*it });
    let (low, high) = (bound(it.low), bound(it.high));
    format!("{dot}{} <small>[{low}, {high}] n {}</small>", number(it), it.n)
}

fn figure(title: &str, rows: &[PlotRow<'_>]) -> String {
    format!("<figure><figcaption>{}</figcaption>{}</figure>", escape(title), intervals(title, rows))
}
