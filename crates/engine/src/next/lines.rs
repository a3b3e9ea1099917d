//! Lines that may have to follow the edits: lines with changed names, lines like replaced ones, imports, and lines near
//! the edits.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Edit;
use super::change::{Change, ChangeKind, EditedFile, EditedFiles, words};
use super::companions::Companions;
use super::hit::{Hit, line_at};
use super::reason::NextReason;
use crate::index::terms::{identifiers, terms_of};
use crate::index::{FileId, FileRole, Snapshot};
use crate::preset::constants::next::{
    COMMON_NAME_FILES, FOLLOWED_EDITS, IMPORT_EDITS, LARGE_DEFINITION_BYTES, LIKE_LINE_SHARE,
    LINES_PER_NAME, NEAR_BYTES, NEIGHBOURS, RIVALS_PER_DEFINITION, SHORTEST_IMPORT,
    SHORTEST_LIKE_LINE,
};
use crate::sorting::sort_by_key;
use crate::source::directory_of;

/// Files that are read.
const MAX_FILES: usize = 120;

/// Words of an edit that are looked up as names without an import.
const MAX_IMPORT_NAMES: usize = 60;

/// Definitions of an old name that are counted.
const MAX_DEFINITIONS: usize = 20;

/// Returns unedited lines with a changed name.
pub(super) fn hits(
    snapshot: &Snapshot,
    edited: &EditedFiles,
    changes: &[Change],
    companions: &Companions,
) -> Vec<Hit> {
    let found = files(snapshot, edited, changes, companions);
    let by_name: FxHashMap<&str, &Change> = changes.iter().map(|it| (&*it.name, it)).collect();
    let mut res = Vec::new();
    for file in found {
        res.extend(of_file(snapshot, edited, file, &by_name));
    }
    let mut counts: FxHashMap<NextReason, usize> = FxHashMap::default();
    res.iter().for_each(|it: &Hit| *counts.entry(it.reason.clone()).or_default() += 1);
    for it in &mut res {
        it.rivals = match &it.reason {
            NextReason::Name { name, change: ChangeKind::Renamed(_) } => rivals_of(snapshot, name),
            reason => counts[reason],
        };
    }
    res
}

/// Rivals of a renamed name: other definitions with the old name, to which a use may refer. Without one, every use has
/// to follow, however many there are.
fn rivals_of(snapshot: &Snapshot, name: &str) -> usize {
    let others = snapshot.definitions_up_to(name, MAX_DEFINITIONS).map(|it| it.len());
    1 + RIVALS_PER_DEFINITION * others.unwrap_or(MAX_DEFINITIONS)
}

/// Files to read: edited ones, then others with a rare name, then near ones with a common name.
fn files(
    snapshot: &Snapshot,
    edited: &EditedFiles,
    changes: &[Change],
    companions: &Companions,
) -> Vec<FileId> {
    let mut res: Vec<FileId> = edited.iter().map(|it| it.file).collect();
    let mut met: FxHashSet<FileId> = res.iter().copied().collect();
    let directories: FxHashSet<&str> =
        res.iter().map(|it| directory_of(snapshot.path(*it))).collect();
    let mut near = Vec::new();
    for change in changes {
        let mut terms = Vec::new();
        terms_of(&change.name, &mut String::new(), |term, is_whole| {
            if is_whole {
                terms.push(term.to_owned());
            }
        });
        let has = snapshot.files_with(&terms);
        let all: Vec<FileId> = snapshot.files().filter(|it| has[it.0 as usize]).collect();
        let is_common = all.len() > COMMON_NAME_FILES;
        let is_near = |it: &FileId| {
            companions.has(*it) || directories.contains(directory_of(snapshot.path(*it)))
        };
        for file in all {
            let list = if is_common { &mut near } else { &mut res };
            if (!is_common || is_near(&file)) && !met.contains(&file) {
                list.push(file);
                if !is_common {
                    met.insert(file);
                }
            }
        }
    }
    res.extend(near.into_iter().filter(|it| met.insert(*it)));
    res.retain(|it| snapshot.role(*it) != FileRole::ThirdParty);
    res.truncate(MAX_FILES);
    res
}

