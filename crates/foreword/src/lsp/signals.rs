//! What the user does beside typing, as far as it says what is wanted next: where the cursor was, and which suggestions
//! were taken or refused. Bounded, and in memory.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

/// Places that are remembered.
const VISITS: usize = 24;

/// A step of fewer lines is no visit of another place.
const NEAR: u32 = 20;

/// Lines that were refused and are remembered.
const REFUSED: usize = 32;

/// A place where the cursor was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Visit {
    pub(super) path: PathBuf,
    /// Counts from 1.
    pub(super) line: u32,
}

/// Counts of what became of suggestions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Outcomes {
    pub(super) accepted: u64,
    pub(super) dismissed: u64,
}

#[derive(Debug, Default)]
pub(super) struct Signals {
    /// The latest at the end.
    visits: VecDeque<Visit>,
    /// Lines as they would have been, by file; the latest at the end.
    refused: VecDeque<(String, String)>,
    outcomes: Outcomes,
}

impl Signals {
    /// That the cursor is here.
    pub(super) fn visit(&mut self, path: &Path, line: u32) {
        self.visits.retain(|it| it.path != path || it.line.abs_diff(line) >= NEAR);
        self.visits.push_back(Visit { path: path.to_owned(), line });
        if self.visits.len() > VISITS {
            self.visits.pop_front();
        }
    }

    /// The places where the cursor was, the latest first.
    pub(super) fn visits(&self) -> Vec<Visit> {
        self.visits.iter().rev().cloned().collect()
    }

    /// That a suggestion was taken: where its line comes from is a place that matters, and the line is welcome again.
    pub(super) fn accept(&mut self, uri: &str, line: &str, sources: &[Visit]) {
        self.outcomes.accepted += 1;
        self.refused.retain(|it| it.0 != uri || it.1 != line);
        for it in sources.iter().rev() {
            self.visit(&it.path, it.line);
        }
    }

    /// That something else was typed than what was shown: the line is not wanted there.
    pub(super) fn dismiss(&mut self, uri: &str, line: &str) {
        if self.is_refused(uri, line) {
            return;
        }
        self.outcomes.dismissed += 1;
        self.refused.push_back((uri.to_owned(), line.to_owned()));
        if self.refused.len() > REFUSED {
            self.refused.pop_front();
        }
    }

    /// Whether a line was refused in this file.
    pub(super) fn is_refused(&self, uri: &str, line: &str) -> bool {
        self.refused.iter().any(|it| it.0 == uri && it.1 == line)
    }

    pub(super) fn outcomes(&self) -> Outcomes {
        self.outcomes
    }

    /// Takes up what an earlier session left; what this one has seen is later than that.
    pub(super) fn recall(&mut self, visits: &[Visit]) {
        let now = std::mem::take(&mut self.visits);
        for it in visits.iter().chain(&now) {
            self.visit(&it.path, it.line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(signals: &Signals) -> Vec<u32> {
        signals.visits().iter().map(|it| it.line).collect()
    }

    #[test]
    fn a_place_counts_once_and_the_latest_comes_first() {
        let mut signals = Signals::default();
        for line in [1, 5, 100, 7] {
            signals.visit(Path::new("/a"), line);
        }
        assert_eq!(lines(&signals), [7, 100]);
        for line in 0..1000 {
            signals.visit(Path::new("/b"), line * NEAR);
        }
        assert_eq!(signals.visits().len(), VISITS);
    }

    #[test]
    fn what_was_refused_is_so_in_its_file_until_it_is_taken() {
        let mut signals = Signals::default();
        signals.dismiss("file:///a", "x = 1");
        signals.dismiss("file:///a", "x = 1");
        assert!(signals.is_refused("file:///a", "x = 1"));
        assert!(!signals.is_refused("file:///b", "x = 1"));
        let source = Visit { path: "/c".into(), line: 3 };
        signals.accept("file:///a", "x = 1", std::slice::from_ref(&source));
        assert!(!signals.is_refused("file:///a", "x = 1"));
        assert_eq!(signals.visits(), [source]);
        assert_eq!(signals.outcomes(), Outcomes { accepted: 1, dismissed: 1 });
        for n in 0..100 {
            signals.dismiss("file:///a", &n.to_string());
        }
        assert!(!signals.is_refused("file:///a", "1") && signals.is_refused("file:///a", "99"));
    }

    #[test]
    fn what_an_earlier_session_left_is_older_than_all_of_this_one() {
        let mut signals = Signals::default();
        signals.visit(Path::new("/a"), 1);
        signals.recall(&[Visit { path: "/a".into(), line: 500 }]);
        assert_eq!(lines(&signals), [1, 500]);
    }
}
