//! Checks of a forecast that need no parser.

use std::sync::Arc;

use super::super::plan::{Citation, Forecast};
use super::{Flaw, Limits};
use crate::index::Snapshot;
use crate::source::ContentHash;

/// Maximum length of a name, in bytes.
const MAX_NAME_LENGTH: usize = 200;

/// Maximum citations of a forecast.
const MAX_CITATIONS: usize = 32;

/// Checks that the code is printable and within the limits.
pub(super) fn is_readable(forecast: &Forecast, limits: &Limits) -> Result<(), Flaw> {
    let code = &forecast.code;
    if code.trim().is_empty() {
        return Err(Flaw::Empty);
    }
    let is_long = code.len() > limits.bytes
        || forecast.name.len() > MAX_NAME_LENGTH
        || forecast.evidence.len() > MAX_CITATIONS
        || code.lines().count() > limits.lines
        || depth(code) > limits.depth;
    if is_long {
        return Err(Flaw::TooLong);
    }
    let is_odd = |it: char| it.is_control() && !matches!(it, '\n' | '\r' | '\t');
    match code.contains(is_odd) || forecast.name.contains(char::is_whitespace) {
        true => Err(Flaw::Unreadable),
        false => Ok(()),
    }
}

/// Maximum depth of brackets, including those in strings and comments: an upper bound of the parser's nesting.
fn depth(code: &str) -> usize {
    let (mut open, mut most) = (0_usize, 0);
    for it in code.bytes() {
        match it {
            b'(' | b'[' | b'{' => open += 1,
            b')' | b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
        most = most.max(open);
    }
    most
}

/// The text of the target file; empty for a new file.
pub(super) fn target_text(snapshot: &Snapshot, forecast: &Forecast) -> Result<Arc<str>, Flaw> {
    let target = &forecast.target;
    let is_odd =
        |part: &str| matches!(part, "" | "." | ".." | ".git") || part.contains(['\\', ':', '\0']);
    if target.path.split('/').any(is_odd) || target.path.len() > 1024 {
        return Err(Flaw::BadPath);
    }
    let text = snapshot.file(&target.path).map(|it| snapshot.text(it)).unwrap_or_default();
    let lines = text.lines().count() as u32;
    match (1..=lines + 1).contains(&target.line) {
        true => Ok(text),
        false => Err(Flaw::BadPlace),
    }
}

/// Checks that all cited lines exist and have their stated text.
pub(super) fn cites_truly(snapshot: &Snapshot, forecast: &Forecast) -> Result<(), Flaw> {
    let is_true = |it: &Citation| {
        let place = &it.place;
        let Some(file) = snapshot.file(&place.path) else { return false };
        let text = snapshot.text(file);
        lines_of(&text, place.first_line, place.last_line)
            .is_some_and(|it| ContentHash::of(it.as_bytes()) == place.hash)
    };
    let evidence = &forecast.evidence;
    match !evidence.is_empty() && evidence.iter().all(is_true) {
        true => Ok(()),
        false => Err(Flaw::BadEvidence),
    }
}

/// The text of lines `first..=last` (1-based), without the last line's end; `None` if they do not exist.
pub(in crate::speculate) fn lines_of(text: &str, first: u32, last: u32) -> Option<&str> {
    if first == 0 || last < first {
        return None;
    }
    let mut start = 0;
    let mut found = None;
    for (line, it) in (1..).zip(text.split_inclusive('\n')) {
        if line == first {
            found = Some(start);
        }
        start += it.len();
        if line == last {
            return text.get(found?..start).map(|it| it.trim_end_matches(['\n', '\r']));
        }
    }
    None
}
