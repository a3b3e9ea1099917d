//! Parses the texts that a round of indexing has deferred, one at a time, while requests are answered from the rest.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use foreword_load::DeferredTexts;

use super::synchronizer::Synchronizer;

/// The deferred texts of an open repository, and the thread that parses them while there are any.
#[derive(Default)]
pub(super) struct BackgroundParser {
    texts: Mutex<DeferredTexts>,
    is_running: AtomicBool,
}

impl BackgroundParser {
    /// Starts the thread unless it runs. It ends when no text is left, or after [`Synchronizer::close`].
    pub(super) fn start(synchronizer: &Arc<Synchronizer>) {
        let is_running = |it: &Synchronizer| it.parser.is_running.swap(true, Ordering::SeqCst);
        if is_running(synchronizer) {
            return;
        }
        let worker = Arc::clone(synchronizer);
        let run = move || {
            while worker.parser.parse_next(&worker) {}
            worker.parser.is_running.store(false, Ordering::SeqCst);
        };
        let thread = std::thread::Builder::new().name("parse".to_owned()).spawn(run);
        if thread.is_err() {
            synchronizer.parser.is_running.store(false, Ordering::SeqCst);
        }
    }

    /// Parses a text, and has the index take its analysis; `false` if there is none.
    fn parse_next(&self, synchronizer: &Synchronizer) -> bool {
        let is_closed = synchronizer.requests().is_none();
        let Some(disk) = synchronizer.lock().disk.clone().filter(|_| !is_closed) else {
            return false;
        };
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        let parsed = texts.parse(&disk, &synchronizer.setup.analyzer, 1);
        if parsed.is_some_and(|it| it > 0) {
            let mut state = synchronizer.lock();
            state.is_parse_due = true;
            synchronizer.request_check(&mut state);
        }
        parsed.is_some()
    }
}
