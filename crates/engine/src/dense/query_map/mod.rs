//! A linear map of question vectors, learned for one repository: a question `q` becomes `q + Wq`, so that it lies nearer to the
//! code that answers such questions. The vectors of chunks stay as they are.
//!
//! `learn` finds W by ridge regression towards zero: with no pairs a question stays what it is. Where nothing is gained on
//! pairs that were left out, there is no map. However W was learned, a question moves by at most [`MOST_MOVE`] of its length.

mod cholesky;
mod learn;

pub use learn::{FOLDS, LEAST_PAIRS, MOST_PAIRS, Outcome, Pair, PairSource, Report, learn};

use super::question::QuestionVector;

/// How far a map moves a question at the most, of the question's length: it turns by 30 degrees at the most, so that what is
/// asked stays what is looked for, whatever the map was learned from.
pub const MOST_MOVE: f32 = 0.5;

/// Longer vectors are not mapped: the square of the length is kept, 16 MB at this one.
pub const MOST_DIMENSIONS: usize = 4096;

/// The matrix W, a byte a number.
#[derive(Clone, Debug, PartialEq, bitcode::Encode, bitcode::Decode)]
pub struct QueryMap {
    dimensions: usize,
    /// For each number of the result a row, as long as a question.
    rows: Vec<i8>,
    /// What the numbers of each row are multiplied by.
    factors: Vec<f32>,
}

impl QueryMap {
    /// Of the rows of W.
    fn new(rows: &[Vec<f32>]) -> Self {
        let mut res = Self { dimensions: rows.len(), rows: Vec::new(), factors: Vec::new() };
        for row in rows {
            let highest = row.iter().fold(0.0_f32, |most, it| most.max(it.abs()));
            let step = if highest > 0.0 { 127.0 / highest } else { 0.0 };
            res.rows.extend(row.iter().map(|it| (it * step).round() as i8));
            res.factors.push(highest / 127.0);
        }
        res
    }

    /// Whether what was read from a file is a map.
    pub(crate) fn is_sound(&self) -> bool {
        let Self { dimensions, rows, factors } = self;
        (1..=MOST_DIMENSIONS).contains(dimensions)
            && rows.len() == dimensions * dimensions
            && factors.len() == *dimensions
            && factors.iter().all(|it| it.is_finite())
    }

    /// Where a question lies by this map; the question itself if it is of another length.
    pub fn apply(&self, question: &QuestionVector) -> QuestionVector {
        if question.dimensions() != self.dimensions {
            return question.clone();
        }
        let vector = question.numbers();
        let rows = self.rows.chunks_exact(self.dimensions).zip(&self.factors);
        let along = |row: &[i8]| -> f32 {
            row.iter().zip(&vector).map(|(weight, it)| f32::from(*weight) * it).sum()
        };
        let moves: Vec<f32> = rows.map(|(row, factor)| along(row) * factor).collect();
        QuestionVector::new(&moved(&vector, moves)).unwrap_or_else(|| question.clone())
    }
}

/// A vector that was moved, by at most [`MOST_MOVE`] of its length.
fn moved(vector: &[f32], mut by: Vec<f32>) -> Vec<f32> {
    let (length, far) = (dot(vector, vector).sqrt(), dot(&by, &by).sqrt());
    let share = if far > MOST_MOVE * length { MOST_MOVE * length / far } else { 1.0 };
    by.iter_mut().zip(vector).for_each(|(by, it)| *by = it + share * *by);
    by
}

/// The sum of products, in an order that does not depend on the machine and that vectorises.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let (a, a_rest) = a.as_chunks::<LANES>();
    let (b, b_rest) = b.as_chunks::<LANES>();
    let mut sums = [0.0_f32; LANES];
    for (a, b) in a.iter().zip(b) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f32>() + rest
}

/// Sums that are added up side by side.
const LANES: usize = 16;

/// Adds `weight` times a vector.
fn add(to: &mut [f32], weight: f32, vector: &[f32]) {
    to.iter_mut().zip(vector).for_each(|(to, it)| *to += weight * it);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A map of a question of four numbers that turns the first towards the second.
    fn turning(by: f32) -> QueryMap {
        let mut rows = vec![vec![0.0; 4]; 4];
        rows[1][0] = by;
        QueryMap::new(&rows)
    }

    fn cosine(a: &QuestionVector, b: &QuestionVector) -> f32 {
        a.packed.likeness(b.packed.view())
    }

    #[test]
    fn a_question_turns_by_thirty_degrees_at_the_most_however_strong_the_map() {
        let question = QuestionVector::new(&[1.0, 0.0, 0.0, 0.0]).unwrap();
        let target = QuestionVector::new(&[0.0, 1.0, 0.0, 0.0]).unwrap();
        let by = |strength| turning(strength).apply(&question);
        assert!((cosine(&by(0.1), &target) - 0.1).abs() < 0.01);
        for strength in [0.6, 10.0, 1e6] {
            assert!(cosine(&by(strength), &question) > 0.866, "{strength}");
        }
    }

    #[test]
    fn what_has_another_length_or_nothing_to_move_stays_as_it_is() {
        let other = QuestionVector::new(&[1.0, 2.0, 3.0]).unwrap();
        assert_eq!(turning(0.5).apply(&other), other);
        let question = QuestionVector::new(&[0.0, 1.0, -0.5, 0.25]).unwrap();
        assert!(cosine(&turning(0.5).apply(&question), &question) > 0.9999);
    }

    #[test]
    fn damaged_maps_are_no_maps() {
        let map = turning(0.5);
        assert!(map.is_sound());
        assert!(!QueryMap { dimensions: 5, ..map.clone() }.is_sound());
        assert!(!QueryMap { factors: vec![f32::NAN; 4], ..map.clone() }.is_sound());
        assert!(!QueryMap { dimensions: usize::MAX, ..map }.is_sound());
    }
}
