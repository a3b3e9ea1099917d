//! Addresses of routes and of calls as segments, and how well they fit each other.

use crate::retrieve::names::place::is_name;

/// Stands for a value in a segment.
pub(super) const VALUE: char = '\u{1}';
/// Stands for any number of segments.
const REST: char = '\u{2}';
/// Stands for a segment that may be missing.
const OPTIONAL: char = '\u{3}';
/// Segments of an address; a longer one is no route's.
const MAX_SEGMENTS: usize = 24;
/// Segments that an unknown beginning may have.
const MAX_HEAD: usize = 4;

/// How the parameters of a path are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Syntax {
    /// `<int:pk>`, `{pk}`
    Brackets,
    /// `:id`, `{id}`, `*`
    Colons,
    /// A regular expression.
    Regex,
}

/// The segments of a path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Pattern {
    segments: Vec<String>,
}

/// How far an address is from a pattern; the smallest is the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Distance {
    /// Whether both have no word in common.
    pub(super) is_blind: bool,
    /// Segments of the one before all of the other.
    pub(super) head: usize,
    /// Values of the address where the pattern has a word.
    pub(super) guesses: usize,
    /// Parameters of any number of segments.
    pub(super) rests: usize,
    parameters: usize,
    /// Words that both have, fewer than any.
    unlike: usize,
}

impl Pattern {
    /// Parts of a path in a row.
    pub(super) fn of(parts: &[(&str, Syntax)]) -> Self {
        let mut segments = Vec::new();
        for (part, syntax) in parts {
            let plain = match syntax {
                Syntax::Regex => of_regex(part),
                syntax => of_path(part, *syntax),
            };
            segments.extend(plain.split('/').filter(|it| !it.is_empty()).map(str::to_owned));
        }
        segments.truncate(MAX_SEGMENTS);
        Self { segments }
    }

    /// Segments that are written with values as [`VALUE`].
    pub(super) fn plain(path: &str) -> Self {
        let segments = path.split('/').filter(|it| !it.is_empty());
        Self { segments: segments.take(MAX_SEGMENTS).map(str::to_owned).collect() }
    }

    /// Its segments without values.
    fn words(&self) -> impl DoubleEndedIterator<Item = &str> {
        let all = self.segments.iter().map(String::as_str);
        all.filter(|it| !it.contains([VALUE, REST, OPTIONAL]))
    }

    pub(super) fn last_word(&self) -> Option<&str> {
        self.words().next_back()
    }

    pub(super) fn longest_word(&self) -> Option<&str> {
        self.words().max_by_key(|it| it.len())
    }

    pub(super) fn segments(&self) -> &[String] {
        &self.segments
    }

    /// Whether an address is one of this pattern. `is_open` tells for the pattern and for the address whether something
    /// unknown may stand before it.
    pub(super) fn distance(&self, address: &Self, is_open: [bool; 2]) -> Option<Distance> {
        let (own, theirs) = (&*self.segments, &*address.segments);
        let mut found = aligned(own, theirs);
        let (own_is_open, theirs_is_open) = (is_open[0], is_open[1]);
        for head in 1..=MAX_HEAD {
            if found.is_some() {
                break;
            }
            if own_is_open && head < theirs.len() {
                found = aligned(own, &theirs[head..]).map(|it| Distance { head, ..it });
            }
            if found.is_none() && theirs_is_open && head < own.len() {
                found = aligned(&own[head..], theirs).map(|it| Distance { head, ..it });
            }
        }
        // Without a common word anything would fit anything.
        found.filter(|it| it.head == 0 && is_open == [false; 2] || !it.is_blind)
    }
}