/// The lines of one file.
fn of_file(
    snapshot: &Snapshot,
    edited: &EditedFiles,
    file: FileId,
    changes: &FxHashMap<&str, &Change>,
) -> Vec<Hit> {
    let text = snapshot.text(file);
    let own = edited.get(file);
    let mut lines: Vec<(Range<usize>, &Change)> = Vec::new();
    identifiers(&text, |start, end| {
        let Some(change) = changes.get(&text[start..end]) else { return };
        let line = line_at(&text, start);
        let is_edited = own.is_some_and(|it| it.is_edited(&line));
        let is_met = |it: &(Range<usize>, &Change)| it.0 == line && it.1.name == change.name;
        if !is_edited && !lines.iter().rev().take(4).any(is_met) {
            lines.push((line, change));
        }
    });
    let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
    let near_edit = |it: &Range<usize>| own.map_or(0, |own| distance_to_edits(own, it));
    sort_by_key(&mut lines, |it| (near_edit(&it.0), it.0.start));
    let mut res = Vec::new();
    for (line, change) in lines {
        let count = counts.entry(&change.name).or_default();
        *count += 1;
        if *count > LINES_PER_NAME {
            continue;
        }
        let reason = match alike(change, &text[line.clone()]) {
            Some(replaced) => NextReason::Alike { line: replaced.to_owned() },
            None => NextReason::Name { name: change.name.clone(), change: change.kind.clone() },
        };
        let distance = distance(snapshot, edited, file, &line);
        res.push(Hit { file, line, reason, distance, rivals: 0, edit: change.edit });
    }
    res
}

/// The replaced line, if this one has about the same words.
fn alike<'c>(change: &'c Change, line: &str) -> Option<&'c str> {
    let old = change.line.as_deref().filter(|it| it.len() >= SHORTEST_LIKE_LINE)?;
    if !matches!(
        change.kind,
        ChangeKind::Replaced(_) | ChangeKind::Renamed(_) | ChangeKind::Removed | ChangeKind::Gone
    ) {
        return None;
    }
    let (a, b): (FxHashSet<&str>, FxHashSet<&str>) =
        (words(old).into_iter().collect(), words(line).into_iter().collect());
    let common = a.intersection(&b).count() as f32;
    let all = a.union(&b).count().max(1) as f32;
    (common >= 2.0 && common / all >= LIKE_LINE_SHARE).then_some(old)
}

fn distance_to_edits(file: &EditedFile, line: &Range<usize>) -> usize {
    let far = |it: &Range<usize>| match it.start >= line.end {
        true => it.start - line.end,
        false => line.start.saturating_sub(it.end),
    };
    file.ranges.iter().map(far).min().unwrap_or(0)
}

fn distance(snapshot: &Snapshot, edited: &EditedFiles, file: FileId, line: &Range<usize>) -> u8 {
    if let Some(own) = edited.get(file) {
        let around = |at: usize| {
            let idx = own.record.symbols.enclosing(at)?;
            let span = own.record.symbols.definitions[idx as usize].span;
            (span.len() < LARGE_DEFINITION_BYTES).then_some(idx)
        };
        let here = around(line.start + leading(&own.text[line.clone()]));
        let is_beside =
            |it: &Range<usize>| here.is_some() && here == around(it.start.min(own.text.len()));
        let is_near = distance_to_edits(own, line) < NEAR_BYTES || own.ranges.iter().any(is_beside);
        return match (is_near, own.latest) {
            (true, _) => 0,
            (false, 0) => 1,
            _ => 2,
        };
    }
    let home =
        |it: &EditedFile| directory_of(snapshot.path(it.file)) == directory_of(snapshot.path(file));
    if edited.iter().any(home) { 2 } else { 3 }
}

