//! The subcommands, one for each experiment.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use clap::Subcommand;
use foreword_engine::preset::Preset;
use foreword_evaluate::args::completion::CompletionArgs;
use foreword_evaluate::args::model::ModelArgs;
use foreword_evaluate::output;
use foreword_evaluate::runs::completion::{CompletionSettings, Detail};
use foreword_evaluate::runs::run::Run;
use foreword_evaluate::runs::search::QuestionSource;
use foreword_evaluate::tasks::selection::Selection;
use foreword_evaluate::tasks::split::Split;

use crate::{granularity, languages, lost, merge, order, pieces, ranker, scope, signals, stages};
use foreword_evaluate::runs::table::{Table, plot, text};

/// The subcommands.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Measure the candidates after each stage.
    Stages(TableArgs),
    /// Find the stage at which missing identifiers are lost.
    Lost(TableArgs),
    /// Remove each signal, and use each alone.
    Signals(TableArgs),
    /// Show more or less of the cursor's own file.
    Scope(TableArgs),
    /// Compare kinds and sizes of chunks.
    Granularity(TableArgs),
    /// Measure what pieces explain for their tokens, and count filler lines.
    Pieces(PiecesArgs),
    /// Move the best pieces to the front, the end or both, in prompts that are cut.
    Order(OrderArgs),
    /// Compare rules for merging small chunks.
    Merge(MergeArgs),
    /// Compare one configuration for all languages with one for each, chosen on dev and judged on test.
    Languages(TableArgs),
    /// Write the features of every candidate, from which the ranker is learned.
    Features(ranker::features::Args),
    /// Compare the order by hand with the order by learned weights.
    Ranker(RankerArgs),
}

/// Tasks, and where the table goes.
#[derive(clap::Args)]
pub(crate) struct TableArgs {
    #[command(flatten)]
    completion: CompletionArgs,
    /// Write the table as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the plot.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// Tasks, and where the run goes.
#[derive(clap::Args)]
pub(crate) struct PiecesArgs {
    #[command(flatten)]
    completion: CompletionArgs,
    /// Write the run as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// A model that completes with every order.
#[derive(clap::Args)]
pub(crate) struct OrderArgs {
    #[command(flatten)]
    table: TableArgs,
    #[command(flatten)]
    model: ModelArgs,
}

/// Questions that are asked over each variant too.
#[derive(clap::Args)]
pub(crate) struct MergeArgs {
    #[command(flatten)]
    table: TableArgs,
    /// Questions to ask as well, in the format of `foreword-evaluate search`.
    #[arg(long, value_name = "FILE", requires = "corpora")]
    questions: Option<PathBuf>,
    /// A directory with a checkout for each repository of the questions.
    #[arg(long, value_name = "DIR")]
    corpora: Option<PathBuf>,
}

/// Learned weights.
#[derive(clap::Args)]
pub(crate) struct RankerArgs {
    #[command(flatten)]
    table: TableArgs,
    /// The weights that `ranker/run` writes [default: those of the last run].
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
}

impl Command {
    /// Runs the experiment.
    pub(crate) fn run(self) -> Result<()> {
        match self {
            Self::Stages(args) => args.run(stages::stages),
            Self::Lost(args) => args.run(lost::lost),
            Self::Signals(args) => args.run(signals::signals),
            Self::Scope(args) => args.run(scope::scope),
            Self::Granularity(args) => args.run(granularity::granularity),
            Self::Languages(args) => args.run(languages::languages),
            Self::Pieces(args) => args.run(),
            Self::Order(args) => args.run(),
            Self::Merge(args) => args.run(),
            Self::Features(args) => args.run(),
            Self::Ranker(args) => args.run(),
        }
    }
}

impl TableArgs {
    /// Runs an experiment and writes its table.
    fn run(
        self,
        experiment: impl FnOnce(&CompletionSettings, &Preset) -> Result<Run<Table>>,
    ) -> Result<()> {
        let (settings, preset) = self.completion.settings(Vec::new(), Detail::Measures)?;
        let table = experiment(&settings, &preset)?;
        output::line(text(&table).trim_end());
        if let Some(path) = &self.svg {
            output::file(path, &plot(&table.result))?;
        }
        output::json(self.json.as_deref(), &table)
    }
}

impl PiecesArgs {
    fn run(self) -> Result<()> {
        let (settings, preset) = self.completion.settings(Vec::new(), Detail::Measures)?;
        let run = pieces::pieces(&settings, &preset)?;
        output::line(pieces::text(&run).trim_end());
        output::json(self.json.as_deref(), &run)
    }
}

impl OrderArgs {
    fn run(self) -> Result<()> {
        let model = self.model.connect()?.map(Arc::new);
        self.table.run(|settings, preset| {
            order::order(&CompletionSettings { model, ..settings.clone() }, preset)
        })
    }
}

impl MergeArgs {
    fn run(self) -> Result<()> {
        let questions = self.questions.zip(self.corpora).map(|(file, corpora)| {
            let (repos, ids) = (Vec::new(), Vec::new());
            let tasks = Selection { file, repos, split: Split::Dev, ids, limit: None };
            let chunk = foreword_chunk::Config::default();
            QuestionSource { tasks, corpora, chunk, embedder: None }
        });
        self.table.run(|settings, preset| merge::merge(settings, questions.as_ref(), preset))
    }
}

impl RankerArgs {
    fn run(self) -> Result<()> {
        let model = ranker::model(self.weights.as_deref())?;
        self.table.run(|settings, preset| ranker::ranker(settings, preset, &model))
    }
}
