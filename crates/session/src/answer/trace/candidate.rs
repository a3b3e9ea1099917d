//! The way of each candidate through the stages, and whether it is in the prompt.

use std::collections::HashMap;

use foreword_engine::evidence::Reason;
use foreword_engine::fuse;
use foreword_engine::index::ChunkId;
use foreword_engine::search::name_of;
use serde::Serialize;

use crate::answer::prompt::PromptRun;

/// A chunk that at least one signal found.
#[derive(Clone, Debug, Serialize)]
pub struct Candidate {
    /// The file, relative to the root.
    pub path: String,
    /// First line: of the shown lines of a piece, or of a dropped chunk.
    pub start_line: u32,
    /// The last line, inclusive.
    pub end_line: u32,
    /// The score after reranking.
    pub score: f32,
    /// Its rank on each signal's list, from 1.
    pub ranks: Vec<Rank>,
    /// Its rank after the lists were merged.
    pub fused: u32,
    /// Its score after that.
    pub fused_score: f32,
    /// Its rank after reranking.
    pub reranked: u32,
    /// Factors of the score.
    pub factors: Vec<Factor>,
    /// Reasons in words.
    pub reasons: Vec<String>,
    /// The code of each of `reasons`, for programs.
    pub(crate) reason_codes: Vec<&'static str>,
}

/// A rank on a signal's list.
#[derive(Clone, Debug, Serialize)]
pub struct Rank {
    /// The name of the signal.
    pub signal: &'static str,
    /// The rank, from 1.
    pub rank: u32,
}

/// A feature and its factor.
#[derive(Clone, Debug, Serialize)]
pub struct Factor {
    /// The name of the feature.
    pub what: &'static str,
    /// The factor.
    pub factor: f32,
}

/// A candidate that is in the prompt.
#[derive(Clone, Debug, Serialize)]
pub struct Piece {
    /// The candidate.
    #[serde(flatten)]
    pub candidate: Candidate,
    /// Dotted name of the best-matching definition; empty without one.
    pub symbol: String,
    /// `chunk`, `excerpt`, `skeleton` or `signature`.
    pub form: &'static str,
    /// Tokens, including its path.
    pub tokens: usize,
}

/// A candidate that is not in the prompt.
#[derive(Clone, Debug, Serialize)]
pub struct DroppedCandidate {
    /// The candidate.
    #[serde(flatten)]
    pub candidate: Candidate,
    /// `shown`, `duplicate`, `filler`, `budget`, `enough` or `weak`.
    pub code: &'static str,
    /// The reason in words.
    pub why: String,
}

/// A candidate with its rank after reranking.
#[derive(Clone, Copy)]
struct RankedCandidate<'r> {
    candidate: &'r fuse::Candidate,
    rank: u32,
}

/// All candidates: those in the prompt, and the dropped ones.
pub(super) fn outcomes(run: &PromptRun<'_>) -> (Vec<Piece>, Vec<DroppedCandidate>) {
    let snapshot = run.retrieval.view.snapshot();
    let ranked = (1..).zip(&run.retrieval.ranking.candidates);
    let by_chunk: HashMap<ChunkId, RankedCandidate<'_>> = ranked
        .map(|(rank, candidate)| (candidate.chunk, RankedCandidate { candidate, rank }))
        .collect();
    let selection = &run.answer.selection;
    let pieces = selection.pieces.iter().filter_map(|it| {
        let of = by_chunk.get(&it.position.chunk())?;
        let title = run.retrieval.title(it);
        let name = |idx| name_of(snapshot, of.candidate.chunk.file, idx).0;
        Some(Piece {
            candidate: candidate(*of, &it.path, (it.start_line, it.end_line), &it.reasons),
            symbol: title.map(name).unwrap_or_default(),
            form: it.form.name(),
            tokens: it.tokens,
        })
    });
    let dropped = selection.dropped.iter().filter_map(|it| {
        let of = by_chunk.get(&it.chunk)?;
        let lines = (it.start_line, it.end_line);
        Some(DroppedCandidate {
            candidate: candidate(*of, &it.path, lines, &of.candidate.reasons),
            code: it.why.code(),
            why: it.why.to_string(),
        })
    });
    (pieces.collect(), dropped.collect())
}

fn candidate(
    of: RankedCandidate<'_>,
    path: &str,
    lines: (u32, u32),
    reasons: &[Reason],
) -> Candidate {
    let ranks = of.candidate.ranks();
    let factors = reasons.iter().filter_map(|it| match it {
        Reason::Feature { feature, factor } => {
            Some(Factor { what: feature.label(), factor: *factor })
        }
        _ => None,
    });
    let (reasons, reason_codes) = in_words(reasons).into_iter().unzip();
    Candidate {
        path: path.to_owned(),
        start_line: lines.0,
        end_line: lines.1,
        score: of.candidate.score,
        ranks: ranks.map(|(it, rank)| Rank { signal: it.name(), rank }).collect(),
        fused: of.candidate.fused.0,
        fused_score: of.candidate.fused.1,
        reranked: of.rank,
        factors: factors.collect(),
        reasons,
        reason_codes,
    }
}

/// The reasons other than factors, each once with its code.
fn in_words(reasons: &[Reason]) -> Vec<(String, &'static str)> {
    let mut res: Vec<(String, &'static str)> = Vec::new();
    let is_factor = |it: &&Reason| matches!(it, Reason::Feature { .. });
    for it in reasons.iter().filter(|it| !is_factor(it)) {
        let text = it.to_string();
        if !res.iter().any(|(known, _)| *known == text) {
            res.push((text, it.code()));
        }
    }
    res
}
