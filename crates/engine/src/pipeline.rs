//! The one pipeline: from a question or a cursor to ranked candidates, and from a cursor's candidates to pieces and to
//! the prompt.
//!
//! `query → retrieve → fuse → rerank`, and for a cursor `→ order → trim → compose`. A caller who wants only the result
//! calls `search`, [`context`] or `prompt`; one who wants what every stage made, or several results of one retrieval, uses
//! [`rank`] or [`CursorRetrieval`].

use foreword_chunk::LineIndex;

use crate::evidence::{Reason, Signal};
use crate::fuse::{Candidate, fuse};
use crate::index::bm25::{WeightedQuery, WeightedTerm};
use crate::index::{ChunkId, Snapshot};
use crate::order::{Truncation, positions};
use crate::preset::Preset;
use crate::rerank::{RerankInputs, rerank};
use crate::retrieve::{
    self, HoleInputs, Inputs, Meanings, Name, Query, Question, RankedList, Reach, retrieve,
};
use crate::scope::{Cursor, Scope, View};
use crate::trim::{
    BY_NAME, Count, Piece, PieceBudget, Selection, Shown, Standing, VisibleText, Window, Words,
    select, standings, title_of, window,
};

/// A stage of the pipeline that takes measurable time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// What is in reach of the cursor.
    Scope,
    /// What to look for.
    Query,
    /// The ranked list of one signal.
    Signal(Signal),
    /// The lists of all signals.
    Retrieve,
    /// One list of candidates.
    Fuse,
    /// The same in the order of their features.
    Rerank,
    /// The text around the cursor.
    Window,
    /// The pieces that fit, and the prompt.
    Compose,
}

impl Stage {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scope => "scope",
            Self::Query => "query",
            Self::Signal(signal) => signal.name(),
            Self::Retrieve => "retrieve",
            Self::Fuse => "fuse",
            Self::Rerank => "rerank",
            Self::Window => "window",
            Self::Compose => "compose",
        }
    }
}

/// How a caller follows a run of the pipeline and stops it. The default does neither.
///
/// The engine has no clock: a caller that has one measures the time between stages, and compares it with a deadline.
#[derive(Default)]
pub struct Control<'c> {
    /// Is called with each stage when it is over.
    pub observer: Option<&'c mut dyn FnMut(Stage)>,
    /// Says whether there is no time for further signals. It is asked before each signal but the first, which is always
    /// retrieved; [`Ranking::skipped`] names those that were left out.
    pub is_out_of_time: Option<&'c dyn Fn() -> bool>,
}

impl Control<'_> {
    pub(crate) fn finish(&mut self, stage: Stage) {
        if let Some(observer) = &mut self.observer {
            observer(stage);
        }
    }

    fn is_out_of_time(&self) -> bool {
        self.is_out_of_time.is_some_and(|it| it())
    }
}

/// What candidates are wanted for.
#[derive(Clone, Copy)]
pub enum Request<'r> {
    /// A question, or the name of a symbol.
    Question {
        /// Where to look.
        snapshot: &'r Snapshot,
        /// The question.
        question: &'r Question<'r>,
    },
    /// A cursor.
    Cursor {
        /// The repository as the editor sees it.
        view: &'r View<'r>,
        /// The cursor.
        cursor: &'r Cursor,
        /// What is in its reach.
        scope: &'r Scope,
    },
}

impl Request<'_> {
    fn snapshot(&self) -> &Snapshot {
        match self {
            Self::Question { snapshot, .. } => snapshot,
            Self::Cursor { view, .. } => view.snapshot(),
        }
    }

    /// Vectors of a question and of chunks, where an embedding model is used.
    fn meanings(&self) -> Option<Meanings<'_>> {
        match self {
            Self::Question { question, .. } => question.meanings,
            Self::Cursor { .. } => None,
        }
    }

    fn query(&self, preset: &Preset) -> Query {
        match self {
            Self::Question { snapshot, question } => {
                let query = retrieve::question_query(question.text, snapshot, &preset.query);
                with_variants(query, question)
            }
            Self::Cursor { view, cursor, scope } => {
                let config = (&preset.query, &preset.names);
                retrieve::hole_query(cursor, scope, view.activity(), view.snapshot(), config)
            }
        }
    }
}

