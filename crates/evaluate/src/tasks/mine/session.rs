//! Edit sessions: a commit with several hunks, written one after another ([`order`](super::order)). The hole is one
//! hunk; earlier ones are applied, saved in other files and unsaved in the cursor's, and reported as recent edits;
//! later ones do not exist.
//!
//! A task is made from the parent's texts and the hunks before the hole only, so that it contains no later change. Only
//! hunks of source files are used: those of prose and data (a changelog, a manifest) would come last. A hole is a hunk
//! that only adds lines, as in a task without a session, and follows at least one hunk.

use std::collections::BTreeSet;

use anyhow::Result;
use foreword_chunk::Language;
use foreword_engine::index::{FileRole, file_role};

use super::filter::{is_generated, unwanted};
use super::grain::holes;
use super::history::{Commit, History};
use super::hunks::{ChangedFile, HunkId};
use super::order::order;
use super::patch::{Insertion, is_significant};
use super::request::Request;
use super::task::{MinedTask, Source};
use super::{LeftOut, task};
use crate::random::Random;
use crate::tasks::corpus::source_paths::is_source;
use crate::tasks::task::{Edit, SessionEdit};

/// Commits with more hunks are not one session.
pub(super) const MOST_HUNKS: usize = 40;

/// The tasks of a commit.
pub(super) fn of_commit(
    history: &History,
    request: &Request,
    commit: &Commit,
    last: &str,
    left_out: &mut LeftOut,
) -> Result<Vec<MinedTask>> {
    let files = match history.changed_files(commit, is_written)? {
        Ok(files) => files,
        Err(why) => {
            *left_out.entry(why).or_default() += 1;
            return Ok(Vec::new());
        }
    };
    let n_hunks: usize = files.iter().map(|it| it.hunks.len()).sum();
    if !(2..=MOST_HUNKS).contains(&n_hunks) {
        let why = if n_hunks < 2 { "commits of one hunk" } else { "commits of too many hunks" };
        *left_out.entry(why).or_default() += 1;
        return Ok(Vec::new());
    }
    let random = Random::of_name(&format!("session {} {}", request.seed, commit.id));
    let order = order(&files, random);
    let session = Session { request, commit, last, files: &files, removed: removed(&files) };
    let mut res = Vec::new();
    for at in 1..order.len() {
        match session.tasks(&order[..at], order[at]) {
            Ok(tasks) => res.extend(tasks),
            Err(why) => *left_out.entry(why).or_default() += 1,
        }
    }
    Ok(res)
}

/// Whether a session includes this file: source code.
pub(super) fn is_written(path: &str) -> bool {
    let language = Language::of_path(path, "");
    is_source(path, &|_| false)
        && language.is_some()
        && !matches!(file_role(path, language), FileRole::Prose | FileRole::Data)
}

/// Significant lines that the commit removes anywhere.
fn removed(files: &[ChangedFile]) -> BTreeSet<String> {
    let of_file = |it: &ChangedFile| {
        (0..it.hunks.len()).map(|hunk| it.removed(hunk).to_owned()).collect::<Vec<_>>()
    };
    let texts: Vec<String> = files.iter().flat_map(of_file).collect();
    let lines = texts.iter().flat_map(|it| it.lines()).filter(|it| is_significant(it));
    lines.map(|it| it.trim().to_owned()).collect()
}

struct Session<'a> {
    request: &'a Request,
    commit: &'a Commit,
    last: &'a str,
    files: &'a [ChangedFile],
    removed: BTreeSet<String>,
}

impl Session<'_> {
    /// The tasks at one hunk, after the earlier ones.
    fn tasks(&self, before: &[HunkId], at: HunkId) -> Result<Vec<MinedTask>, &'static str> {
        let file = &self.files[at.file];
        let is_applied = |hunk: usize| before.contains(&HunkId { hunk, ..at });
        let old = file.with(is_applied);
        if file.old.is_none() || !file.removed(at.hunk).is_empty() || file.added(at.hunk).is_empty()
        {
            return Err("hunks that replace or remove lines, and new files");
        }
        let after = file.lines_before(at.hunk, is_applied);
        let text = file.added(at.hunk).to_owned();
        if !text.ends_with('\n') || is_generated(&old) {
            return Err("no text");
        }
        let insertion = Insertion { path: file.path.clone(), after, before_in_new: after, text };
        if let Some(why) = unwanted(&insertion, &self.removed, self.request.tests) {
            return Err(why);
        }
        let new = file.with(|hunk| hunk == at.hunk || is_applied(hunk));
        let found = holes(&insertion, &old, &new, self.request.grain)?;
        let Self { request, commit, last, .. } = *self;
        let source = Source { request, commit, insertion: &insertion, last };
        let task =
            |hole| task::in_session(source.task(hole), self.saved(before, at), self.edits(before));
        Ok(found.into_iter().map(task).collect())
    }

    /// The other files at a hunk, where they differ from the parent's.
    fn saved(&self, before: &[HunkId], at: HunkId) -> Vec<Edit> {
        let changed: BTreeSet<usize> = before.iter().map(|it| it.file).collect();
        let others = changed.into_iter().filter(|it| *it != at.file);
        let edit = |idx: usize| {
            let file = &self.files[idx];
            let text = file.with(|hunk| before.contains(&HunkId { file: idx, hunk }));
            Edit { path: file.path.clone(), text: Some(text) }
        };
        others.map(edit).collect()
    }

    /// The applied edits, newest first.
    fn edits(&self, before: &[HunkId]) -> Vec<SessionEdit> {
        let edit = |it: &HunkId| {
            let file = &self.files[it.file];
            let is_applied = |hunk: usize| before.contains(&HunkId { hunk, ..*it });
            SessionEdit {
                path: file.path.clone(),
                line: file.lines_before(it.hunk, is_applied) as u32 + 1,
                removed: file.removed(it.hunk).to_owned(),
                added: file.added(it.hunk).to_owned(),
            }
        };
        before.iter().rev().map(edit).collect()
    }
}
