//! Reads truth folders from disk.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};
use serde::Deserialize;

use super::expectations::Expectations;
use super::project::Project;

/// The folder of the base projects, one per language.
const BASE: &str = "_base";

/// `truth.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Toml {
    about: String,
    #[serde(default)]
    task: BTreeMap<String, Expectations>,
}

/// A truth folder: one property of ranking.
#[derive(Clone, Debug)]
pub struct Folder {
    pub(crate) name: String,
    /// Its path.
    pub path: PathBuf,
    /// Why the property matters.
    pub about: String,
    /// Its projects, by name, each with its tasks.
    pub(crate) projects: Vec<Project>,
}

/// Reads the folders with these names below `dir`; all for an empty list.
pub fn read_all(dir: &Path, names: &[String]) -> Result<Vec<Folder>> {
    let children = children(dir)?.into_iter().filter(|it| it != BASE && !it.starts_with('.'));
    let mut folders: Vec<String> = children.filter(|it| dir.join(it).is_dir()).collect();
    ensure!(!folders.is_empty(), "there is no truth folder in {}", dir.display());
    if let Some(name) = names.iter().find(|it| !folders.contains(it)) {
        bail!("there is no truth folder `{name}`; there are {}", folders.join(", "));
    }
    folders.retain(|it| names.is_empty() || names.contains(it));
    folders.iter().map(|it| read(dir, it)).collect()
}

/// Reads one folder.
pub fn read(dir: &Path, name: &str) -> Result<Folder> {
    let path = dir.join(name);
    let toml_path = path.join("truth.toml");
    let shown = toml_path.display();
    let text = fs::read_to_string(&toml_path).with_context(|| format!("cannot read {shown}"))?;
    let toml: Toml = toml::from_str(&text).with_context(|| format!("{shown}"))?;
    ensure!(!toml.about.trim().is_empty(), "{shown}: `about` says nothing");
    let mut expectations = toml.task;
    let mut projects = Vec::new();
    for project in children(&path)?.into_iter().filter(|it| path.join(it).is_dir()) {
        let sources = sources(dir, &path, &project)?;
        let read = Project::new(&project, sources, &mut expectations);
        projects.push(read.with_context(|| format!("{}", path.join(&project).display()))?);
    }
    if let Some(name) = expectations.keys().next() {
        bail!("{shown}: [task.\"{name}\"] has no query and no <CURSOR> of that name");
    }
    Ok(Folder { name: name.to_owned(), path, about: toml.about, projects })
}

/// The files of a project, with its marks, over those of its base.
fn sources(dir: &Path, folder: &Path, project: &str) -> Result<BTreeMap<String, String>> {
    let language = project.split('-').next().unwrap_or(project);
    let mut res = BTreeMap::new();
    let base = dir.join(BASE).join(language);
    for root in [base, folder.join(project)] {
        let mut paths = BTreeSet::new();
        files(&root, "", &mut paths)?;
        for path in paths {
            let at = root.join(&path);
            let text = fs::read_to_string(&at);
            res.insert(path, text.with_context(|| format!("cannot read {}", at.display()))?);
        }
    }
    Ok(res)
}

fn files(root: &Path, below: &str, paths: &mut BTreeSet<String>) -> Result<()> {
    let dir = root.join(below);
    if !dir.is_dir() && below.is_empty() {
        return Ok(());
    }
    for name in children(&dir)? {
        let path = if below.is_empty() { name } else { format!("{below}/{name}") };
        if root.join(&path).is_dir() {
            files(root, &path, paths)?;
        } else {
            paths.insert(path);
        }
    }
    Ok(())
}

/// The names in a directory, sorted.
fn children(dir: &Path) -> Result<Vec<String>> {
    let shown = dir.display();
    let entries = fs::read_dir(dir).with_context(|| format!("cannot read {shown}"))?;
    let mut names = Vec::new();
    for entry in entries {
        let name = entry.with_context(|| format!("cannot read {shown}"))?.file_name();
        names.push(name.to_string_lossy().into_owned());
    }
    names.sort_unstable();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> Result<Vec<Folder>> {
        let dir = tempfile::tempdir()?;
        for (path, text) in files {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().unwrap())?;
            fs::write(path, text)?;
        }
        read_all(dir.path(), &[])
    }

    #[test]
    fn a_project_lies_over_the_base_of_its_language() {
        let folders = folder(&[
            ("_base/python/a.py", "base"),
            ("_base/python/pkg/b.py", "base"),
            ("_base/rust/c.rs", "base"),
            ("same-thing/truth.toml", "about = \"why\""),
            ("same-thing/python-2/a.py", "mine <CURSOR: a.py>"),
        ]);
        let project = &folders.unwrap()[0].projects[0];
        let sources: Vec<(&str, &str)> =
            project.sources.iter().map(|it| (it.path.as_str(), it.text.as_str())).collect();
        assert_eq!(sources, [("a.py", "mine "), ("pkg/b.py", "base")]);
        assert_eq!(project.tasks[0].name, "python-2");
    }

    #[test]
    fn errors_name_the_file_and_what_is_wrong() {
        let mark = ("p/python/a.py", "<CURSOR: a.py>");
        for (toml, word) in [
            ("about = \"\"", "`about` says nothing"),
            ("about = \"x\"\n[task.rust]\nwithin = 1", "no <CURSOR> of that name"),
            ("about = \"x\"\n[task.python]\nwithn = 1", "unknown field `withn`"),
        ] {
            let error = format!("{:#}", folder(&[("p/truth.toml", toml), mark]).unwrap_err());
            assert!(error.contains(word) && error.contains("truth.toml"), "{error}");
        }
    }
}
