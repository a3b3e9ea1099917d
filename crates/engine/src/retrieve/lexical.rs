//! The words of the query, by BM25F.

use super::{Hit, Query, RankedList, Reason, Signal};
use crate::index::bm25::{Bm25, WeightedTerm};
use crate::index::terms::{identifiers, terms_of};
use crate::index::{ChunkId, Field, FileId, Frequencies, Snapshot};

/// The `limit` best chunks for the query's terms among the files that `keep` accepts. The reasons are empty: making
/// them reads the chunk, so [`explain`] does it for those that are shown.
pub fn lexical(
    snapshot: &Snapshot,
    query: &Query,
    bm25: &Bm25,
    keep: &dyn Fn(FileId) -> bool,
    limit: usize,
) -> RankedList {
    let scored = snapshot.lexical(&query.terms, bm25, keep, limit);
    let hits = scored.into_iter().map(|it| Hit {
        chunk: it.chunk,
        definition: None,
        score: it.score,
        defines: it.defines,
        reason: Reason::Lexical { terms: Vec::new() },
    });
    RankedList { signal: Signal::Lexical, hits: hits.collect() }
}

/// Which terms of the query a chunk has, with their scores and the field that gives most, the heaviest first.
pub fn explain(
    snapshot: &Snapshot,
    chunk: ChunkId,
    terms: &[WeightedTerm],
    bm25: &Bm25,
) -> Vec<(String, f32, Field)> {
    let counts = Counts::new(snapshot, chunk);
    let explained = terms.iter().filter_map(|it| {
        let frequencies = counts.of(&it.term)?;
        let score = it.weight
            * snapshot.idf(&it.term)
            * snapshot.saturated(frequencies, counts.lengths, bm25);
        Some((it.term.clone(), score, heaviest(frequencies, bm25)))
    });
    let mut res: Vec<(String, f32, Field)> = explained.collect();
    res.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    res
}

fn heaviest(frequencies: Frequencies, bm25: &Bm25) -> Field {
    let fields = [Field::Body, Field::Symbols, Field::Path, Field::Doc];
    let share = |it: &Field| f32::from(frequencies[*it as usize]) * bm25.weights[*it as usize];
    let by_share = |a: &Field, b: &Field| share(a).total_cmp(&share(b)).then(b.cmp_place(*a));
    fields.into_iter().max_by(by_share).unwrap_or(Field::Body)
}

impl Field {
    fn cmp_place(self, other: Self) -> std::cmp::Ordering {
        (self as u8).cmp(&(other as u8))
    }
}

/// The terms of one chunk, counted again from its text.
struct Counts {
    by_term: std::collections::HashMap<String, Frequencies>,
    lengths: [u16; 4],
}

impl Counts {
    fn new(snapshot: &Snapshot, chunk: ChunkId) -> Self {
        let mut res = Self { by_term: std::collections::HashMap::new(), lengths: [0; 4] };
        let (text, record) = (snapshot.text(chunk.file), snapshot.record(chunk.file));
        let Some(it) = record.chunks.get(chunk.idx as usize) else { return res };
        let symbols = &record.symbols;
        let docs: Vec<_> = symbols.definitions.iter().filter_map(|it| it.doc).collect();
        let part = it.span.of(&text);
        identifiers(part, |start, end| {
            let at = it.span.start as usize + start;
            let in_doc = docs.iter().any(|doc| doc.contains_byte(at));
            res.add(&part[start..end], if in_doc { Field::Doc } else { Field::Body });
        });
        for definition in
            symbols.definitions.iter().filter(|def| it.span.contains_byte(def.name.start as usize))
        {
            res.add(definition.name.of(&text), Field::Symbols);
        }
        let path = snapshot.path(chunk.file);
        identifiers(path, |start, end| res.add(&path[start..end], Field::Path));
        for around in symbols.ancestors(it.scope) {
            let name = around.name.of(&text);
            identifiers(name, |start, end| res.add(&name[start..end], Field::Path));
        }
        res
    }

    fn add(&mut self, identifier: &str, field: Field) {
        let mut scratch = String::new();
        let Self { by_term, lengths } = self;
        terms_of(identifier, &mut scratch, |term, _| {
            let count = &mut by_term.entry(term.to_owned()).or_default()[field as usize];
            *count = count.saturating_add(1);
            lengths[field as usize] = lengths[field as usize].saturating_add(1);
        });
    }

    fn of(&self, term: &str) -> Option<Frequencies> {
        self.by_term.get(term).copied()
    }
}
