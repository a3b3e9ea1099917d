//! Learns a map from pairs of a question and what answers it, and decides on pairs that were left out whether it helps.
//!
//! Kernel ridge regression: with questions Q and targets D as rows of unit length, W is the matrix for which
//! `‖Q Wᵀ − (D − Q)‖² + λ ‖W‖²` is least, a pair counted by its weight; it is found in the space of the pairs, of which there
//! are fewer than of numbers in W. λ is chosen by the mean reciprocal rank of the right target among others, over
//! [`FOLDS`] parts of the pairs that are left out in turn; what the map gains is measured on each part with the λ that is best on
//! the other parts. Sums are in a fixed order and nothing is random: the same pairs give the same map.

use std::collections::BTreeMap;

use super::cholesky::Cholesky;
use super::{MOST_DIMENSIONS, QueryMap, add, dot, moved};

/// Parts of the pairs that are left out in turn.
pub const FOLDS: u64 = 5;

/// Fewer pairs say nothing of whether a map helps.
pub const LEAST_PAIRS: usize = 30;

/// More pairs are not used: learning takes seconds with so many.
pub const MOST_PAIRS: usize = 1000;

/// What λ is chosen from. A question's product with itself is 1.
const STRENGTHS: [f32; 4] = [0.3, 1.0, 3.0, 10.0];

/// The gain must be so many times its standard error.
const SURE: f32 = 2.0;

/// A question and the text that answers it, as an embedder has them, of unit length.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// The question's vector.
    pub question: Vec<f32>,
    /// That of what answers it.
    pub target: Vec<f32>,
    /// What the pair counts, of 1; above 0.
    pub weight: f32,
    /// Where it is from.
    pub source: PairSource,
    /// Pairs of one group are left out together.
    pub group: u64,
}

/// Where a pair is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairSource {
    /// A doc comment and its definition without it.
    Doc,
    /// A question, and a chunk that somebody said, or showed, to answer it.
    Feedback,
}

/// Whether a map is in force, and if not, why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, bitcode::Encode, bitcode::Decode)]
pub enum Outcome {
    /// It is.
    InForce,
    /// There are fewer than [`LEAST_PAIRS`] pairs.
    TooFewPairs,
    /// On pairs that were left out it is not better by more than noise: by twice the gain's standard error.
    NoGain,
    /// The embedder's vectors are longer than [`MOST_DIMENSIONS`].
    TooLong,
}

/// How learning went.
#[derive(Clone, Copy, Debug, PartialEq, bitcode::Encode, bitcode::Decode)]
pub struct Report {
    /// Pairs of doc comments.
    pub docs: usize,
    /// Pairs of feedback.
    pub feedback: usize,
    /// The mean reciprocal rank of the right target on left-out pairs, without the map: of feedback, where there are
    /// [`LEAST_PAIRS`] of it, else of all.
    pub before: f32,
    /// With it.
    pub after: f32,
    /// The standard error of the difference of the two, by groups of pairs.
    pub error: f32,
    /// The λ of the map.
    pub strength: f32,
    /// Whether it is in force.
    pub outcome: Outcome,
}

