//! The state before the edits: definitions that the edits removed, renamed or gave a new signature, and the code that
//! used them.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use foreword_chunk::{Definition, Kind, Language};
use rustc_hash::{FxHashMap, FxHashSet};

use super::change::{ChangeKind, ChangedDefinition, EditedFile, EditedFiles, is_callable, words};
use super::hit::{Hit, Mention, line_at};
use super::reason::NextReason;
use crate::index::{AnalyzedFile, DefinitionSite, FileId, FileRecord, PackedFile, Snapshot};
use crate::preset::constants::next::{CALL_BYTES, OLD_BYTES, OLD_DEFINITIONS, OLD_FILES, USES};
use crate::retrieve::{Certainty, NameUser, call_fits, parameter_count, users};
use crate::source::ContentHash;

/// The definitions that the edits changed, and their files as they were.
pub(super) struct EarlierState {
    /// The snapshot with the earlier texts that it still has, such as those of the disk beside the buffers of an editor: all
    /// of them are there to be read, whether their files matter or not.
    known: Snapshot,
    files: Vec<EarlierFile>,
    pub(super) definitions: Vec<ChangedDefinition>,
}

/// A file before its edits.
struct EarlierFile {
    path: String,
    state: EarlierContent,
    /// From the top.
    edits: Vec<EditSpan>,
}

/// The content of a file before its edits.
enum EarlierContent {
    /// A version that the snapshot still has ([`Snapshot::with_replaced`]).
    Replaced(FileId, ContentHash),
    Packed(Arc<PackedFile>),
}

/// The bytes of an edit.
struct EditSpan {
    before: Range<usize>,
    after: Range<usize>,
    number: usize,
}

impl EarlierState {
    pub(super) fn new(snapshot: &Snapshot, edited: &EditedFiles) -> Self {
        let hash = |it: &EditedFile| {
            before(it).map(|(text, _)| (it.file, ContentHash::of(text.as_bytes())))
        };
        let wanted: Vec<_> = edited.iter().take(2 * OLD_FILES).filter_map(hash).collect();
        let known = snapshot.with_replaced(&wanted);
        let mut res = Self { known, files: Vec::new(), definitions: Vec::new() };
        for it in edited.iter().filter(|it| may_change_definitions(it)).take(OLD_FILES) {
            if let Some((file, definitions)) = res.compare(snapshot, it) {
                res.files.push(file);
                res.definitions.extend(definitions);
            }
        }
        res.definitions.sort_by_key(|it| it.edit);
        res.definitions.truncate(OLD_DEFINITIONS);
        res.add_users(snapshot, edited);
        res
    }

    /// Adds files in which the edits replaced a use of a changed definition: what is left there is resolved as before, by
    /// an import that follows the definition already.
    fn add_users(&mut self, snapshot: &Snapshot, edited: &EditedFiles) {
        let names: FxHashSet<&str> = self.definitions.iter().map(|it| it.name.as_str()).collect();
        let is_user = |it: &&EditedFile| {
            let is_known = self.files.iter().any(|known| known.path == snapshot.path(it.file));
            let has_name = |removed: &str| words(removed).iter().any(|it| names.contains(it));
            !is_known && it.edits.iter().any(|(_, removed, _)| has_name(removed))
        };
        let users: Vec<EarlierFile> = edited
            .iter()
            .filter(is_user)
            .take(OLD_FILES)
            .filter_map(|it| self.earlier(it))
            .map(EarlierText::into_file)
            .collect();
        self.files.extend(users);
    }

    /// The file before its edits, and the definitions that they changed; `None` without such.
    fn compare(
        &self,
        snapshot: &Snapshot,
        edited: &EditedFile,
    ) -> Option<(EarlierFile, Vec<ChangedDefinition>)> {
        let earlier = self.earlier(edited)?;
        let definitions = changed(snapshot, edited, &earlier);
        (!definitions.is_empty()).then(|| (earlier.into_file(), definitions))
    }

    /// The file before its edits; `None` if it is new or too long.
    fn earlier(&self, edited: &EditedFile) -> Option<EarlierText> {
        let (text, edits) = before(edited)?;
        if text.len() > OLD_BYTES || text.trim().is_empty() {
            return None;
        }
        let path = self.known.path(edited.file).to_owned();
        let hash = ContentHash::of(text.as_bytes());
        let source = match self.known.hash(edited.file) == hash {
            true => {
                let (text, record) = self.known.contents(edited.file);
                EarlierSource::Known(edited.file, hash, text, record)
            }
            false => {
                let config = &self.known.config().chunk;
                EarlierSource::Analysed(Box::new(AnalyzedFile::new(path.clone(), text, config)))
            }
        };
        Some(EarlierText { path, source, edits })
    }

