//! Likely places of the next edit after the changes since the last commit.

mod hunk;
mod model;
mod order;
mod output;
mod patch;
mod prompt;

use foreword_chunk::{Kind, LineIndex};
use foreword_engine::index::Snapshot;
use foreword_engine::next::{
    Config, NextReason, NextRequest, Place, ProposedEdit, edits_since_commit, next_edits,
};
use foreword_engine::sorting::sort_by_key;
use foreword_load::{GitProblem, Workspace};
use serde::Serialize;

use self::order::{in_time, towards};
use crate::host::PastChanges;

pub use self::hunk::changed_part;
pub use self::model::{EditModel, ModelReport};
pub use self::order::WrittenRange;
pub use self::output::NextOutput;
pub use self::patch::{apply, current, patch};
pub use self::prompt::edit_prompt;

/// A place where the next edit is likely.
#[derive(Clone, Serialize)]
pub struct LikelyPlace {
    /// The file, relative to the root.
    pub path: String,
    /// The first line, from 1.
    pub start_line: u32,
    /// The last line, inclusive.
    pub end_line: u32,
    /// The line of its best reason, where a next-edit model is asked.
    #[serde(skip)]
    pub best_line: u32,
    /// The dotted name of the definition; empty without one.
    pub symbol: String,
    /// The kind of the definition; empty without one.
    pub kind: &'static str,
    /// The chance that it is edited, from 0 to 1 in hundredths; wide, so that it is the same text in every door.
    pub confidence: f64,
    /// Whether the code says that it must change.
    pub certain: bool,
    /// Whether it is a guess, below the confidence from which places are told.
    pub guess: bool,
    /// Why an edit is likely there.
    pub reasons: Vec<LikelyReason>,
    /// The first of its lines, without indentation.
    pub text: String,
    /// Edits that follow from the latest ones.
    pub edits: Vec<LikelyEdit>,
}

/// An edit that follows from the latest ones: new text for whole lines.
#[derive(Clone, Serialize)]
pub struct LikelyEdit {
    /// `rename`, `again`, or `model` for the text of a next-edit model.
    pub kind: &'static str,
    /// The first replaced line, from 1.
    pub start_line: u32,
    /// The last replaced line, inclusive.
    pub end_line: u32,
    /// The new lines.
    pub text: String,
    /// The edit in bytes.
    #[serde(skip)]
    pub edit: ProposedEdit,
}

/// Why an edit is likely there.
#[derive(Clone, Serialize)]
pub struct LikelyReason {
    /// The reason as a code, for programs.
    pub code: &'static str,
    /// The reason in words.
    pub text: String,
}

/// The likely places, and the number of edits before them.
pub struct LikelyPlaces {
    /// Number of edits since the last commit.
    pub edits: usize,
    /// Whether there is a commit to compare with.
    pub has_commit: bool,
    /// The likely places, best first.
    pub places: Vec<LikelyPlace>,
    /// Why the history or the uncommitted changes are not read, or only in part.
    pub note: Option<String>,
}

/// A query for likely places.
pub struct PlaceQuery<'w> {
    /// File and line of the cursor, from 1.
    pub cursor: Option<(&'w str, u32)>,
    /// Maximum number of places.
    pub limit: usize,
    /// What the user wrote, the latest first, where an editor tells it.
    pub written: &'w [WrittenRange],
    /// Minimum confidence, which certain places need not have; the engine's default without.
    pub least: Option<f32>,
}

/// The likely places after the edits since the last commit.
pub fn likely(
    snapshot: &Snapshot,
    workspace: &Workspace,
    past: &PastChanges,
    wanted: &PlaceQuery<'_>,
) -> LikelyPlaces {
    let mut edits = edits_since_commit(snapshot);
    let n_edits = edits.len();
    let has_commit = foreword_load::has_commit(workspace);
    if let Some(cursor) = wanted.cursor {
        towards(snapshot, &mut edits, cursor);
    }
    in_time(&mut edits, wanted.written);
    if edits.is_empty() {
        let note = foreword_load::git_problem(workspace).as_ref().map(git_note);
        return LikelyPlaces { edits: 0, has_commit, places: Vec::new(), note };
    }
    let past = past.read(workspace);
    let request = NextRequest { edits: &edits, co_change: &past.co_change, limit: wanted.limit };
    let mut config = Config::measured();
    // After a position alone all are guesses.
    let least = if n_edits == 0 { 0.0 } else { config.least };
    config.least = wanted.least.unwrap_or(least);
    let places = next_edits(snapshot, &request, &config);
    let note = past.problem.as_ref().map(git_note);
    let mut places: Vec<LikelyPlace> = places.into_iter().map(|it| told(snapshot, it)).collect();
    // What is told stands before the guesses.
    sort_by_key(&mut places, |it: &LikelyPlace| it.guess);
    LikelyPlaces { edits: n_edits, has_commit, places, note }
}

/// A note that git's data are not read, or only in part.
pub fn git_note(problem: &GitProblem) -> String {
    format!("git's history is not read, or not all of it: {problem}")
}

fn told(snapshot: &Snapshot, place: Place) -> LikelyPlace {
    let text = snapshot.file(&place.path).map(|it| snapshot.text(it)).unwrap_or_default();
    let lines = LineIndex::new(text.as_bytes());
    let start = lines.start_of(place.start_line).min(text.len());
    let line = text[start..].lines().next().unwrap_or_default().trim();
    let reason = |it: &NextReason| LikelyReason { code: it.code(), text: it.to_string() };
    LikelyPlace {
        start_line: place.start_line,
        end_line: place.end_line,
        best_line: place.best_line,
        kind: place.kind.map_or("", Kind::name),
        confidence: (f64::from(place.confidence) * 100.0).round() / 100.0,
        certain: place.is_certain,
        guess: !place.is_certain && place.confidence < Config::measured().least,
        reasons: place.reasons.iter().map(reason).collect(),
        text: line.to_owned(),
        edits: place.edits.into_iter().map(|it| in_lines(&lines, it)).collect(),
        symbol: place.symbol,
        path: place.path,
    }
}

/// An edit of a file, with its lines.
fn likely_edit(snapshot: &Snapshot, path: &str, it: ProposedEdit) -> LikelyEdit {
    let text = snapshot.file(path).map(|it| snapshot.text(it)).unwrap_or_default();
    in_lines(&LineIndex::new(text.as_bytes()), it)
}

fn in_lines(lines: &LineIndex, it: ProposedEdit) -> LikelyEdit {
    LikelyEdit {
        kind: it.kind,
        start_line: lines.line_of(it.range.start),
        end_line: lines.line_of(it.range.end.saturating_sub(1).max(it.range.start)),
        text: it.text.clone(),
        edit: it,
    }
}
