//! What outlives the analysis of a text: its syntax tree and what was found in it. The next version begins with them.

use std::ops::Range;
use std::sync::Arc;

use tree_sitter::{InputEdit, Point, Tree};

use crate::symbol::Found;
use crate::{Language, Span};

/// Of 26 languages those where the parser's recovery from an unfinished line depended on what was typed before: after
/// 31 of 170 keystrokes in Kotlin, and after 10 of 1500 damages in Ruby.
const STRAYING: [Language; 2] = [Language::Kotlin, Language::Ruby];
/// How far from a change a node must be to be the same as before: a pattern may look at the bytes behind a name.
const MARGIN: usize = 8;

/// A text, its tree, and what was found there.
#[derive(Clone)]
pub struct Kept {
    text: Arc<[u8]>,
    language: Language,
    tree: Tree,
    found: Arc<Found>,
}

impl Kept {
    pub(crate) fn new(text: &[u8], language: Language, tree: Tree, found: Found) -> Self {
        Self { text: text.into(), language, tree, found: found.into() }
    }

    /// The tree, told where `text` differs; `None` for another language, and for one whose grammar recovers from errors
    /// another way when it goes on.
    pub(crate) fn edited(&self, text: &[u8], language: Language) -> Option<Edited<'_>> {
        if self.language != language || STRAYING.contains(&language) {
            return None;
        }
        let mut tree = self.tree.clone();
        let edit = edit_between(&self.text, text);
        if let Some(edit) = &edit {
            tree.edit(edit);
        }
        Some(Edited { tree, edit, found: &self.found })
    }
}

/// A tree that knows where its text has changed.
pub(crate) struct Edited<'k> {
    pub(crate) tree: Tree,
    edit: Option<InputEdit>,
    found: &'k Found,
}

impl<'k> Edited<'k> {
    /// What this tree and the one that was parsed on from it have in common.
    pub(crate) fn same(&self, new: &Tree) -> Same<'k> {
        let changed = self.tree.changed_ranges(new).map(|it| it.start_byte..it.end_byte);
        let typed = self.edit.iter().map(|it| it.start_byte..it.new_end_byte);
        let near = |it: Range<usize>| it.start.saturating_sub(MARGIN)..it.end + MARGIN;
        let mut dirty: Vec<Range<usize>> = changed.chain(typed).map(near).collect();
        dirty.sort_unstable_by_key(|it| it.start);
        dirty.dedup_by(|next, last| {
            let touch = next.start <= last.end;
            last.end = if touch { last.end.max(next.end) } else { last.end };
            touch
        });
        let moved =
            self.edit.map(|it| (it.new_end_byte, it.new_end_byte as i64 - it.old_end_byte as i64));
        let (from, shift) = moved.unwrap_or_default();
        Same { found: self.found, dirty, from, shift }
    }
}

/// The nodes of a tree that are as they were in the tree before.
pub(crate) struct Same<'k> {
    /// What was found in the tree before.
    pub(crate) found: &'k Found,
    /// Bytes of the new text in or near what changed, in order and apart from each other.
    dirty: Vec<Range<usize>>,
    /// The nodes from this byte of the new text on …
    from: usize,
    /// … were so many bytes earlier.
    shift: i64,
}

impl Same<'_> {
    /// Where a node of the new tree was, and how many bytes later it is now; `None` if it may have changed.
    pub(crate) fn was(&self, node: Range<usize>) -> Option<(Span, i64)> {
        let next = self.dirty.partition_point(|it| it.end <= node.start);
        let is_dirty = self.dirty.get(next).is_some_and(|it| it.start < node.end);
        if node.is_empty() || is_dirty {
            return None;
        }
        let shift = if node.start < self.from { 0 } else { self.shift };
        Some((Span::new(node.start, node.end).moved(-shift), shift))
    }
}

/// The one stretch that holds all differences; `None` where there are none.
fn edit_between(old: &[u8], new: &[u8]) -> Option<InputEdit> {
    let start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    if start == old.len() && start == new.len() {
        return None;
    }
    let ends = old[start..].iter().rev().zip(new[start..].iter().rev());
    let same = ends.take_while(|(a, b)| a == b).count();
    let (old_end, new_end) = (old.len() - same, new.len() - same);
    Some(InputEdit {
        start_byte: start,
        old_end_byte: old_end,
        new_end_byte: new_end,
        start_position: point(old, start),
        old_end_position: point(old, old_end),
        new_end_position: point(new, new_end),
    })
}

/// Row and column of a byte, both from 0.
fn point(text: &[u8], at: usize) -> Point {
    let before = &text[..at];
    let line = memchr::memrchr(b'\n', before).map_or(0, |it| it + 1);
    Point { row: memchr::memchr_iter(b'\n', before).count(), column: at - line }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::symbol;
    use crate::{Parsed, Symbols};

    /// Things that somebody types or pastes, most of which break what is around them.
    const INSERTED: [&str; 9] = ["x", "{", "}", "(", ")", "\"", "\n", "/*", "import a.b\n"];

    /// What is found in the tree of `parsed` by looking everywhere.
    fn found_anew(text: &[u8], parsed: &Parsed<'_>) -> Symbols {
        let Some((language, tree)) = parsed.tree() else { return Symbols::default() };
        Symbols::new(text, language, &symbol::find(text, language, tree, None))
    }

    fn random(state: &mut u64, below: usize) -> usize {
        *state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) as usize % below.max(1)
    }

    #[test]
    fn what_was_found_is_taken_over_as_if_it_had_been_found_again() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/languages");
        for entry in folder.read_dir().unwrap() {
            let path = entry.unwrap().path();
            #[expect(clippy::disallowed_methods, reason = "a test reads its files")]
            let mut text = std::fs::read(&path).unwrap();
            let language = Language::of_path(path.to_str().unwrap(), "");
            let mut kept = Parsed::new(&text, language).keep();
            let mut state = text.len() as u64;
            for step in 0..60 {
                let at = random(&mut state, text.len());
                let end = (at + random(&mut state, 12)).min(text.len());
                let inserted = INSERTED[random(&mut state, INSERTED.len())];
                let old = text.splice(at..end, inserted.bytes()).collect::<Vec<u8>>();
                let after = Parsed::after(&text, language, kept.as_ref());
                assert_eq!(
                    after.symbols(),
                    found_anew(&text, &after),
                    "{}: {step}",
                    path.display()
                );
                kept = after.keep().or(kept);
                // Half of what was done is undone, so that something of the file stays.
                if step % 2 == 0 {
                    text.splice(at..at + inserted.len(), old);
                }
            }
        }
    }
}
