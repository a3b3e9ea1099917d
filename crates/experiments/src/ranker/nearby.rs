//! Relations of a candidate to the cursor, read by the ranker alone: distance and imports of its file, number of the
//! file's candidates, and names and lines shared with the text around the cursor.

use foreword_chunk::Kind;
use foreword_engine::fuse::Candidate;
use foreword_engine::index::terms::identifiers;
use foreword_engine::index::{FileId, FileRole, file_role};
use foreword_evaluate::runs::completion::retrieval::Retrieval;
use rustc_hash::{FxHashMap, FxHashSet};

/// Maximum number of candidates whose texts are read.
const DEPTH: usize = 150;
/// Lines of a window, without blank ones.
const WINDOW: usize = 12;
/// Lines from one window of a chunk to the next.
const STEP: usize = 4;
/// Minimum length of a name.
const SHORTEST: usize = 2;

/// The numbers of one candidate, in the order of [`Nearby::NAMES`]; 0 where one was not measured.
#[derive(Clone, Copy, Default)]
pub(super) struct Nearby(pub(super) [f32; Self::NAMES.len()]);

impl Nearby {
    /// Names in files of weights.
    pub(super) const NAMES: [&'static str; 15] = [
        "path_distance",
        "same_language",
        "lines",
        "callable",
        "type_definition",
        "first_chunk",
        "file_hits",
        "imported",
        "recency",
        "same_role",
        "cursor_in_test",
        "named_definitions",
        "likeness_after",
        "shared_names",
        "shared_lines",
    ];

    /// Whether a number is a count, as opposed to a share or a flag.
    pub(super) fn is_count(at: usize) -> bool {
        let counts = ["path_distance", "lines", "file_hits", "named_definitions"];
        counts.contains(&Self::NAMES[at])
    }
}

/// Measures each candidate.
pub(super) fn measure(retrieval: &Retrieval<'_>, candidates: &[Candidate]) -> Vec<Nearby> {
    let mut res = by_index(retrieval, candidates);
    let around = CursorText::new(retrieval);
    let snapshot = retrieval.view.snapshot();
    for (it, nearby) in candidates.iter().zip(&mut res).take(DEPTH) {
        let info = snapshot.chunk(it.chunk);
        let bytes = info.start as usize..info.end as usize;
        let is_own = Some(it.chunk.file) == snapshot.file(retrieval.cursor.path());
        if is_own && (bytes.start..=bytes.end).contains(&retrieval.cursor.offset()) {
            continue;
        }
        let text = snapshot.text(it.chunk.file);
        nearby.0[12..].copy_from_slice(&around.shared(text.get(bytes).unwrap_or_default()));
    }
    res
}

/// Numbers that need no text.
fn by_index(retrieval: &Retrieval<'_>, candidates: &[Candidate]) -> Vec<Nearby> {
    let (snapshot, cursor) = (retrieval.view.snapshot(), retrieval.cursor);
    let (path, language) = (cursor.path(), retrieval.scope.language);
    let is_test = |path: &str, language| file_role(path, language) == FileRole::Test;
    let here = is_test(path, language);
    let mut hits: FxHashMap<FileId, u16> = FxHashMap::default();
    candidates.iter().for_each(|it| *hits.entry(it.chunk.file).or_default() += 1);
    let imported: FxHashSet<FileId> =
        retrieval.scope.imports.iter().flat_map(|it| it.files.iter().copied()).collect();
    let flag = |is_so: bool| f32::from(u8::from(is_so));
    let of = |it: &Candidate| {
        let file = it.chunk.file;
        let (other, info) = (snapshot.path(file), snapshot.chunk(it.chunk));
        let age = cursor.recent().iter().position(|it| it == other);
        let role = is_test(other, snapshot.language(file));
        Nearby([
            directories_between(path, other) as f32,
            flag(snapshot.language(file) == language),
            (info.end_line + 1).saturating_sub(info.start_line) as f32,
            flag(info.kind.is_some_and(is_callable)),
            flag(info.kind.is_some_and(is_type)),
            flag(it.chunk.idx == 0),
            f32::from(hits[&file]),
            flag(imported.contains(&file)),
            age.map_or(0.0, |it| 1.0 / (it as f32 + 1.0)),
            flag(role == here),
            flag(here),
            it.definitions.len() as f32,
            0.0,
            0.0,
            0.0,
        ])
    };
    candidates.iter().map(of).collect()
}

