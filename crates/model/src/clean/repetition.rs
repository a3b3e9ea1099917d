//! Text that goes round in circles.

/// A stretch of lines must come so often in a row to be a circle.
const TIMES: usize = 3;

/// Longer circles are not looked for.
const LONGEST: usize = 8;

/// Where the second round begins, if the text goes round; a line of brackets may come again.
pub(super) fn end(text: &str) -> usize {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    for start in 0..lines.len() {
        for length in 1..=LONGEST {
            let round = |n: usize| lines.get(start + n * length..start + (n + 1) * length);
            let Some(first) = round(0) else { break };
            let says_something = first.iter().any(|it| it.contains(char::is_alphanumeric));
            let same = |n: usize| {
                round(n).is_some_and(|it| it.iter().zip(first).all(|(a, b)| a.trim() == b.trim()))
            };
            if says_something && (1..TIMES).all(same) {
                return lines[..start + length].iter().map(|it| it.len()).sum();
            }
        }
    }
    text.len()
}
