//! The limits that a shell sets for its programs (`ulimit`). Where they leave too little, commands end with a sentence.

use std::process::ExitCode;

/// The stack that commands are written for.
#[cfg(unix)]
const STACK: usize = 8 << 20;

/// Runs the program within the limits of the shell.
#[cfg(unix)]
pub(crate) fn run(program: fn() -> ExitCode) -> ExitCode {
    use rustix::process::{Resource, getrlimit};
    if getrlimit(Resource::Fsize).current.is_some() {
        report_large_files();
    }
    if getrlimit(Resource::Stack).current.is_none_or(|it| it >= STACK as u64) {
        return program();
    }
    // The stack of a thread is not limited.
    let thread = std::thread::Builder::new().name("main".to_owned()).stack_size(STACK);
    match thread.spawn(program) {
        Ok(thread) => thread.join().unwrap_or(ExitCode::from(101)),
        Err(_) => program(),
    }
}

/// Makes writing more than the limit (`ulimit -f`) an error. By default it is a signal that ends the process.
#[cfg(unix)]
fn report_large_files() {
    use tokio::signal::unix::{SignalKind, signal};
    const XFSZ: i32 = rustix::process::Signal::XFSZ.as_raw();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
    // The handler stays for the life of the process.
    let handler = runtime.map(|it| it.block_on(async { signal(SignalKind::from_raw(XFSZ)) }));
    if !matches!(handler, Ok(Ok(_))) {
        tracing::debug!("files above the limit of the shell end this process");
    }
}

#[cfg(not(unix))]
pub(crate) fn run(program: fn() -> ExitCode) -> ExitCode {
    program()
}

/// Fails if `n` threads cannot be started, before something panics for want of them.
pub(crate) fn check_threads(n: usize) -> anyhow::Result<()> {
    use anyhow::Context as _;
    let (hold, held) = crossbeam_channel::bounded::<()>(0);
    let mut threads = Vec::new();
    for _ in 0..n {
        let held = held.clone();
        let thread = std::thread::Builder::new().spawn(move || held.recv().is_ok());
        threads.push(thread.context(
            "cannot start a thread; end other programs, or raise the limits of processes \
             (`ulimit -u`) and memory (`ulimit -v`)",
        )?);
    }
    drop(hold);
    threads.into_iter().for_each(|it| drop(it.join()));
    Ok(())
}
