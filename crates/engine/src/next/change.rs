//! Finds the names that edits changed: removed, renamed, replaced and new names, and changed signatures.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Edit;
use crate::index::terms::identifiers;
use crate::index::{FileId, FileRecord, Snapshot};
use crate::preset::constants::next::{
    BESIDE_LINES, BESIDE_NAMES, LONG_DEFINITION_LINES, NAMES_PER_KIND, SHORTEST_NAME,
};

/// Older edits say little about the next one.
const MAX_EDITS: usize = 12;

/// Change of a name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeKind {
    /// Removed, and no longer defined anywhere.
    Gone,
    /// Renamed to this by its definition; other definitions may still have the old name.
    Renamed(String),
    /// Replaced by this name on a line.
    Replaced(String),
    /// Removed from a line.
    Removed,
    /// Its definition has a new signature.
    Signature,
    /// Defined by the added lines.
    New,
    /// Its definition has a new body.
    Body,
    /// On a line beside this new name.
    Beside(String),
}

impl ChangeKind {
    /// Name for programs, in one word.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Gone => "gone",
            Self::Renamed(_) => "renamed",
            Self::Replaced(_) => "replaced",
            Self::Removed => "removed",
            Self::Signature => "signature",
            Self::New => "new",
            Self::Body => "body",
            Self::Beside(_) => "beside",
        }
    }
}

/// A name that an edit changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) name: String,
    pub(super) kind: ChangeKind,
    /// Number of the edit, 0 for the latest.
    pub(super) edit: usize,
    /// The removed line with the name.
    pub(super) line: Option<String>,
}

/// A file with edits.
pub(super) struct EditedFile {
    pub(super) file: FileId,
    pub(super) text: Arc<str>,
    pub(super) record: Arc<FileRecord>,
    /// Bytes that the edits wrote.
    pub(super) ranges: Vec<Range<usize>>,
    /// Number of its latest edit.
    pub(super) latest: usize,
}

/// All files with edits.
pub(super) struct EditedFiles {
    files: Vec<EditedFile>,
}

impl EditedFiles {
    pub(super) fn new(snapshot: &Snapshot, edits: &[Edit]) -> Self {
        let mut files: Vec<EditedFile> = Vec::new();
        for (number, edit) in edits.iter().enumerate() {
            let Some(file) = snapshot.file(&edit.path) else { continue };
            match files.iter_mut().find(|it| it.file == file) {
                Some(known) => known.ranges.push(edit.range.clone()),
                None => {
                    let (text, record) = snapshot.contents(file);
                    let ranges = vec![edit.range.clone()];
                    files.push(EditedFile { file, text, record, ranges, latest: number });
                }
            }
        }
        Self { files }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &EditedFile> {
        self.files.iter()
    }

    pub(super) fn get(&self, file: FileId) -> Option<&EditedFile> {
        self.files.iter().find(|it| it.file == file)
    }
}

impl EditedFile {
    /// Whether an edit wrote some of these bytes, or deleted lines there.
    pub(super) fn is_edited(&self, line: &Range<usize>) -> bool {
        let touches = |it: &Range<usize>| match it.is_empty() {
            true => line.start <= it.start && it.start < line.end,
            false => it.start < line.end && line.start < it.end,
        };
        self.ranges.iter().any(touches)
    }
}

/// Returns the names that the edits changed, each once: by the latest edit, and by the most telling kind.
pub(super) fn changes(snapshot: &Snapshot, edited: &EditedFiles, edits: &[Edit]) -> Vec<Change> {
    let mut res: Vec<Change> = Vec::new();
    let mut met = FxHashSet::default();
    for (number, edit) in edits.iter().take(MAX_EDITS).enumerate() {
        let Some(file) = snapshot.file(&edit.path).and_then(|it| edited.get(it)) else { continue };
        let Some(added) = file.text.get(edit.range.clone()) else { continue };
        let mut found = of_texts(snapshot, file, edit, added);
        found.extend(of_definitions(file, edit, added));
        found.extend(beside(file, edit, added));
        let is_told = |(name, ..): &(String, ChangeKind, Option<String>)| {
            name.len() >= SHORTEST_NAME && met.insert(name.clone())
        };
        let change = |(name, kind, line)| Change { name, kind, edit: number, line };
        res.extend(found.into_iter().filter(is_told).map(change));
    }
    res
}

type NameChange = (String, ChangeKind, Option<String>);

/// Keywords before a defined name.
const DEFINES: &[&str] = &[
    "class",
    "const",
    "data",
    "def",
    "defp",
    "enum",
    "fn",
    "fun",
    "func",
    "function",
    "interface",
    "let",
    "macro",
    "module",
    "object",
    "protocol",
    "record",
    "static",
    "struct",
    "sub",
    "trait",
    "type",
    "typedef",
    "union",
    "val",
    "var",
];

/// Names on removed lines that the added lines lack.
fn of_texts(snapshot: &Snapshot, file: &EditedFile, edit: &Edit, added: &str) -> Vec<NameChange> {
    let removed = &*edit.removed;
    let has: FxHashSet<&str> = words(added).into_iter().collect();
    let replaced = replaced(removed, added);
    let inside = |it: &&foreword_chunk::Definition| edit.range.contains(&(it.name.start as usize));
    let defined = file.record.symbols.definitions.iter().filter(inside);
    let defined: FxHashSet<&str> = defined.map(|it| it.name.of(&file.text)).collect();
    let mut res = Vec::new();
    let mut met = FxHashSet::default();
    for line in removed.lines() {
        let words = words(line);
        for (at, name) in words.iter().copied().enumerate().filter(|it| !has.contains(it.1)) {
            if !met.insert(name) || res.len() == NAMES_PER_KIND {
                continue;
            }
            let new = replaced.get(name).copied();
            let was_defined = new.is_some_and(|it| defined.contains(it))
                || at > 0 && DEFINES.contains(&words[at - 1]);
            let kind = match (was_defined, new) {
                (true, Some(new)) if defined.contains(new) => ChangeKind::Renamed(new.to_owned()),
                (true, _) if !is_defined(snapshot, name) => ChangeKind::Gone,
                (_, Some(new)) => ChangeKind::Replaced(new.to_owned()),
                (_, None) => ChangeKind::Removed,
            };
            res.push((name.to_owned(), kind, Some(line.trim().to_owned())));
        }
    }
    res
}

fn is_defined(snapshot: &Snapshot, name: &str) -> bool {
    snapshot.definitions_up_to(name, 0).is_none_or(|it| !it.is_empty())
}

/// Names that replaced others: the lines differ only in names, one for one.
fn replaced<'t>(removed: &'t str, added: &'t str) -> FxHashMap<&'t str, &'t str> {
    let mut res = FxHashMap::default();
    if removed.lines().count() != added.lines().count() {
        return res;
    }
    for (old, new) in removed.lines().zip(added.lines()) {
        let (a, b) = (words(old), words(new));
        if a.len() == b.len() {
            res.extend(a.into_iter().zip(b).filter(|(a, b)| a != b));
        }
    }
    res
}

