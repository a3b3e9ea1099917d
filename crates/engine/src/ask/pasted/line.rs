//! One line of pasted text: its place, and its message.

use super::{Origin, Place};

/// The place in a line.
pub(super) fn place(line: &str) -> Option<Place> {
    let text = line.trim();
    python(text)
        .or_else(|| dotnet(text))
        .or_else(|| parenthesised(text))
        .or_else(|| with_colons(text))
        .or_else(|| without_file(text))
}

/// `at A.B.Run(String x) in C:\a\B.cs:line 3` of .NET.
fn dotnet(text: &str) -> Option<Place> {
    let (frame, place) = text.strip_prefix("at ")?.split_once(" in ")?;
    let (path, line) = place.rsplit_once(":line ")?;
    let function = frame.split('(').next().map(str::to_owned);
    let place = at(path, line.trim().parse().ok()?, Origin::Traceback)?;
    Some(Place { function, ..place })
}

/// `at A.B.Run(String x)` of .NET without symbols, `at a.b.C.run(Unknown Source)` of Java: a function without a file.
fn without_file(text: &str) -> Option<Place> {
    let function = text.strip_prefix("at ")?.split_once('(')?.0;
    let is_name = |it: char| it.is_alphanumeric() || matches!(it, '_' | '.' | '$' | '`' | '+');
    let is_qualified = function.contains('.') && function.chars().all(is_name);
    let (path, function) = (String::new(), Some(function.to_owned()));
    let origin = Origin::Traceback;
    is_qualified.then_some(Place { path, first: 0, last: 0, function, message: None, origin })
}

/// The function that a PHP frame calls: `run` of `#0 a/b.php(12): A\B->run()`.
pub(super) fn called_by_php(text: &str) -> Option<&str> {
    let (_, call) = text.trim().strip_prefix('#')?.split_once("): ")?;
    let name = call.split('(').next()?.rsplit(['\\', '>', ':']).next()?;
    (is_name(name) && !name.is_empty()).then_some(name)
}

/// `File "a/b.py", line 3, in f`. An empty message marks it as a frame of Python, whose innermost comes last.
fn python(text: &str) -> Option<Place> {
    let (path, after) = text.strip_prefix("File \"")?.split_once('"')?;
    let after = after.strip_prefix(", line ")?;
    let digits = after.bytes().take_while(u8::is_ascii_digit).count();
    let line = after[..digits].parse().ok()?;
    let function = after[digits..].strip_prefix(", in ").unwrap_or("<module>");
    let named = Some(function.trim().to_owned());
    let mut place = at(path, line, Origin::Traceback)?;
    (place.function, place.message) = (named, Some(String::new()));
    Some(place)
}

/// `a/b.ts(3,5): error TS1: …` of tsc and C#; `#0 a/b.php(12): f()` of PHP.
fn parenthesised(text: &str) -> Option<Place> {
    let open = text.find('(')?;
    let path = text[..open].rsplit(' ').next()?;
    let inner = text[open + 1..].split_once(')')?.0;
    let line = inner.split(',').next()?.trim().parse().ok()?;
    if !is_path(path) {
        return None;
    }
    let origin = if text.starts_with('#') { Origin::Traceback } else { Origin::Message };
    at(path, line, origin)
}

/// `a/b.c:3:5: error: …`, `--> a/b.rs:3:5`, `at f (a/b.js:3:5)`, `at com.a.B.f(B.java:3)`, `a/b.go:3 +0x1d`, `from
/// a/b.rb:3:in 'f'`, `a_test.py:3: AssertionError`.
fn with_colons(text: &str) -> Option<Place> {
    let is_end =
        |it: char| it.is_whitespace() || matches!(it, '(' | ')' | '[' | ']' | '"' | '\'' | '`');
    let (path, line, rest) = text.split(is_end).find_map(colons)?;
    let before = text.split(path).next().unwrap_or_default().trim_end_matches(['(', ' ']);
    let called = before.strip_prefix("at ").map(str::trim).filter(|it| !it.is_empty());
    let called = called.map(|it| it.trim_start_matches("async ").trim_start_matches("new "));
    let ruby = text.split_once(":in ").map(|it| it.1.trim_matches(['`', '\'', ' ']));
    let ruby = ruby.and_then(|it| it.split(['`', '\'']).next()).filter(|it| !it.is_empty());
    let function = called.or(ruby).filter(|it| !it.contains(' ')).map(str::to_owned);
    let is_said = text.starts_with("-->") || is_message(text) || rest.is_some_and(is_failure);
    let is_frame = text.starts_with("at ") || ruby.is_some() || text.starts_with("from ");
    let origin = if is_said && !is_frame { Origin::Message } else { Origin::Traceback };
    let place = at(path, line, origin)?;
    Some(Place { function, ..place })
}

