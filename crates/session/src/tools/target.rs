//! The inputs of an answer: a repository, a view of it, and a token counter.

use std::path::Path;

use foreword_engine::index::FileId;
use foreword_model::TokenCounter;
use serde_json::{Map, Value, json};

use crate::filter::Filter;
use crate::host::{Indexing, Repository, View};
use crate::usage::usage;

/// The forms of an answer that its budget limits: those that the caller passes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BudgetScope {
    /// The text.
    Text,
    /// The text and the structured value, each by itself: clients differ in which one they show a model.
    TextAndStructured,
}

/// The state of a repository that a call is answered from.
pub struct Target<'t> {
    /// The repository.
    pub repository: &'t Repository,
    /// The state that is answered from.
    pub view: &'t View,
    /// Counts the tokens of the answer.
    pub counter: TokenCounter,
    /// The forms of the answer that its budget limits.
    pub counted: BudgetScope,
    /// The name of the repository where others answer the same call.
    pub name: Option<&'t str>,
}

/// A file that an agent names, and perhaps lines of it.
pub(super) struct Place {
    /// Relative to the root.
    pub(super) path: String,
    pub(super) file: FileId,
    /// The first and the last line, as they were given.
    pub(super) lines: Option<(usize, usize)>,
}

impl Target<'_> {
    /// A warning if the view does not cover the whole repository or has a problem.
    pub(super) fn caveat(&self) -> Option<String> {
        let trouble = self.view.trouble.clone();
        if self.view.is_complete() {
            return trouble.map(|it| format!("({it})"));
        }
        let files = self.view.snapshot.totals().files;
        let progress = match self.view.indexing {
            Some(Indexing { done, total }) if total > 0 => {
                format!(" ({done} of {total} files done)")
            }
            _ => String::new(),
        };
        if let (Some(trouble), None, true) = (&trouble, self.view.indexing, self.view.fresh) {
            return Some(format!("INCOMPLETE: this speaks of {files} files only. {trouble}"));
        }
        let why =
            trouble.unwrap_or_else(|| "ask again in a moment, or pass a larger wait_ms".to_owned());
        Some(format!(
            "INCOMPLETE: indexing goes on{progress}; this speaks of {files} files only. {why}"
        ))
    }

    /// The files that an agent names by paths, languages and kinds. Fails if a path has no indexed file.
    pub(super) fn filter(
        &self,
        (paths, languages, kinds): (&[String], &[String], &[String]),
    ) -> anyhow::Result<Filter> {
        let paths = paths.iter().map(|it| self.relative(it)).collect::<Result<Vec<_>, _>>()?;
        let filter = Filter::new(&paths, languages, kinds)?;
        filter.paths().try_for_each(|it| self.repository.admit(it))?;
        let snapshot = &self.view.snapshot;
        match filter.unmatched_path(snapshot).filter(|_| self.view.is_complete()) {
            None => Ok(filter),
            Some(path) => {
                let nearest = Filter::nearest_paths(snapshot, path).join(", ");
                let root = self.repository.workspace().root.display();
                Err(usage(format!(
                    "path {path}: nothing is indexed there; nearest: {nearest}; paths are relative to {root}"
                )))
            }
        }
    }

    /// A path or a pattern relative to the root. Absolute ones and `file:` URIs may be given, too.
    fn relative(&self, named: &str) -> anyhow::Result<String> {
        let path = crate::uri::path_of(named).unwrap_or_else(|| named.into());
        let root = &self.repository.workspace().root;
        if !path.is_absolute() {
            return Ok(named.to_owned());
        }
        let canonical = || dunce::canonicalize(&path).ok();
        let below = path.strip_prefix(root).ok().map(Path::to_path_buf);
        let below = below.or_else(|| Some(canonical()?.strip_prefix(root).ok()?.to_path_buf()));
        match below.and_then(|it| it.to_str().map(str::to_owned)) {
            Some(below) => Ok(below),
            // Some write a slash for the root of the repository.
            None if !path.exists() => Ok(named.trim_start_matches('/').to_owned()),
            None => Err(usage(format!(
                "path {named}: outside of the repository {}; pass `repository` to answer from another one",
                root.display()
            ))),
        }
    }

    /// The indexed file that an agent names by a path relative to the root, an absolute path or a `file:` URI; returns its
    /// relative path, too.
    pub fn file(&self, path: &str) -> anyhow::Result<(String, FileId)> {
        let workspace = self.repository.workspace();
        let named = crate::uri::path_of(path).unwrap_or_else(|| path.into());
        let relative = workspace.relative(&workspace.root.join(named))?;
        if let Some(file) = self.view.snapshot.file(&relative) {
            return Ok((relative, file));
        }
        self.repository.admit(&relative)?;
        Err(usage(format!(
            "{relative} is not in the index: it does not exist, is ignored, or is no source file"
        )))
    }

    /// Finds the file of `path:start-end`, `path:line` or a path.
    pub(super) fn place(&self, named: &str) -> anyhow::Result<Place> {
        let whole = self.file(named);
        match (whole, lines_of(named)) {
            // The name of a file may have a colon.
            (Ok((path, file)), _) => Ok(Place { path, file, lines: None }),
            (Err(_), Some((name, lines))) => {
                let (path, file) = self.file(name)?;
                Ok(Place { path, file, lines: Some(lines) })
            }
            (Err(error), None) => Err(error),
        }
    }

    /// The fields of a structured answer about freshness and completeness.
    pub(super) fn freshness(&self) -> Map<String, Value> {
        let view = self.view;
        let indexing = view.indexing.map(|it| json!({ "done": it.done, "total": it.total }));
        let root = self.repository.workspace().root.display().to_string();
        Map::from_iter([
            ("repository".to_owned(), root.into()),
            ("snapshot".to_owned(), view.snapshot.id().into()),
            ("fresh".to_owned(), view.fresh.into()),
            ("complete".to_owned(), view.is_complete().into()),
            ("files".to_owned(), view.snapshot.totals().files.into()),
            ("indexing".to_owned(), indexing.into()),
        ])
    }
}

/// Splits `path:start-end` and `path:line`, with an optional trailing colon.
fn lines_of(named: &str) -> Option<(&str, (usize, usize))> {
    let (name, lines) = named.strip_suffix(':').unwrap_or(named).rsplit_once(':')?;
    let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
    Some((name, (first.parse().ok()?, last.parse().ok()?)))
}

/// Checks that `line`, which an agent gave as the argument `name`, is a line of `path`.
pub(super) fn check_line(name: &str, line: usize, lines: u32, path: &str) -> anyhow::Result<u32> {
    match u32::try_from(line).ok().filter(|it| (1..=lines.max(1)).contains(it)) {
        Some(line) => Ok(line),
        None => Err(usage(format!("{name} {line}: {path} has {lines} lines"))),
    }
}
