//! The requests of late, in a ring that is bounded by number and by bytes, and whoever watches it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::broadcast;

use crate::serve::observation::record::Record;

/// Requests that are kept at the most.
const MOST: usize = 500;

/// Bytes that they take at the most.
const MOST_BYTES: usize = 64 << 20;

/// Changes that a slow watcher may lag behind.
const LAG: usize = 256;

/// Requests of late, and who watches.
pub(crate) struct Journal {
    ring: Mutex<Ring>,
    changes: broadcast::Sender<Arc<Record>>,
    most: usize,
    most_bytes: usize,
}

#[derive(Default)]
struct Ring {
    /// The oldest first.
    records: VecDeque<(Arc<Record>, usize)>,
    bytes: usize,
}

/// Which requests are meant; what is `None` counts for all.
#[derive(Clone, Debug, Default, serde::Deserialize)]
pub(crate) struct Filter {
    /// The protocol.
    door: Option<String>,
    /// A part of the file's path.
    path: Option<String>,
    /// `file`, `lexical`, `late`, `failed` or `untouched`.
    context: Option<String>,
    /// `accepted`, `dismissed` or `viewed`.
    verdict: Option<String>,
    /// Only those that came after this one.
    after: Option<String>,
    /// How many at the most.
    limit: Option<usize>,
}

impl Filter {
    fn takes(&self, it: &Record) -> bool {
        let is = |want: &Option<String>, has: &str| want.as_deref().is_none_or(|want| want == has);
        let verdict = serde_json::to_value(it.verdict).unwrap_or_default();
        let path = it.place.path.as_deref().unwrap_or_default();
        is(&self.door, it.door)
            && is(&self.context, it.context.name())
            && is(&self.verdict, verdict.as_str().unwrap_or_default())
            && self.path.as_deref().is_none_or(|part| path.contains(part))
    }
}

impl Journal {
    pub(crate) fn new() -> Self {
        Self::with(MOST, MOST_BYTES)
    }

    fn with(most: usize, most_bytes: usize) -> Self {
        Self { ring: Mutex::default(), changes: broadcast::Sender::new(LAG), most, most_bytes }
    }

    /// Keeps a record, in place of an earlier one with the same id. The oldest go when there are too many.
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
        self.shrink(&mut ring);
        drop(ring);
        // Nobody may be watching.
        let _ = self.changes.send(record);
    }

    /// Counts a record anew that has grown since it was put here, and tells whoever watches.
    pub(crate) fn grown(&self, id: &str) {
        let mut ring = self.lock();
        let Some(at) = ring.records.iter().rposition(|(it, _)| it.id == id) else { return };
        let (record, before) = ring.records[at].clone();
        let bytes = record.bytes();
        ring.records[at].1 = bytes;
        ring.bytes = ring.bytes - before + bytes;
        self.shrink(&mut ring);
        drop(ring);
        let _ = self.changes.send(record);
    }

    /// Lets the oldest go when there are too many.
    fn shrink(&self, ring: &mut Ring) {
        while ring.records.len() > self.most || ring.bytes > self.most_bytes {
            let Some((_, bytes)) = ring.records.pop_front() else { break };
            ring.bytes -= bytes;
        }
    }

    /// The request of that id, if it is still kept.
    pub(crate) fn get(&self, id: &str) -> Option<Arc<Record>> {
        let ring = self.lock();
        let found = ring.records.iter().rev().find(|(it, _)| it.id == id);
        found.map(|(it, _)| Arc::clone(it))
    }

    /// Changes a record that is still kept; false when it is not.
    pub(crate) fn change(&self, id: &str, change: impl FnOnce(&mut Record)) -> bool {
        let Some(record) = self.get(id) else { return false };
        let mut record = Record::clone(&record);
        change(&mut record);
        self.put(record);
        true
    }

    /// Those that the filter takes, the newest first.
    pub(crate) fn list(&self, filter: &Filter) -> Vec<Arc<Record>> {
        let ring = self.lock();
        let newest = ring.records.iter().rev().map(|(it, _)| it);
        let newer = newest.take_while(|it| filter.after.as_ref() != Some(&it.id));
        let taken = newer.filter(|it| filter.takes(it)).take(filter.limit.unwrap_or(usize::MAX));
        taken.map(Arc::clone).collect()
    }

    /// Every change from now on.
    pub(crate) fn watch(&self) -> broadcast::Receiver<Arc<Record>> {
        self.changes.subscribe()
    }

    /// How many are kept, and about how many bytes they take.
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
        let door = if id.is_multiple_of(2) { "ollama" } else { "tabby" };
        Record { id: id.to_string(), door, answer: "x".repeat(answer), ..Record::default() }
    }

    fn ids(journal: &Journal, filter: &Filter) -> Vec<String> {
        journal.list(filter).iter().map(|it| it.id.clone()).collect()
    }

    #[test]
    fn the_oldest_go_when_there_are_too_many_or_they_are_too_large() {
        let journal = Journal::with(3, 40_000);
        (0..5).for_each(|id| journal.put(record(id, 1)));
        assert_eq!(ids(&journal, &Filter::default()), ["4", "3", "2"]);
        journal.put(record(5, 36_000));
        assert_eq!(ids(&journal, &Filter::default()), ["5", "4", "3"]);
        journal.put(record(6, 1000));
        assert_eq!(ids(&journal, &Filter::default()), ["6", "5"]);
        assert!(journal.size().1 <= 40_000);
        // Too large for the whole ring: nothing is kept, nothing breaks.
        journal.put(record(7, 50_000));
        assert_eq!((ids(&journal, &Filter::default()).len(), journal.size()), (0, (0, 0)));
    }

    #[test]
    fn a_record_is_changed_in_its_place_and_watchers_hear_of_it() {
        let journal = Journal::with(3, 40_000);
        journal.put(record(1, 1));
        journal.put(record(2, 1));
        let mut watch = journal.watch();
        assert!(journal.change("1", |it| it.status = 200));
        assert!(!journal.change("9", |_| {}));
        assert_eq!(ids(&journal, &Filter::default()), ["2", "1"]);
        let heard = watch.try_recv().unwrap();
        assert_eq!((heard.id.as_str(), heard.status), ("1", 200));
    }

    #[test]
    fn what_grows_is_counted_anew_and_the_oldest_go() {
        let journal = Journal::with(3, 4000);
        let (explaining, trace) = Explanation::coming();
        journal.put(record(1, 1));
        journal.put(Record { trace, ..record(2, 1) });
        let before = journal.size().1;
        // Nothing that could be packed.
        let json: String = (0..400_u64).map(|it| (it * it * 2_654_435_761).to_string()).collect();
        explaining.done(&json);
        let mut watch = journal.watch();
        journal.grown("2");
        assert_eq!(watch.try_recv().unwrap().id, "2");
        assert_eq!(ids(&journal, &Filter::default()), ["2"]);
        assert!(journal.size().1 > before / 2 + 100, "{} {before}", journal.size().1);
        journal.grown("9");
    }

    #[test]
    fn filters_take_what_they_name() {
        let journal = Journal::with(9, 40_000);
        (0..6).for_each(|id| journal.put(record(id, 1)));
        let door = Some("tabby".to_owned());
        let filter = Filter { door, limit: Some(2), ..Filter::default() };
        assert_eq!(ids(&journal, &filter), ["5", "3"]);
        let filter = Filter { after: Some("4".to_owned()), ..Filter::default() };
        assert_eq!(ids(&journal, &filter), ["5"]);
    }
}
