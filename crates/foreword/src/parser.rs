//! The processes in which texts are parsed: this program, started with a command that is not for users.

use std::process::ExitCode;
use std::sync::Arc;

use foreword_load::{Analyzer, WorkerCommand, run_worker};

/// The command that makes this program a worker.
const COMMAND: &str = "parse-worker";

/// Parses in workers; in this process where the program cannot be found again.
pub(crate) fn analyzer() -> Arc<Analyzer> {
    let command = WorkerCommand::this_program(&[COMMAND]);
    Arc::new(command.map_or_else(|_| Analyzer::in_process(), Analyzer::in_workers))
}

/// Works until the input ends, if this process was started as a worker. It is asked before anything else, so that
/// workers start fast.
pub(crate) fn run_if_worker() -> Option<ExitCode> {
    let mut args = std::env::args_os().skip(1);
    let is_worker = args.next().is_some_and(|it| it == COMMAND) && args.next().is_none();
    is_worker.then(|| match run_worker() {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    })
}
