//! The pipeline: from a question or a cursor to ranked candidates, and from a cursor's candidates to pieces and the
//! prompt.
//!
//! `query → retrieve → fuse → rerank`, and for a cursor `→ order → trim → compose`. Callers that need only the result
//! use `search`, [`context`] or `prompt`; callers that need intermediate results, or several results of one retrieval,
//! use [`rank`] or [`CursorRetrieval`].

use foreword_chunk::LineIndex;

use crate::evidence::{Reason, Signal};
use crate::fuse::{Candidate, fuse};
use crate::fuzzy;
use crate::index::bm25::WeightedQuery;
use crate::index::{ChunkId, Snapshot};
use crate::order::{Truncation, positions};
use crate::preset::Preset;
use crate::preset::constants::retrieve::RECENT_BEFORE_EDITS;
use crate::preset::constants::trim::TITLE_BY_NAME;
use crate::rerank::{RerankInputs, rerank};
use crate::retrieve::{self, HoleInputs, Inputs, Meanings, Query, Question, RankedList, retrieve};
use crate::scope::{Cursor, Scope, View};
use crate::trim::{
    Count, Piece, PieceBudget, RankedCandidate, Selection, TitleInput, VisibleText, Window, Words,
    ranked_candidates, select, title_of, window,
};

/// A stage of the pipeline whose time can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Computes what is in reach of the cursor.
    Scope,
    /// Builds the query.
    Query,
    /// Retrieves the list of one signal.
    Signal(Signal),
    /// Retrieves all lists.
    Retrieve,
    /// Merges lists.
    Fuse,
    /// Reranks candidates.
    Rerank,
    /// Trims the text around the cursor.
    Window,
    /// Selects pieces and composes the prompt.
    Compose,
}

impl Stage {
    /// Name in reports.
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

/// Callbacks to observe and stop a run; the default does neither.
///
/// The engine has no clock: callers measure the time between stages and enforce deadlines.
#[derive(Default)]
pub struct Control<'c> {
    /// Called after each stage.
    pub observer: Option<&'c mut dyn FnMut(Stage)>,
    /// Returns whether to skip the remaining signals. Called before each signal except the first; [`Ranking::skipped`]
    /// names the skipped signals.
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

/// A request for candidates.
#[derive(Clone, Copy)]
pub enum Request<'r> {
    /// A question, or the name of a symbol.
    Question {
        /// The repository.
        snapshot: &'r Snapshot,
        /// The question.
        question: &'r Question<'r>,
    },
    /// A cursor.
    Cursor {
        /// The repository with unsaved text.
        view: &'r View<'r>,
        /// The cursor.
        cursor: &'r Cursor,
        /// Definitions, imports and files in reach of the cursor.
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
                fuzzy::corrected(query, snapshot)
            }
            Self::Cursor { view, cursor, scope } => {
                let config = (&preset.query, &preset.names);
                retrieve::hole_query(cursor, scope, view.activity(), view.snapshot(), config)
            }
        }
    }
}

/// Ranked candidates with intermediate results.
pub struct Ranking {
    /// The query.
    pub query: Query,
    /// The terms of the query with their weights in this snapshot.
    pub weighed: WeightedQuery,
    /// The ranked list of each signal.
    pub lists: Vec<RankedList>,
    /// Signals skipped for lack of time.
    pub skipped: Vec<Signal>,
    /// Candidates, best first.
    pub candidates: Vec<Candidate>,
}

/// Runs the pipeline up to the candidates: `query → retrieve → fuse → rerank`. If contents that retrieval needs are
/// elsewhere ([`Snapshot::is_preliminary`]), there are none.
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
    if hole.is_some_and(|it| it.is_before_edits()) {
        config.weights[Signal::Recent] *= RECENT_BEFORE_EDITS;
    }
    let candidates = fuse(&lists, &config);
    control.finish(Stage::Fuse);
    // Contents that are asked for now change the candidates: these are not worth more work.
    if snapshot.is_preliminary() {
        return Ranking { query, weighed, lists, skipped, candidates: Vec::new() };
    }
    let inputs = RerankInputs { snapshot, query: &query, weighed: &weighed, hole, prior };
    let candidates = rerank(&inputs, candidates, &preset.rerank);
    control.finish(Stage::Rerank);
    Ranking { query, weighed, lists, skipped, candidates }
}

