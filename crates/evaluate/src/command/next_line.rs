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
    /// Maximum number of lines per hole, evenly chosen.
    #[arg(long, value_name = "N", default_value_t = 6)]
    lines: usize,
    /// Fraction of each line, from 0 to 1, that is already written.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    begun: f64,
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
    anyhow::ensure!((0.0..1.0).contains(&args.begun), "--begun: a share from 0 to below 1");
    let lines = next_line::LineSettings { lines: args.lines, begun: args.begun };
    let run = next_line::run(&settings, lines, &apply(preset::context(), &args.sets)?)?;
    next_line::print(&run);
    output::json(args.json.as_deref(), &run)
}
