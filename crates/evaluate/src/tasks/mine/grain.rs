//! The holes of an insertion: all its lines, its function bodies, or one line.

use std::ops::Range;

use foreword_chunk::{Config, Definition, Kind, Language, analyze};

use super::patch::{Insertion, is_significant};
use super::request::Grain;
use crate::measures::coverage::code::code_of;
use crate::random::Random;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Hole {
    pub(super) language: Language,
    pub(super) prefix: String,
    /// The removed text.
    pub(super) truth: String,
    pub(super) suffix: String,
    /// Bytes of `prefix` that the parent's file does not have.
    pub(super) typed_before: usize,
    /// Bytes of `suffix` that the parent's file does not have.
    pub(super) typed_after: usize,
}

const LONGEST_BODY: usize = 60;

/// The holes of an insertion, checked for alignment; or the reason for rejecting it.
pub(super) fn holes(
    insertion: &Insertion,
    old: &str,
    new: &str,
    grain: Grain,
) -> Result<Vec<Hole>, &'static str> {
    let head = &new[..new.floor_char_boundary(4096)];
    let language = Language::of_path(&insertion.path, head).ok_or("no code")?;
    let at = start_of(old, insertion.after).ok_or("does not line up")?;
    let start = start_of(new, insertion.before_in_new).ok_or("does not line up")?;
    let is_there = new[start..].starts_with(&insertion.text);
    // An insertion of lines starts after a line break.
    if !is_there || (at > 0 && !old[..at].ends_with('\n')) {
        return Err("does not line up");
    }
    let place = InsertionPoint { language, old, at, inserted: &insertion.text };
    let res: Vec<Hole> = match grain {
        Grain::Block if !is_code(old, at, &insertion.text, language) => {
            return Err("comments and strings");
        }
        Grain::Block => vec![place.hole(0..insertion.text.len(), 0)],
        Grain::Line => one_line(&insertion.text, &insertion.path)
            .map(|it| place.hole(it, 0))
            .into_iter()
            .collect(),
        Grain::Function => bodies(new, language, start..start + insertion.text.len())
            .into_iter()
            .map(|(body, closing)| place.hole(body, closing))
            .collect(),
    };
    if res.is_empty() { Err("no such code in it") } else { Ok(res) }
}

/// Whether at least half of the significant lines are code.
fn is_code(old: &str, at: usize, inserted: &str, language: Language) -> bool {
    let telling = |text: &str| text.lines().filter(|it| is_significant(it)).count();
    telling(&code_of(&old[..at], inserted, Some(language))) * 2 >= telling(inserted)
}

/// An insertion and its position in the old file.
struct InsertionPoint<'t> {
    language: Language,
    old: &'t str,
    at: usize,
    inserted: &'t str,
}

impl InsertionPoint<'_> {
    /// The hole at a range of the insertion. The text before the range and `closing` bytes after it are already typed.
    fn hole(&self, bytes: Range<usize>, closing: usize) -> Hole {
        let (before, after) = self.old.split_at(self.at);
        let typed = &self.inserted[bytes.end..bytes.end + closing];
        Hole {
            language: self.language,
            prefix: format!("{before}{}", &self.inserted[..bytes.start]),
            truth: self.inserted[bytes.clone()].to_owned(),
            suffix: format!("{typed}{after}"),
            typed_before: bytes.start,
            typed_after: closing,
        }
    }
}

/// The offset after `n` lines.
fn start_of(text: &str, n: usize) -> Option<usize> {
    let mut ends = text.match_indices('\n').map(|it| it.0 + 1);
    match n {
        0 => Some(0),
        n => ends.nth(n - 1),
    }
}

/// A pseudo-random significant line, the same on each run.
fn one_line(text: &str, path: &str) -> Option<Range<usize>> {
    let mut at = 0;
    let mut lines = Vec::new();
    for line in text.split_inclusive('\n') {
        if is_significant(line) {
            lines.push(at..at + line.len());
        }
        at += line.len();
    }
    let mut random = Random::of_name(&format!("{path}\n{text}"));
    (!lines.is_empty()).then(|| lines[random.below(lines.len())].clone())
}

