//! Quotations: how the text of a block is put together from a file, and whether it still can be.
//!
//! A plan holds no code but where its lines are. While the file is as it was, the bytes are read where they were; where
//! the file has changed, each part is looked for by its hash, and a block of which one part is gone is gone.

use twox_hash::XxHash3_64;

use super::plan::{Block, Part};
use crate::source::ContentHash;

/// A text as parts of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quotation {
    /// How it is put together.
    pub parts: Vec<Part>,
    /// Hash of the text.
    pub hash: ContentHash,
}

/// Where a quotation is found in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quote {
    /// The text of the block.
    pub text: String,
    /// How many bytes later than before each part of the file is found; none where the file is unchanged.
    pub moved: Option<i64>,
}

/// A line of fewer bytes than this, without white space, may stand anywhere in a file: it is quoted only where it follows
/// what was quoted before it.
const TELLING: usize = 4;

/// Puts `shown`, which consists of lines of `file` in their order and of a few others, together from `file`.
pub fn quote(file: &str, shown: &str) -> Quotation {
    let mut parts: Vec<Part> = Vec::new();
    let mut at = 0;
    for line in shown.split_inclusive('\n') {
        match find_line(file, at, line) {
            Some(start) => {
                add_lines(&mut parts, file, start, line.len());
                at = start + line.len();
            }
            None => match parts.last_mut() {
                Some(Part::Literal(text)) => text.push_str(line),
                _ => parts.push(Part::Literal(line.to_owned())),
            },
        }
    }
    Quotation { parts, hash: ContentHash::of(shown.as_bytes()) }
}

/// Adds a line, to the part before it where it follows that.
fn add_lines(parts: &mut Vec<Part>, file: &str, at: usize, bytes: usize) {
    let part = |start: usize, end: usize| Part::Lines {
        start: start as u32,
        len: (end - start) as u32,
        check: check(&file.as_bytes()[start..end]),
    };
    match parts.last_mut() {
        Some(last) => match last {
            Part::Lines { start, len, .. } if *start as usize + *len as usize == at => {
                *last = part(*start as usize, at + bytes);
            }
            _ => parts.push(part(at, at + bytes)),
        },
        None => parts.push(part(at, at + bytes)),
    }
}

/// The first line of `file` from byte `from` on that is `line`; a short one only at `from`.
fn find_line(file: &str, from: usize, line: &str) -> Option<usize> {
    if file[from..].starts_with(line) && is_line(file, from, line) {
        return Some(from);
    }
    if line.trim().len() < TELLING {
        return None;
    }
    let mut at = from;
    while let Some(found) = file[at..].find(line) {
        let start = at + found;
        if is_line(file, start, line) {
            return Some(start);
        }
        at = start + file[start..].find('\n').map_or(file.len() - start, |newline| newline + 1);
    }
    None
}

/// Whether `line` stands at `start` as a whole line.
fn is_line(file: &str, start: usize, line: &str) -> bool {
    let before = &file.as_bytes()[..start];
    let end = start + line.len();
    before.last().is_none_or(|it| *it == b'\n') && (line.ends_with('\n') || end == file.len())
}

/// The hash by which a part is found again.
pub(super) fn check(bytes: &[u8]) -> u32 {
    XxHash3_64::oneshot(bytes) as u32
}

/// The text of a block by the file as it is now, wherever in it the parts are; `None` if the file has no longer all of
/// them in their order.
pub fn requote(block: &Block, file: &str) -> Option<Quote> {
    unmoved(block, file).or_else(|| moved(block, file))
}

/// The first and the last line of a block in a text that has changed; `None` where it has not all of its lines.
pub(super) fn moved_lines(block: &Block, file: &str) -> Option<(u32, u32)> {
    let quote = requote(block, file)?;
    let (first, last) = (block.place.first_line, block.place.last_line);
    let Some(bytes) = quote.moved else { return Some((first, last)) };
    // The last part is of the block's own lines; what stands before it may be a header.
    let (start, len) = block.parts.iter().rev().find_map(|it| match it {
        Part::Lines { start, len, .. } => Some((i64::from(*start), *len as usize)),
        Part::Literal(_) => None,
    })?;
    let start = ((start + bytes).max(0) as usize).min(file.len());
    let end = (start + len).saturating_sub(1).clamp(start, file.len());
    let now = 1 + memchr::memchr_iter(b'\n', &file.as_bytes()[..end]).count() as u32;
    Some((now.saturating_sub(last - first).max(1), now))
}