/// Names that the edit defines, and names of the definitions around it.
fn of_definitions(file: &EditedFile, edit: &Edit, added: &str) -> Vec<NameChange> {
    let definitions = &file.record.symbols.definitions;
    let had: FxHashSet<&str> = words(&edit.removed).into_iter().collect();
    let (mut signatures, mut new, mut bodies) = (Vec::new(), Vec::new(), Vec::new());
    let range = &edit.range;
    for it in definitions {
        let (span, name) = (it.span.range(), it.name.of(&file.text));
        let is_inside = range.start <= span.start && it.name.range().end <= range.end;
        if is_inside && !range.is_empty() && !had.contains(name) {
            new.push((name.to_owned(), ChangeKind::New, None));
            continue;
        }
        let head = it.body.map_or(span.end, |it| it.start as usize);
        // Without a body, the whole definition is the signature; the body of a class belongs to its members.
        let touches = |start: usize, end: usize| match range.is_empty() {
            true => start < range.start && range.start < end,
            false => range.start < end && start < range.end,
        };
        let lines = file.text[span.clone()].lines().count();
        if touches(span.start, head) {
            signatures.push((name.to_owned(), ChangeKind::Signature, None));
        } else if touches(head, span.end) && lines < LONG_DEFINITION_LINES {
            bodies.push((name.to_owned(), ChangeKind::Body, None));
        }
    }
    // The innermost body is the last one.
    let bodies = bodies.into_iter().rev().take(1);
    let is_code = !added.is_empty() || !edit.removed.is_empty();
    signatures.truncate(NAMES_PER_KIND);
    new.truncate(NAMES_PER_KIND);
    signatures.into_iter().chain(new).chain(bodies).filter(|_| is_code).collect()
}

/// Names on the lines around a pure addition: code that uses them may need the new name, too.
fn beside(file: &EditedFile, edit: &Edit, added: &str) -> Vec<NameChange> {
    if !edit.removed.trim().is_empty() || added.lines().count() > BESIDE_LINES {
        return Vec::new();
    }
    let has: FxHashSet<&str> = words(added).into_iter().collect();
    let inside = |it: &&foreword_chunk::Definition| edit.range.contains(&(it.name.start as usize));
    let defined = file.record.symbols.definitions.iter().find(inside);
    let defined = defined.map(|it| it.name.of(&file.text));
    let new = defined.or_else(|| words(added).into_iter().find(|it| it.len() >= SHORTEST_NAME));
    let Some(new) = new.map(str::to_owned) else { return Vec::new() };
    let before = file.text[..edit.range.start].lines().next_back().unwrap_or_default();
    let after = file.text[edit.range.end..].lines().next().unwrap_or_default();
    let indentation = |it: &str| it.len() - it.trim_start().len();
    let own = added.lines().next().map_or(0, indentation);
    let is_definition = defined.is_some();
    let mut res = Vec::new();
    for line in [before, after].into_iter().filter(|it| indentation(it) == own) {
        // Beside a new constant or case, only the names of its neighbours count, not their values.
        let is_name = |it: &&str| !is_definition || defines(file, it);
        let names = words(line)
            .into_iter()
            .filter(|it| !has.contains(it))
            .filter(is_name)
            .take(BESIDE_NAMES);
        res.extend(names.map(|it| (it.to_owned(), ChangeKind::Beside(new.clone()), None)));
    }
    res
}

fn defines(file: &EditedFile, name: &str) -> bool {
    file.record.symbols.definitions.iter().any(|it| it.name.of(&file.text) == name)
}

/// The names in a text, in order, without numbers.
pub(super) fn words(text: &str) -> Vec<&str> {
    let mut res = Vec::new();
    identifiers(text, |start, end| {
        if !text.as_bytes()[start].is_ascii_digit() {
            res.push(&text[start..end]);
        }
    });
    res
}