    /// The uses of the changed definitions that are still there.
    pub(super) fn hits(&self, snapshot: &Snapshot) -> Vec<Hit> {
        if self.files.is_empty() {
            return Vec::new();
        }
        // What was used is resolved in the state before the edits, where the definitions still are.
        // Other edited files stay as they are: their positions are not translated.
        let (mut replaced, mut packed) = (Vec::new(), BTreeMap::new());
        for it in &self.files {
            match &it.state {
                EarlierContent::Replaced(file, hash) => replaced.push((*file, *hash)),
                EarlierContent::Packed(file) => {
                    packed.insert(it.path.clone(), Some(Arc::clone(file)));
                }
            }
        }
        let Ok(before) = snapshot.with_replaced(&replaced).with_packed(&packed) else {
            return Vec::new();
        };
        let uses = self.definitions.iter().map(|it| self.uses(&before, snapshot, it));
        uses.flatten().collect()
    }

    fn uses(&self, before: &Snapshot, snapshot: &Snapshot, of: &ChangedDefinition) -> Vec<Hit> {
        let Some(home) = before.file(&of.path) else { return Vec::new() };
        let mut sites = before.definitions_up_to(&of.name, USES).unwrap_or_default();
        let is_only = sites.len() == 1;
        sites.retain(|it| it.file == home && it.definition == of.definition);
        if sites.is_empty() {
            return Vec::new();
        }
        let found = users(before, &of.name, &sites, &|_| true);
        let n_sure = found.iter().filter(|it| it.certainty == Certainty::Sure).count();
        let signatures = signatures(snapshot, of);
        let hit = |it: &NameUser| {
            let is_sure = it.certainty == Certainty::Sure;
            let site = (before.path(it.file), it.reference.name.start as usize);
            let (text, hit) = self.hit(snapshot, of, site)?;
            let fits = fits(snapshot, &signatures, &text[hit.at + of.name.len()..]);
            let mention = match (is_sure, fits) {
                (true, true) if of.kind == ChangeKind::Signature => Mention::Sure,
                (true, _) => Mention::Broken,
                (false, false) if is_only => Mention::Broken,
                (false, _) => Mention::Possible,
            };
            Some(Hit { rivals: if is_sure { n_sure } else { found.len() }, mention, ..hit })
        };
        let mut res: Vec<Hit> = found.iter().take(USES).filter_map(hit).collect();
        res.extend(self.implementations(before, snapshot, of));
        res
    }

    /// The definitions that have the parameters which an interface required before.
    fn implementations(
        &self,
        before: &Snapshot,
        snapshot: &Snapshot,
        of: &ChangedDefinition,
    ) -> Vec<Hit> {
        let required = before.file(&of.path).and_then(|it| Member::of(before, it, of.definition));
        let Some(required) = required.filter(|it| it.is_of_interface) else { return Vec::new() };
        if of.kind == ChangeKind::Gone {
            return Vec::new();
        }
        let hit = |it: DefinitionSite| {
            let own = Member::of(before, it.file, it.definition)?;
            let fitted = own.parameters == required.parameters && !own.is_of_interface;
            let (_, hit) = self.hit(snapshot, of, (before.path(it.file), own.name))?;
            fitted.then_some(Hit { mention: Mention::Broken, ..hit })
        };
        let sites = before.definitions_up_to(&of.name, USES).unwrap_or_default();
        sites.into_iter().filter_map(hit).collect()
    }

    /// A hit at a name that was at a byte of a file before, and the file's text; `None` if the name is gone from there.
    fn hit(
        &self,
        snapshot: &Snapshot,
        of: &ChangedDefinition,
        (path, at): (&str, usize),
    ) -> Option<(Arc<str>, Hit)> {
        let file = snapshot.file(path)?;
        let at = match self.files.iter().find(|it| it.path == path) {
            Some(earlier) => earlier.position(at)?,
            None => at,
        };
        let text = snapshot.text(file);
        if !text.get(at..)?.starts_with(&of.name) {
            return None;
        }
        let reason = NextReason::Name { name: of.name.clone(), change: of.kind.clone() };
        let hit = Hit::new(file, line_at(&text, at), reason, of.edit);
        Some((text, Hit { at, has_new_name: of.has_new_name, ..hit }))
    }
}

/// The text of a file before its edits, analysed.
struct EarlierText {
    path: String,
    source: EarlierSource,
    edits: Vec<EditSpan>,
}

