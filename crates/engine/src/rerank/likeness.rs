//! Similarity to the lines at the cursor. Weighted words find chunks about the same subject; the code at a cursor often
//! repeats code from a similar situation, which shows in the words that occur together.
//!
//! It is the Jaccard similarity of identifiers between the last lines before the cursor and windows of the chunk (as in
//! RepoCoder, arXiv 2303.12570). Chosen on features of 396 tasks of eleven development repositories,
//! `benchmarks/results/cursor.md`.

use rustc_hash::FxHashSet;

use super::texts::texts;
use crate::evidence::Feature;
use crate::fuse::Candidate;
use crate::index::Snapshot;
use crate::index::terms::{LineNames, NameNumbers, each_name};
use crate::preset::constants::rerank::{LIKENESS_DEPTH, LIKENESS_LINES, LIKENESS_STEP};
use crate::scope::Cursor;

/// Reads and measures the first candidates.
pub(super) fn measure(snapshot: &Snapshot, cursor: &Cursor, candidates: &mut [Candidate]) {
    let last = cursor.prefix().lines().rev().filter(|it| !it.trim().is_empty());
    let here = names(last.take(LIKENESS_LINES));
    let own = snapshot.file(cursor.path());
    let texts = texts(snapshot, candidates, LIKENESS_DEPTH);
    let mut compared = Comparison::new(&here);
    for (it, text) in candidates.iter_mut().zip(&texts) {
        let is_own = Some(it.chunk.file) == own;
        let info = snapshot.chunk(it.chunk);
        // The chunk at the cursor resembles itself, and the window shows it anyway.
        if is_own && (info.start as usize..=info.end as usize).contains(&cursor.offset()) {
            continue;
        }
        it.features.set(Feature::Likeness, compared.likeness(text));
    }
}

/// Compares texts with the identifiers of some lines. Texts of one repository share most names, so each name gets one
/// number for all of them.
struct Comparison<'h> {
    here: &'h FxHashSet<&'h str>,
    numbers: NameNumbers,
    /// By number of the name: whether it is in `here`.
    is_here: Vec<bool>,
    /// By number of the name: the last window that contained it.
    met: Vec<u32>,
    window: u32,
    lines: LineNames,
}

impl<'h> Comparison<'h> {
    fn new(here: &'h FxHashSet<&'h str>) -> Self {
        Self {
            here,
            numbers: NameNumbers::default(),
            is_here: Vec::new(),
            met: Vec::new(),
            window: 0,
            lines: LineNames::default(),
        }
    }

    /// Highest share of identifiers that a window of the text shares with `here`.
    fn likeness(&mut self, text: &str) -> f32 {
        let Self { here, numbers, is_here, met, lines, .. } = self;
        lines.read(text, numbers, |name| is_here.push(here.contains(name)));
        met.resize(is_here.len(), 0);
        let starts = (0..self.lines.len()).step_by(LIKENESS_STEP);
        starts.map(|start| self.likeness_at(start)).fold(0.0, f32::max)
    }

    fn likeness_at(&mut self, start: usize) -> f32 {
        self.window += 1;
        let (mut all, mut both) = (0, 0);
        for line in start..self.lines.len().min(start + LIKENESS_LINES) {
            for name in self.lines.on(line).iter().map(|it| *it as usize) {
                if std::mem::replace(&mut self.met[name], self.window) != self.window {
                    all += 1;
                    both += usize::from(self.is_here[name]);
                }
            }
        }
        both as f32 / (all + self.here.len() - both).max(1) as f32
    }
}

/// Identifiers of some lines.
fn names<'t>(lines: impl Iterator<Item = &'t str>) -> FxHashSet<&'t str> {
    let mut res = FxHashSet::default();
    for line in lines {
        each_name(line, |name| {
            res.insert(name);
        });
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    fn likeness_of(here: &str, text: &str) -> f32 {
        Comparison::new(&names(here.lines())).likeness(text)
    }

    #[test]
    fn the_most_similar_window_counts() {
        let here = "def f(request):\n    user = request.user\n";
        let text = "other()\n".repeat(16) + here;
        assert!((likeness_of(here, &text) - 1.0).abs() < 1e-6);
        assert!((likeness_of(here, "user = name\n") - 0.25).abs() < 1e-6);
    }

    #[test]
    fn no_identifiers_are_like_nothing() {
        assert!(likeness_of("", "a = 1\n").abs() < 1e-6 && likeness_of("x", "").abs() < 1e-6);
    }
}