/// Adds the terms and names that a word of a question may stand for as well.
fn with_variants(mut query: Query, question: &Question<'_>) -> Query {
    for (term, weight) in &question.variants {
        if !query.terms.iter().any(|it| it.term == *term) {
            query.terms.push(WeightedTerm { term: term.clone(), weight: *weight });
        }
    }
    for name in &question.corrections {
        if !query.names.iter().any(|it| it.name == *name) {
            query.names.push(Name {
                name: name.clone(),
                weight: 1.0,
                distance: 0,
                reach: Reach::Anywhere,
            });
        }
    }
    query.corrections.clone_from(&question.corrections);
    query
}

/// Candidates, best first, and what led to them.
pub struct Ranking {
    /// What was looked for.
    pub query: Query,
    /// Its terms as the snapshot has them.
    pub weighed: WeightedQuery,
    /// What each signal found.
    pub lists: Vec<RankedList>,
    /// The signals that were left out because there was no time for them.
    pub skipped: Vec<Signal>,
    /// Best first.
    pub candidates: Vec<Candidate>,
}

/// The pipeline up to the candidates: `query → retrieve → fuse → rerank`.
pub fn rank(request: &Request<'_>, preset: &Preset, control: &mut Control<'_>) -> Ranking {
    let snapshot = request.snapshot();
    let query = request.query(preset);
    let weighed = snapshot.weighted_query(&query.terms, &preset.bm25);
    control.finish(Stage::Query);
    let (keep, prior, hole) = match *request {
        Request::Question { question, .. } => (question.keep, question.prior, None),
        Request::Cursor { view, cursor, scope } => {
            (None, None, Some(HoleInputs { view, cursor, scope }))
        }
    };
    let meanings = request.meanings().filter(|_| preset.fuse.weights[Signal::Dense] > 0.0);
    let inputs = Inputs {
        snapshot,
        query: &query,
        weighed: &weighed,
        scores: &snapshot.scores(&weighed),
        keep,
        limit: preset.list,
        names: &preset.names,
        meanings,
        hole,
    };
    let (lists, skipped) = retrieve_all(&inputs, control);
    control.finish(Stage::Retrieve);
    let mut config = preset.fuse.clone();
    config.weights[Signal::Dense] *= inputs.meanings.map_or(0.0, |it| it.share(snapshot));
    let candidates = fuse(&lists, &config);
    control.finish(Stage::Fuse);
    let inputs = RerankInputs { snapshot, query: &query, weighed: &weighed, hole, prior };
    let candidates = rerank(&inputs, candidates, &preset.rerank);
    control.finish(Stage::Rerank);
    Ranking { query, weighed, lists, skipped, candidates }
}

/// The list of every signal that applies, and the signals that there was no time for.
fn retrieve_all(inputs: &Inputs<'_>, control: &mut Control<'_>) -> (Vec<RankedList>, Vec<Signal>) {
    let (mut lists, mut skipped) = (Vec::new(), Vec::new());
    let applies = |it: &Signal| *it != Signal::Dense || inputs.meanings.is_some();
    for (at, signal) in Signal::ALL.into_iter().filter(applies).enumerate() {
        if at > 0 && control.is_out_of_time() {
            skipped.push(signal);
        } else if let Some(list) = retrieve(signal, inputs) {
            lists.push(list);
            control.finish(Stage::Signal(signal));
        }
    }
    (lists, skipped)
}

/// Everything that is known at a cursor before pieces are selected. Selecting is cheap beside it, so one retrieval can
/// serve several budgets.
pub struct CursorRetrieval<'r> {
    /// The repository as the editor sees it.
    pub view: View<'r>,
    /// The cursor.
    pub cursor: &'r Cursor,
    /// The settings in force.
    pub preset: &'r Preset,
    /// What is in reach.
    pub scope: Scope,
    /// The candidates.
    pub ranking: Ranking,
    /// The text around the cursor.
    pub window: Window,
}

