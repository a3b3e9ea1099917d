//! Location of a document in its repository, and the user's activity there.

use std::path::PathBuf;
use std::sync::Arc;

use foreword_engine::index::{IndexConfig, Snapshot};
use foreword_engine::scope::{Cursor, CursorError};
use foreword_engine::speculate::FilePlan;
use foreword_load::Masking;
use foreword_session::activity::ActivityElsewhere;
use foreword_session::answer::complete::ContextSource;
use foreword_session::host::{CursorView, Repository, large_text};

use crate::lsp::workspaces::Workspaces;

/// A document's repository and its path there.
pub(super) struct Location<'w> {
    workspaces: &'w Workspaces,
    /// `None` for documents that are not files, or in no repository.
    repository: Option<Arc<Repository>>,
    pub(super) path: String,
    masking: Masking,
}

impl<'w> Location<'w> {
    /// Fails for a file that is a secret by its name.
    pub(super) fn of(workspaces: &'w Workspaces, path: Option<&PathBuf>) -> anyhow::Result<Self> {
        let found = path.and_then(|it| workspaces.of_file(it));
        let workspace = found.as_ref().map(|it| it.0.workspace());
        let admitted = path.map(|it| workspaces.setup().admit_file(workspace, it));
        let masking = admitted.transpose()?.unwrap_or_default();
        let (repository, path) = match found {
            Some((repository, path)) => (Some(repository), path),
            None => (None, file_name(path)),
        };
        Ok(Self { workspaces, repository, path, masking })
    }

    /// The cursor at a byte of the document's text.
    pub(super) fn cursor(&self, text: &str, offset: usize) -> Result<Cursor, CursorError> {
        match self.masking {
            Masking::On => Cursor::new(self.path.clone(), text, offset),
            Masking::Off => Cursor::unmasked(self.path.clone(), text, offset),
        }
    }

    /// The part of a text to analyse, and the cursor in it: the lines around the cursor if the text is too large or minified.
    pub(super) fn analysable<'t>(&self, text: &'t str, offset: usize) -> (&'t str, usize) {
        let limit = self.workspaces.max_text_bytes();
        let (part, at) = large_text::analysable(&self.path, text, offset, limit);
        if part.len() < text.len() {
            tracing::debug!(bytes = text.len(), "a buffer is used around the cursor only");
        }
        (part, at)
    }

    /// Some work over the repository as seen from this cursor: over what the cluster of the user's configuration has while
    /// there is no index, else over the files that are indexed so far. `work` is called until nothing is missing.
    pub(super) fn answer<T>(
        &self,
        cursor: &Cursor,
        work: impl Fn(&CursorView, ContextSource) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let from_cluster = |view: &CursorView| work(view, ContextSource::Cluster);
        let seeded = self.repository.as_ref();
        let seeded = seeded.and_then(|it| it.seeded_at_cursor(cursor, &from_cluster));
        match seeded {
            Some(answer) => Ok(answer),
            None => work(&self.view(cursor)?, ContextSource::Index),
        }
    }

    /// The repository as seen from this cursor; empty if there is none.
    fn view(&self, cursor: &Cursor) -> anyhow::Result<CursorView> {
        match &self.repository {
            Some(repository) => repository.view_at_cursor(cursor),
            None => Ok(CursorView {
                base: Arc::new(Snapshot::empty(IndexConfig::default())),
                overlaid: None,
            }),
        }
    }

    /// Analyses the text of a document that was opened, so that the first key need not. A text that is used in part is cut
    /// around a cursor that is not known yet.
    pub(super) fn prepare(&self, text: &str) {
        let is_whole = self.analysable(text, 0).0.len() == text.len();
        if let Some(repository) = self.repository.as_ref().filter(|_| is_whole) {
            repository.prepare(&self.path, text);
        }
    }

    /// The current plan of the file, and the maximum number of its forecasts in a prompt.
    pub(super) fn plan(&self) -> (Option<FilePlan>, usize) {
        self.repository.as_ref().map_or((None, 0), |it| it.plan(&self.path))
    }

    /// Name of the repository; empty if there is none.
    pub(super) fn repository_name(&self) -> &str {
        self.repository.as_ref().map_or("", |it| &it.workspace().name)
    }

    /// What was done in other files of the repository.
    pub(super) fn elsewhere(&self, view: &CursorView) -> ActivityElsewhere {
        let repository = self.repository.as_ref();
        repository.map(|it| it.elsewhere(&self.path, &view.base)).unwrap_or_default()
    }
}

/// Name of a document without a repository; the extension gives its language.
fn file_name(path: Option<&PathBuf>) -> String {
    let name = path.and_then(|it| it.file_name());
    name.map_or_else(|| "untitled".to_owned(), |it| it.to_string_lossy().into_owned())
}
