//! A combiner whose weights are learned: from what every signal and feature says of a candidate to a factor on its score.
//!
//! The model is linear in the logarithm, or adds up trees; either way a candidate's score is multiplied by one factor for
//! each input, so that the factors explain it completely. Weights are data (`weights.json`), written by the scripts in
//! `train/ranker`, with the name of the run that made them. [`RerankConfig::learned`](super::RerankConfig::learned) says
//! how much they count; with 0 nothing here is computed. An input that a candidate does not have is 0.

use std::sync::OnceLock;

use serde::Deserialize;

use crate::evidence::{Feature, Reason, Signal};
use crate::fuse::{Candidate, sort};

/// Scores further below the best count as this far, as a logarithm.
const LOWEST: f32 = -6.0;

/// Something that is known of a candidate, as the model reads it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Input {
    /// The logarithm of its score against the best.
    Score,
    /// The reciprocal of its place, from 1.
    Place,
    /// Its score on the list of a signal, against the best there.
    SignalScore(Signal),
    /// The reciprocal of its place there.
    SignalPlace(Signal),
    /// A feature; the logarithm of one more, if it is a count.
    Feature(Feature),
}

impl Input {
    /// All of them.
    pub fn all() -> Vec<Self> {
        let of_signal = |it| [Self::SignalScore(it), Self::SignalPlace(it)];
        let of_signals = Signal::ALL.into_iter().flat_map(of_signal);
        let features = Feature::ALL.into_iter().map(Self::Feature);
        [Self::Score, Self::Place].into_iter().chain(of_signals).chain(features).collect()
    }

    /// Its name in weights.
    pub fn name(self) -> String {
        match self {
            Self::Score => "score".to_owned(),
            Self::Place => "place".to_owned(),
            Self::SignalScore(signal) => format!("{}.score", signal.name()),
            Self::SignalPlace(signal) => format!("{}.place", signal.name()),
            Self::Feature(feature) => feature.name().to_owned(),
        }
    }

    /// What a reason says of it, for people.
    fn label(self) -> &'static str {
        match self {
            Self::Score | Self::Place => "the order before",
            Self::SignalScore(signal) | Self::SignalPlace(signal) => signal.name(),
            Self::Feature(feature) => feature.label(),
        }
    }

    /// Its value for a candidate at a `place` (from 1) below the `best` score; 0 where it was not measured.
    pub fn value(self, it: &Candidate, best: f32, place: usize) -> f32 {
        let least = f32::MIN_POSITIVE;
        match self {
            Self::Score => (it.score.max(least) / best.max(least)).ln().max(LOWEST),
            Self::Place => 1.0 / place as f32,
            Self::SignalScore(signal) => it.signals[signal].map_or(0.0, |it| it.relative),
            Self::SignalPlace(signal) => {
                it.signals[signal].map_or(0.0, |it| 1.0 / it.rank.get() as f32)
            }
            Self::Feature(feature) if feature.is_count() => it.features.value(feature).ln_1p(),
            Self::Feature(feature) => it.features.value(feature),
        }
    }
}

/// Learned weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// The run that made them.
    pub run: String,
    inputs: Vec<Input>,
    /// What each input belongs to, as a number of `labels`.
    groups: Vec<usize>,
    /// What reasons say.
    labels: Vec<&'static str>,
    weights: Weights,
}

/// Weights as they are written.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Weights {
    run: String,
    /// The names of the inputs.
    inputs: Vec<String>,
    /// The weight of each; none for a model of trees alone.
    linear: Vec<f32>,
    /// Trees, whose values are added up.
    trees: Vec<Vec<Node>>,
}

/// A node of a tree: with both children a split, without them a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Node {
    /// Which of the model's inputs is compared.
    #[serde(default)]
    input: usize,
    /// Inputs up to this go left.
    #[serde(default)]
    threshold: f32,
    /// The number of the left child; 0 for a leaf.
    #[serde(default)]
    left: usize,
    /// The number of the right child.
    #[serde(default)]
    right: usize,
    /// The mean of what is below: a leaf's contribution.
    value: f32,
}

