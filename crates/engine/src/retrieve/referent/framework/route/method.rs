//! The methods of HTTP that a route or a call names.

/// A set of methods; an empty one is any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Methods(u16);

/// Their names in lower case. Those in one row are one method.
const NAMES: &[&[&str]] = &[
    &["get", "head"],
    &["post"],
    &["put"],
    &["patch"],
    &["delete", "del", "destroy"],
    &["options"],
];

impl Methods {
    /// The method that a word is, in any case.
    pub(super) fn named(word: &str) -> Option<Self> {
        let is_it = |names: &&[&str]| names.iter().any(|it| it.eq_ignore_ascii_case(word));
        NAMES.iter().position(is_it).map(|it| Self(1 << it))
    }

    /// All of some words that are one.
    pub(super) fn of(words: &[&str]) -> Self {
        words.iter().filter_map(|it| Self::named(it)).fold(Self::default(), Self::with)
    }

    pub(super) fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether nothing speaks against one being the other.
    pub(super) fn fit(self, other: Self) -> bool {
        self.0 == 0 || other.0 == 0 || self.0 & other.0 != 0
    }
}

/// The words of a name in camel case or with underscores, in lower case.
pub(super) fn words_of(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut was_lower = false;
    for it in name.chars() {
        if it == '_' || words.is_empty() || it.is_uppercase() && was_lower {
            words.push(String::new());
        }
        was_lower = it.is_lowercase() || it.is_ascii_digit();
        if it != '_'
            && let Some(last) = words.last_mut()
        {
            last.extend(it.to_lowercase());
        }
    }
    words
}
