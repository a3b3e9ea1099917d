//! The difference between the saved and the unsaved text of a file, as one changed range between a common start and end.

use std::ops::Range;

/// Lengths in bytes of two texts and of their common start and end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shift {
    before: usize,
    after: usize,
    saved: usize,
    now: usize,
}

/// Bytes compared at once.
const BLOCK: usize = 256;

/// Length of the common start of two texts, in bytes.
fn common_start(a: &[u8], b: &[u8]) -> usize {
    let blocks = a.chunks_exact(BLOCK).zip(b.chunks_exact(BLOCK));
    let whole = BLOCK * blocks.take_while(|it| it.0 == it.1).count();
    let rest = a[whole..].iter().zip(&b[whole..]);
    whole + rest.take_while(|it| it.0 == it.1).count()
}

/// Length of the common end of two texts, in bytes.
fn common_end(a: &[u8], b: &[u8]) -> usize {
    let blocks = a.rchunks_exact(BLOCK).zip(b.rchunks_exact(BLOCK));
    let whole = BLOCK * blocks.take_while(|it| it.0 == it.1).count();
    let rest = a[..a.len() - whole].iter().rev().zip(b[..b.len() - whole].iter().rev());
    whole + rest.take_while(|it| it.0 == it.1).count()
}

impl Shift {
    pub(super) fn new(saved: &str, now: &str) -> Self {
        let before = now.floor_char_boundary(common_start(saved.as_bytes(), now.as_bytes()));
        let mut after = common_end(&saved.as_bytes()[before..], &now.as_bytes()[before..]);
        while !now.is_char_boundary(now.len() - after) {
            after -= 1;
        }
        Self { before, after, saved: saved.len(), now: now.len() }
    }

    /// The range of the current text that is not saved.
    pub(super) fn unsaved(&self) -> Range<usize> {
        self.before..self.now - self.after
    }

    /// The range of the saved text that the current text lacks.
    pub(super) fn gone(&self) -> Range<usize> {
        self.before..self.saved - self.after
    }

    /// Maps a range of the current text to the saved text; unsaved bytes map to where they are inserted.
    pub(super) fn to_saved(self, range: &Range<usize>) -> Range<usize> {
        let at = |at: usize, gone: usize| match at {
            at if at <= self.before => at,
            at if at >= self.now - self.after => at + self.saved - self.now,
            _ => gone,
        };
        at(range.start, self.before)..at(range.end, self.saved - self.after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inserted_text_shifts_the_following_bytes() {
        let shift = Shift::new("one\ntwo\nthree\n", "one\ntwo\nnew é\nthree\n");
        assert_eq!((shift.unsaved(), shift.gone()), (8..15, 8..8));
        assert_eq!(shift.to_saved(&(4..8)), 4..8);
        assert_eq!(shift.to_saved(&(15..21)), 8..14);
        assert_eq!(shift.to_saved(&(10..21)), 8..14);
    }

    #[test]
    fn long_texts_are_compared_in_blocks() {
        let long = "a line of some length\n".repeat(100);
        let now = format!("{long}new\n{long}");
        let shift = Shift::new(&long.repeat(2), &now);
        assert_eq!((shift.unsaved(), shift.gone()), (2200..2204, 2200..2200));
        assert_eq!(Shift::new(&now, &now).unsaved(), 4404..4404);
    }

    #[test]
    fn deleted_text_is_reported_and_equal_texts_do_not_differ() {
        let shift = Shift::new("aéb", "ab");
        assert_eq!((shift.unsaved(), shift.gone()), (1..1, 1..3));
        assert_eq!(shift.to_saved(&(0..2)), 0..4);
        assert_eq!(Shift::new("aa", "aa").gone(), 2..2);
        // Common bytes inside a character do not count.
        assert_eq!(Shift::new("é", "è").unsaved(), 0..2);
        assert_eq!(Shift::new("", "aa").unsaved(), 0..2);
    }
}
