//! Tells questions about which environment variables there are from others about them.

use crate::ask::types::AskRequest;
use crate::preset::constants::ask::ENVIRONMENT_WORD;
use crate::retrieve::words::is_stop_word;

/// A question about which environment variables there are.
#[derive(Debug, PartialEq, Eq)]
pub(in super::super) struct EnvironmentQuestion {
    /// Words of their purpose, in lower case and without endings: `mirror`.
    pub(super) words: Vec<String>,
}

/// First words of questions that ask for a list.
const LISTS: [&str; 10] = [
    "all",
    "env",
    "environment",
    "envvar",
    "envvars",
    "list",
    "show",
    "supported",
    "what",
    "which",
];

/// Verbs and adjectives that say no more than that there are variables.
const EMPTY: [&str; 24] = [
    "accepted",
    "app",
    "available",
    "change",
    "changes",
    "configure",
    "control",
    "exist",
    "expected",
    "honoured",
    "list",
    "need",
    "needed",
    "override",
    "project",
    "read",
    "reads",
    "recognised",
    "required",
    "respected",
    "set",
    "sets",
    "supported",
    "use",
];

/// The question about environment variables that a text without pasted lines is.
pub(in super::super) fn environment_question(
    request: &AskRequest<'_>,
) -> Option<EnvironmentQuestion> {
    if !request.pasted.is_empty() {
        return None;
    }
    let lower = request.question.to_lowercase();
    let own = request.repository.to_lowercase();
    let words: Vec<&str> = lower
        .split(|it: char| !it.is_alphanumeric() && it != '_')
        .filter(|it| !it.is_empty())
        .collect();
    let names = |it: &str| it.starts_with("var");
    let is_env = |it: &str| matches!(it, "env" | "environment");
    let at = words.windows(2).position(|it| is_env(it[0]) && names(it[1]));
    let joined = words.iter().position(|it| matches!(*it, "envvar" | "envvars"));
    if at.is_none() && joined.is_none()
        || !LISTS.contains(words.first()?)
        || words.contains(&"happens")
    {
        return None;
    }
    let is_own = |it: &str| own == it || own.split(['-', '_', '.', '/']).any(|own| own == it);
    let is_empty = |it: &str| {
        is_env(it)
            || names(it)
            || it.starts_with("envvar")
            || EMPTY.contains(&it)
            || is_stop_word(it)
            || is_own(it)
    };
    let stem = |it: &str| it.chars().take(ENVIRONMENT_WORD).collect();
    let words = words.into_iter().filter(|it| !is_empty(it)).map(stem).collect();
    Some(EnvironmentQuestion { words })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(question: &str) -> Option<String> {
        let request = AskRequest { question, repository: "shop", ..AskRequest::default() };
        environment_question(&request).map(|it| it.words.join(" "))
    }

    #[test]
    fn a_list_of_variables_is_told_from_how_they_are_treated() {
        for (question, expected) in [
            ("which env vars are read", ""),
            ("what environment variables can I set?", ""),
            ("environment variables", ""),
            ("list envvars of shop", ""),
            ("which env var changes the mirror", "mirror"),
            ("which environment variables does a worker read", "worker"),
        ] {
            assert_eq!(words(question).as_deref(), Some(expected), "{question}");
        }
        for question in [
            "how are environment variables expanded",
            "where are env vars parsed",
            "what happens when an env var is missing",
            "which variables are read",
            "",
        ] {
            assert_eq!(words(question), None, "{question}");
        }
    }
}
