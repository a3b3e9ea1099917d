//! Evidence: the spans of files that support an answer, as values that can be cited, compared and looked up again.
//!
//! The tools collect evidence first and render their texts from it. Its id depends on the content alone: it is the same
//! in every run, on every machine and in every later snapshot, as long as the same text is at the same position.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use foreword_chunk::{Kind, LineIndex, ReferenceKind};
use foreword_engine::evidence::Reason;
use foreword_engine::index::Snapshot;
use foreword_engine::source::ContentHash;
use serde_json::{Value, json};

/// The id of a piece of evidence: the first 12 hexadecimal digits of the BLAKE3 hash of its path, its byte span and the
/// hash of its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EvidenceId([u8; 6]);

impl EvidenceId {
    /// The id of a text at these bytes of a file.
    pub fn of(path: &str, bytes: &Range<usize>, text: &str) -> Self {
        let content = ContentHash::of(text.as_bytes());
        let identity = format!("{path}\0{}\0{}\0{content}", bytes.start, bytes.end);
        let mut id = [0; 6];
        id.copy_from_slice(&ContentHash::of(identity.as_bytes()).0[..6]);
        Self(id)
    }
}

impl fmt::Display for EvidenceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Kind of a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SiteKind {
    /// A definition, or a part of one.
    Definition(Kind),
    /// A use of a name.
    Use(ReferenceKind),
}

impl SiteKind {
    /// The kind in one lower-case word: `function`, `class`, `call`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Definition(kind) => kind.name(),
            Self::Use(kind) => kind.name(),
        }
    }
}

/// Reason for a span in an answer.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum EvidenceReason {
    /// The engine ranked it for this reason.
    Ranked(Reason),
    /// It defines the requested name, or is in the outline of the file.
    Defines,
    /// It uses this name.
    Uses(String),
    /// The pattern matches from this column on, 1-based.
    Matches(u32),
    /// The call names it by file and line.
    Requested,
}

impl EvidenceReason {
    /// The reason in one word, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Ranked(reason) => reason.code(),
            Self::Defines => "defines",
            Self::Uses(_) => "uses",
            Self::Matches(_) => "matches",
            Self::Requested => "requested",
        }
    }
}

/// A span of a file that supports an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// Depends on path, byte span and text only.
    pub id: EvidenceId,
    /// The file, relative to the root.
    pub path: String,
    /// The bytes of the file's text.
    pub bytes: Range<usize>,
    /// First and last line, 1-based, inclusive.
    pub lines: (u32, u32),
    /// The snapshot of the text.
    pub snapshot: Arc<str>,
    /// The dotted name of the definition there, or of the one around it; empty when there is none.
    pub symbol: String,
    /// The kind of the span, if known.
    pub kind: Option<SiteKind>,
    /// All reasons, most important first.
    pub why: Vec<EvidenceReason>,
}

impl Evidence {
    /// The text at byte `start` of a file, on these lines.
    fn new(snapshot: &Arc<str>, path: &str, start: usize, lines: (u32, u32), text: &str) -> Self {
        let bytes = start..start + text.len();
        Self {
            id: EvidenceId::of(path, &bytes, text),
            path: path.to_owned(),
            bytes,
            lines,
            snapshot: Arc::clone(snapshot),
            symbol: String::new(),
            kind: None,
            why: Vec::new(),
        }
    }

    /// Adds the name and the kind of the span.
    pub(super) fn named(mut self, symbol: &str, kind: Option<SiteKind>) -> Self {
        symbol.clone_into(&mut self.symbol);
        self.kind = kind;
        self
    }

    /// Adds reasons.
    pub(super) fn because(mut self, why: impl IntoIterator<Item = EvidenceReason>) -> Self {
        self.why.extend(why);
        self
    }

    /// The name of its kind; empty if unknown.
    pub(super) fn kind_name(&self) -> &'static str {
        self.kind.map_or("", SiteKind::name)
    }

    /// `path:start-end`, then kind and symbol if it has a name.
    pub(super) fn heading(&self) -> String {
        let (path, (start, end)) = (&self.path, self.lines);
        let title = match self.symbol.is_empty() {
            true => String::new(),
            false => format!("  {} {}", self.kind_name(), self.symbol),
        };
        format!("{path}:{start}-{end}{title}")
    }

    /// The fields of a structured answer that locate and name it.
    pub(super) fn fields(&self) -> Value {
        json!({
            "path": self.path,
            "start_line": self.lines.0,
            "end_line": self.lines.1,
            "kind": self.kind_name(),
            "symbol": self.symbol,
        })
    }
}

