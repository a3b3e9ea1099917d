//! A doc comment as the prose that it holds.

/// What marks comments and strings, and is no prose.
const MARKS: &[char] = &['/', '*', '#', '!', '-', '"', '\'', ';', '%', '|', '=', '~', '^'];

/// Longer texts say more than one thing; in bytes.
const MOST: usize = 600;

/// Texts that say something of a file or for a tool, not of a definition.
const NOT_PROSE: [&str; 8] =
    ["copyright", "license", "eslint", "@generated", "todo", "fixme", "inheritdoc", "noqa"];

/// The prose of a comment, its first lines; `None` if it says nothing of a definition.
pub fn doc_text(comment: &str) -> Option<String> {
    let mut res = String::new();
    for line in comment.lines() {
        let line = prose(line);
        // What follows is a list of parameters, which the signature has as well.
        if !res.trim().is_empty() && is_list(line) {
            break;
        }
        if res.len() + line.len() > MOST {
            break;
        }
        res.push_str(line);
        res.push('\n');
    }
    let res = res.trim();
    says_something(res).then(|| res.to_owned())
}

/// A line without the marks of comments.
fn prose(line: &str) -> &str {
    let line = line.trim().trim_start_matches("@doc").trim_start_matches("@moduledoc");
    let line = line.trim().trim_start_matches(MARKS).trim_end_matches(MARKS);
    line.trim().trim_start_matches("<summary>").trim_end_matches("</summary>").trim()
}

/// Whether a line begins a list of parameters or an example.
fn is_list(line: &str) -> bool {
    let starts = [
        "@param",
        "@return",
        "@throws",
        ":param",
        ":return",
        "Args:",
        "Arguments:",
        "Parameters",
        "Returns:",
        "Raises:",
        "Example",
        "\\param",
        "<param",
        "<returns",
        "```",
        ">>>",
        "- Parameter",
    ];
    starts.iter().any(|it| line.starts_with(it))
}

fn says_something(text: &str) -> bool {
    let lower = text.to_lowercase();
    let letters = text.chars().filter(char::is_ascii_alphabetic).count();
    text.split_whitespace().count() >= 3
        && letters * 2 > text.chars().count()
        && !NOT_PROSE.iter().any(|it| lower.contains(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(comment: &str, expect: Option<&str>) {
        assert_eq!(doc_text(comment).as_deref(), expect, "{comment}");
    }

    #[test]
    fn of_a_comment_the_prose_is_left() {
        check(
            "/// Reads the settings.\n/// Fails without a file.",
            Some("Reads the settings.\nFails without a file."),
        );
        check("/**\n * Parses a URL.\n *\n * @param text the URL\n */", Some("Parses a URL."));
        check("# Sends the mail now", Some("Sends the mail now"));
        check("/// <summary>Opens the file.</summary>", Some("Opens the file."));
    }

    #[test]
    fn what_says_nothing_of_a_definition_is_no_text() {
        check("// Copyright of the authors of it", None);
        check("// eslint-disable next line", None);
        check("/* ======== */", None);
        check("// x", None);
    }
}
