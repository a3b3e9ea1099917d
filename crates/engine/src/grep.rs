//! Exact and regular-expression search over the texts of a snapshot.
//!
//! The engine is ripgrep's, so patterns mean what they mean there. What is scanned is the snapshot, not the disk:
//! unsaved buffers count, and the answer says at once in which definition a line stands. Where a pattern holds a
//! whole identifier, the index rules files out, and never one that has a match (`narrow`).

mod narrow;
mod pattern;
mod show;

use foreword_chunk::{Kind, LineIndex};
use rayon::prelude::*;

use crate::index::{FileId, Snapshot};

use pattern::Pattern;

/// A line longer than this many characters is cut around its match; `…` stands where something is missing.
pub const MAX_LINE_CHARS: usize = 240;

/// How upper and lower case count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Case {
    /// They count when the pattern has an upper-case letter.
    #[default]
    Smart,
    /// They count.
    Sensitive,
    /// They do not.
    Insensitive,
}

/// What to search for, and where.
#[derive(Clone, Copy, Default)]
pub struct GrepRequest<'r> {
    /// The text or the regular expression.
    ///
    /// It may span lines when it holds a line break (or, in an expression, `\n`); else `.` and classes stay in a line.
    pub pattern: &'r str,
    /// Whether it is a regular expression; else it stands for itself.
    pub regex: bool,
    /// How upper and lower case count.
    pub case: Case,
    /// Whether a match must be whole words: no letter, digit or underscore of any script on either side.
    pub word: bool,
    /// Which files are searched; `None` for all.
    pub keep: Option<&'r (dyn Fn(FileId) -> bool + Sync)>,
    /// How many matches are returned at the most; all are counted.
    pub limit: usize,
    /// How many lines before and after a match are returned with it.
    pub context: u32,
}

/// A line that matches; of a pattern that spans lines, the lines that a match touches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrepMatch {
    /// The file.
    pub path: String,
    /// The line in which the match begins, 1-based.
    pub line: u32,
    /// Where in the line it begins, in characters, 1-based.
    pub column: u32,
    /// The line without its end; at most about [`MAX_LINE_CHARS`] characters of it, the match's beginning among them.
    pub text: String,
    /// Dotted name of the innermost definition around the match; empty when there is none.
    pub symbol: String,
    /// The kind of that definition.
    pub kind: Option<Kind>,
    /// The lines before, each cut like `text`.
    pub before: Vec<String>,
    /// The lines after, each cut like `text`.
    pub after: Vec<String>,
}

/// The answer to a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GrepAnswer {
    /// In order of path and line, one for a line at the most.
    pub matches: Vec<GrepMatch>,
    /// How many matches there are, those beyond the limit included.
    pub total: usize,
    /// In how many files they are.
    pub files: usize,
    /// Of how many files the answer speaks: those that were read and those that the index proved to have none.
    pub searched: usize,
    /// Whether there are more matches than are returned.
    pub truncated: bool,
}

/// Why a pattern cannot be searched for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GrepError {
    /// There is nothing in it.
    #[error("the pattern is empty: it would match every line; say what to search for")]
    Empty,
    /// It is no regular expression.
    #[error(
        "`{pattern}` is not a regular expression: {what}; to search for it as it stands, use --exact"
    )]
    Syntax {
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        what: String,
    },
    /// It would take too much memory.
    #[error(
        "`{pattern}` needs too much memory: {what}; use smaller repetitions, or --exact to search for it as it stands"
    )]
    TooLarge {
        /// The pattern.
        pattern: String,
        /// The limit that it exceeds.
        what: String,
    },
}

/// Searches the texts of a snapshot, files in parallel.
pub fn grep(snapshot: &Snapshot, request: &GrepRequest<'_>) -> Result<GrepAnswer, GrepError> {
    let pattern = Pattern::new(request)?;
    let kept = |file: &FileId| request.keep.is_none_or(|keep| keep(*file));
    let files: Vec<FileId> = snapshot.files().filter(kept).collect();
    let candidates = narrow::candidates(snapshot, request, &pattern, &files);
    let found = scan(snapshot, &pattern, candidates.as_deref().unwrap_or(&files), request.limit);
    let total = found.iter().map(|it| it.total).sum();
    Ok(GrepAnswer {
        matches: show(snapshot, &found, request),
        total,
        files: found.len(),
        searched: files.len(),
        truncated: total > request.limit,
    })
}

/// The matches of one file.
#[derive(Debug, PartialEq, Eq)]
struct FileMatches {
    file: FileId,
    total: usize,
    /// The first of them, as many as can be returned.
    first: Vec<(usize, usize)>,
}

/// The files that have matches, in order.
fn scan(
    snapshot: &Snapshot,
    pattern: &Pattern,
    files: &[FileId],
    limit: usize,
) -> Vec<FileMatches> {
    let scanned = files.par_iter().map_init(
        || pattern.clone(),
        |pattern, &file| {
            let text = snapshot.text(file);
            let mut res = FileMatches { file, total: 0, first: Vec::new() };
            pattern.each(&text, |start, end| {
                if res.total < limit {
                    res.first.push((start, end));
                }
                res.total += 1;
            });
            res
        },
    );
    let mut found: Vec<FileMatches> = scanned.filter(|it| it.total > 0).collect();
    found.sort_unstable_by_key(|it| it.file);
    found
}

/// The first matches, with all that is said of them.
fn show(snapshot: &Snapshot, found: &[FileMatches], request: &GrepRequest<'_>) -> Vec<GrepMatch> {
    let mut left = request.limit;
    let mut shown: Vec<(FileId, &[(usize, usize)])> = Vec::new();
    for it in found {
        let n = it.first.len().min(left);
        if n == 0 {
            break;
        }
        left -= n;
        shown.push((it.file, &it.first[..n]));
    }
    let matches = shown.par_iter().map(|&(file, places)| {
        let (text, record) = (snapshot.text(file), snapshot.record(file));
        let lines = LineIndex::new(text.as_bytes());
        let page =
            show::Page { path: snapshot.path(file), text: &text, record: &record, lines: &lines };
        places
            .iter()
            .map(|&(start, end)| page.show(start, end, request.context))
            .collect::<Vec<_>>()
    });
    matches.collect::<Vec<_>>().into_iter().flatten().collect()
}

#[cfg(test)]
mod tests;
