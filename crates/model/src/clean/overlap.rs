//! Finds text that already follows the cursor.

use super::preset::MAX_LINES_BELOW;

/// Start of the text that repeats the rest of the cursor's line, or the lines below.
pub(super) fn end(text: &str, prefix: &str, suffix: &str) -> usize {
    let rest = suffix.split('\n').next().unwrap_or_default().trim();
    if !rest.is_empty() {
        return rest_of_line(text, rest);
    }
    lines_below(text, prefix, suffix)
}

/// Cuts the longest tail of the text with which the rest of the line begins.
fn rest_of_line(text: &str, rest: &str) -> usize {
    let content = text.trim_end();
    let overlap = longest_overlap(content.as_bytes(), rest.as_bytes());
    let is_known = overlap == rest.len() || is_closing(&rest[..overlap]);
    content.len() - if is_known { overlap } else { 0 }
}

/// Length of the longest beginning of `rest` with which `content` ends, by Knuth, Morris and Pratt.
fn longest_overlap(content: &[u8], rest: &[u8]) -> usize {
    let content = &content[content.len().saturating_sub(rest.len())..];
    // By length of a beginning of `rest`: the longest shorter beginning with which it ends.
    let mut shorter = vec![0; rest.len().min(content.len()) + 1];
    for at in 1..shorter.len() - 1 {
        shorter[at + 1] = longer(rest, &shorter, shorter[at], rest[at]);
    }
    content.iter().fold(0, |length, byte| longer(rest, &shorter, length, *byte))
}

/// The length of the matching beginning of `rest` after one more byte.
fn longer(rest: &[u8], shorter: &[usize], mut length: usize, byte: u8) -> usize {
    while length > 0 && rest.get(length) != Some(&byte) {
        length = shorter[length];
    }
    length + usize::from(rest.get(length) == Some(&byte))
}

/// Brackets, quotes and separators, which editors insert automatically.
fn is_closing(text: &str) -> bool {
    text.chars().all(|it| matches!(it, ')' | ']' | '}' | '"' | '\'' | '`' | ';' | ',' | ':' | '>'))
}

/// Cuts a tail that repeats the next lines of the file. A tail of brackets alone counts only after other lines.
fn lines_below(text: &str, prefix: &str, suffix: &str) -> usize {
    let below: Vec<&str> = contents(suffix).take(MAX_LINES_BELOW).collect();
    if below.is_empty() {
        return text.len();
    }
    let mut at = 0;
    // Longer tails than what follows do not repeat it.
    let mut left = contents(text).count();
    let starts_mid_line = !prefix.rsplit('\n').next().unwrap_or_default().trim().is_empty();
    for (idx, line) in text.split_inclusive('\n').enumerate() {
        let is_candidate = !line.trim().is_empty() && (idx > 0 || !starts_mid_line);
        if is_candidate && left <= below.len() {
            let tail: Vec<&str> = contents(&text[at..]).collect();
            let has_words = tail.iter().any(|it| it.contains(char::is_alphanumeric));
            // The last line may be incomplete.
            let same = tail
                .iter()
                .zip(&below)
                .enumerate()
                .all(|(n, (a, b))| a == b || n > 0 && n + 1 == tail.len() && b.starts_with(a));
            if same && tail.len() <= below.len() && (has_words || idx > 0) {
                return at;
            }
        }
        left -= usize::from(!line.trim().is_empty());
        at += line.len();
    }
    text.len()
}

fn contents(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').map(str::trim).filter(|it| !it.is_empty())
}
