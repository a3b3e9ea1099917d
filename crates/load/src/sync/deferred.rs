//! Parses the texts that rounds of indexing have deferred, a few at a time. Each few are committed, so that a run that
//! is interrupted keeps what it has learned.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use foreword_chunk::{Language, ParseOutcome};
use foreword_engine::index::{FileId, IndexedFile, Snapshot, Store};
use foreword_engine::source::ContentHash;

use super::committed::CommittedView;
use super::sync_round;
use super::types::{Effort, Progress, Report, Reuse, SyncError, SyncOptions, SyncOutcome};
use crate::analyzer::{Analyzer, Job};
use crate::workspace::Workspace;

/// Whether a file is to be parsed again although it is unchanged: its parse was interrupted, or was deferred and has
/// another outcome now.
pub(super) fn is_due(committed: &CommittedView, file: &IndexedFile, analyzer: &Analyzer) -> bool {
    let segment = committed.segments.get(file.location.segment as usize);
    segment.is_some_and(|it| match it.outcome(file.location.ord) {
        (_, ParseOutcome::Interrupted) => true,
        (language, before) => {
            let analysis = || analyzer.deferred_analysis(&(file.hash, language));
            before.is_preliminary() && analysis().is_some_and(|it| it.outcome != before)
        }
    })
}

/// Texts of snapshots whose parse is not final. Each is tried once, those that crashed a parser last.
#[derive(Default)]
pub struct DeferredTexts {
    tried: BTreeSet<(ContentHash, Option<Language>)>,
}

impl DeferredTexts {
    /// Parses up to `most` texts of a snapshot, each in a worker of its own at the same time; the next synchronisation
    /// takes their analyses. Returns how many have one, and `None` if no text is left.
    pub fn parse(
        &mut self,
        snapshot: &Snapshot,
        analyzer: &Analyzer,
        most: usize,
    ) -> Option<usize> {
        let files = self.next(snapshot, most);
        let parsed = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for file in &files {
                let parse = || {
                    let is_parsed = parse(snapshot, *file, analyzer);
                    parsed.fetch_add(usize::from(is_parsed), Ordering::Relaxed)
                };
                // Without a thread the text stays as it is.
                let _ = std::thread::Builder::new().spawn_scoped(scope, parse);
            }
        });
        (!files.is_empty()).then(|| parsed.into_inner())
    }

    /// Number of texts that were not tried.
    pub fn left(&self, snapshot: &Snapshot) -> usize {
        let keys = snapshot.files().filter(|it| snapshot.outcome(*it).is_preliminary());
        let keys: BTreeSet<_> = keys.map(|it| key(snapshot, it)).collect();
        keys.difference(&self.tried).count()
    }

    fn next(&mut self, snapshot: &Snapshot, most: usize) -> Vec<FileId> {
        let mut files: Vec<(bool, FileId)> = snapshot
            .files()
            .map(|it| (snapshot.outcome(it), it))
            .filter(|(outcome, _)| outcome.is_preliminary())
            .map(|(outcome, it)| (outcome == ParseOutcome::Crashed, it))
            .collect();
        files.sort_unstable();
        let files = files.into_iter().map(|(_, it)| it);
        files.filter(|it| self.tried.insert(key(snapshot, *it))).take(most).collect()
    }
}

fn key(snapshot: &Snapshot, file: FileId) -> (ContentHash, Option<Language>) {
    (snapshot.hash(file), snapshot.language(file))
}

fn parse(snapshot: &Snapshot, file: FileId, analyzer: &Analyzer) -> bool {
    let (text, hash) = (snapshot.text(file), snapshot.hash(file));
    let job = Job::file(snapshot.path(file), &text, &snapshot.config().chunk);
    // Not so if the index is damaged.
    ContentHash::of(text.as_bytes()) == hash
        && analyzer.parse_deferred(&job, hash, snapshot.outcome(file))
}

/// Parses all texts of a view whose parse is not final, and commits the analyses.
pub(super) fn parse_all(
    workspace: &Workspace,
    store: &Store,
    options: &SyncOptions<'_>,
    mut outcome: SyncOutcome,
) -> Result<SyncOutcome, SyncError> {
    let round = SyncOptions {
        walk: options.walk.clone(),
        limits: options.limits.clone(),
        reuse: Reuse::Stored,
        effort: Effort::Round,
        progress: None,
        ..*options
    };
    let threads = match options.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        n => n,
    };
    let mut texts = DeferredTexts::default();
    let total = texts.left(&outcome.snapshot);
    let is_written = outcome.report.unwritten.is_none();
    let mut parsed = 0;
    while let Some(n) = texts.parse(&outcome.snapshot, options.analyzer, threads) {
        if options.is_cancelled() {
            break;
        }
        let left = texts.left(&outcome.snapshot);
        options.progress.inspect(|it| it(Progress { done: total.saturating_sub(left), total }));
        parsed += n;
        // What is not written would be read again each time.
        if parsed > 0 && (is_written || left == 0) {
            let next = sync_round(workspace, store, &round)?;
            let unwritten = next.report.unwritten.clone();
            outcome = SyncOutcome { report: Report { unwritten, ..outcome.report }, ..next };
            parsed = 0;
        }
    }
    Ok(outcome)
}
