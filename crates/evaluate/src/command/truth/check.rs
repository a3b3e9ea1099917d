//! `truth`: checks the ranks of all truth folders against the accepted ones.

use std::path::PathBuf;

use anyhow::{Result, bail};
use foreword_evaluate::runs::truth::check::{changes, check_all, complaint, failures, prepare};
use foreword_evaluate::runs::truth::mutate::{Stop, mutate_all, set};
use foreword_evaluate::runs::truth::{Presets, default_dir, print, ranks};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only these folders.
    #[arg(value_name = "FOLDER")]
    folders: Vec<String>,
    /// Directory of the folders [default: those of this project].
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Write the current ranks into each folder's ranks.txt.
    #[arg(long, conflicts_with_all = ["sets", "mutate"])]
    accept: bool,
    /// Change a number of a preset: context.KEY=VALUE or search.KEY=VALUE (may be repeated).
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
    /// Halve and double each number of the presets, and list the tasks whose ranks change.
    #[arg(long, conflicts_with = "sets")]
    mutate: bool,
}

pub(crate) fn run(args: Args) -> Result<()> {
    let ready = prepare(&args.dir.unwrap_or_else(default_dir), &args.folders)?;
    if args.mutate {
        print::mutations(&mutate_all(&ready, Stop::Never, &|_| true)?);
        return Ok(());
    }
    let mut presets = Presets::default();
    args.sets.iter().try_for_each(|it| set(&mut presets, it))?;
    let checked = check_all(&ready, &presets)?;
    print::checked(&checked);
    if !args.accept {
        let Some(complaint) = complaint(&checked) else { return Ok(()) };
        print::text(&format!("\n{complaint}"));
        bail!("the truth folders do not hold");
    }
    for (ready, checked) in ready.iter().zip(&checked) {
        ranks::write(&ready.folder.path, &checked.verdicts)?;
    }
    let (changes, failures) = (changes(&checked), failures(&checked));
    print::accepted(&changes);
    if failures.is_empty() {
        return Ok(());
    }
    print::text(&format!("what no accepting helps against:\n{failures}"));
    bail!("the truth folders do not hold")
}
