//! What was just edited and looked at in a repository, in order of time: the session that every door gives to the prompt
//! at a cursor.
//!
//! [`ActivityLog`] records what clients tell (texts, positions, files that an agent reads) and what changes on disk; it
//! survives a restart (`stored.rs`). [`uncommitted()`] reads the same from the difference to the last commit, for commands
//! and for a process that has only just begun.

mod edited_lines;
mod log;
mod stored;
mod uncommitted;

use foreword_engine::scope::{Activity, Cursor};

pub use log::ActivityLog;
pub(crate) use stored::StoredLog;
pub use uncommitted::uncommitted;

/// Maximum number of files of a session.
pub const MAX_FILES: usize = 8;

/// Maximum number of positions of a session.
const MAX_VISITS: usize = 24;

/// The activity in other files than the cursor's.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ActivityElsewhere {
    /// Paths, the latest first.
    pub recent: Vec<String>,
    /// Positions and edited lines.
    pub activity: Activity,
}

impl ActivityElsewhere {
    /// Adds older activity, of files that are not here yet.
    #[must_use]
    pub fn then(mut self, older: Self) -> Self {
        let room = MAX_FILES.saturating_sub(self.recent.len());
        let known = self.recent.clone();
        let is_new = |it: &String| !known.contains(it);
        let added: Vec<String> = older.recent.into_iter().filter(is_new).take(room).collect();
        let visited = older.activity.visited.into_iter().filter(|it| added.contains(&it.0));
        self.activity.visited.extend(visited);
        self.activity.visited.truncate(MAX_VISITS);
        for line in older.activity.edited {
            if !added.is_empty() && !self.activity.edited.contains(&line) {
                self.activity.edited.push(line);
            }
        }
        self.recent.extend(added);
        self
    }

    /// Adds files of which only the names are known, the latest first.
    pub fn add_names(&mut self, names: impl IntoIterator<Item = String>) {
        for it in names {
            if self.recent.len() < MAX_FILES && !self.recent.contains(&it) {
                self.recent.push(it);
            }
        }
    }

    /// The cursor with the recent files, and the activity for its view.
    pub fn at(self, cursor: Cursor) -> (Cursor, Activity) {
        (cursor.with_recent(self.recent), self.activity)
    }
}
