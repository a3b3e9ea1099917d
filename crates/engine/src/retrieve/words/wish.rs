//! Verbs that say what the asker wants to do to the code: who asks "where do I change the port?" wants the place that
//! sets the port, not the code that changes something. So it is with verbs that ask for a list, or for whatever uses a
//! thing: "who reads the table?" asks for no reader.

/// Such verbs. `add`, `set`, `create` and `configure` are not here: code often does what they say, in the same word.
const WISHES: [&str; 9] =
    ["adjust", "alter", "change", "customise", "customize", "edit", "modify", "tune", "tweak"];

/// Verbs at the start of a request for all things of a kind.
const LISTS: [&str; 2] = ["enumerate", "list"];

/// Verbs of questions about what uses a thing.
const RELATIONS: [&str; 7] =
    ["accesses", "calls", "consumes", "reads", "references", "touches", "writes"];

/// Words before a verb of an asker.
const ASKERS: [&str; 7] = ["i", "one", "people", "someone", "they", "we", "you"];

/// Words before `to` and a verb of an asker.
const WANTS: [&str; 10] =
    ["has", "have", "how", "like", "need", "place", "try", "want", "way", "where"];

/// Words after a verb at the start of a request.
const DETERMINERS: [&str; 9] = ["a", "all", "an", "every", "my", "our", "the", "this", "your"];

/// True for a word that says what the asker wants to do, or to be told. `words` are the question's, in lower case; `at`
/// is its index.
pub(crate) fn is_wish(words: &[String], at: usize) -> bool {
    let word = |at: Option<usize>| at.and_then(|it| words.get(it)).map_or("", String::as_str);
    let before = |n: usize| word(at.checked_sub(n));
    let (own, after) = (word(Some(at)), word(at.checked_add(1)));
    let is_determined = DETERMINERS.contains(&after);
    match before(1) {
        "" if LISTS.contains(&own) => is_determined || after == "of",
        "" | "what" | "which" | "who" if RELATIONS.contains(&own) => {
            is_determined || matches!(after, "from" | "into" | "to")
        }
        _ if !WISHES.contains(&own) => false,
        "" => is_determined,
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

    #[test]
    fn a_verb_that_asks_for_a_list_or_for_users_is_told_from_one_of_the_code() {
        check("list all phases", &["list"]);
        check("list of exporters", &["list"]);
        check("who reads the adlist table", &["reads"]);
        check("writes to the log", &["writes"]);
        check("list view", &[]);
        check("how does list all work", &[]);
        check("reads per second", &[]);
        check("the cache reads the disk", &[]);
    }
}
