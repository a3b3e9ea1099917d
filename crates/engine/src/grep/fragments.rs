//! Parts of names that a text has wherever a pattern matches.
//!
//! A name of the text contains such a part, and its term contains the part in lower case without underscores. So the terms that
//! contain it lead to the files that can match. Letters count without case: of letters that have one, only those of ASCII are
//! used, since `ſ` is the only other letter that equals one of them and is its own lower case (the Kelvin sign is `k` in lower
//! case).

use std::borrow::Cow;

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind};

use super::pattern::NEST_LIMIT;
use super::types::GrepRequest;

/// Bytes of the shortest part. Shorter ones are in too many names.
const LEAST_BYTES: usize = 3;

/// Parts of a set at most.
const MAX_PARTS: usize = 16;

/// Sets of parts at most: the longest.
const MAX_SETS: usize = 8;

/// A part of a name.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Part {
    /// As terms contain it.
    pub(super) text: String,
    /// As the pattern has it.
    written: String,
}

/// Parts of which a match has at least one.
pub(super) type Parts = Vec<Part>;

/// The parts of names in a pattern, as they are written there.
pub(super) fn words_of(request: &GrepRequest<'_>) -> Vec<String> {
    let all = parts_of(request).into_iter().flatten();
    all.map(|it| it.written.trim_matches('_').to_owned()).collect()
}

/// Sets of parts, of each of which every match has one, the longest parts first. None for a pattern without such parts.
pub(super) fn parts_of(request: &GrepRequest<'_>) -> Vec<Parts> {
    let &GrepRequest { pattern, regex, .. } = request;
    let mut reader = Reader::default();
    if regex {
        // Case is ignored below; an expression that cannot be read has been refused before.
        let mut parser = ParserBuilder::new().nest_limit(NEST_LIMIT).multi_line(true).build();
        match parser.parse(pattern) {
            Ok(it) => reader.read(&it),
            Err(_) => return Vec::new(),
        }
    } else {
        pattern.chars().for_each(|it| reader.push(it));
    }
    let mut res = reader.finish();
    res.sort_by_key(|it| std::cmp::Reverse(shortest(it)));
    res.dedup();
    res.truncate(MAX_SETS);
    res
}

/// The form of a term in which it contains the parts of its names.
pub(super) fn comparable(term: &str) -> Cow<'_, str> {
    match term.contains('ſ') {
        true => Cow::Owned(term.replace('ſ', "s")),
        false => Cow::Borrowed(term),
    }
}

fn shortest(parts: &Parts) -> usize {
    parts.iter().map(|it| it.text.len()).min().unwrap_or(0)
}

/// Reads an expression from left to right.
#[derive(Default)]
struct Reader {
    sets: Vec<Parts>,
    /// The letters that stand before what is read next.
    part: Part,
}

impl Reader {
    /// Reads on: what is between the parts can be anything after it.
    fn end_part(&mut self) {
        let part = std::mem::take(&mut self.part);
        if part.text.len() >= LEAST_BYTES {
            self.sets.push(vec![part]);
        }
    }

    fn push(&mut self, it: char) {
        match it {
            // The term of a name has none.
            '_' => {}
            it if it.is_ascii_alphanumeric() => self.part.text.push(it.to_ascii_lowercase()),
            it if it.is_alphanumeric() && has_no_case(it) => self.part.text.push(it),
            _ => return self.end_part(),
        }
        self.part.written.push(it);
    }

    fn read(&mut self, it: &Hir) {
        match it.kind() {
            HirKind::Empty | HirKind::Look(_) => {}
            HirKind::Literal(it) => match std::str::from_utf8(&it.0) {
                Ok(text) => text.chars().for_each(|it| self.push(it)),
                Err(_) => self.end_part(),
            },
            HirKind::Class(it) => match letter_of(it) {
                Some(it) => self.push(it),
                None => self.end_part(),
            },
            HirKind::Capture(it) => self.read(&it.sub),
            HirKind::Concat(all) => all.iter().for_each(|it| self.read(it)),
            HirKind::Repetition(it) => {
                // The first time stands behind what was read, the last one before what comes.
                if it.min > 0 {
                    self.read(&it.sub);
                }
                self.end_part();
            }
            HirKind::Alternation(all) => {
                self.end_part();
                self.sets.extend(any_of(all));
            }
        }
    }

