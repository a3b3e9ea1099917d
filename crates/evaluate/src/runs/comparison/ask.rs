//! Asks one task: the context of each method within each budget, and its measures.

use std::ops::Deref;
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use foreword_chunk::Language;
use foreword_engine::index::Snapshot;
use foreword_engine::order::Truncation;
use foreword_engine::pipeline::{Control, CursorRetrieval};
use foreword_engine::preset::Preset;
use foreword_engine::scope::{Cursor, View};
use foreword_engine::trim::{Piece, Selection as PieceSelection, Window};

use super::{Answer, Detail, Outcome, Protocol, Selection, SessionUse};
use crate::baselines::{self, Baseline, WordCache};
use crate::measures::coverage::{ContextPiece, Coverage, Hole};
use crate::runs::writer::{self, HoleText};
use crate::tasks::corpora::{Code, Reader};
use crate::tasks::corpus::count_tokens;
use crate::tasks::selection::ask_each;
use crate::tasks::session::EditLocation;
use crate::tasks::task::Task;

/// What chooses a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// This project's engine.
    Ours,
    /// A baseline.
    Baseline(Baseline),
}

impl Method {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ours => "foreword",
            Self::Baseline(it) => it.name(),
        }
    }
}

/// An outcome, and whether the task has a history.
pub(super) struct TaskResult {
    pub(super) outcome: Outcome,
    pub(super) has_session: bool,
}

/// The tasks of one repository, in turn.
pub(super) fn all(
    selection: &Selection,
    tasks: &[Task],
    preset: &Preset,
) -> Vec<Result<TaskResult, String>> {
    let mut words = WordCache::default();
    each(selection, tasks, |code, task| {
        let has_session = !code.session.is_empty();
        Ok(TaskResult { outcome: ask(selection, code, task, preset, &mut words)?, has_session })
    })
}

/// Reads the code of each task and calls `ask` with it.
pub(crate) fn each<T>(
    selection: &Selection,
    tasks: &[Task],
    mut ask: impl FnMut(&CodeView<'_>, &Task) -> Result<T>,
) -> Vec<Result<T, String>> {
    let mut reader = Reader::default();
    ask_each(tasks, |task| {
        let mut code = reader.read(&selection.corpora, task)?;
        if selection.session == SessionUse::Untold {
            code.session.clear();
        }
        let Code { snapshot, session, is_past } = &code;
        ask(&CodeView { snapshot, session, is_past: *is_past }, task)
    })
}

/// The repository that a task is asked in.
#[derive(Clone, Copy)]
pub struct CodeView<'a> {
    /// Its files.
    pub snapshot: &'a Snapshot,
    /// Recent edits, the latest first.
    pub session: &'a [EditLocation],
    /// Whether the cursor's file in it must be exactly prefix + suffix.
    pub is_past: bool,
}

/// Overlays the code of a task, from which its hole must be absent, with its text, and calls `then` with both.
pub(crate) fn with_overlay<T>(
    protocol: Protocol,
    code: &CodeView<'_>,
    task: &Task,
    then: impl FnOnce(&View<'_>, &Cursor) -> Result<T>,
) -> Result<T> {
    ensure_hole_is_absent(code, task)?;
    let cursor = cursor_of(task, protocol, code.session)?;
    let view =
        View::new(code.snapshot, &cursor).context("cannot overlay the index with the text")?;
    then(&view, &cursor)
}

/// The cursor of a task.
pub(crate) fn cursor_of(
    task: &Task,
    protocol: Protocol,
    session: &[EditLocation],
) -> Result<Cursor> {
    let path = task.target_file.clone().context("the task names no file")?;
    let prefix = task.prefix.as_deref().context("the task has no prefix")?;
    let suffix = match protocol {
        Protocol::FillIn => task.suffix.as_deref().unwrap_or_default(),
        Protocol::LeftToRight => "",
    };
    let recent = session.iter().map(|it| it.path.clone()).filter(|it| *it != path).collect();
    let text = format!("{prefix}{suffix}");
    Ok(Cursor::new(path, text, prefix.len())?.with_recent(recent))
}

/// What every method is asked about: the engine's retrieval at the cursor, with what is measured there.
pub(crate) struct Retrieval<'a>(CursorRetrieval<'a>);

