//! Files that hold several languages: pages with scripts, components, templates, notebooks.
//!
//! The text is split into a host text for the file's own grammar and one part for each embedded language. Host text and
//! parts have the length of the file and are blank everywhere else, so every node has its position in the file: symbols
//! need no translation, and chunks remain ranges of the file. `markup` finds scripts, styles and expressions, `tags`
//! the tags of templates; `merge` joins the symbols.

mod blade;
mod component;
mod jinja;
mod markup;
mod merge;
mod notebook;
mod page;
mod raw;
mod tags;
mod template;

use std::ops::Range;

pub(crate) use self::merge::merge;
pub use self::notebook::notebook_text;
use crate::language::Language;
use crate::span::Span;
use crate::symbol::{Definition, Import, ImportedName, Kind, Symbols};

/// A text split by language.
#[derive(Default)]
pub(crate) struct MixedText {
    /// The text for the file's own grammar; `None` if it has nothing to parse.
    pub(crate) host: Option<Vec<u8>>,
    /// The embedded languages.
    pub(crate) parts: Vec<Part>,
    /// Definitions and imports in tags without a grammar.
    pub(crate) tags: Symbols,
}

/// Which symbols a part may contribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PartRole {
    /// Code, with definitions.
    Code,
    /// Expressions, which contain references but no definitions.
    Expressions,
}

/// All regions of one embedded language.
pub(crate) struct Part {
    pub(crate) language: Language,
    pub(crate) role: PartRole,
    /// The text for the parser: as long as the file, blank outside the regions.
    pub(crate) shown: Vec<u8>,
    /// Byte ranges of the language, ascending and disjoint. Empty parts are not parsed.
    pub(crate) regions: Vec<Range<usize>>,
}

impl Part {
    /// An empty part of `text`.
    fn new(text: &[u8], language: Language, role: PartRole) -> Self {
        Self { language, role, shown: blank(text), regions: Vec::new() }
    }

    /// Copies `range` of `text`, which lies after all earlier regions.
    fn show(&mut self, text: &[u8], range: Range<usize>) {
        self.shown[range.clone()].copy_from_slice(&text[range.clone()]);
        self.reach(range);
    }

    /// Adds a region.
    fn reach(&mut self, range: Range<usize>) {
        let start = self.regions.last().map_or(range.start, |it| it.end.max(range.start));
        if start < range.end {
            self.regions.push(start..range.end);
        }
    }

    /// Writes `byte` at `at`, unless that is past the end.
    fn put(&mut self, at: usize, byte: u8) {
        if let Some(it) = self.shown.get_mut(at) {
            *it = byte;
        }
    }
}

/// Splits the text by language; `None` for languages that embed no others.
pub(crate) fn split_languages(text: &[u8], language: Language) -> Option<MixedText> {
    match language {
        Language::Html => Some(page::split_languages(text)),
        Language::Vue | Language::Svelte | Language::Astro => {
            Some(component::split_languages(text, language))
        }
        Language::Erb | Language::Ejs | Language::Eex | Language::Blade | Language::Jinja => {
            Some(template::split_languages(text, language))
        }
        Language::Notebook => Some(notebook::split_languages(text)),
        _ => None,
    }
}

/// True for pages and components, in which scripts and styles are elements.
pub(crate) fn has_raw_elements(language: Language) -> bool {
    matches!(language, Language::Html | Language::Vue | Language::Svelte | Language::Astro)
}

/// A copy of `text` with blanks for everything but line breaks.
fn blank(text: &[u8]) -> Vec<u8> {
    text.iter().map(|&it| blanked(it)).collect()
}

/// Blanks `range` of `shown` except line breaks.
fn erase(shown: &mut [u8], range: Range<usize>) {
    shown[range].iter_mut().for_each(|it| *it = blanked(*it));
}

fn blanked(byte: u8) -> u8 {
    if matches!(byte, b'\n' | b'\r') { byte } else { b' ' }
}

/// Replaces `range` of `shown` by a word that is valid in every language.
fn fill(shown: &mut [u8], range: Range<usize>) {
    shown[range].fill(b'x');
}

/// A definition made by a tag.
fn definition(
    kind: Kind,
    span: Span,
    name: Span,
    signature: Span,
    body: Option<Span>,
) -> Definition {
    Definition {
        kind,
        span,
        name,
        qualifier: None,
        signature,
        body: body.filter(|it| !it.is_empty()),
        doc: None,
        parent: None,
    }
}

/// An import made by a tag.
fn import(span: Span, module: &[u8], names: &[&[u8]]) -> Import {
    let text = |it: &[u8]| String::from_utf8_lossy(it).into_owned();
    let names = names.iter().map(|it| ImportedName { name: text(it), alias: None });
    Import { span, module: text(module), names: names.collect(), alias: None }
}

/// The first quoted string in `range`, without its quotes.
fn quoted(text: &[u8], range: Range<usize>) -> Option<Range<usize>> {
    let bytes = &text[range.clone()];
    let open = bytes.iter().position(|it| matches!(it, b'"' | b'\''))?;
    let inner = &bytes[open + 1..];
    let len = memchr::memchr(bytes[open], inner)?;
    let start = range.start + open + 1;
    (len > 0).then_some(start..start + len)
}

/// Length of the name at the beginning of `text`.
fn name_len(text: &[u8]) -> usize {
    text.iter()
        .take_while(|it| it.is_ascii_alphanumeric() || **it == b'_' || !it.is_ascii())
        .count()
}
