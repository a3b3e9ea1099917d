//! What became of each candidate: its way through the stages, and whether it is in the prompt.

use std::collections::HashMap;

use foreword_engine::fuse::{self, fuse};
use foreword_engine::index::ChunkId;
use foreword_engine::preset::Preset;
use foreword_engine::retrieve::Reason;
use foreword_engine::search::shown_as;
use foreword_engine::trim;
use serde::Serialize;

use crate::answer::prompt::Made;

/// A chunk that at least one signal found.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Candidate {
    pub(crate) path: String,
    /// Of what is shown of a piece; of all the chunk where it was dropped.
    pub(crate) start_line: u32,
    pub(crate) end_line: u32,
    /// The score after reranking.
    pub(crate) score: f32,
    /// Its place on each signal's list that has it; all ranks count from 1.
    pub(crate) ranks: Vec<Rank>,
    /// Its place after the lists were merged.
    pub(crate) fused: u32,
    /// The score then.
    pub(crate) fused_score: f32,
    /// Its place after reranking.
    pub(crate) reranked: u32,
    /// What the score was multiplied by.
    pub(crate) factors: Vec<Factor>,
    pub(crate) reasons: Vec<String>,
}

/// A place on a signal's list.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Rank {
    pub(crate) signal: &'static str,
    pub(crate) rank: u32,
}

/// A feature, and what a score was multiplied by for it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Factor {
    pub(crate) what: &'static str,
    pub(crate) factor: f32,
}

/// A candidate that is in the prompt.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Piece {
    #[serde(flatten)]
    pub(crate) candidate: Candidate,
    /// The definition that names it, with those around it; empty where there is none.
    pub(crate) symbol: String,
    /// `chunk`, `excerpt`, `skeleton` or `signature`.
    pub(crate) form: &'static str,
    /// With those of its path.
    pub(crate) tokens: usize,
}

/// A candidate that is not.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Dropped {
    #[serde(flatten)]
    pub(crate) candidate: Candidate,
    /// `shown`, `duplicate`, `budget`, `enough` or `weak`.
    pub(crate) code: &'static str,
    /// That in words.
    pub(crate) why: String,
}

/// A candidate's way to the choice.
struct Way<'m> {
    candidate: &'m fuse::Candidate,
    fused: (u32, f32),
    reranked: u32,
}

/// All candidates: those in the prompt, and those that were dropped.
pub(super) fn fates(made: &Made<'_>, preset: &Preset) -> (Vec<Piece>, Vec<Dropped>) {
    let snapshot = made.situation.snapshot();
    let ways = ways(made, preset);
    let choice = &made.composed.choice;
    let pieces = choice.pieces.iter().filter_map(|it| {
        let way = ways.get(&it.place.chunk())?;
        Some(Piece {
            candidate: candidate(way, &it.path, (it.start_line, it.end_line), &it.reasons),
            symbol: shown_as(snapshot, way.candidate).0,
            form: it.form.name(),
            tokens: it.tokens,
        })
    });
    let dropped = choice.dropped.iter().filter_map(|it: &trim::Dropped| {
        let way = ways.get(&it.chunk)?;
        let lines = (it.start_line, it.end_line);
        Some(Dropped {
            candidate: candidate(way, &it.path, lines, &way.candidate.reasons),
            code: it.why.code(),
            why: it.why.to_string(),
        })
    });
    (pieces.collect(), dropped.collect())
}

fn ways<'m>(made: &'m Made<'_>, preset: &Preset) -> HashMap<ChunkId, Way<'m>> {
    let fused = fuse(&made.ranked.lists, &preset.fuse);
    let fused: HashMap<ChunkId, (u32, f32)> =
        (1..).zip(&fused).map(|(rank, it)| (it.chunk, (rank, it.score))).collect();
    let way = |(reranked, candidate): (u32, &'m fuse::Candidate)| {
        let fused = *fused.get(&candidate.chunk)?;
        Some((candidate.chunk, Way { candidate, fused, reranked }))
    };
    (1..).zip(&made.ranked.candidates).filter_map(way).collect()
}

fn candidate(way: &Way<'_>, path: &str, lines: (u32, u32), reasons: &[Reason]) -> Candidate {
    let ranks = way.candidate.ranks.iter();
    let factors = reasons.iter().filter_map(|it| match it {
        Reason::Feature { what, factor } => Some(Factor { what, factor: *factor }),
        _ => None,
    });
    Candidate {
        path: path.to_owned(),
        start_line: lines.0,
        end_line: lines.1,
        score: way.candidate.score,
        ranks: ranks.map(|(it, rank)| Rank { signal: it.name(), rank: *rank }).collect(),
        fused: way.fused.0,
        fused_score: way.fused.1,
        reranked: way.reranked,
        factors: factors.collect(),
        reasons: in_words(reasons),
    }
}

/// The reasons that are no factors, each once.
fn in_words(reasons: &[Reason]) -> Vec<String> {
    let mut res: Vec<String> = Vec::new();
    for it in reasons.iter().filter(|it| !matches!(it, Reason::Feature { .. })) {
        let text = it.to_string();
        if !res.contains(&text) {
            res.push(text);
        }
    }
    res
}
