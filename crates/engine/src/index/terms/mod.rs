//! Terms of the index: whole identifiers and their sub-words, in lower case.
//!
//! `parseHTTPRequest_v2` gives `parsehttprequestv2`, `parse`, `http`, `request`, `v2`. Underscores are removed from the
//! whole identifier, so `parse_http` and `parseHttp` share a term.

mod line_names;
mod lists;
mod words;

pub(crate) use line_names::{LineNames, NameNumbers, each_name, hash_of};
pub(crate) use lists::NumberLists;
pub use words::identifiers;

/// Longer identifiers are data (hashes, base64) rather than names; their sub-words may still be words.
pub(crate) const MAX_TERM_BYTES: usize = 64;

/// Calls `found` with each term of one identifier: first the whole (with `true`), then its sub-words if it has more than
/// one (with `false`). Terms of one character are dropped.
pub fn terms_of(identifier: &str, scratch: &mut String, mut found: impl FnMut(&str, bool)) {
    // Many names are one word in lower case already.
    if identifier.bytes().all(|it| it.is_ascii_lowercase()) {
        if (2..=MAX_TERM_BYTES).contains(&identifier.len()) {
            found(identifier, true);
        }
        return;
    }
    scratch.clear();
    push_name(identifier, scratch);
    if (2..=MAX_TERM_BYTES).contains(&scratch.len()) {
        found(scratch, true);
    }
    let inner = inside_underscores(identifier);
    let mut rest = inner;
    // Decided once: a name of many sub-words is not read again for each.
    let end_of: fn(&str) -> usize = match inner.is_ascii() {
        true => |it| ascii_sub_word(it.as_bytes()),
        false => |it| sub_word(it).unwrap_or(it.len()),
    };
    while !rest.is_empty() {
        let (part, after) = rest.split_at(end_of(rest));
        let whole = part.len() == inner.len();
        rest = after_underscores(after);
        if whole || part.len() < 2 || part.len() > MAX_TERM_BYTES {
            continue;
        }
        scratch.clear();
        push_lower(part, scratch);
        found(scratch, false);
    }
}

/// The term of a whole identifier: in lower case, without underscores.
pub fn term_of(identifier: &str) -> String {
    let mut term = String::new();
    push_name(identifier, &mut term);
    term
}

/// Appends an identifier in lower case without underscores, searched byte by byte because names are short.
fn push_name(identifier: &str, out: &mut String) {
    let mut start = 0;
    for (at, _) in identifier.bytes().enumerate().filter(|it| it.1 == b'_') {
        push_lower(&identifier[start..at], out);
        start = at + 1;
    }
    push_lower(&identifier[start..], out);
}

/// An identifier without leading and trailing underscores.
fn inside_underscores(identifier: &str) -> &str {
    let is_other = |it: u8| it != b'_';
    let end = identifier.bytes().rposition(is_other).map_or(0, |last| last + 1);
    after_underscores(&identifier[..end])
}

/// A text without leading underscores.
fn after_underscores(text: &str) -> &str {
    &text[text.bytes().take_while(|it| *it == b'_').count()..]
}

/// Appends `text` in lower case. Most names are ASCII, where a letter is a byte.
fn push_lower(text: &str, out: &mut String) {
    if text.is_ascii() {
        let start = out.len();
        out.push_str(text);
        out[start..].make_ascii_lowercase();
    } else {
        out.extend(text.chars().flat_map(char::to_lowercase));
    }
}

/// The end of the first sub-word of an ASCII identifier that does not begin with `_`. Cuts are at `_`, before an
/// upper-case letter after a lower-case one, before the last of several upper-case letters if a lower-case one follows,
/// and after digits.
fn ascii_sub_word(text: &[u8]) -> usize {
    let cut = |at: &usize| {
        let (before, this) = (text[at - 1], text[*at]);
        this == b'_'
            || (before.is_ascii_lowercase() && this.is_ascii_uppercase())
            || (before.is_ascii_uppercase()
                && this.is_ascii_uppercase()
                && text.get(at + 1).is_some_and(u8::is_ascii_lowercase))
            || (before.is_ascii_digit() && !this.is_ascii_digit())
    };
    (1..text.len()).find(cut).unwrap_or(text.len())
}

/// The end of the first sub-word in any script.
fn sub_word(text: &str) -> Option<usize> {
    let mut chars = text.char_indices().peekable();
    let (_, mut before) = chars.next()?;
    while let Some((at, this)) = chars.next() {
        let next_is_lower = chars.peek().is_some_and(|(_, next)| next.is_lowercase());
        let cut = this == '_'
            || (before.is_lowercase() && this.is_uppercase())
            || (before.is_uppercase() && this.is_uppercase() && next_is_lower)
            || (before.is_ascii_digit() && !this.is_ascii_digit());
        if cut {
            return Some(at);
        }
        before = this;
    }
    Some(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &[&str]) {
        let mut res = Vec::new();
        let mut scratch = String::new();
        identifiers(text, |start, end| {
            terms_of(&text[start..end], &mut scratch, |term, _| res.push(term.to_owned()));
        });
        assert_eq!(res, expect, "{text}");
    }

    #[test]
    fn identifiers_give_themselves_and_their_sub_words() {
        check("parseHTTPRequest_v2", &["parsehttprequestv2", "parse", "http", "request", "v2"]);
        check("snake_case_name", &["snakecasename", "snake", "case", "name"]);
        check("__init__", &["init"]);
        check("base64encode", &["base64encode", "base64", "encode"]);
        check("XMLParser", &["xmlparser", "xml", "parser"]);
        check("plain", &["plain"]);
        check("_private", &["private"]);
    }

    #[test]
    fn ascii_is_cut_as_any_script_is() {
        for text in ["parseHTTPRequest", "v2x", "HTTP", "aB", "A1b2", "x", "ABc9D_e", "XMLParser2"]
        {
            assert_eq!(Some(ascii_sub_word(text.as_bytes())), sub_word(text), "{text}");
        }
    }

    #[test]
    fn single_letters_and_punctuation_are_not_terms() {
        check("x = y + 1; // ok", &["ok"]);
        check("a_b", &["ab"]);
    }

    #[test]
    fn letters_of_any_script_are_words() {
        check("naïveÜber straße", &["naïveüber", "naïve", "über", "straße"]);
    }

    #[test]
    fn long_runs_are_data_and_give_no_terms() {
        check(&"a".repeat(65), &[]);
    }
}