/// The bodies of the functions inside `inserted`, relative to its start, and the length of each closing line.
fn bodies(new: &str, language: Language, inserted: Range<usize>) -> Vec<(Range<usize>, usize)> {
    let symbols = analyze(new.as_bytes(), Some(language), &Config::default()).symbols;
    let is_inside = |it: &Definition| {
        inserted.start <= it.span.start as usize && it.span.end as usize <= inserted.end
    };
    let is_function = |it: &Definition| {
        matches!(it.kind, Kind::Function | Kind::Method | Kind::Constructor) && is_inside(it)
    };
    let functions = symbols.definitions.iter().filter(|it| {
        let inner = symbols.ancestors(it.parent).any(is_function);
        is_function(it) && !inner
    });
    let of_function = |it: &Definition| {
        let (body, closing) = inner(new, it.body?.range());
        let lines = new[body.clone()].lines().filter(|it| is_significant(it)).count();
        let fits = (1..=LONGEST_BODY).contains(&lines) && body.end + closing <= inserted.end;
        fits.then(|| (body.start - inserted.start..body.end - inserted.start, closing))
    };
    functions.filter_map(of_function).collect()
}

/// A body without its brackets, from the line after the opening bracket to the line of the closing one, and the length
/// of that line with its line break. An indented suite starts at the beginning of its first line.
pub(crate) fn inner(text: &str, body: Range<usize>) -> (Range<usize>, usize) {
    let line_start = text[..body.start].rfind('\n').map_or(0, |at| at + 1);
    let part = &text[body.clone()];
    if !part.starts_with('{') || !part.ends_with('}') {
        let is_first = text[line_start..body.start].trim().is_empty();
        let start = if is_first { line_start } else { body.start };
        let end = text[body.end..].find('\n').map_or(text.len(), |at| body.end + at + 1);
        return (start..end, 0);
    }
    let opening = part.find('\n').map_or(1, |at| at + 1);
    let start = body.start + opening;
    let closing_line = text[..body.end].rfind('\n').map_or(0, |at| at + 1);
    if closing_line < start {
        return (body.start + 1..body.end - 1, 1);
    }
    let after = text[body.end..].find('\n').map_or(text.len(), |at| body.end + at + 1);
    (start..closing_line, after - closing_line)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "fn a() {\n    1\n}\n";
    const ADDED: &str = "\nfn b(x: u8) {\n    let y = x;\n    y\n}\n\nfn c() {}\n";

    fn insertion(text: &str) -> Insertion {
        Insertion { path: "a.rs".into(), after: 3, before_in_new: 3, text: text.into() }
    }

    #[track_caller]
    fn check(grain: Grain, expect: &[(&str, &str, &str)]) {
        let new = format!("{OLD}{ADDED}");
        let holes = holes(&insertion(ADDED), OLD, &new, grain).unwrap();
        let got: Vec<(&str, &str, &str)> =
            holes.iter().map(|it| (&it.prefix[OLD.len()..], &*it.truth, &*it.suffix)).collect();
        assert_eq!(got, expect);
        for it in &holes {
            let before = &it.prefix[..it.prefix.len() - it.typed_before];
            assert_eq!(format!("{before}{}", &it.suffix[it.typed_after..]), OLD);
        }
    }

    #[test]
    fn a_block_is_all_of_it() {
        check(Grain::Block, &[("", ADDED, "")]);
    }

    #[test]
    fn a_functions_body_stands_between_its_brackets() {
        check(Grain::Function, &[("\nfn b(x: u8) {\n", "    let y = x;\n    y\n", "}\n")]);
    }

    #[test]
    fn a_line_has_what_was_typed_before_it_and_nothing_after() {
        let new = format!("{OLD}{ADDED}");
        let holes = holes(&insertion(ADDED), OLD, &new, Grain::Line).unwrap();
        let hole = &holes[0];
        assert_eq!((holes.len(), hole.suffix.as_str()), (1, ""));
        assert!(new.starts_with(&format!("{}{}", hole.prefix, hole.truth)));
    }

    #[test]
    fn a_suite_is_whole_lines() {
        let text = "def a():\n    b()\n    c()\n";
        assert_eq!(inner(text, 13..24), (9..25, 0));
    }

    #[test]
    fn a_block_of_comments_is_no_block() {
        let text = "// one two\n// three four\nlet a = 1;\n";
        let got = holes(&insertion(text), OLD, &format!("{OLD}{text}"), Grain::Block);
        assert_eq!(got, Err("comments and strings"));
    }

    #[test]
    fn what_does_not_line_up_is_refused() {
        let got = holes(&insertion("\nfn b() {}\n"), OLD, "fn b() {}\n", Grain::Block);
        assert_eq!(got, Err("does not line up"));
        let cut = holes(&insertion("\nfn c() {}\n"), OLD, &format!("{OLD}{ADDED}"), Grain::Block);
        assert_eq!(cut, Err("does not line up"));
    }
}
