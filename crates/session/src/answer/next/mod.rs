//! Likely places of the next edit after the changes since the last commit.

mod prompt;

use std::path::Path;

use foreword_chunk::{Kind, LineIndex};
use foreword_engine::history::{CoChange, CoChangeConfig};
use foreword_engine::index::Snapshot;
use foreword_engine::next::{
    Config, Edit, NextReason, NextRequest, Place, edits_since_commit, next_edits,
};
use foreword_engine::sorting::sort_by_key;
use foreword_load::{GitHistory, GitProblem, HistoryLimits, Workspace};
use serde::Serialize;

pub use self::prompt::edit_prompt;

/// A place where the next edit is likely.
#[derive(Serialize)]
pub struct LikelyPlace {
    /// The file, relative to the root.
    pub path: String,
    /// The first line, from 1.
    pub start_line: u32,
    /// The last line, inclusive.
    pub end_line: u32,
    /// The dotted name of the definition; empty without one.
    pub symbol: String,
    /// The kind of the definition; empty without one.
    pub kind: &'static str,
    /// The chance that it is edited, from 0 to 1.
    pub confidence: f32,
    /// Why an edit is likely there.
    pub reasons: Vec<LikelyReason>,
    /// The first of its lines, without indentation.
    pub text: String,
}

/// Why an edit is likely there.
#[derive(Serialize)]
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
    /// Minimum confidence; the engine's default without.
    pub least: Option<f32>,
}

/// The likely places after the edits since the last commit.
pub fn likely(
    snapshot: &Snapshot,
    workspace: &Workspace,
    index_dir: &Path,
    wanted: &PlaceQuery<'_>,
) -> LikelyPlaces {
    let mut edits = edits_since_commit(snapshot);
    let n_edits = edits.len();
    if let Some(cursor) = wanted.cursor {
        towards(snapshot, &mut edits, cursor);
    }
    if edits.is_empty() {
        let note = foreword_load::git_problem(workspace).as_ref().map(git_note);
        return LikelyPlaces { edits: 0, places: Vec::new(), note };
    }
    let GitHistory { history, problem } =
        foreword_load::history(workspace, Some(index_dir), &HistoryLimits::usual());
    let co_change = CoChange::new(history, CoChangeConfig::measured());
    let request = NextRequest { edits: &edits, co_change: &co_change, limit: wanted.limit };
    let mut config = Config::measured();
    config.least = wanted.least.unwrap_or(config.least);
    let places = next_edits(snapshot, &request, &config);
    let is_elsewhere = |it: &Place| {
        let is_here = |(path, line): (&str, u32)| {
            it.path == path && (it.start_line..=it.end_line).contains(&line)
        };
        // Going on at the cursor needs no suggestion.
        !(wanted.cursor.is_some_and(is_here) && it.reasons == [NextReason::Following])
    };
    let places = places.into_iter().filter(is_elsewhere);
    let note = problem.as_ref().map(git_note);
    LikelyPlaces { edits: n_edits, places: places.map(|it| told(snapshot, it)).collect(), note }
}

/// A note that git's data are not read, or only in part.
pub fn git_note(problem: &GitProblem) -> String {
    format!("git's history is not read, or not all of it: {problem}")
}

/// Sorts the edits of the cursor's file first, nearest first. Without edits, the cursor's line counts as one.
fn towards(snapshot: &Snapshot, edits: &mut Vec<Edit>, (path, line): (&str, u32)) {
    let Some(file) = snapshot.file(path) else { return };
    let text = snapshot.text(file);
    let at = LineIndex::new(text.as_bytes()).start_of(line).min(text.len());
    if edits.is_empty() {
        let line = text[at..].split_inclusive('\n').next().unwrap_or_default();
        let range = at..at + line.len();
        edits.push(Edit { path: path.to_owned(), range, removed: line.to_owned() });
    }
    sort_by_key(edits, |it| match it.path == path {
        true => (0, it.range.start.abs_diff(at)),
        false => (1, 0),
    });
}

fn told(snapshot: &Snapshot, place: Place) -> LikelyPlace {
    let text = snapshot.file(&place.path).map(|it| snapshot.text(it)).unwrap_or_default();
    let start = LineIndex::new(text.as_bytes()).start_of(place.start_line).min(text.len());
    let line = text[start..].lines().next().unwrap_or_default().trim();
    let reason = |it: &NextReason| LikelyReason { code: it.code(), text: it.to_string() };
    LikelyPlace {
        start_line: place.start_line,
        end_line: place.end_line,
        kind: place.kind.map_or("", Kind::name),
        confidence: (place.confidence * 100.0).round() / 100.0,
        reasons: place.reasons.iter().map(reason).collect(),
        text: line.to_owned(),
        symbol: place.symbol,
        path: place.path,
    }
}
