//! Backpressure between threads: counts accepted, unfinished work, so that a peer that sends without reading waits
//! instead of filling the memory.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Counts weights (bytes, for example) up to a limit.
pub(crate) struct Gate {
    limit: usize,
    inside: Mutex<usize>,
    /// Notified when something has left.
    left: Condvar,
}

/// A counted weight; dropping it makes room.
pub(crate) struct Pass {
    gate: Arc<Gate>,
    weight: usize,
}

impl Gate {
    pub(crate) fn new(limit: usize) -> Arc<Self> {
        Arc::new(Self { limit, inside: Mutex::default(), left: Condvar::new() })
    }

    /// Waits until there is room. A weight above the limit passes alone.
    pub(crate) fn pass(self: &Arc<Self>, weight: usize) -> Pass {
        let mut inside = self.lock();
        while *inside > 0 && inside.saturating_add(weight) > self.limit {
            inside = self.wait(inside);
        }
        *inside += weight;
        Pass { gate: Arc::clone(self), weight }
    }

    /// Counts a weight that exists already, without waiting.
    pub(crate) fn count(self: &Arc<Self>, weight: usize) -> Pass {
        *self.lock() += weight;
        Pass { gate: Arc::clone(self), weight }
    }

    /// Waits until less than the limit is inside.
    pub(crate) fn wait_for_room(&self) {
        let mut inside = self.lock();
        while *inside >= self.limit {
            inside = self.wait(inside);
        }
    }

    fn lock(&self) -> MutexGuard<'_, usize> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'g>(&self, guard: MutexGuard<'g, usize>) -> MutexGuard<'g, usize> {
        self.left.wait(guard).unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        *self.gate.lock() -= self.weight;
        self.gate.left.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{RecvTimeoutError, channel};
    use std::time::Duration;

    use super::*;

    const SOON: Duration = Duration::from_millis(50);

    #[test]
    fn the_next_waits_until_there_is_room() {
        let gate = Gate::new(10);
        let (first, second) = (gate.pass(6), gate.pass(4));
        let (sender, passed) = channel();
        let other = Arc::clone(&gate);
        let waiting = std::thread::spawn(move || {
            let pass = other.pass(5);
            sender.send(()).unwrap();
            drop(pass);
        });
        assert_eq!(passed.recv_timeout(SOON), Err(RecvTimeoutError::Timeout));
        drop(second);
        assert_eq!(passed.recv_timeout(SOON), Err(RecvTimeoutError::Timeout));
        drop(first);
        waiting.join().unwrap();
        assert_eq!(passed.recv(), Ok(()));
        gate.wait_for_room();
    }

    #[test]
    fn what_is_heavier_than_the_limit_passes_alone() {
        let gate = Gate::new(10);
        drop(gate.pass(99));
        drop(gate.pass(1 << 40));
        let counted = gate.count(10);
        let (sender, roomy) = channel();
        let other = Arc::clone(&gate);
        std::thread::spawn(move || {
            other.wait_for_room();
            sender.send(()).unwrap();
        });
        assert_eq!(roomy.recv_timeout(SOON), Err(RecvTimeoutError::Timeout));
        drop(counted);
        assert_eq!(roomy.recv(), Ok(()));
    }
}
