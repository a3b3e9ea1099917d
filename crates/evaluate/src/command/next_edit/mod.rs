//! `next-edit`: the remaining edits of a partly applied commit.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use foreword_engine::history::CoChangeConfig;
use foreword_engine::next::Config;
use foreword_evaluate::runs::next_edit::{NextEditSettings, print, run as ask};
use foreword_evaluate::tasks::split::Split;

use foreword_evaluate::args::corpora::CorporaArgs;
use foreword_evaluate::args::tasks::TaskArgs;
use foreword_evaluate::output;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Tasks from a history (`mine --sessions`). Each commit is run after one hunk, half of them, and all but one.
    #[arg(long, value_name = "FILE")]
    tasks: PathBuf,
    #[command(flatten)]
    corpora: CorporaArgs,
    #[command(flatten)]
    selection: TaskArgs,
    /// Seed of the mining run.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of earlier commits to read.
    #[arg(long, value_name = "N", default_value_t = 2000)]
    commits: usize,
    /// Change a number: older, aside, rivals, co_change, most_files, half_life, prior, or REASON.DISTANCE (may be repeated).
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
    /// Write the run with all lists.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

pub(super) fn run(args: Args) -> Result<()> {
    let mut settings = NextEditSettings {
        tasks: args.selection.select(args.tasks, Split::default()),
        corpora: args.corpora.into(),
        config: Config { least: 0.0, ..Config::measured() },
        co_change: CoChangeConfig::measured(),
        commits: args.commits,
        seed: args.seed,
    };
    for it in &args.sets {
        set(&mut settings, it).with_context(|| format!("--set {it}"))?;
    }
    let run = ask(&settings)?;
    print(&run);
    output::json(args.json.as_deref(), &run)
}

fn set(settings: &mut NextEditSettings, text: &str) -> Result<()> {
    let (key, value) = text.split_once('=').context("KEY=VALUE is expected")?;
    let value: f32 = value.parse().context("a number is expected")?;
    let NextEditSettings { config, co_change, .. } = settings;
    match key {
        "older" => config.older = value,
        "aside" => config.aside = value,
        "rivals" => config.rivals = value,
        "co_change" => config.co_change = value,
        "most_files" => co_change.most_files = value as u32,
        "half_life" => co_change.half_life = value,
        "prior" => co_change.prior = value,
        _ => {
            let (code, distance) = key.split_once('.').unwrap_or((key, "all"));
            let known = config.chances.iter_mut().find(|it| it.0 == code);
            let chances = &mut known.context("there is no such number")?.1;
            match distance.parse::<usize>() {
                Ok(at) => *chances.get_mut(at).context("a distance is 0 to 3")? = value,
                Err(_) => chances.iter_mut().for_each(|it| *it *= value),
            }
        }
    }
    Ok(())
}