enum EarlierSource {
    /// Of [`EarlierState::known`].
    Known(FileId, ContentHash, Arc<str>, Arc<FileRecord>),
    Analysed(Box<AnalyzedFile>),
}

impl EarlierText {
    fn contents(&self) -> (&str, &FileRecord) {
        match &self.source {
            EarlierSource::Known(.., text, record) => (text, record),
            EarlierSource::Analysed(it) => (&it.text, &it.record),
        }
    }

    fn into_file(self) -> EarlierFile {
        let state = match self.source {
            EarlierSource::Known(file, hash, ..) => EarlierContent::Replaced(file, hash),
            EarlierSource::Analysed(it) => EarlierContent::Packed(Arc::new(PackedFile::plain(*it))),
        };
        EarlierFile { path: self.path, state, edits: self.edits }
    }
}

impl EarlierFile {
    /// The byte now of what was at a byte before; `None` if an edit replaced it.
    fn position(&self, at: usize) -> Option<usize> {
        let mut res = at;
        for it in self.edits.iter().take_while(|it| it.before.start <= at) {
            if it.before.contains(&at) {
                return None;
            }
            res = it.after.end + (at - it.before.end);
        }
        Some(res)
    }
}

/// A member of a type.
struct Member {
    /// Without white space.
    parameters: String,
    is_of_interface: bool,
    /// The first byte of its name.
    name: usize,
}

impl Member {
    fn of(snapshot: &Snapshot, file: FileId, definition: u32) -> Option<Self> {
        let (text, record) = snapshot.contents(file);
        let all = &record.symbols.definitions;
        let it = all.get(definition as usize)?;
        let end = it.signature.end.max(it.name.end) as usize;
        let parameters = without_space(&text[it.name.end as usize..end]);
        let parent = it.parent.and_then(|it| all.get(it as usize));
        Some(Self {
            parameters: parameters.trim_end_matches(';').to_owned(),
            is_of_interface: parent.is_some_and(|it| it.kind == Kind::Interface),
            name: it.name.start as usize,
        })
    }
}

/// The new definition, and in C and C++ its declarations, which alone state default arguments: definitions of the same
/// dotted name with as many parameters. Others are of before the change, or overloads. Empty without a new definition.
fn signatures(snapshot: &Snapshot, of: &ChangedDefinition) -> Vec<(FileId, u32)> {
    let Some(new) = of.new else { return Vec::new() };
    let shape = |(file, idx): (FileId, u32)| {
        let (text, record) = snapshot.contents(file);
        let it = record.symbols.definitions.get(idx as usize)?;
        Some((format!(".{}", record.dotted_name(&text, idx)), parameter_count(&text, it)?))
    };
    let is_c = |it| matches!(snapshot.language(it), Some(Language::C | Language::Cpp));
    let mut res = vec![new];
    let Some((name, count)) = shape(new).filter(|_| is_c(new.0)) else { return res };
    // The definition may be outside of the namespace of its declaration, or the other way round.
    let is_same = |it: &(FileId, u32)| {
        let other = shape(*it).filter(|_| *it != new && is_c(it.0));
        let is_named = |it: &str| it.ends_with(&name) || name.ends_with(it);
        other.is_some_and(|it| it.1 == count && is_named(&it.0))
    };
    let sites = snapshot.definitions_up_to(&of.name, USES).unwrap_or_default();
    res.extend(sites.iter().map(|it| (it.file, it.definition)).filter(is_same));
    res
}

/// A call after its name has a number of arguments that a signature takes; without one, it fits.
fn fits(snapshot: &Snapshot, signatures: &[(FileId, u32)], call: &str) -> bool {
    let call = unquoted(call);
    let takes = |(file, idx): &(FileId, u32)| {
        let (text, record) = snapshot.contents(*file);
        let definition = record.symbols.definitions.get(*idx as usize);
        definition.is_none_or(|it| call_fits(&call, &text, it, record.language))
    };
    signatures.is_empty() || signatures.iter().any(takes)
}

/// Lines that are only added between definitions change none.
fn may_change_definitions(file: &EditedFile) -> bool {
    file.edits.iter().any(|(range, removed, _)| {
        !removed.trim().is_empty() || !Names::signatures(&file.record, range).is_empty()
    })
}

/// The text before the edits; `None` if they do not fit the text.
fn before(file: &EditedFile) -> Option<(String, Vec<EditSpan>)> {
    let mut edits: Vec<_> = file.edits.iter().collect();
    edits.sort_by_key(|it| (it.0.start, it.0.end));
    let (mut text, mut at) = (String::new(), 0);
    let mut res = Vec::new();
    for (range, removed, number) in edits {
        text.push_str(file.text.get(at..range.start)?);
        let start = text.len();
        text.push_str(removed);
        res.push(EditSpan { before: start..text.len(), after: range.clone(), number: *number });
        at = range.end;
    }
    text.push_str(file.text.get(at..)?);
    Some((text, res))
}

