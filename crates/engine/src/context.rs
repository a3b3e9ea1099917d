//! Answers a cursor with the context that a model should see, within its budget.

use std::sync::Arc;

use crate::fuse::{Candidate, fuse};
use crate::index::bm25::Weighed;
use crate::index::{Change, ChunkId, SegmentError, Snapshot};
use crate::order::{Truncation, places};
use crate::preset::Preset;
use crate::rerank::{raise, rerank};
use crate::retrieve::{self, Query, RankedList, Reason};
use crate::scope::{Activity, Cursor, Resolver, Scope};
use crate::source::{ContentHash, Source};
use crate::trim::{Choice, Count, Shown, Spend, Window, choose, window};

/// A snapshot in which the cursor's file has the text that the editor has.
pub struct Situation<'s> {
    /// What was indexed.
    before: &'s Snapshot,
    /// With the unsaved text; `None` when there is none.
    overlaid: Option<Arc<Snapshot>>,
    resolver: Resolver,
    activity: Activity,
}

impl<'s> Situation<'s> {
    /// Lays the cursor's text over `snapshot` where it differs.
    pub fn new(snapshot: &'s Snapshot, cursor: &Cursor) -> Result<Self, SegmentError> {
        let hash = ContentHash::of(cursor.text.as_bytes());
        let known = snapshot.file(&cursor.path).is_some_and(|it| snapshot.hash(it) == hash);
        let source = Source { path: cursor.path.clone(), text: cursor.text.clone() };
        let overlaid = match known {
            true => None,
            false => Some(Arc::new(snapshot.with_changes(vec![Change::Write(source)])?)),
        };
        Ok(Self::laid(snapshot, overlaid))
    }

    /// The same where the cursor's text was laid over `before` already, or is in it.
    pub fn laid(before: &'s Snapshot, overlaid: Option<Arc<Snapshot>>) -> Self {
        let resolver = Resolver::new(overlaid.as_deref().unwrap_or(before));
        Self { before, overlaid, resolver, activity: Activity::default() }
    }

    /// Takes what the user was doing elsewhere into account.
    #[must_use]
    pub fn with_activity(self, activity: Activity) -> Self {
        Self { activity, ..self }
    }

    /// The snapshot that answers.
    pub fn snapshot(&self) -> &Snapshot {
        self.overlaid.as_deref().unwrap_or(self.before)
    }

    /// What is in reach of the cursor.
    pub fn scope(&self, cursor: &Cursor) -> Scope {
        Scope::new(self.snapshot(), self.before, &self.resolver, cursor)
    }

    /// The stages up to the choice of pieces, one after another.
    pub fn find(&self, cursor: &Cursor, preset: &Preset, count: Count<'_>) -> Found {
        let scope = self.scope(cursor);
        let ranked = rank(self, cursor, &scope, preset);
        let window = around(cursor, &scope, preset, count);
        Found { scope, ranked, window }
    }

    /// The ranked list of every signal.
    pub fn retrieve(
        &self,
        cursor: &Cursor,
        scope: &Scope,
        query: &Query,
        weighed: &Weighed,
        preset: &Preset,
    ) -> Vec<RankedList> {
        let (snapshot, limit) = (self.snapshot(), preset.list);
        vec![
            retrieve::lexical(snapshot, weighed, None, limit),
            retrieve::used_at_hole(snapshot, scope, query, limit),
            retrieve::graph(snapshot, &self.resolver, cursor, scope, weighed, limit),
            retrieve::package(snapshot, cursor, scope, weighed, limit),
            retrieve::recent(snapshot, cursor, scope, &self.activity, weighed, limit),
        ]
    }
}

/// The candidates for a cursor, and what found them.
pub struct Ranked {
    /// What was looked for.
    pub query: Query,
    /// Its terms as this snapshot has them.
    pub weighed: Weighed,
    /// What each signal found.
    pub lists: Vec<RankedList>,
    /// Best first.
    pub candidates: Vec<Candidate>,
}

/// What is known at a cursor before pieces are chosen.
pub struct Found {
    /// What is in reach.
    pub scope: Scope,
    /// The candidates.
    pub ranked: Ranked,
    /// The text to show around the cursor.
    pub window: Window,
}

/// A step of [`rank`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// What to look for.
    Query,
    /// A list for each signal.
    Retrieve,
    /// One list of all.
    Fuse,
    /// The same, by more features.
    Rerank,
}

impl Step {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Query => "query",
            Self::Retrieve => "retrieve",
            Self::Fuse => "fuse",
            Self::Rerank => "rerank",
        }
    }
}

/// The candidates for a cursor, reranked.
pub fn rank(situation: &Situation<'_>, cursor: &Cursor, scope: &Scope, preset: &Preset) -> Ranked {
    rank_telling(situation, cursor, scope, preset, &mut |_| {})
}

/// Like [`rank`]; `done` is told of each step when it is over, for those who have a clock.
pub fn rank_telling(
    situation: &Situation<'_>,
    cursor: &Cursor,
    scope: &Scope,
    preset: &Preset,
    done: &mut dyn FnMut(Step),
) -> Ranked {
    let snapshot = situation.snapshot();
    let query = retrieve::hole_query(cursor, scope, &situation.activity, snapshot, &preset.query);
    let weighed = snapshot.weigh(&query.terms, &preset.bm25);
    done(Step::Query);
    let lists = situation.retrieve(cursor, scope, &query, &weighed, preset);
    done(Step::Retrieve);
    let candidates = fuse(&lists, &preset.fuse);
    done(Step::Fuse);
    let candidates = rerank(snapshot, &query, &weighed, candidates, &preset.rerank);
    let candidates = raise(snapshot, cursor, candidates, &preset.rerank);
    done(Step::Rerank);
    Ranked { query, weighed, lists, candidates }
}

/// The text to show around the cursor.
pub fn around(cursor: &Cursor, scope: &Scope, preset: &Preset, count: Count<'_>) -> Window {
    window(cursor, scope, &preset.budget, count)
}

/// The pieces that fit `tokens`, each with its reasons, in the order of the prompt.
#[expect(
    clippy::too_many_arguments,
    reason = "each is a stage's result; a struct would only rename them"
)]
pub fn pieces(
    situation: &Situation<'_>,
    scope: &Scope,
    window: &Window,
    ranked: &Ranked,
    preset: &Preset,
    truncation: Truncation,
    tokens: usize,
    count: Count<'_>,
) -> Choice {
    let snapshot = situation.snapshot();
    let places = places(&ranked.candidates, truncation);
    let shown = Shown { file: scope.file, window };
    let spend = Spend { budget: &preset.budget, tokens, count };
    let mut choice = choose(snapshot, &shown, &ranked.weighed, &ranked.candidates, &places, &spend);
    let chunks: Vec<ChunkId> = choice.pieces.iter().map(|it| it.place.chunk()).collect();
    let explained = retrieve::explain(snapshot, &ranked.weighed, &chunks);
    for (piece, words) in choice.pieces.iter_mut().zip(&explained) {
        for reason in &mut piece.reasons {
            if let Reason::Lexical { terms } = reason {
                terms.clone_from(words);
            }
        }
    }
    choice
}
