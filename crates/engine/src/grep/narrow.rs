//! Excludes files that cannot match, by the index alone.
//!
//! For all patterns over a snapshot whose contents are elsewhere: the terms that contain a part of a name that every match has
//! (`fragments`) lead to the files. Names that are too long to be terms are in files that are marked.
//!
//! For literal patterns over any snapshot: an identifier in the pattern that is bounded on both sides is, wherever the pattern
//! matches, an identifier of the file; the index splits files by the same rule, so a chunk has its term. Two exceptions
//! are handled:
//!
//! * a chunk may begin in the middle of an identifier. Then it begins in the middle of a line, so files that have such
//!   chunks are always searched;
//! * if case is ignored, `ſ` equals `s`, but its lower case is `ſ` itself. So both are looked up. (The Kelvin sign is `k`
//!   in lower case as well, and no other non-ASCII letter equals an ASCII one.) Identifiers that are not ASCII are not
//!   used then.

use aho_corasick::AhoCorasick;

use crate::index::terms::{identifiers, terms_of};
use crate::index::{FileId, Snapshot};
use crate::preset::constants::index::FIRST_FILES;

use super::fragments::{Parts, comparable, parts_of};
use super::pattern::Pattern;
use super::types::GrepRequest;

/// A longer term may exceed the length limit of the index when it is spelled with other letters.
const MAX_TERM_BYTES: usize = 48;

/// Terms whose files are looked up at most.
const MAX_TERMS: usize = 256;

/// Each `s` doubles the number of terms to look up.
const MAX_S: usize = 4;

/// The files of `files` that may match, in order; `None` if the index excludes too few, or cannot tell.
pub(super) fn candidates(
    snapshot: &Snapshot,
    request: &GrepRequest<'_>,
    pattern: &Pattern,
    files: &[FileId],
) -> Option<Vec<FileId>> {
    let is_elsewhere = snapshot.partial().is_some();
    let parts = || match is_elsewhere && files.len() > FIRST_FILES {
        true => with_parts(snapshot, &parts_of(request), files),
        false => None,
    };
    match request.regex {
        true => parts(),
        false => with_names(snapshot, request, pattern, files).or_else(parts),
    }
}

/// The files of `files` with a name that contains one of the parts of a set, of the set whose names are rarest; `None` where too
/// many names contain parts of each.
pub(super) fn with_parts(
    snapshot: &Snapshot,
    sets: &[Parts],
    files: &[FileId],
) -> Option<Vec<FileId>> {
    let terms_of_set = |parts: &Parts| {
        let texts: Vec<&str> = parts.iter().map(|it| &*it.text).collect();
        let finder = AhoCorasick::new(&texts).ok()?;
        let has_part = |term: &str| finder.is_match(&*comparable(term));
        Some(snapshot.terms_with(&format!("with {}", texts.join(" ")), &has_part))
    };
    let all = sets.iter().filter_map(terms_of_set).filter(|it| it.len() <= MAX_TERMS);
    let frequency = |terms: &Vec<String>| -> u64 {
        terms.iter().map(|it| u64::from(snapshot.document_frequency(it))).sum()
    };
    let terms = all.map(|it| (frequency(&it), it)).min()?.1;
    // Until it is known which are rarest, no file is asked for.
    if snapshot.is_preliminary() {
        return Some(Vec::new());
    }
    let (has_term, has_long_name) = (snapshot.files_with(&terms), snapshot.has_long_names());
    let may_match = |file: &FileId| {
        let at = file.0 as usize;
        has_term[at] || has_long_name[at] || is_cut_in_lines(snapshot, *file)
    };
    Some(files.iter().copied().filter(may_match).collect())
}

/// The files of `files` with a whole name of a literal pattern.
fn with_names(
    snapshot: &Snapshot,
    request: &GrepRequest<'_>,
    pattern: &Pattern,
    files: &[FileId],
) -> Option<Vec<FileId>> {
    let spellings_of = |identifier: &str| match pattern.is_sensitive {
        true => term_of(identifier).map(|it| vec![it]),
        false => spellings_in_any_case(identifier),
    };
    let spellings = whole_identifiers(request)
        .into_iter()
        .filter_map(spellings_of)
        .map(|it| {
            (it.iter().map(|term| u64::from(snapshot.document_frequency(term))).sum::<u64>(), it)
        })
        .min()
        .filter(|it| it.0 <= u64::from(snapshot.totals().chunks) / 2)?
        .1;
    let has_term = snapshot.files_with(&spellings);
    // A damaged list looks like an absent one.
    if snapshot.is_damaged() {
        return None;
    }
    let may_match = |file: &FileId| has_term[file.0 as usize] || is_cut_in_lines(snapshot, *file);
    Some(files.iter().copied().filter(may_match).collect())
}

/// The identifiers that are whole wherever the pattern matches: none at its ends, unless it must match whole words.
fn whole_identifiers<'r>(request: &GrepRequest<'r>) -> Vec<&'r str> {
    let pattern = request.pattern;
    let mut res = Vec::new();
    identifiers(pattern, |start, end| {
        if request.word || (start > 0 && end < pattern.len()) {
            res.push(&pattern[start..end]);
        }
    });
    res
}

/// The term that every chunk with the identifier has; `None` if that is not certain.
fn term_of(identifier: &str) -> Option<String> {
    let mut term = String::new();
    terms_of(identifier, &mut String::new(), |it, is_whole| {
        if is_whole {
            it.clone_into(&mut term);
        }
    });
    (1..=MAX_TERM_BYTES).contains(&term.len()).then_some(term)
}

/// Terms of which every chunk with the identifier, in any case, has one; `None` if that is not certain.
fn spellings_in_any_case(identifier: &str) -> Option<Vec<String>> {
    let term = term_of(identifier)?;
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

/// Whether a chunk of the file begins in the middle of a line.
fn is_cut_in_lines(snapshot: &Snapshot, file: FileId) -> bool {
    let mut last_line = 0;
    snapshot.chunks(file).any(|it| {
        let info = snapshot.chunk(it);
        let is_cut = info.start_line <= last_line;
        last_line = info.end_line;
        is_cut
    })
}
