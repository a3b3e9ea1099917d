//! The worker process: reads batches from standard input and writes analyses to standard output, until the input ends.
//! A second thread ends the process if a text exceeds its limits of processor time or memory, or if nobody reads the
//! output any more: a killed parent ends no worker.
//!
//! Processor time is independent of load: on a busy machine the same texts get trees as on an idle one.

use std::io::{self, BufReader, BufWriter, Write as _};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::session::Session;
use super::wire::{Batch, LimitedJob, write_analysis, write_greeting};

/// Exit codes of a worker that stopped itself; other programs do not use them for failures.
pub(super) const TIMED_OUT: i32 = 91;
pub(super) const OUT_OF_MEMORY: i32 = 92;
/// Exit code of a worker in which a thread panicked.
pub(super) const PANICKED: i32 = 93;

/// Interval between checks of time and memory during work.
const TICK: Duration = Duration::from_millis(10);

/// A worker that holds more memory than this after its work ends and is replaced: one scanner leaks.
const MAX_RESIDENT: u64 = 512 << 20;

/// Parsers recurse little, but deep trees must not overflow the stack.
const STACK: usize = 16 << 20;

/// Runs a worker on standard input and output until the input ends.
pub fn run_worker() -> io::Result<()> {
    disable_core_dumps();
    let limits = Arc::new(Limits::default());
    let watched = Arc::clone(&limits);
    std::thread::Builder::new().name("limits".to_owned()).spawn(move || watched.watch())?;
    let work = std::thread::Builder::new().stack_size(STACK).spawn(move || work(&limits))?;
    work.join().unwrap_or_else(|_| {
        end(PANICKED);
        Err(io::Error::other("the parser panicked"))
    })
}

fn work(limits: &Limits) -> io::Result<()> {
    let mut input = BufReader::new(io::stdin().lock());
    let mut output = BufWriter::new(io::stdout().lock());
    let mut session = Session::default();
    write_greeting(&mut output)?;
    while let Some(batch) = Batch::read(&mut input)? {
        let mut shared = batch.shared;
        limits.begin_batch();
        for it in batch.jobs() {
            let start = limits.begin_text(&it, shared);
            let analysis = session.analyze(&it.job);
            let time = Duration::from_micros(processor_time().saturating_sub(start));
            let taken = time.saturating_sub(it.time).min(shared);
            shared -= taken;
            write_analysis(&analysis, taken, &mut output)?;
            // The next text may end the process; the first unanswered text is blamed.
            output.flush()?;
        }
        limits.end_batch();
        if memory() > MAX_RESIDENT {
            break;
        }
    }
    Ok(())
}

/// Limits of the current text.
#[derive(Default)]
struct Limits {
    is_busy: Mutex<bool>,
    changed: Condvar,
    /// Maximum processor time of the process, in microseconds.
    time: AtomicU64,
    /// Maximum memory of the process, in bytes.
    memory: AtomicU64,
    /// Memory of the process at the start of the batch.
    memory_before: AtomicU64,
}

impl Limits {
    fn begin_batch(&self) {
        self.memory_before.store(memory(), Relaxed);
        self.memory.store(u64::MAX, Relaxed);
        self.time.store(u64::MAX, Relaxed);
        *self.busy() = true;
        self.changed.notify_one();
    }

    /// The text may take its own time and what is left of the shared one. Returns the processor time now.
    fn begin_text(&self, it: &LimitedJob<'_>, shared: Duration) -> u64 {
        let now = processor_time();
        self.time.store(now + (it.time + shared).as_micros() as u64, Relaxed);
        self.memory.store(self.memory_before.load(Relaxed) + it.memory, Relaxed);
        now
    }

    fn end_batch(&self) {
        *self.busy() = false;
    }

    fn busy(&self) -> MutexGuard<'_, bool> {
        self.is_busy.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the process if a text exceeds its limits.
    fn watch(&self) {
        loop {
            drop(self.changed.wait_while(self.busy(), |it| !*it));
            std::thread::sleep(TICK);
            let is_busy = *self.busy();
            if is_busy && processor_time() > self.time.load(Relaxed) {
                end(TIMED_OUT);
            }
            if is_busy && memory() > self.memory.load(Relaxed) {
                end(OUT_OF_MEMORY);
            }
            if is_busy && is_output_closed() {
                end(0);
            }
        }
    }
}

#[expect(clippy::exit, reason = "the thread that parses cannot be stopped in another way")]
fn end(code: i32) {
    std::process::exit(code);
}

/// Whether the parent closed its end of the pipe, or ended. The system could also be asked to kill a worker with its
/// parent (`PR_SET_PDEATHSIG`), but on Linux only, and it would do so when the thread ends that started the worker.
#[cfg(unix)]
fn is_output_closed() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let output = io::stdout();
    let mut output = [PollFd::new(&output, PollFlags::empty())];
    let _ = poll(&mut output, Some(&Timespec { tv_sec: 0, tv_nsec: 0 }));
    output[0].revents().intersects(PollFlags::ERR | PollFlags::HUP)
}

/// Elsewhere the next answer fails, at the latest when the current text exceeds its limits.
#[cfg(not(unix))]
fn is_output_closed() -> bool {
    false
}

/// Physical memory of this process in bytes; 0 if the system does not report it.
fn memory() -> u64 {
    memory_stats::memory_stats().map_or(0, |it| it.physical_mem as u64)
}

/// Processor time of this process in microseconds.
#[cfg(unix)]
fn processor_time() -> u64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as u64 * 1_000_000 + time.tv_nsec as u64 / 1000
}

/// Time since the start of the process, on systems where processor time is unavailable.
#[cfg(not(unix))]
fn processor_time() -> u64 {
    static START: std::sync::LazyLock<std::time::Instant> =
        std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed().as_micros() as u64
}

/// Disables core dumps: an abort of a parser is expected, and its memory contains the user's code.
#[cfg(unix)]
fn disable_core_dumps() {
    let none = rustix::process::Rlimit { current: Some(0), maximum: Some(0) };
    let _ = rustix::process::setrlimit(rustix::process::Resource::Core, none);
}

#[cfg(not(unix))]
fn disable_core_dumps() {}
