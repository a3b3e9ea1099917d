//! Where what belongs to the plans of agents is kept.

use std::path::{Path, PathBuf};
use std::time::Duration;

use foreword_engine::index::Store;
use foreword_engine::source::ContentHash;
use foreword_engine::speculate::{PlanStore, PlannerKey};
use foreword_load::Workspace;
use foreword_model::agents::AgentConfig;
use serde::{Deserialize, Serialize};

use super::FileReport;

/// How long the transcript of a file is kept that is gone: another branch may have it.
const OLD: Duration = Duration::from_hours(30 * 24);

/// The files of one view.
#[derive(Clone, Debug)]
pub struct Places {
    dir: PathBuf,
    view: String,
}

/// The model that planned last: a context is composed from its plans without asking it who it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownModel {
    /// The name of the model.
    pub name: String,
    /// Tokens of a prompt and its answer, where the server says.
    pub window: Option<u64>,
    /// What its plans are keyed by.
    pub fingerprint: String,
}

impl Places {
    /// The paths for the plans of a workspace.
    pub fn new(workspace: &Workspace, store: &Store) -> Self {
        Self { dir: store.dir().join("plans"), view: workspace.view_key() }
    }

    fn file(&self, ending: &str) -> PathBuf {
        self.dir.join(format!("{}.{}.{ending}", self.view, AgentConfig::planner_name()))
    }

    /// What was spent.
    pub fn ledger(&self) -> PathBuf {
        self.file("ledger")
    }

    /// What was said of a file the last time.
    pub fn transcript(&self, path: &str) -> PathBuf {
        let name = ContentHash::of(path.as_bytes());
        self.file("transcripts").join(format!("{name}.jsonl"))
    }

    /// What the last run did for a file.
    pub(super) fn report(&self, path: &str) -> PathBuf {
        self.transcript(path).with_extension("report.json")
    }

    /// What the last run did for a file; none before the first one.
    pub fn last_report(&self, path: &str) -> Option<FileReport> {
        serde_json::from_slice(&std::fs::read(self.report(path)).ok()?).ok()
    }

    /// Keeps what a run did for a file.
    pub(super) fn set_report(&self, report: &FileReport) -> anyhow::Result<()> {
        self.write(&self.report(&report.path), &serde_json::to_string(report)?)
    }

    /// The mark that planning is paused.
    fn paused(&self) -> PathBuf {
        self.file("paused")
    }

    /// Whether planning is paused, now and whenever it is asked.
    pub fn is_paused(&self) -> impl Fn() -> bool + Send + 'static {
        let mark = self.paused();
        move || mark.exists()
    }

    /// Sets the mark; a run that is going on stops before its next request.
    pub fn pause(&self) -> std::io::Result<()> {
        std::fs::create_dir_all(&self.dir)?;
        std::fs::write(self.paused(), "")
    }

    /// Takes the mark away.
    pub fn resume(&self) -> std::io::Result<()> {
        match std::fs::remove_file(self.paused()) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn known(&self) -> PathBuf {
        self.file("json")
    }

    /// The model that planned last; none before the first time.
    pub fn model(&self) -> Option<KnownModel> {
        serde_json::from_slice(&std::fs::read(self.known()).ok()?).ok()
    }

    /// The plans of the model that planned last.
    pub fn plans(&self, store: &Store) -> Option<PlanStore> {
        let name = AgentConfig::planner_name().to_owned();
        let key = PlannerKey { name, fingerprint: self.model()?.fingerprint };
        Some(PlanStore::new(store, &self.view, key))
    }

    /// Notes which model plans.
    pub(crate) fn set_model(&self, model: &KnownModel) -> anyhow::Result<()> {
        if self.model().as_ref() == Some(model) {
            return Ok(());
        }
        self.write(&self.known(), &serde_json::to_string(model)?)
    }

    /// Replaces a file as a whole.
    fn write(&self, path: &Path, text: &str) -> anyhow::Result<()> {
        use std::io::Write as _;
        let dir = path.parent().unwrap_or(&self.dir);
        std::fs::create_dir_all(dir)?;
        let mut file = tempfile::NamedTempFile::new_in(dir)?;
        file.write_all(text.as_bytes())?;
        file.persist(path)?;
        Ok(())
    }

    /// Deletes old transcripts of files for which `is_there` does not say so.
    pub(crate) fn tidy(&self, is_there: &dyn Fn(&Path) -> bool) {
        let Ok(entries) = std::fs::read_dir(self.file("transcripts")) else { return };
        let is_old = |it: &std::fs::DirEntry| {
            let age = it.metadata().ok().and_then(|it| it.modified().ok()?.elapsed().ok());
            age.is_some_and(|it| it > OLD)
        };
        for entry in entries.flatten().filter(|it| is_old(it) && !is_there(&it.path())) {
            // What cannot be deleted takes room until the next time.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}
