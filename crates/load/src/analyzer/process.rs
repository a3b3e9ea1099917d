//! The parent's side of a worker process.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{self, BufReader, BufWriter};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::Duration;

use foreword_chunk::{Analysis, ParseOutcome};

use super::job::{BatchLimits, Job};
use super::wire::{Batch, read_analysis};
use super::worker::{OUT_OF_MEMORY, PANICKED, TIMED_OUT};

/// The command line of a worker: a program whose `main` calls [`run_worker`](super::run_worker) if it receives `args`.
#[derive(Clone, Debug)]
pub struct WorkerCommand {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
}

impl WorkerCommand {
    /// The running program, with `args`.
    pub fn this_program(args: &[&str]) -> io::Result<Self> {
        // The program's path may be replaced or gone by now; the link leads to the running file.
        let link = PathBuf::from("/proc/self/exe");
        let program = if cfg!(target_os = "linux") && link.exists() {
            link
        } else {
            std::env::current_exe()?
        };
        Ok(Self { program, args: args.iter().map(OsString::from).collect() })
    }
}

/// A worker process. Dropping it ends the process.
pub(super) struct Process {
    child: Child,
    input: BufWriter<ChildStdin>,
    output: BufReader<ChildStdout>,
    /// Documents whose trees it may have.
    documents: BTreeSet<String>,
}

/// The analyses of a batch.
#[derive(Default)]
pub(super) struct Replies {
    pub(super) analyses: Vec<Analysis>,
    /// What they took of the shared time.
    pub(super) taken: Duration,
}

/// An unfinished batch.
pub(super) struct Failure {
    /// The replies before the text that failed.
    pub(super) done: Replies,
    /// The outcome for that text.
    pub(super) reason: ParseOutcome,
}

impl Process {
    pub(super) fn start(command: &WorkerCommand) -> io::Result<Self> {
        let mut process = Command::new(&command.program);
        process.args(&command.args).stdin(Stdio::piped()).stdout(Stdio::piped());
        // The messages of an aborting grammar do not help a user.
        process.stderr(Stdio::null());
        detach_from_terminal(&mut process);
        let mut child = process.spawn()?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (Some(input), Some(output)) = (input, output) else {
            return Err(io::Error::other("a process without pipes"));
        };
        Ok(Self {
            child,
            input: BufWriter::with_capacity(64 << 10, input),
            output: BufReader::with_capacity(64 << 10, output),
            documents: BTreeSet::new(),
        })
    }

    /// Analyses `jobs`; the results are in their order. After a failure the process cannot be used again.
    pub(super) fn analyze(
        &mut self,
        jobs: &[Job<'_>],
        limits: BatchLimits<'_>,
    ) -> Result<Replies, Failure> {
        self.documents.extend(jobs.iter().filter_map(|it| it.document).map(str::to_owned));
        let mut done = Replies::default();
        // The worker reads a whole batch before it answers, so a full pipe cannot block both sides.
        if Batch::write(jobs, limits, &mut self.input).is_err() {
            return Err(Failure { done, reason: self.exit_reason() });
        }
        for job in jobs {
            match read_analysis(&mut self.output) {
                Ok((analysis, taken)) if analysis.fits(job.text) => {
                    done.analyses.push(analysis);
                    done.taken += taken;
                }
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                    return Err(Failure { done, reason: self.exit_reason() });
                }
                // A parser that wrote over its process's memory.
                _ => return Err(Failure { done, reason: ParseOutcome::Crashed }),
            }
        }
        Ok(done)
    }

    /// Whether it may have the tree of a document.
    pub(super) fn may_have(&self, document: &str) -> bool {
        self.documents.contains(document)
    }

    /// The reason why the process ended. Only what the text itself can cause is an outcome of the text: not a signal
    /// from outside, an exit between two texts, or a failed start.
    fn exit_reason(&mut self) -> ParseOutcome {
        let _ = self.child.kill();
        let Ok(status) = self.child.wait() else { return ParseOutcome::Interrupted };
        match status.code() {
            Some(TIMED_OUT) => ParseOutcome::TimedOut,
            Some(OUT_OF_MEMORY) => ParseOutcome::OutOfMemory,
            Some(PANICKED) => ParseOutcome::Crashed,
            _ if is_fault(status) => ParseOutcome::Crashed,
            _ => ParseOutcome::Interrupted,
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether code that runs in a process ended it: an abort, or an invalid access or instruction. Other signals come from
/// outside: from the system that is short of memory, a limit of the shell, a user.
#[cfg(unix)]
fn is_fault(status: ExitStatus) -> bool {
    use rustix::process::Signal;
    use std::os::unix::process::ExitStatusExt as _;
    let faults = [Signal::SEGV, Signal::ABORT, Signal::BUS, Signal::ILL, Signal::FPE, Signal::TRAP];
    status.signal().is_some_and(|it| faults.iter().any(|fault| fault.as_raw() == it))
}

/// On Windows exceptions are negative codes; 3 is an abort of C. Somebody who ends a process gives another.
#[cfg(not(unix))]
fn is_fault(status: ExitStatus) -> bool {
    status.code().is_some_and(|it| it < 0 || it == 3)
}

/// The parent handles an interrupt from the keyboard, and ends its workers itself.
#[cfg(unix)]
fn detach_from_terminal(command: &mut Command) {
    use std::os::unix::process::CommandExt as _;
    command.process_group(0).arg0("foreword-parser");
}

/// Prevents a console window for each worker of an editor without a console.
#[cfg(windows)]
fn detach_from_terminal(command: &mut Command) {
    use std::os::windows::process::CommandExt as _;
    const CREATE_NO_WINDOW: u32 = 0x0800_0000;
    command.creation_flags(CREATE_NO_WINDOW);
}

#[cfg(not(any(unix, windows)))]
fn detach_from_terminal(_: &mut Command) {}
