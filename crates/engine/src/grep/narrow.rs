//! Which files cannot have a match, by the index alone.
//!
//! Only for text that stands for itself. An identifier in it that is bounded on both sides is, wherever the text
//! occurs, an identifier of the file; the index cuts files by the same rule, so a chunk has its term. Two things stand
//! in the way, and both are seen to:
//!
//! * a chunk may begin in the middle of an identifier. Then it begins in the middle of a line, so files that have such
//!   chunks are always read;
//! * without regard to case, `ſ` is an `s`, but its lower case is itself. So both are looked for. (The Kelvin sign is
//!   a `k` in lower case too, and no other letter that is not ASCII is the same as one that is.) Identifiers that are
//!   not ASCII are not used then.

use crate::index::terms::{identifiers, terms_of};
use crate::index::{FileId, Snapshot};

use super::GrepRequest;
use super::pattern::Pattern;

/// A term longer than this may be longer than those in the index when written with other letters.
const MAX_TERM_BYTES: usize = 48;

/// Each `s` doubles the terms to look for.
const MAX_S: usize = 4;

/// Those of `files` that may have a match, in order; `None` when the index rules out too little, or cannot tell.
pub(super) fn candidates(
    snapshot: &Snapshot,
    request: &GrepRequest<'_>,
    pattern: &Pattern,
    files: &[FileId],
) -> Option<Vec<FileId>> {
    if request.regex {
        return None;
    }
    let spellings = whole_identifiers(request.pattern, request.word)
        .into_iter()
        .filter_map(|it| spellings_of(it, pattern.is_sensitive))
        .map(|it| {
            (it.iter().map(|term| u64::from(snapshot.document_frequency(term))).sum::<u64>(), it)
        })
        .min()
        .filter(|it| it.0 <= u64::from(snapshot.totals().chunks) / 2)?
        .1;
    let has_term = snapshot.files_with(&spellings);
    // A list that could not be read looks like one that is not there.
    if snapshot.is_damaged() {
        return None;
    }
    let may_match = |file: &FileId| has_term[file.0 as usize] || is_cut_in_lines(snapshot, *file);
    Some(files.iter().copied().filter(may_match).collect())
}

/// The identifiers in `pattern` that are whole wherever it occurs: none at its ends, unless words must be whole.
fn whole_identifiers(pattern: &str, word: bool) -> Vec<&str> {
    let mut res = Vec::new();
    identifiers(pattern, |start, end| {
        if word || (start > 0 && end < pattern.len()) {
            res.push(&pattern[start..end]);
        }
    });
    res
}

/// The terms of which a chunk has one when it has the identifier; `None` when that is not sure.
fn spellings_of(identifier: &str, is_sensitive: bool) -> Option<Vec<String>> {
    let mut term = String::new();
    terms_of(identifier, &mut String::new(), |it, is_whole| {
        if is_whole {
            it.clone_into(&mut term);
        }
    });
    if term.is_empty() || term.len() > MAX_TERM_BYTES {
        return None;
    }
    if is_sensitive {
        return Some(vec![term]);
    }
    let is_safe = identifier.is_ascii() && term.matches('s').count() <= MAX_S;
    is_safe.then(|| with_long_s(&term))
}

/// The term with each `s` as `s` and as `ſ`.
fn with_long_s(term: &str) -> Vec<String> {
    let mut res = vec![String::new()];
    for c in term.chars() {
        if c == 's' {
            let long: Vec<String> = res.iter().map(|it| format!("{it}ſ")).collect();
            for it in &mut res {
                it.push('s');
            }
            res.extend(long);
        } else {
            for it in &mut res {
                it.push(c);
            }
        }
    }
    res
}

/// Whether a chunk of the file begins elsewhere than at the beginning of a line.
fn is_cut_in_lines(snapshot: &Snapshot, file: FileId) -> bool {
    let mut last_line = 0;
    snapshot.chunks(file).any(|it| {
        let info = snapshot.chunk(it);
        let is_cut = info.start_line <= last_line;
        last_line = info.end_line;
        is_cut
    })
}
