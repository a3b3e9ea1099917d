//! The words of identifiers, and a text in which one name is replaced by another in every spelling: `read_frame`,
//! `readFrame`, `ReadFrame` and `READ_FRAME` are one name.

use std::ops::Range;

use crate::index::terms::identifiers;

/// A core of fewer letters is replaced only where all of the name stands.
const LEAST_CORE: usize = 3;
/// A name of fewer letters that is written without separators is not looked for in that form.
const LEAST_FLAT: usize = 5;

/// Where the words of an identifier are: cut at what is no letter or digit, where case begins a word, and around digits.
pub(super) fn word_ranges(identifier: &str) -> Vec<Range<usize>> {
    let chars: Vec<(usize, char)> = identifier.char_indices().collect();
    let mut res: Vec<Range<usize>> = Vec::new();
    let mut start = None;
    for (idx, &(at, it)) in chars.iter().enumerate() {
        if !it.is_alphanumeric() {
            res.extend(start.take().map(|start| start..at));
            continue;
        }
        let before = idx.checked_sub(1).map(|it| chars[it].1);
        let after = chars.get(idx + 1).map(|it| it.1);
        let begins = before.is_some_and(|before| begins_word(before, it, after));
        if begins {
            res.extend(start.take().map(|start| start..at));
        }
        start.get_or_insert(at);
    }
    res.extend(start.map(|start| start..identifier.len()));
    res
}

fn begins_word(before: char, it: char, after: Option<char>) -> bool {
    before.is_alphanumeric()
        && (before.is_numeric() != it.is_numeric()
            || (before.is_lowercase() && it.is_uppercase())
            || (before.is_uppercase()
                && it.is_uppercase()
                && after.is_some_and(char::is_lowercase)))
}

/// The words of an identifier, in lower case.
pub(super) fn words(identifier: &str) -> Vec<String> {
    word_ranges(identifier).into_iter().map(|it| identifier[it].to_lowercase()).collect()
}

/// One name in the place of another.
#[derive(Clone, Debug)]
pub(super) struct Rename {
    old: String,
    new: String,
    /// What the words of the old name and those of the new one have not in common.
    from: Vec<String>,
    to: Vec<String>,
    /// The words of `to` as the new name has them.
    spelled: Vec<String>,
    flat: Option<String>,
}

impl Rename {
    /// `None` if the names have the same words.
    pub(super) fn new(old: &str, new: &str) -> Option<Self> {
        let (before, after) = (words(old), words(new));
        let (from, to) = cores(&before, &after)?;
        let letters: usize = from.iter().map(String::len).sum();
        let is_telling = letters >= LEAST_CORE && from.iter().any(|it| !is_number(it));
        let (from, to) = if is_telling && !to.is_empty() { (from, to) } else { (before, after) };
        let spelled: Vec<String> =
            word_ranges(new).into_iter().map(|it| new[it].to_owned()).collect();
        let lower: Vec<String> = spelled.iter().map(|it| it.to_lowercase()).collect();
        let at = lower.windows(to.len()).position(|it| it == to).unwrap_or(0);
        let spelled = spelled[at..at + to.len()].to_vec();
        let joined = from.concat();
        let flat = (joined.len() >= LEAST_FLAT && from.len() > 1).then_some(joined);
        let (old, new) = (old.to_owned(), new.to_owned());
        Some(Self { old, new, from, to, spelled, flat })
    }

    /// The text with the new name.
    pub(super) fn apply(&self, text: &str) -> String {
        let mut res = String::with_capacity(text.len());
        let mut end = 0;
        identifiers(text, |start, stop| {
            res.push_str(&text[end..start]);
            res.push_str(&self.identifier(&text[start..stop]));
            end = stop;
        });
        res + &text[end..]
    }

    /// One identifier with the new name.
    pub(super) fn identifier(&self, it: &str) -> String {
        if it == self.old {
            return self.new.clone();
        }
        if self.flat.as_deref() == Some(it) {
            return self.to.concat();
        }
        let ranges = word_ranges(it);
        let is_from = |window: &[Range<usize>]| {
            window.iter().zip(&self.from).all(|(at, word)| it[at.clone()].to_lowercase() == *word)
        };
        let mut res = String::new();
        let (mut end, mut idx) = (0, 0);
        while idx + self.from.len() <= ranges.len() {
            let window = &ranges[idx..idx + self.from.len()];
            if self.from.is_empty() || !is_from(window) {
                idx += 1;
                continue;
            }
            res.push_str(&it[end..window[0].start]);
            res.push_str(&in_style_of(it, window, self));
            end = window[window.len() - 1].end;
            idx += window.len();
        }
        res + &it[end..]
    }
}

