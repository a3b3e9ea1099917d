//! Restricts an answer to paths, languages and kinds of definition.

mod path_pattern;

use foreword_chunk::{Kind, Language};
use foreword_engine::index::{FileId, Snapshot};

use self::path_pattern::PathPattern;
use crate::usage::usage;

/// Files and kinds that an answer may have.
#[derive(Default)]
pub struct Filter {
    paths: Vec<PathPattern>,
    languages: Vec<Language>,
    kinds: Vec<Kind>,
}

impl Filter {
    /// Reads paths relative to the root, which may be patterns (`src/**`, `*.rs`; with `!` they exclude), names of languages,
    /// and names of kinds. Empty lists accept everything.
    pub fn new(paths: &[String], languages: &[String], kinds: &[String]) -> anyhow::Result<Self> {
        let kinds = kinds.iter().map(|it| kinds_of(it)).collect::<Result<Vec<_>, _>>()?;
        Ok(Self {
            paths: paths.iter().filter_map(|it| PathPattern::new(it)).collect(),
            languages: languages.iter().map(|it| language(it)).collect::<Result<_, _>>()?,
            kinds: kinds.concat(),
        })
    }

    /// Whether it excludes any files.
    pub(crate) fn restricts_files(&self) -> bool {
        !(self.paths.is_empty() && self.languages.is_empty())
    }

    /// Whether a file may have results.
    pub fn accepts(&self, snapshot: &Snapshot, file: FileId) -> bool {
        let path = snapshot.path(file);
        let mut wanted = self.paths.iter().filter(|it| !it.is_excluded).peekable();
        let by_path = (wanted.peek().is_none() || wanted.any(|it| it.matches(path)))
            && !self.paths.iter().any(|it| it.is_excluded && it.matches(path));
        let by_language = self.languages.is_empty()
            || snapshot.language(file).is_some_and(|it| self.languages.contains(&it));
        by_path && by_language
    }

    /// The first path without indexed files: a misspelled path would look like a search without results.
    pub fn unmatched_path(&self, snapshot: &Snapshot) -> Option<&str> {
        let is_empty = |pattern: &&PathPattern| {
            !pattern.is_excluded && !snapshot.files().any(|it| pattern.matches(snapshot.path(it)))
        };
        self.paths.iter().find(is_empty).map(|it| &*it.written)
    }

    /// Indexed paths that a path without indexed files may mean, the likeliest first.
    pub fn nearest_paths(snapshot: &Snapshot, path: &str) -> Vec<String> {
        path_pattern::nearest(snapshot, path)
    }

    /// The paths, relative to the root; empty for all.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.paths.iter().map(|it| &*it.written)
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

fn language(name: &str) -> anyhow::Result<Language> {
    Language::from_name(name).ok_or_else(|| {
        let all: Vec<&str> = Language::ALL.iter().map(|it| it.name()).collect();
        usage(format!("lang {name}: no such language; there are {}", all.join(", ")))
    })
}

/// The kinds of a name: of ours, or of the keyword of a language.
fn kinds_of(name: &str) -> anyhow::Result<Vec<Kind>> {
    let lower = name.trim().to_ascii_lowercase();
    if let Some(kind) = Kind::ALL.into_iter().find(|it| it.name() == lower) {
        return Ok(vec![kind]);
    }
    let kinds: &[Kind] = match &*lower {
        "fn" | "func" | "def" | "fun" | "functions" | "sub" | "procedure" => {
            &[Kind::Function, Kind::Method, Kind::Constructor]
        }
        "methods" => &[Kind::Method, Kind::Constructor],
        "struct" | "record" | "object" | "union" | "classes" => &[Kind::Class],
        "trait" | "protocol" | "interfaces" => &[Kind::Interface],
        "impl" | "extension" | "instance" => &[Kind::Implementation],
        "mod" | "package" | "namespace" => &[Kind::Module],
        "init" | "ctor" => &[Kind::Constructor],
        "property" | "attribute" | "member" => &[Kind::Field],
        "const" | "static" | "variable" | "var" | "let" | "val" => &[Kind::Constant],
        "typedef" | "alias" | "types" => &[Kind::Type],
        "define" => &[Kind::Macro],
        "heading" => &[Kind::Section],
        _ => {
            let all = Kind::ALL.map(Kind::name).join(", ");
            return Err(usage(format!("kind {name}: no such kind; there are {all}")));
        }
    };
    Ok(kinds.to_vec())
}
