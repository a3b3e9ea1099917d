//! Tells what a question about the project as a whole asks for.

use super::table::{ACTIVITIES, Activity, FILLER, WITH};
use crate::ask::types::AskRequest;

/// A question about what people do with the project.
#[derive(Debug, PartialEq, Eq)]
pub(in super::super) struct ActivityQuestion {
    pub(super) activity: &'static Activity,
    /// Words that say where or with what: `docker`.
    pub(super) with: Vec<String>,
    /// The repository's name in lower case; it may be empty.
    pub(super) own: String,
}

impl ActivityQuestion {
    /// True for a word in lower case that says nothing about the question: filler, or a part of the repository's name.
    pub(super) fn says_nothing(&self, word: &str) -> bool {
        is_filler(word, &self.own)
    }
}

fn is_filler(word: &str, own: &str) -> bool {
    let is_own = || own == word || own.split(['-', '_', '.', '/']).any(|own| own == word);
    FILLER.split(' ').any(|filler| filler == word) || is_own()
}

/// The activity that a question without pasted text asks for, if all its words are those of such questions. The
/// repository's own name says nothing.
pub(in super::super) fn activity_question(request: &AskRequest<'_>) -> Option<ActivityQuestion> {
    if !request.pasted.is_empty() {
        return None;
    }
    let own = request.repository.to_lowercase();
    let lower = request.question.to_lowercase();
    let words =
        lower.split(|it: char| !it.is_alphanumeric() && it != '_').filter(|it| !it.is_empty());
    let says_something = |it: &&str| !is_filler(it, &own);
    let (mut found, mut with) = (Vec::new(), Vec::new());
    for word in words.filter(says_something) {
        let of_word = ACTIVITIES.iter().position(|it| it.asked.contains(&word));
        found.extend(of_word);
        if WITH.contains(&word) {
            with.push(word.to_owned());
        } else if of_word.is_none() {
            return None;
        }
    }
    let activity = &ACTIVITIES[found.into_iter().min()?];
    with.retain(|it| !activity.asked.contains(&it.as_str()));
    // "open requests", "send the source": other words of an activity need one that names it.
    let names = |it: &str| activity.titles.contains(&it) || activity.asked[0] == it;
    let is_named = lower.split(|it: char| !it.is_alphanumeric()).any(names);
    let said = ["setup", "set up", "pull request", "from source", "development environment"];
    (is_named || said.iter().any(|it| lower.contains(it))).then_some(ActivityQuestion {
        activity,
        with,
        own,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(question: &str) -> Option<&'static str> {
        let request = AskRequest { question, repository: "shop", ..AskRequest::default() };
        activity_question(&request).map(|it| it.activity.asked[0])
    }

    #[test]
    fn a_question_about_the_project_is_told_from_one_about_its_code() {
        for (question, expected) in [
            ("how do I install it", "install"),
            ("how do I install shop?", "install"),
            ("install", "install"),
            ("How do I set up the project locally?", "install"),
            ("how do I run the tests", "test"),
            ("run tests", "test"),
            ("how can I build it from source", "build"),
            ("how do I set up the development environment", "build"),
            ("how do I run it in docker", "run"),
            ("how do I start the app", "run"),
            ("how do I contribute", "contribute"),
            ("how do I open a pull request", "contribute"),
        ] {
            assert_eq!(asked(question), Some(expected), "{question}");
        }
        for question in [
            "how do I install a plugin",
            "where are tests discovered",
            "how are requests sent",
            "open requests",
            "what does the build function do",
            "how do I test a component",
            "how does it work",
            "",
        ] {
            assert_eq!(asked(question), None, "{question}");
        }
    }
}
