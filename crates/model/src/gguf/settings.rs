//! Settings of a model file, and the threads that it can have.

use std::sync::{Mutex, PoisonError};

/// Default context window in tokens: the usual prompt budget and a long answer.
pub const CONTEXT: usize = 8192;

/// Settings of a completion model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Context window in tokens, for prompt and answer. Capped at the model's trained context; memory is allocated for
    /// it up front.
    pub context: usize,
    /// Threads; 0 for one per core.
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { context: CONTEXT, threads: 0 }
    }
}

/// Bytes of the stack of a thread of llama.cpp.
const STACK: usize = 8 << 20;

/// Number of threads for a model: `wanted`, or one where the system starts no more. llama.cpp starts all but the first
/// for every step, and ends the process if it cannot.
pub(super) fn startable(wanted: usize) -> usize {
    if check_threads(wanted).is_ok() { wanted } else { 1 }
}

/// Fails if llama.cpp could not start its threads. Twice as many are tried, since others may start some meanwhile, and
/// those that have ended count for a moment longer.
pub(super) fn check_threads(threads: usize) -> Result<(), String> {
    let gate = Mutex::new(());
    std::thread::scope(|scope| {
        let _closed = gate.lock().unwrap_or_else(PoisonError::into_inner);
        for _ in 0..2 * threads.saturating_sub(1) {
            let thread = std::thread::Builder::new().stack_size(STACK);
            let thread = thread.spawn_scoped(scope, || drop(gate.lock()));
            thread.map_err(|error| {
                format!(
                    "it needs {threads} threads, which cannot be started (`ulimit -u`): {error}; \
                     --threads 1 needs no others"
                )
            })?;
        }
        Ok(())
    })
}
