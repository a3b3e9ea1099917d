//! Likely next edits, after what was changed since the last commit and in this session.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use anyhow::Context as _;
use foreword_engine::index::{CommitDiff, FileDiff, Snapshot};
use foreword_engine::next::edits_since_commit;
use foreword_engine::sorting::sort_by_key;
use foreword_session::answer::next::{LikelyPlace, PlaceQuery, WrittenRange, likely};
use foreword_session::host::Repository;

use crate::lsp::documents::EditedDocument;
use crate::lsp::next_answer::NextEdits;
use crate::lsp::workspaces::Workspaces;

/// Maximum places, as on the command line.
const MAX_PLACES: usize = 10;

/// A cursor, and what was edited.
pub(in crate::lsp) struct NextEditsQuery {
    pub(in crate::lsp) path: PathBuf,
    /// 1-based.
    pub(in crate::lsp) line: u32,
    pub(in crate::lsp) session: Vec<EditedDocument>,
    /// Number of changes in this session.
    pub(in crate::lsp) changes: u64,
    pub(in crate::lsp) without_edits: WithoutEdits,
}

/// What is likely where nothing was edited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::lsp) enum WithoutEdits {
    Nothing,
    /// What depends on the line of the cursor.
    Cursor,
}

/// Finds the places; the last answer is repeated where nothing has changed.
pub(super) fn find(
    workspaces: &Workspaces,
    query: &NextEditsQuery,
) -> anyhow::Result<Arc<NextEdits>> {
    let found = workspaces.of_file(&query.path);
    let (repository, path) = found.context("the file is in no open folder")?;
    // Without waiting for a check of the disk, since the buffers are known; a later call has what it finds.
    let snapshot = repository.view(Some(std::time::Duration::ZERO))?.snapshot;
    // In this session the order of edits is known. Before, those near the cursor count as the latest.
    let cursor = (query.changes == 0 || query.without_edits == WithoutEdits::Cursor)
        .then_some((path, query.line));
    let time = (query.changes, cursor);
    let is_same = |it: &NextEdits| Arc::ptr_eq(&it.snapshot, &snapshot) && it.time == time;
    if let Some(known) = workspaces.known_next_edits(is_same) {
        return Ok(known);
    }
    let session = Session { workspaces, repository: &repository, documents: &query.session };
    let with_session = session.overlay(&snapshot)?;
    let edited = Arc::clone(with_session.as_ref().unwrap_or(&snapshot));
    let is_nothing =
        query.without_edits == WithoutEdits::Nothing && edits_since_commit(&edited).is_empty();
    let places = if is_nothing { Vec::new() } else { session.places(&edited, &time) };
    let answer =
        Arc::new(NextEdits { repository, snapshot, edited, places, time, model: Mutex::default() });
    workspaces.remember_next_edits(&answer);
    Ok(answer)
}

/// What was edited in a repository since the server started.
struct Session<'s> {
    workspaces: &'s Workspaces,
    repository: &'s Repository,
    documents: &'s [EditedDocument],
}

impl Session<'_> {
    fn places(&self, edited: &Snapshot, time: &(u64, Option<(String, u32)>)) -> Vec<LikelyPlace> {
        let written = self.written(edited);
        let query = PlaceQuery {
            cursor: time.1.as_ref().map(|(path, line)| (path.as_str(), *line)),
            limit: MAX_PLACES,
            written: &written,
            least: None,
        };
        likely(edited, self.repository.workspace(), self.repository.past(), &query).places
    }

    /// The written ranges, the latest first.
    fn written(&self, snapshot: &Snapshot) -> Vec<WrittenRange> {
        let mut res: Vec<(u64, WrittenRange)> = Vec::new();
        for it in self.documents {
            let Ok(path) = self.repository.workspace().relative(&it.path) else { continue };
            let Some(file) = snapshot.file(&path) else { continue };
            let text = snapshot.text(file);
            // The places are unknown in another text, such as one without its secrets.
            let is_same = *text == *it.text;
            for (range, time) in it.written.ranges() {
                let range = if is_same { range.clone() } else { 0..text.len() };
                res.push((*time, WrittenRange { path: path.clone(), range }));
            }
        }
        sort_by_key(&mut res, |it| std::cmp::Reverse(it.0));
        res.into_iter().map(|it| it.1).collect()
    }

    /// Without git, and before the first commit: a snapshot whose differences are those from the texts that were opened.
    fn overlay(&self, snapshot: &Snapshot) -> anyhow::Result<Option<Arc<Snapshot>>> {
        if foreword_load::has_commit(self.repository.workspace()) {
            return Ok(None);
        }
        let mut files: Vec<FileDiff> = Vec::new();
        for it in self.documents.iter().filter(|it| !it.written.ranges().is_empty()) {
            files.extend(self.difference(snapshot, it));
        }
        let is_known = |it: &&FileDiff| files.iter().any(|known| known.path == it.path);
        let others: Vec<FileDiff> =
            snapshot.diff().files.iter().filter(|it| !is_known(it)).cloned().collect();
        files.extend(others);
        let same = snapshot.with_packed(&BTreeMap::new())?;
        Ok(Some(Arc::new(same.with_diff(Arc::new(CommitDiff { files })))))
    }

    fn difference(&self, snapshot: &Snapshot, it: &EditedDocument) -> Option<FileDiff> {
        let path = self.repository.workspace().relative(&it.path).ok()?;
        let text = snapshot.text(snapshot.file(&path)?);
        let admitted =
            self.workspaces.setup().admit_file(Some(self.repository.workspace()), &it.path);
        let opened = admitted.ok()?.apply(it.opened.as_deref()?.to_owned());
        FileDiff::new(path, Some(opened.into()), &text)
    }
}
