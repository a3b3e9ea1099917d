//! Verbs that say what the asker wants to do to the code: who asks "where do I change the port?" wants the place that
//! sets the port, not the code that changes something.

/// Such verbs. `add`, `set`, `create` and `configure` are not here: code often does what they say, in the same word.
const WISHES: [&str; 9] =
    ["adjust", "alter", "change", "customise", "customize", "edit", "modify", "tune", "tweak"];

/// Words before a verb of an asker.
const ASKERS: [&str; 7] = ["i", "one", "people", "someone", "they", "we", "you"];

/// Words before `to` and a verb of an asker.
const WANTS: [&str; 10] =
    ["has", "have", "how", "like", "need", "place", "try", "want", "way", "where"];

/// Words after a verb at the start of a request.
const DETERMINERS: [&str; 9] = ["a", "all", "an", "every", "my", "our", "the", "this", "your"];

/// True for a word that says what the asker wants to do. `words` are the question's, in lower case; `at` is its index.
pub(crate) fn is_wish(words: &[String], at: usize) -> bool {
    let word = |at: Option<usize>| at.and_then(|it| words.get(it)).map_or("", String::as_str);
    let before = |n: usize| word(at.checked_sub(n));
    WISHES.contains(&word(Some(at)))
        && match before(1) {
            "" => DETERMINERS.contains(&word(at.checked_add(1))),
            "to" => before(2).is_empty() || WANTS.contains(&before(2)),
            it => ASKERS.contains(&it),
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(question: &str, expect: &[&str]) {
        let words: Vec<String> = question.split(' ').map(str::to_owned).collect();
        let wishes = (0..words.len()).filter(|it| is_wish(&words, *it));
        assert_eq!(wishes.map(|it| &*words[it]).collect::<Vec<_>>(), expect, "{question}");
    }

    #[test]
    fn what_the_asker_does_is_told_from_what_the_code_does() {
        check("where do i change the connection string", &["change"]);
        check("how can we tweak timeouts", &["tweak"]);
        check("how to customise the theme", &["customise"]);
        check("i want to modify the port", &["modify"]);
        check("change the default port", &["change"]);
        check("to edit the menu", &["edit"]);
        check("what happens when files change", &[]);
        check("change password", &[]);
        check("how does it react to change events", &[]);
        check("where are edit commands undone", &[]);
        check("", &[]);
    }
}
