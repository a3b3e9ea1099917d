//! The first answers of a clone: from the cluster of the configuration, if it has the repository, while an index is built
//! in a process of its own.

use std::path::Path;
use std::process::{Command as Process, Stdio};
use std::time::Instant;

use foreword_load::Workspace;
use foreword_session::seed::{FirstIndex, PATIENCE, is_fault};

use super::{directory_of, discover, store};
use crate::cli::args::{ClusterArgs, Command};
use crate::cli::config::Settings;
use crate::cli::position::Position;
use crate::cli::{Outcome, ask, context, is_broken_pipe, output, search};

/// Answers a question in a clone without an index; `None` if it has one, or if the cluster cannot answer.
pub(in crate::cli) fn answer_seeded(
    command: &mut Command,
    settings: &Settings,
) -> anyhow::Result<Option<Outcome>> {
    let Some(cluster) = settings.config.cluster() else { return Ok(None) };
    let Some((workspace, indexing)) = without_index(command, settings)? else { return Ok(None) };
    let Some(on) = cluster_of(command) else { return Ok(None) };
    (on.cluster, on.index.is_seed) = (Some(cluster.url), true);
    (on.index.cluster_index, on.index.cluster_key) = (cluster.index, cluster.key);
    on.index.deadline = Some(Instant::now() + PATIENCE);
    let answered = match &*command {
        Command::Search(it) => search::run(it, settings),
        Command::Ask(it) => ask::run(it, settings),
        Command::Context(it) => context::run(it, settings),
        _ => return Ok(None),
    };
    let outcome = match answered {
        Ok(it) => it,
        Err(error) if is_broken_pipe(&error) => return Err(error),
        Err(error) => {
            match is_fault(&error) && !settings.quiet {
                true => output::note(&format!("an index is built first: {error:#}")),
                false => tracing::info!("the cluster cannot answer this: {error:#}"),
            }
            if let Some(on) = cluster_of(command) {
                (on.cluster, on.index.is_seed) = (None, false);
            }
            return Ok(None);
        }
    };
    if !settings.quiet {
        output::note("answered from the cluster, while an index is built here");
    }
    if indexing == FirstIndex::NotBegun {
        index_in_background(&workspace, settings);
    }
    Ok(Some(outcome))
}

/// The cluster of a command whose answer could come from one in place of an index.
fn cluster_of(command: &mut Command) -> Option<&mut ClusterArgs> {
    match command {
        Command::Search(it) => Some(&mut it.at),
        Command::Ask(it) => Some(&mut it.on),
        Command::Context(it) => Some(&mut it.on),
        _ => None,
    }
}

/// The workspace of a command that can be answered from a cluster, if it has no index.
fn without_index(
    command: &mut Command,
    settings: &Settings,
) -> anyhow::Result<Option<(Workspace, FirstIndex)>> {
    let has_model = settings.embedder()?.is_some();
    let directory = match &*command {
        // What is read from stdin cannot be read again.
        Command::Search(_) if !has_model => None,
        Command::Ask(it) if !it.stdin && !has_model => {
            let is_alone = it.evidence || it.without_model || settings.chat()?.is_none();
            if !is_alone {
                return Ok(None);
            }
            None
        }
        Command::Context(it) if !it.at.stdin && it.mix.is_none() => {
            directory_of(settings, &Position::parse(&it.at.position)?.file)
        }
        _ => return Ok(None),
    };
    let is_named = cluster_of(command).is_some_and(|it| it.cluster.is_some());
    if is_named || settings.stale || settings.revision.is_some() {
        return Ok(None);
    }
    // What is wrong is told by the command itself.
    let Ok(workspace) = discover(settings, directory.as_deref()) else { return Ok(None) };
    let store = store(settings, &workspace)?;
    Ok(FirstIndex::of(&workspace, &store).map(|it| (workspace, it)))
}

/// Starts a process that builds the index and outlives this one. Where none can be started, the next question builds it.
fn index_in_background(workspace: &Workspace, settings: &Settings) {
    let Ok(program) = std::env::current_exe() else { return };
    let mut process = Process::new(program);
    process.args(["--quiet", "index"]).arg(&workspace.root);
    if let Some(it) = &settings.setup().index_dir {
        process.arg("--index-dir").arg(it);
    }
    if settings.here {
        process.arg("--here");
    }
    process.current_dir(root_of(&workspace.root));
    process.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    #[cfg(unix)]
    // Ctrl-C in the terminal is not for it.
    std::os::unix::process::CommandExt::process_group(&mut process, 0);
    if let Err(error) = process.spawn() {
        tracing::warn!("the index is not built in the background: {error}");
    }
}

/// A directory that stays: the working directory of the command may be removed.
fn root_of(root: &Path) -> &Path {
    root.ancestors().last().unwrap_or(root)
}
