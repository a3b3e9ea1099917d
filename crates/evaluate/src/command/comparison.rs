//! `context`: the context for holes, compared with baselines.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use foreword_evaluate::baselines::Baseline;
use foreword_evaluate::runs::comparison::{self, Tables};
use foreword_evaluate::runs::completion::{Detail, Variant};
use foreword_evaluate::runs::overrides::apply;

use foreword_evaluate::args::completion::CompletionArgs;
use foreword_evaluate::args::model::ModelArgs;
use foreword_evaluate::output;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    completion: CompletionArgs,
    /// Baselines; `all` for all.
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        default_value = "none,bm25-files,bm25-lines,repocoder"
    )]
    baselines: Vec<String>,
    /// Also run the engine with other settings, `KEY=VALUE,KEY=VALUE` (may be repeated).
    #[arg(long = "variant", value_name = "SETTINGS")]
    variants: Vec<String>,
    #[command(flatten)]
    model: ModelArgs,
    /// Write the run with all tasks.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the tables as Markdown; equal tasks and settings give equal bytes.
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// Title of the page.
    #[arg(long, default_value = "Contexts compared", requires = "table")]
    title: String,
    /// Print the table that decides about a change: differences by kind of hole in two halves of the repositories,
    /// with intervals over repositories.
    #[arg(long)]
    halves: bool,
    /// Include the locations of all pieces.
    #[arg(long, requires = "json")]
    pieces: bool,
}

pub(super) fn run(args: Args) -> Result<()> {
    let detail = if args.pieces { Detail::Pieces } else { Detail::Measures };
    let baselines = Baseline::named(&args.baselines)?;
    let (mut settings, preset) = args.completion.settings(baselines, detail)?;
    let variant = |it: &String| -> Result<Variant> {
        let sets: Vec<String> = it.split(',').map(str::to_owned).collect();
        Ok(Variant { name: it.clone(), preset: apply(preset.clone(), &sets)? })
    };
    settings.variants = args.variants.iter().map(variant).collect::<Result<_>>()?;
    settings.model = args.model.connect()?.map(Arc::new);
    let run = comparison::run(&settings, &preset)?;
    let tables = if args.halves { Tables::Halves } else { Tables::Groups };
    comparison::print(&run, tables);
    if let Some(path) = &args.table {
        output::file(path, &comparison::markdown(&run, &args.title))?;
    }
    output::json(args.json.as_deref(), &run)
}