/// Splits a word `path:line…` into the path, the line, and the rest.
fn colons(word: &str) -> Option<(&str, u32, Option<&str>)> {
    let word = word.trim_start_matches("file://");
    let mut from = 0;
    // A drive letter has a colon of its own.
    while let Some(colon) = word[from..].find(':').map(|it| it + from) {
        let digits = word[colon + 1..].bytes().take_while(u8::is_ascii_digit).count();
        let path = &word[..colon];
        if digits > 0 && is_path(path) {
            let line = word[colon + 1..colon + 1 + digits].parse().ok()?;
            return Some((path, line, word.get(colon + 1 + digits..)));
        }
        from = colon + 1;
    }
    None
}

/// Whether the text after a place introduces the message of a compiler or a test runner.
fn is_failure(rest: &str) -> bool {
    rest.starts_with(": ") || rest == ":" || rest.strip_prefix(':').is_some_and(ends_in_colon)
}

fn ends_in_colon(columns: &str) -> bool {
    columns.ends_with(':') && columns.trim_end_matches(':').bytes().all(|it| it.is_ascii_digit())
}

/// Whether a word is the path of a source file: it has an extension, and no character that paths rarely have.
fn is_path(text: &str) -> bool {
    let name = text.rsplit(['/', '\\']).next().unwrap_or(text);
    let Some((stem, extension)) = name.rsplit_once('.') else { return false };
    let is_extension = (1..=6).contains(&extension.len())
        && extension.chars().all(|it| it.is_ascii_alphanumeric())
        && extension.chars().any(|it| it.is_ascii_alphabetic());
    is_extension && !stem.is_empty() && !text.contains("://") && !text.contains(['<', '>', '='])
}

fn at(path: &str, line: u32, origin: Origin) -> Option<Place> {
    let path = path.trim_start_matches("./").to_owned();
    let place = Place { path, first: line, last: line, function: None, message: None, origin };
    (line > 0 && !place.path.is_empty()).then_some(place)
}

/// Marks of a compiler's or a test runner's message.
const MARKS: [&str; 9] = [
    "error: ",
    "fatal error: ",
    "error TS",
    "error CS",
    "warning: ",
    " - error ",
    "AssertionError",
    "panicked at ",
    "undefined: ",
];

fn is_message(text: &str) -> bool {
    MARKS.iter().any(|it| text.contains(it)) || text.starts_with("error[")
}

/// The error message in a line: `error[E0308]: mismatched types`, `ValueError: no such thing`, `E   assert …`.
pub(super) fn message(line: &str) -> Option<String> {
    let text = line.trim();
    if let Some(it) = text.strip_prefix("E  ") {
        return kept(it);
    }
    for mark in [" - error ", "fatal error: ", "error: ", "Error: "] {
        if let Some((before, it)) = text.split_once(mark) {
            let is_exception = mark == "Error: " && is_name(before);
            return if is_exception || mark == "Error: " && before.contains("Exception in") {
                kept(text)
            } else {
                kept(it)
            };
        }
    }
    let told = ["error[", "panic: ", "thread '", "Caused by: ", "Exception in thread"];
    if told.iter().any(|it| text.starts_with(it)) || is_exception(text) {
        return kept(text);
    }
    let with_code = text.find("error TS").or_else(|| text.find("error CS"));
    with_code.and_then(|at| kept(&text[at..])).or_else(|| of_go(text))
}

/// `./a.go:3:5: undefined: x`: the text after the place.
fn of_go(text: &str) -> Option<String> {
    let (place, said) = text.split_once(": ")?;
    let is_place = place.contains(".go:") && !place.contains(' ');
    is_place.then(|| kept(said)).flatten()
}

/// `builtins.ValueError: text`, `java.lang.IllegalStateException: text`, `Foo::BarError (text)`.
fn is_exception(text: &str) -> bool {
    let name = text.split([':', ' ', '(']).next().unwrap_or_default();
    let ends = ["Error", "Exception", "Warning", "Failure"].iter().any(|it| name.ends_with(it));
    ends && is_name(name) && !text.starts_with("at ")
}

fn is_name(text: &str) -> bool {
    let is_part = |it: char| it.is_alphanumeric() || matches!(it, '_' | '.');
    !text.is_empty() && text.chars().all(is_part)
}

/// The message in one line; `None` if it is too short.
fn kept(text: &str) -> Option<String> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (text.len() > 3).then(|| text.chars().take(MAX_MESSAGE).collect())
}

/// Characters of a message that are kept.
const MAX_MESSAGE: usize = 300;
