//! The outcome of a question: the targets that each stage has.

use std::collections::BTreeSet;

use foreword_engine::ask::{AskStages, EvidenceItem, LineRange, Strength};
use serde::Serialize;

use super::chat::ChatOutcome;
use crate::measures::Overlap;
use crate::tasks::task::{Relevant, Task};

/// The names of the stages, in order.
pub(super) const STAGES: [&str; 5] = ["retrieve", "fuse", "rerank", "select", "cited"];

/// The outcome of a question.
#[derive(Clone, Debug, Serialize)]
pub struct AskOutcome {
    pub(crate) id: String,
    pub(crate) repo: String,
    pub(crate) category: Option<String>,
    pub(crate) stages: Vec<StageOutcome>,
    /// The results of each single retriever.
    pub(crate) retrievers: Vec<(&'static str, FoundShare)>,
    /// Whether the first piece of evidence is from a target file.
    pub(crate) first: bool,
    /// Pieces, files and tokens of the evidence.
    pub(crate) size: [usize; 3],
    /// Number of pieces that were checked against the snapshot.
    pub(crate) citations: usize,
    /// Pieces that do not match the snapshot.
    pub(crate) invalid: Vec<String>,
    pub(crate) strength: StrengthOutcome,
    /// The evidence with each of the compared settings.
    pub(crate) compared: Vec<FoundShare>,
    /// Time from the question to the evidence.
    pub(crate) milliseconds: f64,
    /// CPU time of the same period, where the system reports it.
    pub(crate) on_processor: Option<f64>,
    /// The model's results, if it was used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) chat: Option<ChatOutcome>,
}

/// The results of a stage.
#[derive(Clone, Debug, Serialize)]
pub struct StageOutcome {
    pub(crate) name: &'static str,
    /// Its overlap with the targets.
    #[serde(flatten)]
    pub(crate) found: FoundShare,
}

/// Overlap with the target files and lines.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct FoundShare {
    pub(crate) files: Overlap,
    /// Overlap of lines; `None` where the truth has none.
    pub(crate) lines: Option<Overlap>,
}

/// Strength of the evidence.
#[derive(Clone, Debug, Serialize)]
pub struct StrengthOutcome {
    /// From 0 to 1.
    pub(crate) score: f32,
    /// Whether it suffices for an answer.
    pub(crate) enough: bool,
    pub(crate) words: Vec<WordOutcome>,
}

/// A query word and its matches in the repository.
#[derive(Clone, Debug, Serialize)]
pub struct WordOutcome {
    pub(crate) word: String,
    pub(crate) weight: f32,
    /// Number of chunks that contain it.
    pub(crate) chunks: u32,
    /// Whether it is common in most repositories.
    pub(crate) common: bool,
    /// Whether the question writes it as a name.
    pub(crate) name: bool,
    /// Match of the word in the best result, in any result, and in the best title.
    pub(crate) found: [f32; 3],
    /// The kind of place where it occurs.
    pub(crate) stands: &'static str,
}

impl StrengthOutcome {
    pub(super) fn new(it: &Strength) -> Self {
        let word = |it: &foreword_engine::ask::WordStrength| WordOutcome {
            word: it.word.clone(),
            weight: it.weight,
            chunks: it.frequency,
            common: it.is_common,
            name: it.is_name,
            found: [it.found, it.near, it.titled],
            stands: it.occurrence.name(),
        };
        Self { score: it.score, enough: it.is_enough(), words: it.words.iter().map(word).collect() }
    }
}

/// The targets.
pub(super) struct Gold<'g> {
    files: BTreeSet<&'g str>,
    lines: Vec<(&'g str, u32, u32)>,
}

impl<'g> Gold<'g> {
    pub(super) fn new(relevant: &[&'g Relevant]) -> Self {
        let lines = relevant.iter().filter_map(|it| {
            let first = it.start_line?;
            Some((it.path.as_str(), first, it.end_line.unwrap_or(first)))
        });
        Self { files: relevant.iter().map(|it| it.path.as_str()).collect(), lines: lines.collect() }
    }

    /// Overlap of these places with the targets.
    pub(super) fn overlap(&self, places: &[(&str, u32, u32)]) -> FoundShare {
        let files: BTreeSet<&str> = places.iter().map(|it| it.0).collect();
        let lines = (!self.lines.is_empty()).then(|| Overlap::of_lines(&self.lines, places));
        FoundShare { files: Overlap::new(&self.files, &files), lines }
    }
}

pub(super) fn places_of(evidence: &[EvidenceItem]) -> Vec<(&str, u32, u32)> {
    evidence.iter().map(|it| (it.path.as_str(), it.start_line, it.end_line)).collect()
}

fn places(ranges: &[LineRange]) -> Vec<(&str, u32, u32)> {
    ranges.iter().map(|it| (it.path.as_str(), it.first, it.last)).collect()
}

impl AskOutcome {
    pub(super) fn new(task: &Task, gold: &Gold<'_>, found: &AskStages) -> Self {
        let evidence = &found.gathered.evidence;
        let shown = places_of(evidence);
        let all: Vec<LineRange> = found.retrieved.iter().flat_map(|it| it.1.clone()).collect();
        let cited = if found.gathered.strength.is_enough() { shown.clone() } else { Vec::new() };
        let by_stage =
            [places(&all), places(&found.fused), places(&found.reranked), shown.clone(), cited];
        let stage = |(name, places): (&'static str, Vec<(&str, u32, u32)>)| StageOutcome {
            name,
            found: gold.overlap(&places),
        };
        let files: BTreeSet<&str> = shown.iter().map(|it| it.0).collect();
        let tokens = evidence.iter().map(|it| it.tokens).sum();
        let retrievers =
            found.retrieved.iter().map(|(name, it)| (*name, gold.overlap(&places(it))));
        Self {
            id: task.id.clone(),
            repo: task.repo.clone(),
            category: task.meta.category.clone(),
            stages: STAGES.into_iter().zip(by_stage).map(stage).collect(),
            retrievers: retrievers.collect(),
            first: evidence.first().is_some_and(|it| gold.files.contains(it.path.as_str())),
            size: [evidence.len(), files.len(), tokens],
            citations: 0,
            invalid: Vec::new(),
            strength: StrengthOutcome::new(&found.gathered.strength),
            compared: Vec::new(),
            milliseconds: 0.0,
            on_processor: None,
            chat: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_count_once_and_lines_where_the_truth_has_them() {
        let relevant = |path: &str, lines: Option<(u32, u32)>| Relevant {
            path: path.into(),
            start_line: lines.map(|it| it.0),
            end_line: lines.map(|it| it.1),
            grade: None,
            kind: None,
        };
        let (a, b) = (relevant("a.py", Some((1, 10))), relevant("b.py", None));
        let share =
            Gold::new(&[&a, &b]).overlap(&[("a.py", 6, 15), ("a.py", 20, 20), ("c.py", 1, 1)]);
        assert_eq!((share.files.precision, share.files.recall), (0.5, 0.5));
        let lines = share.lines.unwrap();
        assert!((lines.recall - 0.5).abs() < 1e-9 && (lines.precision - 5.0 / 12.0).abs() < 1e-9);
        assert_eq!(Gold::new(&[&b]).overlap(&[]).lines, None);
    }
}
