//! The definitions of a file that a text may be about.

use foreword_chunk::{Analysis, Config, Definition, Kind, Language, Span, analyze};
use foreword_engine::index::doc_text;
use foreword_engine::source::Source;

use super::row::{PairKind, Row};
use crate::tasks::mine::is_generated;

/// Of longer definitions the beginning is kept: about as much as a chunk holds, in bytes.
const MOST: usize = 2400;

/// Shorter definitions are declarations, in bytes without white space.
const LEAST: usize = 40;

/// Longer files are data.
const LARGEST: usize = 1 << 20;

/// A definition with what belongs to it.
pub(super) struct Unit<'s> {
    pub(super) source: &'s Source,
    pub(super) language: Language,
    pub(super) kind: Kind,
    /// The definition, with its doc comment.
    pub(super) span: Span,
    pub(super) short_name: &'s str,
    /// With the names around it.
    name: String,
    names: Vec<String>,
    signature: &'s str,
    doc: Option<&'s str>,
    body: String,
}

/// The functions, types and the like of a file.
pub(super) fn units(source: &Source) -> Vec<Unit<'_>> {
    let text = source.text.as_str();
    let head = &text[..text.floor_char_boundary(4096)];
    let Some(language) = Language::of_path(&source.path, head) else { return Vec::new() };
    if text.len() > LARGEST || is_generated(text) {
        return Vec::new();
    }
    let analysis = analyze(text.as_bytes(), Some(language), &Config::default());
    let all = analysis.symbols.definitions.iter().enumerate();
    all.filter_map(|(idx, it)| unit(source, language, &analysis, idx as u32, it)).collect()
}

fn unit<'s>(
    source: &'s Source,
    language: Language,
    analysis: &Analysis,
    idx: u32,
    it: &Definition,
) -> Option<Unit<'s>> {
    let text = source.text.as_str();
    if matches!(it.kind, Kind::Field | Kind::Section | Kind::Implementation) {
        return None;
    }
    let body = body(text, it);
    if body.bytes().filter(|it| !it.is_ascii_whitespace()).count() < LEAST {
        return None;
    }
    let names: Vec<&str> =
        analysis.symbols.ancestors(Some(idx)).map(|it| it.name.of(text)).collect();
    let inner = analysis.symbols.definitions.iter().filter(|other| it.span.contains(other.span));
    let start = it.doc.map_or(it.span.start, |doc| doc.start.min(it.span.start));
    Some(Unit {
        source,
        language,
        kind: it.kind,
        span: Span { start, end: it.span.end },
        short_name: it.name.of(text),
        name: names.into_iter().rev().collect::<Vec<_>>().join("."),
        names: inner.take(40).map(|it| it.name.of(text).to_owned()).collect(),
        signature: it.signature.of(text),
        doc: it.doc.map(|it| it.of(text)),
        body,
    })
}

/// The beginning of a definition without its doc comment.
fn body(text: &str, it: &Definition) -> String {
    let whole = it.span.range();
    let doc = it.doc.filter(|doc| it.span.contains(*doc)).map(Span::range);
    let res = match doc {
        Some(doc) => [&text[whole.start..doc.start], &text[doc.end..whole.end]].concat(),
        None => text[whole].to_owned(),
    };
    res[..res.floor_char_boundary(MOST)].to_owned()
}

impl Unit<'_> {
    /// Its pair with its doc comment.
    pub(super) fn documented(&self, source: &str) -> Option<Row> {
        let text = doc_text(self.doc?)?;
        Some(self.row(source, PairKind::Doc, text))
    }

    pub(super) fn row(&self, source: &str, pair: PairKind, text: String) -> Row {
        Row {
            source: source.to_owned(),
            pair,
            text,
            path: self.source.path.clone(),
            language: self.language.name(),
            kind: self.kind.name(),
            name: self.name.clone(),
            names: self.names.clone(),
            signature: self.signature.to_owned(),
            body: self.body.clone(),
            key: self.key(),
        }
    }

    /// Equal for equal code.
    pub(super) fn key(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for part in self.body.split_ascii_whitespace() {
            hasher.update(part.as_bytes());
        }
        hasher.finalize().to_hex()[..16].to_owned()
    }
}
