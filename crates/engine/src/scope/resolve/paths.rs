//! Candidates for an import by path.

use crate::sorting::sort_by_key;
use foreword_chunk::Language;

use super::manifests::Manifests;
use crate::index::{FileId, INDEX_STEMS, PathNames, Snapshot};

/// Most files of one name that are compared for one import. With a hundred thousand `index.ts`, all of them for each
/// import would take hours.
const MAX_CANDIDATES: usize = 1024;

/// An import in the file at `path`.
pub(super) struct Query<'a> {
    pub(super) names: &'a PathNames,
    pub(super) manifests: &'a Manifests,
    pub(super) snapshot: &'a Snapshot,
    pub(super) path: &'a str,
    pub(super) language: Option<Language>,
}

impl Query<'_> {
    /// The directory of the importing file; empty at the root.
    pub(super) fn directory(&self) -> &str {
        self.path.rsplit_once('/').map_or("", |it| it.0)
    }

    /// The file at `path`, if the importing language can import it.
    pub(super) fn at(&self, path: &str) -> Option<FileId> {
        self.snapshot.file(path).filter(|it| self.fits(*it))
    }

    /// The nearest file whose path without extension ends in `parts`; an index file counts as its directory.
    pub(super) fn ending_in(&self, parts: &[&str]) -> Option<FileId> {
        self.nearest(self.all_ending_in(parts), 1).into_iter().next()
    }

    /// All such files.
    pub(super) fn all_ending_in(&self, parts: &[&str]) -> Vec<FileId> {
        let Some(last) = parts.last() else { return Vec::new() };
        let candidates = self.near(self.names.of_stem(last));
        let ends = |it: &FileId| {
            let path = module_path(self.snapshot.path(*it));
            path.len() >= parts.len() && path[path.len() - parts.len()..] == *parts
        };
        candidates.filter(|it| self.fits(*it) && ends(it)).collect()
    }

    /// The nearest file whose path, with extension, ends in `tail`.
    pub(super) fn with_tail(&self, tail: &str) -> Option<FileId> {
        let name = tail.rsplit('/').next().unwrap_or(tail);
        let stem = name.split('.').next().unwrap_or(name);
        let ends = |it: &FileId| {
            let rest = self.snapshot.path(*it).strip_suffix(tail);
            rest.is_some_and(|it| it.is_empty() || it.ends_with('/'))
        };
        let candidates = self.near(self.names.of_stem(stem));
        self.nearest(candidates.filter(ends).collect(), 1).into_iter().next()
    }

    /// The files of the language directly in `directory`, nearest first.
    pub(super) fn in_directory(&self, directory: &str) -> impl Iterator<Item = FileId> {
        // All are equally near but the importing file itself.
        let own = self.snapshot.file(self.path).filter(|_| self.directory() == directory);
        let files = self.names.directly_in(directory).iter().copied();
        let others = files.filter(move |it| Some(*it) != own);
        own.into_iter().chain(others).filter(|it| self.fits(*it))
    }

    /// Those of `files`, sorted, whose paths are the next to the importing file's: all but of many thousand.
    fn near<'f>(&self, files: &'f [FileId]) -> impl Iterator<Item = FileId> + use<'f> {
        let from = match files.len() <= MAX_CANDIDATES {
            true => 0,
            false => {
                let own = files.partition_point(|it| self.snapshot.path(*it) < self.path);
                own.saturating_sub(MAX_CANDIDATES / 2).min(files.len() - MAX_CANDIDATES)
            }
        };
        files[from..].iter().take(MAX_CANDIDATES).copied()
    }

    /// The nearest directory whose path ends in `parts` and that has files of the language.
    pub(super) fn directory_ending_in(&self, parts: &[&str]) -> Option<String> {
        let files = self.near(self.names.in_directory(parts.last()?));
        let tail = parts.join("/");
        let ends = |it: &FileId| {
            let directory = self.snapshot.path(*it).rsplit_once('/').map_or("", |it| it.0);
            directory.strip_suffix(&*tail).is_some_and(|it| it.is_empty() || it.ends_with('/'))
        };
        let found = files.filter(|it| self.fits(*it) && ends(it)).collect();
        let file = self.nearest(found, 1).into_iter().next()?;
        self.snapshot.path(file).rsplit_once('/').map(|it| it.0.to_owned())
    }

    /// Whether the importing language can import the file.
    pub(super) fn fits(&self, file: FileId) -> bool {
        let group = |language: Option<Language>| match language.map(Language::of_code) {
            Some(Language::JavaScript | Language::TypeScript | Language::Tsx) => 1,
            Some(Language::C | Language::Cpp) => 2,
            Some(Language::Java | Language::Kotlin | Language::Scala) => 3,
            other => 100 + other.map_or(99, |it| it as u32),
        };
        let other = self.snapshot.language(file);
        group(self.language) == group(other)
            || matches!(self.language, Some(Language::Html | Language::Css | Language::Jinja))
    }

    /// The `n` files with the longest common path with the importing file; ties by depth and path.
    pub(super) fn nearest(&self, mut files: Vec<FileId>, n: usize) -> Vec<FileId> {
        let rank = |file: &FileId| {
            let path = self.snapshot.path(*file);
            let common = path.split('/').zip(self.path.split('/')).take_while(|(a, b)| a == b);
            (std::cmp::Reverse(common.count()), path.matches('/').count())
        };
        sort_by_key(&mut files, |it| (rank(it), *it));
        files.truncate(n);
        files
    }
}

/// `a/b/__init__.py` → `["a", "b"]`; `a/b.py` → `["a", "b"]`.
pub(super) fn module_path(path: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = path.split('/').collect();
    if let Some(last) = parts.last_mut() {
        *last = last.split('.').next().unwrap_or(last);
    }
    if parts.last().is_some_and(|it| INDEX_STEMS.contains(it)) && parts.len() > 1 {
        parts.pop();
    }
    parts
}