/// Makes evidence of positions in a snapshot. It caches the last file, because positions come file by file.
pub(super) struct Locator<'s> {
    snapshot: &'s Snapshot,
    id: Arc<str>,
    file: Option<OpenFile>,
}

struct OpenFile {
    path: String,
    text: Arc<str>,
    lines: LineIndex,
}

impl<'s> Locator<'s> {
    pub(super) fn new(snapshot: &'s Snapshot) -> Self {
        Self { snapshot, id: snapshot.id().into(), file: None }
    }

    /// A text that is already in memory, at byte `start` of its file.
    pub(super) fn text(&self, path: &str, start: usize, lines: (u32, u32), text: &str) -> Evidence {
        Evidence::new(&self.id, path, start, lines, text)
    }

    /// Whole lines from the first to the last, without the final line break.
    pub(super) fn lines(&mut self, path: &str, lines: (u32, u32)) -> Evidence {
        let id = Arc::clone(&self.id);
        let file = self.open(path);
        let start = file.lines.start_of(lines.0).min(file.text.len());
        let end = file.lines.start_of(lines.1 + 1).min(file.text.len()).max(start);
        let text = file.text[start..end].trim_end_matches(['\n', '\r']);
        Evidence::new(&id, path, start, lines, text)
    }

    /// Bytes of a file, on these lines.
    pub(super) fn bytes(&mut self, path: &str, bytes: Range<usize>, lines: (u32, u32)) -> Evidence {
        let id = Arc::clone(&self.id);
        let file = self.open(path);
        let text = file.text.get(bytes.clone()).unwrap_or_default();
        Evidence::new(&id, path, bytes.start, lines, text)
    }

    fn open(&mut self, path: &str) -> &OpenFile {
        let snapshot = self.snapshot;
        let open = self.file.take().filter(|it| it.path == path);
        self.file.insert(open.unwrap_or_else(|| {
            let text = snapshot.file(path).map(|it| snapshot.text(it)).unwrap_or_default();
            let lines = LineIndex::new(text.as_bytes());
            OpenFile { path: path.to_owned(), text, lines }
        }))
    }
}

#[cfg(test)]
mod tests {
    use foreword_engine::index::IndexConfig;
    use foreword_engine::source::Source;

    use super::*;

    fn snapshot(text: &str) -> Snapshot {
        let source = Source { path: "a.py".to_owned(), text: text.to_owned() };
        Snapshot::of_sources(vec![source], IndexConfig::default()).unwrap()
    }

    fn evidence(text: &str, lines: (u32, u32)) -> Evidence {
        Locator::new(&snapshot(text)).lines("a.py", lines)
    }

    #[test]
    fn the_id_depends_on_path_span_and_text_only() {
        let text = "one = 1\ntwo = 2\nthree = 3\n";
        let it = evidence(text, (2, 2));
        // Fixed: every later version must find a cited id again.
        assert_eq!(it.id.to_string(), "8fa7f31b64f3");
        assert_eq!(it.bytes, 8..15);
        let after = evidence("one = 1\ntwo = 2\nchanged\n", (2, 2));
        assert_eq!(after.id, it.id);
        assert_ne!(after.snapshot, it.snapshot);
        assert_ne!(evidence("one = 1\ntwo = 3\nthree = 3\n", (2, 2)).id, it.id);
        assert_ne!(evidence("\none = 1\ntwo = 2\n", (3, 3)).id, it.id);
        assert_ne!(evidence(text, (2, 3)).id, it.id);
    }

    #[test]
    fn lines_bytes_and_texts_give_the_same_evidence() {
        let snapshot = snapshot("one = 1\ntwo = 2\nthree = 3\n");
        let mut locator = Locator::new(&snapshot);
        let it = locator.lines("a.py", (1, 2));
        assert_eq!(locator.bytes("a.py", 0..15, (1, 2)), it);
        assert_eq!(locator.text("a.py", 0, (1, 2), "one = 1\ntwo = 2"), it);
    }

    #[test]
    fn lines_that_a_file_does_not_have_are_empty() {
        assert!(evidence("one = 1\n", (7, 9)).bytes.is_empty());
    }
}
