//! Chunks that mean what a question says, whatever words they have.

use super::inputs::{Inputs, Meaning};
use super::list::Hit;
use super::question::Meanings;
use crate::dense::TermTable;
use crate::evidence::Reason;
use crate::index::bm25::ScoredChunk;
use crate::index::terms::{identifiers, terms_of};

/// The chunks nearest to the question. A score is the part of the cosine that is above the least on the list, so that
/// margins count and not the cosine that any two texts have. A name is looked for by its letters, not by its meaning.
pub(super) fn dense(inputs: &Inputs<'_>, meaning: &Meaning<'_>) -> Vec<Hit> {
    let Inputs { snapshot, query, keep, limit, .. } = *inputs;
    if query.is_symbol {
        return Vec::new();
    }
    let found = match meaning.by {
        Meanings::Table(table) => match table.question(numbers(meaning.text, table)) {
            Some(vector) => snapshot.nearest(&vector, table, keep, limit),
            None => Vec::new(),
        },
        Meanings::Embedded { question, chunks } => {
            snapshot.nearest_embedded(question, chunks, keep, limit)
        }
    };
    // A list that is not full has all chunks that are like the question at all.
    let least = found.last().filter(|_| found.len() == limit).map_or(0.0, |it| it.score);
    let hit = |it: &ScoredChunk| Hit {
        chunk: it.chunk,
        definition: None,
        score: it.score - least,
        reason: Reason::Meaning { likeness: it.score },
    };
    found.iter().map(hit).filter(|it| it.score > 0.0).collect()
}

/// The numbers of the terms of a question that the table has.
fn numbers(text: &str, table: &TermTable) -> Vec<usize> {
    let (mut res, mut scratch) = (Vec::new(), String::new());
    identifiers(text, |start, end| {
        terms_of(&text[start..end], &mut scratch, |term, _| {
            res.extend(table.number_of(term));
        });
    });
    res
}
