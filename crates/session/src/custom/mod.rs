//! Customisation of a repository by its team and user ([`foreword_engine::custom`]), from the folder `.foreword/` of the
//! snapshot and the user's own folder for the repository.
//!
//! `file` reads one TOML file, `own` the user's folder; `adjustments` applies all of it to a request. A faulty file is
//! omitted alone, and its problem is reported.

mod adjustments;
mod file;
mod own;

use std::convert::Infallible;
use std::sync::Arc;

use foreword_engine::custom::{CustomSources, Customisation, OwnPage, TagFilter};
use foreword_engine::index::Snapshot;
use foreword_engine::source::ContentHash;
use foreword_load::Workspace;
use globset::GlobSet;

use crate::setup::Setup;
use crate::shared_cache::SharedCache;
use crate::usage::{PAGES, usage};

pub use adjustments::Adjustments;
pub use own::folder as own_folder;

/// The customisation of a repository.
#[derive(Default)]
pub struct Additions {
    /// Answers, summaries, tags and pinned paths.
    pub said: Customisation,
    /// Pages and issues, if there are any.
    pub sources: Option<CustomSources>,
    /// Patterns of paths, in the order of the files.
    pub patterns: Vec<file::PathPattern>,
    /// Problems of its files, one line each: file, line, field and remedy.
    pub problems: Vec<String>,
    /// Number of its files.
    pub files: usize,
    /// Identifies its content; empty without customisation.
    pub digest: String,
}

/// The latest customisations, by the snapshot and the content of the user's own files.
static CACHE: SharedCache<(String, ContentHash), Arc<Additions>> = SharedCache::new(4);

/// The customisation of a repository; empty if switched off.
pub fn of(setup: &Setup, workspace: &Workspace, snapshot: &Snapshot) -> Arc<Additions> {
    if !setup.customise {
        return Arc::default();
    }
    let own = own::read(workspace);
    let has_own = !own.files.is_empty() || !own.problems.is_empty();
    if !has_own && !snapshot.is_customised() {
        return Arc::default();
    }
    let key = (snapshot.id().to_owned(), own.digest());
    let Ok(res) = CACHE.get(key.clone(), || {
        let res = Arc::new(read(snapshot, own, &key));
        res.problems.iter().for_each(|it| tracing::warn!("customisation: {it}"));
        Ok::<_, Infallible>(res)
    });
    res
}

fn read(snapshot: &Snapshot, own: own::OwnFiles, key: &(String, ContentHash)) -> Additions {
    let team = snapshot.customisation();
    let mut res = Additions { files: team.len() + own.files.len(), ..Additions::default() };
    let mut reader = file::Reader::default();
    res.problems.extend(own.problems);
    let is_settings = |path: &str| path.rsplit_once('.').is_some_and(|it| it.1 == "toml");
    for (path, text) in team.iter().filter(|it| is_settings(it.0)) {
        reader.read(path, text);
    }
    res.problems.extend(team.iter().filter_map(|it| no_export((it.0, &it.1))));
    let (settings, pages): (Vec<OwnPage>, Vec<OwnPage>) =
        own.files.into_iter().partition(|it| is_settings(&it.path));
    for it in &settings {
        reader.read(&it.path, &it.text);
    }
    let (said, patterns, problems) = reader.finish();
    res.problems.extend(problems);
    res.patterns = patterns;
    match CustomSources::new(snapshot, &said, &pages) {
        Ok(sources) => res.sources = sources,
        Err(error) => res.problems.push(error.to_string()),
    }
    res.said = said;
    let identity = format!("{}\0{}", key.0, key.1);
    let digest = ContentHash::of(identity.as_bytes()).to_string();
    res.digest = digest.chars().take(16).collect();
    res
}

impl Additions {
    /// Missing places of answers and summaries, and patterns that match no file, one line each.
    pub fn missing_places(&self, snapshot: &Snapshot) -> Vec<String> {
        let mut res = Vec::new();
        for it in &self.said.faq {
            for place in it.missing_places(snapshot) {
                let at = &it.at;
                res.push(format!(
                    "{}:{}: {place} is not there (\"{}\")",
                    at.path, at.lines.0, it.question
                ));
            }
        }
        for it in &self.said.directories {
            if snapshot.files_under(&it.directory).next().is_none() {
                let at = &it.at;
                res.push(format!("{}:{}: {} is not there", at.path, at.lines.0, it.directory));
            }
        }
        res.extend(
            self.patterns
                .iter()
                .filter(|it| fits_nothing(&it.pattern, snapshot))
                .map(|it| format!("{}: no file's path is like `{}`", it.place, it.pattern)),
        );
        res
    }

    /// Parses tags: `async`, `!test`.
    pub fn tags(&self, given: &[String]) -> anyhow::Result<TagFilter> {
        TagFilter::new(given, &self.said.tags).map_err(|it| usage(it.to_string()))
    }
}

/// Whether the pattern matches no file; invalid patterns are reported elsewhere.
fn fits_nothing(pattern: &str, snapshot: &Snapshot) -> bool {
    let is_like = |set: GlobSet| snapshot.files().any(|it| set.is_match(snapshot.path(it)));
    globs(&[pattern.to_owned()]).is_ok_and(|set| !is_like(set))
}

/// A set of globs; the error names the invalid one. A plain path means the file, or all below the directory.
fn globs(patterns: &[String]) -> Result<GlobSet, String> {
    let mut builder = globset::GlobSetBuilder::new();
    for it in patterns {
        let path = it.trim_start_matches("./").trim_start_matches('/').trim_end_matches('/');
        let below = format!("{path}/**");
        let is_plain = !path.contains(['*', '?', '[', '{']);
        for pattern in std::iter::once(path).chain(is_plain.then_some(below.as_str())) {
            let glob = globset::GlobBuilder::new(pattern).literal_separator(true).build();
            let fault =
                |error: globset::Error| format!("`{it}` is no path pattern: {}", error.kind());
            builder.add(glob.map_err(fault)?);
        }
    }
    builder.build().map_err(|error| error.to_string())
}

/// The problem of an invalid export, whose entries would be searched as raw text.
fn no_export((path, text): (&str, &str)) -> Option<String> {
    let is_export = path.rsplit('.').next().is_some_and(|it| matches!(it, "json" | "jsonl"));
    let is_read = ["# issue #", "# pull request #"].iter().any(|it| text.starts_with(it));
    (is_export && !is_read).then(|| {
        format!(
            "{path}: no export of issues; write an array of objects, or one object a line, each with `number` and `title` ({PAGES}/customise.md has the command)"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_means_the_file_or_all_below_the_directory() {
        let check = |pattern: &str, path: &str, expect: bool| {
            let found = globs(&[pattern.to_owned()]).unwrap().is_match(path);
            assert_eq!(found, expect, "{pattern} {path}");
        };
        for pattern in ["src/net", "src/net/", "/src/net", "./src/net", "src/net/**"] {
            check(pattern, "src/net/tls/key.rs", true);
            check(pattern, "src/network.rs", false);
        }
        check("src/a.rs", "src/a.rs", true);
        check("src/*.rs", "src/net/a.rs", false);
    }

    #[test]
    fn an_export_that_is_none_is_told() {
        assert_eq!(no_export((".foreword/issues.json", "# issue #1: x\n")), None);
        assert_eq!(no_export((".foreword/notes.md", "[1]")), None);
        let told = no_export((".foreword/issues.json", "[{\"title\": 1")).unwrap();
        assert!(told.contains("issues.json") && told.contains("`number`"), "{told}");
    }
}
