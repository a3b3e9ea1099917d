//! User actions besides typing that predict the next edit: cursor positions, and accepted or dismissed suggestions.
//! Bounded and in memory.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

/// Maximum visits kept.
const MAX_VISITS: usize = 24;

/// Positions in the same file closer than this many lines count as one.
const MERGE_LINES: u32 = 20;

/// Maximum dismissed lines kept.
const MAX_DISMISSED: usize = 32;

/// A line visited by the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Visit {
    pub(super) path: PathBuf,
    /// 1-based.
    pub(super) line: u32,
}

/// Numbers of accepted and dismissed suggestions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Outcomes {
    pub(super) accepted: u64,
    pub(super) dismissed: u64,
}

#[derive(Debug, Default)]
pub(super) struct Interactions {
    /// Latest last.
    visits: VecDeque<Visit>,
    /// URIs with the lines that the suggestions would have produced; latest last.
    dismissed: VecDeque<(String, String)>,
    outcomes: Outcomes,
}

impl Interactions {
    /// Records the cursor's position.
    pub(super) fn visit(&mut self, path: &Path, line: u32) {
        self.visits.retain(|it| it.path != path || it.line.abs_diff(line) >= MERGE_LINES);
        self.visits.push_back(Visit { path: path.to_owned(), line });
        if self.visits.len() > MAX_VISITS {
            self.visits.pop_front();
        }
    }

    /// Visited lines, latest first.
    pub(super) fn visits(&self) -> Vec<Visit> {
        self.visits.iter().rev().cloned().collect()
    }

    /// Records an accepted suggestion: its sources count as visited, and its line may be suggested again.
    pub(super) fn accept(&mut self, uri: &str, line: &str, sources: &[Visit]) {
        self.outcomes.accepted += 1;
        self.dismissed.retain(|it| it.0 != uri || it.1 != line);
        for it in sources.iter().rev() {
            self.visit(&it.path, it.line);
        }
    }

    /// Records a dismissed suggestion: its line is not suggested again in this file.
    pub(super) fn dismiss(&mut self, uri: &str, line: &str) {
        if self.is_dismissed(uri, line) {
            return;
        }
        self.outcomes.dismissed += 1;
        self.dismissed.push_back((uri.to_owned(), line.to_owned()));
        if self.dismissed.len() > MAX_DISMISSED {
            self.dismissed.pop_front();
        }
    }

    /// Whether the line was dismissed in this file.
    pub(super) fn is_dismissed(&self, uri: &str, line: &str) -> bool {
        self.dismissed.iter().any(|it| it.0 == uri && it.1 == line)
    }

    pub(super) fn outcomes(&self) -> Outcomes {
        self.outcomes
    }

    /// Inserts visits of an earlier session before those of this one.
    pub(super) fn prepend(&mut self, visits: &[Visit]) {
        let current = std::mem::take(&mut self.visits);
        for it in visits.iter().chain(&current) {
            self.visit(&it.path, it.line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(interactions: &Interactions) -> Vec<u32> {
        interactions.visits().iter().map(|it| it.line).collect()
    }

    #[test]
    fn a_place_counts_once_and_the_latest_comes_first() {
        let mut interactions = Interactions::default();
        for line in [1, 5, 100, 7] {
            interactions.visit(Path::new("/a"), line);
        }
        assert_eq!(lines(&interactions), [7, 100]);
        for line in 0..1000 {
            interactions.visit(Path::new("/b"), line * MERGE_LINES);
        }
        assert_eq!(interactions.visits().len(), MAX_VISITS);
    }

    #[test]
    fn a_line_is_dismissed_in_its_file_until_it_is_accepted() {
        let mut interactions = Interactions::default();
        interactions.dismiss("file:///a", "x = 1");
        interactions.dismiss("file:///a", "x = 1");
        assert!(interactions.is_dismissed("file:///a", "x = 1"));
        assert!(!interactions.is_dismissed("file:///b", "x = 1"));
        let source = Visit { path: "/c".into(), line: 3 };
        interactions.accept("file:///a", "x = 1", std::slice::from_ref(&source));
        assert!(!interactions.is_dismissed("file:///a", "x = 1"));
        assert_eq!(interactions.visits(), [source]);
        assert_eq!(interactions.outcomes(), Outcomes { accepted: 1, dismissed: 1 });
        for n in 0..100 {
            interactions.dismiss("file:///a", &n.to_string());
        }
        assert!(
            !interactions.is_dismissed("file:///a", "1")
                && interactions.is_dismissed("file:///a", "99")
        );
    }

    #[test]
    fn visits_of_an_earlier_session_are_older_than_those_of_this_one() {
        let mut interactions = Interactions::default();
        interactions.visit(Path::new("/a"), 1);
        interactions.prepend(&[Visit { path: "/a".into(), line: 500 }]);
        assert_eq!(lines(&interactions), [1, 500]);
    }
}
