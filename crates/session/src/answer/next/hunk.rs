//! The part of a proposed edit that changes, for editors that show what is replaced.

use std::ops::Range;

use foreword_engine::next::ProposedEdit;

/// The changed bytes of a text and what takes their place: words are not cut.
pub fn changed_part(text: &str, edit: &ProposedEdit) -> (Range<usize>, String) {
    let (old, new) = (&text[edit.range.clone()], edit.text.as_str());
    let start = common(old.chars(), new.chars());
    let end = common(old[start..].chars().rev(), new[start..].chars().rev());
    let (a, b) = (&old[start..old.len() - end], &new[start..new.len() - end]);
    let splits = |inner: Option<char>| inner.is_some_and(is_word);
    let before = match splits(a.chars().next()) || splits(b.chars().next()) {
        true => word(old[..start].chars().rev()),
        false => 0,
    };
    let behind = match splits(a.chars().next_back()) || splits(b.chars().next_back()) {
        true => word(old[old.len() - end..].chars()),
        false => 0,
    };
    let (start, end) = (start - before, end - behind);
    let range = edit.range.start + start..edit.range.end - end;
    (range, new[start..new.len() - end].to_owned())
}

/// The number of bytes that two texts have in common.
fn common(a: impl Iterator<Item = char>, b: impl Iterator<Item = char>) -> usize {
    a.zip(b).take_while(|(a, b)| a == b).map(|it| it.0.len_utf8()).sum()
}

/// The number of bytes of the word at the beginning.
fn word(text: impl Iterator<Item = char>) -> usize {
    text.take_while(|it| is_word(*it)).map(char::len_utf8).sum()
}

fn is_word(it: char) -> bool {
    it.is_alphanumeric() || it == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(old: &str, new: &str, expect: (&str, &str)) {
        let text = format!("first\n{old}\nlast\n");
        let range = 6..6 + old.len() + 1;
        let edit = ProposedEdit { kind: "again", range, text: format!("{new}\n") };
        let (range, part) = changed_part(&text, &edit);
        assert_eq!((&text[range.clone()], part.as_str()), expect);
        let mut after = text.clone();
        after.replace_range(range, &part);
        assert_eq!(after, format!("first\n{new}\nlast\n"));
    }

    #[test]
    fn whole_words_change_and_nothing_else() {
        check("  return late_fee(d)", "  return overdue_fee(d)", ("late_fee", "overdue_fee"));
        check("f(a)", "f(a, b)", ("", ", b"));
        check("aa", "aaa", ("aa", "aaa"));
        check("x(gr\u{fc}n)", "x(gr\u{f6}n)", ("gr\u{fc}n", "gr\u{f6}n"));
        check("a.b(c).d", "a.e(c).f", ("b(c).d", "e(c).f"));
        check("gone", "", ("gone", ""));
        check("same", "same", ("", ""));
    }
}
