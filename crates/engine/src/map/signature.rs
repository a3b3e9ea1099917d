//! A signature in one line, without comments, and its visibility.

use foreword_chunk::{Definition, Kind, Language, Span};

/// The signature in one line, from the line of the name on (without decorators), at most `max_chars` long.
pub(super) fn signature(
    text: &str,
    language: Option<Language>,
    definition: &Definition,
    max_chars: usize,
) -> String {
    let span = definition.signature;
    let head = &text[..(definition.name.start as usize).min(text.len())];
    let line = head.rfind('\n').map_or(0, |at| at + 1) as u32;
    // C names a `typedef struct { … } name` after its body.
    let start = if line < span.end { span.start.max(line) } else { span.start };
    let whole = Span { start, end: span.end }.of(text);
    // The value of a constant is not part of its signature.
    let is_data = matches!(definition.kind, Kind::Field | Kind::Constant | Kind::Section);
    let shown = if is_data { whole.lines().next().unwrap_or(whole) } else { whole };
    let shown = without_comments(shown, language);
    let mut res = String::new();
    for word in shown.split_whitespace() {
        if !res.is_empty() {
            res.push(' ');
        }
        res.push_str(word);
        if res.len() > 4 * max_chars {
            break;
        }
    }
    let name = definition.name.of(text);
    if !res.contains(name) && !is_data {
        res.push(' ');
        res.push_str(name);
    }
    shorten(&mut res, definition.kind, max_chars);
    res
}

/// Cuts a long signature; that of a type before the parameters of its constructor, since its name matters most.
fn shorten(signature: &mut String, kind: Kind, max_chars: usize) {
    let is_type = matches!(kind, Kind::Class | Kind::Interface | Kind::Enum | Kind::Type);
    let most = if is_type { max_chars * 2 / 3 } else { max_chars };
    let Some((end, _)) = signature.char_indices().nth(most) else { return };
    let parameters = signature.find('(').filter(|at| is_type && *at > 0 && *at < end);
    let before = signature[..end].char_indices().next_back().map_or(0, |it| it.0);
    signature.truncate(parameters.map_or(before, |at| at + 1));
    signature.push('…');
}

/// The text without comments; strings that contain comment marks stay.
fn without_comments(text: &str, language: Option<Language>) -> String {
    let line = language.and_then(Language::line_comment);
    let block = language.and_then(Language::block_comment);
    // A heading of a document begins like a comment.
    let (line, block) =
        if language == Some(Language::Markdown) { (None, None) } else { (line, block) };
    let mut res = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some((_, end)) = block.filter(|it| rest.starts_with(it.0)) {
            let after = rest.find(end).map_or(rest.len(), |at| at + end.len());
            res.push(' ');
            rest = &rest[after..];
        } else if line.is_some_and(|it| rest.starts_with(it)) {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
        } else {
            let len = string_len(rest).unwrap_or(c.len_utf8());
            res.push_str(&rest[..len]);
            rest = &rest[len..];
        }
    }
    res
}

/// Length of the string literal at the start of the text. A quote that the line does not close starts none (a lifetime
/// of Rust, a type variable).
fn string_len(text: &str) -> Option<usize> {
    let quote = text.bytes().next().filter(|it| matches!(it, b'"' | b'\'' | b'`'))?;
    let bytes = text.as_bytes();
    let mut at = 1;
    while at < bytes.len() && bytes[at] != b'\n' {
        match bytes[at] {
            b'\\' => at += 2,
            it if it == quote => return Some(at + 1),
            _ => at += 1,
        }
    }
    None
}

/// Whether a definition is private to its file or package, by a keyword before its name, the case of the name in Go, or
/// an underscore.
pub(super) fn is_hidden(
    signature: &str,
    name: &str,
    kind: Kind,
    language: Option<Language>,
) -> bool {
    let before = signature.split_once(name).map_or("", |it| it.0);
    let says = |word: &str| before.split(|it: char| !it.is_alphanumeric()).any(|it| it == word);
    if name.starts_with('_') || says("private") || says("fileprivate") || says("internal") {
        return true;
    }
    match language {
        Some(Language::Go) => name.starts_with(char::is_lowercase),
        Some(Language::Rust) => (!says("pub") || before.contains("pub(")) && kind != Kind::Macro,
        Some(Language::C | Language::Cpp) => says("static") && kind == Kind::Function,
        Some(Language::Elixir) => says("defp") || says("defmacrop"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_no_part_of_a_signature() {
        let check = |text: &str, language, expect: &str| {
            let shown = without_comments(text, Some(language));
            assert_eq!(shown.split_whitespace().collect::<Vec<_>>().join(" "), expect);
        };
        check(
            "class A(\n  /** Doc, \"x\". */\n  val b: Int, // c\n)",
            Language::Kotlin,
            "class A( val b: Int, )",
        );
        check("def f(a='#', b=\"x # y\"):  # noqa", Language::Python, "def f(a='#', b=\"x # y\"):");
        check("fn f<'a>(b: &'a str /* c */)", Language::Rust, "fn f<'a>(b: &'a str )");
        check("# Heading", Language::Markdown, "# Heading");
    }

    #[test]
    fn a_long_constructor_is_left_out_of_the_signature_of_its_class() {
        let mut long = format!("class A private constructor( {})", "val b: Int, ".repeat(20));
        shorten(&mut long, Kind::Class, 100);
        assert_eq!(long, "class A private constructor(…");
        let mut call = format!("fun f({})", "b: Int, ".repeat(20));
        shorten(&mut call, Kind::Function, 100);
        assert_eq!(call.chars().count(), 100);
    }

    #[test]
    fn keywords_and_names_say_who_may_use_a_definition() {
        let check =
            |signature, name, kind, language| is_hidden(signature, name, kind, Some(language));
        assert!(check("func debugPrint()", "debugPrint", Kind::Function, Language::Go));
        assert!(!check("func (c *Context) JSON()", "JSON", Kind::Method, Language::Go));
        assert!(check("pub(crate) fn f()", "f", Kind::Function, Language::Rust));
        assert!(!check("pub fn f()", "f", Kind::Function, Language::Rust));
        assert!(check("internal fun f()", "f", Kind::Function, Language::Kotlin));
        assert!(check("static int f(void)", "f", Kind::Function, Language::C));
        assert!(!check("class A private constructor()", "A", Kind::Class, Language::Kotlin));
    }
}
