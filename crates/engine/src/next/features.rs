//! What is known of a place, as numbers: the terms of its confidence (`preset/constants/next.rs` has their weights).

use rustc_hash::FxHashSet;

use super::change::{ChangeKind, words};
use super::group::{Group, OneFile, letters};
use super::hit::{Hit, Mention};
use super::reason::NextReason;
use crate::index::FileRole;
use crate::source::directory_of;

/// A name in two parts, and a value.
pub type Feature = ((&'static str, &'static str), f32);

/// The features of neighbouring lines; `in_file` is the number of different reasons in the file.
pub(super) fn features(file: &OneFile<'_>, group: &Group, in_file: usize) -> Vec<Feature> {
    let mut res: Vec<Feature> = vec![(("always", ""), 1.0)];
    let class = class(file);
    res.push((("file", class), 1.0));
    res.push((("file", "reasons"), ln(in_file)));
    res.push((("edits", class), ln(file.context.edits)));
    res.extend(of_edited_file(file, group));
    res.extend(of_role(file));
    res.extend(of_reasons(group));
    res.extend(of_names(file, group));
    res.push((("similar", class), similarity(file, group)));
    let is_import =
        |it: &foreword_chunk::Import| file.lines.line_of(it.span.start as usize) == group.lines.0;
    if file.record.symbols.imports.iter().any(is_import) {
        res.push((("imports", class), 1.0));
    }
    res
}

fn ln(n: usize) -> f32 {
    (1.0 + n as f32).ln()
}

/// The file, relative to the edits.
fn class(file: &OneFile<'_>) -> &'static str {
    let context = file.context;
    let folder = directory_of(context.snapshot.path(file.file));
    match context.edited.get(file.file) {
        Some(_) if Some(file.file) == context.last => "last",
        Some(_) => "edited",
        None if context.folders.contains(folder) => "beside",
        None => "elsewhere",
    }
}

/// The distance to the edits of the file.
fn of_edited_file(file: &OneFile<'_>, group: &Group) -> Vec<Feature> {
    let Some(own) = file.context.edited.get(file.file) else { return Vec::new() };
    let is_last = Some(file.file) == file.context.last;
    let mut res = vec![(("file", "age"), ln(own.latest)), (("file", "edits"), ln(own.edits.len()))];
    let of_edit = |at: usize| file.lines.line_of(at.min(file.text.len()));
    let distance = |(first, last): (u32, u32)| match group.lines.0 > last {
        true => (group.lines.0 - last, true),
        false => (first.saturating_sub(group.lines.1), false),
    };
    let nearest = own.edits.iter().map(|it| distance((of_edit(it.0.start), of_edit(it.0.end))));
    let nearest = nearest.min_by_key(|it| it.0).unwrap_or_default();
    let (lines, is_below) = if is_last { distance(file.context.here) } else { nearest };
    let name = match (is_last, is_below) {
        (true, true) => "below",
        (true, false) => "above",
        (false, _) => "from",
    };
    let bins = [(25, "25"), (45, "45"), (85, "85"), (165, "165"), (u32::MAX, "far")];
    let bin = bins.iter().find(|it| lines <= it.0).map_or("far", |it| it.1);
    res.push(((name, bin), 1.0));
    if is_last && nearest.0 <= 10 {
        res.push((("edited", "already"), 1.0));
    }
    res
}

/// Whether the file, or the definition, has the name of what was edited last.
fn of_names(file: &OneFile<'_>, group: &Group) -> Vec<Feature> {
    let (context, mut res) = (file.context, Vec::new());
    let names = &context.names;
    if Some(file.file) != context.last && !names.stem.is_empty() {
        let stem = context.snapshot.path(file.file).rsplit('/').next().unwrap_or_default();
        if letters(stem).contains(&names.stem) {
            res.push((("named", "file"), 1.0));
        }
    }
    let definition =
        file.definition_at(group.lines.0).or_else(|| file.definition_at(group.lines.1));
    if let Some(idx) = definition.filter(|_| !names.definition.is_empty()) {
        let name = file.record.dotted_name(&file.text, idx);
        if letters(&name).contains(&names.definition) {
            res.push((("named", "definition"), 1.0));
        }
    }
    res
}

fn of_role(file: &OneFile<'_>) -> Vec<Feature> {
    let snapshot = file.context.snapshot;
    let role = snapshot.role(file.file);
    let is_same = file.context.last.is_some_and(|it| snapshot.role(it) == role);
    let name = match role {
        FileRole::Test => "test",
        FileRole::Prose => "prose",
        FileRole::Data => "data",
        FileRole::Periphery => "aside",
        FileRole::Code | FileRole::ThirdParty | FileRole::Gathering => "code",
    };
    vec![(("role", name), 1.0), (("role", "same"), f32::from(u8::from(is_same)))]
}

/// Each kind of reason once, by its best hit.
fn of_reasons(group: &Group) -> Vec<Feature> {
    let mut res = Vec::new();
    let mut codes: Vec<&'static str> = group.hits.iter().map(|it| it.reason.code()).collect();
    codes.sort_unstable();
    codes.dedup();
    for code in codes {
        let of_code = group.hits.iter().filter(|it| it.reason.code() == code);
        let key =
            |it: &&Hit| (it.mention, std::cmp::Reverse(it.rivals), std::cmp::Reverse(it.edit));
        let Some(best) = of_code.max_by_key(key) else { continue };
        res.push(((code, ""), 1.0));
        res.push(((code, "rivals"), ln(best.rivals)));
        if best.weight > 0.0 {
            res.push(((code, "weight"), best.weight));
        }
        let mention = match best.mention {
            Mention::Prose => "prose",
            Mention::Word => continue,
            Mention::Possible => "possible",
            Mention::Sure => "sure",
            Mention::Broken => "broken",
        };
        res.push(((code, mention), 1.0));
    }
    let names: FxHashSet<&NextReason> = group.hits.iter().map(|it| &it.reason).collect();
    let is_beside =
        |it: &&&NextReason| matches!(it, NextReason::Name { change: ChangeKind::Beside(_), .. });
    let beside = names.iter().filter(is_beside).count();
    res.push((("reasons", ""), ln(names.len())));
    if beside > 1 {
        res.push((("beside", "two"), 1.0));
    }
    if beside > 2 {
        res.push((("beside", "three"), 1.0));
    }
    res
}

/// Share of the words of the last edit that are on the lines or next to them.
fn similarity(file: &OneFile<'_>, group: &Group) -> f32 {
    let first = file.lines.start_of(group.lines.0.saturating_sub(2).max(1)).min(file.text.len());
    let last = file.lines.start_of(group.lines.1 + 3).min(file.text.len());
    let here: FxHashSet<&str> = words(&file.text[first..last.max(first)]).into_iter().collect();
    let all = &file.context.words;
    let common = all.iter().filter(|it| here.contains(it.as_str())).count();
    common as f32 / all.len().max(3) as f32
}
