//! Lines that repeat what the edits replaced: the words of a replaced line, in this order.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Edit;
use super::change::EditedFiles;
use super::companions::Companions;
use super::hit::{Hit, line_at};
use super::reason::NextReason;
use crate::index::terms::{identifiers, term_of};
use crate::index::{FileId, FileRole, Snapshot};
use crate::preset::constants::next::{
    COMMON_NAME_FILES, LINES_PER_NAME, REPEAT_EDITS, REPEAT_FILES, REPEAT_LINES, REPEAT_MOST,
    REPEAT_WORDS, SHORTEST_LIKE_LINE,
};
use crate::source::directory_of;

/// What is searched for.
struct Pattern<'e> {
    /// The longest word of the line.
    needle: &'e str,
    /// The words of the line.
    words: Vec<&'e str>,
    reason: NextReason,
    edit: usize,
}

/// Lines outside the edits that repeat what the latest edits replaced.
pub(super) fn hits(
    snapshot: &Snapshot,
    edited: &EditedFiles,
    companions: &Companions,
    edits: &[Edit],
) -> Vec<Hit> {
    let patterns = patterns(snapshot, edited, edits);
    if patterns.is_empty() {
        return Vec::new();
    }
    let mut res = Vec::new();
    for file in files(snapshot, edited, companions, &patterns) {
        of_file(snapshot, edited, file, &patterns, &mut res);
    }
    let mut counts: FxHashMap<NextReason, usize> = FxHashMap::default();
    res.iter().for_each(|it: &Hit| *counts.entry(it.reason.clone()).or_default() += 1);
    res.iter_mut().for_each(|it| it.rivals = counts[&it.reason]);
    res.retain(|it| it.rivals <= REPEAT_MOST);
    res
}

fn patterns<'e>(snapshot: &Snapshot, edited: &EditedFiles, edits: &'e [Edit]) -> Vec<Pattern<'e>> {
    let mut res: Vec<Pattern<'e>> = Vec::new();
    let mut met = FxHashSet::default();
    for (number, edit) in edits.iter().enumerate().take(REPEAT_EDITS) {
        let Some(file) = snapshot.file(&edit.path).and_then(|it| edited.get(it)) else { continue };
        let added = file.text.get(edit.range.clone()).unwrap_or_default();
        let kept: FxHashSet<&str> = added.lines().map(str::trim).collect();
        let gone = edit.removed.lines().map(str::trim).filter(|it| !kept.contains(it));
        for line in gone.take(REPEAT_LINES) {
            let words = all_words(line);
            let needle = words.iter().copied().max_by_key(|it| it.len()).unwrap_or_default();
            if line.len() >= SHORTEST_LIKE_LINE && words.len() >= REPEAT_WORDS && met.insert(line) {
                let reason = NextReason::Alike { line: line.to_owned() };
                res.push(Pattern { needle, words, reason, edit: number });
            }
        }
    }
    res
}

/// The edited files, then those that may have a pattern: all with a rare one, near ones with a common one.
fn files(
    snapshot: &Snapshot,
    edited: &EditedFiles,
    companions: &Companions,
    patterns: &[Pattern<'_>],
) -> Vec<FileId> {
    let mut res: Vec<FileId> = edited.iter().map(|it| it.file).collect();
    let directories: FxHashSet<&str> =
        res.iter().map(|it| directory_of(snapshot.path(*it))).collect();
    let mut met: FxHashSet<FileId> = res.iter().copied().collect();
    let longest = |needle| all_words(needle).into_iter().max_by_key(|it| it.len());
    let mut terms: Vec<String> =
        patterns.iter().filter_map(|it| longest(it.needle)).map(term_of).collect();
    terms.dedup();
    for term in terms {
        let has = snapshot.files_with(&[term]);
        let all: Vec<FileId> = snapshot.files().filter(|it| has[it.0 as usize]).collect();
        let is_common = all.len() > COMMON_NAME_FILES;
        let is_near = |it: &FileId| {
            let folder = directory_of(snapshot.path(*it));
            companions.has(*it) || folder.is_empty() || directories.contains(folder)
        };
        let found = all.into_iter().filter(|it| !is_common || is_near(it));
        res.extend(found.filter(|it| met.insert(*it)));
    }
    res.retain(|it| snapshot.role(*it) != FileRole::ThirdParty);
    res.truncate(REPEAT_FILES);
    res
}

fn of_file(
    snapshot: &Snapshot,
    edited: &EditedFiles,
    file: FileId,
    patterns: &[Pattern<'_>],
    res: &mut Vec<Hit>,
) {
    let text = snapshot.text(file);
    let own = edited.get(file);
    for pattern in patterns {
        // A long line may have the needle thousands of times: each line is read once.
        let (mut read_to, mut n) = (0, 0);
        for at in memchr::memmem::find_iter(text.as_bytes(), pattern.needle) {
            if at < read_to || n == LINES_PER_NAME {
                continue;
            }
            let line = line_at(&text, at);
            read_to = line.end;
            let is_like = all_words(&text[line.clone()]) == pattern.words;
            if is_like && !own.is_some_and(|it| it.is_edited(&line)) {
                n += 1;
                let hit = Hit::new(file, line, pattern.reason.clone(), pattern.edit);
                res.push(Hit { at, is_text: true, ..hit });
            }
        }
    }
}

/// The names and numbers of a line.
fn all_words(text: &str) -> Vec<&str> {
    let mut res = Vec::new();
    identifiers(text, |start, end| res.push(&text[start..end]));
    res
}
