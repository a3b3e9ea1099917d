//! Compared methods: single signals of the engine, and simple lists without it.

use foreword_chunk::LineIndex;
use foreword_engine::index::terms::{identifiers, term_of};
use foreword_engine::index::{FileRole, Snapshot};
use foreword_engine::next::{Config, NextRequest, Place, next_edits};

use crate::tasks::mine::NEAR;

/// The methods, in the order of an outcome's lists.
pub const METHODS: [&str; 6] =
    ["foreword", "mixed", "same file", "grep", "references only", "co-change only"];

/// Lines between two places of a file.
const STEP: u32 = 20;

/// Shorter names are on too many lines.
const SHORTEST_NAME: usize = 3;

/// A name on more lines says nothing.
const MOST_LINES: usize = 200;

/// Uses of the names that the edits changed.
const REFERENCES: &[&str] =
    &["gone", "renamed", "replaced", "removed", "signature", "new", "body", "used", "alike"];

/// The lists of all methods but the first.
pub(super) fn lists(snapshot: &Snapshot, request: &NextRequest<'_>) -> Vec<Vec<Place>> {
    let only = |reasons: &'static [&'static str]| {
        let config = Config { only: Some(reasons), least: 0.0 };
        next_edits(snapshot, request, &config)
    };
    let (same, grep) = (same_file(snapshot, request), grep(snapshot, request));
    let mixed = mixed(&same, &grep, request.limit);
    vec![mixed, same, grep, only(REFERENCES), only(&["co-change"])]
}

fn line_of(snapshot: &Snapshot, path: &str, at: usize) -> Option<(u32, u32)> {
    let file = snapshot.file(path)?;
    let text = snapshot.text(file);
    let line = LineIndex::new(text.as_bytes()).line_of(at.min(text.len()));
    Some((line, snapshot.size(file).1))
}

fn place(path: &str, line: u32) -> Place {
    Place { path: path.to_owned(), start_line: line, end_line: line, ..Place::default() }
}

/// The file of the last edit: positions from there, alternating down and up.
fn same_file(snapshot: &Snapshot, request: &NextRequest<'_>) -> Vec<Place> {
    let last = &request.edits[0];
    let Some((line, lines)) = line_of(snapshot, &last.path, last.range.end) else {
        return Vec::new();
    };
    let mut all = Vec::new();
    for n in 1..=request.limit as u32 {
        all.extend(Some(line + n * STEP).filter(|it| *it <= lines + STEP / 2));
        all.extend(line.checked_sub(n * STEP).filter(|it| *it > 0));
    }
    all.truncate(request.limit);
    all.into_iter().map(|line| place(&last.path, line)).collect()
}

fn words(text: &str) -> Vec<&str> {
    let mut res = Vec::new();
    identifiers(text, |start, end| {
        let word = &text[start..end];
        if word.len() >= SHORTEST_NAME && !word.as_bytes()[0].is_ascii_digit() {
            res.push(word);
        }
    });
    res
}

/// Lines with names that the edits removed or added, of the latest edit first, and rare names first.
fn grep(snapshot: &Snapshot, request: &NextRequest<'_>) -> Vec<Place> {
    let mut res: Vec<Place> = Vec::new();
    let mut met = std::collections::BTreeSet::new();
    for edit in request.edits {
        let Some(file) = snapshot.file(&edit.path) else { continue };
        let text = snapshot.text(file);
        let added = text.get(edit.range.clone()).unwrap_or_default();
        let (old, new) = (words(&edit.removed), words(added));
        let changed = old.iter().filter(|it| !new.contains(it));
        let changed = changed.chain(new.iter().filter(|it| !old.contains(it)));
        let fresh: Vec<&str> = changed.copied().filter(|it| met.insert((*it).to_owned())).collect();
        let mut found: Vec<Vec<Place>> =
            fresh.iter().map(|it| lines_with(snapshot, request, it)).collect();
        found.retain(|it| it.len() <= MOST_LINES);
        found.sort_by_key(Vec::len);
        for it in found.into_iter().flatten() {
            let is_same = |known: &Place| {
                known.path == it.path && known.start_line.abs_diff(it.start_line) <= NEAR
            };
            if res.len() < request.limit && !res.iter().any(is_same) {
                res.push(it);
            }
        }
    }
    res
}

fn lines_with(snapshot: &Snapshot, request: &NextRequest<'_>, name: &str) -> Vec<Place> {
    let has = snapshot.files_with(&[term_of(name)]);
    let files = snapshot.files().filter(|it| has[it.0 as usize]);
    let mut res = Vec::new();
    for file in files.filter(|it| snapshot.role(*it) != FileRole::ThirdParty) {
        let (text, path) = (snapshot.text(file), snapshot.path(file));
        let near = |it: &foreword_engine::next::Edit| {
            let lines = LineIndex::new(text.as_bytes());
            let (start, end) = (it.range.start.min(text.len()), it.range.end.min(text.len()));
            (lines.line_of(start).saturating_sub(NEAR), lines.line_of(end) + NEAR)
        };
        let edited: Vec<(u32, u32)> =
            request.edits.iter().take(1).filter(|it| it.path == path).map(near).collect();
        for (at, line) in text.lines().enumerate() {
            let at = at as u32 + 1;
            let is_far = edited.iter().all(|it| !(it.0..=it.1).contains(&at));
            if is_far && line.contains(name) && words(line).contains(&name) {
                res.push(place(path, at));
            }
        }
    }
    res
}

/// Both in turn.
fn mixed(a: &[Place], b: &[Place], limit: usize) -> Vec<Place> {
    let mut res: Vec<Place> = Vec::new();
    for at in 0..limit {
        for it in a.get(at).into_iter().chain(b.get(at)) {
            let known = |known: &Place| known.path == it.path && known.start_line == it.start_line;
            if !res.iter().any(known) {
                res.push(it.clone());
            }
        }
    }
    res.truncate(limit);
    res
}
