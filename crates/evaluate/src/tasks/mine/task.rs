//! A mined task in our own format.

use foreword_engine::index::{FileRole, file_role};
use serde::Serialize;

use super::grain::Hole;
use super::history::Commit;
use super::patch::Insertion;
use super::request::{Grain, Request};
use crate::tasks::task::{Edit, SessionEdit};

/// A mined task.
#[derive(Clone, Debug, Serialize)]
pub struct MinedTask {
    /// Unique in a run.
    pub(crate) id: String,
    /// `mined` or `sessions`.
    pub(crate) dataset: &'static str,
    /// `completion`.
    pub(crate) task: &'static str,
    pub(crate) repo: String,
    pub(crate) language: &'static str,
    pub(crate) corpus: MinedCorpus,
    /// Empty: the cursor is the query.
    pub(crate) query_text: Option<String>,
    pub(crate) prefix: String,
    pub(crate) suffix: String,
    pub(crate) target_file: String,
    /// The lines of the hole's text.
    pub(crate) position: Position,
    /// The text that the commit wrote there.
    pub(crate) ground_truth: String,
    /// Empty: the relevant locations are unknown.
    pub(crate) relevant: [(); 0],
    /// Empty: the parent lacks the answer.
    pub(crate) exclude: [(); 0],
    /// In a session, the earlier edits, newest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) session: Vec<SessionEdit>,
    pub(crate) meta: MinedMeta,
}

/// Location of a mined task's code.
#[derive(Clone, Debug, Serialize)]
pub struct MinedCorpus {
    /// `git`.
    pub(crate) kind: &'static str,
    pub(crate) repo: String,
    pub(crate) rev: String,
    /// Empty: the whole tree.
    pub(crate) subdir: Option<String>,
    /// In a session, the saved files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) edits: Vec<Edit>,
}

/// 1-based inclusive lines in the file with its hole filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Position {
    pub(crate) start_line: usize,
    pub(crate) end_line: usize,
}

/// Facts about the commit and the hole.
#[derive(Clone, Debug, Serialize)]
pub struct MinedMeta {
    /// The commit that wrote the text.
    pub(crate) commit: String,
    pub(crate) grain: Grain,
    pub(crate) is_test_file: bool,
    /// Bytes before the hole that the parent's file lacks.
    pub(crate) typed_before: usize,
    /// Bytes after the hole that the parent's file lacks.
    pub(crate) typed_after: usize,
    /// The last commit of the history that was mined.
    pub(crate) mined_from: String,
    pub(crate) seed: u64,
}

/// The origin of a hole.
pub(super) struct Source<'a> {
    pub(super) request: &'a Request,
    pub(super) commit: &'a Commit,
    pub(super) insertion: &'a Insertion,
    /// The last commit of the mined history.
    pub(super) last: &'a str,
}

impl Source<'_> {
    /// The task of a hole.
    pub(super) fn task(&self, hole: Hole) -> MinedTask {
        let Self { request, commit, insertion, .. } = self;
        let start_line = hole.prefix.matches('\n').count() + 1;
        let end_line = start_line + hole.truth.lines().count().max(1) - 1;
        let repo = &request.repo;
        MinedTask {
            id: format!("mined/{repo}/{}/{}:{start_line}", &commit.id[..12], insertion.path),
            dataset: "mined",
            task: "completion",
            repo: repo.clone(),
            language: hole.language.name(),
            corpus: MinedCorpus {
                kind: "git",
                repo: repo.clone(),
                rev: commit.parent.clone(),
                subdir: None,
                edits: Vec::new(),
            },
            query_text: None,
            meta: self.meta(&hole),
            prefix: hole.prefix,
            suffix: hole.suffix,
            target_file: insertion.path.clone(),
            position: Position { start_line, end_line },
            ground_truth: hole.truth,
            relevant: [],
            exclude: [],
            session: Vec::new(),
        }
    }

    fn meta(&self, hole: &Hole) -> MinedMeta {
        MinedMeta {
            commit: self.commit.id.clone(),
            grain: self.request.grain,
            is_test_file: file_role(&self.insertion.path, Some(hole.language)) == FileRole::Test,
            typed_before: hole.typed_before,
            typed_after: hole.typed_after,
            mined_from: self.last.to_owned(),
            seed: self.request.seed,
        }
    }
}

/// The same hole in a session, after these edits; those to other files are saved.
pub(super) fn in_session(it: MinedTask, saved: Vec<Edit>, session: Vec<SessionEdit>) -> MinedTask {
    let id = it.id.replacen("mined/", "session/", 1);
    let corpus = MinedCorpus { edits: saved, ..it.corpus };
    MinedTask { id, dataset: "sessions", corpus, session, ..it }
}
