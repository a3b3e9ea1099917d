//! A pool of worker processes, at most one for each core.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::process::{Failure, Process, WorkerCommand};

/// Worker processes.
pub(super) struct Pool {
    state: Mutex<State>,
    /// Notified when a process becomes idle.
    returned: Condvar,
    /// Maximum number of busy processes.
    most: usize,
}

#[derive(Default)]
struct State {
    /// Idle processes, the most recently used last.
    idle: Vec<Process>,
    busy: usize,
}

impl Default for Pool {
    /// A pool for as many processes as there are cores. They start on demand.
    fn default() -> Self {
        let most = std::thread::available_parallelism().map_or(1, usize::from);
        Self { state: Mutex::default(), returned: Condvar::new(), most }
    }
}

impl Pool {
    /// Runs `work` on a process, preferably the one with the tree of `document`; waits while all are busy. `None` if
    /// none can be started. A process that fails is ended.
    pub(super) fn run<T>(
        &self,
        command: &WorkerCommand,
        document: Option<&str>,
        work: impl FnOnce(&mut Process) -> Result<T, Failure>,
    ) -> Option<Result<T, Failure>> {
        let mut state = self.lock();
        while state.busy >= self.most {
            state = self.returned.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.busy += 1;
        let with_tree =
            state.idle.iter().rposition(|it| document.is_some_and(|key| it.may_have(key)));
        let idle = with_tree.map(|at| state.idle.remove(at)).or_else(|| state.idle.pop());
        drop(state);
        let mut process = idle.or_else(|| Process::start(command).ok());
        let result = process.as_mut().map(work);
        let ended = process.take_if(|_| !matches!(result, Some(Ok(_))));
        let mut state = self.lock();
        state.busy -= 1;
        state.idle.extend(process);
        self.returned.notify_one();
        drop(state);
        drop(ended);
        result
    }

    pub(super) fn end_idle(&self) {
        let ended = std::mem::take(&mut self.lock().idle);
        drop(ended);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
