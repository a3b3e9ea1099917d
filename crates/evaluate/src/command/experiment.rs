//! `experiment`: what a choice of the engine is worth.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Result, ensure};
use foreword_evaluate::runs::completion::Detail;
use foreword_evaluate::runs::experiment::{
    granularity, languages, lost, merge, order, pieces, plot, scope, signals, stages, text,
};
use foreword_evaluate::runs::search;
use foreword_evaluate::tasks::selection::Selection;
use foreword_evaluate::tasks::split::Split;

use super::args::completion::CompletionArgs;
use super::args::model::ModelArgs;
use super::output;

/// Which question.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Name {
    /// Which stage limits?
    Stages,
    /// Where are missing identifiers lost?
    Lost,
    /// What is each signal worth?
    Signals,
    /// How much of the cursor's own file should be shown?
    Scope,
    /// What should a chunk be?
    Granularity,
    /// What do pieces carry for their tokens, and which of their lines are filler?
    Pieces,
    /// Does the place of a piece matter?
    Order,
    /// What is merging worth, across the borders of nodes or at all?
    Merge,
    /// One configuration for all languages, or one for each? Chosen on dev, judged on test.
    Languages,
}

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Which question.
    #[arg(value_enum)]
    name: Name,
    #[command(flatten)]
    completion: CompletionArgs,
    #[command(flatten)]
    model: ModelArgs,
    /// For `merge`: questions to ask as well, in the format of `search`.
    #[arg(long, value_name = "FILE", requires = "corpora")]
    questions: Option<PathBuf>,
    /// A directory with a checkout for each repository of the questions.
    #[arg(long, value_name = "DIR")]
    corpora: Option<PathBuf>,
    /// Write the table as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the plot.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

pub(super) fn run(args: Args) -> Result<()> {
    let asks = matches!(args.name, Name::Order);
    ensure!(asks || !args.model.is_named(), "only the experiment `order` asks a --model");
    ensure!(args.svg.is_none() || !matches!(args.name, Name::Pieces), "`pieces` has no plot");
    let takes = args.questions.is_none() || matches!(args.name, Name::Merge);
    ensure!(takes, "only the experiment `merge` takes --questions");
    let (mut settings, preset) = args.completion.settings(Vec::new(), Detail::Measures)?;
    settings.model = args.model.connect()?.map(Arc::new);
    let questions = args.questions.zip(args.corpora).map(|(file, corpora)| {
        let (repos, ids) = (Vec::new(), Vec::new());
        let tasks = Selection { file, repos, split: Split::Dev, ids, limit: None };
        let chunk = foreword_chunk::Config::default();
        search::QuestionSource { tasks, corpora, chunk, embedder: None }
    });
    let table = match args.name {
        Name::Stages => stages::stages(&settings, &preset)?,
        Name::Lost => lost::lost(&settings, &preset)?,
        Name::Signals => signals::signals(&settings, &preset)?,
        Name::Scope => scope::scope(&settings, &preset)?,
        Name::Granularity => granularity::granularity(&settings, &preset)?,
        Name::Pieces => {
            let run = pieces::pieces(&settings, &preset)?;
            output::line(pieces::text(&run).trim_end());
            return output::json(args.json.as_deref(), &run);
        }
        Name::Order => order::order(&settings, &preset)?,
        Name::Merge => merge::merge(&settings, questions.as_ref(), &preset)?,
        Name::Languages => languages::languages(&settings, &preset)?,
    };
    output::line(text(&table).trim_end());
    if let Some(path) = &args.svg {
        output::file(path, &plot(&table.result))?;
    }
    output::json(args.json.as_deref(), &table)
}
