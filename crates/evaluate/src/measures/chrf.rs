//! chrF (Popović 2015), with sacrebleu 2's defaults for a sentence: character n-grams of 1 to 6, no word n-grams, beta
//! 2 (recall counts four times), whitespace removed, no smoothing. The averages omit orders that either text is too
//! short for. The measure of the context collection competition of 2025.

use std::collections::HashMap;

const ORDERS: usize = 6;
const BETA_SQUARED: f64 = 4.0;

/// chrF of `hypothesis` against `reference`: sacrebleu's `sentence_chrf(…).score / 100`. An empty hypothesis scores 0.
pub fn chrf(hypothesis: &str, reference: &str) -> f64 {
    let (hypothesis, reference) = (characters(hypothesis), characters(reference));
    let (mut precision, mut recall, mut orders) = (0.0, 0.0, 0.0);
    for order in 1..=ORDERS.min(hypothesis.len()).min(reference.len()) {
        let had = counts(&hypothesis, order);
        let wanted = counts(&reference, order);
        let matched: usize =
            had.iter().map(|(ngram, n)| wanted.get(ngram).map_or(0, |it| *it.min(n))).sum();
        precision += matched as f64 / (hypothesis.len() - order + 1) as f64;
        recall += matched as f64 / (reference.len() - order + 1) as f64;
        orders += 1.0;
    }
    if precision + recall == 0.0 {
        return 0.0;
    }
    let (precision, recall) = (precision / orders, recall / orders);
    (1.0 + BETA_SQUARED) * precision * recall / (BETA_SQUARED * precision + recall)
}

/// The characters that Python's `str.split()` does not treat as whitespace.
fn characters(text: &str) -> Vec<char> {
    let separates = |it: &char| it.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(it);
    text.chars().filter(|it| !separates(it)).collect()
}

fn counts(text: &[char], order: usize) -> HashMap<&[char], usize> {
    let mut res = HashMap::new();
    for ngram in text.windows(order) {
        *res.entry(ngram).or_default() += 1;
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_but_for_whitespace_is_one_and_nothing_is_zero() {
        assert!((chrf("a = b\n", "a  =b") - 1.0).abs() < 1e-12);
        assert!(chrf("", "a = b").abs() < 1e-12);
        assert!(chrf("  \n", "").abs() < 1e-12);
        assert!(chrf("xyz", "abc").abs() < 1e-12);
    }

    #[test]
    fn a_pair_that_sacrebleu_scored() {
        // sacrebleu 2.6.0: sentence_chrf("abc def", ["abd def"]) = 28.06
        assert!((chrf("abc def", "abd def") - 0.2806).abs() < 5e-5);
    }
}
