//! Parses a fill-in-the-middle prompt that a client rendered back into the text before and after the cursor.
//!
//! Some tools know their model's format and send the finished prompt: the text around the cursor between the format's
//! special tokens, after the tool's own snippets, each under its path.

use foreword_engine::compose::{Format, Step};
use foreword_model::request::ContextPiece;

/// The parts of a rendered prompt.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ParsedPrompt {
    pub(crate) format: &'static Format,
    pub(crate) prefix: String,
    pub(crate) suffix: String,
    /// The path of the cursor's file, if the prompt names it.
    pub(crate) path: Option<String>,
    /// Pieces of other files, in the order of the prompt.
    pub(crate) snippets: Vec<ContextPiece>,
}

/// The special tokens around prefix and suffix.
struct Markers {
    prefix: &'static str,
    suffix: &'static str,
    /// The token that ends the prompt; empty if there is none.
    middle: &'static str,
}

/// Parses a prompt. If several model families share the special tokens, `likely` decides, if it is one of them.
pub(crate) fn parse(text: &str, likely: Option<&'static Format>) -> Option<ParsedPrompt> {
    let mut all = likely.into_iter().chain(Format::ALL);
    all.find_map(|format| parse_as(text, format))
}

fn parse_as(text: &str, format: &'static Format) -> Option<ParsedPrompt> {
    let markers = markers(format)?;
    let at_prefix = text.find(markers.prefix)?;
    let at_suffix = text.find(markers.suffix)?;
    let body_end = match markers.middle {
        "" => text.len(),
        mark => {
            let at = text.rfind(mark)?;
            text[at + mark.len()..].trim().is_empty().then_some(at)?
        }
    };
    let (prefix_start, suffix_start) =
        (at_prefix + markers.prefix.len(), at_suffix + markers.suffix.len());
    let (prefix_end, suffix_end) =
        if at_prefix < at_suffix { (at_suffix, body_end) } else { (body_end, at_prefix) };
    let prefix = text.get(prefix_start..prefix_end)?;
    let suffix = text.get(suffix_start..suffix_end)?;
    let (mut snippets, mut path) = header(&text[..at_prefix.min(at_suffix)], format);
    let (of_prefix, own, rest) = comments(prefix);
    snippets.extend(of_prefix);
    path = own.or(path);
    Some(ParsedPrompt {
        format,
        prefix: rest.to_owned(),
        suffix: suffix.to_owned(),
        path,
        snippets,
    })
}

/// The special tokens of a format whose template has each text directly after one.
fn markers(format: &'static Format) -> Option<Markers> {
    let (mut prefix, mut suffix, mut last) = (None, None, None);
    let mut mark = None;
    for step in format.template {
        match *step {
            Step::Mark(text) => {
                // `<file_sep><fim_prefix>`: the last one counts. Code Llama's spaces belong to its special tokens.
                let at = text.rfind('<').or_else(|| text.rfind('[')).unwrap_or(0);
                mark = Some(&text[text[..at].trim_end_matches(' ').len()..]);
                last = mark;
            }
            Step::Prefix => {
                prefix = mark;
                last = None;
            }
            Step::Suffix => {
                suffix = mark;
                last = None;
            }
            _ => {}
        }
    }
    let found = Markers { prefix: prefix?, suffix: suffix?, middle: last.unwrap_or("") };
    // Formats with a chat around the hole, or with special tokens that are ambiguous.
    let is_plain = found.prefix != found.suffix && format.name != "aixcoder";
    (is_plain && format.name != "codegeex4").then_some(found)
}

/// The files before the hole, and the path of the cursor's file.
fn header(text: &str, format: &'static Format) -> (Vec<ContextPiece>, Option<String>) {
    let separator = format.part.iter().find_map(|it| match *it {
        Step::Mark(mark) => Some(mark),
        _ => None,
    });
    let Some(separator) = separator.filter(|it| text.contains(*it)) else {
        let rest = text.trim();
        let snippet = ContextPiece { path: String::new(), text: rest.to_owned() };
        let has_more = !rest.is_empty() && !rest.starts_with('<');
        return (has_more.then_some(snippet).into_iter().collect(), None);
    };
    let mut snippets = Vec::new();
    let mut path = None;
    // If each file begins with a separator, the text before the first one is the name of the repository.
    let begins = matches!(format.part.first(), Some(Step::Mark(_)));
    for block in text.split(separator).skip(usize::from(begins)) {
        let (name, body) = block.split_once('\n').unwrap_or((block, ""));
        path = body.trim().is_empty().then(|| name.trim().to_owned());
        if !body.trim().is_empty() {
            snippets.push(ContextPiece { path: name.trim().to_owned(), text: body.to_owned() });
        }
    }
    (snippets, path.filter(|it| !it.is_empty()))
}

