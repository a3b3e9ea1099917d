//! Parses texts in worker processes.
//!
//! Grammars are C code. A text may make one of them abort, loop for ever, or take all memory, and nothing inside a
//! process can stop that. So texts go to worker processes of the same program, in batches, and analyses come back. If a
//! worker dies or exceeds its limits, the current text gets no syntax tree but a reason
//! ([`ParseOutcome`](foreword_chunk::ParseOutcome)), which the index stores with the text's hash.
//!
//! A round of indexing is short: its texts share the time for expensive ones ([`Round`]), and a text that stops a worker
//! is deferred. What counts for such a text is a parse with the full limits, alone in a fresh worker
//! ([`Analyzer::parse_deferred`]), so that the outcome depends neither on other texts nor on the number of threads. A
//! worker that somebody kills gives no outcome at all.
//!
//! * `job`: texts to analyse. `session`: analyses texts one after the other, and keeps trees of open documents.
//! * `wire`: batches and analyses as bytes. `worker`: the worker process and its watchdog. `process`: the parent's side.
//! * `pool`: the running processes. `watch`: ends those that do not answer.
//! * `round`: the time that a round's texts share. `deferred`: the analyses of deferred texts.
//!
//! Libraries and tests without a program to start use [`Analyzer::in_process`].

mod deferred;
mod job;
mod pool;
mod process;
mod round;
mod session;
mod watch;
mod wire;
mod worker;

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::panic::AssertUnwindSafe;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use foreword_chunk::{Analysis, ParseOutcome};

use self::deferred::AnalysisStore;
use self::job::BatchLimits;
pub use self::job::{Job, WorkLimits};
use self::pool::Pool;
pub use self::process::WorkerCommand;
use self::process::{Failure, Process, Replies};
pub(crate) use self::round::Round;
use self::session::Session;
pub use self::worker::run_worker;

/// Number of times a text is sent if its worker ends for a reason that may lie outside of the text.
const ATTEMPTS: usize = 3;

/// After stopping a worker, a document has no syntax tree for this long.
const COOLDOWN: Duration = Duration::from_secs(10);

const NO_PROGRAM: &str = "no program that parses is known";

/// Analyses texts. One instance serves the whole process. The default parses in the process itself.
#[derive(Default)]
pub struct Analyzer {
    command: Option<WorkerCommand>,
    limits: WorkLimits,
    /// Workers for files; they end when indexing ends.
    files: Pool,
    /// Workers for open documents, which do not wait for files, and whose trees are kept.
    documents: Pool,
    /// Analyses texts in this process.
    session: Mutex<Session>,
    /// Documents that stopped a worker, with the time.
    stopped: Mutex<HashMap<String, Instant>>,
    /// Analyses of texts that a round had deferred.
    deferred: AnalysisStore,
    /// Why a text was parsed in this process although there is a command.
    fallback: Mutex<Option<io::Error>>,
}

impl fmt::Debug for Analyzer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Analyzer").field("command", &self.command).finish_non_exhaustive()
    }
}

impl Analyzer {
    /// Parses in this process, without protection from grammars.
    pub fn in_process() -> Self {
        Self::default()
    }

    /// Parses in processes started by `command`, or in this process if none can be started.
    pub fn in_workers(command: WorkerCommand) -> Self {
        Self { command: Some(command), ..Self::default() }
    }

    /// Replaces the limits.
    #[must_use]
    pub fn with_limits(self, limits: WorkLimits) -> Self {
        Self { limits, ..self }
    }

    /// Starts a worker and lets it parse a line; the error gives the reason for a failure.
    pub fn check(&self) -> io::Result<()> {
        let none = || io::Error::new(io::ErrorKind::NotFound, NO_PROGRAM);
        let command = self.command.as_ref().ok_or_else(none)?;
        let failed = |it: Failure| io::Error::other(it.reason.code());
        let limits = BatchLimits { work: &self.limits, shared: None };
        Process::start(command)?.analyze(&[Job::plain("\n")], limits).map_err(failed)?;
        Ok(())
    }

    /// A new round of indexing.
    pub(crate) fn round(&self) -> Round {
        Round::new(self.limits)
    }