/// Why weights cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// They are no JSON of the right form.
    #[error("the weights are not readable: {0}")]
    Form(#[from] serde_json::Error),
    /// An input is not known to this engine, or a number leads nowhere.
    #[error("the weights of {run} do not fit this engine: {why}; train them again (train/ranker)")]
    Fit {
        /// The run that made them.
        run: String,
        /// What does not fit.
        why: String,
    },
}

impl Weights {
    /// Why they do not fit `known` inputs; `None` if they do.
    fn misfit(&self, known: &[Input]) -> Option<String> {
        let unknown = self.inputs.iter().find(|name| !known.iter().any(|it| it.name() == **name));
        if let Some(unknown) = unknown {
            return Some(format!("there is no input `{unknown}`"));
        }
        let n = self.inputs.len();
        if !self.linear.is_empty() && self.linear.len() != n {
            return Some(format!("`linear` has {} weights for {n} inputs", self.linear.len()));
        }
        // Children stand behind their parents, so that every walk ends.
        let is_sound = |tree: &[Node]| {
            let leads_on = |(at, it): (usize, &Node)| {
                let (first, last) = (it.left.min(it.right), it.left.max(it.right));
                it.left == 0 || (it.input < n && at < first && last < tree.len())
            };
            !tree.is_empty() && tree.iter().enumerate().all(leads_on)
        };
        let unsound = self.trees.iter().any(|it| !is_sound(it));
        unsound.then(|| "a tree has no root, or a node that leads nowhere".to_owned())
    }

    /// Adds to `groups` what each input adds to the logarithm of the factor: these add up to the whole of it.
    fn contribute(&self, values: &[f32], group_of: &[usize], groups: &mut [f32]) {
        for ((weight, value), group) in self.linear.iter().zip(values).zip(group_of) {
            groups[*group] += weight * value;
        }
        for tree in &self.trees {
            let mut at = tree[0];
            while at.left != 0 {
                let next = tree[if values[at.input] <= at.threshold { at.left } else { at.right }];
                groups[group_of[at.input]] += next.value - at.value;
                at = next;
            }
        }
    }
}

impl Model {
    /// Reads weights and checks that every input and node they name exists.
    pub fn read(text: &str) -> Result<Self, ModelError> {
        let weights: Weights = serde_json::from_str(text)?;
        let known = Input::all();
        if let Some(why) = weights.misfit(&known) {
            return Err(ModelError::Fit { run: weights.run, why });
        }
        let named = |name: &String| known.iter().copied().find(|it| it.name() == *name);
        let inputs: Vec<Input> = weights.inputs.iter().filter_map(named).collect();
        let mut labels: Vec<&'static str> = Vec::new();
        let mut groups = Vec::new();
        for label in inputs.iter().map(|it| it.label()) {
            let group = labels.iter().position(|it| *it == label).unwrap_or_else(|| {
                labels.push(label);
                labels.len() - 1
            });
            groups.push(group);
        }
        Ok(Self { run: weights.run.clone(), inputs, groups, labels, weights })
    }

    /// The weights in force; `None` where there are none that fit.
    pub fn in_force() -> Option<&'static Self> {
        static MODEL: OnceLock<Option<Model>> = OnceLock::new();
        MODEL.get_or_init(|| Self::read(include_str!("weights.json")).ok()).as_ref()
    }
}

