//! Locations in tasks: `path:symbol`, `path:12-20`, `path:"text of a line"`, or `path`; optionally followed by `
//! form=signature` (or `skeleton`, `chunk`).
//!
//! A symbol is a dotted name or the end of one (`Cart.total`, `total`). `name#2` is the second symbol with that name in
//! the file.

use std::ops::Range;

use anyhow::{Context as _, Result, bail, ensure};
use foreword_engine::index::{FileId, Snapshot};
use foreword_engine::trim::Form;

/// A location as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocationSpec {
    /// As written, without the form.
    pub(crate) written: String,
    /// The form in which it should be shown, if it matters.
    pub(crate) form: Option<Form>,
    path: String,
    target: Target,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Target {
    File,
    Symbol(String, usize),
    Lines(usize, usize),
    Text(String),
}

/// A location in a snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    pub(crate) file: FileId,
    pub(crate) path: String,
    /// Byte range of the symbol's name, the lines, or the file.
    pub(crate) bytes: Range<usize>,
    /// The first line, 1-based.
    pub(crate) line: u32,
    /// The text that a piece must show: the first line without the opening of a body. Empty for a whole file.
    pub(crate) sign: String,
}

impl LocationSpec {
    /// Parses a location.
    pub fn parse(text: &str) -> Result<Self> {
        let text = text.trim();
        let (written, form) = match text.rsplit_once(" form=") {
            Some((written, name)) => (written, Some(form_named(name)?)),
            None => (text, None),
        };
        let (path, target) = match written.split_once(':') {
            None => (written, Target::File),
            Some((path, at)) => (path, at_of(at)?),
        };
        ensure!(!path.is_empty(), "`{text}` names no file");
        Ok(Self { written: written.to_owned(), form, path: path.to_owned(), target })
    }

    /// Finds the location, which must exist exactly once.
    pub fn find(&self, snapshot: &Snapshot) -> Result<Location> {
        let Self { written, path, .. } = self;
        let file = snapshot.file(path).with_context(|| format!("`{written}`: no file {path}"))?;
        let text = snapshot.text(file);
        let bytes = match &self.target {
            Target::File => 0..text.len(),
            Target::Symbol(name, nth) => self.symbol(snapshot, file, &text, name, *nth)?,
            Target::Lines(first, last) => {
                let lines: Vec<usize> =
                    std::iter::once(0).chain(text.match_indices('\n').map(|it| it.0 + 1)).collect();
                ensure!(*last < lines.len(), "`{written}`: the file has {} lines", lines.len() - 1);
                lines[first - 1]..lines[*last]
            }
            Target::Text(quoted) => {
                let n = text.matches(quoted.as_str()).count();
                ensure!(n == 1, "`{written}`: the text is there {n} times, not once");
                let start = text.find(quoted.as_str()).unwrap_or_default();
                start..start + quoted.len()
            }
        };
        let line = text[..bytes.start].matches('\n').count() as u32 + 1;
        let sign = match self.target {
            Target::File => String::new(),
            _ => sign_of(&text, bytes.start),
        };
        Ok(Location { file, path: path.clone(), bytes, line, sign })
    }

    fn symbol(
        &self,
        snapshot: &Snapshot,
        file: FileId,
        text: &str,
        name: &str,
        nth: usize,
    ) -> Result<Range<usize>> {
        let record = snapshot.record(file);
        let dotted = |idx: u32| record.dotted_name(text, idx);
        let named = |it: &String| it == name || it.ends_with(&format!(".{name}"));
        // `impl Policy` adds to a `Policy`; the location is the type.
        let is_own = |it: &u32| {
            record.symbols.definitions[*it as usize].kind != foreword_chunk::Kind::Implementation
        };
        let all: Vec<u32> = (0..record.symbols.definitions.len() as u32).filter(is_own).collect();
        let mut found: Vec<u32> = all.iter().copied().filter(|it| dotted(*it) == name).collect();
        if found.is_empty() {
            found = all.iter().copied().filter(|it| named(&dotted(*it))).collect();
        }
        let written = &self.written;
        if found.is_empty() {
            let known: Vec<String> = all.into_iter().map(dotted).collect();
            let known = if known.is_empty() { "nothing".to_owned() } else { known.join(", ") };
            bail!("`{written}`: no such symbol; the file defines {known}");
        }
        ensure!(
            found.len() == 1 || nth > 0,
            "`{written}`: {} symbols have that name; say `{name}#1`, `{name}#2`, …",
            found.len()
        );
        let idx = found.get(nth.max(1) - 1);
        let idx = idx.with_context(|| format!("`{written}`: there are only {}", found.len()))?;
        Ok(record.symbols.definitions[*idx as usize].name.range())
    }
}

