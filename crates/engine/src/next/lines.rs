//! Lines that may have to follow the edits: lines with changed names, lines like replaced ones, imports, and lines near
//! the edits.

use std::ops::Range;

use foreword_chunk::{Import, ImportedName, LineIndex};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Edit;
use super::change::{Change, ChangeKind, EditedFile, EditedFiles, words};
use super::companions::Companions;
use super::hit::{Hit, Mention, line_at};
use super::reason::NextReason;
use crate::index::terms::{identifiers, term_of};
use crate::index::{FileId, FileRole, Snapshot};
use crate::preset::constants::next::{
    COMMON_NAME_FILES, IMPORT_EDITS, LIKE_LINE_SHARE, LINES_PER_NAME, NEAR_FILES, NEAR_LINES,
    NEAR_STEPS, SHORTEST_IMPORT, SHORTEST_LIKE_LINE,
};
use crate::scope::Resolver;
use crate::sorting::sort_by_key;
use crate::source::directory_of;

/// Files that are read.
const MAX_FILES: usize = 120;

/// Words of an edit that are looked up as names without an import.
const MAX_IMPORT_NAMES: usize = 60;

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
        it.rivals = counts[&it.reason];
    }
    res
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
        let has = snapshot.files_with(&[term_of(&change.name)]);
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
    let mut found: Vec<(Range<usize>, usize, &Change)> = Vec::new();
    let (mut line, mut is_edited) = (0..0, false);
    identifiers(&text, |start, end| {
        let Some(change) = changes.get(&text[start..end]) else { return };
        if start >= line.end {
            line = line_at(&text, start);
            is_edited = own.is_some_and(|it| it.is_edited(&line));
        }
        let is_met = |it: &(Range<usize>, usize, &Change)| it.0 == line && it.2.name == change.name;
        if !is_edited && !found.iter().rev().take(4).any(is_met) {
            found.push((line.clone(), start, change));
        }
    });
    if found.is_empty() {
        return Vec::new();
    }
    let mention = mentions(snapshot, file);
    let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
    let near_edit = |it: &Range<usize>| own.map_or(0, |own| distance_to_edits(own, it));
    let mut found: Vec<_> = found.into_iter().map(|it| (near_edit(&it.0), it)).collect();
    sort_by_key(&mut found, |(distance, it)| (*distance, it.0.start));
    let mut res = Vec::new();
    for (_, (line, at, change)) in found {
        let count = counts.entry(&change.name).or_default();
        *count += 1;
        if *count > LINES_PER_NAME {
            continue;
        }
        let reason = match alike(change, &text[line.clone()]) {
            Some(replaced) => NextReason::Alike { line: replaced.to_owned() },
            None => NextReason::Name { name: change.name.clone(), change: change.kind.clone() },
        };
        let mention = mention(at, change);
        // An import has only the name.
        let has_new_name = mention == Mention::Broken;
        let hit = Hit::new(file, line, reason, change.edit);
        res.push(Hit { mention, at, has_new_name, ..hit });
    }
    res
}

/// What a name at a byte of a file is.
fn mentions(snapshot: &Snapshot, file: FileId) -> impl Fn(usize, &Change) -> Mention + '_ {
    let (mentions, record) = (snapshot.mentions_in(file), snapshot.record(file));
    let is_prose = matches!(snapshot.role(file), FileRole::Prose | FileRole::Data);
    move |at, change| {
        let prose = &mentions.prose;
        let before = prose.partition_point(|it| it.end as usize <= at);
        let is_import = || {
            let mut imports = record.symbols.imports.iter().filter(|it| it.span.contains_byte(at));
            imports.any(|it| is_imported(snapshot, file, it, &change.name))
        };
        let is_undefined = || {
            matches!(change.kind, ChangeKind::Gone | ChangeKind::Renamed(_))
                && snapshot.definitions_up_to(&change.name, 0).is_some_and(|it| it.is_empty())
        };
        match prose.get(before).is_some_and(|it| it.contains_byte(at)) || is_prose {
            true => Mention::Prose,
            false if is_undefined() && is_import() => Mention::Broken,
            false => Mention::Word,
        }
    }
}

/// Tells an import of the repository's name from a library's of the same name.
fn is_imported(snapshot: &Snapshot, file: FileId, import: &Import, name: &str) -> bool {
    let is_listed = import.names.iter().any(|it| it.name == name);
    if !is_listed && !words(&import.module).contains(&name) {
        return false;
    }
    // Nothing defines the name any more, so its module is looked for.
    let all = ImportedName { name: "*".to_owned(), alias: None };
    let names = if is_listed { vec![all] } else { import.names.clone() };
    let module = Import { names, ..import.clone() };
    let (path, language) = (snapshot.path(file), snapshot.language(file));
    // A new name of the module itself leads nowhere.
    !is_listed || !Resolver::new(snapshot).resolve(snapshot, path, language, &module).is_empty()
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
    file.edits.iter().map(|it| far(&it.0)).min().unwrap_or(0)
}

/// Steps of twenty lines from the edits of the latest files, and their imports: work often goes on in the file.
pub(super) fn near(edited: &EditedFiles) -> Vec<Hit> {
    let mut res: Vec<Hit> = Vec::new();
    for (number, file) in edited.iter().take(NEAR_FILES).enumerate() {
        let lines = LineIndex::new(file.text.as_bytes());
        let mut add = |line: u32| {
            let at = lines.start_of(line).min(file.text.len().saturating_sub(1));
            let line = line_at(&file.text, file.text.floor_char_boundary(at));
            res.push(Hit::new(file.file, line, NextReason::Near, file.latest));
        };
        // In older files only beside their latest edit.
        let steps = if number == 0 { NEAR_STEPS } else { 1 };
        let Some((range, ..)) = file.edits.iter().min_by_key(|it| it.2) else { continue };
        let (start, end) = (range.start.min(file.text.len()), range.end.min(file.text.len()));
        for step in 1..=steps {
            let below = lines.line_of(end) + step * NEAR_LINES;
            Some(below).filter(|it| *it <= lines.count()).into_iter().for_each(&mut add);
            let above = lines.line_of(start).checked_sub(step * NEAR_LINES);
            above.filter(|it| *it > 0).into_iter().for_each(&mut add);
        }
        let imports = file.record.symbols.imports.last();
        imports.into_iter().for_each(|it| add(lines.line_of(it.span.start as usize)));
    }
    res
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
            res.push(Hit::new(file.file, line, reason, number));
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