/// Splits off the snippets above the code: those after `+++++ path`, or in comments after `Path: path`. Also returns the
/// path of the cursor's file, if the last such line has code below it, and the code.
pub(crate) fn comments(prefix: &str) -> (Vec<ContextPiece>, Option<String>, &str) {
    let mut snippets: Vec<ContextPiece> = Vec::new();
    let mut rest = prefix;
    // Where the last `+++++` line begins: lines before it belong to snippets.
    let last = memchr::memmem::rfind(prefix.as_bytes(), b"\n+++++ ").unwrap_or(0);
    loop {
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        let Some((comment, path)) = path_line(line) else { break };
        rest = after;
        let mut text = String::new();
        while let Some((line, after)) = rest.split_once('\n') {
            let is_body = match comment {
                "" => path_line(line).is_none() && prefix.len() - rest.len() <= last,
                comment => line.starts_with(comment) && path_line(line).is_none(),
            };
            if !is_body {
                break;
            }
            let line = line.strip_prefix(comment).unwrap_or(line);
            text.push_str(if comment.is_empty() { line } else { line.trim_start_matches(' ') });
            text.push('\n');
            rest = after;
        }
        if text.trim().is_empty() {
            return (snippets, Some(path.to_owned()), rest);
        }
        snippets.push(ContextPiece { path: path.to_owned(), text });
        rest = rest.strip_prefix('\n').unwrap_or(rest);
    }
    (snippets, None, rest)
}

/// The comment marker that begins the line (empty for `+++++`), and the path that the line names.
fn path_line(line: &str) -> Option<(&'static str, &str)> {
    if let Some(path) = line.strip_prefix("+++++ ") {
        return Some(("", path.trim()));
    }
    let of = |comment: &'static str| {
        let path = line.strip_prefix(comment)?.strip_prefix(" Path: ")?;
        Some((comment, path.trim()))
    };
    ["//", "#", "--", ";", "%"].into_iter().find_map(of)
}

#[cfg(test)]
mod tests {
    use foreword_engine::compose::{Hole, Part, compose};

    use super::*;

    #[test]
    fn rendered_prompts_are_parsed_back_in_every_format_with_special_tokens() {
        let mut seen = Vec::new();
        for format in Format::ALL.iter().filter(|it| markers(it).is_some()) {
            let hole = Hole {
                repository: "shop",
                path: "a/b.py",
                line_comment: Some("#"),
                language_name: None,
                prefix: "def f(x):\n    return ",
                suffix: "\n\nf(1)\n",
            };
            let parts = [Part { path: "c.py", text: "import d\nx = 1\n" }];
            let parsed = parse(&compose(format, &hole, &parts).text, Some(format)).unwrap();
            assert_eq!(parsed.format.name, format.name);
            assert_eq!(parsed.suffix, hole.suffix, "{}", format.name);
            assert!(parsed.prefix.ends_with(hole.prefix), "{}: {parsed:?}", format.name);
            assert!(parsed.snippets.iter().any(|it| it.text.contains("x = 1")), "{parsed:?}");
            seen.push(format.name);
        }
        for name in ["qwen2.5-coder", "starcoder2", "codellama", "codestral", "mellum", "glm-4"] {
            assert!(seen.contains(&name), "{name}");
        }
    }

    #[test]
    fn an_editors_plain_prompt_has_no_path_and_no_snippets() {
        let text = "<|fim_prefix|>a = 1\nb = <|fim_suffix|>\nc = 3\n<|fim_middle|>";
        let parsed = parse(text, None).unwrap();
        assert_eq!(parsed.format.name, "qwen2.5-coder");
        assert_eq!((parsed.prefix.as_str(), parsed.suffix.as_str()), ("a = 1\nb = ", "\nc = 3\n"));
        assert_eq!((parsed.path, parsed.snippets), (None, Vec::new()));
    }

    #[test]
    fn files_before_the_hole_are_the_clients_snippets() {
        let text = "<|repo_name|>shop\n<|file_sep|>a.py\nx = 1\n<|file_sep|>b.py\n<|fim_prefix|>y = <|fim_suffix|>\n<|fim_middle|>";
        let parsed = parse(text, None).unwrap();
        assert_eq!(parsed.path.as_deref(), Some("b.py"));
        assert_eq!(parsed.snippets, [ContextPiece { path: "a.py".into(), text: "x = 1\n".into() }]);
    }

    #[test]
    fn comments_above_the_code_are_the_clients_snippets() {
        let (snippets, path, rest) =
            comments("// Path: a.ts\n// let a = 1;\n// Path: b.ts\nlet b = a");
        assert_eq!(snippets, [ContextPiece { path: "a.ts".into(), text: "let a = 1;\n".into() }]);
        assert_eq!((path.as_deref(), rest), (Some("b.ts"), "let b = a"));
        assert_eq!(comments("# Paths are long\nx").2, "# Paths are long\nx");
    }

    #[test]
    fn snippets_after_plus_signs_reach_to_the_next_and_the_last_line_names_the_file() {
        let (snippets, path, rest) = comments("+++++ a.c\nint a;\n\nint b;\n+++++ c.c\nint c;\n");
        let snippet = ContextPiece { path: "a.c".into(), text: "int a;\n\nint b;\n".into() };
        assert_eq!((snippets, path.as_deref(), rest), (vec![snippet], Some("c.c"), "int c;\n"));
    }

    #[test]
    fn text_without_all_special_tokens_is_not_a_rendered_prompt() {
        assert_eq!(parse("Tell me a joke", None), None);
        assert_eq!(parse("<|fim_prefix|>a<|fim_suffix|>b", None), None);
        assert_eq!(parse("<|fim_prefix|>a<|fim_suffix|>b<|fim_middle|>begun", None), None);
    }
}
