//! Identifier match, as CrossCodeEval defines it (`extract_identifiers`, `compute_id_match`): removes string literals,
//! cuts the rest into runs of word characters, and compares as sets those that begin like an identifier and are no
//! keyword. The keywords are those of `foreword_chunk`'s table; the benchmark has its own lists, and removes comments
//! first, as [`without_comments`] does.

use std::collections::BTreeSet;

use foreword_chunk::Language;

use super::Overlap;

/// Precision, recall and F1 of the identifiers of `completion` against those of `truth`; all are 0 where both sets are
/// empty, as in the benchmark.
pub fn name_match(completion: &str, truth: &str, language: Option<Language>) -> Overlap {
    let names = |text: &str| -> BTreeSet<String> {
        identifiers(&without_comments(text, language), language).into_iter().collect()
    };
    Overlap::new(&names(truth), &names(completion))
}

/// The identifiers of a text in order, without keywords and words in string literals.
pub fn identifiers(text: &str, language: Option<Language>) -> Vec<String> {
    let keywords = language.map_or(&[][..], Language::keywords);
    let begins =
        |it: &&str| it.starts_with(|first: char| first == '_' || first.is_ascii_alphabetic());
    let text = without_strings(text);
    text.split(|it: char| !(it.is_alphanumeric() || it == '_'))
        .filter(begins)
        .filter(|it| keywords.binary_search(it).is_err())
        .map(str::to_owned)
        .collect()
}

/// Removes text from the language's comment sign to the end of each line, also when the sign is in a string, as in the
/// benchmark.
pub fn without_comments(text: &str, language: Option<Language>) -> String {
    let Some(sign) = language.and_then(Language::line_comment) else { return text.to_owned() };
    let before = |line: &str| line.split(sign).next().unwrap_or_default().to_owned();
    text.split('\n').map(before).collect::<Vec<_>>().join("\n")
}

/// Removes `"…"` and `'…'` with their escapes, across lines too. Keeps unclosed quotes.
fn without_strings(text: &str) -> String {
    let mut res = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['"', '\'']) {
        res.push_str(&rest[..at]);
        let quote = if rest[at..].starts_with('"') { '"' } else { '\'' };
        match end_of_string(&rest[at + 1..], quote) {
            Some(length) => rest = &rest[at + 1 + length..],
            None => {
                res.push(quote);
                rest = &rest[at + 1..];
            }
        }
    }
    res + rest
}

/// End of the string that begins before `text`, after its closing quote. A backslash at the end of a line ends the
/// search, as in the benchmark's expression.
fn end_of_string(text: &str, quote: char) -> Option<usize> {
    let mut characters = text.char_indices();
    while let Some((at, it)) = characters.next() {
        match it {
            '\\' => {
                characters.next().filter(|next| next.1 != '\n')?;
            }
            it if it == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_strings_comments_and_the_language_are_no_names() {
        let python = Language::from_name("python");
        let text = "return parse('a \\' b', strict=\"x\")  # see url\n";
        let without = without_comments(text, python);
        assert_eq!(identifiers(&without, python), ["parse", "strict"]);
        assert_eq!(identifiers("x = 'never closed", python), ["x", "never", "closed"]);
        assert_eq!(identifiers("1st 2 _a é", None), ["_a"]);
    }

    #[test]
    fn names_count_once() {
        let it = name_match("a(b, b)", "a(c)", None);
        assert!((it.precision - 0.5).abs() < 1e-12 && (it.recall - 0.5).abs() < 1e-12);
        assert!((it.f1 - 0.5).abs() < 1e-12);
    }
}
