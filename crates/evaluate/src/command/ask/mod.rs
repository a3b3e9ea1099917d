//! `ask`: questions about repositories to the files and lines that answer them, stage by stage; and questions without
//! an answer in the repository.

mod chat;

use std::path::PathBuf;

use anyhow::{Result, ensure};
use foreword_evaluate::runs::ask::{
    AbsentSource, AskSettings, Variant, absent_text, ask_absent, run as ask, text,
};
use foreword_evaluate::tasks::split::Split;

use chat::ChatArgs;
use foreword_evaluate::args::corpora::CorporaArgs;
use foreword_evaluate::args::tasks::TaskArgs;
use foreword_evaluate::output;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Questions, requirements or issues, in any format that `tasks` reads; `benchmarks/ask/convert.py` makes more.
    #[arg(long, value_name = "FILE")]
    tasks: Option<PathBuf>,
    #[command(flatten)]
    corpora: CorporaArgs,
    #[command(flatten)]
    selection: TaskArgs,
    /// Tokens of all evidence of a question.
    #[arg(long, value_name = "N", default_value_t = 4000)]
    tokens: usize,
    /// Also measure the evidence without each kind.
    #[arg(long)]
    ablations: bool,
    /// Questions without an answer in the repository, in the format of `benchmarks/ask/absent.tsv`.
    #[arg(long, value_name = "FILE")]
    absent: Option<PathBuf>,
    #[command(flatten)]
    chat: ChatArgs,
    /// Write the run with all outcomes.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the outcomes of the questions without an answer.
    #[arg(long, value_name = "FILE", requires = "absent")]
    absent_json: Option<PathBuf>,
}

pub(super) fn run(args: Args) -> Result<()> {
    ensure!(
        args.tasks.is_some() || args.absent.is_some(),
        "there are no questions; name them with --tasks, or --absent for things that are not there"
    );
    let corpora = args.corpora.into();
    if let Some(file) = args.absent {
        let source = AbsentSource { file, corpora: Clone::clone(&corpora) };
        let outcomes = ask_absent(&source, args.tokens)?;
        output::line(&absent_text(&outcomes));
        output::json(args.absent_json.as_deref(), &outcomes)?;
    }
    let Some(file) = args.tasks else { return Ok(()) };
    let Args { selection, tokens, chat, .. } = args;
    let settings = AskSettings {
        tasks: selection.select(file, Split::All),
        corpora,
        tokens,
        variants: if args.ablations { Variant::ablations() } else { Vec::new() },
        chat: chat.connect()?,
    };
    let run = ask(&settings)?;
    output::line(&text(&run));
    output::json(args.json.as_deref(), &run)
}
