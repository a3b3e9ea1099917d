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
    let ends = rest.char_indices().map(|(at, c)| at + c.len_utf8());
    let overlap = ends.filter(|end| content.ends_with(&rest[..*end])).max();
    let overlap = overlap.filter(|it| *it == rest.len() || is_closing(&rest[..*it]));
    content.len() - overlap.unwrap_or(0)
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
    let starts_mid_line = !prefix.rsplit('\n').next().unwrap_or_default().trim().is_empty();
    for (idx, line) in text.split_inclusive('\n').enumerate() {
        let is_candidate = !line.trim().is_empty() && (idx > 0 || !starts_mid_line);
        if is_candidate {
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
        at += line.len();
    }
    text.len()
}

fn contents(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').map(str::trim).filter(|it| !it.is_empty())
}
