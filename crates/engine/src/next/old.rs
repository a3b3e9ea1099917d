//! The files as they were before the edits: definitions that the edits removed, renamed or gave a new signature, and
//! the code that used them.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use foreword_chunk::Kind;
use rustc_hash::{FxHashMap, FxHashSet};

use super::change::{ChangeKind, EditedFile, EditedFiles, OldDefinition};
use super::hit::{Hit, Mention, line_at};
use super::reason::NextReason;
use crate::index::{AnalyzedFile, DefinitionSite, FileId, FileRecord, PackedFile, Snapshot};
use crate::preset::constants::next::{CALL_BYTES, OLD_BYTES, OLD_DEFINITIONS, USES};
use crate::retrieve::{Certainty, NameUser, call_fits, users};

/// A file before its edits.
struct OldFile<'e> {
    edited: &'e EditedFile,
    analysed: AnalyzedFile,
    /// Old and new bytes of each edit with its number, from the top.
    edits: Vec<(Range<usize>, Range<usize>, usize)>,
}

/// The edited files before the edits, and the definitions that changed.
pub(super) struct Old<'e> {
    files: Vec<OldFile<'e>>,
    pub(super) definitions: Vec<OldDefinition>,
}

impl<'e> Old<'e> {
    pub(super) fn new(snapshot: &Snapshot, edited: &'e EditedFiles) -> Self {
        let files: Vec<OldFile<'e>> =
            edited.iter().filter_map(|it| OldFile::new(snapshot, it)).collect();
        let mut definitions: Vec<OldDefinition> =
            files.iter().flat_map(|it| it.changed(snapshot)).collect();
        definitions.sort_by_key(|it| it.edit);
        definitions.truncate(OLD_DEFINITIONS);
        Self { files, definitions }
    }

    /// The uses of the changed definitions that are still there.
    pub(super) fn hits(&self, snapshot: &Snapshot) -> Vec<Hit> {
        let changed: FxHashSet<&str> = self.definitions.iter().map(|it| &*it.path).collect();
        let files = self.files.iter().filter(|it| changed.contains(it.analysed.path.as_str()));
        let packed: BTreeMap<String, Option<Arc<PackedFile>>> = files
            .map(|it| {
                let path = it.analysed.path.clone();
                let (text, record) = (it.analysed.text.clone(), it.analysed.record.clone());
                let again = AnalyzedFile::with_record(path.clone(), text, record);
                (path, Some(Arc::new(PackedFile::new(again))))
            })
            .collect();
        if packed.is_empty() {
            return Vec::new();
        }
        // What was used is resolved in the state before the edits, where the definitions still are.
        let Ok(before) = snapshot.with_packed(&packed) else { return Vec::new() };
        self.definitions.iter().flat_map(|it| self.uses(&before, snapshot, it)).collect()
    }

    fn uses(&self, before: &Snapshot, snapshot: &Snapshot, of: &OldDefinition) -> Vec<Hit> {
        let Some(home) = before.file(&of.path) else { return Vec::new() };
        let mut sites = before.definitions_up_to(&of.name, USES).unwrap_or_default();
        let all = sites.len();
        sites.retain(|it| it.file == home && it.definition == of.definition);
        if sites.is_empty() {
            return Vec::new();
        }
        let found = users(before, &of.name, &sites, &|_| true);
        let n_sure = found.iter().filter(|it| it.certainty == Certainty::Sure).count();
        let hit = |it: &NameUser| {
            let path = before.path(it.file);
            let file = snapshot.file(path)?;
            let at = self.position(path, it.reference.name.start as usize)?;
            let text = snapshot.text(file);
            if !text.get(at..)?.starts_with(&of.name) {
                return None;
            }
            let fits = of.new.is_none_or(|(new, idx)| {
                let (text_of_new, record) = snapshot.contents(new);
                record.symbols.definitions.get(idx as usize).is_none_or(|it| {
                    let call = unquoted(&text[at + of.name.len()..]);
                    call_fits(&call, &text_of_new, it, record.language)
                })
            });
            let is_sure = it.certainty == Certainty::Sure;
            let mention = match (is_sure, of.kind == ChangeKind::Signature, fits) {
                (true, true, true) => Mention::Sure,
                (true, _, _) => Mention::Broken,
                (false, true, false) if all == 1 => Mention::Broken,
                (false, ..) => Mention::Possible,
            };
            let reason = NextReason::Name { name: of.name.clone(), change: of.kind.clone() };
            let line = line_at(&text, at);
            let rivals = if is_sure { n_sure } else { found.len() };
            Some(Hit { rivals, mention, at, ..Hit::new(file, line, reason, of.edit) })
        };
        let mut res: Vec<Hit> = found.iter().take(USES).filter_map(hit).collect();
        res.extend(self.implementers(before, snapshot, of));
        res
    }

