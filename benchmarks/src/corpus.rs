//! The files that foreword would index below a directory.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use foreword_chunk::Language;
use foreword_load::{Limits, Root, Walk, WalkConfig, read, walk};
use rayon::prelude::*;

/// A file with its text.
pub(crate) struct File {
    pub(crate) path: String,
    pub(crate) text: String,
    pub(crate) language: Option<Language>,
}

/// The walk as the command line does it.
pub(crate) fn walked(root: &Path) -> anyhow::Result<Walk> {
    Ok(walk(root, &WalkConfig::default())?)
}

/// Reads what would be indexed, in order of the paths.
pub(crate) fn files(root: &Path) -> anyhow::Result<Vec<File>> {
    let limits = Limits::default();
    let walk = walked(root)?;
    let opened = Root::open(root).with_context(|| format!("cannot read {}", root.display()))?;
    let read = |it: &foreword_load::FileEntry| {
        let text = read(&opened, it, &limits).ok()?.text;
        let language = Language::of_path(&it.path, &text[..text.floor_char_boundary(4096)]);
        Some(File { path: it.path.clone(), text, language })
    };
    let files: Vec<File> = walk.files.par_iter().filter_map(read).collect();
    anyhow::ensure!(!files.is_empty(), "{} has no files to index", root.display());
    Ok(files)
}

/// Writes the list of files that have a grammar, for children that read and parse them without foreword.
pub(crate) fn write_list(files: &[File], to: &Path) -> anyhow::Result<()> {
    let lines =
        files.iter().filter_map(|it| Some(format!("{}\t{}\n", it.language?.name(), it.path)));
    std::fs::write(to, lines.collect::<String>()).context("the list of files")
}

/// Reads such a list.
pub(crate) fn read_list(
    root: &Path,
    from: &Path,
) -> anyhow::Result<Vec<(PathBuf, String, Language)>> {
    let text = std::fs::read_to_string(from).context("the list of files")?;
    let line = |line: &str| {
        let (language, path) = line.split_once('\t')?;
        Some((root.join(path), path.to_owned(), Language::from_name(language)?))
    };
    Ok(text.lines().filter_map(line).collect())
}
