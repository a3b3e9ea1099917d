//! Ends a worker process that does not answer.
//!
//! The limits of processor time end a text that takes too long. They cannot end a process that does nothing: one that
//! was stopped, or is stuck in the system. A thread for each process watches it while an answer is awaited, in short
//! ticks: it ends a stopped process at once, any other when the answer is late. Time in which this program is itself
//! stopped, or the machine asleep, counts as one tick.

use std::io;
use std::process::{Child, ExitStatus};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Interval of looks at a process that has to answer.
const TICK: Duration = Duration::from_millis(100);

/// The thread needs little more than a condition variable.
const STACK: usize = 64 << 10;

/// A child process that has to answer in time.
pub(super) struct Watch {
    child: Mutex<Child>,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// Ticks until the answer is late; `None` if none is awaited.
    left: Option<u64>,
    /// Whether the thread waits to be notified.
    is_idle: bool,
    is_over: bool,
}

impl Watch {
    /// Watches a process, which is ended if the thread cannot be started.
    pub(super) fn start(child: Child) -> io::Result<Arc<Self>> {
        let (state, changed) = (Mutex::default(), Condvar::new());
        let res = Arc::new(Self { child: Mutex::new(child), state, changed });
        let watch = Arc::clone(&res);
        let thread = std::thread::Builder::new().name("watch-parser".to_owned()).stack_size(STACK);
        thread.spawn(move || watch.run()).inspect_err(|_| drop(res.end()))?;
        Ok(res)
    }

    /// The process has to answer within `time`.
    pub(super) fn expect_answer(&self, time: Duration) {
        let mut state = lock(&self.state);
        state.left = Some((time.as_millis() / TICK.as_millis()) as u64);
        if state.is_idle {
            self.changed.notify_one();
        }
    }

    /// No answer is awaited any more.
    pub(super) fn rest(&self) {
        lock(&self.state).left = None;
    }

    /// Ends the process.
    pub(super) fn end(&self) -> io::Result<ExitStatus> {
        lock(&self.state).is_over = true;
        self.changed.notify_one();
        let mut child = lock(&self.child);
        let _ = child.kill();
        child.wait()
    }

    fn run(&self) {
        let mut state = lock(&self.state);
        while !state.is_over {
            state.is_idle = state.left.is_none();
            if state.is_idle {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            state =
                self.changed.wait_timeout(state, TICK).unwrap_or_else(PoisonError::into_inner).0;
            state.left = state.left.map(|it| it.saturating_sub(1));
            if state.left.is_some_and(|it| it == 0 || is_stopped(&lock(&self.child))) {
                state.is_over = true;
                // The reader finds the end of the output.
                let _ = lock(&self.child).kill();
            }
        }
    }
}

/// Whether somebody stopped the process.
#[cfg(all(unix, not(any(target_os = "openbsd", target_os = "redox", target_os = "cygwin"))))]
fn is_stopped(child: &Child) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::STOPPED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let status = waitid(WaitId::Pid(Pid::from_child(child)), options);
    status.is_ok_and(|it| it.is_some_and(|it| it.stopped()))
}

#[cfg(not(all(unix, not(any(target_os = "openbsd", target_os = "redox", target_os = "cygwin")))))]
fn is_stopped(_: &Child) -> bool {
    false
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(all(test, unix))]
mod tests {
    use std::io::Read as _;
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn a_process_that_is_late_or_stopped_is_killed() {
        for (line, time) in [("exec sleep 1000", 300), ("kill -STOP $$", 1_000_000)] {
            let mut process = Command::new("sh");
            let mut child = process.args(["-c", line]).stdout(Stdio::piped()).spawn().unwrap();
            let mut output = child.stdout.take().unwrap();
            let watch = Watch::start(child).unwrap();
            watch.expect_answer(Duration::from_millis(time));
            assert_eq!(output.read(&mut [0]).unwrap(), 0, "{line}");
            assert_eq!(watch.end().unwrap().code(), None, "{line}");
        }
    }

    #[test]
    fn a_process_that_rests_is_left_alone() {
        let mut process = Command::new("cat");
        let mut child = process.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let input = child.stdin.take().unwrap();
        let watch = Watch::start(child).unwrap();
        for _ in 0..3 {
            watch.expect_answer(Duration::from_hours(1));
            watch.rest();
        }
        std::thread::sleep(TICK * 3);
        assert!(lock(&watch.child).try_wait().unwrap().is_none());
        drop(input);
        assert!(lock(&watch.child).wait().unwrap().success());
    }
}