/// Compares segments one by one.
fn aligned(own: &[String], theirs: &[String]) -> Option<Distance> {
    let mut res = Distance {
        is_blind: true,
        head: 0,
        guesses: 0,
        rests: 0,
        parameters: 0,
        unlike: MAX_SEGMENTS,
    };
    let mut at = 0;
    for (number, it) in own.iter().enumerate() {
        if it.starts_with(REST) {
            let after = own.len() - number - 1;
            at = theirs.len().checked_sub(after).filter(|it| *it >= at)?;
            res.rests += 1;
            continue;
        }
        let Some(other) = theirs.get(at) else {
            if it.starts_with(OPTIONAL) {
                continue;
            }
            return None;
        };
        at += 1;
        if it.starts_with([VALUE, OPTIONAL]) && it.chars().count() == 1 {
            res.parameters += 1;
        } else if it.eq_ignore_ascii_case(other) && !it.contains(VALUE) {
            res.is_blind = false;
            res.unlike -= 1;
        } else if it.contains(VALUE) && fits(it, other) {
            res.parameters += 1;
        } else if other.contains(VALUE) && fits(other, it) {
            res.guesses += 1;
        } else {
            return None;
        }
    }
    (at == theirs.len()).then_some(res)
}

/// Whether a text has the words of a segment in their order, the first at the beginning and the last at the end.
fn fits(segment: &str, text: &str) -> bool {
    let mut rest = text;
    let mut words = segment.split(VALUE).peekable();
    let mut is_first = true;
    while let Some(word) = words.next() {
        let is_last = words.peek().is_none();
        let found = match (is_first, is_last) {
            (true, _) => rest.strip_prefix(word),
            (_, true) => rest.strip_suffix(word).map(|_| ""),
            _ => rest.split_once(word).map(|it| it.1),
        };
        let Some(found) = found else { return false };
        rest = found;
        is_first = false;
    }
    true
}

/// A path with marks in place of its parameters.
fn of_path(path: &str, syntax: Syntax) -> String {
    let mut res = String::with_capacity(path.len());
    let mut rest = path;
    while let Some(it) = rest.chars().next() {
        let bracket = match it {
            '{' => Some('}'),
            '<' if syntax == Syntax::Brackets => Some('>'),
            '[' if syntax == Syntax::Colons => Some(']'),
            '(' if syntax == Syntax::Colons => Some(')'),
            _ => None,
        };
        if let Some(end) = bracket.and_then(|it| rest.find(it)) {
            let mark = mark_of(it, &rest[1..end], &res);
            res.extend(mark);
            rest = &rest[end + 1..];
            continue;
        }
        let named = if syntax == Syntax::Colons { after_parameter(rest) } else { None };
        if let Some(after) = named {
            let is_optional = after.starts_with('?') && is_start(&res);
            res.push(if is_optional { OPTIONAL } else { VALUE });
            rest = after.trim_start_matches('?');
            continue;
        }
        if it == '*' && syntax == Syntax::Colons {
            res.push(if is_start(&res) { REST } else { VALUE });
            rest = &rest[rest.find('/').unwrap_or(rest.len())..];
            continue;
        }
        res.push(it);
        rest = &rest[it.len_utf8()..];
    }
    res
}

/// Whether the next character begins a segment.
fn is_start(before: &str) -> bool {
    before.is_empty() || before.ends_with('/')
}

/// What stands behind `:id` or `:id(…)` at the beginning of a text.
fn after_parameter(text: &str) -> Option<&str> {
    let inner = text.strip_prefix(':')?;
    let rest = inner.trim_start_matches(is_name);
    let group = rest.strip_prefix('(').and_then(|it| it.split_once(')'));
    (rest.len() < inner.len()).then_some(group.map_or(rest, |it| it.1))
}

/// What stands for the parameter in a pair of brackets.
fn mark_of(bracket: char, inner: &str, before: &str) -> Option<char> {
    let is_start = is_start(before);
    let is_rest = inner.starts_with(['*', '.'])
        || inner.starts_with("path:")
        || inner.ends_with(":path")
        || inner.ends_with("...");
    match bracket {
        // `(.:format)` and `[controller]` are no segments of their own.
        '(' => None,
        _ if is_rest && is_start => Some(REST),
        _ if (inner.ends_with('?') || inner.contains('=')) && is_start => Some(OPTIONAL),
        _ => Some(VALUE),
    }
}

