//! Invented names: one name of a true function is replaced by one that the repository does not have.
//!
//! The invention is made of words of the repository, in the style of the replaced name, as a model that remembers half
//! of an interface writes it (`read_header` for `read_head`).

use foreword_chunk::Language;
use foreword_engine::index::Snapshot;
use foreword_engine::speculate::StatedForecast;

use super::added::AddedFunction;
use crate::random::Random;

/// Shorter names are locals and operators of many languages.
const SHORTEST_NAME: usize = 4;

/// Attempts at a name that does not exist.
const TRIES: usize = 60;

/// A function with an invented name, and that name.
pub(super) struct Invention {
    pub(super) forecasts: Vec<StatedForecast>,
    pub(super) replaced: String,
    pub(super) name: String,
}

/// Replaces a random name of the function; `None` if it refers to none.
pub(super) fn invent(snapshot: &Snapshot, added: &AddedFunction, seed: &str) -> Option<Invention> {
    let mut random = Random::of_name(seed);
    let is_name = |it: &&String| it.len() >= SHORTEST_NAME && it.chars().all(is_word);
    let names: Vec<&String> = added.references.iter().filter(is_name).collect();
    let replaced = (!names.is_empty()).then(|| names[random.below(names.len())].clone())?;
    let words = vocabulary(snapshot, &added.path);
    let own = added.forecasts.last()?;
    let name = (0..TRIES).find_map(|_| {
        let word = words.get(random.below(words.len()))?;
        let name = with_last_word(&replaced, word, added.language);
        let is_new = snapshot.definitions(&name).is_empty()
            && snapshot.references(&name).is_empty()
            && !added.forecasts.iter().any(|it| it.code.contains(&name));
        is_new.then_some(name)
    })?;
    let mut forecasts = added.forecasts.clone();
    let changed = StatedForecast { code: replace(&own.code, &replaced, &name), ..own.clone() };
    *forecasts.last_mut()? = changed;
    Some(Invention { forecasts, replaced, name })
}

fn is_word(it: char) -> bool {
    it.is_ascii_alphanumeric() || it == '_'
}

/// The words of the names that the file defines and uses; of a small file also those of its neighbours.
fn vocabulary(snapshot: &Snapshot, path: &str) -> Vec<String> {
    let own = snapshot.file(path).into_iter();
    let mut res: Vec<String> = Vec::new();
    for file in own.chain(snapshot.files().filter(|it| snapshot.path(*it) != path).take(20)) {
        let (text, record) = snapshot.contents(file);
        let names = record.symbols.definitions.iter().map(|it| it.name.of(&text));
        res.extend(names.flat_map(words).filter(|it| it.len() >= 3));
        if res.len() > 400 {
            break;
        }
    }
    res.sort_unstable();
    res.dedup();
    res
}

/// The lower-case words of a name.
fn words(name: &str) -> Vec<String> {
    let mut res = vec![String::new()];
    for it in name.chars() {
        let starts =
            it.is_uppercase() && res.last().is_some_and(|it| !it.ends_with(char::is_uppercase));
        if starts || !it.is_alphabetic() {
            res.push(String::new());
        }
        if let (true, Some(last)) = (it.is_alphabetic(), res.last_mut()) {
            last.push(it);
        }
    }
    res.into_iter().filter(|it| !it.is_empty()).map(|it| it.to_lowercase()).collect()
}

/// The name with its last word replaced, or with a word added if it has only one.
fn with_last_word(name: &str, word: &str, language: Language) -> String {
    let is_snake = name.contains('_') || !has_humps(name) && is_snake(language);
    if is_snake {
        let head = name.trim_end_matches('_').rsplit_once('_').map_or(name, |it| it.0);
        let is_upper = !head.is_empty() && head.chars().all(|it| !it.is_lowercase());
        let word = if is_upper { word.to_uppercase() } else { word.to_owned() };
        return format!("{head}_{word}");
    }
    let last = name.rfind(|it: char| it.is_uppercase()).filter(|at| *at > 0);
    let mut letters = word.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{}{first}{}", &name[..last.unwrap_or(name.len())], letters.as_str())
}

fn has_humps(name: &str) -> bool {
    name.chars().skip(1).any(char::is_uppercase)
}

fn is_snake(language: Language) -> bool {
    use Language::{C, Cpp, Elixir, Lua, Python, Ruby, Rust};
    matches!(language, C | Cpp | Elixir | Lua | Python | Ruby | Rust)
}

/// Replaces a name wherever it is a whole word.
fn replace(code: &str, name: &str, with: &str) -> String {
    let mut res = String::new();
    let mut rest = code;
    while let Some(at) = rest.find(name) {
        let (before, after) = (&rest[..at], &rest[at + name.len()..]);
        let is_whole = !before.ends_with(is_word) && !after.starts_with(is_word);
        res.push_str(before);
        res.push_str(if is_whole { with } else { name });
        rest = after;
    }
    res + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invented_name_has_the_style_of_the_one_that_it_replaces() {
        let check = |name, language, expect| {
            assert_eq!(with_last_word(name, "footer", language), expect);
        };
        check("read_header", Language::Python, "read_footer");
        check("read", Language::Rust, "read_footer");
        check("readHeader", Language::Python, "readFooter");
        check("Reader", Language::Java, "ReaderFooter");
        check("READ_HEADER", Language::C, "READ_FOOTER");
        assert_eq!(words("readHeader_2"), ["read", "header"]);
        assert_eq!(replace("read(read_all, x.read)", "read", "sell"), "sell(read_all, x.sell)");
    }
}