fn leading(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The ends of the edits, where work continues most often.
pub(super) fn following(snapshot: &Snapshot, edited: &EditedFiles, edits: &[Edit]) -> Vec<Hit> {
    let mut res: Vec<Hit> = Vec::new();
    for (number, edit) in edits.iter().enumerate().take(FOLLOWED_EDITS) {
        let Some(file) = snapshot.file(&edit.path).and_then(|it| edited.get(it)) else { continue };
        let at = edit.range.end.min(file.text.len().saturating_sub(1));
        let line = line_at(&file.text, file.text.floor_char_boundary(at));
        let distance = u8::from(number > 0) + u8::from(file.latest > 0);
        let reason = NextReason::Following;
        res.push(Hit { file: file.file, line, reason, distance, rivals: 1, edit: number });
    }
    res
}

/// The definitions next to the last edit in its file.
pub(super) fn neighbours(snapshot: &Snapshot, edited: &EditedFiles, edits: &[Edit]) -> Vec<Hit> {
    let Some(edit) = edits.first() else { return Vec::new() };
    let Some(own) = snapshot.file(&edit.path).and_then(|it| edited.get(it)) else {
        return Vec::new();
    };
    let definitions = &own.record.symbols.definitions;
    let is_parent = |idx: u32| definitions.iter().any(|it| it.parent == Some(idx));
    let leaves = (0..definitions.len() as u32).filter(|it| !is_parent(*it));
    let leaves: Vec<&foreword_chunk::Definition> =
        leaves.map(|it| &definitions[it as usize]).collect();
    let above = leaves.iter().rev().filter(|it| it.span.end as usize <= edit.range.start);
    let below = leaves.iter().filter(|it| it.span.start as usize >= edit.range.end);
    let hit = |(number, it): (usize, &&foreword_chunk::Definition)| Hit {
        file: own.file,
        line: line_at(&own.text, it.name.start as usize),
        reason: NextReason::Neighbour,
        distance: number as u8,
        rivals: 1,
        edit: 0,
    };
    let near = above.take(NEIGHBOURS).enumerate().chain(below.take(NEIGHBOURS).enumerate());
    near.map(hit).filter(|it| !own.is_edited(&it.line)).collect()
}

/// Import lines of edited files that lack a name which an edit uses and another file defines.
pub(super) fn imports(snapshot: &Snapshot, edited: &EditedFiles, edits: &[Edit]) -> Vec<Hit> {
    let mut res: Vec<Hit> = Vec::new();
    for (number, edit) in edits.iter().enumerate().take(IMPORT_EDITS) {
        let Some(file) = snapshot.file(&edit.path).and_then(|it| edited.get(it)) else { continue };
        let Some(last) = file.record.symbols.imports.last() else { continue };
        let line = line_at(&file.text, last.span.start as usize);
        if res.iter().any(|it| it.file == file.file) || file.is_edited(&line) {
            continue;
        }
        let had: FxHashSet<&str> = words(&edit.removed).into_iter().collect();
        let added = file.text.get(edit.range.clone()).unwrap_or_default();
        let names = words(added).into_iter().filter(|it| !had.contains(it));
        let is_missing = |it: &&str| is_missing(snapshot, file, &edit.range, it);
        if let Some(name) = names.take(MAX_IMPORT_NAMES).find(is_missing) {
            let reason = NextReason::Import { name: name.to_owned() };
            res.push(Hit { file: file.file, line, reason, distance: 1, rivals: 1, edit: number });
        }
    }
    res
}

/// Whether a name is defined elsewhere, imported by other files, and unused in the rest of this one.
fn is_missing(snapshot: &Snapshot, file: &EditedFile, edit: &Range<usize>, name: &str) -> bool {
    let is_capital = name.starts_with(char::is_uppercase);
    let (shortest, without_capital) = SHORTEST_IMPORT;
    if name.len() < shortest || (!is_capital && name.len() < without_capital) {
        return false;
    }
    let rest = [&file.text[..edit.start], &file.text[edit.end..]];
    if rest.iter().any(|it| it.contains(name)) {
        return false;
    }
    let sites = snapshot.definitions_up_to(name, 3).unwrap_or_default();
    let is_elsewhere = !sites.is_empty() && sites.iter().all(|it| it.file != file.file);
    let imports = |it: FileId| {
        let record = snapshot.record(it);
        record.symbols.imports.iter().any(|it| it.names.iter().any(|it| it.name == name))
    };
    is_elsewhere && snapshot.references(name).into_iter().take(4).any(|it| imports(it.0))
}
