//! A file as the forecasters read it.

use std::cell::OnceCell;
use std::ops::Range;
use std::sync::Arc;

use foreword_chunk::{Definition, Kind, Language, LineIndex, ReferenceKind, Span};

use crate::index::{FileId, FileRecord, Mentions, Snapshot};

/// A file of the snapshot with what is known of it.
pub(super) struct FileView<'s> {
    snapshot: &'s Snapshot,
    pub(super) file: FileId,
    pub(super) path: &'s str,
    pub(super) text: Arc<str>,
    pub(super) record: Arc<FileRecord>,
    pub(super) language: Option<Language>,
    pub(super) lines: LineIndex,
    mentions: OnceCell<Mentions>,
}

impl<'s> FileView<'s> {
    pub(super) fn new(snapshot: &'s Snapshot, file: FileId) -> Self {
        let (text, record) = snapshot.contents(file);
        let lines = LineIndex::new(text.as_bytes());
        let language = record.language.map(Language::of_code);
        let path = snapshot.path(file);
        Self { snapshot, file, path, text, record, language, lines, mentions: OnceCell::new() }
    }

    pub(super) fn mentions(&self) -> &Mentions {
        self.mentions.get_or_init(|| self.snapshot.mentions_in(self.file))
    }

    pub(super) fn definitions(&self) -> impl Iterator<Item = (u32, &Definition)> {
        (0..).zip(&self.record.symbols.definitions)
    }

    pub(super) fn definition(&self, idx: u32) -> Option<&Definition> {
        self.record.symbols.definitions.get(idx as usize)
    }

    pub(super) fn of(&self, span: Span) -> &str {
        span.of(&self.text)
    }

    pub(super) fn name(&self, idx: u32) -> &str {
        self.definition(idx).map_or("", |it| it.name.of(&self.text))
    }

    /// The definitions directly inside of `parent`; those of the file for `None`.
    pub(super) fn children(&self, parent: Option<u32>) -> impl Iterator<Item = (u32, &Definition)> {
        self.definitions().filter(move |it| it.1.parent == parent)
    }

    /// The name of the type that a definition is a member of.
    pub(super) fn owner(&self, idx: u32) -> Option<&str> {
        let it = self.definition(idx)?;
        if let Some(path) = it.qualifier {
            return Some(last_part(path.of(&self.text)));
        }
        let parent = it.parent.and_then(|it| self.definition(it))?;
        is_type(parent.kind).then(|| parent.name.of(&self.text))
    }

    /// Names of the bases of a type, where they are written: in its head, or for Go in its body.
    pub(super) fn bases(&self, idx: u32) -> Vec<(Span, &str)> {
        let Some(it) = self.definition(idx) else { return Vec::new() };
        let head =
            Span { start: it.span.start, end: it.body.map_or(it.span.end, |body| body.start) };
        let in_body = matches!(self.language, Some(Language::Go | Language::Ruby | Language::Php));
        let within = if in_body { it.span } else { head };
        let references = &self.mentions().references;
        let first = references.partition_point(|it| it.name.start < within.start);
        references[first..]
            .iter()
            .take_while(|it| it.name.start < within.end)
            .filter(|it| it.kind == ReferenceKind::Base)
            .map(|it| (it.name, last_part(it.name.of(&self.text))))
            .collect()
    }

    pub(super) fn line_of(&self, at: u32) -> u32 {
        self.lines.line_of(at as usize)
    }

    /// The text of a 1-based line, without its end.
    pub(super) fn line(&self, line: u32) -> &str {
        self.slice(line..line + 1).trim_end_matches(['\n', '\r'])
    }

    /// The bytes of whole lines, 1-based.
    pub(super) fn bytes_of(&self, lines: Range<u32>) -> Range<usize> {
        self.lines.start_of(lines.start)..self.lines.start_of(lines.end)
    }

    /// The text of whole lines, 1-based.
    pub(super) fn slice(&self, lines: Range<u32>) -> &str {
        self.text.get(self.bytes_of(lines)).unwrap_or("")
    }

    /// The lines of a definition with its attributes, one past the last; without the doc comment before it.
    pub(super) fn lines_of(&self, idx: u32) -> Range<u32> {
        let Some(it) = self.definition(idx) else { return 1..1 };
        let (first, last) = self.lines.lines_of(it.span);
        first..last + 1
    }

    /// Whether nothing but blanks (and `;`, `,`) shares the lines of a definition with it.
    pub(super) fn is_alone_on_its_lines(&self, idx: u32) -> bool {
        let Some(it) = self.definition(idx) else { return false };
        let bytes = self.bytes_of(self.lines_of(idx));
        let before = self.text.get(bytes.start..it.span.start as usize).unwrap_or("");
        let after = self.text.get(it.span.end as usize..bytes.end).unwrap_or("");
        let is_blank =
            |it: &str| it.chars().all(|it| it.is_whitespace() || matches!(it, ';' | ','));
        // `export`, `public` and the like may stand outside of what the grammar calls the definition.
        let is_word =
            |it: &str| it.chars().all(|it| it.is_ascii_lowercase() || it == ' ' || it == '\t');
        (is_blank(before) || is_word(before)) && is_blank(after)
    }

    /// Whether a byte is in a comment or a string.
    pub(super) fn is_prose(&self, at: u32) -> bool {
        let prose = &self.mentions().prose;
        let after = prose.partition_point(|it| it.start <= at);
        after.checked_sub(1).is_some_and(|idx| at < prose[idx].end)
    }
}

/// `DBImpl` of `leveldb::DBImpl<T>`, `Engine` of `*gin.Engine`.
pub(super) fn last_part(path: &str) -> &str {
    let bare = path.split(['<', '[', '(', '{']).next().unwrap_or(path).trim();
    bare.rsplit(['.', ':', '\\', '*', '&', ' ']).next().unwrap_or(bare)
}

/// Whether definitions of this kind have members.
pub(super) fn is_type(kind: Kind) -> bool {
    matches!(kind, Kind::Class | Kind::Interface | Kind::Enum | Kind::Implementation)
}

/// Whether definitions of this kind are functions.
pub(super) fn is_function(kind: Kind) -> bool {
    matches!(kind, Kind::Function | Kind::Method | Kind::Constructor)
}

/// The blanks at the beginning of a line.
pub(super) fn indentation(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}
