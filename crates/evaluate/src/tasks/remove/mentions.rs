//! Removes one mention of a name: chooses the bytes of its file to cut.

use std::ops::Range;

use foreword_chunk::{Definition, Kind, Symbols};

/// A cut that removes a mention.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Removal {
    /// These bytes.
    Bytes(Range<usize>),
    /// The definition with this index, and all mentions of it.
    Definition(u32),
}

/// A file that mentions a name.
pub(super) struct FileView<'t> {
    pub(super) text: &'t str,
    /// The text with comments and strings blanked, at equal length.
    pub(super) code: &'t str,
    pub(super) symbols: &'t Symbols,
    pub(super) is_test: bool,
    /// Prose or data, whose lines are independent.
    pub(super) is_prose: bool,
}

/// A definition with the comment before it, as whole lines.
pub(crate) fn whole(text: &str, it: &Definition) -> Range<usize> {
    let start = it.doc.map_or(it.span.start, |doc| doc.start.min(it.span.start)) as usize;
    line_start(text, start)..line_end(text, it.span.end as usize)
}

/// Whether a function is a test, by an attribute before its name (`#[test]`, `@Test`) or by its name.
pub(super) fn is_test(text: &str, it: &Definition) -> bool {
    let lead = &text[it.span.start as usize..it.name.start as usize];
    let name = it.name.of(text);
    lead.contains("test]")
        || lead.contains("test(")
        || lead.contains("@Test")
        || name.starts_with("test_")
}

/// The cut that removes the mention at `at` (`len` bytes), or the reason why it cannot be removed.
pub(super) fn cut(place: &FileView<'_>, at: usize, len: usize) -> Result<Removal, &'static str> {
    let FileView { text, code, symbols, .. } = place;
    let line = line_start(text, at)..line_end(text, at);
    if place.is_prose {
        return Ok(Removal::Bytes(line));
    }
    if let Some(import) = symbols.imports.iter().find(|it| it.span.contains_byte(at)) {
        return Ok(Removal::Bytes(of_import(
            text,
            import.span.range(),
            import.names.len(),
            at,
            len,
        )));
    }
    let around = function_around(symbols, at);
    let in_test = |it: &u32| place.is_test || is_test(text, &symbols.definitions[*it as usize]);
    if let Some(test) = around.filter(in_test) {
        return Ok(Removal::Definition(test));
    }
    let name = at..at + len;
    let is_code = code.get(name.clone()).is_some_and(|it| !it.trim().is_empty());
    if !is_code && code[line.clone()].trim().is_empty() {
        return Ok(Removal::Bytes(line));
    }
    let item = if is_code { Some(name) } else { string_literal(text, name) };
    if let Some(element) = item.and_then(|it| list_element(text, code, it)) {
        return Ok(Removal::Bytes(element));
    }
    if !is_code {
        return Err("named in a string");
    }
    let statement = statement(text, code, at);
    if is_call(&code[statement.clone()]) && leaves_something(place, around, &statement) {
        return Ok(Removal::Bytes(statement));
    }
    around.map(Removal::Definition).ok_or("used at the top level")
}

/// The outermost function around a byte; a class around it stays.
fn function_around(symbols: &Symbols, at: usize) -> Option<u32> {
    let is_function =
        |it: &Definition| matches!(it.kind, Kind::Function | Kind::Method | Kind::Constructor);
    let mut next = symbols.enclosing(at);
    let mut res = None;
    while let Some(idx) = next {
        let it = &symbols.definitions[idx as usize];
        if is_function(it) {
            res = Some(idx);
        }
        next = it.parent;
    }
    res
}

/// One name of an import, with its comma; the whole statement when it has no other name.
fn of_import(text: &str, span: Range<usize>, names: usize, at: usize, len: usize) -> Range<usize> {
    if names <= 1 {
        return line_start(text, span.start)..line_end(text, span.end);
    }
    // Removes an alias with its name.
    let rest = &text[at + len..span.end];
    let end = rest.find([',', '}', ')', '\n', ';']).map_or(span.end, |it| at + len + it);
    with_comma(text, at..end)
}

/// The string literal that consists of the name, with its quotes.
fn string_literal(text: &str, name: Range<usize>) -> Option<Range<usize>> {
    let quote = text[..name.start].chars().next_back().filter(|it| QUOTES.contains(*it))?;
    text[name.end..].starts_with(quote).then(|| name.start - 1..name.end + 1)
}

const QUOTES: &str = "\"'`";

/// An item of a list, between brackets or commas, with one comma.
fn list_element(text: &str, code: &str, item: Range<usize>) -> Option<Range<usize>> {
    let before = code[..item.start].trim_end().chars().next_back()?;
    let after = code[item.end..].trim_start().chars().next()?;
    let in_list = "[{,".contains(before) && "]},".contains(after);
    in_list.then(|| with_comma(text, item))
}

/// The bytes with the following comma, else the preceding one; the whole line when it contains nothing else.
fn with_comma(text: &str, bytes: Range<usize>) -> Range<usize> {
    let after = text[bytes.end..].trim_start_matches([' ', '\t']);
    let mut res = bytes.clone();
    if after.starts_with(',') {
        res.end = text.len() - after.len() + 1;
        let line = line_start(text, res.start)..line_end(text, res.end);
        let alone = text[line.start..res.start].trim().is_empty()
            && text[res.end..line.end].trim().is_empty();
        if alone {
            return line;
        }
        res.end += text[res.end..].len() - text[res.end..].trim_start_matches(' ').len();
    } else {
        let before = text[..bytes.start].trim_end();
        if before.ends_with(',') {
            res.start = before.len() - 1;
        }
    }
    res
}

/// The lines of the statement around a byte, extended until brackets balance.
fn statement(text: &str, code: &str, at: usize) -> Range<usize> {
    let mut start = line_start(text, at);
    let mut end = line_end(text, at);
    let depth = |range: Range<usize>| -> i32 {
        code[range]
            .chars()
            .map(|it| i32::from("([{".contains(it)) - i32::from(")]}".contains(it)))
            .sum()
    };
    while depth(start..at) < 0 && start > 0 {
        start = line_start(text, start - 1);
    }
    while depth(start..end) > 0 && end < text.len() {
        end = line_end(text, end);
    }
    while code[end..].trim_start_matches([' ', '\t']).starts_with(['.', '?']) && end < text.len() {
        end = line_end(text, end);
    }
    start..end
}

/// Whether a statement is only a call: a dotted name and brackets.
fn is_call(statement: &str) -> bool {
    let statement = statement.trim().trim_end_matches(';').trim_end();
    let statement = statement.strip_prefix("await ").unwrap_or(statement);
    let name_end = statement
        .find(|it: char| !(it.is_alphanumeric() || matches!(it, '_' | '.' | ':')))
        .unwrap_or(statement.len());
    let rest = &statement[name_end..];
    if name_end == 0 || !rest.starts_with('(') || !rest.ends_with(')') {
        return false;
    }
    let mut depth = 0;
    let closes_last = rest.char_indices().all(|(idx, it)| {
        depth += i32::from(it == '(') - i32::from(it == ')');
        depth > 0 || idx + 1 == rest.len()
    });
    closes_last && depth == 0
}

/// Whether the function around a statement keeps another statement.
fn leaves_something(place: &FileView<'_>, around: Option<u32>, statement: &Range<usize>) -> bool {
    let Some(body) = around.and_then(|it| place.symbols.definitions[it as usize].body) else {
        return true;
    };
    let body = body.range();
    let code = |range: Range<usize>| {
        let left = place.code.get(range).unwrap_or_default();
        left.lines().any(|it| it.trim().len() > 1)
    };
    code(body.start..statement.start.max(body.start)) || code(statement.end.min(body.end)..body.end)
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |it| it + 1)
}

fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |it| at + it + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measures::coverage::code::code_of;
    use foreword_chunk::{Config, Language, analyze};

    /// Removes the mention marked `<name>` and compares the rest.
    #[track_caller]
    fn check(language: &str, marked: &str, expect: Result<&str, &str>) {
        let at = marked.find('<').unwrap();
        let len = marked.find('>').unwrap() - at - 1;
        let text = marked.replacen(['<', '>'], "", 2);
        let language = Language::from_name(language);
        let symbols = analyze(text.as_bytes(), language, &Config::default()).symbols;
        let code = code_of("", &text, language);
        let place = FileView {
            text: &text,
            code: &code,
            symbols: &symbols,
            is_test: false,
            is_prose: false,
        };
        let left = cut(&place, at, len).map(|it| match it {
            Removal::Bytes(bytes) => format!("{}{}", &text[..bytes.start], &text[bytes.end..]),
            Removal::Definition(idx) => {
                format!("-{}", symbols.definitions[idx as usize].name.of(&text))
            }
        });
        assert_eq!(left.as_deref().map_err(|it| *it), expect);
    }

    #[test]
    fn an_import_loses_the_name_or_goes() {
        check("python", "import os\nfrom a import <parse>\n", Ok("import os\n"));
        check("python", "from a import one, <parse>\n", Ok("from a import one\n"));
        check(
            "python",
            "from a import (\n    one,\n    <parse>,\n)\n",
            Ok("from a import (\n    one,\n)\n"),
        );
        check("rust", "use a::{one, <parse>, two};\n", Ok("use a::{one, two};\n"));
        check(
            "typescript",
            "import { <parse>, two } from './a'\n",
            Ok("import { two } from './a'\n"),
        );
    }

    #[test]
    fn a_list_of_names_loses_its_element() {
        check("python", "__all__ = [\"one\", \"<parse>\"]\n", Ok("__all__ = [\"one\"]\n"));
        check(
            "javascript",
            "module.exports = { <parse>, two }\n",
            Ok("module.exports = { two }\n"),
        );
    }

    #[test]
    fn a_statement_that_only_calls_is_dropped() {
        check(
            "python",
            "def a():\n    b()\n    x.<parse>(\n        1,\n    )\n",
            Ok("def a():\n    b()\n"),
        );
        check("rust", "fn a() {\n    b();\n    <parse>(1);\n}\n", Ok("fn a() {\n    b();\n}\n"));
    }

    #[test]
    fn a_function_that_cannot_do_without_goes_too() {
        check("python", "def a():\n    b()\n    return <parse>(1)\n", Ok("-a"));
        check("python", "def a():\n    <parse>(1)\n", Ok("-a"));
        check("python", "x = <parse>(1)\n", Err("used at the top level"));
    }

    #[test]
    fn a_comment_loses_its_line() {
        check("python", "a()\n# see <parse>\nb()\n", Ok("a()\nb()\n"));
        check("python", "a(f\"{<parse>}\")\n", Err("named in a string"));
    }
}
