//! The query at a cursor without a syntax tree, for requests that have no time to parse.

use std::ops::Range;

use foreword_chunk::Language;

use super::{lines_after, lines_before, open_call, proximity};
use crate::index::Snapshot;
use crate::index::terms::identifiers;
use crate::preset::constants::retrieve::{CHANGED_ELSEWHERE, OLDER_CHANGED_LINE};
use crate::retrieve::query::{Query, QueryConfig, Weights, speaks_of_tests};
use crate::scope::Cursor;

/// Lines edited in other files that are read; further ones weigh next to nothing.
const MAX_EDITED: usize = 20;

/// Bytes of unsaved text that are read.
const MAX_CHANGED: usize = 4000;

/// Builds the query at a cursor from its text alone: words of the lines around it, the nearer the heavier, of the open
/// call, of unsaved text (`changed`, a byte range), and of lines `edited` elsewhere, latest first. It has no names.
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
    for (distance, line) in lines_before(cursor).take(config.lines_before).enumerate() {
        note(&text[line], proximity(distance, config));
    }
    for (distance, line) in lines_after(cursor).take(config.lines_after).enumerate() {
        note(&text[line], proximity(distance, config) * config.after);
    }
    if let Some(callee) = open_call(cursor.prefix()) {
        note(&text[callee], config.callee);
    }
    if changed.len() <= MAX_CHANGED {
        note(&text[changed], config.changed);
    }
    for (age, line) in edited.iter().take(MAX_EDITED).enumerate() {
        note(line, config.changed * CHANGED_ELSEWHERE * OLDER_CHANGED_LINE.powi(age as i32));
    }
    let stem = cursor.path().rsplit('/').next().and_then(|it| it.split('.').next());
    note(stem.unwrap_or_default(), config.scope);
    note(cursor.intent(), config.intent);
    let terms = weights.finish(snapshot, config);
    Query { asks_for_tests: speaks_of_tests(&terms), terms, ..Query::default() }
}
