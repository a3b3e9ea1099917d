//! Splits a file into rows with their line numbers: one row per line, or the entries of one array.

use serde_json::value::RawValue;

/// Line (1-based) and text of each row that is not blank. An array that does not parse is split by lines, so that
/// errors name a line.
pub(super) fn of(text: &str) -> Vec<(usize, &str)> {
    if text.trim_start().starts_with('[')
        && let Ok(entries) = serde_json::from_str::<Vec<&RawValue>>(text)
    {
        let line = |entry: &str| {
            let before = entry.as_ptr() as usize - text.as_ptr() as usize;
            text[..before].matches('\n').count() + 1
        };
        return entries.into_iter().map(|it| (line(it.get()), it.get())).collect();
    }
    text.lines().zip(1..).filter(|it| !it.0.trim().is_empty()).map(|it| (it.1, it.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_and_lines_know_where_they_begin() {
        assert_eq!(of("{}\n\n{\"a\": 1}\n"), [(1, "{}"), (3, "{\"a\": 1}")]);
        assert_eq!(of("[\n  {},\n  {\n \"a\": 1}\n]"), [(2, "{}"), (3, "{\n \"a\": 1}")]);
        assert_eq!(of("[\n{},"), [(1, "["), (2, "{},")]);
    }
}
