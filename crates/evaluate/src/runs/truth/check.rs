//! Checks all folders against their expectations and their accepted ranks.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result};
use foreword_engine::index::Snapshot;
use rayon::prelude::*;

use super::Presets;
use super::ask::ask;
use super::folder::{Folder, read_all};
use super::project::Task;
use super::ranks;
use super::verdict::{Verdict, judge};

/// A folder with the indexes of its projects.
pub struct IndexedFolder {
    /// The folder.
    pub folder: Folder,
    /// Indexes, in the order of its projects.
    pub(crate) snapshots: Vec<Snapshot>,
}

/// The result of a folder.
pub struct FolderReport {
    pub(crate) folder: String,
    /// One per task, by name.
    pub verdicts: Vec<Verdict>,
    pub(crate) accepted: BTreeMap<String, String>,
}

/// Reads and indexes the folders with these names below `dir`; all for an empty list.
pub fn prepare(dir: &Path, names: &[String]) -> Result<Vec<IndexedFolder>> {
    let index = |folder: Folder| {
        let snapshots = folder.projects.iter().map(super::project::Project::snapshot);
        Ok(IndexedFolder { snapshots: snapshots.collect::<Result<_>>()?, folder })
    };
    read_all(dir, names)?.into_par_iter().map(index).collect()
}

impl IndexedFolder {
    /// Each task with its snapshot.
    pub fn tasks(&self) -> impl Iterator<Item = (&Task, &Snapshot)> {
        let projects = self.folder.projects.iter().zip(&self.snapshots);
        projects.flat_map(|(project, snapshot)| project.tasks.iter().map(move |it| (it, snapshot)))
    }

    /// Runs all tasks.
    pub fn check(&self, presets: &Presets) -> Result<FolderReport> {
        let verdict =
            |(task, snapshot): (&Task, &Snapshot)| Ok(judge(task, &ask(snapshot, task, presets)?));
        let verdicts: Result<Vec<Verdict>> = self.tasks().map(verdict).collect();
        Ok(FolderReport {
            folder: self.folder.name.clone(),
            verdicts: verdicts.with_context(|| self.folder.name.clone())?,
            accepted: ranks::read(&self.folder.path)?,
        })
    }
}

/// Runs all tasks of all folders.
pub fn check_all(folders: &[IndexedFolder], presets: &Presets) -> Result<Vec<FolderReport>> {
    folders.par_iter().map(|it| it.check(presets)).collect()
}

/// The differences from the accepted ranks (changed, new and removed tasks) as text; empty after accepting.
pub fn changes(checked: &[FolderReport]) -> String {
    let mut res = String::new();
    for FolderReport { folder, verdicts, accepted } in checked {
        for it in verdicts {
            let was = accepted.get(&it.task).map_or("(not accepted yet)", String::as_str);
            if was != it.ranks {
                let task = &it.task;
                let _ = write!(res, "{folder}/{task}\n    was {was}\n    is  {}\n", it.ranks);
            }
        }
        let is_gone = |task: &&String| !verdicts.iter().any(|it| it.task == **task);
        for task in accepted.keys().filter(is_gone) {
            let _ = writeln!(res, "{folder}/{task}\n    was {}\n    is gone", accepted[task]);
        }
    }
    res
}

/// Failures that cannot be accepted: unmet expectations, and obsolete `known` marks.
pub fn failures(checked: &[FolderReport]) -> String {
    let mut res = String::new();
    for FolderReport { folder, verdicts, .. } in checked {
        for it in verdicts {
            let task = &it.task;
            match (&it.known, it.failures.as_slice()) {
                (None, failures) => {
                    for failure in failures {
                        let _ = writeln!(res, "{folder}/{task}: {failure}");
                    }
                }
                (Some(known), []) => {
                    let _ = writeln!(
                        res,
                        "{folder}/{task} holds now: take `known = {known:?}` out of its truth.toml"
                    );
                }
                (Some(_), _) => {}
            }
        }
    }
    res
}

/// The complete failure report, with the commands that help; `None` on success.
pub fn complaint(checked: &[FolderReport]) -> Option<String> {
    let (changes, failures) = (changes(checked), failures(checked));
    let mut res = String::new();
    if !failures.is_empty() {
        let _ = write!(
            res,
            "demands that are not met (look at one with `cargo run -p foreword-evaluate -- show-one FOLDER/TASK`):\n{failures}"
        );
    }
    if !changes.is_empty() {
        let _ = write!(
            res,
            "ranks that changed (if they should: `cargo run -p foreword-evaluate -- truth --accept`, and say why in the commit):\n{changes}"
        );
    }
    (!res.is_empty()).then_some(res)
}
