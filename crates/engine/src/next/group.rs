//! What places are made of: the edits, a file with hits, and hits on neighbouring lines.

use std::ops::Range;
use std::sync::Arc;

use foreword_chunk::LineIndex;
use rustc_hash::FxHashSet;

use super::Edit;
use super::change::{Change, ChangeKind, EditedFile, EditedFiles, words};
use super::hit::{Hit, Mention};
use super::reason::NextReason;
use super::text::Replacements;
use crate::index::{FileId, FileRecord, Snapshot};
use crate::preset::constants::next::{HERE_LINES, SHORTEST_SHARED};
use crate::scope::Resolver;
use crate::sorting::sort_by_key;
use crate::source::directory_of;

/// The edits and what they touch.
pub(super) struct Context<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) edited: &'a EditedFiles,
    /// Number of edits.
    pub(super) edits: usize,
    /// The file of the last edit.
    pub(super) last: Option<FileId>,
    /// Lines of the last step: the last edit, and others near it.
    pub(super) here: (u32, u32),
    /// Folders of the edited files.
    pub(super) folders: FxHashSet<&'a str>,
    /// Words of the last edit.
    pub(super) words: FxHashSet<String>,
    /// The innermost definition at the last edit, and the file's stem, as letters.
    pub(super) names: EditedNames,
    /// What the edits replaced.
    pub(super) replacements: Replacements,
    /// Resolves imports; it reads the build files once for all uses.
    pub(super) resolver: Resolver,
    /// Number of variants beside those that enumerations got.
    variants: usize,
}

impl<'a> Context<'a> {
    pub(super) fn new(
        snapshot: &'a Snapshot,
        edited: &'a EditedFiles,
        edits: &[Edit],
        changes: &[Change],
    ) -> Self {
        let variants =
            changes.iter().filter(|it| matches!(it.kind, ChangeKind::Variant(_))).count();
        let last = edits.first().and_then(|it| snapshot.file(&it.path));
        let (mut here, mut met) = ((0, 0), FxHashSet::default());
        if let (Some(edit), Some(file)) = (edits.first(), last.and_then(|it| edited.get(it))) {
            here = file.step(&edit.range);
            let added = file.text.get(edit.range.clone()).unwrap_or_default();
            met.extend(words(&edit.removed).into_iter().chain(words(added)).map(str::to_owned));
        }
        let replacements = Replacements::new(snapshot, edited, edits);
        let folders = edited.iter().map(|it| directory_of(snapshot.path(it.file))).collect();
        let names = EditedNames::new(snapshot, edited, edits);
        let edits = edits.len();
        Self {
            snapshot,
            edited,
            edits,
            last,
            here,
            folders,
            words: met,
            names,
            replacements,
            resolver: Resolver::new(snapshot),
            variants,
        }
    }

    /// Lines near the last step, where the user is.
    pub(super) fn is_here(&self, file: FileId, lines: (u32, u32)) -> bool {
        let (first, last) = self.here;
        Some(file) == self.last && lines.0 <= last + HERE_LINES && first <= lines.1 + HERE_LINES
    }
}

/// Names of what is edited last, as letters in lower case; empty where too short.
#[derive(Default)]
pub(super) struct EditedNames {
    pub(super) definition: String,
    pub(super) stem: String,
}

impl EditedNames {
    fn new(snapshot: &Snapshot, edited: &EditedFiles, edits: &[Edit]) -> Self {
        let Some(edit) = edits.first() else { return Self::default() };
        let Some(file) = snapshot.file(&edit.path).and_then(|it| edited.get(it)) else {
            return Self::default();
        };
        let symbols = &file.record.symbols;
        // An added definition begins at the first word of the edit.
        let rest = file.text.get(edit.range.start..).unwrap_or_default();
        let at = edit.range.start + (rest.len() - rest.trim_start().len());
        let idx = symbols.enclosing(at.min(file.text.len()));
        let name = idx.map_or("", |it| symbols.definitions[it as usize].name.of(&file.text));
        let stem = edit.path.rsplit('/').next().and_then(|it| it.split('.').next());
        let long = |it: &str| Some(letters(it)).filter(|it| it.len() >= SHORTEST_SHARED);
        Self {
            definition: long(name).unwrap_or_default(),
            stem: stem.and_then(long).unwrap_or_default(),
        }
    }
}

/// Letters and digits in lower case.
pub(super) fn letters(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|it| it.to_ascii_lowercase()).collect()
}

impl EditedFile {
    /// The lines of an edit and of others that are near it.
    fn step(&self, range: &Range<usize>) -> (u32, u32) {
        let lines = LineIndex::new(self.text.as_bytes());
        let of = |it: &Range<usize>| {
            let end = it.end.min(self.text.len()).saturating_sub(1).max(it.start);
            (lines.line_of(it.start.min(self.text.len())), lines.line_of(end.min(self.text.len())))
        };
        let mut res = of(range);
        let mut others: Vec<(u32, u32)> = self.edits.iter().map(|it| of(&it.0)).collect();
        sort_by_key(&mut others, |it| it.0.abs_diff(res.0));
        for (first, last) in others {
            if first <= res.1 + HERE_LINES && res.0 <= last + HERE_LINES {
                res = (res.0.min(first), res.1.max(last));
            }
        }
        res
    }
}

/// A file with hits.
pub(super) struct OneFile<'c> {
    pub(super) context: &'c Context<'c>,
    pub(super) file: FileId,
    pub(super) text: Arc<str>,
    pub(super) record: Arc<FileRecord>,
    pub(super) lines: LineIndex,
}

/// Neighbouring lines.
pub(super) struct Group {
    pub(super) lines: (u32, u32),
    pub(super) hits: Vec<Hit>,
}

impl<'c> OneFile<'c> {
    pub(super) fn new(context: &'c Context<'c>, file: FileId) -> Self {
        let (text, record) = context.snapshot.contents(file);
        let lines = LineIndex::new(text.as_bytes());
        Self { context, file, text, record, lines }
    }

    /// The innermost definition at the first word of a line.
    pub(super) fn definition_at(&self, line: u32) -> Option<u32> {
        let start = self.lines.start_of(line).min(self.text.len());
        let rest = &self.text[start..];
        let at = start + (rest.len() - rest.trim_start_matches([' ', '\t']).len());
        self.record.symbols.enclosing(at)
    }
}

impl Group {
    /// A use of what is no longer there, or a call with another number of arguments.
    pub(super) fn is_broken(&self) -> bool {
        self.hits.iter().any(|it| it.mention == Mention::Broken)
    }

    /// A list of variants of an enumeration that got one more: of at least two, and of half of those beside it.
    pub(super) fn lists_variants(&self, context: &Context<'_>) -> bool {
        let variant = |it: &&Hit| {
            let is_variant =
                matches!(it.reason, NextReason::Name { change: ChangeKind::Variant(_), .. });
            is_variant && it.mention != Mention::Prose
        };
        let variants: FxHashSet<&NextReason> =
            self.hits.iter().filter(variant).map(|it| &it.reason).collect();
        variants.len() > 1 && variants.len() * 2 >= context.variants
    }
}
