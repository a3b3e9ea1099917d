//! Finds the names that edits changed: removed, renamed, replaced and new names, and changed signatures.

use std::ops::Range;
use std::sync::Arc;

use foreword_chunk::Kind;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Edit;
use crate::index::terms::identifiers;
use crate::index::{FileId, FileRecord, Snapshot};
use crate::preset::constants::next::{
    BESIDE_AROUND, BESIDE_LINES, BESIDE_NAMES, LONG_DEFINITION_LINES, NAMES_PER_KIND, SHORTEST_NAME,
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
    /// Used by the added lines.
    Used,
    /// On a line beside this new name.
    Beside(String),
    /// A variant of an enumeration that got this one.
    Variant(String),
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
            Self::Used => "used",
            Self::Beside(_) => "beside",
            Self::Variant(_) => "variant",
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

/// A definition that the edits changed.
pub(super) struct ChangedDefinition {
    pub(super) name: String,
    pub(super) kind: ChangeKind,
    /// Number of the edit.
    pub(super) edit: usize,
    /// The file before the edits.
    pub(super) path: String,
    /// Its index there.
    pub(super) definition: u32,
    /// Its new place: the file and the definition.
    pub(super) new: Option<(FileId, u32)>,
    /// It has a new name and, if it is a function, the parameters that it had.
    pub(super) has_new_name: bool,
}

/// A file with edits.
pub(super) struct EditedFile {
    pub(super) file: FileId,
    pub(super) text: Arc<str>,
    pub(super) record: Arc<FileRecord>,
    /// Bytes that each edit wrote, the lines before, and its number.
    pub(super) edits: Vec<(Range<usize>, String, usize)>,
    /// Number of its latest edit.
    pub(super) latest: usize,
}

/// All files with edits, that of the latest edit first.
pub(super) struct EditedFiles {
    files: Vec<EditedFile>,
    by_id: FxHashMap<FileId, usize>,
}

impl EditedFiles {
    pub(super) fn new(snapshot: &Snapshot, edits: &[Edit]) -> Self {
        let mut res = Self { files: Vec::new(), by_id: FxHashMap::default() };
        for (latest, edit) in edits.iter().enumerate() {
            let Some(file) = snapshot.file(&edit.path) else { continue };
            let at = *res.by_id.entry(file).or_insert(res.files.len());
            if at == res.files.len() {
                let (text, record) = snapshot.contents(file);
                res.files.push(EditedFile { file, text, record, edits: Vec::new(), latest });
            }
            res.files[at].edits.push((edit.range.clone(), edit.removed.clone(), latest));
        }
        res
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &EditedFile> {
        self.files.iter()
    }

    pub(super) fn get(&self, file: FileId) -> Option<&EditedFile> {
        self.by_id.get(&file).map(|it| &self.files[*it])
    }
}

impl EditedFile {
    /// Whether names are imported there, or a definition has its name.
    pub(super) fn binds(&self, range: &Range<usize>) -> bool {
        let touches = |it: Range<usize>| it.start < range.end && range.start < it.end;
        let symbols = &self.record.symbols;
        symbols.definitions.iter().any(|it| touches(it.name.range()))
            || symbols.imports.iter().any(|it| touches(it.span.range()))
    }

    /// Names of the definitions that stand on lines that the edits wrote.
    pub(super) fn defined_names(&self) -> impl Iterator<Item = String> {
        let mut ranges: Vec<&Range<usize>> = self.edits.iter().map(|it| &it.0).collect();
        ranges.sort_unstable_by_key(|it| it.start);
        let is_written = move |at: usize| {
            let next = ranges.partition_point(|it| it.start <= at);
            next > 0 && at < ranges[next - 1].end
        };
        let definitions = self.record.symbols.definitions.iter();
        definitions
            .filter(move |it| is_written(it.name.start as usize))
            .map(|it| it.name.of(&self.text).to_owned())
    }

    /// Whether an edit wrote some of these bytes, or deleted lines there.
    pub(super) fn is_edited(&self, line: &Range<usize>) -> bool {
        let touches = |it: &Range<usize>| match it.is_empty() {
            true => line.start <= it.start && it.start < line.end,
            false => it.start < line.end && line.start < it.end,
        };
        self.edits.iter().any(|it| touches(&it.0))
    }
}

/// Returns the names that the edits changed, each once: by the latest edit, and by the most telling kind.
pub(super) fn changes(
    edited: &EditedFiles,
    edits: &[Edit],
    old: &[ChangedDefinition],
    snapshot: &Snapshot,
) -> Vec<Change> {
    let mut res: Vec<Change> = Vec::new();
    let mut met = FxHashSet::default();
    for (number, edit) in edits.iter().take(MAX_EDITS).enumerate() {
        let Some(file) = snapshot.file(&edit.path).and_then(|it| edited.get(it)) else { continue };
        let Some(added) = file.text.get(edit.range.clone()) else { continue };
        let of_old = old.iter().filter(|it| it.edit == number);
        let mut found: Vec<NameChange> = of_old
            .map(|it| (it.name.clone(), it.kind.clone(), line_with(edit, &it.name)))
            .collect();
        found.extend(of_texts(edit, added));
        found.extend(of_definitions(file, edit, added));
        found.extend(beside(file, edit, added));
        found.extend(used(edit, added));
        let is_told = |(name, ..): &(String, ChangeKind, Option<String>)| {
            name.len() >= SHORTEST_NAME && met.insert(name.clone())
        };
        let change = |(name, kind, line)| Change { name, kind, edit: number, line };
        res.extend(found.into_iter().filter(is_told).map(change));
    }
    res
}

type NameChange = (String, ChangeKind, Option<String>);

/// The removed line with a name.
fn line_with(edit: &Edit, name: &str) -> Option<String> {
    let line = edit.removed.lines().find(|it| words(it).contains(&name))?;
    Some(line.trim().to_owned())
}

/// Names on added lines that the removed lines lack.
fn used(edit: &Edit, added: &str) -> Vec<NameChange> {
    let had: FxHashSet<&str> = words(&edit.removed).into_iter().collect();
    let new = words(added).into_iter().filter(|it| !had.contains(it));
    new.take(NAMES_PER_KIND).map(|it| (it.to_owned(), ChangeKind::Used, None)).collect()
}

/// Names on removed lines that the added lines lack.
fn of_texts(edit: &Edit, added: &str) -> Vec<NameChange> {
    let removed = &*edit.removed;
    let has: FxHashSet<&str> = words(added).into_iter().collect();
    let replaced = replaced(removed, added);
    let mut res = Vec::new();
    let mut met = FxHashSet::default();
    for line in removed.lines() {
        for name in words(line).into_iter().filter(|it| !has.contains(it)) {
            if !met.insert(name) || res.len() == NAMES_PER_KIND {
                continue;
            }
            let kind = match replaced.get(name) {
                Some(new) => ChangeKind::Replaced((*new).to_owned()),
                None => ChangeKind::Removed,
            };
            res.push((name.to_owned(), kind, Some(line.trim().to_owned())));
        }
    }
    res
}

/// Definitions that are called.
pub(super) fn is_callable(kind: Kind) -> bool {
    matches!(kind, Kind::Function | Kind::Method | Kind::Constructor | Kind::Macro)
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
        let is_short = || file.text[span.clone()].lines().nth(LONG_DEFINITION_LINES - 1).is_none();
        if touches(span.start, head) {
            signatures.push((name.to_owned(), ChangeKind::Signature, None));
        } else if touches(head, span.end) && is_short() {
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

/// Names on the lines around a pure addition at the place of the new name: lists, switches, tables and literals that
/// have them may need the new one, too.
fn beside(file: &EditedFile, edit: &Edit, added: &str) -> Vec<NameChange> {
    if !edit.removed.trim().is_empty() || added.lines().count() > BESIDE_LINES {
        return Vec::new();
    }
    let Some(line) = added.lines().find(|it| !words(it).is_empty()) else { return Vec::new() };
    let indentation = |it: &str| it.len() - it.trim_start().len();
    let (own, has) = (indentation(line), words(line));
    let above = file.text[..edit.range.start].lines().rev().take(BESIDE_AROUND);
    let below = file.text[edit.range.end..].lines().take(BESIDE_AROUND);
    let is_enum = is_in_enum(file, edit.range.start + own);
    let mut res: Vec<NameChange> = Vec::new();
    for other in above.chain(below).filter(|it| indentation(it) == own) {
        // The first word that differs is the name of the entry.
        let pair = words(other).into_iter().zip(&has).find(|(a, b)| a != *b);
        let Some((name, new)) = pair else { continue };
        if new.len() >= SHORTEST_NAME && res.len() < BESIDE_NAMES {
            let new = (*new).to_owned();
            let kind = if is_enum { ChangeKind::Variant(new) } else { ChangeKind::Beside(new) };
            res.push((name.to_owned(), kind, None));
        }
    }
    res
}

/// A byte within an enumeration, or within a member of one.
fn is_in_enum(file: &EditedFile, at: usize) -> bool {
    let all = &file.record.symbols.definitions;
    let is_enum = |idx: u32| all[idx as usize].kind == Kind::Enum;
    let own = file.record.symbols.enclosing(at.min(file.text.len()));
    let parent = own.and_then(|it| all[it as usize].parent);
    own.is_some_and(is_enum) || parent.is_some_and(is_enum)
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
