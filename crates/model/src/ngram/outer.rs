//! Counts of a file's outer parts, which stay the same from one key to the next.
//!
//! A file is counted in three parts: the lines long before the cursor, those long after it, and the text between. The
//! outer parts are counted once. Runs of tokens across a seam are counted with the inner part: the last tokens before it
//! and the first ones after it are counted with it, and subtracted alone. So all counts are those of the whole file.

use std::sync::{Arc, Mutex, PoisonError};

use super::corpus::{Background, Corpus};
use super::gaps::Side;
use super::history::History;
use super::learner::Learner;
use super::lexer::{Kind, Lexer, Token};
use super::vocabulary::BEGIN;

/// Tokens of an outer part that are counted with the inner one: more than a run has, so that a long match is seen whole
/// on both sides of a seam.
const EDGE_TOKENS: usize = 40;

/// Tokens before the inner part that its history begins with: more than any scope reads.
const HISTORY_TOKENS: usize = 1200;

/// Files whose counts are kept: those of somebody who goes to and fro between some places. Each takes a megabyte at most.
const KEPT_FILES: usize = 4;

/// A file around a cursor. Both seams follow a visible character at the end of a line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FileText<'t> {
    /// The text before the cursor.
    pub(crate) prefix: &'t str,
    /// The text after the cursor.
    pub(crate) suffix: &'t str,
    /// Bytes of `prefix` that are an outer part; 0 for none.
    pub(crate) head: usize,
    /// Offset in `suffix` at which the other outer part starts; its length for none.
    pub(crate) tail: usize,
}

/// Counts of a file's outer parts.
#[derive(Debug)]
pub(crate) struct OuterCounts {
    /// The texts that are counted.
    head: Box<str>,
    tail: Box<str>,
    pub(super) learner: Learner,
    corpus: Corpus,
    /// The last tokens of the head, and the first ones of the tail; empty without one.
    edges: [Vec<u32>; 2],
    /// The tokens up to the end of the head.
    pub(crate) history: History,
}

impl<'t> FileText<'t> {
    fn outer(&self) -> [&'t str; 2] {
        [&self.prefix[..self.head], &self.suffix[self.tail..]]
    }

    /// The tokens between the head and the cursor.
    pub(crate) fn before(&self) -> Lexer<'t> {
        Lexer::after(self.prefix, self.head)
    }

    /// The same without blanks at the end.
    fn typed(&self) -> Lexer<'t> {
        let end = self.prefix.trim_end().len().max(self.head);
        Lexer::after(&self.prefix[..end], self.head)
    }

    /// The tokens between the cursor and the tail.
    fn rest(&self) -> impl Iterator<Item = Token<'t>> {
        let tail = self.tail;
        Lexer::new(self.suffix).take_while(move |it| it.end <= tail)
    }
}

impl OuterCounts {
    /// Counts the outer parts of a file, with the numbers of `background`.
    pub(crate) fn new(file: &FileText<'_>, background: Option<&Background>) -> Self {
        let vocabulary = background.map(|it| it.vocabulary.clone());
        let mut learner = vocabulary.map_or_else(Learner::default, Learner::over);
        let [head, tail] = file.outer();
        let mut kind = Kind::Break;
        let tokens = Lexer::new(head).inspect(|it| kind = it.kind);
        let before = learner.learn(tokens);
        let after = learner.learn(Lexer::after(file.suffix, file.tail));
        let texts = [(head, &before), (tail, &after)];
        let counted = texts.iter().filter(|it| !it.0.is_empty());
        let corpus = Corpus::new(counted.map(|it| it.1.as_slice()));
        let edges = [
            before[before.len().saturating_sub(EDGE_TOKENS)..].to_vec(),
            after[..after.len().min(EDGE_TOKENS)].to_vec(),
        ];
        let tokens = [&[BEGIN], before.as_slice()].concat();
        let mut history = History { tokens, kind, ..History::default() };
        history.forget(HISTORY_TOKENS);
        Self { head: head.into(), tail: tail.into(), learner, corpus, edges, history }
    }