fn form_named(name: &str) -> Result<Form> {
    let all = [Form::Chunk, Form::Skeleton, Form::Signature];
    let found = all.into_iter().find(|it| it.name() == name);
    found.with_context(|| format!("form={name}: a form is chunk, skeleton or signature"))
}

fn at_of(at: &str) -> Result<Target> {
    if let Some(text) = at.strip_prefix('"') {
        let text = text.strip_suffix('"').with_context(|| format!("`{at}` lacks a quote"))?;
        ensure!(!text.is_empty(), "an empty text is everywhere");
        return Ok(Target::Text(text.to_owned()));
    }
    if at.starts_with(|c: char| c.is_ascii_digit()) {
        let (first, last) = at.split_once('-').unwrap_or((at, at));
        let wrong = || format!("`{at}` is no range of lines");
        let (first, last) = (first.parse().with_context(wrong)?, last.parse().with_context(wrong)?);
        ensure!(first > 0 && first <= last, "`{at}` is no range of lines");
        return Ok(Target::Lines(first, last));
    }
    ensure!(!at.is_empty(), "text is missing after the colon");
    match at.split_once('#') {
        Some((name, nth)) => {
            let nth = nth.parse().with_context(|| format!("`{at}`: `#` takes a number"))?;
            Ok(Target::Symbol(name.to_owned(), nth))
        }
        None => Ok(Target::Symbol(at.to_owned(), 0)),
    }
}

/// The line around `at` without the opening of a body, which signatures and skeletons may omit.
fn sign_of(text: &str, at: usize) -> String {
    let start = text[..at].rfind('\n').map_or(0, |it| it + 1);
    let line = text[start..].lines().next().unwrap_or_default();
    line.trim().trim_end_matches(['{', ':', ' ']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use foreword_engine::index::IndexConfig;
    use foreword_engine::source::Source;

    fn find(place: &str) -> Result<Location> {
        let text = "class Cart:\n    def total(self):\n        return 1\n\nclass Bill:\n    def total(self):\n        return 2\n";
        let source = Source { path: "cart.py".into(), text: text.into() };
        LocationSpec::parse(place)?
            .find(&Snapshot::of_sources(vec![source], IndexConfig::default())?)
    }

    #[test]
    fn symbols_lines_and_texts_lead_to_lines() {
        for (place, line, sign) in [
            ("cart.py:Cart.total", 2, "def total(self)"),
            ("cart.py:total#2", 6, "def total(self)"),
            ("cart.py:Bill", 5, "class Bill"),
            ("cart.py:3-4", 3, "return 1"),
            ("cart.py:\"return 2\" form=chunk", 7, "return 2"),
            ("cart.py", 1, ""),
        ] {
            let spot = find(place).unwrap();
            assert_eq!((spot.line, spot.sign.as_str()), (line, sign), "{place}");
        }
    }

    #[test]
    fn a_place_that_is_not_there_once_is_an_error_that_says_so() {
        for (place, word) in [
            ("cat.py:Cart", "no file"),
            ("cart.py:Card", "defines Cart"),
            ("cart.py:total", "total#1"),
            ("cart.py:total#3", "only 2"),
            ("cart.py:\"return\"", "2 times"),
            ("cart.py:9-12", "7 lines"),
            ("cart.py:Cart form=sig", "skeleton"),
        ] {
            let error = format!("{:#}", find(place).unwrap_err());
            assert!(error.contains(word), "{place}: {error}");
        }
    }
}
