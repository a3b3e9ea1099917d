//! Restricts an answer to paths, languages and kinds of definition.

use foreword_chunk::{Kind, Language};
use foreword_engine::index::{FileId, Snapshot};

use crate::usage::usage;

/// Files and kinds that an answer may have.
#[derive(Default)]
pub struct Filter {
    paths: Vec<String>,
    languages: Vec<Language>,
    kinds: Vec<Kind>,
}

impl Filter {
    /// Reads paths relative to the root, names of languages, and names of kinds. Empty lists accept everything.
    pub fn new(paths: &[String], languages: &[String], kinds: &[String]) -> anyhow::Result<Self> {
        let tidy = |path: &String| path.trim_start_matches("./").trim_end_matches('/').to_owned();
        Ok(Self {
            paths: paths.iter().map(tidy).filter(|it| !it.is_empty() && it != ".").collect(),
            languages: languages.iter().map(|it| language(it)).collect::<Result<_, _>>()?,
            kinds: kinds.iter().map(|it| kind(it)).collect::<Result<_, _>>()?,
        })
    }

    /// Whether it excludes any files.
    pub(crate) fn restricts_files(&self) -> bool {
        !(self.paths.is_empty() && self.languages.is_empty())
    }

    /// Whether a file may have results.
    pub fn accepts(&self, snapshot: &Snapshot, file: FileId) -> bool {
        let path = snapshot.path(file);
        let by_path = self.paths.is_empty() || self.paths.iter().any(|it| is_below(path, it));
        let by_language = self.languages.is_empty()
            || snapshot.language(file).is_some_and(|it| self.languages.contains(&it));
        by_path && by_language
    }

    /// The first path without indexed files: a misspelled path would look like a search without results.
    pub fn unmatched_path(&self, snapshot: &Snapshot) -> Option<&str> {
        let is_empty =
            |path: &&String| !snapshot.files().any(|it| is_below(snapshot.path(it), path));
        self.paths.iter().find(is_empty).map(String::as_str)
    }

    /// The paths, relative to the root; empty for all.
    pub fn paths(&self) -> &[String] {
        &self.paths
    }

    /// Whether it excludes any kinds of definition.
    pub(crate) fn restricts_kinds(&self) -> bool {
        !self.kinds.is_empty()
    }

    /// The accepted kinds of definition; empty for all.
    pub fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    /// Whether results of this kind pass; `None` is a result without a definition.
    pub(crate) fn accepts_kind(&self, kind: Option<Kind>) -> bool {
        self.kinds.is_empty() || kind.is_some_and(|it| self.kinds.contains(&it))
    }
}

/// Whether a path is `directory` or lies below it.
fn is_below(path: &str, directory: &str) -> bool {
    path.strip_prefix(directory).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn language(name: &str) -> anyhow::Result<Language> {
    Language::from_name(name).ok_or_else(|| {
        let all: Vec<&str> = Language::ALL.iter().map(|it| it.name()).collect();
        usage(format!("lang {name}: no such language; there are {}", all.join(", ")))
    })
}

fn kind(name: &str) -> anyhow::Result<Kind> {
    Kind::ALL.into_iter().find(|it| it.name() == name).ok_or_else(|| {
        let all = Kind::ALL.map(Kind::name).join(", ");
        usage(format!("kind {name}: no such kind; there are {all}"))
    })
}
