//! Whether a question is about the repository as a whole. A phrase of such questions (`architecture`, `entry points`)
//! decides only where no other word says what is asked: "where is the target architecture found" is about one function.

/// Phrases that name the whole.
const WHOLE: [&str; 7] = [
    "what is this project",
    "what is this repo",
    "what does this project",
    "what does this repo",
    "what does this code",
    "about this repo",
    "about this project",
];

/// Phrases of questions about the whole, if nothing else is asked.
const PHRASES: [&str; 14] = [
    "architecture",
    "overview",
    "organi",
    "codebase structure",
    "code structure",
    "project structure",
    "structure of th",
    "where do i start",
    "where should i start",
    "where to start",
    "main components",
    "main parts",
    "main modules",
    "entry points",
];

/// Beginnings of questions about the whole, if nothing else is asked: "what is just", "how does this work".
const BEGINNINGS: [&str; 5] = ["what", "how do", "explain", "describe", "tell me about"];

/// Words of such questions that say nothing else, and the beginnings of the others.
const GENERAL: &str = "a an and are about all api application app at be brief briefly can code codebase components \
    could describe design detail do does each entry everything explain first fit fits for general give go going have high how i \
    important in into is it its key kind laid level library list look looks main makes me modules my of on or out \
    overall overview package parts piece pieces please points program project quick reading repo repository service \
    shape short should show software source start started structure structured summary system tell that the their \
    there they this to together tool us walk want we what whats where which whole with work works would you your";

/// Whether a question is about the repository as a whole. Its name, which may be empty, says nothing.
pub(super) fn is_about_whole(question: &str, repository: &str) -> bool {
    let lower = question.to_lowercase();
    let has = |all: &[&str]| all.iter().any(|it| lower.contains(it));
    let begins = BEGINNINGS.iter().any(|it| lower.trim_start().starts_with(it));
    has(&WHOLE)
        || is_high_level(&lower)
        || (begins || has(&PHRASES)) && says_nothing_else(&lower, repository)
}

/// `high-level overview`: the phrase alone may be about a part, `the high level client`.
fn is_high_level(lower: &str) -> bool {
    ["high-level ", "high level "].iter().any(|level| {
        ["overview", "architecture", "design", "structure", "summary", "description"]
            .iter()
            .any(|it| lower.contains(&format!("{level}{it}")))
    })
}

fn says_nothing_else(lower: &str, repository: &str) -> bool {
    let own = repository.to_lowercase();
    let is_own = |it: &str| own.split(['-', '_', '.', '/']).any(|own| own == it) || own == it;
    let is_general = |it: &str| {
        it.starts_with("organi")
            || it == "architecture"
            || GENERAL.split(' ').any(|word| word == it)
    };
    let mut words = lower.split(|it: char| !it.is_alphanumeric()).filter(|it| it.len() > 1);
    words.all(|it| is_general(it) || is_own(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_about_a_part_is_no_question_about_the_whole() {
        for question in [
            "architecture",
            "What is the architecture of just?",
            "How is the code organised? Give me an overview of the architecture",
            "what is this project and what does it do for web developers",
            "explain the code structure",
            "where do I start reading?",
            "what are the main components",
            "high-level overview of request handling and everything else",
            "entry points",
            "give me an overview",
            "what is just",
            "what does this do?",
            "how does this project fit together",
            "explain this repo",
            "how does just work?",
        ] {
            assert!(is_about_whole(question, "just"), "{question}");
        }
        for question in [
            "where is the target architecture found",
            "microarchitecture",
            "what are the entry points of plugins",
            "high level client retries",
            "overview page of orders",
            "how are imports organised by the formatter",
            "what is a recipe",
            "how does a recipe work",
        ] {
            assert!(!is_about_whole(question, "just"), "{question}");
        }
    }
}
