//! What to look for at a cursor: words and names of the text around it.

mod text_query;

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::names::{CodeWords, Name, NameConfig, Reach, imported_names};
use super::query::{
    Query, QueryConfig, STOP_WORDS, VARIANT, Weights, is_code, speaks_of_tests, variants,
};
use crate::index::terms::{identifiers, terms_of};
use crate::index::{FileRole, Snapshot, file_role};
use crate::scope::{Activity, Cursor, Scope};
use crate::sorting::{sort_by, sort_by_key};

pub(crate) use self::text_query::text_query;

/// The query of a hole: words near the cursor on both sides, more the nearer they are; names of enclosing signatures;
/// and most of all the words that the user has just changed, here or in another file. Every word is a term, names are
/// those that other files may define, and what the file imports.
pub fn hole_query(
    cursor: &Cursor,
    scope: &Scope,
    activity: &Activity,
    snapshot: &Snapshot,
    (config, names): (&QueryConfig, &NameConfig),
) -> Query {
    let code = CodeWords::new(cursor, scope, names);
    let mut words =
        Words { weights: Weights::new(config), names: FxHashMap::default(), code, cursor };
    words.note_lines();
    if let Some(callee) = open_call(cursor.prefix()) {
        words.note(callee, config.callee, 0);
    }
    words.note_intent(cursor.intent(), config.intent);
    for range in &scope.changed {
        words.note(range.clone(), config.changed, 0);
    }
    for (age, line) in lines_since_commit(cursor, scope).into_iter().enumerate() {
        words.note(line, config.changed * OLDER.powi(age as i32), 0);
    }
    for (age, text) in activity.edited.iter().enumerate() {
        words.note_other(text, config.changed * ELSEWHERE * OLDER.powi(age as i32));
    }
    for idx in &scope.enclosing {
        let definition = &scope.record.symbols.definitions[*idx as usize];
        words.note_signature(definition.signature.range(), config.scope);
    }
    let stem = cursor.path().rsplit('/').next().and_then(|it| it.split('.').next());
    words.weights.add(stem.unwrap_or(""), config.scope);
    for it in imported_names(cursor, scope, snapshot, names) {
        words.add((it.name, it.reach), it.weight, it.distance);
    }
    let mut query = words.finish(snapshot, config, names);
    // Who writes a test wants to see tests.
    query.asks_for_tests |= file_role(cursor.path(), scope.record.language) == FileRole::Test;
    query
}

/// Lines of the cursor's file that the last commit does not have, the nearest to the hole first. What is typed and not
/// saved is left out: it is looked for in full.
fn lines_since_commit(cursor: &Cursor, scope: &Scope) -> Vec<Range<usize>> {
    let text = cursor.text();
    let is_unsaved = |at: usize| scope.changed.iter().any(|it| it.contains(&at));
    let mut lines: Vec<(usize, Range<usize>)> = Vec::new();
    for range in &scope.since_commit {
        let mut at = range.start;
        for line in text[range.clone()].split_inclusive('\n') {
            let (before, after) =
                (cursor.offset().saturating_sub(at), at.saturating_sub(cursor.resume()));
            if !is_unsaved(at) {
                lines.push((before + after, at..at + line.len()));
            }
            at += line.len();
        }
    }
    sort_by_key(&mut lines, |it| it.0);
    lines.into_iter().take(MAX_LINES_SINCE).map(|it| it.1).collect()
}

/// How many lines since the commit are looked at: what follows weighs a hundredth.
const MAX_LINES_SINCE: usize = 20;

/// What a line that was changed in another file counts against one of the cursor's file. A first guess: evaluation knows
/// no other buffers.
const ELSEWHERE: f32 = 0.25;

/// What each line counts against the one that was changed after it.
const OLDER: f32 = 0.8;

/// How many lines from the hole another file is.
const FAR: u32 = 1000;

/// How far before the hole the bracket of a call is looked for, in bytes.
const CALL_BYTES: usize = 400;

/// The lines before the hole as ranges of the text, the nearest first.
fn lines_before(cursor: &Cursor) -> impl Iterator<Item = Range<usize>> {
    let mut end = cursor.prefix().len();
    cursor.prefix().rsplit('\n').map(move |line| {
        let range = end - line.len()..end;
        end = range.start.saturating_sub(1);
        range
    })
}

/// The lines after the hole, the nearest first.
fn lines_after(cursor: &Cursor) -> impl Iterator<Item = Range<usize>> {
    let mut start = cursor.resume();
    cursor.suffix().split('\n').map(move |line| {
        let range = start..start + line.len();
        start = range.end + 1;
        range
    })
}

/// The name before the innermost bracket that is open at the end of `prefix`.
fn open_call(prefix: &str) -> Option<Range<usize>> {
    let tail = prefix.floor_char_boundary(prefix.len().saturating_sub(CALL_BYTES));
    let mut closed = 0;
    for (at, byte) in prefix.bytes().enumerate().skip(tail).collect::<Vec<_>>().into_iter().rev() {
        match byte {
            b')' => closed += 1,
            b'(' if closed > 0 => closed -= 1,
            b'(' => {
                let before = &prefix[..at];
                let is_name = |it: char| it.is_alphanumeric() || it == '_';
                let start = before.trim_end_matches(is_name).len();
                return (start < at).then_some(start..at);
            }
            b';' | b'{' | b'}' => return None,
            _ => {}
        }
    }
    None
}

