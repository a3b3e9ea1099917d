//! Quotations: reading the text of a block from a file that may have changed since the block was planned.
//!
//! A plan stores line references, not code. In an unchanged file the text is read at its old offset; in a changed file the
//! lines are searched by their hash near that offset, and a block whose lines have changed is dropped.

use twox_hash::XxHash3_64;

use super::plan::{Block, Place};
use crate::source::ContentHash;

/// The text of a block, found in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quote<'f> {
    /// The text of the lines.
    pub text: &'f str,
    /// Current first line, 1-based.
    pub first_line: u32,
    /// Current last line, 1-based, inclusive.
    pub last_line: u32,
}

/// A block of lines `first..=last` (1-based) of `file`, without reason; `None` if the file has no such lines.
pub(super) fn block_of_lines(file: &str, path: &str, first: u32, last: u32) -> Option<Block> {
    let mut ends = std::iter::once(0)
        .chain(memchr::memchr_iter(b'\n', file.as_bytes()).map(|it| it + 1))
        .chain(std::iter::once(file.len()));
    let start = ends.nth(first.checked_sub(1)? as usize)?;
    let end = ends.nth(last.checked_sub(first)? as usize)?;
    let text = file.get(start..end)?;
    let hash = ContentHash::of(text.as_bytes());
    let place = Place { path: path.to_owned(), first_line: first, last_line: last, hash };
    let (start, len, check) = (start as u32, text.len() as u32, check(text.as_bytes()));
    Some(Block { place, start, len, check, reason: String::new(), score: 1.0 })
}

/// Finds the lines of a block in the current text of its file; `None` if they have changed.
pub fn requote<'f>(block: &Block, file: &'f str) -> Option<Quote<'f>> {
    let (start, len) = (block.start as usize, block.len as usize);
    let is_same = |it: &&str| ContentHash::of(it.as_bytes()) == block.place.hash;
    let text_at = |start: usize| file.get(start..start + len).filter(is_same);
    let (start, text) = match text_at(start) {
        Some(text) => (start, text),
        None => {
            let found = find_lines(file, start, len, block.check)?;
            (found, text_at(found)?)
        }
    };
    let before = memchr::memchr_iter(b'\n', &file.as_bytes()[..start]).count() as u32;
    let first_line = before + 1;
    let last_line = first_line + (block.place.last_line - block.place.first_line);
    Some(Quote { text, first_line, last_line })
}

/// Cheap hash of the bytes of a block.
fn check(bytes: &[u8]) -> u32 {
    XxHash3_64::oneshot(bytes) as u32
}

/// Start of the whole lines with this length and hash that are nearest to `expected`, among the first [`MAX_SEARCHED`] lines on
/// each side.
fn find_lines(file: &str, expected: usize, len: usize, hash: u32) -> Option<usize> {
    let bytes = file.as_bytes();
    let is_there = |start: usize| {
        let end = start + len;
        let ends_line = end == bytes.len() || bytes.get(end - 1) == Some(&b'\n');
        ends_line
            && bytes.get(start..end).is_some_and(|it| check(it) == hash)
            && file.is_char_boundary(start)
    };
    if len == 0 {
        return None;
    }
    let middle = expected.min(bytes.len());
    let above = memchr::memrchr_iter(b'\n', &bytes[..middle]).map(|it| it + 1);
    let mut above = above.chain([0]).take(MAX_SEARCHED);
    let below = memchr::memchr_iter(b'\n', &bytes[middle..]).map(|it| middle + it + 1);
    let mut below = below.take(MAX_SEARCHED);
    loop {
        match (above.next(), below.next()) {
            (None, None) => return None,
            (up, down) => {
                if let Some(found) = up.into_iter().chain(down).find(|it| is_there(*it)) {
                    return Some(found);
                }
            }
        }
    }
}

/// Lines searched on each side of the old place of a block. A few edits move it less, and more lines cost time at the
/// cursor.
const MAX_SEARCHED: usize = 2000;

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "import os\n\nclass Store:\n    def open(self):\n        a = 1\n        return a\n\n    def close(self):\n        pass\n";
    const CLOSE: &str = "    def close(self):\n        pass\n";

    fn block() -> Block {
        block_of_lines(FILE, "a.py", 8, 9).unwrap()
    }

    #[test]
    fn a_block_is_read_from_its_file() {
        let quote = Quote { text: CLOSE, first_line: 8, last_line: 9 };
        assert_eq!(requote(&block(), FILE), Some(quote));
        assert_eq!(block_of_lines(FILE, "a.py", 11, 12), None);
        assert_eq!(block_of_lines(FILE, "a.py", 0, 2), None);
        assert_eq!(block_of_lines(FILE, "a.py", 3, 2), None);
    }

    #[test]
    fn a_last_line_without_a_newline_is_quoted() {
        let block = block_of_lines("a = 1\nb = 2", "a.py", 2, 2).unwrap();
        assert_eq!(requote(&block, "a = 1\nb = 2").unwrap().text, "b = 2");
    }

    #[test]
    fn lines_that_have_moved_are_found_again() {
        let now = FILE.replace("import os\n", "import os\nimport sys\nfrom x import y\n");
        let quote = Quote { text: CLOSE, first_line: 10, last_line: 11 };
        assert_eq!(requote(&block(), &now), Some(quote));
        assert_eq!(requote(&block(), CLOSE).map(|it| it.first_line), Some(1));
    }

    #[test]
    fn a_block_with_a_changed_line_is_dropped() {
        assert_eq!(requote(&block(), &FILE.replace("pass", "self.a = None")), None);
        assert_eq!(requote(&block(), ""), None);
        // Lines outside of the block may change.
        assert!(requote(&block(), &FILE.replace("a = 1", "b = é")).is_some());
    }
}
