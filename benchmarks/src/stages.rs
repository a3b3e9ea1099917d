//! The steps from a directory to an index, each with all before it: what each adds to the cost of the bare parse.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use foreword_chunk::{Config, Language};
use foreword_engine::index::{AnalyzedFile, IndexConfig, PackedFile, Store};
use foreword_load::{Analyzer, Limits, Options, SyncOptions, SyncOutcome, WalkConfig, Workspace, sync};
use rayon::prelude::*;
use tree_sitter::Parser;

use crate::arguments::bytes;
use crate::corpus;
use crate::grammar::parse;
use crate::measure::seconds;

/// All but `sync`, which is named with its memory.
pub(crate) const NAMES: [&str; 5] = [
    "walk, read",
    "walk, read, bare parse",
    "walk, read, parse, chunks, symbols",
    "…, hash, terms",
    "…, zstd",
];

/// The index of the bare parse among them.
pub(crate) const BARE: usize = 1;

/// What a child process works on.
pub(crate) struct Work<'w> {
    pub(crate) root: &'w Path,
    pub(crate) list: &'w [(PathBuf, String, Language)],
    pub(crate) index: PathBuf,
    pub(crate) threads: usize,
}

impl Work<'_> {
    /// Seconds, and bytes of the index if there is one.
    pub(crate) fn run(&self, stage: &str) -> anyhow::Result<(f64, u64)> {
        if let Some(memory) = stage.strip_prefix("sync --memory ") {
            return self.sync(bytes(memory)?);
        }
        let place = NAMES.iter().position(|it| *it == stage).context("no such stage")?;
        let start = Instant::now();
        corpus::walked(self.root)?;
        self.list
            .par_iter()
            .for_each_init(Parser::new, |parser, file| self.file(place, parser, file));
        Ok((start.elapsed().as_secs_f64(), 0))
    }

    fn file(
        &self,
        place: usize,
        parser: &mut Parser,
        (at, path, language): &(PathBuf, String, Language),
    ) {
        let bytes = std::fs::read(at).unwrap_or_default();
        let analysed = |bytes: Vec<u8>| {
            let text = String::from_utf8(bytes).unwrap_or_default();
            AnalyzedFile::new(path.clone(), text, &Config::default())
        };
        match place {
            0 => drop(std::hint::black_box(bytes)),
            1 => {
                std::hint::black_box(parse(parser, &bytes, *language));
            }
            2 => drop(foreword_chunk::analyze(&bytes, Some(*language), &Config::default())),
            3 => drop(analysed(bytes)),
            _ => drop(PackedFile::new(analysed(bytes))),
        }
    }

    fn sync(&self, memory: usize) -> anyhow::Result<(f64, u64)> {
        let workspace = workspace(self.root)?;
        let store = Store::new(self.index.clone(), IndexConfig::default());
        let mut synced = None;
        let seconds =
            seconds(|| synced = Some(sync(&workspace, &store, &options(memory, self.threads))));
        let synced = synced.context("it ran")??;
        anyhow::ensure!(synced.report.unwritten.is_none(), "{:?}", synced.report.unwritten);
        Ok((seconds, store.size_on_disk()))
    }
}

/// The directory itself as a workspace, even if it is inside a repository.
pub(crate) fn workspace(root: &Path) -> anyhow::Result<Workspace> {
    Ok(Workspace::discover(root, &Options { root_is_path: true, ..Options::default() })?)
}

/// The defaults of the command line.
pub(crate) fn options(memory: usize, threads: usize) -> SyncOptions<'static> {
    static ANALYZER: LazyLock<Analyzer> = LazyLock::new(Analyzer::in_process);
    SyncOptions {
        analyzer: &ANALYZER,
        walk: WalkConfig::default(),
        limits: Limits::default(),
        memory,
        threads,
        wait: Duration::ZERO,
        waiting: None,
        reuse: foreword_load::Reuse::Stored,
        effort: foreword_load::Effort::Full,
        progress: None,
        partial: None,
        cancel: None,
    }
}

/// An index of `root` in `index`, without a limit of memory.
pub(crate) fn indexed(root: &Path, store: &Store) -> anyhow::Result<SyncOutcome> {
    let synced = sync(&workspace(root)?, store, &options(192 << 20, 0))?;
    anyhow::ensure!(synced.report.unwritten.is_none(), "{:?}", synced.report.unwritten);
    Ok(synced)
}