/// The words around a hole, as terms and as names.
struct Words<'t, 'c> {
    weights: Weights<'c>,
    /// The weight of each name, and how far it is.
    names: FxHashMap<(&'t str, Reach), (f32, u32)>,
    code: CodeWords<'t>,
    cursor: &'t Cursor,
}

impl<'t> Words<'t, '_> {
    /// Notes the words in a part of the cursor's text.
    fn note(&mut self, range: Range<usize>, weight: f32, distance: usize) {
        let text = &self.cursor.text()[range.clone()];
        identifiers(text, |start, end| {
            let word = &text[start..end];
            if self.code.says_nothing(word) {
                return;
            }
            self.weights.add(word, weight);
            if let Some(it) = self.code.use_at(range.start + start, range.start + end) {
                self.add((it.name, it.reach), weight * it.factor, distance as u32);
            }
        });
    }

    /// Notes the words of a signature around the hole. Types in quotes, which are not known yet where they stand, are
    /// names all the same.
    fn note_signature(&mut self, range: Range<usize>, weight: f32) {
        self.note(range.clone(), weight, 0);
        let text = &self.cursor.text()[range.clone()];
        identifiers(text, |start, end| {
            let at = range.start + start..range.start + end;
            if let Some(it) = self.code.quoted_type(at.start, at.end) {
                self.add((it.name, it.reach), weight, 0);
            }
        });
    }

    fn add(&mut self, key: (&'t str, Reach), weight: f32, distance: u32) {
        let known = self.names.entry(key).or_insert((0.0, u32::MAX));
        *known = (known.0.max(weight), known.1.min(distance));
    }

    /// Notes the lines around the hole, the less the farther they are.
    fn note_lines(&mut self) {
        let (cursor, config) = (self.cursor, self.weights.config());
        let decay = |distance: usize| 0.5_f32.powf(distance as f32 / config.half_life);
        for (distance, line) in lines_before(cursor).take(config.lines_before).enumerate() {
            self.note(line, decay(distance), distance);
        }
        for (distance, line) in lines_after(cursor).take(config.lines_after).enumerate() {
            self.note(line, decay(distance) * config.after, distance);
        }
    }

    /// Notes words of another text, of which nothing is known but its words.
    fn note_other(&mut self, text: &'t str, weight: f32) {
        identifiers(text, |start, end| {
            let word = &text[start..end];
            if !self.code.says_nothing(word) {
                self.weights.add(word, weight);
                self.add((word, Reach::Anywhere), weight, FAR);
            }
        });
    }

    /// Words that people write: other forms count, and only what reads as code is taken for a name.
    fn note_intent(&mut self, text: &'t str, weight: f32) {
        identifiers(text, |start, end| {
            let word = &text[start..end];
            let lower = word.to_lowercase();
            if STOP_WORDS.binary_search(&lower.as_str()).is_ok() {
                return;
            }
            self.weights.add(word, weight);
            if is_code(word) {
                return self.add((word, Reach::Anywhere), weight, 0);
            }
            variants(&lower)
                .into_iter()
                .for_each(|it| self.weights.add_owned(it, weight * VARIANT));
        });
    }

    /// The query. What a name weighs is multiplied by its rarity: a name that is everywhere tells little.
    fn finish(self, snapshot: &Snapshot, config: &QueryConfig, names: &NameConfig) -> Query {
        let rarities = rarities(snapshot, self.names.keys().map(|it| it.0).collect());
        let name = |((name, reach), (weight, distance)): ((&str, Reach), (f32, u32))| Name {
            name: name.to_owned(),
            weight: weight * rarities.get(name).map_or(1.0, |it| it.powf(names.rarity)),
            distance,
            reach,
        };
        let mut found: Vec<Name> = self.names.into_iter().map(name).collect();
        sort_by(&mut found, |a, b| {
            let by_weight = b.weight.total_cmp(&a.weight);
            by_weight.then_with(|| (&a.name, &a.reach).cmp(&(&b.name, &b.reach)))
        });
        let n_words = found.len();
        let terms = self.weights.finish(snapshot, config);
        let asks_for_tests = speaks_of_tests(&terms);
        Query { terms, names: found, n_words, asks_for_tests, ..Query::default() }
    }
}

/// How rare each name is as a word, from 0 for one that is everywhere to 1 for one that is in one chunk.
fn rarities<'t>(snapshot: &Snapshot, mut names: Vec<&'t str>) -> FxHashMap<&'t str, f32> {
    names.sort_unstable();
    names.dedup();
    let mut scratch = String::new();
    let mut whole = |name: &&str| {
        let mut whole = String::new();
        terms_of(name, &mut scratch, |term, is_whole| {
            if is_whole {
                term.clone_into(&mut whole);
            }
        });
        whole
    };
    let mut terms: Vec<(String, &str)> = names.iter().map(|it| (whole(it), *it)).collect();
    terms.sort_unstable();
    let sorted: Vec<&str> = terms.iter().map(|it| it.0.as_str()).collect();
    let frequencies = snapshot.document_frequencies(&sorted);
    let chunks = (snapshot.totals().chunks as f32).max(FEW_CHUNKS);
    let idf = |n: f32| ((chunks - n + 0.5) / (n + 0.5)).ln_1p();
    let rarity = |n: u32| (idf((n as f32).max(1.0)) / idf(1.0).max(f32::MIN_POSITIVE)).min(1.0);
    terms.iter().map(|it| it.1).zip(frequencies.into_iter().map(rarity)).collect()
}

/// In a repository of fewer chunks every name is in a large share of them, and rare all the same.
const FEW_CHUNKS: f32 = 1000.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_around_the_hole_are_ranges_of_the_text() {
        let cursor = Cursor::new("a.py", "one\ntwo\nthr\nfour\n", 10).unwrap();
        let before: Vec<&str> = lines_before(&cursor).map(|it| &cursor.text()[it]).collect();
        assert_eq!(before, ["th", "two", "one"]);
        let after: Vec<&str> = lines_after(&cursor).map(|it| &cursor.text()[it]).collect();
        assert_eq!(after, ["r", "four", ""]);
    }
}
