//! Cursors: how an agent asks for the rest of an answer. A cursor names the question and how many entries were shown, and
//! the repository where several have answered.

use std::hash::{DefaultHasher, Hash, Hasher as _};

use crate::usage::usage;

/// Maximum number of entries that a cursor skips: all of them are found anew for each page.
const MAX_OFFSET: usize = 100_000;

/// A fingerprint of a question, by which a cursor that belongs to another one is noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct QuestionId(u32);

impl QuestionId {
    /// Equal for equal questions.
    pub(super) fn of(question: &impl Hash) -> Self {
        let mut hasher = DefaultHasher::new();
        question.hash(&mut hasher);
        Self((hasher.finish() as u32).max(1))
    }

    /// The cursor that continues this question after `offset` entries.
    pub(super) fn cursor(self, offset: usize) -> String {
        format!("{offset}.{:08x}", self.0)
    }

    /// How many entries a cursor of this question skips; 0 without a cursor. A cursor from an older snapshot is
    /// accepted: its offset is near enough.
    pub(super) fn offset(self, cursor: Option<&str>) -> anyhow::Result<usize> {
        let Some(cursor) = cursor.filter(|it| !it.is_empty()) else { return Ok(0) };
        let parts = cursor.split_once('.').and_then(|(offset, question)| {
            let offset = offset.parse().ok().filter(|it| *it <= MAX_OFFSET)?;
            Some((offset, u32::from_str_radix(question, 16).ok()?))
        });
        match parts {
            Some((offset, question)) if question == self.0 => Ok(offset),
            Some(_) => Err(usage(
                "cursor: it belongs to another question; repeat the arguments that it came with",
            )),
            None => {
                Err(usage(format!("cursor {cursor}: not one of ours; leave it out to begin anew")))
            }
        }
    }
}

/// The cursor with the name of the repository that it continues in.
pub(super) fn of_repository(cursor: &str, name: &str) -> String {
    format!("{cursor}@{name}")
}

/// A cursor without the name of its repository, and that name.
pub(super) fn split(cursor: &str) -> (&str, Option<&str>) {
    cursor.split_once('@').map_or((cursor, None), |(cursor, name)| (cursor, Some(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_continues_its_own_question_only() {
        let question = QuestionId::of(&("snapshot", 0_u8));
        assert_eq!(question.offset(Some(&question.cursor(12))).unwrap(), 12);
        assert_eq!(question.offset(None).unwrap(), 0);
        let other = QuestionId::of(&("snapshots", 0_u8));
        assert!(question.offset(Some(&other.cursor(12))).is_err());
        assert!(question.offset(Some("12")).is_err());
        assert!(question.offset(Some(&question.cursor(usize::MAX))).is_err());
    }
}
