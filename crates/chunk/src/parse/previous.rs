//! The parse of a text's previous version, for incremental parsing.

use std::ops::Range;
use std::sync::Arc;

use tree_sitter::{InputEdit, Point, Tree};

use crate::language::Language;
use crate::symbol::{SymbolCandidates, UnchangedNodes};

/// Languages that are parsed incrementally. In 26 measured ones error recovery on an unfinished line depended on earlier
/// keystrokes only in Kotlin (31 of 170) and Ruby (10 of 1500 random edits). Others are not measured yet.
const STABLE_RECOVERY: [Language; 24] = [
    Language::Python,
    Language::Rust,
    Language::JavaScript,
    Language::TypeScript,
    Language::Tsx,
    Language::Go,
    Language::Java,
    Language::C,
    Language::Cpp,
    Language::CSharp,
    Language::Php,
    Language::Swift,
    Language::Scala,
    Language::Bash,
    Language::Lua,
    Language::Haskell,
    Language::Elixir,
    Language::Zig,
    Language::Markdown,
    Language::Json,
    Language::Yaml,
    Language::Toml,
    Language::Css,
    Language::Sql,
];
/// Minimum distance of an unchanged node from a change, in bytes: a pattern may look at the bytes after a name.
const MARGIN: usize = 8;

/// A text with its syntax tree and symbol candidates.
#[derive(Clone)]
pub struct PreviousParse {
    text: Arc<[u8]>,
    language: Language,
    tree: Tree,
    candidates: Arc<SymbolCandidates>,
}

impl PreviousParse {
    pub(super) fn new(
        text: &[u8],
        language: Language,
        tree: Tree,
        candidates: SymbolCandidates,
    ) -> Self {
        Self { text: text.into(), language, tree, candidates: candidates.into() }
    }

    /// Applies the edit that leads to `text` to a copy of the tree. `None` for another language, and for languages with
    /// unstable error recovery.
    pub(super) fn with_edit(&self, text: &[u8], language: Language) -> Option<EditedTree<'_>> {
        if self.language != language || !STABLE_RECOVERY.contains(&language) {
            return None;
        }
        let mut tree = self.tree.clone();
        let edit = edit_between(&self.text, text);
        if let Some(edit) = &edit {
            tree.edit(edit);
        }
        Some(EditedTree { tree, edit, candidates: &self.candidates })
    }
}

/// A tree with the edit of its text applied.
pub(super) struct EditedTree<'p> {
    pub(super) tree: Tree,
    edit: Option<InputEdit>,
    candidates: &'p SymbolCandidates,
}

impl<'p> EditedTree<'p> {
    /// The nodes that `new`, parsed from this tree, shares with it.
    pub(super) fn unchanged(&self, new: &Tree) -> UnchangedNodes<'p> {
        let reparsed = self.tree.changed_ranges(new).map(|it| it.start_byte..it.end_byte);
        let edited = self.edit.iter().map(|it| it.start_byte..it.new_end_byte);
        let near = |it: Range<usize>| it.start.saturating_sub(MARGIN)..it.end + MARGIN;
        let shift =
            self.edit.map(|it| (it.new_end_byte, it.new_end_byte as i64 - it.old_end_byte as i64));
        let changed = reparsed.chain(edited).map(near).collect();
        UnchangedNodes::new(self.candidates, changed, shift.unwrap_or_default())
    }
}

/// The smallest single edit that covers all differences; `None` if there are none.
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

/// Row and column of a byte, both 0-based.
fn point(text: &[u8], at: usize) -> Point {
    let before = &text[..at];
    let line = memchr::memrchr(b'\n', before).map_or(0, |it| it + 1);
    Point { row: memchr::memchr_iter(b'\n', before).count(), column: at - line }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::parse::Parse;
    use crate::symbol::{self, Symbols};

    /// Text that a user may type or paste; most of it breaks the surrounding code.
    const INSERTED: [&str; 9] = ["x", "{", "}", "(", ")", "\"", "\n", "/*", "import a.b\n"];

    /// The symbols of `parsed` without reuse of earlier candidates.
    fn found_from_scratch(text: &[u8], parsed: &Parse<'_>) -> Symbols {
        let Some((language, tree)) = parsed.tree() else { return parsed.symbols() };
        Symbols::new(text, language, &symbol::find(text, language, tree, None, None).0).with_macros(
            text,
            language,
            &language.parser_text(text).1,
        )
    }

    fn random(state: &mut u64, below: usize) -> usize {
        *state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) as usize % below.max(1)
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a test reads its files")]
    fn symbols_copied_from_unchanged_nodes_equal_those_of_a_fresh_search() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/languages");
        for entry in folder.read_dir().unwrap() {
            let path = entry.unwrap().path();
            let mut text = std::fs::read(&path).unwrap();
            let language = Language::of_path(path.to_str().unwrap(), "");
            let mut previous = Parse::new(&text, language).into_previous();
            let mut state = text.len() as u64;
            for step in 0..60 {
                let at = random(&mut state, text.len());
                let end = (at + random(&mut state, 12)).min(text.len());
                let inserted = INSERTED[random(&mut state, INSERTED.len())];
                let old = text.splice(at..end, inserted.bytes()).collect::<Vec<u8>>();
                let after = Parse::after(&text, language, previous.as_ref());
                assert_eq!(
                    after.symbols(),
                    found_from_scratch(&text, &after),
                    "{}: {step}",
                    path.display()
                );
                previous = after.into_previous().or(previous);
                // Undo every other edit, so that part of the file remains.
                if step % 2 == 0 {
                    text.splice(at..at + inserted.len(), old);
                }
            }
        }
    }
}
