//! The token efficiency of a ranked list: the reader pays for each piece from the top, relevant or not.
//!
//! After semble's token efficiency: recall at 500 to 8000 tokens, and the tokens to the first hit.

/// The budgets of the published curves.
pub const BUDGETS: [usize; 5] = [500, 1000, 2000, 4000, 8000];

/// A piece of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceCost {
    pub(crate) tokens: usize,
    /// Indices of the relevant items in it.
    pub(crate) has: Vec<usize>,
}

/// Fraction of the `wanted` relevant items in the whole pieces from the top that fit `budget`; 0 if `wanted` is 0.
pub fn recall_at(pieces: &[PieceCost], wanted: usize, budget: usize) -> f64 {
    let mut spent = 0;
    let mut found: Vec<usize> = Vec::new();
    for piece in pieces {
        spent += piece.tokens;
        if spent > budget {
            break;
        }
        found.extend(&piece.has);
    }
    found.sort_unstable();
    found.dedup();
    if wanted == 0 { 0.0 } else { found.len() as f64 / wanted as f64 }
}

/// Tokens of all pieces up to and including the first with a relevant item, if any.
pub fn tokens_to_first_hit(pieces: &[PieceCost]) -> Option<usize> {
    let hit = pieces.iter().position(|it| !it.has.is_empty())?;
    Some(pieces[..=hit].iter().map(|it| it.tokens).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces() -> Vec<PieceCost> {
        let piece = |tokens, has: &[usize]| PieceCost { tokens, has: has.to_vec() };
        vec![piece(300, &[]), piece(400, &[1]), piece(900, &[0, 1]), piece(100, &[2])]
    }

    #[test]
    fn a_piece_counts_when_it_fits_whole_after_all_before_it() {
        let at = |budget| (recall_at(&pieces(), 3, budget) * 3.0).round() as usize;
        assert_eq!([at(0), at(699), at(700), at(1599), at(1600), at(1700)], [0, 0, 1, 1, 2, 3]);
        assert!(recall_at(&pieces(), 0, 9999).abs() < 1e-12);
    }

    #[test]
    fn misses_before_the_first_hit_are_paid_for() {
        assert_eq!(tokens_to_first_hit(&pieces()), Some(700));
        assert_eq!(tokens_to_first_hit(&pieces()[..1]), None);
    }
}
