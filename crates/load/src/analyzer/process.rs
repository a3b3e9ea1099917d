//! The parent's side of a worker process.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{self, BufReader, BufWriter};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use foreword_chunk::{Analysis, ParseOutcome};

use super::job::{Job, WorkLimits};
use super::wire::{Batch, read_analysis};
use super::worker::{OUT_OF_MEMORY, TIMED_OUT};

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

/// An unfinished batch.
pub(super) struct Failure {
    /// The analyses before the text that failed.
    pub(super) done: Vec<Analysis>,
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
        limits: &WorkLimits,
    ) -> Result<Vec<Analysis>, Failure> {
        self.documents.extend(jobs.iter().filter_map(|it| it.document).map(str::to_owned));
        let mut done = Vec::with_capacity(jobs.len());
        // The worker reads a whole batch before it answers, so a full pipe cannot block both sides.
        if Batch::write(jobs, limits, &mut self.input).is_err() {
            return Err(Failure { done, reason: self.exit_reason() });
        }
        for job in jobs {
            match read_analysis(&mut self.output) {
                Ok(analysis) if analysis.fits(job.text) => done.push(analysis),
                _ => return Err(Failure { done, reason: self.exit_reason() }),
            }
        }
        Ok(done)
    }

    /// Whether it may have the tree of a document.
    pub(super) fn may_have(&self, document: &str) -> bool {
        self.documents.contains(document)
    }

    /// The reason why the process ended.
    fn exit_reason(&mut self) -> ParseOutcome {
        let _ = self.child.kill();
        match self.child.wait().ok().and_then(|it| it.code()) {
            Some(TIMED_OUT) => ParseOutcome::TimedOut,
            Some(OUT_OF_MEMORY) => ParseOutcome::OutOfMemory,
            _ => ParseOutcome::Crashed,
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
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
