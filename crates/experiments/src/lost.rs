//! The share of the hole's identifiers, beyond those in the window, that is lost at each stage.
//!
//! * `shown`: a piece contains it. All others are lost:
//! * `folded`: the best chunk that has it was chosen, but in a form that leaves it out (a skeleton, a signature).
//! * `beside the window`: that chunk is of the cursor's file and partly shown, so it was dropped whole.
//! * `duplicate`, `filler`, `budget`, `enough`, `weak`: that chunk was dropped for this reason.
//! * `not retrieved`: the repository contains it, but no candidate does.
//! * `nowhere`: the repository does not contain it.

use std::collections::BTreeSet;

use anyhow::Result;
use foreword_engine::evidence::DropReason;
use foreword_engine::fuse::Candidate;
use foreword_engine::preset::Preset;
use foreword_engine::trim::Selection as PieceSelection;

use crate::ask::{Question, at_cursors};
use foreword_evaluate::measures::coverage::{ContextPiece, Coverage, Hole};
use foreword_evaluate::runs::completion::CompletionSettings;
use foreword_evaluate::runs::completion::retrieval::Retrieval;
use foreword_evaluate::runs::run::Run;
use foreword_evaluate::runs::table::{Observation, Table};
use foreword_evaluate::tasks::task::Task;

/// In the order of the table.
const STAGES: [&str; 10] = [
    "shown",
    "folded",
    "beside the window",
    "duplicate",
    "filler",
    "budget",
    "enough",
    "weak",
    "not retrieved",
    "nowhere",
];

/// Runs the experiment.
pub(crate) fn lost(settings: &CompletionSettings, preset: &Preset) -> Result<Run<Table>> {
    let ask = |retrieval: &Retrieval<'_>, task: &Task| ask(retrieval, task, &settings.budgets);
    at_cursors(settings, preset, &Question { name: "lost", reference: "shown", ask })
}

fn ask(
    retrieval: &Retrieval<'_>,
    task: &Task,
    budgets: &[Option<usize>],
) -> Result<Vec<Observation>> {
    let hole = retrieval.hole(task)?;
    let losses = Losses::new(retrieval, &hole);
    let mut res: Vec<Observation> = Vec::new();
    for budget in budgets {
        let shares = losses.shares(budget.unwrap_or(retrieval.preset.budget.total));
        res.extend(STAGES.iter().zip(shares).map(|(stage, share)| Observation {
            series: (*stage).to_owned(),
            budget: *budget,
            coverage: Coverage { identifiers: share, ..Coverage::default() },
        }));
    }
    Ok(res)
}

struct Losses<'a> {
    retrieval: &'a Retrieval<'a>,
    hole: &'a Hole,
    /// The wanted identifiers in each candidate, in the order of the candidates.
    had: Vec<BTreeSet<String>>,
    /// The wanted identifiers in the repository.
    known: BTreeSet<String>,
}

impl<'a> Losses<'a> {
    fn new(retrieval: &'a Retrieval<'a>, hole: &'a Hole) -> Self {
        let snapshot = retrieval.view.snapshot();
        let of_chunk = |it: &Candidate| {
            let info = snapshot.chunk(it.chunk);
            let text = snapshot.text(it.chunk.file);
            let text = text.get(info.start as usize..info.end as usize).unwrap_or_default();
            let shown = ContextPiece { text: text.to_owned(), ..ContextPiece::default() };
            hole.covered_by(&[shown]).into_iter().collect()
        };
        let had = retrieval.ranking.candidates.iter().map(of_chunk).collect();
        Self { retrieval, hole, had, known: hole.targets_in_repository(snapshot) }
    }

    /// The share of each stage within a token budget, in the order of [`STAGES`]; `None` if nothing is wanted.
    fn shares(&self, tokens: usize) -> Vec<Option<f64>> {
        let selection = self.retrieval.select(&self.retrieval.window, tokens);
        let texts: Vec<ContextPiece> = selection
            .pieces
            .iter()
            .map(|it| ContextPiece { text: it.text.clone(), ..ContextPiece::default() })
            .collect();
        let shown: BTreeSet<String> = self.hole.covered_by(&texts).into_iter().collect();
        let wanted = self.hole.targets();
        let mut counts = [0_usize; STAGES.len()];
        for name in wanted {
            let stage = if shown.contains(name) { "shown" } else { self.stage(name, &selection) };
            let place = STAGES.iter().position(|it| *it == stage).unwrap_or(STAGES.len() - 1);
            counts[place] += 1;
        }
        let share = |n: &usize| (!wanted.is_empty()).then(|| *n as f64 / wanted.len() as f64);
        counts.iter().map(share).collect()
    }

    /// The stage of the best candidate that contains a name which is not shown.
    fn stage(&self, name: &str, selection: &PieceSelection) -> &'static str {
        let Some(best) = self.had.iter().position(|it| it.contains(name)) else {
            return if self.known.contains(name) { "not retrieved" } else { "nowhere" };
        };
        let snapshot = self.retrieval.view.snapshot();
        let chunk = self.retrieval.ranking.candidates[best].chunk;
        if selection.pieces.iter().any(|it| it.position.chunk() == chunk) {
            return "folded";
        }
        let (path, info) = (snapshot.path(chunk.file), snapshot.chunk(chunk));
        let dropped =
            selection.dropped.iter().find(|it| it.path == path && it.start_line == info.start_line);
        match dropped.map(|it| &it.why) {
            Some(DropReason::Visible | DropReason::Beside) => "beside the window",
            Some(DropReason::Duplicate { .. }) => "duplicate",
            Some(DropReason::Filler) => "filler",
            Some(DropReason::Budget { .. }) => "budget",
            Some(DropReason::Enough) => "enough",
            Some(DropReason::Weak) | None => "weak",
        }
    }
}