/// Learns a map of pairs, the first [`MOST_PAIRS`]; `others` are vectors of chunks among which the answer of a question is looked
/// for. There is a map only where the report says that it is in force.
pub fn learn(pairs: &[Pair], others: &[Vec<f32>]) -> (Option<QueryMap>, Report) {
    let pairs = &pairs[..pairs.len().min(MOST_PAIRS)];
    let of = |source| pairs.iter().filter(|it| it.source == source).count();
    let (docs, feedback) = (of(PairSource::Doc), of(PairSource::Feedback));
    let outcome = Outcome::TooFewPairs;
    let mut report =
        Report { docs, feedback, before: 0.0, after: 0.0, error: 0.0, strength: 0.0, outcome };
    if pairs.len() < LEAST_PAIRS {
        return (None, report);
    }
    if pairs[0].question.len() > MOST_DIMENSIONS {
        return (None, Report { outcome: Outcome::TooLong, ..report });
    }
    let problem = Problem::new(pairs, others);
    let tried: Vec<Vec<f32>> = STRENGTHS.iter().map(|it| problem.left_out(*it)).collect();
    let judged: Vec<usize> = match feedback >= LEAST_PAIRS {
        true => (0..pairs.len()).filter(|it| pairs[*it].source == PairSource::Feedback).collect(),
        false => (0..pairs.len()).collect(),
    };
    let before: Vec<f32> = judged.iter().map(|it| problem.unmapped(*it)).collect();
    let after: Vec<f32> = judged
        .iter()
        .map(|at| {
            let is_other = |it: &usize| problem.fold(*it) != problem.fold(*at);
            let others: Vec<usize> = judged.iter().copied().filter(is_other).collect();
            tried[best(&tried, &others)][*at]
        })
        .collect();
    let differences: Vec<f32> = before.iter().zip(&after).map(|(a, b)| b - a).collect();
    let groups: Vec<u64> = judged.iter().map(|it| pairs[*it].group).collect();
    let (gain, error) = gain(&differences, &groups);
    let strength = STRENGTHS[best(&tried, &judged)];
    let is_better = gain > SURE * error;
    let outcome = if is_better { Outcome::InForce } else { Outcome::NoGain };
    (report.before, report.after) = (mean(&before), mean(&after));
    report = Report { error, strength, outcome, ..report };
    match is_better.then(|| problem.map(strength)).flatten() {
        Some(map) => (Some(map), report),
        None => (None, Report { outcome: Outcome::NoGain, ..report }),
    }
}

/// The number of the strength with the highest sum over these pairs; of equal ones the strongest.
fn best(tried: &[Vec<f32>], pairs: &[usize]) -> usize {
    let sum = |at: usize| pairs.iter().map(|it| tried[at][*it]).sum::<f32>();
    (0..tried.len()).max_by(|a, b| sum(*a).total_cmp(&sum(*b))).unwrap_or(0)
}

fn mean(values: &[f32]) -> f32 {
    values.iter().sum::<f32>() / values.len().max(1) as f32
}

/// The mean of differences, and its standard error. Pairs of one group go the same way, so groups are what varies: their sums are
/// compared with what the mean would give them. (Pair by pair, the same doc comments were found to gain and to lose three
/// standard errors, as files fell into one part or another.)
fn gain(differences: &[f32], groups: &[u64]) -> (f32, f32) {
    let mean = mean(differences);
    let mut sums: BTreeMap<u64, f32> = BTreeMap::new();
    for (difference, group) in differences.iter().zip(groups) {
        *sums.entry(*group).or_default() += difference - mean;
    }
    let n = sums.len() as f32;
    let spread = sums.values().map(|it| it.powi(2)).sum::<f32>() * n / (n - 1.0).max(1.0);
    (mean, spread.sqrt() / differences.len().max(1) as f32)
}

/// The pairs, with what does not depend on λ.
struct Problem<'p> {
    pairs: &'p [Pair],
    others: &'p [Vec<f32>],
    /// The products of questions: row `i` has `i + 1`.
    products: Vec<Vec<f32>>,
    /// From each question to its target.
    ways: Vec<Vec<f32>>,
}

impl<'p> Problem<'p> {
    fn new(pairs: &'p [Pair], others: &'p [Vec<f32>]) -> Self {
        let row = |i: usize| -> Vec<f32> {
            pairs[..=i].iter().map(|it| dot(&it.question, &pairs[i].question)).collect()
        };
        let way = |it: &Pair| -> Vec<f32> {
            it.target.iter().zip(&it.question).map(|(to, from)| to - from).collect()
        };
        let ways = pairs.iter().map(way).collect();
        Self { pairs, others, products: (0..pairs.len()).map(row).collect(), ways }
    }

