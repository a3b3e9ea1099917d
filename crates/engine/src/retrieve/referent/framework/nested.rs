//! Keys of nested data: PHP's arrays, objects of JavaScript and JSON, YAML.

use foreword_chunk::{Language, Span};

use super::tokens::{Token, Tokens};

/// Where a text has the key at a path: `a.b` in `{ "a": { "b": 1 } }` and in `{ "a.b": 1 }`. `*` at the beginning of the
/// path is any outermost key.
pub(super) fn key_in(text: &str, language: Language, path: &str) -> Option<Span> {
    match language {
        Language::Yaml => by_indentation(text, path),
        _ => by_brackets(text, language, path),
    }
}

/// What a key is on the way along a path.
enum Step {
    /// The end of the path.
    Last,
    /// A part of it; the path goes on at this byte.
    Into(usize),
    /// No part of it.
    Aside,
}

fn step(path: &str, from: Option<usize>, key: &str) -> Step {
    let Some(from) = from else { return Step::Aside };
    let rest = &path[from..];
    if rest.starts_with("*.") {
        return Step::Into(from + 2);
    }
    match rest.strip_prefix(key).filter(|_| !key.is_empty()) {
        Some("") => Step::Last,
        Some(more) if more.starts_with('.') => Step::Into(path.len() - more.len() + 1),
        _ => Step::Aside,
    }
}

fn by_brackets(text: &str, language: Language, path: &str) -> Option<Span> {
    let mut way = Way { open: Vec::new(), here: Some(0), inside: Some(0) };
    let mut key: Option<Span> = None;
    let mut is_after_sign = false;
    for token in Tokens::new(text, language) {
        let was_sign = std::mem::replace(&mut is_after_sign, token == Token::Mark(b'='));
        let name = match token {
            Token::Word(it) | Token::String(it) => {
                way.inside = if was_sign { way.here } else { way.inside };
                key = Some(it);
                continue;
            }
            Token::Mark(b'=') => continue,
            Token::Mark(mark) => {
                let is_separator = mark == b':' || mark == b'>' && was_sign;
                let name = key.take().filter(|_| is_separator);
                if name.is_none() {
                    way.inside = if was_sign { way.here } else { way.inside };
                    way.pass(mark);
                }
                name
            }
        };
        let Some(name) = name else { continue };
        way.inside = match step(path, way.here, name.of(text)) {
            Step::Last => return Some(name),
            Step::Into(next) => Some(next),
            Step::Aside => None,
        };
    }
    None
}

/// How far a path leads.
struct Way {
    /// To the brackets around those that are open.
    open: Vec<Option<usize>>,
    /// To the brackets around.
    here: Option<usize>,
    /// To the value that follows.
    inside: Option<usize>,
}

impl Way {
    fn pass(&mut self, mark: u8) {
        match mark {
            b'{' | b'[' | b'(' => {
                self.open.push(self.here);
                self.here = self.inside;
            }
            b'}' | b']' | b')' => {
                self.here = self.open.pop().unwrap_or(Some(0));
                self.inside = self.here;
            }
            b',' | b';' => self.inside = self.here,
            _ => {}
        }
    }
}

fn by_indentation(text: &str, path: &str) -> Option<Span> {
    // By column of a key, how far the path leads to its value.
    let mut open: Vec<(usize, Option<usize>)> = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let from = start;
        start += line.len();
        let inner = line.trim_start_matches([' ', '-']);
        let column = line.len() - inner.len();
        let Some((key, value)) = inner.split_once(':') else { continue };
        if key.starts_with('#') || !value.starts_with([' ', '\n', '\r']) && !value.is_empty() {
            continue;
        }
        while open.last().is_some_and(|it| it.0 >= column) {
            open.pop();
        }
        let here = open.last().map_or(Some(0), |it| it.1);
        let quotes = ['"', '\''];
        let name = key.trim().trim_matches(quotes);
        let at = from + column + (key.len() - key.trim_start_matches(quotes).len());
        let inside = match step(path, here, name) {
            Step::Last => return Some(Span::new(at, at + name.len())),
            Step::Into(next) => Some(next),
            Step::Aside => None,
        };
        open.push((column, inside));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The line of the key at a path; 0 for none.
    #[track_caller]
    fn check(text: &str, language: Language, path: &str, line: usize) {
        let found = key_in(text, language, path).map(|it| {
            assert!(path.ends_with(it.of(text)), "{}", it.of(text));
            text[..it.range().start].matches('\n').count() + 1
        });
        assert_eq!(found.unwrap_or_default(), line, "{path}");
    }

    #[test]
    fn keys_are_found_by_brackets() {
        let json = "{\n  \"b\": \"a: {\",\n  \"a\": {\n    \"b\": [{ \"x\": 1 }],\n    \"c\\\"\": \"\",\n    \"d.e\": 2\n  },\n  \"a.f\": 3,\n  \"Add it\": 4\n}\n";
        for (path, line) in
            [("a.b", 4), ("b", 2), ("c", 0), ("a.d.e", 6), ("a.f", 8), ("Add it", 9)]
        {
            check(json, Language::Json, path, line);
        }
        let php = "<?php\n// 'a' => 'it''s'\nreturn [\n    'a' => env('A', 'b'),\n    'way' => [\n        'a' => ['b' => 1],\n    ],\n    'b' => array(\n        'c' => 1,\n    ),\n];\n";
        for (path, line) in
            [("a", 4), ("way.a", 6), ("way.a.b", 6), ("b.c", 9), ("a.b", 0), ("c", 0)]
        {
            check(php, Language::Php, path, line);
        }
        let script = "import { x } from './x';\nconst en: Texts<Key> = {\n  way: {\n    open: 'it\\'s: ',\n    'shut-it': `a\n  b: c`,\n  },\n  b: x,\n};\nexport default en;\n";
        for (path, line) in [("way.open", 4), ("way.shut-it", 5), ("b", 8), ("open", 0)] {
            check(script, Language::TypeScript, path, line);
        }
    }

    #[test]
    fn keys_are_found_by_indentation() {
        let yaml = "# a: 1\nen:\n  way:\n    open: \"a: b\"\n    'shut': |\n      x: y\n  b:\n    - c: 1\n      d: 2\n  way.far: 3\n";
        for (path, line) in [
            ("*.way.open", 4),
            ("en.way.shut", 5),
            ("*.b", 7),
            ("*.b.d", 9),
            ("*.way.far", 10),
            ("open", 0),
        ] {
            check(yaml, Language::Yaml, path, line);
        }
    }
}