impl<'a> Deref for Retrieval<'a> {
    type Target = CursorRetrieval<'a>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<'a> Retrieval<'a> {
    /// Ranks the candidates and cuts the window.
    pub(crate) fn new(view: &View<'a>, cursor: &'a Cursor, preset: &'a Preset) -> Self {
        let mut control = Control::default();
        Self(CursorRetrieval::new(view.clone(), cursor, preset, &count_tokens, &mut control))
    }

    /// The same candidates beside another window.
    pub(crate) fn with_window(self, window: Window) -> Self {
        Self(CursorRetrieval { window, ..self.0 })
    }

    /// Tokens that a prompt has for pieces.
    pub(crate) fn own(&self) -> usize {
        self.preset.budget.total.saturating_sub(self.window_tokens())
    }

    /// Tokens of the window.
    fn window_tokens(&self) -> usize {
        count_tokens(&self.window.prefix) + count_tokens(&self.window.suffix)
    }

    /// The hole of a task.
    pub(crate) fn hole(&self, task: &Task) -> Result<Hole> {
        let text = self.cursor.text();
        let head = &text[..text.floor_char_boundary(4096)];
        let language = Language::of_path(self.cursor.path(), head);
        let window = (self.window.prefix.as_str(), self.window.suffix.as_str());
        let truth = task.ground_truth.as_deref().context("the task has no ground truth")?;
        Ok(Hole::new(truth, self.cursor.prefix(), window, language, &task.relevant))
    }

    /// The input of the baselines.
    pub(crate) fn baseline_input<'s>(
        &'s self,
        session: &'s [EditLocation],
        id: &'s str,
    ) -> baselines::BaselineInput<'s> {
        baselines::BaselineInput {
            snapshot: self.view.snapshot(),
            cursor: self.cursor,
            scope: &self.scope,
            window: &self.window,
            session,
            id,
            count: &count_tokens,
        }
    }

    /// The pieces that the engine selects beside a window, within so many tokens.
    pub(crate) fn select(&self, window: &Window, tokens: usize) -> PieceSelection {
        self.select_beside(window, tokens, Truncation::Left, &count_tokens)
    }

    /// The engine's pieces within so many tokens.
    pub(crate) fn ours(&self, tokens: usize) -> Vec<ContextPiece> {
        self.select(&self.window, tokens).pieces.iter().map(shown_of).collect()
    }

    /// The same; without a budget, within that of the preset.
    pub(crate) fn within(&self, budget: Option<usize>) -> Vec<ContextPiece> {
        self.ours(budget.unwrap_or(self.preset.budget.total))
    }
}

/// Asks one task.
pub fn ask(
    selection: &Selection,
    code: &CodeView<'_>,
    task: &Task,
    preset: &Preset,
    words: &mut WordCache,
) -> Result<Outcome> {
    let cursor = cursor_of(task, selection.protocol, code.session)?;
    ensure_hole_is_absent(code, task)?;
    let start = Instant::now();
    let view =
        View::new(code.snapshot, &cursor).context("cannot overlay the index with the text")?;
    let retrieval = Retrieval::new(&view, &cursor, preset);
    let window_tokens = retrieval.window_tokens();
    let own = retrieval.own();
    let most = selection.budgets.iter().map(|it| it.unwrap_or(own)).max().unwrap_or(own);
    retrieval.ours(most);
    let milliseconds = start.elapsed().as_secs_f64() * 1e3;
    let hole = retrieval.hole(task)?;
    let scorer = Scorer { selection, retrieval: &retrieval, hole: &hole, repository: &task.repo };
    let mut answers: Vec<Answer> = Vec::new();
    for budget in &selection.budgets {
        let shown = retrieval.ours(budget.unwrap_or(own));
        answers.push(scorer.answer(Method::Ours.name(), *budget, &shown)?);
    }
    for it in &selection.variants {
        let variant =
            Retrieval::new(&view, &cursor, &it.preset).with_window(retrieval.window.clone());
        for budget in &selection.budgets {
            let shown = variant.ours(budget.unwrap_or(own));
            answers.push(scorer.answer(&it.name, *budget, &shown)?);
        }
    }
    answers.extend(baselines(&scorer, code.session, &task.id, words)?);
    Ok(Outcome {
        id: task.id.clone(),
        repo: task.repo.clone(),
        language: task.language.clone(),
        is_test: task.meta.is_test_file,
        milliseconds,
        window: window_tokens,
        known: hole.known(view.snapshot()),
        targets: hole.targets().len(),
        answers,
    })
}

