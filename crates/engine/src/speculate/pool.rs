//! What was found at the places of a file, put together: each chunk once, with where it was wanted.

use crate::sorting::sort_by_key;
use rustc_hash::FxHashMap;

use super::config::PlanConfig;
use super::plan::{Block, Evidence, FoundAt, Part, Place};
use super::quote::check;
use crate::evidence::{Feature, Reason, Signal};
use crate::fuse::Candidate;
use crate::index::{ChunkId, FileId, Snapshot};
use crate::pipeline::Ranking;
use crate::retrieve::explain;
use crate::source::ContentHash;

/// Chunks, each with where it was found.
#[derive(Default)]
pub(super) struct Pool {
    chunks: FxHashMap<ChunkId, Wanted>,
    /// What was found at each place.
    places: Vec<Ranking>,
    /// The heads of other files that were found among the imports.
    heads: Vec<(ChunkId, Wanted)>,
}

struct Wanted {
    /// How much it was wanted at the place where it was wanted most, of 1.
    most: f32,
    /// The number of that place.
    place: usize,
    sum: f32,
    found_at: Vec<FoundAt>,
    evidence: Vec<Evidence>,
}

/// A file that changed together with the planned one.
#[derive(Clone, Copy)]
pub(super) struct CompanionFile {
    /// The file.
    pub(super) file: FileId,
    /// How many commits changed both.
    pub(super) commits: u32,
}

impl Pool {
    /// Adds what was found at a line, at most `most` candidates.
    pub(super) fn add(&mut self, line: u32, ranking: Ranking, most: usize) {
        let best = ranking.candidates.first().map_or(1.0, |it| it.score).max(f32::MIN_POSITIVE);
        let place = self.places.len();
        for it in ranking.candidates.iter().take(most) {
            let share = it.score / best;
            let found = FoundAt { line, percent: (share * 100.0).round().clamp(0.0, 100.0) as u8 };
            let evidence = it.reasons.iter().filter_map(evidence_of).collect();
            let new =
                Wanted { most: 0.0, place, sum: 0.0, found_at: Vec::new(), evidence: Vec::new() };
            self.chunks.entry(it.chunk).or_insert(new).join(place, (share, found), evidence);
        }
        self.places.push(ranking);
    }

    /// Adds the heads of other files that were found at a line among the imports, at most `most`.
    pub(super) fn add_heads(&mut self, line: u32, ranking: &Ranking, most: usize) {
        let head = |it: &Candidate| {
            let share = it.signals[Signal::Head]?.relative;
            let percent = (share * 100.0).round().clamp(0.0, 100.0) as u8;
            let found_at = vec![FoundAt { line, percent }];
            let evidence = vec![Evidence::Head];
            Some((it.chunk, Wanted { most: share, place: 0, sum: share, found_at, evidence }))
        };
        self.heads = ranking.candidates.iter().filter_map(head).take(most).collect();
    }

    /// The chunks that are wanted most, and behind them the heads. That the file of one changes together with the planned
    /// file is said of it, and does not count: counted, or with such files looked at as if they were open, plans showed no
    /// more (`benchmarks/results/speculation.md`).
    pub(super) fn blocks(
        self,
        snapshot: &Snapshot,
        companions: &[CompanionFile],
        config: &PlanConfig,
    ) -> Vec<Block> {
        let n_places = self.places.len().max(1) as f32;
        let companion = |file: FileId| companions.iter().find(|it| it.file == file);
        let score = |it: &Wanted| (1.0 - config.mean) * it.most + config.mean * it.sum / n_places;
        let mut chunks: Vec<(f32, ChunkId, Wanted)> =
            self.chunks.into_iter().map(|(chunk, it)| (score(&it), chunk, it)).collect();
        chunks.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        chunks.truncate(config.blocks - self.heads.len().min(config.blocks));
        let best = chunks.first().map_or(1.0, |it| it.0).max(f32::MIN_POSITIVE);
        for (_, chunk, it) in &mut chunks {
            if let Some(companion) = companion(chunk.file) {
                it.evidence.insert(0, Evidence::ChangedTogether(companion.commits));
            }
        }
        say_words(snapshot, &self.places, &mut chunks);
        let least = chunks.last().map_or(best, |it| it.0);
        let heads = self.heads.into_iter().map(|(chunk, it)| (it.most * least, chunk, it));
        chunks
            .into_iter()
            .chain(heads)
            .map(|(score, chunk, it)| it.block(snapshot, chunk, score / best))
            .collect()
    }
}