/// The names and lines around a cursor.
struct CursorText<'a> {
    names_before: FxHashSet<&'a str>,
    names_after: FxHashSet<&'a str>,
    lines: FxHashSet<&'a str>,
}

impl<'a> CursorText<'a> {
    fn new(retrieval: &Retrieval<'a>) -> Self {
        let cursor = retrieval.cursor;
        let has_text = |it: &&str| !it.trim().is_empty();
        let before: Vec<&str> =
            cursor.prefix().lines().rev().filter(has_text).take(WINDOW).collect();
        let after: Vec<&str> = cursor.suffix().lines().filter(has_text).take(WINDOW).collect();
        let lines = before.iter().chain(&after).map(|it| it.trim()).filter(|it| it.len() > 6);
        Self { lines: lines.collect(), names_before: names(&before), names_after: names(&after) }
    }

    /// Likeness to the lines after the cursor, and the text's shares of the names before it and of the lines around it.
    fn shared(&self, text: &str) -> [f32; 3] {
        let lines: Vec<&str> = text.lines().collect();
        let all = names(&lines);
        let trimmed: FxHashSet<&str> = lines.iter().map(|it| it.trim()).collect();
        let share = |n: usize, of: usize| n as f32 / of.max(1) as f32;
        let starts = (0..lines.len()).step_by(STEP);
        let windows = starts.map(|it| names(&lines[it..lines.len().min(it + WINDOW)]));
        [
            windows.map(|it| likeness(&it, &self.names_after)).fold(0.0, f32::max),
            share(self.names_before.intersection(&all).count(), self.names_before.len()),
            share(self.lines.intersection(&trimmed).count(), self.lines.len()),
        ]
    }
}

/// Jaccard similarity of the names of two windows.
fn likeness(a: &FxHashSet<&str>, b: &FxHashSet<&str>) -> f32 {
    let both = a.intersection(b).count();
    both as f32 / (a.len() + b.len() - both).max(1) as f32
}

/// The identifiers of some lines.
fn names<'t>(lines: &[&'t str]) -> FxHashSet<&'t str> {
    let mut res = FxHashSet::default();
    for line in lines {
        identifiers(line, |start, end| {
            if end - start >= SHORTEST {
                res.insert(&line[start..end]);
            }
        });
    }
    res
}

fn is_callable(kind: Kind) -> bool {
    matches!(kind, Kind::Function | Kind::Method | Kind::Constructor | Kind::Macro)
}

fn is_type(kind: Kind) -> bool {
    use Kind::{Class, Enum, Implementation, Interface, Type};
    matches!(kind, Class | Enum | Implementation | Interface | Type)
}

/// Directories up and down from one file to another.
fn directories_between(a: &str, b: &str) -> usize {
    let directories = |path: &str| path.matches('/').count();
    let common = a.split('/').zip(b.split('/')).take_while(|(a, b)| a == b).count();
    let common = common.min(directories(a)).min(directories(b));
    directories(a) + directories(b) - 2 * common
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_one_directory_are_next_to_each_other() {
        assert_eq!(directories_between("src/a.rs", "src/b.rs"), 0);
        assert_eq!(directories_between("src/a.rs", "src/deep/b.rs"), 1);
        assert_eq!(directories_between("src/a/x.rs", "src/b/x.rs"), 2);
        assert_eq!(directories_between("a.rs", "src/b.rs"), 1);
    }

    #[test]
    fn likeness_is_the_share_of_common_names() {
        let (a, b) = (names(&["user = name"]), names(&["user = request.user"]));
        assert!((likeness(&a, &b) - 1.0 / 3.0).abs() < 1e-6);
        assert!(likeness(&a, &names(&[])).abs() < 1e-6);
    }
}
