//! Parsing within a budget of work: never fails, never hangs, the same on every run.
//!
//! A clock would give the same file a tree on one day and none on another. So work is counted instead: steps of the
//! parser, as its progress callback reports them, and bytes that its lexer asks for (some grammars read a line again
//! for each token on it). Real files use a small fraction of what is allowed; ambiguous or hostile ones stop there.
//!
//! What the parser does in one step is out of reach: each error in an expression of tens of kilobytes may cost it a
//! millisecond. Such texts are slow, but they end.

use std::cell::{OnceCell, RefCell};
use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, ParseState, Parser, Point, Tree};

use crate::kept::Same;
use crate::symbol::{self, Found};
use crate::{Chunk, Config, Kept, Language, Symbols, chunks, guard};

/// Longer texts get no tree: they are data, logs or bundles.
const LONGEST: usize = 16 << 20;
/// The parser reports its progress each time it has taken about this many steps (a constant of tree-sitter).
const STEPS_PER_REPORT: usize = 100;
/// Of 80,000 files in 26 languages none took more than 4 steps a byte, and most took less than one.
const STEPS_PER_BYTE: usize = 12;
/// No text may take more steps than this; twelve megabytes of code take half of it.
const MOST_STEPS: usize = 20_000_000;
/// The lexer is fed this many bytes at once.
const PIECE: usize = 8 << 10;
/// Of the same files most were read once, and none more than 33 times.
const READS_PER_BYTE: usize = 100;
/// What even the shortest text may cost.
const LEAST: usize = 1 << 15;
/// The least number of nodes in a construct that says its language: more than in a string or a call of one argument.
const CONSTRUCT: usize = 8;

thread_local! {
    static PARSER: RefCell<Parser> = RefCell::new(Parser::new());
}

/// A text and its syntax tree, where one could be had.
pub struct Parsed<'t> {
    text: &'t [u8],
    tree: Option<(Language, Tree)>,
    /// What of it was so before.
    same: Option<Same<'t>>,
    /// What the patterns found, once they were asked.
    found: OnceCell<Found>,
}

impl<'t> Parsed<'t> {
    /// Parses `text`. There is no tree for an unknown language, for a text over 16 MiB, where the parse exceeds its
    /// budget of work, and where most of the text makes no sense in the language. (A text over 4 GiB is cut there.)
    pub fn new(text: &'t [u8], language: Option<Language>) -> Self {
        Self::after(text, language, None)
    }

    /// The same, and some ten times as quick where `before` is the tree of nearly the same text.
    ///
    /// Where the text is whole the result is that of [`Parsed::new`]. While a line is unfinished the parser may recover
    /// from the error another way: after 2 of 12,000 keystrokes in real files it did.
    pub fn after(text: &'t [u8], language: Option<Language>, before: Option<&'t Kept>) -> Self {
        let text = &text[..text.len().min(u32::MAX as usize)];
        let old = language.and_then(|it| before?.edited(text, it));
        let tree =
            language.and_then(|it| Some((it, parse(text, it, old.as_ref().map(|it| &it.tree))?)));
        let same = old.and_then(|it| Some(it.same(&tree.as_ref()?.1)));
        Self { text, tree, same, found: OnceCell::new() }
    }

    /// The tree and what was found in it, for the next text; `None` where there is no tree.
    pub fn keep(self) -> Option<Kept> {
        self.found();
        let (language, tree) = self.tree?;
        Some(Kept::new(self.text, language, tree, self.found.into_inner().unwrap_or_default()))
    }

    /// Whether there is a syntax tree.
    pub fn has_tree(&self) -> bool {
        self.tree.is_some()
    }

    /// The definitions, references and imports; empty without a tree.
    pub fn symbols(&self) -> Symbols {
        match (&self.tree, self.found()) {
            (Some((language, _)), Some(found)) => Symbols::new(self.text, *language, found),
            _ => Symbols::default(),
        }
    }

    #[cfg(test)]
    pub(crate) fn tree(&self) -> Option<(Language, &Tree)> {
        self.tree.as_ref().map(|it| (it.0, &it.1))
    }

    fn found(&self) -> Option<&Found> {
        let (language, tree) = self.tree.as_ref()?;
        let find = || symbol::find(self.text, *language, tree, self.same.as_ref());
        Some(self.found.get_or_init(find))
    }

    /// The chunks; `symbols` are this file's own, or empty (then chunks have no scope).
    pub fn chunks(&self, symbols: &Symbols, config: &Config) -> Vec<Chunk> {
        let tree = self.tree.as_ref().map(|(language, tree)| (*language, tree));
        chunks::chunks(self.text, tree, symbols, config)
    }
}

/// Parses within the budget; a tree that says little is no tree.
fn parse(text: &[u8], language: Language, old: Option<&Tree>) -> Option<Tree> {
    if text.len() > LONGEST || !guard::is_safe(text, language) {
        return None;
    }
    let grammar = language.grammar()?;
    let tree = PARSER.with_borrow_mut(|parser| {
        parser.set_language(&grammar).ok()?;
        let steps = (LEAST + text.len() * STEPS_PER_BYTE).min(MOST_STEPS);
        let tree = parse_within(parser, text, old, steps, LEAST + text.len() * READS_PER_BYTE);
        if tree.is_none() {
            parser.reset();
        }
        tree
    })?;
    let (loose, comments) = loose_bytes(&tree);
    (loose * 2 <= text.len() - comments.min(text.len())).then_some(tree)
}

/// Parses until it is done or has taken `steps` or read `bytes`.
fn parse_within(
    parser: &mut Parser,
    text: &[u8],
    old: Option<&Tree>,
    mut steps: usize,
    mut bytes: usize,
) -> Option<Tree> {
    let mut read = |at: usize, _: Point| {
        let piece = text.get(at..).unwrap_or_default();
        let piece = &piece[..piece.len().min(PIECE)];
        bytes = bytes.saturating_sub(piece.len());
        // Out of budget, the text seems to end here, and the parse soon with it.
        if bytes == 0 { &[] } else { piece }
    };
    let mut progress = |_: &ParseState| {
        steps = steps.saturating_sub(STEPS_PER_REPORT);
        if steps == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let tree = parser.parse_with_options(&mut read, old, Some(options));
    tree.filter(|_| bytes > 0)
}

/// How many bytes stand in error nodes without being part of a construct that was understood, and how many comments
/// among them, which say nothing of the language.
///
/// A file with one bracket too many may be a single error node, and yet all its functions are in there, whole; a text
/// in another language is an error node full of stray tokens.
fn loose_bytes(tree: &Tree) -> (usize, usize) {
    let mut cursor = tree.walk();
    let mut loose: usize = 0;
    let mut comments: usize = 0;
    // For each node gone into, whether it is or lies in an error.
    let mut parents: Vec<bool> = Vec::new();
    loop {
        let node = cursor.node();
        let in_error = parents.last() == Some(&true);
        if node.is_error() && !in_error {
            loose += node.byte_range().len();
        } else if in_error && node.is_extra() && node.is_named() {
            comments += node.byte_range().len();
            loose = loose.saturating_sub(node.byte_range().len());
        } else if in_error && !node.has_error() && node.descendant_count() >= CONSTRUCT {
            loose = loose.saturating_sub(node.byte_range().len());
        }
        if node.has_error() && cursor.goto_first_child() {
            parents.push(in_error || node.is_error());
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return (loose, comments);
            }
            parents.pop();
        }
    }
}
