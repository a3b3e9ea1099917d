//! Computes the scope of a cursor from a snapshot and the unsaved text.

use std::ops::Range;
use std::sync::Arc;

use foreword_chunk::{Config, Definition, Language, Span};

use super::changed::changed_ranges;
use super::cursor::Cursor;
use super::resolve::{ResolvedImport, Resolver};
use crate::index::{AnalyzedFile, FileId, FileRecord, Head, HeadPlace, Mentions, Snapshot};
use crate::source::ContentHash;

/// Definitions, imports and files in reach of a cursor.
#[derive(Clone, Debug)]
pub struct Scope {
    /// The cursor's file, if the snapshot contains it.
    pub file: Option<FileId>,
    /// The language of the cursor's file.
    pub language: Option<Language>,
    /// Chunks and symbols of the text in the editor.
    pub record: Arc<FileRecord>,
    /// Which words of that text are uses of names, prose, or local names.
    pub mentions: Arc<Mentions>,
    /// Definitions around the cursor, innermost first, by index in `record`.
    pub enclosing: Vec<u32>,
    /// Imports that lead to files of the snapshot.
    pub imports: Vec<ResolvedImport>,
    /// Files of the same directory and language, sorted by path.
    pub package: Vec<FileId>,
    /// Where in the head of its file the cursor is, among imports or before any code; `None` below the head.
    pub head: Option<HeadPlace>,
    /// Byte ranges of the text that differ from the indexed text.
    pub changed: Vec<Range<usize>>,
    /// Byte ranges of the text that differ from the last commit, saved or not; empty if the commit is unknown.
    pub since_commit: Vec<Range<usize>>,
}

impl Scope {
    /// Computes the scope of `cursor`. `before` is the snapshot without the unsaved text, which shows what is being
    /// edited. The text is parsed only if the snapshot does not contain it.
    pub fn new(
        snapshot: &Snapshot,
        before: &Snapshot,
        resolver: &Resolver,
        cursor: &Cursor,
    ) -> Self {
        let file = snapshot.file(cursor.path());
        let hash = ContentHash::of(cursor.text().as_bytes());
        let (record, mentions) = match file.filter(|it| snapshot.hash(*it) == hash) {
            Some(file) => (snapshot.contents(file).1, snapshot.mentions_in(file)),
            None => {
                let it = record_of(cursor.path(), cursor.text(), &snapshot.config().chunk);
                let mentions = Arc::new(Mentions::of(&it.symbols));
                (Arc::new(it), mentions)
            }
        };
        let changed = match before.file(cursor.path()).filter(|it| before.hash(*it) != hash) {
            Some(old) => changed_ranges(&before.text(old), cursor.text()),
            None => Vec::new(),
        };
        let committed = snapshot.diff().file(cursor.path());
        let hunks = committed.map(|it| it.hunks_of(cursor.text())).unwrap_or_default();
        let since_commit = hunks.into_iter().map(|it| it.range).filter(|it| !it.is_empty());
        let imports = resolver.resolve_all(snapshot, cursor.path(), &record);
        let is_code = record.language.is_some_and(Language::is_code);
        Self {
            head: if is_code { head_place(&record, cursor) } else { None },
            file,
            language: record.language,
            enclosing: enclosing(&record, cursor.text(), cursor.offset()),
            imports,
            package: package(snapshot, cursor.path(), record.language),
            changed,
            since_commit: since_commit.collect(),
            record,
            mentions,
        }
    }
}

fn head_place(record: &FileRecord, cursor: &Cursor) -> Option<HeadPlace> {
    Head::new(cursor.text(), record).place(cursor.text(), cursor.offset())
}

fn record_of(path: &str, text: &str, config: &Config) -> FileRecord {
    AnalyzedFile::new(path.to_owned(), text.to_owned(), config).record
}

/// Definitions around byte `at`, innermost first. A cursor directly after the last byte of a definition counts as
/// inside: in languages without closing brackets the next line is typed there. In Python, a blank line below a
/// definition also counts if the cursor is indented more than the definition.
fn enclosing(record: &FileRecord, text: &str, at: usize) -> Vec<u32> {
    let symbols = &record.symbols;
    let before = &text[..at];
    let indentation = before.len() - before.trim_end_matches([' ', '\t']).len();
    let on_blank_line = before[..at - indentation].ends_with('\n');
    let end = before.trim_end().len();
    let goes_on = |it: &Definition| {
        let start = it.span.start as usize;
        let line = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let own = text[line..].len() - text[line..].trim_start_matches([' ', '\t']).len();
        start < end && end <= it.span.end as usize && own < indentation
    };
    let holds = |it: &Definition| {
        let Span { start, end } = it.span;
        let inside = (start as usize) < at && at <= end as usize;
        inside || (record.language == Some(Language::Python) && on_blank_line && goes_on(it))
    };
    let mut res: Vec<u32> = (0..symbols.definitions.len() as u32)
        .filter(|&idx| {
            let it = &symbols.definitions[idx as usize];
            it.body.is_some() && holds(it)
        })
        .collect();
    res.reverse();
    res
}

/// Files of the same directory and language.
fn package(snapshot: &Snapshot, path: &str, language: Option<Language>) -> Vec<FileId> {
    let dir = &path[..path.rfind('/').map_or(0, |at| at + 1)];
    let beside = |file: &FileId| {
        let other = snapshot.path(*file);
        other != path && !other[dir.len()..].contains('/') && snapshot.language(*file) == language
    };
    snapshot.files_under(dir).filter(beside).collect()
}
