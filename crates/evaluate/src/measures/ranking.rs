//! Measures over the ranks of relevant items in a list.
//!
//! `ranks` has one entry per relevant item: its rank from 1, or `None` if missing. Recall, precision, reciprocal rank
//! and nDCG agree with trec_eval (`recall_k`, `P_k`, `recip_rank`, `ndcg_cut_k`; its gain is the grade and its discount
//! log2(place + 1): Järvelin and Kekäläinen 2002).

/// Normalised discounted cumulative gain, binary. The ideal answer has all relevant items (at most `k`) on top.
pub fn ndcg(ranks: &[Option<usize>], k: usize) -> f64 {
    let graded: Vec<_> = ranks.iter().map(|it| (*it, 1.0)).collect();
    graded_ndcg(&graded, k)
}

/// Normalised discounted cumulative gain over graded items. The ideal answer has them by falling grade. 0 without a
/// grade above 0.
pub fn graded_ndcg(items: &[(Option<usize>, f64)], k: usize) -> f64 {
    let discounted = |rank: usize, grade: f64| grade / (rank as f64 + 1.0).log2();
    let found = items.iter().filter_map(|it| Some((it.0.filter(|rank| *rank <= k)?, it.1)));
    // An empty sum is minus zero.
    let found = found.map(|it| discounted(it.0, it.1)).fold(0.0, |sum, it| sum + it);
    let mut grades: Vec<f64> = items.iter().map(|it| it.1).collect();
    grades.sort_by(|a, b| b.total_cmp(a));
    let ideal: f64 =
        grades.iter().take(k).zip(1..).map(|(grade, rank)| discounted(rank, *grade)).sum();
    if ideal == 0.0 { 0.0 } else { found / ideal }
}

/// The reciprocal rank of the first relevant item among the first `k`, else 0. Its mean is MRR (Voorhees 1999).
pub fn reciprocal_rank(ranks: &[Option<usize>], k: usize) -> f64 {
    let first = ranks.iter().flatten().filter(|it| **it <= k).min();
    first.map_or(0.0, |it| 1.0 / *it as f64)
}

/// Fraction of relevant items among the first `k`; 0 without relevant items.
pub fn recall(ranks: &[Option<usize>], k: usize) -> f64 {
    if ranks.is_empty() { 0.0 } else { found(ranks, k) as f64 / ranks.len() as f64 }
}

/// Fraction of the first `k` ranks with a relevant item. Missing results count as misses.
pub fn precision(ranks: &[Option<usize>], k: usize) -> f64 {
    if k == 0 { 0.0 } else { found(ranks, k) as f64 / k as f64 }
}

/// Acc@k: 1 if all relevant items are among the first `k`, else 0 (the localisation measure of Agentless, Xia et al.
/// 2024, and LocAgent, Chen et al. 2025). 0 without relevant items.
pub fn acc(ranks: &[Option<usize>], k: usize) -> f64 {
    f64::from(u8::from(!ranks.is_empty() && found(ranks, k) == ranks.len()))
}

fn found(ranks: &[Option<usize>], k: usize) -> usize {
    ranks.iter().flatten().filter(|it| **it <= k).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn close(got: f64, expect: f64) {
        assert!((got - expect).abs() < 1e-4, "{got} is not {expect}");
    }

    #[test]
    fn ndcg_of_hand_computed_ranks() {
        close(ndcg(&[Some(1)], 10), 1.0);
        close(ndcg(&[Some(2)], 10), 0.6309);
        close(ndcg(&[Some(10)], 10), 0.2891);
        close(ndcg(&[Some(11)], 10), 0.0);
        close(ndcg(&[None], 10), 0.0);
        close(ndcg(&[], 10), 0.0);
        // (1 + 1/log2(4)) / (1 + 1/log2(3)) = 1.5 / 1.63093
        close(ndcg(&[Some(1), Some(3)], 10), 0.9197);
        close(ndcg(&[None, Some(1)], 10), 0.6131);
    }

    #[test]
    fn more_relevant_items_than_places_can_still_be_perfect() {
        let ranks: Vec<_> = (1..=12).map(Some).collect();
        close(ndcg(&ranks, 10), 1.0);
    }

    #[test]
    fn a_higher_grade_wants_a_higher_place() {
        close(graded_ndcg(&[(Some(1), 2.0), (Some(2), 1.0)], 10), 1.0);
        // (1 + 2/log2(3)) / (2 + 1/log2(3)) = 2.26186 / 2.63093
        close(graded_ndcg(&[(Some(2), 2.0), (Some(1), 1.0)], 10), 0.8597);
        close(graded_ndcg(&[(Some(1), 0.0)], 10), 0.0);
    }

    #[test]
    fn the_others_count_within_the_first_places() {
        let ranks = [Some(4), Some(12), None, Some(10)];
        close(reciprocal_rank(&[Some(4), Some(2), None], 10), 0.5);
        close(reciprocal_rank(&[Some(11)], 10), 0.0);
        close(recall(&ranks, 10), 0.5);
        close(recall(&[], 10), 0.0);
        close(precision(&ranks, 10), 0.2);
        close(precision(&ranks, 0), 0.0);
    }

    #[test]
    fn accuracy_wants_all_of_them() {
        close(acc(&[Some(1), Some(5)], 5), 1.0);
        close(acc(&[Some(1), Some(6)], 5), 0.0);
        close(acc(&[Some(1), None], 5), 0.0);
        close(acc(&[], 5), 0.0);
    }
}
