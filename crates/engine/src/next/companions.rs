//! Files that changed together with the edited ones, their tests, and the likeliest line in each.

use crate::preset::constants::next::{
    CHANGED_NAME_WEIGHT, COMPANION_COMMITS, COMPANION_EDITS, COMPANION_SHARE, SURE_COMPANION_SHARE,
    TEST_WEIGHT, TESTS,
};
use crate::sorting::sort_by;
use rustc_hash::{FxHashMap, FxHashSet};

use super::NextRequest;
use super::change::{Change, EditedFiles};
use super::hit::{Hit, line_at};
use super::reason::NextReason;
use crate::index::{FileId, FileRole, Snapshot};

/// Files that are listed.
const MAX_FILES: usize = 12;

/// A file that is likely to change with an edited one.
pub(super) struct CompanionFile {
    file: FileId,
    /// Share of the edited file's commits.
    weight: f32,
    reason: NextReason,
    edit: usize,
}

/// Companion files, the likeliest first.
pub(super) struct Companions {
    files: Vec<CompanionFile>,
}

impl CompanionFile {
    /// The edited file.
    fn path(&self) -> Option<&str> {
        match &self.reason {
            NextReason::CoChange { path, .. } | NextReason::Test { path } => Some(path),
            _ => None,
        }
    }
}

impl Companions {
    pub(super) fn has(&self, file: FileId) -> bool {
        self.files.iter().any(|it| it.file == file)
    }
}

/// Returns the files that changed together with the edited ones, and those that test them.
pub(super) fn companions(
    snapshot: &Snapshot,
    edited: &EditedFiles,
    request: &NextRequest<'_>,
) -> Companions {
    let mut best: FxHashMap<FileId, CompanionFile> = FxHashMap::default();
    let mut add = |it: CompanionFile| {
        let known = best.get(&it.file).is_none_or(|known| known.weight < it.weight);
        if known && edited.get(it.file).is_none() {
            best.insert(it.file, it);
        }
    };
    for own in edited.iter().take(COMPANION_EDITS) {
        let path = snapshot.path(own.file);
        for it in request.co_change.companions(path).into_iter().take(MAX_FILES * 2) {
            let is_told = it.weight >= COMPANION_SHARE
                && (it.commits >= COMPANION_COMMITS || it.weight >= SURE_COMPANION_SHARE);
            let Some(file) = snapshot.file(it.path).filter(|_| is_told) else { continue };
            let percent = (it.weight * 100.0).round() as u32;
            let reason =
                NextReason::CoChange { path: path.to_owned(), commits: it.commits, percent };
            add(CompanionFile { file, weight: it.weight, reason, edit: own.latest });
        }
        for file in tests_of(snapshot, own.file) {
            let reason = NextReason::Test { path: path.to_owned() };
            add(CompanionFile { file, weight: TEST_WEIGHT, reason, edit: own.latest });
        }
    }
    let mut files: Vec<CompanionFile> = best.into_values().collect();
    sort_by(&mut files, |a, b| b.weight.total_cmp(&a.weight).then(a.file.cmp(&b.file)));
    files.truncate(MAX_FILES);
    Companions { files }
}

/// The tests of a file by name: `url_test.go`, `test_url.py`, `UrlTest.java`, `url.spec.ts`.
fn tests_of(snapshot: &Snapshot, file: FileId) -> Vec<FileId> {
    if snapshot.role(file) == FileRole::Test {
        return Vec::new();
    }
    let Some(stem) = snapshot.path_features(file).stem.first() else { return Vec::new() };
    let names = [
        format!("{stem}test"),
        format!("test{stem}"),
        format!("{stem}tests"),
        format!("{stem}spec"),
        stem.clone(),
    ];
    let mut letters = String::new();
    let tests = |it: &FileId| {
        // Read first, since the features of all paths of a large repository take longer.
        if !may_contain(snapshot.path(*it), stem, &mut letters) {
            return false;
        }
        let own = snapshot.path_features(*it);
        own.role == FileRole::Test && own.stem.first().is_some_and(|it| names.contains(it))
    };
    snapshot.files().filter(tests).take(TESTS).collect()
}

/// Whether a file or its directory could have a stem (lower case, without separators) in its name. `letters` is scratch
/// space.
fn may_contain(path: &str, stem: &str, letters: &mut String) -> bool {
    let start = path.rmatch_indices('/').nth(1).map_or(0, |it| it.0);
    letters.clear();
    letters.extend(path[start..].chars().filter(char::is_ascii_alphanumeric));
    letters.make_ascii_lowercase();
    let is_plain = path.is_ascii() && stem.bytes().all(|it| it.is_ascii_alphanumeric());
    !is_plain || letters.contains(stem)
}

/// One hit in each file: the line with most of the changed names, else the first of its best chunk.
pub(super) fn hits(
    snapshot: &Snapshot,
    edited: &EditedFiles,
    companions: &Companions,
    changes: &[Change],
) -> Vec<Hit> {
    let names: FxHashSet<&str> = changes.iter().map(|it| &*it.name).collect();
    let edited_names: FxHashSet<String> = edited
        .iter()
        .flat_map(|it| it.edits.iter().filter_map(|edit| it.text.get(edit.0.clone())))
        .flat_map(super::change::words)
        .map(str::to_lowercase)
        .collect();
    let mut res = Vec::new();
    for it in &companions.files {
        let (text, record) = snapshot.contents(it.file);
        let worth = |range: std::ops::Range<usize>| {
            let words = super::change::words(&text[range]);
            let met: FxHashSet<&str> = words.into_iter().collect();
            let names = met.iter().filter(|it| names.contains(*it)).count() * CHANGED_NAME_WEIGHT;
            names + met.iter().filter(|it| edited_names.contains(&it.to_lowercase())).count()
        };
        let chunk = record.chunks.iter().map(|it| it.span.range());
        let best = chunk.max_by_key(|it| (worth(it.clone()), std::cmp::Reverse(it.start)));
        let Some(best) = best else { continue };
        let mut lines = Vec::new();
        let mut at = best.start;
        for line in text[best.clone()].split_inclusive('\n') {
            lines.push(at..at + line.len());
            at += line.len();
        }
        let line =
            lines.into_iter().max_by_key(|it| (worth(it.clone()), std::cmp::Reverse(it.start)));
        let Some(line) = line else { continue };
        let hit = Hit::new(it.file, line, it.reason.clone(), it.edit);
        res.push(Hit { weight: it.weight, ..hit });
        res.extend(at_end(snapshot, it, &text));
    }
    res
}

/// Where tests grow.
fn at_end(snapshot: &Snapshot, of: &CompanionFile, text: &str) -> Option<Hit> {
    let is_test = snapshot.role(of.file) == FileRole::Test;
    let path = of.path().filter(|_| is_test)?.to_owned();
    let at = text.floor_char_boundary(text.trim_end().len().saturating_sub(1));
    let hit = Hit::new(of.file, line_at(text, at), NextReason::End { path }, of.edit);
    Some(Hit { weight: of.weight, ..hit })
}
