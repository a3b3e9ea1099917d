//! Describes one task in full: its input, the ranked list with reasons and statuses, and the prompt.

use std::fmt::Write as _;

use anyhow::Result;
use foreword_engine::index::Snapshot;

use super::Presets;
use super::ask::{RankedItem, ask};
use super::location::Location;
use super::project::{Task, TaskInput};
use super::verdict::{Verdict, judge};

/// Lines of code shown before and after a cursor.
const AROUND: usize = 4;

/// The whole report on one task.
pub fn show(snapshot: &Snapshot, task: &Task, presets: &Presets) -> Result<String> {
    let answer = ask(snapshot, task, presets)?;
    let verdict = judge(task, &answer);
    let mut res = input(task);
    for row in &answer.rows {
        res.push_str(&line(row, &answer.expect, &answer.below));
    }
    if answer.rows.is_empty() {
        res.push_str("nothing was found\n");
    }
    if let Some(prompt) = &answer.prompt {
        let _ = write!(res, "\n──── prompt\n{prompt}\n────\n");
    }
    res.push_str(&summary(&verdict));
    Ok(res)
}

fn input(task: &Task) -> String {
    let mut res = format!("{}\n", task.name);
    match &task.input {
        TaskInput::Query(query) => {
            let _ = writeln!(res, "query: {query}");
        }
        TaskInput::Cursor(cursor) => {
            let before: Vec<&str> = cursor.prefix().lines().collect();
            let line = cursor.prefix().matches('\n').count() + 1;
            let _ = writeln!(res, "cursor: {}:{line}", cursor.path());
            for it in &before[before.len().saturating_sub(AROUND)..] {
                let _ = writeln!(res, "    {it}");
            }
            let _ = writeln!(res, "    ▮");
            for it in cursor.suffix().lines().take(AROUND) {
                let _ = writeln!(res, "    {it}");
            }
        }
    }
    res.push('\n');
    res
}

fn line(row: &RankedItem, expect: &[Location], below: &[Location]) -> String {
    let is_one_of = |spots: &[Location]| spots.iter().any(|it| row.is_at(it));
    let mark = match (is_one_of(expect), is_one_of(below)) {
        (true, _) => '*',
        (false, true) => '!',
        (false, false) => ' ',
    };
    let (first, last) = row.lines;
    let place = format!("{}:{first}-{last}", row.path);
    let RankedItem { rank, score, status, .. } = row;
    let mut res = format!("{mark} {rank:>3}  {score:>7.3}  {:<9}  {place}\n", status.name());
    let mut known: Vec<&String> = Vec::new();
    for reason in &row.reasons {
        if !known.contains(&reason) {
            known.push(reason);
            let _ = writeln!(res, "                {reason}");
        }
    }
    res
}

fn summary(verdict: &Verdict) -> String {
    let mut res = format!("{}\n", verdict.ranks);
    for it in &verdict.failures {
        let _ = writeln!(res, "not met: {it}");
    }
    if let Some(known) = &verdict.known {
        let _ = writeln!(res, "known: {known}");
    }
    res
}