/// Retrieves the list of every applicable signal; also returns the skipped signals.
fn retrieve_all(inputs: &Inputs<'_>, control: &mut Control<'_>) -> (Vec<RankedList>, Vec<Signal>) {
    let (mut lists, mut skipped) = (Vec::new(), Vec::new());
    let applies = |it: &Signal| match it {
        Signal::Dense => inputs.meanings.is_some(),
        // A plan is used without retrieval.
        Signal::Speculated => false,
        _ => true,
    };
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

/// Results at a cursor before pieces are selected. Selection is cheap in comparison, so one retrieval can serve several
/// budgets.
pub struct CursorRetrieval<'r> {
    /// The repository with unsaved text.
    pub view: View<'r>,
    /// The cursor.
    pub cursor: &'r Cursor,
    /// The preset.
    pub preset: &'r Preset,
    /// Definitions, imports and files in reach.
    pub scope: Scope,
    /// The candidates.
    pub ranking: Ranking,
    /// The text around the cursor.
    pub window: Window,
}

impl<'r> CursorRetrieval<'r> {
    /// Runs the pipeline up to the selection of pieces.
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

    /// Selects pieces that fit `tokens`, each with its reasons, in the order of the prompt.
    pub fn select(&self, tokens: usize, truncation: Truncation, count: Count<'_>) -> Selection {
        self.select_beside(&self.window, tokens, truncation, count)
    }

    /// Like [`Self::select`], for a reader who sees another part of the cursor's file.
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
        let ranked_candidates = ranked_candidates(snapshot, &visible, &ranking.candidates);
        let positions = positions(ranked_candidates.iter().map(RankedCandidate::chunk), truncation);
        let allowance = PieceBudget { budget: &preset.budget, tokens, count };
        let candidates = (ranked_candidates.as_slice(), positions.as_slice());
        let mut selection = select(snapshot, &visible, &ranking.weighed, candidates, &allowance);
        let pieces = selection.pieces.iter_mut();
        let reasons = pieces.map(|it| (it.position.chunk(), &mut it.reasons));
        fill_in_terms(snapshot, &ranking.weighed, reasons.collect());
        selection
    }

    /// The candidates in the order in which they are considered beside the window.
    pub fn ranked_candidates(&self) -> Vec<RankedCandidate<'_>> {
        let visible = self.visible(&self.window);
        ranked_candidates(self.view.snapshot(), &visible, &self.ranking.candidates)
    }

    fn visible<'s>(&self, window: &'s Window) -> VisibleText<'s> {
        VisibleText { file: self.scope.file, window, head: self.scope.head }
    }

    /// Index of the definition that titles a piece: one found by name if it is shown, otherwise the one with most words
    /// of the query.
    pub fn title(&self, piece: &Piece) -> Option<u32> {
        let snapshot = self.view.snapshot();
        let chunk = piece.position.chunk();
        let candidate = self.ranking.candidates.iter().find(|it| it.chunk == chunk)?;
        let text = snapshot.text(chunk.file);
        let lines = LineIndex::new(text.as_bytes());
        let start = lines.start_of(piece.start_line).min(text.len());
        let end = lines.start_of(piece.end_line + 1).clamp(start, text.len());
        let shown = TitleInput {
            file: chunk.file,
            text: &text[start..end],
            start,
            named: &candidate.definitions,
            preference: TITLE_BY_NAME,
            kinds: &[],
        };
        title_of(snapshot, &shown, &Words::new(&self.ranking.weighed))
    }
}

/// Returns the pieces that fit `tokens` at a cursor, best first.
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

/// Fills in the terms that led to each chunk that is shown. This costs more than ranking, so it is done only for those.
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