/// A regular expression of an address with marks in place of what it leaves open.
fn of_regex(regex: &str) -> String {
    let mut res = String::with_capacity(regex.len());
    let mut depth = 0_usize;
    let mut chars = regex.chars().peekable();
    while let Some(it) = chars.next() {
        let value = |res: &mut String| {
            if !res.ends_with(VALUE) {
                res.push(VALUE);
            }
        };
        match it {
            '(' | '[' => {
                depth += 1;
                if depth == 1 {
                    value(&mut res);
                }
            }
            ')' | ']' => depth = depth.saturating_sub(1),
            '\\' => match chars.next().filter(|_| depth == 0) {
                Some('d' | 'w' | 'S' | 'D') => value(&mut res),
                Some('Z' | 'A' | 'b') | None => {}
                Some(other) => res.push(other),
            },
            _ if depth > 0 => {}
            '^' | '$' | '+' | '*' | '?' => {}
            '.' => value(&mut res),
            '{' => drop(chars.by_ref().find(|it| *it == '}')),
            other => res.push(other),
        }
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether an address is one of a pattern, and how far away it is.
    fn check(pattern: &str, syntax: Syntax, address: &str, expect: Option<[usize; 3]>) {
        let pattern = Pattern::of(&[(pattern, syntax)]);
        let address = Pattern::plain(&address.replace('$', &VALUE.to_string()));
        let found = pattern.distance(&address, [false; 2]);
        assert_eq!(found.map(|it| [it.guesses, it.rests, it.parameters]), expect, "{pattern:?}");
    }

    #[test]
    fn parameters_are_any_one_segment_and_values_too() {
        check("/users/<int:pk>/", Syntax::Brackets, "/users/1", Some([0, 0, 1]));
        check("/users/<int:pk>/", Syntax::Brackets, "/users/", None);
        check("/users/{id}/edit", Syntax::Brackets, "/users/$/edit", Some([0, 0, 1]));
        check("/users/{id?}", Syntax::Brackets, "/users", Some([0, 0, 0]));
        check("/users/:id(\\d+)", Syntax::Colons, "/users/a", Some([0, 0, 1]));
        check("/users/:id?", Syntax::Colons, "/users", Some([0, 0, 0]));
        check("/users/me", Syntax::Colons, "/users/$", Some([1, 0, 0]));
        check("/files/*", Syntax::Colons, "/files/a/b", Some([0, 1, 0]));
        check("/files/{path:path}", Syntax::Brackets, "/files/a/b", Some([0, 1, 0]));
        check("/users/{id}.json", Syntax::Brackets, "/users/7.json", Some([0, 0, 1]));
        check("/users/{id}.json", Syntax::Brackets, "/users/7.xml", None);
        check("^users/(?P<pk>[0-9]+)/$", Syntax::Regex, "/users/7", Some([0, 0, 1]));
        check("^a\\.b/\\d{4}/?$", Syntax::Regex, "/a.b/2000", Some([0, 0, 1]));
        check("/users(.:format)", Syntax::Colons, "/users", Some([0, 0, 0]));
    }

    #[test]
    fn what_is_open_has_segments_before_it_and_a_common_word() {
        let far = |pattern: &str, address: &str, is_open| {
            let pattern = Pattern::of(&[(pattern, Syntax::Colons)]);
            pattern.distance(&Pattern::plain(address), is_open).map(|it| it.head)
        };
        assert_eq!(far("/users/:id", "/api/v1/users/1", [true, false]), Some(2));
        assert_eq!(far("/users/:id", "/api/v1/users/1", [false, false]), None);
        assert_eq!(far("/api/users/:id", "/users/1", [false, true]), Some(1));
        assert_eq!(far("/:id", "/api/v1/1", [true, false]), None);
        assert_eq!(far("/", "/", [true, false]), None);
        assert_eq!(far("/", "/", [false, false]), Some(0));
    }
}
