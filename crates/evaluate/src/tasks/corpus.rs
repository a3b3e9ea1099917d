//! Reads the sources of a directory as the command line does. A path may lead into an archive
//! (`repositories.tar.xz/trees/x`).

mod archive;
pub(crate) mod exclude;
pub(crate) mod source_paths;

use std::path::Path;

use anyhow::{Context as _, Result};
use foreword_engine::index::{IndexConfig, Snapshot};
use foreword_engine::source::Source;
use foreword_load::{Limits, Root, WalkConfig, read, walk};

/// The sources below `root`, a directory or (a part of) an archive, without binary, minified and generated files.
pub fn sources(root: &Path) -> Result<Vec<Source>> {
    if let Some((archive, inside)) = in_archive(root) {
        return archive::sources(archive, &inside);
    }
    let shown = root.display();
    let found =
        walk(root, &WalkConfig::default()).with_context(|| format!("cannot walk {shown}"))?;
    let limits = Limits::default();
    let opened = Root::open(root).with_context(|| format!("cannot read {shown}"))?;
    let source = |it: &foreword_load::FileEntry| {
        let text = read(&opened, it, &limits).ok()?;
        Some(Source { path: it.path.clone(), text: text.text })
    };
    Ok(found.files.iter().filter_map(source).collect())
}

/// A snapshot of the sources below `root`, in memory.
pub fn snapshot(root: &Path) -> Result<Snapshot> {
    snapshot_cut(root, foreword_chunk::Config::default())
}

/// An in-memory snapshot, chunked with other settings.
pub fn snapshot_cut(root: &Path, chunk: foreword_chunk::Config) -> Result<Snapshot> {
    let sources = sources(root)?;
    let built = Snapshot::of_sources(sources, IndexConfig { chunk });
    built.with_context(|| format!("cannot index {}", root.display()))
}

/// Whether `root` is a directory that is not empty, or an archive.
pub fn is_checked_out(root: &Path) -> bool {
    in_archive(root).is_some() || std::fs::read_dir(root).is_ok_and(|mut it| it.next().is_some())
}

/// The archive that a path leads into, and the path inside it.
fn in_archive(path: &Path) -> Option<(&Path, String)> {
    let archive = path.ancestors().find(|it| it.is_file()).filter(|it| archive::is_archive(it))?;
    let inside = path.strip_prefix(archive).ok()?;
    Some((archive, inside.to_string_lossy().trim_matches('/').to_owned()))
}

/// Estimates the tokens of a text at two for seven bytes, about the rate of current vocabularies on code. All compared
/// methods use this estimate.
pub fn count_tokens(text: &str) -> usize {
    (text.len() * 2).div_ceil(7)
}
