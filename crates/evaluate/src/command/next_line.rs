//! `next-line`: the next line, predicted by the embedded model.

use std::path::PathBuf;

use anyhow::Result;
use foreword_engine::preset;
use foreword_evaluate::runs::completion::{CompletionSettings, Detail, Protocol, SessionUse};
use foreword_evaluate::runs::next_line;
use foreword_evaluate::runs::overrides::apply;
use foreword_evaluate::tasks::split::Split;

use foreword_evaluate::args::corpora::CorporaArgs;
use foreword_evaluate::args::tasks::TaskArgs;
use foreword_evaluate::output;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Tasks, one JSON object per line.
    #[arg(long, value_name = "FILE")]
    tasks: PathBuf,
    #[command(flatten)]
    corpora: CorporaArgs,
    #[command(flatten)]
    selection: TaskArgs,
    #[command(flatten)]
    lines: next_line::LineSettings,
    /// Change a number of the preset (may be repeated).
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
    /// Write the run with all lines.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

pub(super) fn run(args: Args) -> Result<()> {
    let settings = CompletionSettings {
        tasks: args.selection.select(args.tasks, Split::default()),
        corpora: args.corpora.into(),
        baselines: Vec::new(),
        variants: Vec::new(),
        budgets: vec![None],
        protocol: Protocol::FillIn,
        session: SessionUse::Told,
        detail: Detail::Measures,
        model: None,
    };
    anyhow::ensure!(
        (0.0..1.0).contains(&args.lines.begun),
        "--begun: a fraction from 0 to below 1"
    );
    let run = next_line::run(&settings, args.lines, &apply(preset::context(), &args.sets)?)?;
    next_line::print(&run);
    output::json(args.json.as_deref(), &run)
}
