//! Bounds what reading objects may cost: the work of one operation, and the memory of the directories in use.
//!
//! A few kilobytes of deltas or of nested directories can stand for terabytes, so neither the number of objects nor their
//! stored size says what they cost. Work is counted in bytes: those read, inflated and copied, and a constant for every
//! look-up. It is counted, not timed, so that an answer does not depend on the machine.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::git::GitProblem;

/// Maximum bytes of the directories held at once. A directory contains the next, so a walk holds one for each level.
const MAX_HELD: usize = 64 << 20;

/// The work that is left, and the first problem.
#[derive(Debug)]
pub(super) struct Budget {
    work: Cell<u64>,
    held: Arc<AtomicUsize>,
    problem: RefCell<Option<GitProblem>>,
}

/// Bytes that count as held until this is dropped.
#[derive(Debug)]
pub(super) struct HeldBytes {
    bytes: usize,
    all: Arc<AtomicUsize>,
}

impl Budget {
    pub(super) fn new(work: u64) -> Self {
        Self { work: Cell::new(work), held: Arc::default(), problem: RefCell::default() }
    }

    /// Counts work; `None` once it is spent.
    pub(super) fn spend(&self, bytes: u64) -> Option<()> {
        let left = self.work.get().checked_sub(bytes);
        self.work.set(left.unwrap_or(0));
        if left.is_none() {
            self.note(|| GitProblem::TooMuchWork);
        }
        left.map(|_| ())
    }

    /// The work that is left.
    pub(super) fn left(&self) -> u64 {
        self.work.get()
    }

    /// Counts bytes as held; `None` if there would be too many.
    pub(super) fn hold(&self, bytes: usize) -> Option<HeldBytes> {
        let all = self.held.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
        let held = HeldBytes { bytes, all: Arc::clone(&self.held) };
        if all > MAX_HELD {
            self.note(|| GitProblem::TooDeep);
            return None;
        }
        Some(held)
    }

    /// Records a problem unless there is one.
    pub(super) fn note(&self, problem: impl FnOnce() -> GitProblem) {
        self.problem.borrow_mut().get_or_insert_with(problem);
    }

    pub(super) fn problem(&self) -> Option<GitProblem> {
        self.problem.borrow().clone()
    }
}

impl Drop for HeldBytes {
    fn drop(&mut self) {
        self.all.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}
