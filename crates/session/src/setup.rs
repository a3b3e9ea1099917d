//! Finds the workspace and its index directory by the settings, and brings the index up to date.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use foreword_chunk::ParseOutcome;
use foreword_engine::index::{FileId, IndexConfig, Snapshot, Store};
use foreword_load::{
    Analyzer, Effort, Environment, Limits, LoadError, Options, Progress, Reuse, SyncError,
    SyncOptions, SyncOutcome, Unreadable, WalkConfig, Workspace,
};
use foreword_model::embed::EmbedderSettings;

use crate::seed::ClusterSettings;

/// Files to index, their index directory, and resources.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// Takes the given directory as the root instead of the repository around it.
    pub here: bool,
    /// The commit whose files are read instead of those on disk.
    pub revision: Option<String>,
    /// Directory of indexes; `None` for the user's cache directory.
    pub index_dir: Option<PathBuf>,
    /// Approximate memory limit of indexing, in bytes.
    pub memory: usize,
    /// Number of threads; 0 for one per core.
    pub threads: usize,
    /// Directories below which a repository's `objects/info/alternates` may lead.
    pub git_alternates: Vec<PathBuf>,
    /// Settings of the directory walk.
    pub walk: WalkConfig,
    /// Limits of reading.
    pub limits: Limits,
    /// The parser of texts.
    pub analyzer: Arc<Analyzer>,
    /// Whether customisation by team and user is used (docs/customise.md).
    pub customise: bool,
    /// Kinds of feedback to keep and use (docs/customise.md).
    pub feedback: FeedbackUse,
    /// Whether a server's session (what was just edited and looked at) is stored beside the index.
    pub remember: bool,
    /// Maximum number of forecasts of a current plan beside the pieces of a prompt.
    pub forecasts: usize,
    /// The embedding model; `None` for lexical search only.
    pub embedder: Option<EmbedderSettings>,
    /// The cluster that answers while there is no index.
    pub cluster: Option<ClusterSettings>,
}

/// Kinds of feedback to keep and use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FeedbackUse {
    /// None; stored feedback changes no answer.
    #[default]
    Off,
    /// Votes of people.
    Votes,
    /// Also votes derived from the actions of editors and agents.
    All,
}

/// Maximum wait of a command for another process that writes the index: longer than the first index of a large
/// repository, so that its work is shared. Afterwards the answer comes from memory.
pub const WRITER_WAIT: Duration = Duration::from_mins(30);

/// Options of one synchronisation.
#[derive(Clone, Copy)]
pub struct SyncRequest<'r> {
    /// Maximum wait for another writer.
    pub wait: Duration,
    /// Called repeatedly while another process writes, with the time waited so far.
    pub waiting: Option<&'r (dyn Fn(Duration) + Sync)>,
    /// The part of the existing index to reuse.
    pub reuse: Reuse,
    /// What is done for texts that take long to parse.
    pub effort: Effort,
    /// Called as files are done, from any thread.
    pub progress: &'r (dyn Fn(Progress) + Sync),
    /// Called with the partial index, from any thread.
    pub partial: Option<&'r (dyn Fn(Snapshot) + Sync)>,
    /// Set when nobody wants the result any more; what is done by then is kept.
    pub cancel: Option<&'r AtomicBool>,
}

impl Setup {
    /// Size of the largest text that is analysed: that of the largest indexed file.
    pub fn max_text_bytes(&self) -> usize {
        usize::try_from(self.limits.max_file_size).unwrap_or(usize::MAX)
    }

    /// The workspace around `path`.
    pub fn discover(&self, path: &Path) -> Result<Workspace, LoadError> {
        let home = Environment::current().home;
        let (git_alternates, revision) = (self.git_alternates.clone(), self.revision.clone());
        let options = Options { root_is_path: self.here, home, git_alternates, revision };
        Workspace::discover(path, &options)
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
            effort: request.effort,
            progress: Some(request.progress),
            partial: request.partial,
            cancel: request.cancel,
        };
        foreword_load::sync(workspace, store, &options)
    }
}

/// Maximum number of paths in a note.
const MAX_NOTED_PATHS: usize = 3;

/// A note about files that have no syntax tree yet, which `remedy` ends; `None` if there are none.
pub fn deferred_note(snapshot: &Snapshot, remedy: &str) -> Option<String> {
    let is_deferred = |it: &FileId| {
        matches!(snapshot.outcome(*it), ParseOutcome::Interrupted | ParseOutcome::Deferred)
    };
    let deferred: Vec<FileId> = snapshot.files().filter(is_deferred).collect();
    let paths = deferred.iter().take(MAX_NOTED_PATHS).map(|it| snapshot.path(*it));
    let paths: Vec<&str> = paths.collect();
    let files = match deferred.len() {
        0 => return None,
        1 => "1 file has".to_owned(),
        n => format!("{n} files have"),
    };
    let more = if deferred.len() > paths.len() { ", …" } else { "" };
    let paths = paths.join(", ");
    Some(format!(
        "{files} no syntax tree yet, because parsing takes long or was interrupted ({paths}{more}): {remedy}"
    ))
}

/// A note about unreadable files, with remedies; `first` is the first path as it is shown.
pub fn unread_note(unreadable: &Unreadable, first: &str) -> String {
    let Unreadable { reason, paths, .. } = unreadable;
    let paths = if *paths == 1 { "a path".to_owned() } else { format!("{paths} paths") };
    format!(
        "{paths} cannot be read and so cannot be found, {first} among them ({reason}): ask again, mend the permissions, or \
         name it in .forewordignore; `foreword status --ignored` lists them"
    )
}
