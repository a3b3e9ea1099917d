//! Exact match and edit similarity of a completion, as two benchmarks define them.
//!
//! * RepoEval (`RepoCoder/compute_score.py` in microsoft/CodeT): [`exact_match`], [`edit_similarity`]. Both compare the
//!   trimmed lines that are not blank, the completion cut to the number of lines of the truth.
//! * CrossCodeEval (`scripts/eval_metric.py`): [`edit_ratio`], the `fuzz.ratio` of fuzzywuzzy over python-Levenshtein
//!   without its rounding to whole percents.

/// 1 if the completion begins with the lines of the truth, else 0 (RepoEval's EM).
pub fn exact_match(completion: &str, truth: &str) -> f64 {
    let truth = lines(truth);
    let completion = lines(completion);
    let begins = completion.len() >= truth.len() && completion[..truth.len()] == truth[..];
    f64::from(u8::from(begins))
}

/// 1 − Levenshtein distance / characters of the longer text (RepoEval's ES). 1 for two empty texts.
pub fn edit_similarity(completion: &str, truth: &str) -> f64 {
    let truth = lines(truth);
    let completion = lines(completion);
    let shown = truth.len().min(completion.len());
    let truth: Vec<char> = truth.join("\n").chars().collect();
    let completion: Vec<char> = completion[..shown].join("\n").chars().collect();
    let longer = truth.len().max(completion.len());
    if longer == 0 {
        return 1.0;
    }
    1.0 - distance(&completion, &truth, 1) as f64 / longer as f64
}

/// 1 − distance / characters of both texts, where a substitution costs two (CrossCodeEval's ES): twice the longest
/// common subsequence over both lengths. Trims the texts; 1 for two empty ones.
pub fn edit_ratio(completion: &str, truth: &str) -> f64 {
    let completion: Vec<char> = completion.trim().chars().collect();
    let truth: Vec<char> = truth.trim().chars().collect();
    let both = completion.len() + truth.len();
    if both == 0 {
        return 1.0;
    }
    1.0 - distance(&completion, &truth, 2) as f64 / both as f64
}

/// Cuts a completion to the number of non-blank lines of the truth: later text is not measured.
pub fn first_lines(completion: &str, truth: &str) -> String {
    let shown: Vec<&str> = lines(completion).into_iter().take(lines(truth).len()).collect();
    shown.join("\n")
}

/// The lines of Python's `splitlines`, trimmed, without blank ones.
fn lines(text: &str) -> Vec<&str> {
    let ends = |it: char| {
        matches!(it, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
            || ('\u{1c}'..='\u{1e}').contains(&it)
    };
    text.split(ends).map(str::trim).filter(|it| !it.is_empty()).collect()
}

/// The smallest cost of turning `a` into `b` by insertions and deletions (1 each) and substitutions (Wagner and Fischer 1974).
fn distance(a: &[char], b: &[char], substitution: usize) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (above, from) in a.iter().enumerate() {
        let mut diagonal = above;
        row[0] = above + 1;
        for (left, to) in b.iter().enumerate() {
            let replaced = diagonal + if from == to { 0 } else { substitution };
            diagonal = row[left + 1];
            row[left + 1] = replaced.min(diagonal + 1).min(row[left] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn close(got: f64, expect: f64) {
        assert!((got - expect).abs() < 1e-9, "{got} is not {expect}");
    }

    #[test]
    fn what_follows_the_truth_and_how_it_is_indented_do_not_count() {
        close(exact_match("  return x\n\n  more()\n", "return x\n"), 1.0);
        close(exact_match("return y", "return x"), 0.0);
        close(exact_match("return x", "return x\nmore()"), 0.0);
        close(edit_similarity("  return x\nmore()\n", "return x"), 1.0);
    }

    #[test]
    fn a_completion_is_measured_by_as_many_lines_as_the_truth_has() {
        assert_eq!(first_lines("\n  a\n\n  b\nc\n", "x\n\ny\n"), "a\nb");
        assert_eq!(first_lines("a", "x\ny"), "a");
    }

    #[test]
    fn distances_of_kitten_and_sitting() {
        close(edit_similarity("kitten", "sitting"), 1.0 - 3.0 / 7.0);
        close(edit_ratio("kitten", "sitting"), 1.0 - 5.0 / 13.0);
    }

    #[test]
    fn nothing_is_like_nothing_only() {
        close(edit_similarity("", "\n"), 1.0);
        close(edit_ratio(" ", ""), 1.0);
        close(edit_similarity("", "x"), 0.0);
        close(edit_ratio("x", ""), 0.0);
    }
}
