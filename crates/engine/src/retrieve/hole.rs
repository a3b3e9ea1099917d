//! The query at a cursor: words and names of the text around it.

mod text_query;

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::names::{CodeWords, Name, NameConfig, Reach, imported_names};
use super::query::{Query, QueryConfig, Weights, is_code, speaks_of_tests};
use super::words::forms::forms_of;
use super::words::is_stop_word;
use crate::index::bm25::idf;
use crate::index::terms::{identifiers, terms_of};
use crate::index::{FileRole, Snapshot, file_role};
use crate::preset::constants::retrieve::{
    CHANGED_ELSEWHERE, FEWEST_CHUNKS, HALF, INFLECTED_FORM, OLDER_CHANGED_LINE, OTHER_FILE_DISTANCE,
};
use crate::scope::{Activity, Cursor, Scope};
use crate::sorting::{sort_by, sort_by_key};

pub(crate) use self::text_query::text_query;

/// Builds the query at a cursor. Words on both sides count more the nearer they are, names of enclosing signatures are
/// added, and words that the user has just changed, here or in another file, count most. Every word is a term; names
/// are words that other files may define, and imported names.
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
        words.note(line, config.changed * OLDER_CHANGED_LINE.powi(age as i32), 0);
    }
    for (age, text) in activity.edited.iter().enumerate() {
        words.note_other(
            text,
            config.changed * CHANGED_ELSEWHERE * OLDER_CHANGED_LINE.powi(age as i32),
        );
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
    // In a test file, tests are not penalised.
    query.asks_for_tests |= file_role(cursor.path(), scope.record.language) == FileRole::Test;
    query
}

/// Lines of the cursor's file that differ from the last commit, the nearest first. Unsaved lines are excluded: they are
/// queried in full.
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

/// Changed lines that are queried; further ones would weigh less than a hundredth.
const MAX_LINES_SINCE: usize = 20;

/// How far before the cursor the open bracket of a call is searched, in bytes.
const CALL_BYTES: usize = 400;

/// Lines before the cursor as ranges of the text, the nearest first.
fn lines_before(cursor: &Cursor) -> impl Iterator<Item = Range<usize>> {
    let mut end = cursor.prefix().len();
    cursor.prefix().rsplit('\n').map(move |line| {
        let range = end - line.len()..end;
        end = range.start.saturating_sub(1);
        range
    })
}

/// Lines after the cursor, the nearest first.
fn lines_after(cursor: &Cursor) -> impl Iterator<Item = Range<usize>> {
    let mut start = cursor.resume();
    cursor.suffix().split('\n').map(move |line| {
        let range = start..start + line.len();
        start = range.end + 1;
        range
    })
}

/// Weight of a line by its distance from the cursor.
fn proximity(distance: usize, config: &QueryConfig) -> f32 {
    HALF.powf(distance as f32 / config.half_life)
}

/// Name before the innermost bracket that is open at the end of `prefix`.
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

/// Words around a cursor, as terms and as names.
struct Words<'t, 'c> {
    weights: Weights<'c>,
    /// Weight of each name and its distance in lines.
    names: FxHashMap<(&'t str, Reach), (f32, u32)>,
    code: CodeWords<'t>,
    cursor: &'t Cursor,
}

impl<'t> Words<'t, '_> {
    /// Adds the words in a range of the cursor's text.
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

    /// Adds the words of an enclosing signature. Types in quotes (forward references in Python) are names, too.
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

    /// Adds the lines around the cursor; weight halves with each half-life of distance.
    fn note_lines(&mut self) {
        let (cursor, config) = (self.cursor, self.weights.config());
        for (distance, line) in lines_before(cursor).take(config.lines_before).enumerate() {
            self.note(line, proximity(distance, config), distance);
        }
        for (distance, line) in lines_after(cursor).take(config.lines_after).enumerate() {
            self.note(line, proximity(distance, config) * config.after, distance);
        }
    }

    /// Adds the words of another text, of which neither language nor imports are known.
    fn note_other(&mut self, text: &'t str, weight: f32) {
        identifiers(text, |start, end| {
            let word = &text[start..end];
            if !self.code.says_nothing(word) {
                self.weights.add(word, weight);
                self.add((word, Reach::Anywhere), weight, OTHER_FILE_DISTANCE);
            }
        });
    }

    /// Adds words written by people: inflected forms match, and only words that look like code are names.
    fn note_intent(&mut self, text: &'t str, weight: f32) {
        identifiers(text, |start, end| {
            let word = &text[start..end];
            let lower = word.to_lowercase();
            if is_stop_word(&lower) {
                return;
            }
            self.weights.add(word, weight);
            if is_code(word) {
                return self.add((word, Reach::Anywhere), weight, 0);
            }
            forms_of(&lower)
                .into_iter()
                .for_each(|it| self.weights.add_owned(it, weight * INFLECTED_FORM));
        });
    }

    /// Builds the query. The weight of a name is multiplied by its rarity.
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

/// Rarity of each name as a word: 0 if it is in every chunk, 1 if it is in one.
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
    let chunks = (snapshot.totals().chunks as f32).max(FEWEST_CHUNKS);
    let most = idf(1.0, chunks).max(f32::MIN_POSITIVE);
    let rarity = |n: u32| (idf((n as f32).max(1.0), chunks) / most).min(1.0);
    terms.iter().map(|it| it.1).zip(frequencies.into_iter().map(rarity)).collect()
}

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
