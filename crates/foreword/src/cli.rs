//! The command line: arguments in, text or JSON out, stable exit codes.
//!
//! Exit codes: 0 success; 1 nothing found, or only partly done; 2 usage or configuration error; 3 internal error;
//! 130 ended by Ctrl-C.

mod args;
mod ask;
mod chunk;
mod clean;
mod complete;
mod config;
mod context;
mod doctor;
mod embed;
mod feedback;
mod hook;
mod index;
mod map;
mod next;
mod output;
mod position;
mod push;
mod search;
mod serve;
mod setup;
mod speculate;
mod status;
mod symbols;
mod workspace;

use std::io::IsTerminal as _;
use std::num::{IntErrorKind, ParseIntError};
use std::process::ExitCode;
use std::sync::Arc;

use clap::{CommandFactory as _, FromArgMatches as _};
use foreword_session::usage::{UsageError, usage};
use tracing::level_filters::LevelFilter;

use crate::limits::{allocator, shell};
use crate::mcp::PushedRepositories;
use crate::serve::MOST_KEPT;
use crate::{logging, parser};
use args::{Args, Command, LogLevel};

/// Outcome of a command without an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// Exit code 0.
    Done,
    /// Exit code 1: nothing found, or only partly done.
    Nothing,
}

/// Runs the command of the process's arguments.
pub fn main() -> ExitCode {
    if let Some(code) = parser::run_if_worker() {
        return code;
    }
    shell::run(command)
}

/// Runs the command of the process's arguments, unless they make it a worker.
fn command() -> ExitCode {
    let mut args = match parse() {
        Ok(args) => args,
        Err(error) => {
            print_wrong_use(&error);
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    if is_server(&args.command) {
        allocator::return_large_buffers();
    }
    logging::start(log_level(&args));
    match run(&mut args) {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Nothing) => ExitCode::from(1),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::error(&error);
            ExitCode::from(match &error {
                it if it.is::<workspace::Interruption>() => 130,
                it if is_usage_error(it) => 2,
                _ => 3,
            })
        }
    }
}

/// Prints the help, or what is wrong with the arguments: about numbers in words of our own.
fn print_wrong_use(error: &clap::Error) {
    let number = std::error::Error::source(error).and_then(|it| it.downcast_ref::<ParseIntError>());
    let Some(number) = number else {
        let _ = error.print();
        return;
    };
    let expected = match number.kind() {
        IntErrorKind::PosOverflow => "the number is too large",
        _ => "a whole number is expected, as in 20",
    };
    anstream::eprint!(
        "{}",
        error.render().ansi().to_string().replace(&number.to_string(), expected)
    );
}

fn parse() -> Result<Args, clap::Error> {
    let mut command = without_empty_variables(args::command());
    let mut matches = command.clone().try_get_matches()?;
    Args::from_arg_matches_mut(&mut matches).map_err(|it| it.format(&mut command))
}

/// Ignores environment variables that are set but empty.
fn without_empty_variables(command: clap::Command) -> clap::Command {
    let is_empty = |it: &clap::Arg| {
        it.get_env().and_then(std::env::var_os).is_some_and(|value| value.is_empty())
    };
    let without = |it: clap::Arg| match is_empty(&it) {
        true => it.env(clap::builder::Resettable::Reset),
        false => it,
    };
    command.mut_args(without).mut_subcommands(without_empty_variables)
}

fn run(args: &mut Args) -> anyhow::Result<Outcome> {
    // Whatever is wrong with the settings must not keep a shell from its command.
    if let Command::Hook = args.command {
        return hook::run();
    }
    let settings = config::Settings::new(&args.global)?;
    if let Some(outcome) = workspace::answer_seeded(&mut args.command, &settings)? {
        return Ok(outcome);
    }
    match &args.command {
        Command::Index(it) => index::run(it, &settings),
        Command::Search(it) => search::run(it, &settings),
        Command::Ask(it) => ask::run(it, &settings),
        Command::Context(it) => context::run(it, &settings),
        Command::Complete(it) => complete::run(it, &settings),
        Command::Symbols(it) => symbols::run(it, &settings),
        Command::Map(it) => map::run(it, &settings),
        Command::Next(it) => next::run(it, &settings),
        Command::Feedback(it) => feedback::run(it, &settings),
        Command::Chunk(it) => chunk::run(it, &settings),
        Command::Skeleton(it) => chunk::skeleton::run(it, &settings),
        Command::Speculate(it) => speculate::run(it, &settings),
        Command::Embed(it) => embed::run(it, &settings),
        Command::Push(it) => push::run(it, &settings),
        Command::Status(it) => status::run(it, &settings),
        Command::Doctor(it) => doctor::run(it, &settings),
        Command::Clean(it) => clean::run(it, &settings),
        Command::Config(it) => config::show::run(it, &settings),
        Command::Setup(it) => setup::run(it, &settings),
        Command::Mcp(it) => mcp(it, &settings),
        Command::Hook => Ok(Outcome::Done),
        Command::Serve(it) => serve::run(it, &settings),
        Command::Lsp => lsp(&settings),
        Command::Completions { shell } => {
            output::bytes(args::completions::script(*shell).as_bytes())
        }
        Command::Man => {
            let mut out = Vec::new();
            args::manual::render(&Args::command(), &mut out)?;
            output::bytes(&out)
        }
    }
}