/// What two lists of words have not in common at their ends; `None` if they are equal.
fn cores(before: &[String], after: &[String]) -> Option<(Vec<String>, Vec<String>)> {
    if before == after || before.is_empty() || after.is_empty() {
        return None;
    }
    let head = before.iter().zip(after).take_while(|(a, b)| a == b).count();
    let most = before.len().min(after.len()) - head;
    let tails = before.iter().rev().zip(after.iter().rev());
    let tail = tails.take(most).take_while(|(a, b)| a == b).count();
    Some((before[head..before.len() - tail].to_vec(), after[head..after.len() - tail].to_vec()))
}

/// The new words, written as those of `identifier` at `window` are.
fn in_style_of(identifier: &str, window: &[Range<usize>], rename: &Rename) -> String {
    let separator = match window {
        [a, b, ..] => &identifier[a.end..b.start],
        _ if identifier.contains('_') => "_",
        _ => "",
    };
    let first = &identifier[window[0].clone()];
    let has_lower = identifier.chars().any(char::is_lowercase);
    let is_upper = !has_lower && first.chars().count() > 1;
    let is_capital = first.chars().next().is_some_and(char::is_uppercase);
    let is_shouted = !rename.new.chars().any(char::is_lowercase);
    let word = |(idx, it): (usize, &String)| {
        let spelled = &rename.spelled[idx];
        let is_acronym =
            !is_shouted && spelled.len() > 1 && !spelled.chars().any(char::is_lowercase);
        if is_upper {
            it.to_uppercase()
        } else if is_capital || (idx > 0 && separator.is_empty()) {
            if is_acronym { spelled.clone() } else { capitalized(it) }
        } else {
            it.clone()
        }
    };
    rename.to.iter().enumerate().map(word).collect::<Vec<_>>().join(separator)
}

/// A word with a capital first letter.
pub(super) fn capitalized(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map(|it| it.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// The usual spellings of a name: `ReadFrame`, `readFrame`, `read_frame`, `READ_FRAME`, `readframe`, `read-frame`.
pub(super) fn spellings(words: &[String]) -> Vec<String> {
    let pascal: String = words.iter().map(|it| capitalized(it)).collect();
    let head = words.first().cloned().unwrap_or_default();
    let camel = words.iter().skip(1).fold(head, |res, it| res + &capitalized(it));
    let snake = words.join("_");
    let mut res = vec![pascal, camel, snake.to_uppercase(), snake, words.concat(), words.join("-")];
    let mut seen = Vec::new();
    res.retain(|it| {
        !seen.contains(it) && {
            seen.push(it.clone());
            true
        }
    });
    res
}

/// Whether a word is digits only.
pub(super) fn is_number(word: &str) -> bool {
    word.bytes().all(|it| it.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(old: &str, new: &str, text: &str, expect: &str) {
        let got = Rename::new(old, new).map(|it| it.apply(text));
        assert_eq!(got.as_deref(), Some(expect), "{old} to {new}");
    }

    #[test]
    fn words_are_cut_at_case_digits_and_separators() {
        assert_eq!(words("parseHTTPRequest_v2"), ["parse", "http", "request", "v", "2"]);
        assert_eq!(words("__init__"), ["init"]);
        assert_eq!(words("ÜberGröße"), ["über", "größe"]);
    }

    #[test]
    fn a_name_is_replaced_in_every_spelling() {
        let text = "fn read_frame(x: ReadFrame) { READ_FRAME + readFrame() + readframe }";
        let expect = "fn write_data_page(x: WriteDataPage) { WRITE_DATA_PAGE + writeDataPage() + writedatapage }";
        check("read_frame", "write_data_page", text, expect);
    }

    #[test]
    fn what_the_names_share_stays_and_what_differs_is_replaced_everywhere() {
        check(
            "encode_frame",
            "decode_frame",
            "let encoder = encode_all(frame);",
            "let encoder = decode_all(frame);",
        );
        check("visitIf", "visitWhile", "visitIf(node: IfNode)", "visitWhile(node: IfNode)");
        check(
            "SetTemplate",
            "LoadHTMLFiles",
            "TestSetTemplate(setTemplate)",
            "TestLoadHTMLFiles(loadHTMLFiles)",
        );
        check("FooHandler", "BarBazHandler", "foo_handler(Foo)", "bar_baz_handler(BarBaz)");
    }

    #[test]
    fn a_number_is_replaced_in_the_name_only() {
        check(
            "test_3",
            "test_4",
            "def test_3():\n    return 3 + a3",
            "def test_4():\n    return 3 + a3",
        );
    }

    #[test]
    fn equal_words_are_no_rename() {
        assert!(Rename::new("a_b", "aB").is_none() && Rename::new("_", "a").is_none());
    }
}
