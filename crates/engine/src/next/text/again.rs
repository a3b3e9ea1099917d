//! Where a replaced line is replaced again: an equal line for which the new one can be right, too.

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::is_like;
use crate::index::terms::identifiers;
use crate::next::change::{is_callable, words};
use crate::next::earlier::unquoted;
use crate::next::group::OneFile;
use crate::next::suggestion::ProposedEdit;
use crate::preset::constants::next::{SHORTEST_LIKE_LINE, USES};
use crate::retrieve::call_fits;

/// The new text of an equal line; `None` if no line like it was replaced, if it differs by more than it has in common, or if
/// equal lines often stay: comments, and those of which words or strings alone were taken or changed.
pub(super) fn replaced(file: &OneFile<'_>, range: &Range<usize>) -> Option<String> {
    let line = &file.text[range.clone()];
    let trimmed = line.trim();
    let new = file.context.replacements.lines.get(trimmed)?.as_ref()?;
    let is_proposed = trimmed.len() >= SHORTEST_LIKE_LINE
        && is_like(trimmed, &new.line)
        && adds_word(trimmed, &new.line)
        && !is_comment(file, range)
        && !defines(file, range)
        && !is_optional(file, range, &new.line);
    is_proposed.then(|| line.replacen(trimmed, &new.line, 1))
}

/// Whether the local names that an edit brings are known at its place: in the code around it, or in the other edits.
pub(super) fn has_names(file: &OneFile<'_>, edit: &ProposedEdit, all: &[ProposedEdit]) -> bool {
    let old = file.text[edit.range.clone()].trim();
    let new = file.context.replacements.lines.get(old).and_then(Option::as_ref);
    let new = new.filter(|it| edit.kind == "again" && !it.locals.is_empty());
    let Some(new) = new else { return true };
    let (before, after) = around(file, &edit.range);
    let others = all.iter().filter(|it| it.range != edit.range).map(|it| it.text.as_str());
    let known: FxHashSet<&str> = others.chain([before, after]).flat_map(words).collect();
    new.locals.iter().all(|it| known.contains(it.as_str()))
}

/// The text of the outermost function around a line, before and after it; without one, that of the file.
fn around<'f>(file: &'f OneFile<'_>, line: &Range<usize>) -> (&'f str, &'f str) {
    let symbols = &file.record.symbols;
    let functions = symbols.ancestors(symbols.enclosing(line.start));
    let span = functions.filter(|it| is_callable(it.kind)).last().map(|it| it.span.range());
    let span = span.unwrap_or(0..file.text.len());
    let (start, end) = (span.start.min(line.start), span.end.max(line.end));
    (&file.text[start..line.start], &file.text[line.end..end])
}

/// Whether a line has a word outside of strings that another one has not.
fn adds_word(old: &str, new: &str) -> bool {
    let (old, new) = (unquoted(old), unquoted(new));
    let mut had = FxHashSet::default();
    identifiers(&old, |start, end| {
        had.insert(&old[start..end]);
    });
    let mut is_more = false;
    identifiers(&new, |start, end| is_more |= !had.contains(&new[start..end]));
    is_more
}

/// Whether a line begins in a comment or a string.
fn is_comment(file: &OneFile<'_>, line: &Range<usize>) -> bool {
    let text = &file.text[line.clone()];
    let at = line.start + (text.len() - text.trim_start().len());
    let mentions = file.context.snapshot.mentions_in(file.file);
    let before = mentions.prose.partition_point(|it| it.end as usize <= at);
    mentions.prose.get(before).is_some_and(|it| it.contains_byte(at))
}

/// A line that names a definition: an equal line elsewhere names another one.
fn defines(file: &OneFile<'_>, line: &Range<usize>) -> bool {
    file.record.symbols.definitions.iter().any(|it| line.contains(&(it.name.start as usize)))
}

/// Whether the new line only adds an argument to a call that is right without it.
fn is_optional(file: &OneFile<'_>, line: &Range<usize>, new: &str) -> bool {
    let text = &file.text[line.clone()];
    let indent = text.len() - text.trim_start().len();
    let Some((name, end)) = longer_call(text.trim(), new) else { return false };
    let call = unquoted(&file.text[line.start + indent + end..]);
    let sites = file.context.snapshot.definitions_up_to(name, USES).unwrap_or_default();
    sites.iter().filter(|it| is_callable(it.kind)).any(|it| {
        let (text, record) = file.context.snapshot.contents(it.file);
        let definition = record.symbols.definitions.get(it.definition as usize);
        definition.is_some_and(|it| call_fits(&call, &text, it, record.language))
    })
}

/// The name of the call that alone differs, by more text between its brackets, and the byte behind it in the old line.
fn longer_call<'t>(old: &'t str, new: &str) -> Option<(&'t str, usize)> {
    let same = |(a, b): &(u8, u8)| a == b;
    let start = old.bytes().zip(new.bytes()).take_while(same).count();
    let end = old.bytes().rev().zip(new.bytes().rev()).take_while(same).count();
    if start + end < old.len() || new.len() <= old.len() {
        return None;
    }
    let mut depth = 0;
    for (at, byte) in old.as_bytes()[..start].iter().enumerate().rev() {
        match byte {
            b')' | b']' | b'}' => depth += 1,
            b'(' | b'[' | b'{' if depth > 0 => depth -= 1,
            b'(' => {
                let is_part = |it: char| it.is_alphanumeric() || it == '_';
                let name = &old[old[..at].trim_end_matches(is_part).len()..at];
                return (!name.is_empty()).then_some((name, at));
            }
            b'[' | b'{' => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_added_outside_of_strings() {
        assert!(adds_word("wait(1)", "wait(2)"));
        assert!(adds_word("f(\"a\")", "g(\"a\")"));
        assert!(!adds_word("f(\"a\")", "f(\"b\")"));
        assert!(!adds_word("f(a, b)", "f(a)"));
    }

    #[test]
    fn a_call_that_only_has_more_arguments_is_found() {
        assert_eq!(longer_call("x = f(a, g(b))", "x = f(a, g(b), c)"), Some(("f", 5)));
        assert_eq!(longer_call("x = f(a, g(b))", "x = f(a, g(b, c))"), Some(("g", 10)));
        assert_eq!(longer_call("f()", "f(a)"), Some(("f", 1)));
        assert_eq!(longer_call("f(a)", "f(b)"), None);
        assert_eq!(longer_call("f(a)", "await f(a)"), None);
        assert_eq!(longer_call("f([a])", "f([a, b])"), None);
    }
}
