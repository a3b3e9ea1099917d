//! The input of a baseline: the repository, the cursor, and an editor's knowledge.

use std::ops::Range;

use foreword_engine::index::{FileId, Snapshot};
use foreword_engine::scope::{Cursor, Scope};
use foreword_engine::trim::Window;

use super::offer::{Count, Overflow, Piece};
use crate::random::Random;
use crate::tasks::session::EditLocation;
use crate::tasks::task::SessionEdit;

/// A cursor in a repository, and what its editor knows.
pub struct BaselineInput<'a> {
    /// The repository, with the hole blanked in the cursor's file.
    pub(crate) snapshot: &'a Snapshot,
    pub(crate) cursor: &'a Cursor,
    /// The scope of the cursor; baselines use a language server's part of it.
    pub(crate) scope: &'a Scope,
    /// The part of the cursor's file that is in the prompt.
    pub(crate) window: &'a Window,
    /// Recent edits, newest first.
    pub(crate) session: &'a [EditLocation],
    /// Edits since the commit, newest first; also in `session`.
    pub(crate) edits: &'a [SessionEdit],
    /// The task's id, the seed of random choices.
    pub(crate) id: &'a str,
    pub(crate) count: Count<'a>,
}

impl BaselineInput<'_> {
    /// Files with the extension of the cursor's file, without that file, by path.
    pub(super) fn others(&self) -> Vec<FileId> {
        let wanted = extension(self.cursor.path());
        let alike = |it: &FileId| extension(self.snapshot.path(*it)) == wanted;
        let own = self.snapshot.file(self.cursor.path());
        self.snapshot.files().filter(|it| Some(*it) != own).filter(alike).collect()
    }

    /// Distinct edited files, newest first, without the cursor's own.
    pub(super) fn edited(&self) -> Vec<FileId> {
        let own = self.snapshot.file(self.cursor.path());
        let mut res: Vec<FileId> = Vec::new();
        for file in self.session.iter().filter_map(|it| self.snapshot.file(&it.path)) {
            if Some(file) != own && !res.contains(&file) {
                res.push(file);
            }
        }
        res
    }

    /// Edited files with the extension of the cursor's file.
    pub(super) fn edited_in_language(&self) -> Vec<FileId> {
        let wanted = extension(self.cursor.path());
        let alike = |it: &FileId| extension(self.snapshot.path(*it)) == wanted;
        self.edited().into_iter().filter(alike).collect()
    }

    /// Whether the window around the cursor overlaps these bytes of a file.
    pub(super) fn is_shown(&self, file: FileId, bytes: &Range<usize>) -> bool {
        let own = self.snapshot.file(self.cursor.path()) == Some(file);
        own && self.window.visible.iter().any(|it| it.start < bytes.end && bytes.start < it.end)
    }

    /// The last `n` lines before the cursor.
    pub(super) fn lines_before(&self, n: usize) -> &str {
        let prefix = self.cursor.prefix();
        let start = prefix.rmatch_indices('\n').nth(n - 1).map_or(0, |it| it.0 + 1);
        &prefix[start..]
    }

    /// The first `n` lines after the cursor, including the rest of its own line.
    pub(super) fn lines_after(&self, n: usize) -> &str {
        let suffix = self.cursor.suffix();
        let end = suffix.match_indices('\n').nth(n - 1).map_or(suffix.len(), |it| it.0 + 1);
        &suffix[..end]
    }

    pub(super) fn random(&self) -> Random {
        Random::of_name(self.id)
    }

    /// A whole file as a piece.
    pub(super) fn whole(&self, file: FileId, overflow: Overflow) -> Piece {
        let text = self.snapshot.text(file);
        let end_line = text.lines().count().max(1) as u32;
        let path = self.snapshot.path(file).to_owned();
        Piece { path, start_line: 1, end_line, text: text.to_string(), overflow }
    }
}

/// Text after the last dot of a file's name.
fn extension(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or("", |it| it.1)
}
