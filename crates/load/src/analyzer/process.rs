//! The parent's side of a worker process.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{self, BufReader, BufWriter};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use foreword_chunk::{Analysis, ParseOutcome};

use super::job::{BatchLimits, Job};
use super::watch::Watch;
use super::wire::{Batch, read_analysis, read_greeting, version};
use super::worker::{OUT_OF_MEMORY, PANICKED, TIMED_OUT};

/// How often a worker is started that ends before its greeting: another program may have killed it.
const STARTS: usize = 2;

/// Maximum time from the start to the greeting.
const START_TIME: Duration = Duration::from_secs(30);

/// Maximum time for an answer: a multiple of the processor time that the text may take, and some more. Only a process
/// that does nothing exceeds it, even on a busy machine.
const TIME_FACTOR: u32 = 8;
const TIME_ADDED: Duration = Duration::from_secs(10);

/// A link to the running program, on Linux.
const THIS_PROGRAM: &str = "/proc/self/exe";

/// The command line of a worker: a program whose `main` calls [`run_worker`](super::run_worker) if it receives `args`
/// and then a version, which programs of other versions need not understand.
#[derive(Clone, Debug)]
pub struct WorkerCommand {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
}

impl WorkerCommand {
    /// The running program, with `args`. The greeting tells whether it is another version by now.
    pub fn this_program(args: &[&str]) -> Self {
        // The program's path may be replaced or gone by now; the link leads to the running file.
        let link = PathBuf::from(THIS_PROGRAM);
        let program = match cfg!(target_os = "linux") && link.exists() {
            true => Ok(link),
            false => std::env::current_exe(),
        };
        // Without `/proc`, the name by which it was started is left; a bare name is searched in PATH.
        let named = || std::env::args_os().next().unwrap_or_default().into();
        let program = program.unwrap_or_else(|_| named());
        Self { program, args: args.iter().map(OsString::from).collect() }
    }
}

/// A worker process. Dropping it ends the process.
pub(super) struct Process {
    watch: Arc<Watch>,
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
    /// Starts a worker. The error is of the kind `Unsupported` if the program is no worker of this version.
    pub(super) fn start(command: &WorkerCommand) -> io::Result<Self> {
        let mut starts = 0;
        loop {
            starts += 1;
            match Self::try_start(command) {
                Err(it) if it.kind() == io::ErrorKind::UnexpectedEof && starts < STARTS => {}
                Err(it) if it.kind() == io::ErrorKind::UnexpectedEof => {
                    return Err(io::Error::other("the process ends at once"));
                }
                result => return result,
            }
        }
    }

    fn try_start(command: &WorkerCommand) -> io::Result<Self> {
        let mut process = Command::new(&command.program);
        process.args(&command.args).arg(version()).stdin(Stdio::piped()).stdout(Stdio::piped());
        // The messages of an aborting grammar do not help a user.
        process.stderr(Stdio::null());
        detach_from_terminal(&mut process);
        name(&mut process, &command.program);
        let mut child = process.spawn()?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let watch = Watch::start(child)?;
        let (Some(input), Some(output)) = (input, output) else {
            return Err(io::Error::other("a process without pipes"));
        };
        let mut res = Self {
            watch,
            input: BufWriter::with_capacity(64 << 10, input),
            output: BufReader::with_capacity(64 << 10, output),
            documents: BTreeSet::new(),
        };
        res.watch.expect_answer(START_TIME);
        read_greeting(&mut res.output)?;
        res.watch.rest();
        Ok(res)
    }

    /// Analyses `jobs`; the results are in their order. After a failure the process cannot be used again.
    pub(super) fn analyze(
        &mut self,
        jobs: &[Job<'_>],
        limits: BatchLimits<'_>,
    ) -> Result<Replies, Failure> {
        self.documents.extend(jobs.iter().filter_map(|it| it.document).map(str::to_owned));
        let mut done = Replies::default();
        let longest = jobs.iter().map(|it| limits.time_of(it)).max().unwrap_or_default();
        let time = (longest + limits.shared.unwrap_or_default()) * TIME_FACTOR + TIME_ADDED;
        self.watch.expect_answer(time);
        // The worker reads a whole batch before it answers, so a full pipe cannot block both sides.
        if Batch::write(jobs, limits, &mut self.input).is_err() {
            return Err(Failure { done, reason: self.exit_reason() });
        }
        for job in jobs {
            self.watch.expect_answer(time);
            // An analysis is a part of the memory that it may take.
            match read_analysis(&mut self.output, limits.work.memory_of(job)) {
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
        self.watch.rest();
        Ok(done)
    }

    /// Whether it may have the tree of a document.
    pub(super) fn may_have(&self, document: &str) -> bool {
        self.documents.contains(document)
    }

    /// The reason why the process ended. Only what the text itself can cause is an outcome of the text: not a signal
    /// from outside, an exit between two texts, or a failed start.
    fn exit_reason(&mut self) -> ParseOutcome {
        let Ok(status) = self.watch.end() else { return ParseOutcome::Interrupted };
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
        let _ = self.watch.end();
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
    command.process_group(0);
}

/// Shows a name in the list of processes in place of the link. Others need their own: Python finds its library by it.
#[cfg(unix)]
fn name(command: &mut Command, program: &Path) {
    use std::os::unix::process::CommandExt as _;
    if program == Path::new(THIS_PROGRAM) {
        command.arg0("foreword-parser");
    }
}

#[cfg(not(unix))]
fn name(_: &mut Command, _: &Path) {}

/// Prevents a console window for each worker of an editor without a console.
#[cfg(windows)]
fn detach_from_terminal(command: &mut Command) {
    use std::os::windows::process::CommandExt as _;
    const CREATE_NO_WINDOW: u32 = 0x0800_0000;
    command.creation_flags(CREATE_NO_WINDOW);
}

#[cfg(not(any(unix, windows)))]
fn detach_from_terminal(_: &mut Command) {}
