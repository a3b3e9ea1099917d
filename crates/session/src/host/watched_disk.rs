//! What a watcher of the disk knows, so that a check need not compare the stamps of all files.
//!
//! A watcher answers whether anything may have changed since it was asked last. It knows nothing of changes that reach a
//! network file system from elsewhere, nor of writes through mapped memory: so all stamps are compared when they were not
//! for [`LONGEST`], and a watcher that missed a change then is not believed again.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Longest time without a comparison of all stamps.
const LONGEST: Duration = Duration::from_secs(2);

/// Whether nothing has changed in these directories since the last call. A change that was finished before the call is
/// known to it.
pub type Quiet = dyn Fn(&Arc<[String]>) -> bool + Send + Sync;

/// A watcher, if there is one, and how far it is believed.
#[derive(Default)]
pub(super) struct WatchedDisk {
    quiet: OnceLock<Box<Quiet>>,
}

/// What the checks of one thread remember.
#[derive(Default)]
pub(super) struct Trust {
    compared: Option<Instant>,
    is_lost: bool,
}

/// What is known before a check.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Knowledge {
    /// Stamps are compared.
    None,
    /// Nothing should have changed; stamps are compared to be sure.
    Doubted,
    /// Nothing has changed.
    Quiet,
}

impl WatchedDisk {
    /// Sets the watcher; a second one is ignored.
    pub(super) fn set(&self, quiet: Box<Quiet>) {
        let _ = self.quiet.set(quiet);
    }

    /// Asks the watcher, each time, since its answer is about the time since the last question.
    pub(super) fn ask(&self, directories: &Arc<[String]>, trust: &Trust) -> Knowledge {
        let is_quiet = self.quiet.get().is_some_and(|it| it(directories));
        let is_recent = trust.compared.is_some_and(|it| it.elapsed() < LONGEST);
        match (is_quiet && !trust.is_lost, is_recent) {
            (false, _) => Knowledge::None,
            (true, false) => Knowledge::Doubted,
            (true, true) => Knowledge::Quiet,
        }
    }
}

impl Trust {
    /// All stamps were compared at `start`; `is_changed` if the snapshot is another one.
    pub(super) fn compared(&mut self, start: Instant, known: Knowledge, is_changed: bool) {
        self.compared = Some(start);
        self.is_lost |= known == Knowledge::Doubted && is_changed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_watcher_that_missed_a_change_is_not_believed_again() {
        let disk = WatchedDisk::default();
        let (none, mut trust) = (Arc::from([]), Trust::default());
        assert!(disk.ask(&none, &trust) == Knowledge::None, "without a watcher");
        disk.set(Box::new(|_| true));
        assert!(disk.ask(&none, &trust) == Knowledge::Doubted, "stamps were never compared");
        trust.compared(Instant::now(), Knowledge::Doubted, false);
        assert!(disk.ask(&none, &trust) == Knowledge::Quiet);
        trust.compared(Instant::now(), Knowledge::None, true);
        assert!(disk.ask(&none, &trust) == Knowledge::Quiet, "it had told of this change");
        trust.compared(Instant::now(), Knowledge::Doubted, true);
        assert!(disk.ask(&none, &trust) == Knowledge::None);
    }
}