    fn product(&self, i: usize, j: usize) -> f32 {
        self.products[i.max(j)][i.min(j)]
    }

    fn fold(&self, pair: usize) -> u64 {
        self.pairs[pair].group % FOLDS
    }

    /// The decomposition of the products of these pairs with λ.
    fn decomposed(&self, of: &[usize], strength: f32) -> Option<Cholesky> {
        let row = |(n, i): (usize, &usize)| -> Vec<f32> {
            let mut row: Vec<f32> = of[..=n].iter().map(|j| self.product(*i, *j)).collect();
            row[n] += strength / self.pairs[*i].weight;
            row
        };
        Cholesky::new(of.iter().enumerate().map(row).collect())
    }

    /// The reciprocal rank of each pair's target by a map of the other folds.
    fn left_out(&self, strength: f32) -> Vec<f32> {
        let mut res = vec![0.0; self.pairs.len()];
        for fold in 0..FOLDS {
            let (out, rest): (Vec<usize>, Vec<usize>) =
                (0..self.pairs.len()).partition(|it| self.fold(*it) == fold);
            let solver = self.decomposed(&rest, strength);
            for at in out {
                let mut shares: Vec<f32> = rest.iter().map(|it| self.product(at, *it)).collect();
                let mut by = vec![0.0; self.ways[at].len()];
                if let Some(solver) = &solver {
                    solver.solve(&mut shares);
                    rest.iter().zip(&shares).for_each(|(it, share)| {
                        add(&mut by, *share, &self.ways[*it]);
                    });
                }
                res[at] = self.reciprocal_rank(at, &moved(&self.pairs[at].question, by));
            }
        }
        res
    }

    /// The reciprocal rank of a pair's target as the question is.
    fn unmapped(&self, pair: usize) -> f32 {
        self.reciprocal_rank(pair, &self.pairs[pair].question)
    }

    /// One divided by the rank of a pair's target by `question`: among the targets of pairs of the same source, and, if somebody
    /// asked it, other chunks.
    fn reciprocal_rank(&self, pair: usize, question: &[f32]) -> f32 {
        let Pair { target, source, .. } = &self.pairs[pair];
        let own = dot(question, target);
        let others = if *source == PairSource::Feedback { self.others } else { &[] };
        let same = self.pairs.iter().filter(|it| it.source == *source).map(|it| &it.target);
        let nearer = same.chain(others).filter(|it| dot(question, it) > own && *it != target);
        1.0 / (1 + nearer.count()) as f32
    }

