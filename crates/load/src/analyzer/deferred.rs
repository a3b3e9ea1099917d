//! Parses texts that a round of indexing has deferred, and keeps their analyses until the next round takes them.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use foreword_chunk::{Analysis, Language, ParseOutcome};
use foreword_engine::source::ContentHash;

use super::job::{BatchLimits, Job};
use super::process::{Failure, Process};
use super::{ATTEMPTS, Analyzer, without_tree};

/// Maximum bytes of the texts whose analyses are kept. An index that can be written takes each at once.
const MAX_KEPT_BYTES: usize = 16 << 20;

/// A content in a language.
pub(crate) type TextKey = (ContentHash, Option<Language>);

/// Analyses of deferred texts, and the bytes of these texts.
#[derive(Default)]
pub(super) struct AnalysisStore(Mutex<(HashMap<TextKey, Analysis>, usize)>);

impl Analyzer {
    /// Parses a text whose outcome is preliminary, with the full limits and alone in a fresh worker, and keeps the
    /// analysis for the next round. `before` is the outcome so far. Returns whether there is a new outcome: none if
    /// somebody kills the worker again and again, or if none can be started.
    pub(crate) fn parse_deferred(
        &self,
        job: &Job<'_>,
        hash: ContentHash,
        before: ParseOutcome,
    ) -> bool {
        let Some(mut analysis) = self.analyze_alone(job) else { return false };
        if analysis.outcome == ParseOutcome::Crashed && before == ParseOutcome::Crashed {
            analysis.outcome = ParseOutcome::CrashedTwice;
        }
        let mut store = self.deferred.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (kept, bytes) = &mut *store;
        if *bytes + job.text.len() > MAX_KEPT_BYTES {
            kept.clear();
            *bytes = 0;
        }
        *bytes += job.text.len();
        kept.insert((hash, job.language), analysis);
        true
    }

    /// The analysis of a deferred text that was parsed since.
    pub(crate) fn deferred_analysis(&self, key: &TextKey) -> Option<Analysis> {
        self.deferred.0.lock().unwrap_or_else(PoisonError::into_inner).0.get(key).cloned()
    }

    /// `None` if the worker was ended from outside each time.
    fn analyze_alone(&self, job: &Job<'_>) -> Option<Analysis> {
        let Some(command) = &self.command else { return Some(self.analyze_here(job)) };
        let limits = BatchLimits { work: &self.limits, shared: None };
        for _ in 0..ATTEMPTS {
            let Ok(mut process) = Process::start(command) else { continue };
            match process.analyze(std::slice::from_ref(job), limits) {
                Ok(replies) => return replies.analyses.into_iter().next(),
                Err(Failure { reason: ParseOutcome::Interrupted, .. }) => {}
                Err(Failure { reason, .. }) => return Some(without_tree(job, reason)),
            }
        }
        None
    }
}
