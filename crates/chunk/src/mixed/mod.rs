//! Files that hold several languages: pages with scripts, components, templates, notebooks.
//!
//! Such a text is taken apart into what the grammar of the file itself is shown (its host text) and into parts, one for
//! each embedded language. Host text and parts are as long as the text and blank where something else stands, so that
//! every node of every tree lies where it lies in the file: symbols need no translation, and chunks remain ranges of the
//! file. `markup` finds scripts, styles and expressions, `tags` the tags of templates; `merge` joins the symbols.

mod blade;
mod component;
mod jinja;
mod markup;
mod merge;
mod notebook;
mod page;
mod tags;
mod template;

use std::ops::Range;

pub(crate) use self::merge::merge;
pub use self::notebook::notebook_text;
use crate::language::Language;
use crate::span::Span;
use crate::symbol::{Definition, Import, ImportedName, Kind, Symbols};

/// A text taken apart.
#[derive(Default)]
pub(crate) struct MixedText {
    /// What the grammar of the file itself is shown; `None` where there is nothing for it.
    pub(crate) host: Option<Vec<u8>>,
    /// The embedded languages.
    pub(crate) parts: Vec<Part>,
    /// What tags define and import that no grammar reads.
    pub(crate) tags: Symbols,
}

/// What a part can say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PartRole {
    /// Code, with definitions.
    Code,
    /// Expressions, which only refer to what is defined elsewhere.
    Expressions,
}

/// All that a text holds of one embedded language.
pub(crate) struct Part {
    pub(crate) language: Language,
    pub(crate) role: PartRole,
    /// As long as the text, and blank outside of the regions.
    pub(crate) shown: Vec<u8>,
    /// Where the language stands, ascending and disjoint; empty parts are not parsed.
    pub(crate) regions: Vec<Range<usize>>,
}

impl Part {
    /// A part of `text` that shows nothing yet.
    fn new(text: &[u8], language: Language, role: PartRole) -> Self {
        Self { language, role, shown: blank(text), regions: Vec::new() }
    }

    /// Shows `text` in `range`, which lies behind the regions so far.
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

    /// Shows `byte` at `at`, if that is in the text.
    fn put(&mut self, at: usize, byte: u8) {
        if let Some(it) = self.shown.get_mut(at) {
            *it = byte;
        }
    }
}

/// The text taken apart; `None` for languages that embed no others.
pub(crate) fn take_apart(text: &[u8], language: Language) -> Option<MixedText> {
    match language {
        Language::Html => Some(page::take_apart(text)),
        Language::Vue | Language::Svelte | Language::Astro => {
            Some(component::take_apart(text, language))
        }
        Language::Erb | Language::Ejs | Language::Eex | Language::Blade | Language::Jinja => {
            Some(template::take_apart(text, language))
        }
        Language::Notebook => Some(notebook::take_apart(text)),
        _ => None,
    }
}

/// The line breaks of `text`, and blanks for everything else.
fn blank(text: &[u8]) -> Vec<u8> {
    text.iter().map(|&it| blanked(it)).collect()
}

/// Blanks `range` of `shown`, but for line breaks.
fn erase(shown: &mut [u8], range: Range<usize>) {
    shown[range].iter_mut().for_each(|it| *it = blanked(*it));
}

fn blanked(byte: u8) -> u8 {
    if matches!(byte, b'\n' | b'\r') { byte } else { b' ' }
}

/// Replaces `range` of `shown` by something that is a word in every language.
fn fill(shown: &mut [u8], range: Range<usize>) {
    shown[range].fill(b'x');
}

/// A definition that a tag makes.
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

/// An import that a tag makes, of names if there are any.
fn import(span: Span, module: &[u8], names: &[&[u8]]) -> Import {
    let text = |it: &[u8]| String::from_utf8_lossy(it).into_owned();
    let names = names.iter().map(|it| ImportedName { name: text(it), alias: None });
    Import { span, module: text(module), names: names.collect(), alias: None }
}

/// The first string in quotes in `range`, without them.
fn quoted(text: &[u8], range: Range<usize>) -> Option<Range<usize>> {
    let bytes = &text[range.clone()];
    let open = bytes.iter().position(|it| matches!(it, b'"' | b'\''))?;
    let inner = &bytes[open + 1..];
    let len = memchr::memchr(bytes[open], inner)?;
    let start = range.start + open + 1;
    (len > 0).then_some(start..start + len)
}

/// How many bytes of a name `text` begins with.
fn name_len(text: &[u8]) -> usize {
    text.iter()
        .take_while(|it| it.is_ascii_alphanumeric() || **it == b'_' || !it.is_ascii())
        .count()
}