/// Multiplies the scores of candidates, which come best first, by what the model says of them, `share` of its logarithm,
/// and sorts them again.
pub(super) fn combine(candidates: &mut [Candidate], model: &Model, share: f32) {
    let best = candidates.first().map_or(0.0, |it| it.score);
    let mut values = vec![0.0; model.inputs.len()];
    let mut groups = vec![0.0; model.labels.len()];
    for (idx, it) in candidates.iter_mut().enumerate() {
        for (value, input) in values.iter_mut().zip(&model.inputs) {
            *value = input.value(it, best, idx + 1);
        }
        groups.fill(0.0);
        model.weights.contribute(&values, &model.groups, &mut groups);
        let all: f32 = groups.iter().sum();
        it.score *= (share * all).exp();
        for (label, part) in model.labels.iter().zip(&groups) {
            let part = share * part;
            if part.abs() > LEAST_SHOWN {
                it.reasons.push(Reason::Learned { what: label, factor: part.exp() });
            }
        }
    }
    sort(candidates);
}

/// A factor whose logarithm is nearer to 0 is no reason.
const LEAST_SHOWN: f32 = 0.05;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::{ChunkId, FileId, IndexConfig, Snapshot};
    use crate::source::Source;

    fn file() -> FileId {
        let source = Source { path: "a.py".into(), text: "x = 1\n".into() };
        let snapshot = Snapshot::of_sources(vec![source], IndexConfig::default()).unwrap();
        snapshot.file("a.py").unwrap()
    }

    fn candidate(idx: u32, score: f32, likeness: f32) -> Candidate {
        let mut res = Candidate::new(ChunkId { file: file(), idx });
        res.score = score;
        res.features.set(Feature::Likeness, likeness);
        res
    }

    fn check(text: &str, expect: &[u32]) {
        let model = Model::read(text).unwrap();
        let mut candidates =
            vec![candidate(0, 1.0, 0.0), candidate(1, 0.8, 0.9), candidate(2, 0.5, 0.1)];
        let before = candidates.clone();
        combine(&mut candidates, &model, 1.0);
        let order: Vec<u32> = candidates.iter().map(|it| it.chunk.idx).collect();
        assert_eq!(order, expect);
        for it in &candidates {
            let old = before.iter().find(|old| old.chunk == it.chunk).unwrap().score;
            let factor = |it: &Reason| match it {
                Reason::Learned { factor, .. } => *factor,
                _ => 1.0,
            };
            let all: f32 = it.reasons.iter().map(factor).product();
            assert!((old * all / it.score - 1.0).abs() < LEAST_SHOWN, "{it:?}");
        }
    }

    #[test]
    fn factors_explain_the_whole_of_a_score() {
        check(r#"{"run": "r", "inputs": ["likeness"], "linear": [2.0], "trees": []}"#, &[1, 0, 2]);
        let tree = r#"[{"input": 0, "threshold": 0.5, "left": 1, "right": 2, "value": 0.0},
            {"value": -0.1}, {"value": 1.5}]"#;
        check(
            &format!(r#"{{"run": "r", "inputs": ["likeness"], "linear": [], "trees": [{tree}]}}"#),
            &[1, 0, 2],
        );
        check(r#"{"run": "r", "inputs": ["likeness"], "linear": [0.0], "trees": []}"#, &[0, 1, 2]);
    }

    #[test]
    fn weights_that_do_not_fit_say_why() {
        #[track_caller]
        fn refuse(text: &str, why: &str) {
            let error = Model::read(text).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
        refuse("{}", "missing field");
        refuse(r#"{"run": "r", "inputs": ["odd"], "linear": [1], "trees": []}"#, "no input `odd`");
        refuse(r#"{"run": "r", "inputs": ["score"], "linear": [1, 2], "trees": []}"#, "2 weights");
        let circle = r#"{"run": "r", "inputs": ["score"], "linear": [], "trees":
            [[{"left": 1, "right": 1, "value": 0}, {"left": 1, "right": 1, "value": 0}]]}"#;
        refuse(circle, "leads nowhere");
    }

    #[test]
    fn the_weights_that_are_shipped_fit() {
        assert!(
            Model::in_force().is_some(),
            "{:?}",
            Model::read(include_str!("weights.json")).err()
        );
    }
}