/// The text of a block whose lines are where they were.
fn unmoved(block: &Block, file: &str) -> Option<Quote> {
    let mut text = String::new();
    for part in &block.parts {
        match part {
            Part::Lines { start, len, .. } => {
                let start = *start as usize;
                text.push_str(file.get(start..start + *len as usize)?);
            }
            Part::Literal(literal) => text.push_str(literal),
        }
    }
    (ContentHash::of(text.as_bytes()) == block.place.hash).then_some(Quote { text, moved: None })
}

fn moved(block: &Block, file: &str) -> Option<Quote> {
    let (mut text, mut at, mut by) = (String::new(), 0, 0_i64);
    for part in &block.parts {
        match part {
            Part::Lines { start, len, check } => {
                // What follows has moved as far as what stands before it.
                let expected = (i64::from(*start) + by).max(0) as usize;
                let found = find_part(file, (at, expected), *len as usize, *check)?;
                at = found + *len as usize;
                by = found as i64 - i64::from(*start);
                text.push_str(&file[found..at]);
            }
            Part::Literal(literal) => text.push_str(literal),
        }
    }
    let is_same = ContentHash::of(text.as_bytes()) == block.place.hash;
    is_same.then_some(Quote { text, moved: Some(by) })
}

/// Where whole lines of this length and hash begin, from byte `from` on: the place nearest to `expected`, among the
/// first [`SEARCHED`] lines on each side of it.
fn find_part(file: &str, (from, expected): (usize, usize), len: usize, hash: u32) -> Option<usize> {
    let bytes = file.as_bytes();
    let is_there = |start: usize| {
        let end = start + len;
        let ends_line = end == bytes.len() || bytes.get(end - 1) == Some(&b'\n');
        ends_line
            && bytes.get(start..end).is_some_and(|it| check(it) == hash)
            && file.is_char_boundary(start)
    };
    if len == 0 || from > bytes.len() {
        return None;
    }
    let middle = expected.clamp(from, bytes.len());
    let above = memchr::memrchr_iter(b'\n', &bytes[from..middle]).map(|it| from + it + 1);
    let mut above = above.chain([from]).take(SEARCHED);
    let below = memchr::memchr_iter(b'\n', &bytes[middle..]).map(|it| middle + it + 1);
    let mut below = below.take(SEARCHED);
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

/// Lines on each side of where a part was in which it is looked for: a few edits move it less, and more lines cost time
/// at the cursor.
const SEARCHED: usize = 2000;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::speculate::{FoundAt, Place};

    const FILE: &str = "import os\n\nclass Store:\n    def open(self):\n        a = 1\n        return a\n\n    def close(self):\n        pass\n";
    const SHOWN: &str = "class Store:\n    # …\n    def close(self):\n        pass\n";

    fn block(file: &str, shown: &str) -> Block {
        let Quotation { parts, hash } = quote(file, shown);
        let place = Place { path: "a.py".into(), first_line: 8, last_line: 9, hash };
        let found_at = vec![FoundAt { line: 1, percent: 100 }];
        Block { place, parts, evidence: Vec::new(), found_at, score: 1.0 }
    }

    #[test]
    fn a_quotation_is_lines_of_the_file_and_what_stands_for_gaps() {
        let block = block(FILE, SHOWN);
        assert_eq!(block.parts.len(), 3);
        assert_eq!(block.parts[1], Part::Literal("    # …\n".into()));
        assert_eq!(requote(&block, FILE).unwrap(), Quote { text: SHOWN.into(), moved: None });
    }

    #[test]
    fn lines_that_have_moved_are_found_again() {
        let now = FILE.replace("import os\n", "import os\nimport sys\nfrom x import y\n");
        let quote = requote(&block(FILE, SHOWN), &now).unwrap();
        assert_eq!(quote, Quote { text: SHOWN.into(), moved: Some(27) });
    }

    #[test]
    fn a_block_of_which_a_line_has_changed_is_gone() {
        let block = block(FILE, SHOWN);
        assert_eq!(requote(&block, &FILE.replace("pass", "self.a = None")), None);
        assert_eq!(requote(&block, &FILE.replace("class Store", "class Shop")), None);
        assert_eq!(requote(&block, ""), None);
        // What is left out between the quoted lines may change.
        assert!(requote(&block, &FILE.replace("a = 1", "b = é")).is_some());
    }

    #[test]
    fn a_short_line_is_not_taken_from_another_place() {
        let file = "fn a() {\n    one();\n}\n\nfn b() {\n    two();\n}\n";
        let shown = "fn a() {\n    // …\n}\nfn b() {\n    two();\n}\n";
        let block = block(file, shown);
        assert_eq!(requote(&block, file).unwrap().text, shown);
        let literals = block.parts.iter().filter(|it| matches!(it, Part::Literal(_)));
        assert_eq!(literals.count(), 1);
    }
}
