//! An error that may recur with every request, logged as a warning once.

use std::sync::{Mutex, PoisonError};

/// An error that may recur with every request: logged as a warning if it differs from the previous one, else at debug
/// level.
#[derive(Default)]
pub struct RecurringError(Mutex<String>);

impl RecurringError {
    /// Without an error so far.
    pub const fn new() -> Self {
        Self(Mutex::new(String::new()))
    }

    /// Logs the error of an event.
    pub fn warn(&self, event: &str, error: &str) {
        let mut latest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = *latest != error;
        error.clone_into(&mut latest);
        drop(latest);
        match is_new {
            true => tracing::warn!("{event}: {error}"),
            false => tracing::debug!("{event}: {error}"),
        }
    }

    /// The next error counts as new.
    pub fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}