/// Definitions whose name or signature the edits changed.
fn changed(
    snapshot: &Snapshot,
    edited: &EditedFile,
    earlier: &EarlierText,
) -> Vec<ChangedDefinition> {
    let (text, record) = earlier.contents();
    let old = Names::new(text, record);
    let new = Names::new(&edited.text, &edited.record);
    let mut res = Vec::new();
    for edit in &earlier.edits {
        let mut add = |definition: u32, kind, new, has_new_name| {
            let (name, path) = (old.name(definition).to_owned(), earlier.path.clone());
            let edit = edit.number;
            let it = ChangedDefinition { name, kind, edit, path, definition, new, has_new_name };
            res.push(it);
        };
        let lost: Vec<u32> = old.in_range(&edit.before).filter(|it| !new.has(&old, *it)).collect();
        let gained: Vec<u32> = new.in_range(&edit.after).filter(|it| !old.has(&new, *it)).collect();
        let are_pairs = lost.len() == gained.len();
        for (at, idx) in lost.iter().enumerate() {
            let renamed = gained.get(at).filter(|it| are_pairs && new.kind(**it) == old.kind(*idx));
            match renamed {
                // Only what it is a member of has a new name.
                Some(it) if new.name(*it) == old.name(*idx) => {}
                Some(it) => {
                    let kind = ChangeKind::Renamed(new.name(*it).to_owned());
                    add(*idx, kind, None, old.is_renamed(*idx, &new, *it));
                }
                None if is_defined(snapshot, old.name(*idx)) => {}
                None => add(*idx, ChangeKind::Gone, None, false),
            }
        }
        for idx in Names::signatures(&edited.record, &edit.after) {
            let before = old.like(&new, idx);
            let before = before.filter(|it| old.signature(*it) != new.signature(idx));
            before.into_iter().for_each(|it| {
                add(it, ChangeKind::Signature, Some((edited.file, idx)), false);
            });
        }
    }
    res
}

/// The beginning of a call with a name in place of each string, which could hide a bracket.
pub(super) fn unquoted(call: &str) -> String {
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

fn without_space(text: &str) -> String {
    text.chars().filter(|it| !it.is_whitespace()).collect()
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

    fn all(&self) -> &[Definition] {
        &self.record.symbols.definitions
    }

    fn name(&self, idx: u32) -> &'t str {
        self.record.symbols.definitions[idx as usize].name.of(self.text)
    }

    fn kind(&self, idx: u32) -> Kind {
        self.all()[idx as usize].kind
    }

    /// A definition of the same dotted name is here, too.
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
        without_space(self.all()[idx as usize].signature.of(self.text))
    }

    /// Whether a function has the parameters that it had: its calls then only have another name.
    fn is_renamed(&self, idx: u32, new: &Names<'_>, new_idx: u32) -> bool {
        !is_callable(self.kind(idx)) || self.parameters(idx) == new.parameters(new_idx)
    }

    /// What is behind the name, up to the end of the first brackets, without white space.
    fn parameters(&self, idx: u32) -> String {
        let it = &self.all()[idx as usize];
        let end = it.signature.end.max(it.name.end) as usize;
        let mut res = without_space(&self.text[it.name.end as usize..end]);
        let mut depth = 0_i32;
        let end = res.char_indices().find(|(_, it)| {
            depth += i32::from(*it == '(') - i32::from(*it == ')');
            *it == ')' && depth <= 0
        });
        if let Some((end, _)) = end {
            res.truncate(end + 1);
        }
        res
    }

    /// The definitions whose names are within a range.
    fn in_range(&self, range: &Range<usize>) -> impl Iterator<Item = u32> {
        let inside = |it: &u32| range.contains(&(self.all()[*it as usize].name.start as usize));
        (0..self.all().len() as u32).filter(inside)
    }

    /// The functions whose signatures a range touches.
    fn signatures(record: &FileRecord, range: &Range<usize>) -> Vec<u32> {
        let touches = |it: &Definition| {
            let span = it.signature.range();
            is_callable(it.kind)
                && range.start <= span.end
                && span.start < range.end.max(range.start + 1)
        };
        let all = record.symbols.definitions.iter().enumerate();
        all.filter(|it| touches(it.1)).map(|it| it.0 as u32).collect()
    }
}