/// Checks that the cursor's file of a past state contains neither the hole nor the text typed around it.
pub(crate) fn ensure_hole_is_absent(code: &CodeView<'_>, task: &Task) -> Result<()> {
    let path = task.target_file.as_deref().unwrap_or_default();
    let Some(file) = code.snapshot.file(path).filter(|_| code.is_past) else { return Ok(()) };
    let [prefix, suffix] = [&task.prefix, &task.suffix].map(|it| it.as_deref().unwrap_or_default());
    let before = prefix.len().checked_sub(task.meta.typed_before).and_then(|it| prefix.get(..it));
    let (before, after) =
        before.zip(suffix.get(task.meta.typed_after..)).context("more is typed than there is")?;
    ensure!(
        *code.snapshot.text(file) == *format!("{before}{after}"),
        "the parent commit's {path} is not prefix + suffix: the hole may be in the corpus"
    );
    Ok(())
}

fn baselines(
    scorer: &Scorer<'_>,
    session: &[EditLocation],
    id: &str,
    words: &mut WordCache,
) -> Result<Vec<Answer>> {
    let at = scorer.retrieval.baseline_input(session, id);
    let mut res = Vec::new();
    for baseline in &scorer.selection.baselines {
        let offer = baseline.offer(words, &at);
        for budget in &scorer.selection.budgets {
            let shown = offer.cut(*budget, &count_tokens);
            res.push(scorer.answer(baseline.name(), *budget, &shown)?);
        }
    }
    Ok(res)
}

/// Measures the contexts of all methods at one cursor.
pub(crate) struct Scorer<'a> {
    pub(crate) selection: &'a Selection,
    pub(crate) retrieval: &'a Retrieval<'a>,
    pub(crate) hole: &'a Hole,
    /// `owner/name`.
    pub(crate) repository: &'a str,
}

impl Scorer<'_> {
    fn answer(
        &self,
        method: &str,
        budget: Option<usize>,
        shown: &[ContextPiece],
    ) -> Result<Answer> {
        let spent: usize = shown.iter().map(|it| it.tokens).sum();
        ensure!(budget.is_none_or(|it| spent <= it), "{method} exceeds its budget");
        let (coverage, written) = self.measure(shown)?;
        let method = method.to_owned();
        let (shown, covered, written) = match self.selection.detail {
            Detail::Measures => (Vec::new(), Vec::new(), None),
            Detail::Pieces => {
                let place =
                    |it: &ContextPiece| format!("{}:{}-{}", it.path, it.start_line, it.end_line);
                (shown.iter().map(place).collect(), self.hole.covered_by(shown), written)
            }
        };
        Ok(Answer { method, budget, coverage, shown, covered, written })
    }

    /// The measures of a context, and the model's completion if one is asked.
    pub(crate) fn measure(&self, shown: &[ContextPiece]) -> Result<(Coverage, Option<String>)> {
        let mut res = self.hole.measure(shown);
        let Some(writer) = &self.selection.writer else { return Ok((res, None)) };
        let CursorRetrieval { cursor, window, .. } = &**self.retrieval;
        let spot = HoleText::new(self.repository, cursor.path(), window, self.hole.truth());
        let text = writer.write(&spot, shown)?;
        writer::measure(&mut res, &text, self.hole.truth());
        Ok((res, Some(text)))
    }
}

/// A piece as it is measured.
pub(crate) fn shown_of(it: &Piece) -> ContextPiece {
    ContextPiece {
        path: it.path.clone(),
        start_line: it.start_line,
        end_line: it.end_line,
        text: it.text.clone(),
        tokens: it.tokens,
    }
}
