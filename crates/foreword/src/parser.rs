//! The processes in which texts are parsed: this program, started with a command that is not for users.

use std::process::ExitCode;
use std::sync::Arc;

use foreword_load::{Analyzer, WorkerCommand, run_worker};

/// The command that makes this program a worker.
const COMMAND: &str = "parse-worker";

/// Parses in workers; in this process where none of this version can be started.
pub(crate) fn analyzer() -> Arc<Analyzer> {
    Arc::new(Analyzer::in_workers(WorkerCommand::this_program(&[COMMAND])))
}

/// Works until the input ends, if this process was started as a worker. It is asked before anything else, so that
/// workers start fast.
pub(crate) fn run_if_worker() -> Option<ExitCode> {
    let mut args = std::env::args_os().skip(1);
    // The parent's version follows; it reads this one's in the greeting.
    let is_worker = args.next().is_some_and(|it| it == COMMAND) && args.count() <= 1;
    is_worker.then(|| match run_worker() {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    })
}
