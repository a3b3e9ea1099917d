//! `tasks`: lists and checks a task file, and converts it to our own format.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use foreword_evaluate::report::print;
use foreword_evaluate::tasks::corpora::Corpora;
use foreword_evaluate::tasks::loader::{self, Format};
use foreword_evaluate::tasks::task::Task;
use foreword_evaluate::tasks::verify::verify;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Task file.
    #[arg(value_name = "FILE")]
    tasks: PathBuf,
    /// Format [default: detected from the first row].
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Directory of bare repositories (`owner+name/repo`); checks revisions and holes.
    #[arg(long, value_name = "DIR")]
    git_dirs: Option<PathBuf>,
    /// Directory or archive of the corpora; checks files and holes.
    #[arg(long, value_name = "PATH")]
    dirs: Option<PathBuf>,
    /// Write the valid tasks in our own format, with prefix, suffix and truth from the corpus.
    #[arg(long, value_name = "FILE")]
    convert: Option<PathBuf>,
}

pub(crate) fn run(args: Args) -> Result<()> {
    let mut loaded = loader::load(&args.tasks, args.format)?;
    if args.git_dirs.is_some() || args.dirs.is_some() {
        verify(&mut loaded, &Corpora { git_dirs: args.git_dirs, dirs: args.dirs });
    }
    print::tasks(&loaded);
    args.convert.map_or(Ok(()), |path| write(&path, &loaded.tasks))
}

fn write(path: &Path, tasks: &[Task]) -> Result<()> {
    let shown = || format!("cannot write {}", path.display());
    let mut file = BufWriter::new(File::create(path).with_context(shown)?);
    for task in tasks {
        let line = serde_json::to_string(task).context("cannot write a task as JSON")?;
        writeln!(file, "{line}").with_context(shown)?;
    }
    file.flush().with_context(shown)
}
