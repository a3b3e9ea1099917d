//! Type parameters that a definition declares.

use foreword_chunk::{Definition, Span};

use crate::index::terms::identifiers;
use crate::preset::constants::speculate::MOST_BRACKETS;

/// Words before the name of a type parameter.
const MODIFIERS: [&str; 8] =
    ["class", "typename", "const", "in", "out", "reified", "implicit", "auto"];

/// Whether a definition declares a type parameter: in brackets after its name (`f<Key>`, `f[Key]`), or before it
/// (`fun <Key> f`, `public <Key> Key f`, `template <typename Key>`); or where a type is inferred (`infer Key`).
pub(super) fn declares_type(text: &str, it: &Definition, wanted: &str) -> bool {
    let start = it.span.start.min(it.signature.start);
    let signature = Span { start, end: it.signature.end }.of(text);
    // Bounds and arrows are no brackets.
    let signature = signature.replace("<:", "::").replace(">:", "::").replace("->", "--");
    let signature = signature.replace("=>", "==");
    let is_inferred = |at: usize| {
        let before = signature[..at].trim_end().strip_suffix("infer");
        before.is_some_and(|it| !it.ends_with(char::is_alphanumeric))
    };
    brackets(&signature, (it.name.end - start) as usize).any(|it| has_parameter(it, wanted))
        || signature.match_indices(wanted).any(|it| is_inferred(it.0))
}

/// The insides of brackets in which a definition declares type parameters; its name ends at `name`.
fn brackets(signature: &str, name: usize) -> impl Iterator<Item = &str> {
    let opens = move |at: &usize| {
        let before = &signature[..*at];
        let is_free = before.is_empty()
            || before.ends_with(char::is_whitespace)
            || before.ends_with("template");
        *at == name || *at < name && is_free && signature[*at..].starts_with('<')
    };
    let at = signature.match_indices(['<', '[']).map(|it| it.0).filter(opens);
    at.take(MOST_BRACKETS).filter_map(|at| {
        let inner = &signature[at + 1..];
        Some(&inner[..closing(inner)?])
    })
}

/// Where a bracket that was opened before a text is closed.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 1;
    text.bytes().position(|it| {
        depth += step(char::from(it));
        depth == 0
    })
}

fn step(it: char) -> i32 {
    match it {
        '<' | '[' | '(' | '{' => 1,
        '>' | ']' | ')' | '}' => -1,
        _ => 0,
    }
}

/// Whether one of the parameters, separated by commas, has a name.
fn has_parameter(list: &str, wanted: &str) -> bool {
    let mut depth = 0;
    let mut parts = list.split(|it| {
        depth += step(it);
        it == ',' && depth == 0
    });
    parts.any(|part| {
        let mut first = None;
        identifiers(part, |start, end| {
            let word = &part[start..end];
            if first.is_none() && !MODIFIERS.contains(&word) {
                first = Some(word);
            }
        });
        first == Some(wanted)
    })
}

#[cfg(test)]
mod tests {
    use foreword_chunk::{Config, Language, analyze};

    use super::*;

    #[test]
    fn type_parameters_stand_in_brackets_beside_the_name() {
        let check = |language, text: &str, expect: bool| {
            let symbols = analyze(text.as_bytes(), Some(language), &Config::default()).symbols;
            let own = symbols.definitions.last().unwrap();
            assert_eq!(declares_type(text, own, "Key"), expect, "{text}");
        };
        check(Language::TypeScript, "function f<T, Key>(a: T): Key { return a }", true);
        check(Language::TypeScript, "function f<T extends Key>(a: T): Key { return a }", false);
        check(Language::TypeScript, "function f(a: Map<string, Key>) { return a }", false);
        check(
            Language::TypeScript,
            "function f<T>(): T extends A<infer Key> ? Key : never {}",
            true,
        );
        check(Language::Scala, "def f[F[_], Key <: Ordered](a: F[Key]): Key = a.b", true);
        check(Language::Kotlin, "fun <Key : Any> f(a: Key): Key { return a }", true);
        check(Language::Java, "class A { <Key> Key f(Key a) { return a; } }", true);
        check(Language::Java, "class A { public <T> T f(Map<T, Key> a) { return a; } }", false);
        check(Language::Go, "func f[K comparable, Key any](a K) Key { return b(a) }", true);
        check(Language::Go, "func f(a map[string]Key) Key { return a }", false);
        check(Language::Rust, "fn f<'a, Key: Ord>(a: &'a Key) -> Key { a }", true);
    }
}