    /// The definitions that have the signature which an interface asked for before.
    fn implementers(&self, before: &Snapshot, snapshot: &Snapshot, of: &OldDefinition) -> Vec<Hit> {
        let site = |file: FileId, idx: u32| {
            let (text, record) = before.contents(file);
            let it = record.symbols.definitions.get(idx as usize)?;
            let end = it.signature.end.max(it.name.end) as usize;
            let parameters: String =
                text[it.name.end as usize..end].chars().filter(|it| !it.is_whitespace()).collect();
            let parent = it.parent.and_then(|it| record.symbols.definitions.get(it as usize));
            Some((
                parameters.trim_end_matches(';').to_owned(),
                parent.map(|it| it.kind),
                it.name.start as usize,
            ))
        };
        let Some(home) = before.file(&of.path) else { return Vec::new() };
        let Some((asked, Some(Kind::Interface), _)) = site(home, of.definition) else {
            return Vec::new();
        };
        if of.kind == ChangeKind::Gone {
            return Vec::new();
        }
        let hit = |it: DefinitionSite| {
            let path = before.path(it.file);
            let (has, parent, at) = site(it.file, it.definition)?;
            let (file, at) = (snapshot.file(path)?, self.position(path, at)?);
            let text = snapshot.text(file);
            if has != asked
                || parent == Some(Kind::Interface)
                || !text.get(at..)?.starts_with(&of.name)
            {
                return None;
            }
            let reason = NextReason::Name { name: of.name.clone(), change: of.kind.clone() };
            let hit = Hit::new(file, line_at(&text, at), reason, of.edit);
            Some(Hit { mention: Mention::Broken, at, ..hit })
        };
        let sites = before.definitions_up_to(&of.name, USES).unwrap_or_default();
        sites.into_iter().filter_map(hit).collect()
    }

    /// The position now of what was at a byte of a file; `None` if an edit replaced it.
    fn position(&self, path: &str, at: usize) -> Option<usize> {
        match self.files.iter().find(|it| it.analysed.path == path) {
            Some(file) => file.position(at),
            None => Some(at),
        }
    }
}

impl<'e> OldFile<'e> {
    fn new(snapshot: &Snapshot, edited: &'e EditedFile) -> Option<Self> {
        // What only adds lines between definitions changes none.
        let changes = |(range, removed, _): &(Range<usize>, String, usize)| {
            let signatures = Names::signatures(&edited.record, range);
            !removed.trim().is_empty() || !signatures.is_empty()
        };
        if !edited.edits.iter().any(changes) {
            return None;
        }
        let mut edits: Vec<_> = edited.edits.iter().collect();
        edits.sort_by_key(|it| (it.0.start, it.0.end));
        let (mut text, mut at) = (String::new(), 0);
        let mut ranges = Vec::new();
        for (range, removed, number) in edits {
            text.push_str(edited.text.get(at..range.start)?);
            let start = text.len();
            text.push_str(removed);
            ranges.push((start..text.len(), range.clone(), *number));
            at = range.end;
        }
        text.push_str(edited.text.get(at..)?);
        if text.len() > OLD_BYTES || text.trim().is_empty() {
            return None;
        }
        let path = snapshot.path(edited.file).to_owned();
        let analysed = AnalyzedFile::new(path, text, &snapshot.config().chunk);
        Some(Self { edited, analysed, edits: ranges })
    }

    fn position(&self, at: usize) -> Option<usize> {
        let mut moved = at;
        for (old, new, _) in self.edits.iter().take_while(|it| it.0.start <= at) {
            if old.contains(&at) {
                return None;
            }
            moved = new.end + (at - old.end);
        }
        Some(moved)
    }

    /// Definitions whose name or signature the edits changed.
    fn changed(&self, snapshot: &Snapshot) -> Vec<OldDefinition> {
        let (old, new) = (Names::new(&self.analysed.text, &self.analysed.record), self.new_names());
        let mut res = Vec::new();
        for (old_range, new_range, number) in &self.edits {
            let lost: Vec<u32> = old.in_range(old_range).filter(|it| !new.has(&old, *it)).collect();
            let gained: Vec<u32> =
                new.in_range(new_range).filter(|it| !old.has(&new, *it)).collect();
            let pairs = lost.len() == gained.len();
            for (at, idx) in lost.iter().enumerate() {
                let name = old.name(*idx);
                let renamed = gained.get(at).filter(|it| pairs && new.kind(**it) == old.kind(*idx));
                let kind = match renamed {
                    Some(it) => ChangeKind::Renamed(new.name(*it).to_owned()),
                    None if is_defined(snapshot, name) => continue,
                    None => ChangeKind::Gone,
                };
                res.push(self.definition((*idx, name), kind, *number, None));
            }
            for idx in Names::signatures(&self.edited.record, new_range) {
                let Some(before) = old.like(&new, idx) else { continue };
                if old.signature(before) != new.signature(idx) {
                    let site = Some((self.edited.file, idx));
                    let name = old.name(before);
                    let kind = ChangeKind::Signature;
                    res.push(self.definition((before, name), kind, *number, site));
                }
            }
        }
        res
    }

