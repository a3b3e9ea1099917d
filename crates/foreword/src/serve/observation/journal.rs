//! The journal: recent requests in a ring that is bounded by number and by bytes, with subscribers.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::broadcast;

use super::record::{Record, Summary};

/// Maximum number of requests kept.
const MAX_RECORDS: usize = 500;

/// Maximum bytes of all records.
const MAX_BYTES: usize = 64 << 20;

/// Maximum changes that a slow subscriber may lag behind.
const MAX_LAG: usize = 256;

/// Recent requests, and their subscribers.
pub(crate) struct Journal {
    ring: Mutex<Ring>,
    /// Summaries: a record would be kept in memory until the slowest subscriber has seen it.
    changes: broadcast::Sender<Arc<Summary>>,
    max_records: usize,
    max_bytes: usize,
}

#[derive(Default)]
struct Ring {
    /// Oldest first, each with its bytes.
    records: VecDeque<(Arc<Record>, usize)>,
    bytes: usize,
}

/// Selects requests; `None` selects all.
#[derive(Clone, Debug, Default, serde::Deserialize)]
pub(crate) struct Filter {
    /// The protocol.
    #[serde(rename = "door")]
    protocol: Option<String>,
    /// A part of the file's path.
    path: Option<String>,
    /// `file`, `lexical`, `late`, `failed` or `untouched`.
    context: Option<String>,
    /// `accepted`, `dismissed` or `viewed`.
    verdict: Option<String>,
    /// Only requests after the one with this id.
    after: Option<String>,
    /// Maximum number of results.
    limit: Option<usize>,
}

impl Filter {
    fn matches(&self, it: &Record) -> bool {
        let is = |want: &Option<String>, has: &str| want.as_deref().is_none_or(|want| want == has);
        let verdict = serde_json::to_value(it.verdict).unwrap_or_default();
        let path = it.location.path.as_deref().unwrap_or_default();
        is(&self.protocol, it.protocol)
            && is(&self.context, it.context.name())
            && is(&self.verdict, verdict.as_str().unwrap_or_default())
            && self.path.as_deref().is_none_or(|part| path.contains(part))
    }
}

impl Journal {
    pub(crate) fn new() -> Self {
        Self::with_limits(MAX_RECORDS, MAX_BYTES)
    }

    fn with_limits(max_records: usize, max_bytes: usize) -> Self {
        let changes = broadcast::Sender::new(MAX_LAG);
        Self { ring: Mutex::default(), changes, max_records, max_bytes }
    }

    /// Adds a record, or replaces the one with the same id, and evicts the oldest if there are too many.
    pub(crate) fn put(&self, record: Record) {
        let record = Arc::new(record);
        let bytes = record.bytes();
        let mut ring = self.lock();
        let known = ring.records.iter().rposition(|(it, _)| it.id == record.id);
        if let Some(at) = known {
            let old = std::mem::replace(&mut ring.records[at], (Arc::clone(&record), bytes));
            ring.bytes = ring.bytes - old.1 + bytes;
        } else {
            ring.records.push_back((Arc::clone(&record), bytes));
            ring.bytes += bytes;
        }
        self.evict(&mut ring);
        drop(ring);
        self.notify(&record);
    }

    fn notify(&self, record: &Record) {
        // There may be no subscriber.
        if self.changes.receiver_count() > 0 {
            let _ = self.changes.send(Arc::new(record.summary()));
        }
    }

    /// Recounts the bytes of a record that has grown since it was added, and notifies the subscribers.
    pub(crate) fn recount(&self, id: &str) {
        let mut ring = self.lock();
        let Some(at) = ring.records.iter().rposition(|(it, _)| it.id == id) else { return };
        let (record, before) = ring.records[at].clone();
        let bytes = record.bytes();
        ring.records[at].1 = bytes;
        ring.bytes = ring.bytes - before + bytes;
        self.evict(&mut ring);
        drop(ring);
        self.notify(&record);
    }

    /// Evicts the oldest while there are too many.
    fn evict(&self, ring: &mut Ring) {
        while ring.records.len() > self.max_records || ring.bytes > self.max_bytes {
            let Some((_, bytes)) = ring.records.pop_front() else { break };
            ring.bytes -= bytes;
        }
    }

    /// The request with this id, if it is still kept.
    pub(crate) fn get(&self, id: &str) -> Option<Arc<Record>> {
        let ring = self.lock();
        let found = ring.records.iter().rev().find(|(it, _)| it.id == id);
        found.map(|(it, _)| Arc::clone(it))
    }