    /// Analyses `jobs`; the results are in their order.
    pub fn analyze_all(&self, jobs: &[Job<'_>]) -> Vec<Analysis> {
        self.analyze_with(jobs, |jobs| {
            let limits = BatchLimits { work: &self.limits, shared: None };
            let replies = self.analyze_in_worker(jobs, limits)?;
            Some(replies.map(|it| it.analyses).map_err(|it| (it.done.analyses, it.reason)))
        })
    }

    /// Analyses the texts of a round; the results are in their order. Texts that stop a worker are deferred.
    pub(crate) fn analyze_round(&self, jobs: &[Job<'_>], round: &Round) -> Vec<Analysis> {
        self.analyze_with(jobs, |jobs| {
            let Some(shared) = round.reserve() else {
                return Some(Err((Vec::new(), ParseOutcome::Deferred)));
            };
            let limits = BatchLimits { work: &self.limits, shared: Some(shared) };
            match self.analyze_in_worker(jobs, limits)? {
                Ok(Replies { analyses, taken }) => {
                    round.give_back(shared.saturating_sub(taken));
                    Some(Ok(analyses))
                }
                Err(Failure { done, reason: ParseOutcome::Interrupted }) => {
                    round.give_back(shared.saturating_sub(done.taken));
                    Some(Err((done.analyses, ParseOutcome::Interrupted)))
                }
                Err(Failure { done, .. }) => {
                    round.waste(limits.time_of(&jobs[done.analyses.len()]));
                    Some(Err((done.analyses, ParseOutcome::Deferred)))
                }
            }
        })
    }

    /// Analyses `jobs` by `send`, which gets the texts without an analysis, and returns those of the first, and the
    /// reason why the next one has none; `None` if no worker can be started. After a failure a text is sent alone.
    fn analyze_with(
        &self,
        jobs: &[Job<'_>],
        send: impl Fn(&[Job<'_>]) -> Option<Result<Vec<Analysis>, (Vec<Analysis>, ParseOutcome)>>,
    ) -> Vec<Analysis> {
        let mut res = Vec::with_capacity(jobs.len());
        let mut attempts = 0;
        while res.len() < jobs.len() {
            let left = &jobs[res.len()..];
            let left = if attempts == 0 { left } else { &left[..1] };
            match send(left) {
                None => res.extend(left.iter().map(|it| self.analyze_here(it))),
                Some(Ok(analyses)) => {
                    res.extend(analyses);
                    attempts = 0;
                }
                Some(Err((done, reason))) => {
                    attempts = if done.is_empty() { attempts + 1 } else { 1 };
                    res.extend(done);
                    let may_be_foreign =
                        matches!(reason, ParseOutcome::Crashed | ParseOutcome::Interrupted);
                    if !may_be_foreign || attempts == ATTEMPTS {
                        res.extend(jobs.get(res.len()).map(|it| without_tree(it, reason)));
                        attempts = 0;
                    }
                }
            }
        }
        res
    }

    /// Analyses an open document. After a version that stopped the parser, the next ones have no syntax tree for a
    /// while: most of them would stop it, too.
    pub fn analyze_document(&self, job: &Job<'_>) -> Analysis {
        let Some(name) = job.document else { return self.analyze(job) };
        let is_stopped = |it: &Instant| it.elapsed() < COOLDOWN;
        if lock(&self.stopped).get(name).is_some_and(is_stopped) {
            return without_tree(job, ParseOutcome::TimedOut);
        }
        let analysis = self.analyze(job);
        let mut stopped = lock(&self.stopped);
        stopped.retain(|_, at| is_stopped(at));
        if matches!(analysis.outcome, ParseOutcome::TimedOut | ParseOutcome::OutOfMemory) {
            stopped.insert(name.to_owned(), Instant::now());
        }
        analysis
    }

    /// Analyses one text.
    pub fn analyze(&self, job: &Job<'_>) -> Analysis {
        let analyses = self.analyze_all(std::slice::from_ref(job));
        analyses.into_iter().next().unwrap_or_else(|| without_tree(job, ParseOutcome::Interrupted))
    }

    /// Ends idle processes for files.
    pub fn end_idle(&self) {
        self.files.end_idle();
    }

    /// Why texts are parsed in this process, without protection; `None` if there was no need for it.
    pub fn fallback(&self) -> Option<String> {
        match self.command {
            Some(_) => lock(&self.fallback).as_ref().map(ToString::to_string),
            None => Some(NO_PROGRAM.to_owned()),
        }
    }

    /// `None` if no process can be started.
    fn analyze_in_worker(
        &self,
        jobs: &[Job<'_>],
        limits: BatchLimits<'_>,
    ) -> Option<Result<Replies, Failure>> {
        let command = self.command.as_ref()?;
        if lock(&self.fallback).as_ref().is_some_and(|it| it.kind() == io::ErrorKind::Unsupported) {
            return None;
        }
        let document = jobs.first().and_then(|it| it.document);
        let pool = if document.is_some() { &self.documents } else { &self.files };
        let run = pool.run(command, document, |process| process.analyze(jobs, limits));
        run.map_err(|error| *lock(&self.fallback) = Some(error)).ok()
    }

    fn analyze_here(&self, job: &Job<'_>) -> Analysis {
        // Unlocked while it parses, so that other documents do not wait.
        let analyze = || {
            let before = lock(&self.session).take(job);
            let (analysis, document) = session::analyze(job, before);
            lock(&self.session).keep(document);
            analysis
        };
        let analysis = std::panic::catch_unwind(AssertUnwindSafe(analyze));
        analysis.unwrap_or_else(|_| without_tree(job, ParseOutcome::Crashed))
    }
}

/// The analysis of a text whose parse failed.
fn without_tree(job: &Job<'_>, outcome: ParseOutcome) -> Analysis {
    Analysis::without_tree(job.text.as_bytes(), job.language, outcome, &job.config)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
