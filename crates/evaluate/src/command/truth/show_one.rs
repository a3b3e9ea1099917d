//! `show-one`: describes one task, or all tasks of a folder: the ranked list with reasons, and the prompt.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use foreword_evaluate::runs::truth::check::prepare;
use foreword_evaluate::runs::truth::mutate::set;
use foreword_evaluate::runs::truth::show::show;
use foreword_evaluate::runs::truth::{Presets, default_dir, print};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folder, or a task in it.
    #[arg(value_name = "FOLDER[/TASK]")]
    name: String,
    /// Directory of the folders [default: those of this project].
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Change a number of a preset: context.KEY=VALUE or search.KEY=VALUE (may be repeated).
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
}

pub(crate) fn run(args: Args) -> Result<()> {
    let mut presets = Presets::default();
    args.sets.iter().try_for_each(|it| set(&mut presets, it))?;
    let (folder, task) = args.name.split_once('/').unwrap_or((&args.name, ""));
    let ready = prepare(&args.dir.unwrap_or_else(default_dir), &[folder.to_owned()])?;
    let mut n = 0;
    for it in &ready {
        print::text(&format!("{folder}: {}\n\n", it.folder.about.trim()));
        for (found, snapshot) in it.tasks().filter(|it| task.is_empty() || it.0.name == task) {
            print::text(&show(snapshot, found, &presets)?);
            n += 1;
        }
    }
    ensure!(n > 0, "there is no truth task `{}`; `foreword-evaluate truth` lists them", args.name);
    Ok(())
}
