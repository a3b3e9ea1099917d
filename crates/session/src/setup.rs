//! From settings to a workspace, its index directory, and an index that is up to date: the same for every command.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use foreword_engine::index::{IndexConfig, Snapshot, Store};
use foreword_load::{
    Analyzer, Environment, Limits, LoadError, Options, Progress, Reuse, SyncError, SyncOptions,
    SyncOutcome, Unreadable, WalkConfig, Workspace,
};
use foreword_model::embed::EmbedderSettings;

/// What is indexed, where, and with which resources.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// The given directory is the root, not the repository around it.
    pub here: bool,
    /// Where indexes are kept; `None` for the user's cache directory.
    pub index_dir: Option<PathBuf>,
    /// About how many bytes of memory indexing may use.
    pub memory: usize,
    /// Threads; 0 for one per core.
    pub threads: usize,
    /// Which files are walked.
    pub walk: WalkConfig,
    /// Which files are read.
    pub limits: Limits,
    /// Where texts are parsed.
    pub analyzer: Arc<Analyzer>,
    /// Whether what a team and the user say of a repository is used (docs/customise.md).
    pub customise: bool,
    /// Which feedback on earlier answers is kept and used (docs/customise.md).
    pub feedback: FeedbackUse,
    /// The model by which questions are compared with code beside their words; `None`: by words alone.
    pub embedder: Option<EmbedderSettings>,
}

/// Which feedback is kept and used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FeedbackUse {
    /// None: nothing is kept, and what was kept changes no answer.
    #[default]
    Off,
    /// What people say.
    Votes,
    /// Also what editors' and agents' actions tell.
    All,
}

/// How long a command waits for another process that writes the index: longer than the first index of a large repository
/// takes, whose work it then shares. After that it answers from memory.
pub const WRITER_WAIT: Duration = Duration::from_mins(30);

/// The options of one synchronisation.
#[derive(Clone, Copy)]
pub struct SyncRequest<'r> {
    /// How long to wait for another writer.
    pub wait: Duration,
    /// Called again and again while another writer is waited for, with how long it has been so.
    pub waiting: Option<&'r (dyn Fn(Duration) + Sync)>,
    /// What of the existing index is used.
    pub reuse: Reuse,
    /// Called as files are done, from any thread.
    pub progress: &'r (dyn Fn(Progress) + Sync),
    /// Called with the partial index, from any thread.
    pub partial: Option<&'r (dyn Fn(Snapshot) + Sync)>,
}

impl Setup {
    /// The length from which a text is not analysed: that from which a file is not indexed.
    pub fn max_text_bytes(&self) -> usize {
        usize::try_from(self.limits.max_file_size).unwrap_or(usize::MAX)
    }

    /// The workspace around `path`.
    pub fn discover(&self, path: &Path) -> Result<Workspace, LoadError> {
        let home = Environment::current().home;
        Workspace::discover(path, &Options { root_is_path: self.here, home })
    }

    /// The workspace's index directory.
    pub fn store(&self, workspace: &Workspace) -> Result<Store, LoadError> {
        let base = self.index_dir.as_deref();
        let dir = foreword_load::index_dir(workspace, base, &Environment::current())?;
        Ok(Store::new(dir, IndexConfig::default()))
    }

    /// Brings the workspace's index up to date.
    pub fn sync(
        &self,
        workspace: &Workspace,
        store: &Store,
        request: SyncRequest<'_>,
    ) -> Result<SyncOutcome, SyncError> {
        let options = SyncOptions {
            analyzer: &self.analyzer,
            walk: self.walk.clone(),
            limits: self.limits.clone(),
            memory: self.memory,
            threads: self.threads,
            wait: request.wait,
            waiting: request.waiting,
            reuse: request.reuse,
            progress: Some(request.progress),
            partial: request.partial,
        };
        foreword_load::sync(workspace, store, &options)
    }
}

/// What cannot be read and so is in no answer, and what helps; `first` is how the first path is shown.
pub fn unread_note(unreadable: &Unreadable, first: &str) -> String {
    let Unreadable { reason, paths, .. } = unreadable;
    let paths = if *paths == 1 { "a path".to_owned() } else { format!("{paths} paths") };
    format!(
        "{paths} cannot be read and so cannot be found, {first} among them ({reason}): ask again, mend the permissions, or \
         name it in .forewordignore; `foreword status --ignored` lists them"
    )
}
