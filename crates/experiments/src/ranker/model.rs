//! Learned weights: linear in the logarithm of a factor on the score, or trees whose values are summed. A missing input
//! is 0.

use anyhow::{Context as _, Result, bail, ensure};
use foreword_engine::fuse::{Candidate, sort};
use serde::Deserialize;

use super::input::Input;

/// Learned weights.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Model {
    /// The numbers of the inputs, among [`Input::all`].
    inputs: Vec<usize>,
    weights: Weights,
}

/// What a model's sum says of a candidate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Output {
    /// The logarithm of a factor on the score.
    #[default]
    LogFactor,
    /// The square root of the share of the hole that it explains beside the candidates before it. The new score is the
    /// geometric mean of that share and the score.
    RootOfShare,
}

/// A share below this counts as this much.
const LEAST_ROOT: f32 = 1e-3;

/// Weights as `learn.py` writes them.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Weights {
    /// The run that made them.
    run: String,
    #[serde(default)]
    output: Output,
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
    /// The input that is compared.
    #[serde(default)]
    input: usize,
    /// Values up to this go left.
    #[serde(default)]
    threshold: f32,
    /// The number of the left child; 0 for a leaf.
    #[serde(default)]
    left: usize,
    /// The number of the right child.
    #[serde(default)]
    right: usize,
    /// The mean of the subtree; the result of a leaf.
    value: f32,
}

impl Model {
    /// Reads weights; fails where an input or a node that they name does not exist.
    pub(super) fn read(text: &str) -> Result<Self> {
        let weights: Weights = serde_json::from_str(text).context("unreadable weights")?;
        let known: Vec<String> = Input::all().into_iter().map(Input::name).collect();
        let number = |name: &String| {
            let at = known.iter().position(|it| it == name);
            at.with_context(|| format!("{}: there is no input `{name}`; train again", weights.run))
        };
        let inputs: Vec<usize> = weights.inputs.iter().map(number).collect::<Result<_>>()?;
        let n = inputs.len();
        if !weights.linear.is_empty() && weights.linear.len() != n {
            bail!("{}: `linear` has {} weights for {n} inputs", weights.run, weights.linear.len());
        }
        ensure!(
            weights.trees.iter().all(|it| is_sound(it, n)),
            "{}: a tree has no root, or a node that leads nowhere",
            weights.run
        );
        Ok(Self { inputs, weights })
    }

    /// Multiplies the scores of candidates by the learned factor, `share` of its logarithm, and sorts them.
    pub(super) fn rerank(
        &self,
        mut candidates: Vec<Candidate>,
        values: &[Vec<f32>],
        share: f32,
    ) -> Vec<Candidate> {
        for (it, all) in candidates.iter_mut().zip(values) {
            let own: Vec<f32> = self.inputs.iter().map(|at| all[*at]).collect();
            let sum = self.weights.sum(&own);
            let log_factor = match self.weights.output {
                Output::LogFactor => sum,
                Output::RootOfShare => sum.max(LEAST_ROOT).ln() - 0.5 * log_score(all),
            };
            it.score *= (share * log_factor).exp();
        }
        sort(&mut candidates);
        candidates
    }
}

impl Weights {
    /// The sum of weights and trees for a candidate with these inputs.
    fn sum(&self, values: &[f32]) -> f32 {
        let linear: f32 =
            self.linear.iter().zip(values).map(|(weight, value)| weight * value).sum();
        let trees = self.trees.iter().map(|tree| {
            let mut at = tree[0];
            while at.left != 0 {
                at = tree[if values[at.input] <= at.threshold { at.left } else { at.right }];
            }
            at.value - tree[0].value
        });
        linear + trees.sum::<f32>()
    }
}

/// The logarithm of the engine's score against the best.
fn log_score(all: &[f32]) -> f32 {
    let at = Input::all().iter().position(|it| *it == Input::Score);
    at.map_or(0.0, |at| all[at])
}

/// Whether all inputs exist, and children follow their parents, so that every walk ends.
fn is_sound(tree: &[Node], inputs: usize) -> bool {
    let leads_on = |(at, it): (usize, &Node)| {
        let (first, last) = (it.left.min(it.right), it.left.max(it.right));
        it.left == 0 || (it.input < inputs && at < first && last < tree.len())
    };
    !tree.is_empty() && tree.iter().enumerate().all(leads_on)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_of_the_last_run_fit() {
        assert!(!Model::read(crate::ranker::WEIGHTS).unwrap().inputs.is_empty());
    }

    #[test]
    fn weights_and_trees_add_up() {
        let tree = r#"[{"input": 0, "threshold": 0.5, "left": 1, "right": 2, "value": 0.5},
            {"value": -0.1}, {"value": 1.5}]"#;
        let text =
            format!(r#"{{"run": "r", "inputs": ["likeness"], "linear": [2], "trees": [{tree}]}}"#);
        let weights = Model::read(&text).unwrap().weights;
        assert!((weights.sum(&[0.0]) + 0.6).abs() < 1e-6);
        assert!((weights.sum(&[1.0]) - 3.0).abs() < 1e-6);
    }

    #[test]
    fn a_share_and_the_score_have_a_geometric_mean() {
        let tree = r#"[{"value": 0.25}]"#;
        let text = format!(
            r#"{{"run": "r", "output": "root-of-share", "inputs": [], "linear": [], "trees": [{tree}]}}"#
        );
        let model = Model::read(&text).unwrap();
        assert_eq!(model.weights.output, Output::RootOfShare);
        // Nothing is subtracted: the root of a tree has the value 0 where its leaves are shares.
        assert!(model.weights.sum(&[]).abs() < 1e-6);
    }

    #[test]
    fn weights_that_do_not_fit_are_refused() {
        #[track_caller]
        fn refuse(text: &str, why: &str) {
            let error = format!("{:#}", Model::read(text).unwrap_err());
            assert!(error.contains(why), "{error}");
        }
        refuse("{}", "missing field");
        refuse(r#"{"run": "r", "inputs": ["odd"], "linear": [1], "trees": []}"#, "no input `odd`");
        refuse(r#"{"run": "r", "inputs": ["score"], "linear": [1, 2], "trees": []}"#, "2 weights");
        let circle = r#"{"run": "r", "inputs": ["score"], "linear": [], "trees":
            [[{"left": 0, "value": 0}, {"left": 0, "right": 1, "value": 0}], []]}"#;
        refuse(circle, "no root");
    }
}