/// Gives chunks without another reason the words for which they were found.
fn say_words(snapshot: &Snapshot, places: &[Ranking], chunks: &mut [(f32, ChunkId, Wanted)]) {
    for (number, ranking) in places.iter().enumerate() {
        let silent =
            |it: &&mut (f32, ChunkId, Wanted)| it.2.place == number && it.2.evidence.is_empty();
        let mut of_place: Vec<_> = chunks.iter_mut().filter(silent).collect();
        let ids: Vec<ChunkId> = of_place.iter().map(|it| it.1).collect();
        for (it, terms) in of_place.iter_mut().zip(explain(snapshot, &ranking.weighed, &ids)) {
            let words: Vec<String> = terms.into_iter().take(MOST_WORDS).map(|it| it.0).collect();
            it.2.evidence.extend((!words.is_empty()).then_some(Evidence::Words(words)));
        }
    }
}

impl Wanted {
    /// Adds what a place says of the same chunk.
    fn join(&mut self, place: usize, (share, found): (f32, FoundAt), evidence: Vec<Evidence>) {
        self.sum += share;
        self.found_at.push(found);
        if share > self.most {
            (self.most, self.place) = (share, place);
        }
        for it in evidence {
            if !self.evidence.contains(&it) {
                self.evidence.push(it);
            }
        }
    }

    fn block(self, snapshot: &Snapshot, chunk: ChunkId, score: f32) -> Block {
        let Self { mut found_at, mut evidence, .. } = self;
        sort_by_key(&mut found_at, |it| (std::cmp::Reverse(it.percent), it.line));
        found_at.truncate(MOST_PLACES);
        evidence.truncate(MOST_EVIDENCE);
        let info = snapshot.chunk(chunk);
        let range = info.start as usize..info.end as usize;
        let text = snapshot.parts(chunk.file, std::slice::from_ref(&range)).concat();
        let check = check(text.as_bytes());
        let part = Part::Lines { start: info.start, len: info.end - info.start, check };
        let place = Place {
            path: snapshot.path(chunk.file).to_owned(),
            first_line: info.start_line,
            last_line: info.end_line,
            hash: ContentHash::of(text.as_bytes()),
        };
        Block { place, parts: vec![part], evidence, found_at, score }
    }
}

/// How many reasons a block keeps.
const MOST_EVIDENCE: usize = 2;

/// How many words a reason keeps.
const MOST_WORDS: usize = 3;

/// How many places a block keeps: a cursor is between two.
const MOST_PLACES: usize = 4;

/// What of a reason at a cursor holds for the file; words are looked up later, and heads are blocks of their own.
fn evidence_of(reason: &Reason) -> Option<Evidence> {
    match reason {
        Reason::Defines { name }
        | Reason::UsedAtHole { name, .. }
        | Reason::ImportedName { name } => Some(Evidence::Defines(name.clone())),
        Reason::Imported { module } => Some(Evidence::Imported(module.clone())),
        Reason::Importer { name } => Some(Evidence::ImportedBy(name.clone())),
        Reason::SameDirectory => Some(Evidence::SameDirectory),
        Reason::Sibling => Some(Evidence::Sibling),
        Reason::Feature { feature: Feature::Likeness, factor } if *factor > ALIKE => {
            Some(Evidence::Alike)
        }
        _ => None,
    }
}

/// A factor of likeness above this is told as a reason.
const ALIKE: f32 = 1.1;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::Feature;

    #[test]
    fn only_reasons_that_hold_for_the_file_are_kept() {
        let alike = |factor| Reason::Feature { feature: Feature::Likeness, factor };
        assert_eq!(evidence_of(&alike(1.2)), Some(Evidence::Alike));
        assert_eq!(evidence_of(&alike(1.05)), None);
        assert_eq!(evidence_of(&Reason::Recent { age: 0 }), None);
    }
}
