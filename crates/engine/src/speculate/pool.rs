//! What was found at the places of a file, put together: each passage once, with where it was wanted.

use super::config::PlanConfig;
use super::plan::{Block, Evidence, FoundAt, Place};
use super::quote::quote;
use crate::evidence::{Feature, Reason};
use crate::index::Snapshot;
use crate::trim::{Content, Piece, ShownText};

/// Passages, each with where it was found.
#[derive(Default)]
pub(super) struct Pool {
    passages: Vec<Passage>,
    /// How many places were asked.
    places: usize,
}

struct Passage {
    /// The piece of the place where it was wanted most.
    piece: Piece,
    /// How much it was wanted there, of 1.
    most: f32,
    sum: f32,
    found_at: Vec<FoundAt>,
    evidence: Vec<Evidence>,
}

impl Pool {
    /// Adds the pieces of a place, the best first.
    pub(super) fn add(&mut self, line: u32, pieces: Vec<Piece>) {
        self.places += 1;
        let best = pieces.first().map_or(1.0, |it| it.score).max(f32::MIN_POSITIVE);
        let start = self.passages.len();
        for piece in pieces {
            let share = piece.score / best;
            let found = FoundAt { line, percent: (share * 100.0).round().clamp(0.0, 100.0) as u8 };
            let evidence: Vec<Evidence> = piece.reasons.iter().filter_map(evidence_of).collect();
            // Of one place two pieces never show the same.
            let known = self.passages[..start].iter_mut().find(|it| overlaps(&it.piece, &piece));
            match known {
                Some(known) => known.join(piece, (share, found), evidence),
                None => self.passages.push(Passage {
                    piece,
                    most: share,
                    sum: share,
                    found_at: vec![found],
                    evidence,
                }),
            }
        }
    }

    /// The passages that are wanted most, copies left out.
    pub(super) fn blocks(self, snapshot: &Snapshot, config: &PlanConfig) -> Vec<Block> {
        let places = self.places.max(1) as f32;
        let score = |it: &Passage| (1.0 - config.mean) * it.most + config.mean * it.sum / places;
        let mut passages = self.passages;
        passages.sort_by(|a, b| {
            let key = |it: &Passage| (it.piece.path.clone(), it.piece.start_line);
            score(b).total_cmp(&score(a)).then_with(|| key(a).cmp(&key(b)))
        });
        let best = passages.first().map_or(1.0, score).max(f32::MIN_POSITIVE);
        let mut shown = ShownText::default();
        let mut res = Vec::new();
        // A header alone, or an import, says too little for one of twelve places.
        for it in passages.into_iter().filter(|it| says_something(&it.piece.text)) {
            if res.len() == config.blocks {
                break;
            }
            let content = Content::of(&it.piece.text);
            if shown.copy_of(&content, config.preset.budget.news).is_none() {
                shown.add(content);
                let score = score(&it) / best;
                res.extend(it.block(snapshot, score));
            }
        }
        res
    }
}

impl Passage {
    /// Adds what another place says of the same passage.
    fn join(&mut self, piece: Piece, (share, found): (f32, FoundAt), evidence: Vec<Evidence>) {
        self.sum += share;
        self.found_at.push(found);
        if share > self.most {
            (self.piece, self.most) = (piece, share);
            let before = std::mem::replace(&mut self.evidence, evidence);
            self.add_evidence(before);
        } else {
            self.add_evidence(evidence);
        }
    }

    fn add_evidence(&mut self, more: Vec<Evidence>) {
        for it in more {
            let is_known = |known: &Evidence| match (known, &it) {
                (Evidence::Words(_), Evidence::Words(_)) => true,
                (known, it) => known == it,
            };
            if !self.evidence.iter().any(is_known) {
                self.evidence.push(it);
            }
        }
    }

    /// The block; `None` if the file is not in the snapshot.
    fn block(self, snapshot: &Snapshot, score: f32) -> Option<Block> {
        let Self { piece, found_at, mut evidence, .. } = self;
        let file = snapshot.file(&piece.path)?;
        let quotation = quote(&snapshot.text(file), &piece.text);
        evidence.truncate(MOST_EVIDENCE);
        let place = Place {
            path: piece.path,
            first_line: piece.start_line,
            last_line: piece.end_line,
            hash: quotation.hash,
        };
        Some(Block { place, parts: quotation.parts, evidence, found_at, score })
    }
}

/// How many reasons a block keeps.
const MOST_EVIDENCE: usize = 3;

/// How many words a reason keeps.
const MOST_WORDS: usize = 4;

/// Whether two pieces show mostly the same lines.
fn overlaps(a: &Piece, b: &Piece) -> bool {
    let start = a.start_line.max(b.start_line);
    let end = a.end_line.min(b.end_line);
    let lines = |it: &Piece| it.end_line + 1 - it.start_line;
    a.path == b.path && start <= end && 2 * (end + 1 - start) >= lines(a).min(lines(b))
}

/// Whether a text has some lines that are more than a bracket or a comment that stands for what is left out.
fn says_something(text: &str) -> bool {
    let telling = |it: &&str| it.trim().len() > 3 && !it.trim_end().ends_with("...");
    text.lines().filter(telling).count() >= LEAST_LINES
}

/// Fewer lines say nothing, as in `trim`.
const LEAST_LINES: usize = 3;

/// What of a reason at a cursor holds for the file.
fn evidence_of(reason: &Reason) -> Option<Evidence> {
    match reason {
        Reason::Lexical { terms } => {
            let words: Vec<String> = terms.iter().take(MOST_WORDS).map(|it| it.0.clone()).collect();
            (!words.is_empty()).then_some(Evidence::Words(words))
        }
        Reason::Defines { name }
        | Reason::UsedAtHole { name, .. }
        | Reason::ImportedName { name } => Some(Evidence::Defines(name.clone())),
        Reason::Imported { module } => Some(Evidence::Imported(module.clone())),
        Reason::Importer { name } => Some(Evidence::ImportedBy(name.clone())),
        Reason::SameDirectory => Some(Evidence::SameDirectory),
        Reason::Sibling => Some(Evidence::Sibling),
        Reason::Head { .. } => Some(Evidence::Head),
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

    #[test]
    fn a_header_without_what_is_below_it_says_nothing() {
        assert!(!says_something("defmodule Phoenix.Channel do\n  # ...\nend\n"));
        assert!(!says_something("import os\nimport sys\n"));
        assert!(says_something("class A:\n    # ...\n    def open(self):\n        return 1\n"));
    }
}