    /// Whether these are the counts of the file's outer parts.
    pub(crate) fn are_of(&self, file: &FileText<'_>) -> bool {
        file.outer() == [&*self.head, &*self.tail]
    }

    /// Counts of the whole file; `learner` learns its inner part.
    pub(super) fn whole(&self, file: &FileText<'_>, learner: &mut Learner) -> Corpus {
        let [head, tail] = &self.edges;
        let end =
            Side { number: *self.history.tokens.last().unwrap_or(&BEGIN), kind: self.history.kind };
        let typed = learner.learn_after(end, file.typed());
        let rest = learner.learn(file.rest());
        let inner = [[head.as_slice(), &typed].concat(), [rest.as_slice(), tail].concat()];
        let seams: Vec<Vec<u32>> = self.edges.iter().filter(|it| !it.is_empty()).cloned().collect();
        self.corpus.with_changes(&inner, &seams)
    }
}

/// Counts of the files that were asked about last, for the requests that follow.
#[derive(Debug, Default)]
pub struct CountCache(Mutex<Vec<Arc<OuterCounts>>>);

impl CountCache {
    /// The counts of the file's outer parts, made if they are not kept.
    pub(crate) fn outer(&self, file: &FileText<'_>) -> Arc<OuterCounts> {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut kept = lock();
        let found = kept.iter().position(|it| it.are_of(file)).map(|at| kept.remove(at));
        drop(kept);
        let res = found.unwrap_or_else(|| Arc::new(OuterCounts::new(file, None)));
        let mut kept = lock();
        kept.insert(0, Arc::clone(&res));
        kept.truncate(KEPT_FILES);
        res
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ngram::Model;
    use proptest::prelude::*;

    /// Costs of all tokens of a text after the cursor.
    fn costs(model: &mut Model, prefix: &str) -> Vec<f64> {
        let history = model.history(prefix);
        Lexer::new("a b(c\n  ab\n").map(|it| model.log2(&history, &it)).collect()
    }

    /// Seams after which a line ends.
    fn seams(text: &str) -> impl Iterator<Item = usize> {
        let ends = text.match_indices('\n').map(|it| text[..it.0].trim_end().len());
        ends.filter(|it| *it > 0)
    }

    proptest! {
        #[test]
        fn a_file_counted_in_parts_has_the_counts_of_the_whole(
            prefix in "[a-c(\n ]{0,60}",
            suffix in "[a-c(\n ]{0,60}",
        ) {
            let scope = [prefix.trim_end(), suffix.as_str()];
            let expected = costs(&mut Model::new(None, &[&scope]), &prefix);
            let tails: Vec<usize> = seams(&suffix).chain([suffix.len()]).collect();
            for (head, tail) in seams(&prefix).chain([0]).flat_map(|it| tails.iter().map(move |t| (it, *t))) {
                let file = FileText { prefix: &prefix, suffix: &suffix, head, tail };
                let outer = OuterCounts::new(&file, None);
                let found = costs(&mut Model::of_file(&file, &outer, &[], None), &prefix);
                for (a, b) in found.iter().zip(&expected) {
                    prop_assert!((a - b).abs() < 1e-9, "{a} {b} {head} {tail}");
                }
            }
        }
    }

    #[test]
    fn counts_are_kept_for_the_same_outer_parts() {
        let cache = CountCache::default();
        let file = FileText { prefix: "a\nb", suffix: "c\nd", head: 1, tail: 1 };
        let first = cache.outer(&file);
        let typed = FileText { prefix: "a\nbc", ..file };
        assert!(Arc::ptr_eq(&first, &cache.outer(&typed)));
        let other = FileText { prefix: "x\nbc", ..file };
        assert!(!Arc::ptr_eq(&first, &cache.outer(&other)));
        assert!(Arc::ptr_eq(&first, &cache.outer(&file)));
        assert_eq!(cache.0.lock().unwrap().len(), 2);
    }
}
