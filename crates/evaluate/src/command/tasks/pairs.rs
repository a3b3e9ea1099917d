//! `pairs`: texts and the code that they are about, to train an embedding on (`train/terms/README.md`).

use std::io::{BufWriter, Write as _};
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use foreword_evaluate::pairs::{PairSource, Row, keys, pairs};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// What the source is called in the rows.
    #[arg(long, value_name = "NAME")]
    name: String,
    /// A directory of code.
    #[arg(
        long,
        value_name = "DIR",
        conflicts_with = "git_dir",
        required_unless_present = "git_dir"
    )]
    dir: Option<PathBuf>,
    /// A repository's git directory.
    #[arg(long, value_name = "DIR")]
    git_dir: Option<PathBuf>,
    /// The state that is read.
    #[arg(long, default_value = "HEAD")]
    rev: String,
    /// How many commits are read, from that state back.
    #[arg(long, value_name = "N", default_value_t = 0)]
    commits: usize,
    /// What is printed of each pair.
    #[arg(long, value_enum, default_value = "rows")]
    print: Print,
}

/// What is printed.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Print {
    /// The texts.
    Rows,
    /// Terms of the index.
    Terms,
    /// The key of every definition, documented or not, one a line.
    Keys,
}

pub(crate) fn run(args: Args) -> Result<()> {
    let source = match (args.dir, args.git_dir) {
        (_, Some(git_dir)) => {
            PairSource::History { git_dir, revision: args.rev, commits: args.commits }
        }
        (dir, None) => PairSource::Directory(dir.context("--dir or --git-dir is needed")?),
    };
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut failed = Ok(());
    let mut line = |text: serde_json::Result<String>| {
        let write = |text: String| writeln!(out, "{text}").map_err(anyhow::Error::from);
        if failed.is_ok() {
            failed = text.map_err(anyhow::Error::from).and_then(write);
        }
    };
    match args.print {
        Print::Keys => keys(&source, &mut |it| line(Ok(it)))?,
        Print::Rows => pairs(&args.name, &source, &mut |it| line(serde_json::to_string(&it)))?,
        Print::Terms => {
            let terms = |it: Row| serde_json::to_string(&it.terms());
            pairs(&args.name, &source, &mut |it| line(terms(it)))?;
        }
    }
    failed.context("cannot write the pairs")?;
    out.flush().context("cannot write the pairs")
}
