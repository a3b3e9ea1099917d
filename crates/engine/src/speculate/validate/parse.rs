//! Checks that forecasts parse in their places and leave the surrounding definitions intact.

use std::cell::OnceCell;
use std::ops::Range;

use foreword_chunk::{Definition, Language, Parse, Span, Symbols};

use super::super::plan::Forecast;
use super::Flaw;
use super::splice::{Splice, splice};
use crate::preset::constants::speculate::FEWEST_OF_A_DIALECT;

/// A file that parses with its forecasts inserted.
pub(super) struct ParsedSplice {
    pub(super) splice: Splice,
    pub(super) symbols: Symbols,
    pub(super) language: Language,
}

/// A file in which forecasts are inserted.
pub(super) struct Insertions<'t> {
    text: &'t str,
    language: Option<Language>,
    own: OnceCell<Option<OriginalParse>>,
}

/// Parse of the file without forecasts.
struct OriginalParse {
    defects: usize,
    symbols: Symbols,
}

impl<'t> Insertions<'t> {
    pub(super) fn new(path: &str, text: &'t str) -> Self {
        let head = &text[..text.floor_char_boundary(4096)];
        let language = Language::of_path(path, head);
        let language = language.filter(|it| it.is_code() || *it == Language::Html);
        Self { text, language, own: OnceCell::new() }
    }

    /// Parses the file with forecasts inserted; fails if that adds defects, other than as many as the file has in a dialect.
    pub(super) fn parse(&self, forecasts: &[&Forecast]) -> Result<ParsedSplice, Flaw> {
        let language = self.language.ok_or(Flaw::Unchecked)?;
        let own = self.own().ok_or(Flaw::Unchecked)?;
        let splice = splice(self.text, forecasts);
        let parse = Parse::new(splice.text.as_bytes(), Some(language));
        let code = Code::new(&parse, language).ok_or(Flaw::DoesNotParse)?;
        if !splice.ranges.iter().all(|it| code.holds(it)) {
            return Err(Flaw::DoesNotParse);
        }
        let found = &code.defects;
        let is_within = |it: &&Span| splice.ranges.iter().any(|range| touches(range, **it));
        let within = found.iter().filter(is_within).count();
        let is_dialect = own.defects >= FEWEST_OF_A_DIALECT;
        let is_closed = || forecasts.iter().all(|it| closes_brackets(&it.code));
        let allowed = if is_dialect && is_closed() { own.defects } else { 0 };
        if within > allowed || found.len() - within > own.defects {
            return Err(Flaw::DoesNotParse);
        }
        let symbols = parse.symbols();
        match leaves_intact(&own.symbols, &symbols, &splice) {
            true => Ok(ParsedSplice { splice, symbols, language: code.language }),
            false => Err(Flaw::DoesNotParse),
        }
    }

    /// Parses the file without forecasts; `None` without a tree.
    fn own(&self) -> Option<&OriginalParse> {
        let read = || {
            let parse = Parse::new(self.text.as_bytes(), self.language);
            let code = Code::new(&parse, self.language?)?;
            Some(OriginalParse { defects: code.defects.len(), symbols: parse.symbols() })
        };
        self.own.get_or_init(read).as_ref()
    }
}

/// The code of a text: all of it, or the scripts of a page or component.
struct Code {
    language: Language,
    defects: Vec<Span>,
    /// The text between the tags of the scripts; empty if all is code.
    scripts: Vec<Range<usize>>,
}

impl Code {
    /// `None` without a tree, and for files of several languages other than pages and components.
    fn new(parse: &Parse<'_>, language: Language) -> Option<Self> {
        if let Some(defects) = parse.defects() {
            return Some(Self { language, defects, scripts: Vec::new() });
        }
        let all = parse.scripts();
        let language = all.first()?.language;
        let defects = all.iter().flat_map(|it| it.defects.iter().copied()).collect();
        let scripts = all.into_iter().flat_map(|it| it.regions).collect();
        Some(Self { language, defects, scripts })
    }

    fn holds(&self, range: &Range<usize>) -> bool {
        let is_around = |it: &Range<usize>| it.start <= range.start && range.end <= it.end;
        self.scripts.is_empty() || self.scripts.iter().any(is_around)
    }
}

/// Whether all definitions remain, and none ends before its last statement. Some grammars accept a function without a body
/// and take the following code as its body.
fn leaves_intact(own: &Symbols, with: &Symbols, splice: &Splice) -> bool {
    let moved = |at: u32| splice.moved(at as usize) as u32;
    let is_kept = |it: &Definition| {
        let name = moved(it.name.start);
        let first = with.definitions.partition_point(|it| it.span.start <= name);
        let mut same = with.definitions[..first].iter().rev();
        same.find(|it| it.name.start == name).is_some_and(|new| {
            new.kind == it.kind && new.span.end >= moved(it.span.end.saturating_sub(1))
        })
    };
    own.definitions.iter().all(is_kept)
}

/// Whether a text has as many closing brackets of each kind as opening ones.
fn closes_brackets(text: &str) -> bool {
    let count = |wanted: u8| text.bytes().filter(|it| *it == wanted).count();
    [(b'(', b')'), (b'[', b']'), (b'{', b'}')].iter().all(|it| count(it.0) == count(it.1))
}

fn touches(range: &Range<usize>, span: Span) -> bool {
    span.start as usize <= range.end && span.end as usize >= range.start
}