impl<'r> CursorRetrieval<'r> {
    /// The pipeline up to the choice of pieces.
    pub fn new(
        view: View<'r>,
        cursor: &'r Cursor,
        preset: &'r Preset,
        count: Count<'_>,
        control: &mut Control<'_>,
    ) -> Self {
        let scope = view.scope(cursor);
        control.finish(Stage::Scope);
        let request = Request::Cursor { view: &view, cursor, scope: &scope };
        let ranking = rank(&request, preset, control);
        let window = window(cursor, &scope, &preset.budget, count);
        control.finish(Stage::Window);
        Self { view, cursor, preset, scope, ranking, window }
    }

    /// The pieces that fit `tokens`, each with its reasons, in the order of the prompt.
    pub fn select(&self, tokens: usize, truncation: Truncation, count: Count<'_>) -> Selection {
        self.select_beside(&self.window, tokens, truncation, count)
    }

    /// The same for a reader who sees another part of the cursor's file.
    pub fn select_beside(
        &self,
        window: &Window,
        tokens: usize,
        truncation: Truncation,
        count: Count<'_>,
    ) -> Selection {
        let Self { ranking, preset, .. } = self;
        let snapshot = self.view.snapshot();
        let visible = self.visible(window);
        let standings = standings(snapshot, &visible, &ranking.candidates);
        let positions = positions(standings.iter().map(Standing::chunk), truncation);
        let allowance = PieceBudget { budget: &preset.budget, tokens, count };
        let candidates = (standings.as_slice(), positions.as_slice());
        let mut selection = select(snapshot, &visible, &ranking.weighed, candidates, &allowance);
        let pieces = selection.pieces.iter_mut();
        let reasons = pieces.map(|it| (it.position.chunk(), &mut it.reasons));
        fill_in_terms(snapshot, &ranking.weighed, reasons.collect());
        selection
    }

    /// The candidates in the order in which they are offered beside the window.
    pub fn standings(&self) -> Vec<Standing<'_>> {
        let visible = self.visible(&self.window);
        standings(self.view.snapshot(), &visible, &self.ranking.candidates)
    }

    fn visible<'s>(&self, window: &'s Window) -> VisibleText<'s> {
        VisibleText { file: self.scope.file, window, head: self.scope.head }
    }

    /// The number, in its file, of the definition that a piece is titled by: one that was found by name, if it is shown,
    /// else the one that has most of the words looked for.
    pub fn title(&self, piece: &Piece) -> Option<u32> {
        let snapshot = self.view.snapshot();
        let chunk = piece.position.chunk();
        let candidate = self.ranking.candidates.iter().find(|it| it.chunk == chunk)?;
        let text = snapshot.text(chunk.file);
        let lines = LineIndex::new(text.as_bytes());
        let start = lines.start_of(piece.start_line).min(text.len());
        let end = lines.start_of(piece.end_line + 1).clamp(start, text.len());
        let shown = Shown {
            file: chunk.file,
            text: &text[start..end],
            start,
            named: &candidate.definitions,
            preference: BY_NAME,
            kinds: &[],
        };
        title_of(snapshot, &shown, &Words::new(&self.ranking.weighed))
    }
}

/// The pieces that a reader should see at a cursor within `tokens`, the best first.
pub fn context(
    view: View<'_>,
    cursor: &Cursor,
    preset: &Preset,
    tokens: usize,
    count: Count<'_>,
    control: &mut Control<'_>,
) -> Selection {
    let retrieval = CursorRetrieval::new(view, cursor, preset, count, control);
    let selection = retrieval.select(tokens, Truncation::Right, count);
    control.finish(Stage::Compose);
    selection
}

/// Fills in which terms led to each chunk that is shown. To find that out costs more than to rank, so it is done for the
/// few that are shown.
pub(crate) fn fill_in_terms(
    snapshot: &Snapshot,
    weighed: &WeightedQuery,
    shown: Vec<(ChunkId, &mut Vec<Reason>)>,
) {
    let chunks: Vec<ChunkId> = shown.iter().map(|it| it.0).collect();
    let explained = retrieve::explain(snapshot, weighed, &chunks);
    for ((_, reasons), explanation) in shown.into_iter().zip(explained) {
        let of_words = reasons.iter_mut().find_map(|it| match it {
            Reason::Lexical { terms } => Some(terms),
            _ => None,
        });
        if let Some(terms) = of_words {
            *terms = explanation;
        }
    }
}