/// Serves an editor.
fn lsp(settings: &config::Settings) -> anyhow::Result<Outcome> {
    remark_terminal("an editor", settings);
    if settings.revision.is_some() {
        return Err(usage("--rev: an editor works on the files on disk; remove this option"));
    }
    // Editors never use vectors, so none are computed.
    let setup = foreword_session::setup::Setup { embedder: None, ..settings.setup() };
    let is_orderly = crate::lsp::serve(
        setup,
        (settings.backend(None)?, settings.edit_model()?),
        settings.shape.preset(settings.budget.value)?,
        settings.least_confidence.value,
    )?;
    Ok(if is_orderly { Outcome::Done } else { Outcome::Nothing })
}

/// Serves agents.
fn mcp(args: &args::McpArgs, settings: &config::Settings) -> anyhow::Result<Outcome> {
    remark_terminal("an agent", settings);
    for it in args.directories.iter().filter(|it| !it.exists()) {
        tracing::warn!("{} does not exist, so no agent can use it", it.display());
    }
    let (access, content) = (settings.mcp_access(args), args.content.content());
    if args.on.cluster.is_some() {
        let pushed = PushedRepositories {
            cluster: Arc::new(push::connect(&args.on, settings)?.keeping(MOST_KEPT)),
            access: push::repositories(args.on.repository.as_deref())?,
            branch: args.on.branch.clone(),
            told: |error| error,
            calls: Arc::default(),
        };
        crate::mcp::serve_cluster(pushed, content)?;
        return Ok(Outcome::Done);
    }
    settings.embedder()?;
    crate::mcp::serve(settings.setup(), settings.root.clone(), access, content)?;
    Ok(Outcome::Done)
}

/// A person who starts such a server sees nothing happen.
fn remark_terminal(client: &str, settings: &config::Settings) {
    if std::io::stdin().is_terminal() && !settings.quiet {
        output::note(&format!(
            "waiting for messages on stdin: {client} starts this command by itself (see --help); Ctrl-C ends it"
        ));
    }
}

/// The requested log level. By default servers log warnings, and other commands only print errors.
fn log_level(args: &Args) -> LevelFilter {
    match (args.global.log, &args.command) {
        (Some(LogLevel::Off), _) => LevelFilter::OFF,
        (Some(LogLevel::Error), _) => LevelFilter::ERROR,
        (Some(LogLevel::Warn), _) => LevelFilter::WARN,
        (Some(LogLevel::Info), _) => LevelFilter::INFO,
        (Some(LogLevel::Debug), _) => LevelFilter::DEBUG,
        (Some(LogLevel::Trace), _) => LevelFilter::TRACE,
        (Some(LogLevel::Json | LogLevel::Text), _) => LevelFilter::WARN,
        (None, Command::Lsp | Command::Mcp(_) | Command::Serve(_)) if args.global.quiet => {
            LevelFilter::ERROR
        }
        (None, Command::Lsp | Command::Mcp(_) | Command::Serve(_)) => LevelFilter::WARN,
        (None, _) => LevelFilter::OFF,
    }
}

/// Whether the command runs until its peer ends it.
fn is_server(command: &Command) -> bool {
    matches!(command, Command::Lsp | Command::Mcp(_) | Command::Serve(_))
}

/// `foreword … | head` must not fail.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io = error.chain().find_map(|it| it.downcast_ref::<std::io::Error>());
    io.is_some_and(|it| it.kind() == std::io::ErrorKind::BrokenPipe)
}

/// Whether the user can correct the error: exit code 2.
fn is_usage_error(error: &anyhow::Error) -> bool {
    error.chain().any(|it| {
        it.is::<UsageError>()
            || it.is::<foreword_load::LoadError>()
            || it.is::<foreword_load::SyncError>()
            || it.is::<foreword_engine::index::StoreError>()
            || it.is::<foreword_model::ModelError>()
            || it.is::<foreword_cluster::ClusterError>()
            || it.is::<foreword_engine::grep::GrepError>()
    })
}
