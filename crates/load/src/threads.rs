//! The threads on which files are read and snapshots are searched. A limit of the shell or container (`ulimit -u`,
//! `ulimit -v`) may leave fewer than there are cores, or none.

use std::io;
use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};
use std::thread::Builder;

use rayon::{ThreadBuilder, ThreadPool, ThreadPoolBuilder};

/// Starts the threads that the whole process shares, unless they run: one for each core, or as many as there can be.
/// Called before their first use, which would panic if one of them could not be started.
pub(crate) fn start_shared() -> io::Result<()> {
    static IS_STARTED: Mutex<bool> = Mutex::new(false);
    let mut is_started = IS_STARTED.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if *is_started {
        return Ok(());
    }
    // The pool cannot be built a second time, so the threads come first.
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut threads = Vec::new();
    for _ in 0..cores {
        match waiting_thread() {
            Ok(thread) => threads.push(thread),
            Err(error) if threads.is_empty() => return Err(error),
            Err(_) => break,
        }
    }
    let pool = ThreadPoolBuilder::new().num_threads(threads.len()).spawn_handler(|work| {
        let thread = threads.pop().ok_or(io::ErrorKind::WouldBlock)?;
        thread.send(work).map_err(|_| io::ErrorKind::BrokenPipe.into())
    });
    // A program that embeds this library may have built it already.
    let _ = pool.build_global();
    *is_started = true;
    Ok(())
}

/// Starts a thread that waits for the work of a pool.
fn waiting_thread() -> io::Result<Sender<ThreadBuilder>> {
    let (sender, receiver) = channel::<ThreadBuilder>();
    let run = move || receiver.recv().into_iter().for_each(ThreadBuilder::run);
    Builder::new().name("shared".to_owned()).spawn(run)?;
    Ok(sender)
}

/// A pool of `threads` threads, 0 for one per core, with stacks of `stack` bytes; fewer if not all can be started.
pub(crate) fn pool(threads: usize, stack: usize) -> io::Result<ThreadPool> {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let mut threads = if threads == 0 { cores() } else { threads };
    loop {
        match ThreadPoolBuilder::new().num_threads(threads).stack_size(stack).build() {
            Err(_) if threads > 1 => threads /= 2,
            result => return result.map_err(io::Error::other),
        }
    }
}
