//! Planners without a model: the bounds between which the plans of a real one lie.

use foreword_chunk::Kind;
use foreword_engine::index::{FileRole, Snapshot};
use foreword_engine::speculate::{
    MAX_BLOCKS, MAX_FORECASTS, PlannerKey, Proposal, StatedForecast, StatedLines, StatedPlan,
    stated_plan,
};

use super::past::PastState;
use crate::random::Random;
use crate::runs::forecasts::added::{AddedFunction, added_function};
use crate::runs::forecasts::lying::false_blocks;
use crate::tasks::remove::whole;
use crate::tasks::task::Task;

/// A planner without a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Script {
    /// Foretells the function that fills the hole, and chooses the definitions that it uses: the upper bound.
    Oracle,
    /// Chooses the beginnings of the files beside it, and foretells nothing.
    Lazy,
    /// Chooses licences and readmes, and foretells functions of other files under new names: the lower bound.
    Lying,
}

impl Script {
    /// Name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Oracle => "oracle (knows the answer)",
            Self::Lazy => "lazy (reads nothing)",
            Self::Lying => "lying (foretells other code)",
        }
    }

    /// The plan of a task's file in a state, checked as a model's.
    pub(super) fn plan(self, state: &PastState, path: &str, task: &Task) -> StatedPlan {
        let snapshot = &*state.snapshot;
        let (blocks, forecasts) = match self {
            Self::Oracle => match added_function(snapshot, &state.git_dir, task) {
                Ok(added) => (definitions(snapshot, &added), added.forecasts),
                Err(_) => Default::default(),
            },
            Self::Lazy => (beginnings(snapshot, path), Vec::new()),
            Self::Lying => (false_blocks(snapshot), false_forecasts(snapshot, path, &task.id)),
        };
        let key = PlannerKey { name: "script".into(), fingerprint: self.name().into() };
        let proposal = Proposal { blocks: &blocks, forecasts: &forecasts, shown: &blocks };
        stated_plan(snapshot, path, &key, &proposal)
    }
}

fn block(path: &str, (first_line, last_line): (u32, u32)) -> StatedLines {
    let what = "of a script".to_owned();
    StatedLines { path: path.to_owned(), first_line, last_line, what }
}

/// The lines of a range of bytes.
fn lines(text: &str, range: &std::ops::Range<usize>) -> (u32, u32) {
    let before = |at: usize| text[..at].matches('\n').count() as u32;
    (1 + before(range.start), 1 + before(range.end.saturating_sub(1).max(range.start)))
}

/// The definitions in other files that the function refers to.
fn definitions(snapshot: &Snapshot, added: &AddedFunction) -> Vec<StatedLines> {
    let definition = |name: &String| {
        let mut sites = snapshot.definitions(name).into_iter();
        let site = sites.find(|it| snapshot.path(it.file) != added.path)?;
        let (text, record) = snapshot.contents(site.file);
        let it = record.symbols.definitions.get(site.definition as usize)?;
        Some(block(snapshot.path(site.file), lines(&text, &whole(&text, it))))
    };
    added.references.iter().filter_map(definition).take(MAX_BLOCKS).collect()
}

/// The first lines of the code in the same directory.
fn beginnings(snapshot: &Snapshot, path: &str) -> Vec<StatedLines> {
    let directory = path.rsplit_once('/').map_or(String::new(), |it| format!("{}/", it.0));
    let is_other = |it: &&str| *it != path;
    let beside = snapshot
        .files_under(&directory)
        .filter(|it| snapshot.role(*it) == FileRole::Code && is_other(&snapshot.path(*it)));
    let beginning = |it| {
        let n = snapshot.text(it).lines().count() as u32;
        (n > 0).then(|| block(snapshot.path(it), (1, n.min(40))))
    };
    beside.filter_map(beginning).take(MAX_BLOCKS).collect()
}

/// Free functions of other files in the same language, under new names, at the end of the file.
fn false_forecasts(snapshot: &Snapshot, path: &str, seed: &str) -> Vec<StatedForecast> {
    let Some(own) = snapshot.file(path) else { return Vec::new() };
    let language = snapshot.language(own);
    let line = snapshot.text(own).lines().count() as u32 + 1;
    let mut res = Vec::new();
    for file in snapshot.files().filter(|it| *it != own && snapshot.language(*it) == language) {
        let (text, record) = snapshot.contents(file);
        let free = record.symbols.definitions.iter().filter(|it| {
            it.kind == Kind::Function && it.parent.is_none() && it.span.range().len() < 1500
        });
        res.extend(free.map(|it| {
            let name = it.name.of(&text);
            let code = text[whole(&text, it)].replace(name, &format!("{name}_also"));
            let evidence = vec![block(path, (1, 1))];
            StatedForecast { name: format!("{name}_also"), code, line, evidence }
        }));
    }
    Random::of_name(seed).shuffle(&mut res);
    res.truncate(MAX_FORECASTS);
    res
}
