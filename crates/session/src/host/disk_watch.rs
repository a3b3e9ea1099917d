//! Changes that a watcher of the disk was told of, so that a request need not check a disk that did not change.
//!
//! The system tells a watcher of a change some time after it was made. So before its count of changes is trusted, a *probe*
//! is written: a file that the watcher watches, too. Events come in the order of their changes, so after the probe's
//! event every older one has been counted.

use std::fs::File;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// Maximum wait for the event of a probe; a check of two thousand files takes as long.
const MAX_WAIT: Duration = Duration::from_millis(10);

/// The changes that the watcher of a repository was told of. Without a watcher nothing is known.
#[derive(Default)]
pub struct DiskWatch {
    state: Mutex<State>,
    /// Notified when a probe's event came.
    probed: Condvar,
}

#[derive(Default)]
struct State {
    /// The file to write; `None` while nothing is watched.
    probe: Option<File>,
    /// Number of changes so far.
    changes: u64,
    /// Number of requests for a probe.
    requested: u64,
    /// The last request before a probe was written, while its event has not come. No other probe is written meanwhile, so
    /// that each event is of the last probe.
    written: Option<u64>,
    /// The last request before a probe was written whose event has come.
    seen: u64,
}

impl DiskWatch {
    /// From now on every change below the watched directories and every write to `probe` is told. What changed while it was
    /// not, a check has to find.
    pub fn start(&self, probe: File) {
        let mut state = self.lock();
        state.changes += u64::from(state.probe.is_none());
        state.probe = Some(probe);
    }

    /// Some changes are not told, until the next start.
    pub fn end(&self) {
        self.lock().probe = None;
        self.probed.notify_all();
    }

    /// Tells of a change.
    pub fn changed(&self) {
        self.lock().changes += 1;
    }

    /// Tells that events were lost: changes, and perhaps that of the probe, which is no longer waited for.
    pub fn lost(&self) {
        let mut state = self.lock();
        state.changes += 1;
        state.written = None;
    }

    /// Tells of a write to the probe.
    pub fn probed(&self) {
        let mut state = self.lock();
        if let Some(request) = state.written.take() {
            state.seen = request;
            if state.requested > request {
                state.write_probe();
            }
        }
        drop(state);
        self.probed.notify_all();
    }

    /// Number of changes told so far.
    pub(super) fn changes(&self) -> u64 {
        self.lock().changes
    }

    /// Whether it is certain that nothing was changed between the time at which [`Self::changes`] was `known` and this call.
    pub(super) fn is_unchanged_since(&self, known: u64) -> bool {
        let start = Instant::now();
        let mut state = self.lock();
        state.requested += 1;
        let request = state.requested;
        if state.changes == known && state.written.is_none() {
            state.write_probe();
        }
        while state.probe.is_some() && state.changes == known && state.seen < request {
            let Some(left) = MAX_WAIT.checked_sub(start.elapsed()) else { break };
            let waited = self.probed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        state.probe.is_some() && state.changes == known && state.seen >= request
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn write_probe(&mut self) {
        let written = self.probe.as_ref().map(|it| it.set_modified(SystemTime::now()));
        self.written = written.and_then(Result::ok).map(|()| self.requested);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    /// Answers as many as `most` probes, as a watcher does.
    fn answering(watch: &Arc<DiskWatch>, most: usize) -> std::thread::JoinHandle<()> {
        let watch = Arc::clone(watch);
        std::thread::spawn(move || {
            for _ in 0..most {
                while watch.lock().written.is_none() {
                    std::thread::yield_now();
                }
                watch.probed();
            }
        })
    }

    #[test]
    fn a_disk_is_unchanged_only_if_the_probe_s_event_came_before_a_change_s() {
        let watch = Arc::new(DiskWatch::default());
        assert!(!watch.is_unchanged_since(0), "nothing watches");
        watch.start(tempfile::tempfile().unwrap());
        assert!(!watch.is_unchanged_since(0), "what changed before was not told");
        let known = watch.changes();
        let watcher = answering(&watch, 1);
        assert!(watch.is_unchanged_since(known));
        watcher.join().unwrap();
        watch.changed();
        assert!(!watch.is_unchanged_since(known));
        let watcher = answering(&watch, 1);
        assert!(watch.is_unchanged_since(watch.changes()));
        watcher.join().unwrap();
        watch.end();
        assert!(!watch.is_unchanged_since(watch.changes()));
    }

    #[test]
    fn without_an_event_of_the_probe_nothing_is_certain() {
        let watch = DiskWatch::default();
        watch.start(tempfile::tempfile().unwrap());
        let known = watch.changes();
        assert!(!watch.is_unchanged_since(known));
        watch.probed();
        assert_eq!(watch.lock().seen, 1);
        // The late event was of the first request's probe, so the next one needs another.
        assert!(!watch.is_unchanged_since(known));
        watch.probed();
        assert_eq!(watch.lock().seen, 2);
    }

    #[test]
    fn a_lost_event_of_a_probe_is_waited_for_once() {
        let watch = Arc::new(DiskWatch::default());
        watch.start(tempfile::tempfile().unwrap());
        assert!(!watch.is_unchanged_since(watch.changes()));
        watch.lost();
        let watcher = answering(&watch, 1);
        assert!(watch.is_unchanged_since(watch.changes()));
        watcher.join().unwrap();
    }
}
