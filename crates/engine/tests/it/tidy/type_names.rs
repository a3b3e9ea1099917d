//! Types are nouns: no struct, enum, trait or type alias is named by a past participle (`Asked`, `Found`).

use std::path::PathBuf;

use super::sources::{code, crates, rust_files};

/// Irregular participles. Those that are common nouns, too (`Hit`, `Run`, `Set`), are not listed.
const IRREGULAR: &str = "Begun Bound Broken Brought Built Caught Chosen Come Cut Done Drawn Fallen Felt Foretold \
                         Forgotten Found Frozen Given Gone Grown Heard Held Hidden Kept Known Laid Led Left Lost Made \
                         Meant Met Paid Put Read Said Seen Sent Shown Shut Sold Spent Spoken Stood Struck Taken Taught \
                         Thought Thrown Told Torn Understood Unread Withheld Won Worn Written";

/// Nouns and adjectives that end like a participle.
const ALLOWED: &str = "Bed Embed Feed Hundred Need Red Seed Shed Speed Thread";

#[test]
fn no_type_is_named_by_a_past_participle() {
    let crates = crates();
    let files = rust_files(&crates);
    let is_source =
        |it: &&PathBuf| it.strip_prefix(&crates).unwrap().iter().nth(1) == Some("src".as_ref());
    let sources = files.iter().filter(is_source);
    let mut wrong = Vec::new();
    for path in sources {
        let text = code(path);
        let types = text.lines().filter_map(type_name).filter(|it| is_participle(it));
        wrong.extend(types.map(|it| format!("{}: {it}", path.display())));
    }
    assert!(wrong.is_empty(), "name the thing, not what was done to it:\n{}", wrong.join("\n"));
}

/// The name of the type that a line declares.
fn type_name(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace().skip_while(|it| it.starts_with("pub"));
    // `pub(in crate::index) struct` has a word more.
    let keyword = words.find(|it| !it.ends_with(')'))?;
    let name = words.next().filter(|_| ["struct", "enum", "trait", "type"].contains(&keyword))?;
    let end = name.find(|it: char| !it.is_alphanumeric()).unwrap_or(name.len());
    Some(&name[..end]).filter(|it| it.starts_with(char::is_uppercase))
}

/// Whether the last word of a name in camel case is a past participle.
fn is_participle(name: &str) -> bool {
    let last = &name[name.rfind(char::is_uppercase).unwrap_or(0)..];
    (last.ends_with("ed") || has(IRREGULAR, last)) && !has(ALLOWED, last)
}

fn has(words: &str, word: &str) -> bool {
    words.split(' ').any(|it| it == word)
}

#[test]
fn the_last_word_of_a_name_decides() {
    assert_eq!(type_name("pub(in crate::index) struct EditedTree<'t> {"), Some("EditedTree"));
    assert_eq!(type_name("enum Found {"), Some("Found"));
    assert_eq!(type_name("impl Found {"), None);
    assert!(is_participle("Found") && is_participle("FileRead") && is_participle("Asked"));
    assert!(!is_participle("EditedTree") && !is_participle("Seed") && !is_participle("Hit"));
}
