//! The words around a cursor, for a reader that has no time to parse: terms by their distance, without keywords.

use foreword_chunk::Language;
use rustc_hash::FxHashMap;

use crate::index::Snapshot;
use crate::index::terms::{identifiers, terms_of};
use crate::retrieve::QueryConfig;
use crate::scope::Cursor;

/// Terms with weights, the sum of which is 1 unless there are none.
pub(super) struct CursorWords(FxHashMap<String, f32>);

impl CursorWords {
    /// Words of the lines before the cursor and after it, the nearer the heavier, times how rare they are.
    pub(super) fn new(cursor: &Cursor, snapshot: &Snapshot, config: &QueryConfig) -> Self {
        let language = Language::of_path(cursor.path(), "");
        let keywords = language.map_or(&[][..], Language::keywords);
        let mut weights: FxHashMap<String, f32> = FxHashMap::default();
        let mut note = |line: &str, weight: f32| {
            let mut scratch = String::new();
            identifiers(line, |start, end| {
                let word = &line[start..end];
                if word.len() < 2 || keywords.binary_search(&word).is_ok() {
                    return;
                }
                terms_of(word, &mut scratch, |term, is_whole| {
                    let weight = if is_whole { weight } else { weight * config.sub_word };
                    match weights.get_mut(term) {
                        Some(known) => *known = known.max(weight),
                        None => drop(weights.insert(term.to_owned(), weight)),
                    }
                });
            });
        };
        let fading = |distance: usize| 0.5_f32.powf(distance as f32 / (config.half_life * 2.0));
        for (distance, line) in cursor.prefix().rsplit('\n').take(LINES).enumerate() {
            note(line, fading(distance));
        }
        for (distance, line) in cursor.suffix().split('\n').take(LINES / 2).enumerate() {
            note(line, fading(distance) * config.after);
        }
        Self::weighed(weights, snapshot)
    }

    fn weighed(weights: FxHashMap<String, f32>, snapshot: &Snapshot) -> Self {
        let mut terms: Vec<(String, f32)> = weights.into_iter().collect();
        terms.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        terms.truncate(TERMS);
        // Terms in their order are looked up faster.
        terms.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        let names: Vec<&str> = terms.iter().map(|it| it.0.as_str()).collect();
        let frequencies = snapshot.document_frequencies(&names);
        let chunks = snapshot.totals().chunks as f32;
        let mut sum = 0.0;
        for (it, n) in terms.iter_mut().zip(frequencies) {
            let n = n as f32;
            it.1 *= if n > 0.0 { ((chunks - n + 0.5) / (n + 0.5)).ln_1p() } else { 0.0 };
            sum += it.1;
        }
        let sum = if sum > 0.0 { sum } else { 1.0 };
        Self(terms.into_iter().map(|(term, weight)| (term, weight / sum)).collect())
    }

    /// The share, 0 to 1, of the weight that the terms have which a text has.
    pub(super) fn share_in(&self, text: &str) -> f32 {
        let mut met: Vec<(&str, f32)> = Vec::new();
        let mut scratch = String::new();
        identifiers(text, |start, end| {
            terms_of(&text[start..end], &mut scratch, |term, _| {
                let Some((known, weight)) = self.0.get_key_value(term) else { return };
                if !met.iter().any(|it| it.0 == known) {
                    met.push((known, *weight));
                }
            });
        });
        met.sort_unstable_by(|a, b| a.0.cmp(b.0));
        met.iter().map(|it| it.1).sum()
    }
}

/// Lines before the cursor that are read; half as many after it. Farther ones weigh less than a twentieth.
const LINES: usize = 32;

/// How many terms are looked up.
const TERMS: usize = 64;
