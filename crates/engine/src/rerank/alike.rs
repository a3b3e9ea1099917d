//! Raises what is written like the lines at the cursor. Weighted words say what a chunk is about; a hole is often filled
//! with what was written elsewhere in the same situation, and that shows in the company of words.
//!
//! Two features, each a share of the best candidate's score that is added: the likeness of the identifiers of the last
//! lines before the cursor and of as many lines of the chunk (Jaccard, as RepoCoder compares windows, arXiv 2303.12570),
//! as far as it is more than any two places have; and being of the cursor's own file. Chosen on features of 396 tasks
//! of eleven development repositories, `benchmarks/results/context-tuning.md`.

use rustc_hash::{FxHashMap, FxHashSet};

use super::RerankConfig;
use crate::fuse::{Candidate, sort};
use crate::index::terms::identifiers;
use crate::index::{FileId, Snapshot};
use crate::retrieve::Reason;
use crate::scope::Cursor;

/// How many candidates are read. More changed nothing (30, 40, 60 and 100 were tried).
const DEPTH: usize = 30;
/// Lines of a window, of those that are not blank.
const WINDOW: usize = 12;
/// Lines from one window of a chunk to the next.
const STEP: usize = 4;
/// What two places of a repository have in common anyway: two thirds of all candidates are less alike.
const COMMON: f32 = 0.15;

/// Raises the first candidates and sorts them again.
pub(crate) fn raise(
    snapshot: &Snapshot,
    cursor: &Cursor,
    mut candidates: Vec<Candidate>,
    config: &RerankConfig,
) -> Vec<Candidate> {
    if config.alike <= 0.0 && config.own_file <= 0.0 {
        return candidates;
    }
    let best = candidates.first().map_or(0.0, |it| it.score);
    let last = cursor.prefix().lines().rev().filter(|it| !it.trim().is_empty());
    let here = names(last.take(WINDOW));
    let own = snapshot.file(&cursor.path);
    let texts = texts(snapshot, &candidates);
    for (it, text) in candidates.iter_mut().zip(&texts) {
        let is_own = Some(it.chunk.file) == own;
        let info = snapshot.chunk(it.chunk);
        // The chunk that the cursor is in is alike itself, and is shown around the cursor.
        if is_own && (info.start as usize..=info.end as usize).contains(&cursor.offset) {
            continue;
        }
        let alike = (likeness(&here, text) - COMMON).max(0.0);
        add(it, "written like the lines at the cursor", best * config.alike * alike);
        let of_own = f32::from(u8::from(is_own));
        add(it, "of the cursor's file", best * config.own_file * of_own);
    }
    sort(&mut candidates);
    candidates
}

/// Adds to a score; the reason says by how much that multiplies it.
fn add(it: &mut Candidate, what: &'static str, more: f32) {
    let factor = (it.score + more) / it.score.max(f32::MIN_POSITIVE);
    it.score += more;
    if !super::is_off(factor) {
        it.reasons.push(Reason::Feature { what, factor });
    }
}

/// The texts of the first candidates; those of one file are read at once.
fn texts(snapshot: &Snapshot, candidates: &[Candidate]) -> Vec<String> {
    let first = &candidates[..candidates.len().min(DEPTH)];
    let mut by_file: FxHashMap<FileId, Vec<usize>> = FxHashMap::default();
    for (idx, it) in first.iter().enumerate() {
        by_file.entry(it.chunk.file).or_default().push(idx);
    }
    let mut res = vec![String::new(); first.len()];
    #[expect(clippy::iter_over_hash_type, reason = "each writes its own places")]
    for (file, places) in by_file {
        let range = |idx: &usize| {
            let info = snapshot.chunk(first[*idx].chunk);
            info.start as usize..info.end as usize
        };
        let ranges: Vec<_> = places.iter().map(range).collect();
        for (idx, text) in places.iter().zip(snapshot.parts(file, &ranges)) {
            res[*idx] = text;
        }
    }
    res
}

/// The highest share of identifiers that a window of the text has in common with these.
fn likeness(here: &FxHashSet<&str>, text: &str) -> f32 {
    let mut numbers: FxHashMap<&str, usize> = FxHashMap::default();
    let mut is_here: Vec<bool> = Vec::new();
    let mut number = |name| {
        *numbers.entry(name).or_insert_with(|| {
            is_here.push(here.contains(name));
            is_here.len() - 1
        })
    };
    let numbered = |line| {
        let mut res = Vec::new();
        each_name(line, |name| res.push(number(name)));
        res
    };
    let lines: Vec<Vec<usize>> = text.lines().map(numbered).collect();
    // The window in which each name was met last.
    let mut met = vec![usize::MAX; is_here.len()];
    let of = |start: usize| {
        let (mut all, mut both) = (0, 0);
        for name in lines[start..lines.len().min(start + WINDOW)].iter().flatten() {
            if std::mem::replace(&mut met[*name], start) != start {
                all += 1;
                both += usize::from(is_here[*name]);
            }
        }
        both as f32 / (all + here.len() - both).max(1) as f32
    };
    (0..lines.len()).step_by(STEP).map(of).fold(0.0, f32::max)
}

/// The identifiers of some lines.
fn names<'t>(lines: impl Iterator<Item = &'t str>) -> FxHashSet<&'t str> {
    let mut res = FxHashSet::default();
    for line in lines {
        each_name(line, |name| {
            res.insert(name);
        });
    }
    res
}

/// The identifiers of a line, without those of one letter.
fn each_name<'t>(line: &'t str, mut found: impl FnMut(&'t str)) {
    identifiers(line, |start, end| {
        if end - start >= 2 {
            found(&line[start..end]);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alike(here: &str, text: &str) -> f32 {
        likeness(&names(here.lines()), text)
    }

    #[test]
    fn the_window_that_is_most_alike_counts() {
        let here = "def f(request):\n    user = request.user\n";
        let text = "other()\n".repeat(16) + here;
        assert!((alike(here, &text) - 1.0).abs() < 1e-6);
        assert!((alike(here, "user = name\n") - 0.25).abs() < 1e-6);
    }

    #[test]
    fn nothing_is_like_nothing() {
        assert!(alike("", "a = 1\n").abs() < 1e-6 && alike("x", "").abs() < 1e-6);
    }
}
