//! Paths of the files that belong to the plans of one view.

use std::path::{Path, PathBuf};
use std::time::Duration;

use foreword_engine::index::Store;
use foreword_engine::source::ContentHash;
use foreword_engine::speculate::{PlanStore, PlannerKey};
use foreword_load::Workspace;
use foreword_model::agents::AgentConfig;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::report::FileReport;

/// Transcripts of deleted files are kept this long, since another branch may have the files.
const TRANSCRIPT_LIFE: Duration = Duration::from_hours(30 * 24);

/// Paths of the files of one view.
#[derive(Clone, Debug)]
pub struct PlanPaths {
    dir: PathBuf,
    view: String,
}

/// The model that planned last, stored so that its plans can be read without connecting to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownModel {
    /// Name of the model.
    pub name: String,
    /// Context window in tokens, if the server reports it.
    pub window: Option<u64>,
    /// Fingerprint of its plans' key.
    pub fingerprint: String,
}

impl PlanPaths {
    /// The paths for the view of a workspace.
    pub fn new(workspace: &Workspace, store: &Store) -> Self {
        Self { dir: store.dir().join("plans"), view: workspace.view_key() }
    }

    fn file(&self, ending: &str) -> PathBuf {
        self.dir.join(format!("{}.{}.{ending}", self.view, AgentConfig::planner_name()))
    }

    /// The ledger of costs.
    pub fn ledger(&self) -> PathBuf {
        self.file("ledger")
    }

    /// The transcript of a file's last run.
    pub fn transcript(&self, path: &str) -> PathBuf {
        let name = ContentHash::of(path.as_bytes());
        self.file("transcripts").join(format!("{name}.jsonl"))
    }

    /// The report of a file's last run.
    pub(super) fn report(&self, path: &str) -> PathBuf {
        self.transcript(path).with_extension("report.json")
    }

    /// Reads the report of a file's last run; `None` before the first.
    pub fn last_report(&self, path: &str) -> Option<FileReport> {
        read(&self.report(path))
    }

    /// Writes the report of a file's run.
    pub(super) fn set_report(&self, report: &FileReport) -> anyhow::Result<()> {
        self.write(&self.report(&report.path), &serde_json::to_string(report)?)
    }

    /// A file that exists while planning is paused.
    fn paused(&self) -> PathBuf {
        self.file("paused")
    }

    /// Returns a function that tells whether planning is paused.
    pub fn is_paused(&self) -> impl Fn() -> bool + Send + 'static {
        let mark = self.paused();
        move || mark.exists()
    }

    /// Pauses planning; a running process stops before its next request.
    pub fn pause(&self) -> std::io::Result<()> {
        std::fs::create_dir_all(&self.dir)?;
        std::fs::write(self.paused(), "")
    }

    /// Resumes planning.
    pub fn resume(&self) -> std::io::Result<()> {
        match std::fs::remove_file(self.paused()) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn known(&self) -> PathBuf {
        self.file("json")
    }

    /// The model that planned last; `None` before the first run.
    pub fn model(&self) -> Option<KnownModel> {
        read(&self.known())
    }

    /// The plans of the model that planned last; `None` before the first run.
    pub fn plans(&self, store: &Store) -> Option<PlanStore> {
        let name = AgentConfig::planner_name().to_owned();
        let key = PlannerKey { name, fingerprint: self.model()?.fingerprint };
        Some(PlanStore::new(store, &self.view, key))
    }

    /// Writes the model that plans.
    pub fn set_model(&self, model: &KnownModel) -> anyhow::Result<()> {
        if self.model().as_ref() == Some(model) {
            return Ok(());
        }
        self.write(&self.known(), &serde_json::to_string(model)?)
    }

    /// Replaces a file atomically.
    fn write(&self, path: &Path, text: &str) -> anyhow::Result<()> {
        use std::io::Write as _;
        let dir = path.parent().unwrap_or(&self.dir);
        std::fs::create_dir_all(dir)?;
        let mut file = tempfile::NamedTempFile::new_in(dir)?;
        file.write_all(text.as_bytes())?;
        file.persist(path)?;
        Ok(())
    }

    /// Deletes old transcripts, except those that `is_kept` accepts.
    pub fn tidy(&self, is_kept: &dyn Fn(&Path) -> bool) {
        let Ok(entries) = std::fs::read_dir(self.file("transcripts")) else { return };
        let is_old = |it: &std::fs::DirEntry| {
            let age = it.metadata().ok().and_then(|it| it.modified().ok()?.elapsed().ok());
            age.is_some_and(|it| it > TRANSCRIPT_LIFE)
        };
        for entry in entries.flatten().filter(|it| is_old(it) && !is_kept(&it.path())) {
            // A failed deletion is repeated by the next run.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}
/// The value of a JSON file; `None` if there is none.
fn read<T: DeserializeOwned>(path: &Path) -> Option<T> {
    let file = foreword_load::open_regular(path).ok()?;
    serde_json::from_reader(std::io::BufReader::new(file)).ok()
}