    /// Changes a record; false if it is not kept any more.
    pub(crate) fn update(&self, id: &str, change: impl FnOnce(&mut Record)) -> bool {
        let Some(record) = self.get(id) else { return false };
        let mut record = Record::clone(&record);
        change(&mut record);
        self.put(record);
        true
    }

    /// The requests that match, newest first.
    pub(crate) fn list(&self, filter: &Filter) -> Vec<Arc<Record>> {
        let ring = self.lock();
        let newest = ring.records.iter().rev().map(|(it, _)| it);
        let newer = newest.take_while(|it| filter.after.as_ref() != Some(&it.id));
        let matching =
            newer.filter(|it| filter.matches(it)).take(filter.limit.unwrap_or(usize::MAX));
        matching.map(Arc::clone).collect()
    }

    /// Receives every change from now on.
    pub(crate) fn subscribe(&self) -> broadcast::Receiver<Arc<Summary>> {
        self.changes.subscribe()
    }

    /// How many requests are kept, and about how many bytes they take.
    pub(crate) fn size(&self) -> (usize, usize) {
        let ring = self.lock();
        (ring.records.len(), ring.bytes)
    }

    fn lock(&self) -> MutexGuard<'_, Ring> {
        self.ring.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serve::observation::explanation::Explanation;

    fn record(id: usize, answer: usize) -> Record {
        let protocol = if id.is_multiple_of(2) { "ollama" } else { "tabby" };
        Record { id: id.to_string(), protocol, answer: "x".repeat(answer), ..Record::default() }
    }

    fn ids(journal: &Journal, filter: &Filter) -> Vec<String> {
        journal.list(filter).iter().map(|it| it.id.clone()).collect()
    }

    #[test]
    fn the_oldest_are_evicted_when_there_are_too_many_or_they_are_too_large() {
        let journal = Journal::with_limits(3, 40_000);
        (0..5).for_each(|id| journal.put(record(id, 1)));
        assert_eq!(ids(&journal, &Filter::default()), ["4", "3", "2"]);
        journal.put(record(5, 36_000));
        assert_eq!(ids(&journal, &Filter::default()), ["5", "4", "3"]);
        journal.put(record(6, 1000));
        assert_eq!(ids(&journal, &Filter::default()), ["6", "5"]);
        assert!(journal.size().1 <= 40_000);
        // Larger than the whole ring: nothing is kept, and nothing breaks.
        journal.put(record(7, 50_000));
        assert_eq!((ids(&journal, &Filter::default()).len(), journal.size()), (0, (0, 0)));
    }

    #[test]
    fn a_record_is_updated_in_place_and_subscribers_are_notified() {
        let journal = Journal::with_limits(3, 40_000);
        journal.put(record(1, 1));
        journal.put(record(2, 1));
        let mut changes = journal.subscribe();
        assert!(journal.update("1", |it| it.status = 200));
        assert!(!journal.update("9", |_| {}));
        assert_eq!(ids(&journal, &Filter::default()), ["2", "1"]);
        let changed = changes.try_recv().unwrap();
        assert_eq!((changed.id.as_str(), changed.status), ("1", 200));
    }

    #[test]
    fn a_record_that_grows_is_recounted_and_the_oldest_are_evicted() {
        let journal = Journal::with_limits(3, 4000);
        let (sender, explanation) = Explanation::channel();
        journal.put(record(1, 1));
        journal.put(Record { explanation, ..record(2, 1) });
        let before = journal.size().1;
        // Hardly compressible.
        let json: String = (0..400_u64).map(|it| (it * it * 2_654_435_761).to_string()).collect();
        sender.send(&json);
        let mut changes = journal.subscribe();
        journal.recount("2");
        assert_eq!(changes.try_recv().unwrap().id, "2");
        assert_eq!(ids(&journal, &Filter::default()), ["2"]);
        assert!(journal.size().1 > before / 2 + 100, "{} {before}", journal.size().1);
        journal.recount("9");
    }

    #[test]
    fn filters_select_by_protocol_and_position() {
        let journal = Journal::with_limits(9, 40_000);
        (0..6).for_each(|id| journal.put(record(id, 1)));
        let protocol = Some("tabby".to_owned());
        let filter = Filter { protocol, limit: Some(2), ..Filter::default() };
        assert_eq!(ids(&journal, &filter), ["5", "3"]);
        let filter = Filter { after: Some("4".to_owned()), ..Filter::default() };
        assert_eq!(ids(&journal, &filter), ["5"]);
    }
}
