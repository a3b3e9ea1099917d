//! Suggestions that the user dismissed. Bounded and in memory.

use std::collections::VecDeque;

/// Maximum dismissed lines kept.
const MAX_DISMISSED: usize = 32;

#[derive(Debug, Default)]
pub(super) struct Interactions {
    /// URIs with the lines that the suggestions would have produced; latest last.
    dismissed: VecDeque<(String, String)>,
}

impl Interactions {
    /// Records an accepted suggestion: its line may be suggested again.
    pub(super) fn accept(&mut self, uri: &str, line: &str) {
        self.dismissed.retain(|it| it.0 != uri || it.1 != line);
    }

    /// Records a dismissed suggestion: its line is not suggested again in this file.
    pub(super) fn dismiss(&mut self, uri: &str, line: &str) {
        if self.is_dismissed(uri, line) {
            return;
        }
        self.dismissed.push_back((uri.to_owned(), line.to_owned()));
        if self.dismissed.len() > MAX_DISMISSED {
            self.dismissed.pop_front();
        }
    }

    /// Whether the line was dismissed in this file.
    pub(super) fn is_dismissed(&self, uri: &str, line: &str) -> bool {
        self.dismissed.iter().any(|it| it.0 == uri && it.1 == line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_dismissed_in_its_file_until_it_is_accepted() {
        let mut interactions = Interactions::default();
        interactions.dismiss("file:///a", "x = 1");
        interactions.dismiss("file:///a", "x = 1");
        assert!(interactions.is_dismissed("file:///a", "x = 1"));
        assert!(!interactions.is_dismissed("file:///b", "x = 1"));
        interactions.accept("file:///a", "x = 1");
        assert!(!interactions.is_dismissed("file:///a", "x = 1"));
        for n in 0..100 {
            interactions.dismiss("file:///a", &n.to_string());
        }
        assert!(
            !interactions.is_dismissed("file:///a", "1")
                && interactions.is_dismissed("file:///a", "99")
        );
    }
}