    fn finish(mut self) -> Vec<Parts> {
        self.end_part();
        self.sets
    }
}

/// Parts of which a match of one of the alternatives has one; `None` if one of them has no part.
fn any_of(all: &[Hir]) -> Option<Parts> {
    let mut res = Parts::new();
    for it in all {
        let mut reader = Reader::default();
        reader.read(it);
        res.extend(reader.finish().into_iter().max_by_key(shortest)?);
        if res.len() > MAX_PARTS {
            return None;
        }
    }
    res.sort_unstable();
    res.dedup();
    Some(res)
}

/// The letter of a class that has it in both cases.
fn letter_of(class: &Class) -> Option<char> {
    let Class::Unicode(class) = class else { return None };
    let mut found = None;
    for range in class.iter() {
        // Both cases, `ſ` and the Kelvin sign.
        if range.end() as u32 - range.start() as u32 > 1 {
            return None;
        }
        for it in range.start()..=range.end() {
            let letter = match it {
                'ſ' => 's',
                '\u{212A}' => 'k',
                it if it.is_ascii_alphabetic() => it.to_ascii_lowercase(),
                _ => return None,
            };
            if *found.get_or_insert(letter) != letter {
                return None;
            }
        }
    }
    found
}

/// Whether a letter has no other case, so that it equals itself alone.
fn has_no_case(it: char) -> bool {
    it.to_lowercase().eq([it]) && it.to_uppercase().eq([it])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(pattern: &str) -> GrepRequest<'_> {
        GrepRequest { pattern, ..GrepRequest::default() }
    }

    fn regex(pattern: &str) -> GrepRequest<'_> {
        GrepRequest { regex: true, ..exact(pattern) }
    }

    #[track_caller]
    fn check(request: &GrepRequest<'_>, expect: &[&[&str]]) {
        let found = parts_of(request);
        let texts = found.iter().map(|it| it.iter().map(|it| it.text.as_str()).collect());
        assert_eq!(texts.collect::<Vec<Vec<&str>>>(), expect, "{}", request.pattern);
    }

    #[test]
    fn an_exact_text_has_the_names_between_what_is_of_no_name() {
        check(&exact("Store.read_all("), &[&["readall"], &["store"]]);
        check(&exact("a.b(c) -> []"), &[]);
        check(&exact("naïveÜber"), &[&["ber"]]);
        check(&exact("データ = x"), &[&["データ"]]);
    }

    #[test]
    fn an_expression_has_what_each_of_its_matches_has() {
        check(&regex(r"fn\s+(\w+)_order\("), &[&["order"]]);
        check(&regex(r"\bcancel_order\b"), &[&["cancelorder"]]);
        check(&regex(r"(?i)Cancel_Task\d"), &[&["canceltask"]]);
        check(&regex(r"foo(bar)+baz"), &[&["foobar"], &["baz"]]);
        check(&regex(r"foo(bar)*baz"), &[&["foo"], &["baz"]]);
        check(&regex(r"(import|require)\(.*lodash"), &[&["import", "require"], &["lodash"]]);
        check(&regex(r"(import|\w+)\(.*"), &[]);
        check(&regex(r"(?-u:\xFF)abcd"), &[]);
        check(&regex(r"[a-z]+\s*=|\d+"), &[]);
    }

    #[test]
    fn as_many_parts_are_compared_as_are_worth_it() {
        let many: Vec<String> = (10..40).map(|it| format!("name{it}")).collect();
        check(&regex(&format!("x({})", many.join("|"))), &[]);
        let words =
            ["abcd", "efgh", "ijkl", "mnop", "qrst", "uvwx", "yzab", "cdef", "ghij", "klmn"];
        assert_eq!(parts_of(&exact(&words.join(" "))).len(), MAX_SETS);
    }

    #[test]
    fn words_are_those_of_the_pattern() {
        assert_eq!(words_of(&regex(r"_cancel_Order\(|readAll")), ["cancel_Order", "readAll"]);
        assert_eq!(words_of(&exact("x.y")), [""; 0]);
    }
}
