//! The definition that titles the lines of a result or a piece: the one in them with most words of the query, not
//! merely the first.

use std::ops::Range;

use foreword_chunk::{Definition, Kind, Span, Symbols};

use super::excerpt::Words;
use crate::index::terms::identifiers;
use crate::index::{FileId, FileRecord, Snapshot};
use crate::preset::constants::trim::{
    LARGE_CONSTANT_BYTES, SMALL_DEFINITION, TITLE_B, TITLE_K1, TITLE_LENGTH, WORD_IN_NAME,
    WORD_IN_SCOPE,
};

/// Lines of a file, and the definitions in them that were found by name.
pub(crate) struct TitleInput<'s> {
    pub(crate) file: FileId,
    pub(crate) text: &'s str,
    /// Offset of `text` in the file.
    pub(crate) start: usize,
    /// Definitions found by name.
    pub(crate) named: &'s [u32],
    /// Factor on the scores of those.
    pub(crate) preference: f32,
    /// Kinds that may title; all if empty.
    pub(crate) kinds: &'s [Kind],
}

impl TitleInput<'_> {
    fn range(&self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }
}

/// A definition that overlaps the lines.
struct TitleCandidate {
    idx: u32,
    span: Range<usize>,
    is_small: bool,
    /// Occurrences of each word in its own lines, without those of inner definitions.
    frequencies: Vec<f32>,
    identifiers: usize,
}

/// Returns the definition with most and rarest words of the query. If none has any, the one around the lines. Lines
/// without any words, which were found in another way, are titled by the first outermost definition that begins in them.
pub(crate) fn title_of(
    snapshot: &Snapshot,
    shown: &TitleInput<'_>,
    words: &Words<'_>,
) -> Option<u32> {
    let record = snapshot.record(shown.file);
    let range = shown.range();
    let is_of_kind = |idx: &u32| {
        let kind = record.symbols.definitions[*idx as usize].kind;
        shown.kinds.is_empty() || shown.kinds.contains(&kind)
    };
    let first = || record.first_definition_in(Span::new(range.start, range.end));
    let has_words = has_words(shown, words);
    best_definition(snapshot, &record, shown, words)
        .or_else(|| first().filter(|it| !has_words && is_of_kind(it)))
        .or_else(|| record.symbols.enclosing(range.start).filter(is_of_kind))
}

fn has_words(shown: &TitleInput<'_>, words: &Words<'_>) -> bool {
    let mut res = false;
    identifiers(shown.text, |start, end| {
        res = res || !words.words_of(&shown.text[start..end]).is_empty();
    });
    res
}

fn best_definition(
    snapshot: &Snapshot,
    record: &FileRecord,
    shown: &TitleInput<'_>,
    words: &Words<'_>,
) -> Option<u32> {
    let symbols = &record.symbols;
    let mut candidates = candidates(record, &shown.range(), words.len());
    count_words(&mut candidates, shown, words);
    let name = |it: &TitleCandidate| symbols.definitions[it.idx as usize].name.range();
    let names: Vec<Range<usize>> = candidates.iter().map(name).collect();
    let names = snapshot.parts(shown.file, &names);
    let names: Vec<Vec<u32>> = names.iter().map(|it| words.words_in(it)).collect();
    let mut best: Option<(f32, u32)> = None;
    for (it, own) in candidates.iter().zip(&names) {
        let kind = symbols.definitions[it.idx as usize].kind;
        if !shown.kinds.is_empty() && !shown.kinds.contains(&kind) {
            continue;
        }
        let scope = candidates.iter().zip(&names).filter(|(other, _)| {
            other.idx != it.idx && ancestors(symbols, it.idx).any(|around| around == other.idx)
        });
        let mut frequencies = it.normalised();
        own.iter().for_each(|word| frequencies[*word as usize] += WORD_IN_NAME);
        scope.flat_map(|it| it.1).for_each(|word| frequencies[*word as usize] += WORD_IN_SCOPE);
        let saturated = |it: &f32| it / (it + TITLE_K1);
        let preference = if shown.named.contains(&it.idx) { shown.preference } else { 1.0 };
        let score = words.sum(frequencies.iter().map(saturated)) * it.weight() * preference;
        // Of equals, the first, which is the outermost.
        if score > best.map_or(0.0, |it| it.0) {
            best = Some((score, it.idx));
        }
    }
    best.map(|it| it.1)
}

/// Bytes of a definition including its doc comment.
pub(crate) fn extent(it: &Definition) -> Range<usize> {
    it.doc.map_or(it.span.start, |doc| doc.start.min(it.span.start)) as usize..it.span.end as usize
}

impl TitleCandidate {
    fn new(idx: u32, it: &Definition, n_words: usize) -> Self {
        let (span, frequencies) = (extent(it), vec![0.0; n_words]);
        let is_small =
            matches!(it.kind, Kind::Field | Kind::Constant) && span.len() < LARGE_CONSTANT_BYTES;
        Self { idx, span, is_small, frequencies, identifiers: 0 }
    }

    /// Frequencies scaled to a definition of usual length.
    fn normalised(&self) -> Vec<f32> {
        let length = (1.0 - TITLE_B) + TITLE_B * self.identifiers as f32 / TITLE_LENGTH;
        self.frequencies.iter().map(|it| it / length).collect()
    }

    fn weight(&self) -> f32 {
        if self.is_small { SMALL_DEFINITION } else { 1.0 }
    }
}

/// Definitions that overlap or enclose a range, in the order of the file.
fn candidates(record: &FileRecord, range: &Range<usize>, n_words: usize) -> Vec<TitleCandidate> {
    let definitions = &record.symbols.definitions;
    let after = definitions.partition_point(|it| extent(it).start < range.end);
    let first = definitions.partition_point(|it| (it.span.start as usize) < range.start);
    let around = record.symbols.enclosing(range.start);
    let mut idxs: Vec<u32> = around.map_or_else(Vec::new, |it| {
        ancestors(&record.symbols, it).filter(|it| (*it as usize) < first).collect()
    });
    idxs.reverse();
    idxs.extend(first as u32..after as u32);
    let contender = |idx: u32| TitleCandidate::new(idx, &definitions[idx as usize], n_words);
    idxs.into_iter().map(contender).collect()
}

/// A definition and those that enclose it, innermost first.
fn ancestors(symbols: &Symbols, idx: u32) -> impl Iterator<Item = u32> {
    let parent = |it: &u32| symbols.definitions.get(*it as usize)?.parent;
    std::iter::successors(Some(idx), parent)
}

/// Counts each word for the innermost definition. Words of a field or constant count for its type, too.
fn count_words(candidates: &mut [TitleCandidate], shown: &TitleInput<'_>, words: &Words<'_>) {
    identifiers(shown.text, |start, end| {
        let found = words.words_of(&shown.text[start..end]);
        let at = shown.start + start;
        for it in candidates.iter_mut().rev().filter(|it| it.span.contains(&at)) {
            it.identifiers += 1;
            found.iter().for_each(|word| it.frequencies[*word as usize] += 1.0);
            if !it.is_small {
                break;
            }
        }
    });
}
