//! Votes derived from reading: a result that an agent reads soon after a search was useful.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::{About, Event, Place, Source, Verdict};
use crate::clock::unix_seconds;

/// Maximum number and age of remembered searches.
const MAX_SEARCHES: usize = 8;
const MAX_AGE: Duration = Duration::from_mins(10);

/// The last searches in a repository.
#[derive(Debug, Default)]
pub struct RecentSearches(Mutex<VecDeque<RecentSearch>>);

#[derive(Debug)]
struct RecentSearch {
    at: Instant,
    question: String,
    /// Results that are still unread.
    results: Vec<Place>,
}

impl RecentSearches {
    /// Remembers the results of a search.
    pub fn add(&self, question: &str, results: Vec<Place>) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.push_back(RecentSearch { at: Instant::now(), question: question.to_owned(), results });
        if all.len() > MAX_SEARCHES {
            all.pop_front();
        }
    }

    /// The vote from reading lines, for the last search with a result there; once per result.
    pub fn read(&self, path: &str, (first, last): (u32, u32)) -> Option<Event> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|it| it.at.elapsed() < MAX_AGE);
        let is_read = |it: &Place| it.path == path && first <= it.end_line && it.start_line <= last;
        let search = all.iter_mut().rev().find(|it| it.results.iter().any(is_read))?;
        let at = search.results.iter().position(is_read)?;
        Some(Event {
            at: unix_seconds(),
            verdict: Verdict::Good,
            source: Source::Agent,
            about: About::Search,
            question: search.question.clone(),
            place: search.results.remove(at),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_that_is_read_is_a_verdict_once() {
        let searches = RecentSearches::default();
        let place = |path: &str| Place {
            path: path.to_owned(),
            start_line: 10,
            end_line: 20,
            symbol: String::new(),
        };
        searches.add("where", vec![place("a.rs"), place("b.rs")]);
        assert!(
            searches.read("a.rs", (30, 40)).is_none() && searches.read("c.rs", (1, 99)).is_none()
        );
        let event = searches.read("a.rs", (20, 40)).unwrap();
        assert_eq!((event.question.as_str(), event.place), ("where", place("a.rs")));
        assert!(searches.read("a.rs", (1, 99)).is_none());
    }
}
