//! A pool of worker processes, at most one for each core.

use std::io;
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
    /// Runs `work` on a process, preferably the one with the tree of `document`; waits while all are busy, or while no
    /// more can be started. An error if none can. A process that fails is ended.
    pub(super) fn run<T>(
        &self,
        command: &WorkerCommand,
        document: Option<&str>,
        work: impl FnOnce(&mut Process) -> Result<T, Failure>,
    ) -> io::Result<Result<T, Failure>> {
        let mut most = self.most;
        loop {
            let process = match self.take(document, most) {
                Some(process) => Ok(process),
                None => Process::start(command),
            };
            match process {
                Ok(mut process) => {
                    let result = work(&mut process);
                    self.give_back(result.is_ok().then_some(process));
                    return Ok(result);
                }
                Err(error) => {
                    // The others are enough.
                    most = self.give_back(None);
                    if most == 0 {
                        return Err(error);
                    }
                }
            }
        }
    }

    /// Waits until fewer than `most` processes are busy, and takes an idle one; `None` if one has to be started.
    fn take(&self, document: Option<&str>, most: usize) -> Option<Process> {
        let mut state = self.lock();
        while state.busy >= most {
            state = self.returned.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.busy += 1;
        let with_tree =
            state.idle.iter().rposition(|it| document.is_some_and(|key| it.may_have(key)));
        with_tree.map(|at| state.idle.remove(at)).or_else(|| state.idle.pop())
    }

    /// Returns the number of the other busy processes.
    fn give_back(&self, process: Option<Process>) -> usize {
        let mut state = self.lock();
        state.busy -= 1;
        state.idle.extend(process);
        self.returned.notify_one();
        state.busy
    }

    pub(super) fn end_idle(&self) {
        let ended = std::mem::take(&mut self.lock().idle);
        drop(ended);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
