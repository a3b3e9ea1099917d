//! The list of cited places, and how later questions of the conversation use it.

use foreword_engine::ask::EvidenceItem;

use crate::usage::MAX_QUESTION_BYTES;

/// The line above the list.
const HEADING: &str = "Sources:";

/// The cited places, one per line: `[n] path:start-end`; empty without citations.
pub fn sources(
    evidence: &[EvidenceItem],
    cited: &[u32],
    place: &dyn Fn(&EvidenceItem) -> String,
) -> String {
    let mut numbers = cited.to_vec();
    numbers.sort_unstable();
    let of = |n: u32| Some((n, evidence.get(n.checked_sub(1)? as usize)?));
    let lines = numbers.into_iter().filter_map(of).map(|(n, it)| format!("[{n}] {}\n", place(it)));
    let lines: String = lines.collect();
    if lines.is_empty() { lines } else { format!("{HEADING}\n{lines}") }
}

/// The places cited by an earlier answer.
pub fn places_in(answer: &str) -> Vec<(String, u32, u32)> {
    let mut res = Vec::new();
    for line in answer.lines() {
        let place = line.trim().strip_prefix('[').and_then(|it| it.split_once("] "));
        let place = place.filter(|it| it.0.parse::<u32>().is_ok()).map(|it| it.1);
        let word = place.and_then(|it| it.split_whitespace().next());
        let parts = word.and_then(|it| it.rsplit_once(':'));
        let Some((path, lines)) = parts else { continue };
        let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
        if let (Ok(first), Ok(last)) = (first.parse(), last.parse()) {
            res.push((path.to_owned(), first, last));
        }
    }
    res
}

/// Words that refer to an earlier question.
const REFERRING_WORDS: [&str; 9] =
    ["it", "its", "that", "them", "there", "these", "they", "this", "those"];

/// The search query of a question; one that refers back also has the words of the previous question, within the limit of
/// questions.
pub fn follow_up(question: &str, before: &str) -> String {
    let left = MAX_QUESTION_BYTES.saturating_sub(question.len() + 1);
    let before = &before[..before.floor_char_boundary(left)];
    let mut words = question.split(|it: char| !it.is_alphanumeric()).map(str::to_lowercase);
    match !before.is_empty() && words.any(|it| REFERRING_WORDS.contains(&it.as_str())) {
        true => format!("{question} {before}"),
        false => question.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_earlier_question_is_cut_to_the_limit() {
        let searched = follow_up("what does it do", &"é".repeat(MAX_QUESTION_BYTES));
        assert!(searched.len() <= MAX_QUESTION_BYTES && searched.ends_with("éé"));
    }

    #[test]
    fn what_was_cited_is_read_again() {
        let answer =
            "It is so [1].\n\nSources:\n[1] a/b.py:3-9\n[2] c.py:4  method X\n[x] d.py:1\n";
        let expect = [("a/b.py".to_owned(), 3, 9), ("c.py".to_owned(), 4, 4)];
        assert_eq!(places_in(answer), expect);
    }
}
