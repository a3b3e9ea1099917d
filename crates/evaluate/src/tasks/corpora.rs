//! Locates and reads the code of a task: a commit of a bare repository, a directory, or an archive.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use foreword_engine::index::{Change, Snapshot};
use foreword_engine::source::Source;

use crate::tasks::corpus::exclude::blank_excluded;
use crate::tasks::corpus::{self, is_checked_out};
use crate::tasks::git::Git;
use crate::tasks::session::{self, EditLocation, locations};
use crate::tasks::task::{Edit, Task};

/// Directories that hold repositories and source trees.
#[derive(Clone, Debug, Default)]
pub struct Corpora {
    /// Contains the bare repositories as `owner+name/repo`.
    pub git_dirs: Option<PathBuf>,
    /// Base of relative directory paths.
    pub dirs: Option<PathBuf>,
}

impl Corpora {
    /// Whether the code of a task is available.
    pub fn has(&self, task: &Task) -> bool {
        self.place(task).is_ok_and(|it| is_checked_out(&it))
    }

    /// Path of the repository, directory or archive with the code of a task.
    pub fn place(&self, task: &Task) -> Result<PathBuf> {
        let corpus = &task.corpus;
        match corpus.kind.as_str() {
            "git" => {
                let dirs = self.git_dirs.as_deref().context("its code is in git: --git-dirs")?;
                Ok(git_dir(dirs, &task.repo))
            }
            "dir" | "archive" => {
                let dirs = self.dirs.as_deref().context("its code is in a directory: --dirs")?;
                Ok(dirs.join(corpus.path.as_deref().context("it names no directory")?))
            }
            other => bail!("a corpus of kind `{other}` has no code"),
        }
    }
}

/// The bare repository of `owner/name`.
pub(crate) fn git_dir(dirs: &Path, repo: &str) -> PathBuf {
    dirs.join(repo.replace('/', "+")).join("repo")
}

/// Reads code and history; caches both between tasks.
#[derive(Default)]
pub(crate) struct Reader {
    git: Option<(PathBuf, Git)>,
    directory: Option<(PathBuf, Arc<Snapshot>)>,
    session: Option<(String, Vec<EditLocation>)>,
}

/// The code of a task, and the preceding edits.
pub(crate) struct Code {
    pub(crate) snapshot: Arc<Snapshot>,
    pub(crate) session: Vec<EditLocation>,
    /// Whether the snapshot is a past state, in which the cursor's file must match the task.
    pub(crate) is_past: bool,
}

fn revision(task: &Task) -> Result<&str> {
    task.corpus.rev.as_deref().context("the task names no commit")
}

/// A snapshot with some files changed.
fn edited(snapshot: Arc<Snapshot>, edits: &[Edit]) -> Result<Arc<Snapshot>> {
    if edits.is_empty() {
        return Ok(snapshot);
    }
    let change = |it: &Edit| match it.text.clone() {
        Some(text) => Change::Write(Source { path: it.path.clone(), text }),
        None => Change::Remove(it.path.clone()),
    };
    let changed = snapshot.with_changes(edits.iter().map(change).collect());
    Ok(Arc::new(changed.context("cannot index the edits")?))
}

impl Reader {
    /// Reads the code of a task and the preceding edits.
    pub(crate) fn read(&mut self, corpora: &Corpora, task: &Task) -> Result<Code> {
        let snapshot = self.snapshot(corpora, task)?;
        let is_past = task.corpus.kind == "git";
        let session = match is_past {
            true => {
                let earlier = self.session(&corpora.place(task)?, revision(task)?)?;
                locations(&task.session).chain(earlier).collect()
            }
            false => Vec::new(),
        };
        Ok(Code { snapshot, session, is_past })
    }

    /// Reads the code of a task, excluded lines blanked.
    pub(crate) fn snapshot(&mut self, corpora: &Corpora, task: &Task) -> Result<Arc<Snapshot>> {
        let place = corpora.place(task)?;
        if task.corpus.kind != "git" {
            return blank_excluded(&self.directory(&place)?, task, "");
        }
        let known = self.git.take().filter(|it| it.0 == place);
        let (_, git) = self.git.insert(match known {
            Some(known) => known,
            None => (place.clone(), Git::open(&place)?),
        });
        let committed = git.snapshot(revision(task)?)?;
        if !task.session.is_empty() {
            let text =
                |path: &str| Ok(committed.file(path).map(|it| committed.text(it).to_string()));
            session::check(task, text)?;
        }
        blank_excluded(&edited(committed, &task.corpus.edits)?, task, "")
    }

    fn directory(&mut self, root: &Path) -> Result<Arc<Snapshot>> {
        if let Some((_, known)) = self.directory.as_ref().filter(|it| it.0 == root) {
            return Ok(Arc::clone(known));
        }
        let made = Arc::new(corpus::snapshot(root)?);
        self.directory = Some((root.to_owned(), Arc::clone(&made)));
        Ok(made)
    }

    fn session(&mut self, place: &Path, revision: &str) -> Result<Vec<EditLocation>> {
        if let Some((_, known)) = self.session.as_ref().filter(|it| it.0 == revision) {
            return Ok(known.clone());
        }
        let made = session::session(place, revision)?;
        self.session = Some((revision.to_owned(), made.clone()));
        Ok(made)
    }
}
