//! A syntax tree that outlives its text's analysis: what the parse of the next version begins with.

use std::sync::Arc;

use tree_sitter::{InputEdit, Point, Tree};

use crate::Language;

/// Of 26 languages those where the parser's recovery from an unfinished line depended on what was typed before: after
/// 31 of 170 keystrokes in Kotlin, and after 10 of 1500 damages in Ruby.
const STRAYING: [Language; 2] = [Language::Kotlin, Language::Ruby];

/// The tree of a text, and the text.
#[derive(Clone)]
pub struct Kept {
    text: Arc<[u8]>,
    language: Language,
    tree: Tree,
}

impl Kept {
    pub(crate) fn new(text: &[u8], language: Language, tree: Tree) -> Self {
        Self { text: text.into(), language, tree }
    }

    /// The tree, told where `text` differs; `None` for another language, and for one whose grammar recovers from errors
    /// another way when it goes on.
    pub(crate) fn edited(&self, text: &[u8], language: Language) -> Option<Tree> {
        if self.language != language || STRAYING.contains(&language) {
            return None;
        }
        let mut tree = self.tree.clone();
        if let Some(edit) = edit_between(&self.text, text) {
            tree.edit(&edit);
        }
        Some(tree)
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
