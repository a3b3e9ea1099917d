//! `context`: holes to the context that a model should see, beside baselines.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use foreword_engine::preset;
use foreword_evaluate::baseline::Baseline;
use foreword_evaluate::context::{self, Corpora, Detail, Protocol, Selection, SessionUse};
use foreword_evaluate::overrides::apply;
use foreword_evaluate::split::Split;

use super::write;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The tasks, one JSON object a line.
    #[arg(long, value_name = "FILE")]
    tasks: PathBuf,
    /// A directory with a bare repository for each name, at `owner+name/repo`.
    #[arg(long, value_name = "DIR")]
    git_dirs: Option<PathBuf>,
    /// The directory that the paths of tasks over directories are counted from.
    #[arg(long, value_name = "DIR")]
    dirs: Option<PathBuf>,
    /// Only this repository (may be repeated).
    #[arg(long = "repo", value_name = "NAME")]
    repos: Vec<String>,
    /// Which repositories.
    #[arg(long, value_enum, default_value = "all")]
    split: Split,
    /// Only tasks whose id holds this (may be repeated).
    #[arg(long = "id", value_name = "PART")]
    ids: Vec<String>,
    /// At most so many tasks of each repository, evenly chosen.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Tokens for what stands beside the text around the cursor; `own`: each method's own.
    #[arg(long, value_name = "TOKENS", value_delimiter = ',', default_value = "own")]
    budget: Vec<String>,
    /// What ours is compared with; `all` for all.
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        default_value = "none,bm25-files,repocoder"
    )]
    baselines: Vec<String>,
    /// What is known of what follows the cursor.
    #[arg(long, value_enum, default_value_t)]
    protocol: Protocol,
    /// Whether methods are told what earlier commits touched.
    #[arg(long, value_enum, default_value_t)]
    session: SessionUse,
    /// Change a number of the preset (may be repeated).
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
    /// Write the run with all tasks.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// With the places of all pieces in it.
    #[arg(long, requires = "json")]
    pieces: bool,
}

pub(super) fn run(args: Args) -> Result<()> {
    let preset = apply(preset::context(), &args.sets)?;
    let budgets: Vec<Option<usize>> =
        args.budget.iter().map(|it| budget(it)).collect::<Result<_>>()?;
    let selection = Selection {
        tasks: args.tasks,
        corpora: Corpora { git_dirs: args.git_dirs, dirs: args.dirs },
        repos: args.repos,
        split: args.split,
        ids: args.ids,
        limit: args.limit,
        baselines: Baseline::named(&args.baselines)?,
        budgets,
        protocol: args.protocol,
        session: args.session,
        detail: if args.pieces { Detail::Pieces } else { Detail::Measures },
    };
    let run = context::run(&selection, &preset)?;
    context::print(&run);
    write::json(args.json.as_deref(), &run)
}

fn budget(text: &str) -> Result<Option<usize>> {
    if text == "own" {
        return Ok(None);
    }
    let tokens = text.parse().with_context(|| {
        format!("`{text}` is no budget; it should be a number of tokens, or `own`")
    })?;
    Ok(Some(tokens))
}
