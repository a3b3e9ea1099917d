//! A forecast before it is checked and ranked, and how one is written by analogy.

use std::rc::Rc;

use super::facts::{Facts, Place};
use super::view::{FileView, indentation};
use super::words::Rename;
use crate::source::ContentHash;
use crate::speculate::{Citation, Forecast, ForecastForm, ForecastKind, Place as Lines, Target};

/// A longer definition is no model for another one: of it only the signature is foretold.
const MOST_LINES: u32 = 40;
/// Likewise with more bytes.
const MOST_BYTES: usize = 3000;

/// A forecast before it is checked and ranked.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) kind: ForecastKind,
    pub(super) form: ForecastForm,
    /// What it defines; empty if nothing.
    pub(super) name: String,
    /// Its lines, indented for their place, without a line break at the end.
    pub(super) code: String,
    /// The line above which it would stand.
    pub(super) line: u32,
    pub(super) evidence: Vec<Citation>,
    /// How well the evidence fits, from 0 to 1: it orders the forecasts of one kind.
    pub(super) fit: f32,
}

impl Draft {
    /// The forecast for the file at `path`.
    pub(super) fn into_forecast(self, path: &str, score: f32) -> Forecast {
        Forecast {
            kind: self.kind,
            form: self.form,
            name: self.name,
            code: self.code + "\n",
            target: Target { path: path.to_owned(), line: self.line },
            evidence: self.evidence,
            score,
        }
    }
}

/// What a forecast is concluded from: lines of a file.
pub(super) fn cite(view: &FileView<'_>, line: u32, what: String) -> Citation {
    let hash = ContentHash::of(view.line(line).as_bytes());
    let path = view.path.to_owned();
    Citation { place: Lines { path, first_line: line, last_line: line, hash }, what }
}

/// The same of a definition.
pub(super) fn cite_place(place: &Place<'_>, what: String) -> Citation {
    cite(&place.view, place.line(), what)
}

/// The code of a definition under other names at another indentation; `None` if it is long, shares its lines with
/// something else, or says the same under the other names but for its own.
pub(super) fn like(place: &Place<'_>, renames: &[Rename], indent: &str) -> Option<String> {
    let (view, idx) = (&place.view, place.idx);
    let lines = view.lines_of(idx);
    let code = view.slice(lines.clone()).trim_end();
    let fits = lines.len() as u32 <= MOST_LINES && code.len() <= MOST_BYTES;
    if !fits || !view.is_alone_on_its_lines(idx) {
        return None;
    }
    Some(renamed(&indented(code, indent), renames))
}

/// A text with other names.
pub(super) fn renamed(code: &str, renames: &[Rename]) -> String {
    renames.iter().fold(code.to_owned(), |code, it| it.apply(&code))
}

/// The lines of `code` with the indentation of the first replaced by `indent`.
pub(super) fn indented(code: &str, indent: &str) -> String {
    let own = indentation(code);
    let line = |it: &str| match it.strip_prefix(own) {
        _ if it.trim().is_empty() => String::new(),
        Some(rest) => format!("{indent}{rest}"),
        None => it.to_owned(),
    };
    code.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// The line after the last member of a type, and the indentation of members; for a type without members the line before
/// its closing bracket. `None` if the type is written on one line.
pub(super) fn end_of(view: &FileView<'_>, idx: u32) -> Option<(u32, String)> {
    let last = view.children(Some(idx)).filter(|it| view.is_alone_on_its_lines(it.0)).last();
    if let Some((last, _)) = last {
        let lines = view.lines_of(last);
        return Some((lines.end, indentation(view.line(lines.start)).to_owned()));
    }
    let lines = view.lines_of(idx);
    let own = indentation(view.line(lines.start)).to_owned();
    let step = if own.contains('\t') || view.text.contains("\n\t") { "\t" } else { "    " };
    let closes = view.line(lines.end - 1).trim();
    let is_closed = matches!(closes, "}" | "end" | "};");
    (is_closed && lines.len() > 1).then(|| (lines.end - 1, format!("{own}{step}")))
}

/// The member of the type at `place` with this name.
pub(super) fn member<'s>(place: &Place<'s>, name: &str) -> Option<Place<'s>> {
    let view = &place.view;
    let found = view.children(Some(place.idx)).find(|it| view.name(it.0) == name);
    found.map(|it| Place { view: Rc::clone(view), idx: it.0 })
}

/// Whether code uses no member of its own object that the type does not have.
pub(super) fn uses_only_members_of(
    code: &str,
    facts: &Facts<'_>,
    view: &FileView<'_>,
    owner: u32,
) -> bool {
    let name = super::view::last_part(view.name(owner)).to_owned();
    let own = view.slice(view.lines_of(owner));
    receiver_members(code).all(|it| has_word(own, it) || facts.has_member(view, &name, it))
}

/// The names after `self.`, `this.`, `this->` and `@`.
fn receiver_members(code: &str) -> impl Iterator<Item = &str> {
    ["self.", "this.", "this->", "$this->"].into_iter().flat_map(move |receiver| {
        code.match_indices(receiver).map(move |(at, _)| {
            let rest = &code[at + receiver.len()..];
            let end = rest.find(|it: char| !(it.is_alphanumeric() || it == '_'));
            &rest[..end.unwrap_or(rest.len())]
        })
    })
}

/// What follows the name in a signature, without blanks.
pub(super) fn parameters_in(signature: &str) -> String {
    let from = signature.find('(').unwrap_or(signature.len());
    signature[from..].chars().filter(|it| !it.is_whitespace()).collect()
}

/// Whether a text has an identifier.
pub(super) fn has_word(text: &str, word: &str) -> bool {
    let is_part = |it: char| it.is_alphanumeric() || it == '_';
    !word.is_empty()
        && text.match_indices(word).any(|(at, _)| {
            !text[..at].ends_with(is_part) && !text[at + word.len()..].starts_with(is_part)
        })
}
