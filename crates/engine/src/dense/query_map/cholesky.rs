//! Solves `M x = b` for a symmetric positive definite matrix by its Cholesky decomposition.

use super::{add, dot};

/// The lower triangle L of `M = L Lᵀ`; row `i` has `i + 1` numbers.
pub(super) struct Cholesky(Vec<Vec<f32>>);

impl Cholesky {
    /// Decomposes the matrix whose lower triangle is given, each row with its diagonal last; `None` if it is not positive
    /// definite.
    pub(super) fn new(mut rows: Vec<Vec<f32>>) -> Option<Self> {
        for i in 0..rows.len() {
            let (done, rest) = rows.split_at_mut(i);
            let row = &mut rest[0];
            for (j, above) in done.iter().enumerate() {
                row[j] = (row[j] - dot(&row[..j], &above[..j])) / above[j];
            }
            let left = row[i] - dot(&row[..i], &row[..i]);
            if left.is_nan() || left <= f32::MIN_POSITIVE {
                return None;
            }
            row[i] = left.sqrt();
        }
        Some(Self(rows))
    }

    /// Replaces `b` by the solution.
    pub(super) fn solve(&self, b: &mut [f32]) {
        for (i, row) in self.0.iter().enumerate() {
            b[i] = (b[i] - dot(&row[..i], &b[..i])) / row[i];
        }
        for (i, row) in self.0.iter().enumerate().rev() {
            b[i] /= row[i];
            let by = -b[i];
            add(&mut b[..i], by, &row[..i]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_solution_gives_the_right_side_again(
            numbers in prop::collection::vec(-1.0_f32..1.0, 8 * 8),
            right in prop::collection::vec(-1.0_f32..1.0, 8),
        ) {
            let rows: Vec<&[f32]> = numbers.chunks(8).collect();
            let entry = |i: usize, j: usize| {
                dot(rows[i], rows[j]) + if i == j { 0.5 } else { 0.0 }
            };
            let triangle = (0..8).map(|i| (0..=i).map(|j| entry(i, j)).collect()).collect();
            let mut solution = right.clone();
            Cholesky::new(triangle).unwrap().solve(&mut solution);
            for (i, wanted) in right.iter().enumerate() {
                let got: f32 = (0..8).map(|j| entry(i, j) * solution[j]).sum();
                prop_assert!((got - wanted).abs() < 1e-3, "{got} {wanted}");
            }
        }
    }

    #[test]
    fn what_is_not_positive_definite_has_no_decomposition() {
        assert!(Cholesky::new(vec![vec![0.0]]).is_none());
        assert!(Cholesky::new(vec![vec![1.0], vec![2.0, 1.0]]).is_none());
        assert!(Cholesky::new(vec![vec![f32::NAN]]).is_none());
    }
}
