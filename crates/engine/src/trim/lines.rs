//! Lines of a text, found and trimmed by bytes: hundreds of lines are read several times for one prompt.

/// Like `str::split_inclusive('\n')`.
pub(super) fn with_endings(text: &str) -> impl Iterator<Item = &str> {
    let ends = memchr::memchr_iter(b'\n', text.as_bytes()).map(|newline| newline + 1);
    let rest = (!text.is_empty() && !text.ends_with('\n')).then_some(text.len());
    let mut start = 0;
    ends.chain(rest).map(move |end| &text[std::mem::replace(&mut start, end)..end])
}

/// Like `str::lines`.
pub(super) fn without_endings(text: &str) -> impl Iterator<Item = &str> {
    with_endings(text).map(|line| match line.strip_suffix('\n') {
        Some(line) => line.strip_suffix('\r').unwrap_or(line),
        None => line,
    })
}

/// Like `str::trim`.
pub(super) fn trimmed(line: &str) -> &str {
    let inner = line.trim_ascii();
    let is_plain = |it: Option<&u8>| it.is_none_or(u8::is_ascii_graphic);
    let bytes = inner.as_bytes();
    if is_plain(bytes.first()) && is_plain(bytes.last()) { inner } else { inner.trim() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lines_are_those_of_the_standard_library(text in "([ab]|\n|\r|\r\n| |\u{b}|\u{a0}|\u{85}|é){0,40}") {
            let expect: Vec<&str> = text.split_inclusive('\n').collect();
            prop_assert_eq!(with_endings(&text).collect::<Vec<_>>(), expect);
            let expect: Vec<&str> = text.lines().collect();
            prop_assert_eq!(without_endings(&text).collect::<Vec<_>>(), expect);
            prop_assert_eq!(trimmed(&text), text.trim());
        }
    }
}
