//! What to look for at a cursor by its text alone: for a reader who has no time to parse it.

use std::ops::Range;

use foreword_chunk::Language;

use super::{ELSEWHERE, OLDER, lines_after, lines_before, open_call};
use crate::index::Snapshot;
use crate::index::terms::identifiers;
use crate::retrieve::query::{Query, QueryConfig, Weights, speaks_of_tests};
use crate::scope::Cursor;

/// Lines that were changed in other files and are looked at; what follows weighs next to nothing.
const MAX_EDITED: usize = 20;

/// Bytes of unsaved text that are looked at.
const MAX_CHANGED: usize = 4000;

/// The query of a hole without what its syntax tree tells: the words of the lines around it, more the nearer they are, of
/// the call that it is in, of what is unsaved (`changed`, in bytes), and of lines that were `edited` elsewhere, the latest
/// first. It names no names.
pub(crate) fn text_query(
    cursor: &Cursor,
    changed: Range<usize>,
    edited: &[String],
    snapshot: &Snapshot,
    config: &QueryConfig,
) -> Query {
    let text = cursor.text();
    let keywords = Language::of_path(cursor.path(), "").map_or(&[][..], Language::keywords);
    let mut weights = Weights::new(config);
    let mut note = |text: &str, weight: f32| {
        identifiers(text, |start, end| {
            let word = &text[start..end];
            let is_number = word.as_bytes()[0].is_ascii_digit();
            if word.len() > 1 && !is_number && keywords.binary_search(&word).is_err() {
                weights.add(word, weight);
            }
        });
    };
    let decay = |distance: usize| 0.5_f32.powf(distance as f32 / config.half_life);
    for (distance, line) in lines_before(cursor).take(config.lines_before).enumerate() {
        note(&text[line], decay(distance));
    }
    for (distance, line) in lines_after(cursor).take(config.lines_after).enumerate() {
        note(&text[line], decay(distance) * config.after);
    }
    if let Some(callee) = open_call(cursor.prefix()) {
        note(&text[callee], config.callee);
    }
    if changed.len() <= MAX_CHANGED {
        note(&text[changed], config.changed);
    }
    for (age, line) in edited.iter().take(MAX_EDITED).enumerate() {
        note(line, config.changed * ELSEWHERE * OLDER.powi(age as i32));
    }
    let stem = cursor.path().rsplit('/').next().and_then(|it| it.split('.').next());
    note(stem.unwrap_or_default(), config.scope);
    note(cursor.intent(), config.intent);
    let terms = weights.finish(snapshot, config);
    Query { asks_for_tests: speaks_of_tests(&terms), terms, ..Query::default() }
}
