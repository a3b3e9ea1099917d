//! The texts of cursors, which are laid over what is known: the last one, so that it is laid once, and which files they
//! were of, so that what is remembered of them has a bound.

use std::collections::VecDeque;
use std::sync::Arc;

use foreword_engine::context::Situation;
use foreword_engine::index::Snapshot;
use foreword_engine::source::ContentHash;

/// Bytes of text whose analyses are kept. A syntax tree takes ten to twenty times the room of its text.
const MOST_BYTES: usize = 2 << 20;

/// A state of the repository as a cursor sees it.
#[derive(Clone)]
pub struct Around {
    /// Without what is unsaved in the cursor's file.
    pub before: Arc<Snapshot>,
    /// With it; `None` when the cursor's text is that of the disk.
    pub overlaid: Option<Arc<Snapshot>>,
}

impl Around {
    /// The situation of a cursor in this state.
    pub fn situation(&self) -> Situation<'_> {
        Situation::laid(&self.before, self.overlaid.clone())
    }
}

/// What was laid over a state.
#[derive(Default)]
pub(super) struct Laid {
    latest: Option<Latest>,
    files: Files,
}

/// A cursor's text that was laid over a state.
struct Latest {
    path: String,
    hash: ContentHash,
    around: Around,
}

impl Laid {
    /// What this text looks like over this state, if it was the last to be laid.
    pub(super) fn known(
        &self,
        before: &Arc<Snapshot>,
        path: &str,
        hash: ContentHash,
    ) -> Option<Around> {
        let is_it = |it: &&Latest| {
            it.path == path && it.hash == hash && Arc::ptr_eq(&it.around.before, before)
        };
        self.latest.as_ref().filter(is_it).map(|it| it.around.clone())
    }

    /// Keeps it, and says which files' analyses are to go.
    pub(super) fn keep(
        &mut self,
        path: &str,
        (hash, bytes): (ContentHash, usize),
        around: &Around,
    ) -> Vec<String> {
        self.latest = Some(Latest { path: path.to_owned(), hash, around: around.clone() });
        self.files.touch(path, bytes, MOST_BYTES)
    }
}

/// Files with the size of their text, the latest last.
#[derive(Default)]
struct Files(VecDeque<(String, usize)>);

impl Files {
    /// Makes one the latest, and gives those that have to go, so that no more than `most` bytes stay; the latest stays.
    fn touch(&mut self, path: &str, bytes: usize, most: usize) -> Vec<String> {
        self.0.retain(|it| it.0 != path);
        self.0.push_back((path.to_owned(), bytes));
        let mut all: usize = self.0.iter().map(|it| it.1).sum();
        let mut res = Vec::new();
        while all > most && self.0.len() > 1 {
            let Some((path, bytes)) = self.0.pop_front() else { break };
            all -= bytes;
            res.push(path);
        }
        res
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_that_were_not_edited_for_longest_go_when_there_are_too_many_bytes() {
        let mut files = Files::default();
        let none: [&str; 0] = [];
        assert_eq!(files.touch("a", 4, 10), none);
        assert_eq!(files.touch("b", 4, 10), none);
        assert_eq!(files.touch("a", 5, 10), none);
        assert_eq!(files.touch("c", 4, 10), ["b"]);
        assert_eq!(files.touch("d", 40, 10), ["a", "c"]);
        assert_eq!(files.touch("d", 40, 10), none);
    }
}