    /// The map of all pairs.
    fn map(&self, strength: f32) -> Option<QueryMap> {
        let all: Vec<usize> = (0..self.pairs.len()).collect();
        let solver = self.decomposed(&all, strength)?;
        let row = |number: usize| {
            let mut shares: Vec<f32> = self.ways.iter().map(|it| it[number]).collect();
            solver.solve(&mut shares);
            let mut row = vec![0.0; self.ways[0].len()];
            for (it, share) in self.pairs.iter().zip(&shares) {
                add(&mut row, *share, &it.question);
            }
            row
        };
        Some(QueryMap::new(&(0..self.ways[0].len()).map(row).collect::<Vec<_>>()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dense::QuestionVector;

    const DIMENSIONS: usize = 24;

    /// Numbers from -1 to 1 that look like chance, the same every time.
    struct Chance(u64);

    impl Chance {
        fn number(&mut self) -> f32 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 40) as f32 / (1 << 23) as f32 - 1.0
        }

        fn vector(&mut self) -> Vec<f32> {
            unit((0..DIMENSIONS).map(|_| self.number()).collect())
        }
    }

    fn unit(vector: Vec<f32>) -> Vec<f32> {
        let length = dot(&vector, &vector).sqrt();
        vector.into_iter().map(|it| it / length).collect()
    }

    /// Pairs whose questions are their targets with the two halves exchanged by `share`, and noise.
    fn pairs(n: usize, share: f32, source: PairSource) -> Vec<Pair> {
        let mut chance = Chance(7);
        let pair = |group| {
            let target = chance.vector();
            let mut question = target.clone();
            question.rotate_left(DIMENSIONS / 2);
            for (to, it) in question.iter_mut().zip(&target) {
                *to = share * *to + (1.0 - share) * it + 0.1 * chance.number();
            }
            Pair { question: unit(question), target, weight: 1.0, source, group }
        };
        (0..n as u64).map(pair).collect()
    }

    #[test]
    fn what_questions_have_in_common_is_learned_and_helps_those_that_were_left_out() {
        let pairs = pairs(200, 0.6, PairSource::Feedback);
        let (map, report) = learn(&pairs[..150], &[]);
        assert_eq!((report.outcome, report.feedback, report.docs), (Outcome::InForce, 150, 0));
        assert!(report.after > report.before + 0.1, "{report:?}");
        let map = map.unwrap();
        let nearer = pairs[150..].iter().filter(|it| {
            let (question, target) =
                (QuestionVector::new(&it.question), QuestionVector::new(&it.target));
            let (question, target) = (question.unwrap(), target.unwrap());
            let near = |it: &QuestionVector| it.packed.likeness(target.packed.view());
            near(&map.apply(&question)) > near(&question)
        });
        assert_eq!(nearer.count(), 50);
        assert_eq!(learn(&pairs[..150], &[]), (Some(map), report));
    }

    #[test]
    fn where_there_is_nothing_to_learn_there_is_no_map() {
        for seed in 0..20 {
            let mut chance = Chance(seed);
            let pair = |group| Pair {
                question: chance.vector(),
                target: chance.vector(),
                weight: 1.0,
                source: PairSource::Feedback,
                group,
            };
            let (map, report) = learn(&(0..60).map(pair).collect::<Vec<_>>(), &[]);
            assert!(map.is_none() && report.outcome == Outcome::NoGain, "{seed}: {report:?}");
        }
        let (map, report) = learn(&pairs(100, 0.0, PairSource::Doc), &[]);
        assert!(map.is_none() && report.before > 0.99, "{report:?}");
    }

    #[test]
    fn a_gain_of_one_group_is_noise_and_of_many_is_none() {
        let differences: Vec<f32> = (0..60).map(|it| if it < 30 { 0.2 } else { 0.0 }).collect();
        let apart: Vec<u64> = (0..60).collect();
        let together: Vec<u64> = (0..60).map(|it| it / 30).collect();
        let (of_many, of_two) = (gain(&differences, &apart), gain(&differences, &together));
        assert!((of_many.0 - 0.1).abs() < 1e-6 && (of_two.0 - 0.1).abs() < 1e-6);
        assert!(of_many.0 > SURE * of_many.1, "{of_many:?}");
        assert!(of_two.0 < SURE * of_two.1, "{of_two:?}");
    }

    #[test]
    fn few_pairs_are_too_few() {
        let (map, report) = learn(&pairs(LEAST_PAIRS - 1, 0.6, PairSource::Feedback), &[]);
        assert!(map.is_none() && report.outcome == Outcome::TooFewPairs, "{report:?}");
    }

    #[test]
    fn where_somebody_asked_enough_doc_comments_do_not_decide() {
        // Doc comments are turned, questions are not: the map would help the former only.
        let mut all = pairs(200, 0.6, PairSource::Doc);
        assert_eq!(learn(&all, &[]).1.outcome, Outcome::InForce);
        all.extend(pairs(60, 0.0, PairSource::Feedback));
        let (map, report) = learn(&all, &[]);
        assert!(map.is_none(), "{report:?}");
        assert_eq!((report.docs, report.feedback), (200, 60));
    }
}
