//! Lines of pieces that a better piece or the window shows, too.
//!
//! Code repeats itself (`return false`), so equal lines alone say little: lines in runs of several that stand elsewhere in
//! the same order are shown twice.

use std::collections::BTreeMap;
use std::fmt;

use foreword_engine::trim::{Piece, Window};
use serde::Serialize;

/// Letters of a line that says more than a bracket.
const TELLING: usize = 4;

/// Lines of a run that is no coincidence, as in the selection (`SHORTEST_SHOWN_RUN`).
const RUN: usize = 4;

/// Counts of telling lines.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Repetition {
    pub(crate) lines: usize,
    pub(crate) in_pieces: RepeatedLines,
    pub(crate) in_window: RepeatedLines,
}

/// Lines that are shown elsewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct RepeatedLines {
    pub(crate) single: usize,
    /// Those in runs.
    pub(crate) in_runs: usize,
}

impl Repetition {
    /// Adds the pieces of a prompt.
    pub(super) fn add(&mut self, window: &Window, pieces: &[Piece]) {
        let mut sorted: Vec<&Piece> = pieces.iter().collect();
        sorted.sort_by(|a, b| b.score.total_cmp(&a.score));
        let mut better = PieceLines::default();
        let mut around = PieceLines::default();
        around.add(&window.prefix);
        around.add(&window.suffix);
        for it in sorted {
            let lines = telling(&it.text);
            self.lines += lines.len();
            self.in_pieces.add(better.repeated(&lines));
            self.in_window.add(around.repeated(&lines));
            better.add(&it.text);
        }
    }

    pub(super) fn join(&mut self, other: &Self) {
        self.lines += other.lines;
        self.in_pieces.add(other.in_pieces);
        self.in_window.add(other.in_window);
    }
}

impl RepeatedLines {
    fn add(&mut self, other: Self) {
        self.single += other.single;
        self.in_runs += other.in_runs;
    }
}

impl fmt::Display for Repetition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |n: usize| 100.0 * n as f32 / self.lines.max(1) as f32;
        let RepeatedLines { single, in_runs } = self.in_pieces;
        let (piece, piece_runs) = (percent(single), percent(in_runs));
        let RepeatedLines { single, in_runs } = self.in_window;
        let (window, window_runs) = (percent(single), percent(in_runs));
        write!(
            f,
            "{} lines; in a better piece {piece:.1} % ({piece_runs:.1} % in runs of {RUN}), in the window {window:.1} % ({window_runs:.1} %)",
            self.lines
        )
    }
}

/// Lines that are shown, with the places of each.
#[derive(Default)]
struct PieceLines {
    lines: Vec<String>,
    places: BTreeMap<String, Vec<usize>>,
}

impl PieceLines {
    fn add(&mut self, text: &str) {
        for line in telling(text) {
            self.places.entry(line.to_owned()).or_default().push(self.lines.len());
            self.lines.push(line.to_owned());
        }
        // Runs do not cross texts.
        self.lines.push(String::new());
    }

    fn repeated(&self, lines: &[&str]) -> RepeatedLines {
        let known = |it: &&&str| self.places.contains_key(**it);
        let mut res = RepeatedLines { single: lines.iter().filter(known).count(), in_runs: 0 };
        let mut at = 0;
        while at < lines.len() {
            let run = self.longest_run(&lines[at..]);
            if run >= RUN {
                res.in_runs += run;
            }
            at += if run >= RUN { run } else { 1 };
        }
        res
    }

    /// Length of the longest run with which some lines begin.
    fn longest_run(&self, lines: &[&str]) -> usize {
        let Some(places) = lines.first().and_then(|it| self.places.get(*it)) else { return 0 };
        let run = |at: &usize| {
            lines.iter().zip(&self.lines[*at..]).take_while(|(a, b)| **a == b.as_str()).count()
        };
        places.iter().map(run).max().unwrap_or_default()
    }
}

/// The trimmed lines with more than a bracket.
fn telling(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).filter(|it| it.len() >= TELLING).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_counted_apart_from_lines_that_happen_to_be_equal() {
        let mut shown = PieceLines::default();
        shown.add("one line\ntwo lines\nthree lines\n}\nfour lines\n");
        shown.add("return false\n");
        let count = |text: &str| shown.repeated(&telling(text));
        let whole = "new\nnewer\none line\ntwo lines\nthree lines\nfour lines\nreturn false\n";
        assert_eq!(count(whole), RepeatedLines { single: 5, in_runs: 4 });
        assert_eq!(count("one line\nthree lines\n"), RepeatedLines { single: 2, in_runs: 0 });
    }
}
