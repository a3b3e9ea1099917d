//! The inputs of an answer: a repository, a view of it, and a token counter. The repository is one on this machine, or one
//! that was pushed to a cluster, which has neither files nor a session.

use std::path::Path;

use foreword_engine::index::{FileId, Snapshot};
use foreword_model::TokenCounter;
use serde_json::{Map, Value, json};

use crate::activity::ActivityElsewhere;
use crate::custom::Adjustments;
use crate::embedding::QuestionMeaning;
use crate::feedback;
use crate::filter::Filter;
use crate::host::{Indexing, Repository, View, admit_anywhere};
use crate::usage::usage;

/// The forms of an answer that its budget limits: those that the caller passes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BudgetScope {
    /// The text.
    Text,
    /// The text and the structured value, each by itself: clients differ in which one they show a model.
    TextAndStructured,
}

/// Where a repository is.
#[derive(Clone, Copy)]
pub enum Origin<'t> {
    /// On this machine.
    Local(&'t Repository),
    /// On this machine, and answered from a cluster while it is indexed. Work over it is repeated, so nothing is recorded.
    Seeded(&'t Repository),
    /// On a cluster, under this name.
    Pushed(&'t str),
}

impl Origin<'_> {
    /// The repository whose files are on this machine.
    fn repository(&self) -> Option<&Repository> {
        match self {
            Self::Local(it) | Self::Seeded(it) => Some(it),
            Self::Pushed(_) => None,
        }
    }

    /// The root, or the name on the cluster.
    pub(super) fn place(&self) -> String {
        match self {
            Self::Local(it) | Self::Seeded(it) => it.workspace().root.display().to_string(),
            Self::Pushed(name) => (*name).to_owned(),
        }
    }

    fn admit(&self, path: &str) -> anyhow::Result<()> {
        self.repository().map_or_else(|| admit_anywhere(path), |it| it.admit(path))
    }

    /// The repository, for an answer that needs its files, its history or many of its texts.
    pub(super) fn local(&self, what: &str) -> anyhow::Result<&Repository> {
        match self {
            Self::Local(it) => Ok(it),
            Self::Seeded(_) => Err(usage(format!("{what}: this needs the index of this clone"))),
            Self::Pushed(_) => Err(usage(format!(
                "{what}: a repository on a cluster has no such answer; run foreword in a clone"
            ))),
        }
    }

    /// Votes, customisation and tags.
    pub(super) fn adjustments(
        &self,
        snapshot: &Snapshot,
        tags: &[String],
    ) -> anyhow::Result<Adjustments> {
        match self.repository() {
            Some(it) => it.adjustments(snapshot, tags),
            None => Adjustments::of_tags(tags),
        }
    }

    pub(super) fn meaning(&self, snapshot: &Snapshot, question: &str) -> QuestionMeaning {
        match self {
            Self::Local(it) => it.meaning(snapshot, question),
            Self::Seeded(_) | Self::Pushed(_) => QuestionMeaning::default(),
        }
    }

    /// Remembers the results of a search.
    pub(super) fn searched(&self, question: &str, results: impl Iterator<Item = feedback::Place>) {
        if let Self::Local(it) = self {
            it.searched(question, results);
        }
    }

    /// Records that lines are read.
    pub fn read(&self, path: &str, lines: (u32, u32)) {
        if let Self::Local(it) = self {
            it.read(path, lines);
        }
    }

    /// What was done in other files than `path`.
    pub(super) fn elsewhere(&self, path: &str, snapshot: &Snapshot) -> ActivityElsewhere {
        let repository = self.repository();
        repository.map(|it| it.elsewhere(path, snapshot)).unwrap_or_default()
    }
}

/// The state of a repository that a call is answered from.
pub struct Target<'t> {
    /// The repository.
    pub origin: Origin<'t>,
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
    /// The directory of its files, if they are on this machine.
    pub fn root(&self) -> Option<&Path> {
        match &self.origin {
            Origin::Local(it) | Origin::Seeded(it) => Some(&it.workspace().root),
            Origin::Pushed(_) => None,
        }
    }

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
        filter.paths().try_for_each(|it| self.origin.admit(it))?;
        let snapshot = &self.view.snapshot;
        match filter.unmatched_path(snapshot).filter(|_| self.view.is_complete()) {
            None => Ok(filter),
            Some(path) => {
                let nearest = Filter::nearest_paths(snapshot, path).join(", ");
                let root = self.origin.place();
                Err(usage(format!(
                    "path {path}: nothing is indexed there; nearest: {nearest}; paths are relative to {root}"
                )))
            }
        }
    }

    /// A path or a pattern relative to the root. Absolute ones and `file:` URIs may be given, too.
    fn relative(&self, named: &str) -> anyhow::Result<String> {
        let path = crate::uri::path_of(named).unwrap_or_else(|| named.into());
        let Some(repository) = self.origin.repository() else { return Ok(without_root(named)) };
        let root = &repository.workspace().root;
        if !path.is_absolute() {
            return Ok(named.to_owned());
        }
        let canonical = || dunce::canonicalize(&path).ok();
        let below = path.strip_prefix(root).ok().map(Path::to_path_buf);
        let below = below.or_else(|| Some(canonical()?.strip_prefix(root).ok()?.to_path_buf()));
        match below.and_then(|it| it.to_str().map(str::to_owned)) {
            Some(below) => Ok(below),
            // Some write a slash for the root of the repository.
            None if !path.exists() => Ok(without_root(named)),
            None => Err(usage(format!(
                "path {named}: outside of the repository {}; pass `repository` to answer from another one",
                root.display()
            ))),
        }
    }

    /// The indexed file that an agent names by a path relative to the root, an absolute path or a `file:` URI; returns its
    /// relative path, too.
    pub fn file(&self, path: &str) -> anyhow::Result<(String, FileId)> {
        let relative = match self.origin.repository() {
            Some(repository) => {
                let workspace = repository.workspace();
                let named = crate::uri::path_of(path).unwrap_or_else(|| path.into());
                workspace.relative(&workspace.root.join(named))?
            }
            None => without_root(path),
        };
        if let Some(file) = self.view.snapshot.file(&relative) {
            return Ok((relative, file));
        }
        self.origin.admit(&relative)?;
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
        let from = matches!(self.origin, Origin::Seeded(_)).then_some("cluster");
        let indexing = view.indexing.map(|it| json!({ "done": it.done, "total": it.total }));
        Map::from_iter([
            ("repository".to_owned(), self.origin.place().into()),
            ("snapshot".to_owned(), view.snapshot.id().into()),
            ("fresh".to_owned(), view.fresh.into()),
            ("complete".to_owned(), view.is_complete().into()),
            ("files".to_owned(), view.snapshot.totals().files.into()),
            ("answered_from".to_owned(), from.into()),
            ("indexing".to_owned(), indexing.into()),
        ])
    }
}

/// A path with a slash or `./` for the root of the repository.
fn without_root(named: &str) -> String {
    named.trim_start_matches("./").trim_start_matches('/').to_owned()
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
