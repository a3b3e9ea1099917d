//! Finds the numbers of the presets that tasks depend on: halves, doubles and divides each number by eight, and
//! compares the ranks with those of the unchanged preset.

use anyhow::Result;
use foreword_engine::preset::Preset;
use rayon::prelude::*;

use super::Presets;
use super::ask::ask;
use super::check::IndexedFolder;
use super::project::{Task, TaskInput};
use super::verdict::judge;
use crate::runs::overrides;

/// One of the two presets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PresetKind {
    /// For cursors.
    Context,
    /// For queries.
    Search,
}

impl PresetKind {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Context, Self::Search];

    /// Name before the dot of a setting.
    pub fn name(self) -> &'static str {
        match self {
            Self::Context => "context",
            Self::Search => "search",
        }
    }

    fn of(self, presets: &mut Presets) -> &mut Preset {
        match self {
            Self::Context => &mut presets.context,
            Self::Search => &mut presets.search,
        }
    }

    fn applies_to(self, task: &Task) -> bool {
        matches!(
            (self, &task.input),
            (Self::Context, TaskInput::Cursor(_)) | (Self::Search, TaskInput::Query(_))
        )
    }
}

/// Sets `context.KEY=VALUE` or `search.KEY=VALUE`.
pub fn set(presets: &mut Presets, pair: &str) -> Result<()> {
    let found = PresetKind::ALL
        .into_iter()
        .find_map(|it| Some((it, pair.strip_prefix(it.name())?.strip_prefix('.')?.to_owned())));
    let Some((which, pair)) = found else {
        anyhow::bail!("`{pair}` should be context.KEY=VALUE or search.KEY=VALUE");
    };
    let preset = which.of(presets);
    *preset = overrides::apply(preset.clone(), &[pair])?;
    Ok(())
}

/// A changed number.
#[derive(Clone, Debug)]
pub struct Mutation {
    /// `context.query.half_life`.
    pub key: String,
    pub(crate) was: f64,
    /// The changed values, each with the tasks whose ranks changed, as `folder/task`.
    pub(crate) noticed: Vec<(f64, Vec<String>)>,
}

impl Mutation {
    /// Whether ranks of a task changed.
    pub fn is_noticed(&self) -> bool {
        self.noticed.iter().any(|it| !it.1.is_empty())
    }
}

/// When to stop running tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// At the first task whose ranks change.
    AtFirst,
    /// Never.
    Never,
}

/// Changes every number of both presets whose name `keep` accepts.
pub fn mutate_all(
    ready: &[IndexedFolder],
    stop: Stop,
    keep: &(dyn Fn(&str) -> bool + Sync),
) -> Result<Vec<Mutation>> {
    let mut res = Vec::new();
    for which in PresetKind::ALL {
        let base = Presets::default();
        let preset = which.of(&mut base.clone()).clone();
        let known = ranks(ready, which, &base)?;
        let numbers = overrides::numbers(&preset)?;
        let mutated: Result<Vec<Mutation>> = numbers
            .into_par_iter()
            .filter(|it| keep(&format!("{}.{}", which.name(), it.key)))
            .map(|number| mutate(ready, which, &known, &number, stop))
            .collect();
        res.extend(mutated?);
    }
    Ok(res)
}

fn mutate(
    ready: &[IndexedFolder],
    which: PresetKind,
    known: &[String],
    number: &overrides::Number,
    stop: Stop,
) -> Result<Mutation> {
    let key = format!("{}.{}", which.name(), number.key);
    let mut res = Mutation { key: key.clone(), was: number.value, noticed: Vec::new() };
    for value in values(number) {
        let mut presets = Presets::default();
        set(&mut presets, &format!("{key}={value}"))?;
        let mut noticed = Vec::new();
        for ((folder, task, snapshot), was) in tasks_of(ready, which).zip(known) {
            // An error, such as a budget that is too small for the window, counts as a change.
            let is = ask(snapshot, task, &presets).map(|it| judge(task, &it).ranks);
            if is.is_ok_and(|is| is == *was) {
                continue;
            }
            noticed.push(format!("{folder}/{}", task.name));
            if stop == Stop::AtFirst {
                break;
            }
        }
        let is_enough = stop == Stop::AtFirst && !noticed.is_empty();
        res.noticed.push((value, noticed));
        if is_enough {
            break;
        }
    }
    Ok(res)
}

type TaskRef<'r> = (&'r str, &'r Task, &'r foreword_engine::index::Snapshot);

fn tasks_of(ready: &[IndexedFolder], which: PresetKind) -> impl Iterator<Item = TaskRef<'_>> {
    let all = ready.iter().flat_map(|it| {
        it.tasks().map(|(task, snapshot)| (it.folder.name.as_str(), task, snapshot))
    });
    all.filter(move |it| which.applies_to(it.1))
}

fn ranks(ready: &[IndexedFolder], which: PresetKind, presets: &Presets) -> Result<Vec<String>> {
    let ranks = tasks_of(ready, which)
        .map(|(_, task, snapshot)| Ok(judge(task, &ask(snapshot, task, presets)?).ranks));
    ranks.collect()
}

/// Half, double and an eighth; enables a disabled feature.
fn values(number: &overrides::Number) -> Vec<f64> {
    match (number.value, number.is_count) {
        (0.0, _) => vec![1.0],
        (value, true) => vec![(value / 2.0).ceil(), value * 2.0, (value / 8.0).ceil()],
        (value, false) => vec![value / 2.0, value * 2.0, value / 8.0],
    }
}
