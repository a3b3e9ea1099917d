//! Which definition the lines of a result or of a piece are titled by: the one in them that says most about what is looked
//! for, however many others begin before it.

use std::ops::Range;

use foreword_chunk::{Definition, Kind, Span, Symbols};

use super::excerpt::Words;
use crate::index::terms::identifiers;
use crate::index::{FileId, FileRecord, Snapshot};

/// How soon repeated words stop counting, as `k1` of BM25 does.
const SATURATION: f32 = 1.2;

/// Identifiers of a definition whose words count as they stand; those of a longer one count less, as with `b` = 0.5 of
/// BM25. About fifteen lines.
const USUAL_LENGTH: f32 = 60.0;

/// A word in a definition's name counts as so many in its body.
const IN_NAME: f32 = 3.0;

/// The same for the names of the definitions around it.
const IN_SCOPE: f32 = 1.0;

/// What a field or a constant of few lines counts against a function or a type: more is usually looked for.
const SMALL_KIND: f32 = 0.6;

/// Bytes of a field or a constant that is no longer small: about five lines.
const SMALL: usize = 240;

/// How much more a definition counts that was found by the name that was asked for, or that is used at the cursor: nothing
/// outweighs it.
pub(crate) const BY_NAME: f32 = 1e3;

/// How much more a definition counts whose name is one word of a question.
pub(crate) const BY_WORD: f32 = 1.5;

/// Lines of a file, and what in them was found by name.
pub(crate) struct Shown<'s> {
    pub(crate) file: FileId,
    pub(crate) text: &'s str,
    /// The byte of the file at which `text` starts.
    pub(crate) start: usize,
    /// Definitions that were found by name.
    pub(crate) named: &'s [u32],
    /// How much more those count than others.
    pub(crate) preference: f32,
    /// Which kinds may be the title; all if it is empty.
    pub(crate) kinds: &'s [Kind],
}

impl Shown<'_> {
    fn range(&self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }
}

/// A definition of which lines are shown.
struct Contender {
    idx: u32,
    span: Range<usize>,
    is_small: bool,
    /// How often its own lines, those of no definition inside of it, have each word.
    frequencies: Vec<f32>,
    identifiers: usize,
}

/// The definition that has most of the words, and the most telling ones. Where none has any, the first outermost one that
/// begins in the lines, else the one around them.
pub(crate) fn title_of(snapshot: &Snapshot, shown: &Shown<'_>, words: &Words<'_>) -> Option<u32> {
    let record = snapshot.record(shown.file);
    let range = shown.range();
    let is_of_kind = |idx: &u32| {
        let kind = record.symbols.definitions[*idx as usize].kind;
        shown.kinds.is_empty() || shown.kinds.contains(&kind)
    };
    let first = || record.first_definition_in(Span::new(range.start, range.end));
    best_definition(snapshot, &record, shown, words)
        .or_else(|| first().filter(is_of_kind))
        .or_else(|| record.symbols.enclosing(range.start).filter(is_of_kind))
}

fn best_definition(
    snapshot: &Snapshot,
    record: &FileRecord,
    shown: &Shown<'_>,
    words: &Words<'_>,
) -> Option<u32> {
    let symbols = &record.symbols;
    let mut contenders = contenders(record, &shown.range(), words.len());
    count_words(&mut contenders, shown, words);
    let name = |it: &Contender| symbols.definitions[it.idx as usize].name.range();
    let names: Vec<Range<usize>> = contenders.iter().map(name).collect();
    let names = snapshot.parts(shown.file, &names);
    let names: Vec<Vec<u32>> = names.iter().map(|it| words.words_in(it)).collect();
    let mut best: Option<(f32, u32)> = None;
    for (it, own) in contenders.iter().zip(&names) {
        let kind = symbols.definitions[it.idx as usize].kind;
        if !shown.kinds.is_empty() && !shown.kinds.contains(&kind) {
            continue;
        }
        let scope = contenders.iter().zip(&names).filter(|(other, _)| {
            other.idx != it.idx && ancestors(symbols, it.idx).any(|around| around == other.idx)
        });
        let mut frequencies = it.normalised();
        own.iter().for_each(|word| frequencies[*word as usize] += IN_NAME);
        scope.flat_map(|it| it.1).for_each(|word| frequencies[*word as usize] += IN_SCOPE);
        let saturated = |it: &f32| it / (it + SATURATION);
        let preference = if shown.named.contains(&it.idx) { shown.preference } else { 1.0 };
        let score = words.sum(frequencies.iter().map(saturated)) * it.weight() * preference;
        // Of equal ones the first, which is the outermost.
        if score > best.map_or(0.0, |it| it.0) {
            best = Some((score, it.idx));
        }
    }
    best.map(|it| it.1)
}

/// The lines of a definition in a file: with the doc comment before it.
pub(crate) fn extent(it: &Definition) -> Range<usize> {
    it.doc.map_or(it.span.start, |doc| doc.start.min(it.span.start)) as usize..it.span.end as usize
}

impl Contender {
    fn new(idx: u32, it: &Definition, n_words: usize) -> Self {
        let (span, frequencies) = (extent(it), vec![0.0; n_words]);
        let is_small = matches!(it.kind, Kind::Field | Kind::Constant) && span.len() < SMALL;
        Self { idx, span, is_small, frequencies, identifiers: 0 }
    }

    /// The frequencies in a definition of the usual length.
    fn normalised(&self) -> Vec<f32> {
        let length = 0.5 + 0.5 * self.identifiers as f32 / USUAL_LENGTH;
        self.frequencies.iter().map(|it| it / length).collect()
    }

    fn weight(&self) -> f32 {
        if self.is_small { SMALL_KIND } else { 1.0 }
    }
}

/// The definitions that overlap a range, and those around them, in the order of the file.
fn contenders(record: &FileRecord, range: &Range<usize>, n_words: usize) -> Vec<Contender> {
    let definitions = &record.symbols.definitions;
    let after = definitions.partition_point(|it| extent(it).start < range.end);
    let first = definitions.partition_point(|it| (it.span.start as usize) < range.start);
    let around = record.symbols.enclosing(range.start);
    let mut idxs: Vec<u32> = around.map_or_else(Vec::new, |it| {
        ancestors(&record.symbols, it).filter(|it| (*it as usize) < first).collect()
    });
    idxs.reverse();
    idxs.extend(first as u32..after as u32);
    let contender = |idx: u32| Contender::new(idx, &definitions[idx as usize], n_words);
    idxs.into_iter().map(contender).collect()
}

/// The number of a definition and of those that enclose it, innermost first.
fn ancestors(symbols: &Symbols, idx: u32) -> impl Iterator<Item = u32> {
    let parent = |it: &u32| symbols.definitions.get(*it as usize)?.parent;
    std::iter::successors(Some(idx), parent)
}

/// Counts each word for the innermost definition that it is in. What is in a field or a constant is in its type, too.
fn count_words(contenders: &mut [Contender], shown: &Shown<'_>, words: &Words<'_>) {
    identifiers(shown.text, |start, end| {
        let found = words.words_of(&shown.text[start..end]);
        let at = shown.start + start;
        for it in contenders.iter_mut().rev().filter(|it| it.span.contains(&at)) {
            it.identifiers += 1;
            found.iter().for_each(|word| it.frequencies[*word as usize] += 1.0);
            if !it.is_small {
                break;
            }
        }
    });
}