    fn definition(
        &self,
        (definition, name): (u32, &str),
        kind: ChangeKind,
        edit: usize,
        new: Option<(FileId, u32)>,
    ) -> OldDefinition {
        let path = self.analysed.path.clone();
        OldDefinition { name: name.to_owned(), kind, edit, path, definition, new }
    }

    fn new_names(&self) -> Names<'_> {
        Names::new(&self.edited.text, &self.edited.record)
    }
}

/// The beginning of a call with a name in place of each string, which could hide a bracket.
fn unquoted(call: &str) -> String {
    let mut res = String::new();
    let mut rest = &call[..call.floor_char_boundary(call.len().min(CALL_BYTES))];
    while let Some(start) = rest.find(['"', '\'', '`']) {
        res.push_str(&rest[..start]);
        let quote = rest.as_bytes()[start];
        let inside = &rest.as_bytes()[start + 1..];
        let is_end = |it: &usize| inside[*it] == quote && (*it == 0 || inside[*it - 1] != b'\\');
        let Some(end) = (0..inside.len()).find(is_end) else { break };
        res.push('_');
        rest = &rest[start + end + 2..];
    }
    res.push_str(rest);
    res
}

fn is_defined(snapshot: &Snapshot, name: &str) -> bool {
    snapshot.definitions_up_to(name, 0).is_none_or(|it| !it.is_empty())
}

/// The definitions of a file by dotted name.
struct Names<'t> {
    text: &'t str,
    record: &'t FileRecord,
    by_name: FxHashMap<String, Vec<u32>>,
}

impl<'t> Names<'t> {
    fn new(text: &'t str, record: &'t FileRecord) -> Self {
        let mut by_name: FxHashMap<String, Vec<u32>> = FxHashMap::default();
        for idx in 0..record.symbols.definitions.len() as u32 {
            by_name.entry(record.dotted_name(text, idx)).or_default().push(idx);
        }
        Self { text, record, by_name }
    }

    fn all(&self) -> &[foreword_chunk::Definition] {
        &self.record.symbols.definitions
    }

    fn name(&self, idx: u32) -> &'t str {
        self.record.symbols.definitions[idx as usize].name.of(self.text)
    }

    fn kind(&self, idx: u32) -> foreword_chunk::Kind {
        self.all()[idx as usize].kind
    }

    /// Whether there is a definition of the same dotted name.
    fn has(&self, other: &Names<'_>, idx: u32) -> bool {
        self.by_name.contains_key(&other.record.dotted_name(other.text, idx))
    }

    /// The definition of the same dotted name, if both have it once.
    fn like(&self, other: &Names<'_>, idx: u32) -> Option<u32> {
        let name = other.record.dotted_name(other.text, idx);
        match (self.by_name.get(&name)?.as_slice(), other.by_name.get(&name)?.as_slice()) {
            ([own], [_]) => Some(*own),
            _ => None,
        }
    }

    /// Without white space.
    fn signature(&self, idx: u32) -> String {
        let text = self.all()[idx as usize].signature.of(self.text);
        text.chars().filter(|it| !it.is_whitespace()).collect()
    }

    /// The definitions whose names are within a range.
    fn in_range(&self, range: &Range<usize>) -> impl Iterator<Item = u32> {
        let inside = |it: &u32| range.contains(&(self.all()[*it as usize].name.start as usize));
        (0..self.all().len() as u32).filter(inside)
    }

    /// The functions whose signatures a range touches.
    fn signatures(record: &FileRecord, range: &Range<usize>) -> Vec<u32> {
        let touches = |it: &foreword_chunk::Definition| {
            let span = it.signature.range();
            super::change::is_callable(it.kind)
                && range.start <= span.end
                && span.start < range.end.max(range.start + 1)
        };
        let all = record.symbols.definitions.iter().enumerate();
        all.filter(|it| touches(it.1)).map(|it| it.0 as u32).collect()
    }
}
