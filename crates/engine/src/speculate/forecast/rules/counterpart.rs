//! The other half of a pair of functions: `decode_page` where there are `encode_page`, `encode_frame` and `decode_frame`.

use std::rc::Rc;

use super::super::draft::{Draft, cite_place, like};
use super::super::facts::{Facts, Place, directory};
use super::super::view::{FileView, indentation, is_function};
use super::super::words::{Rename, capitalized, word_ranges};
use crate::index::DefinitionSite;
use crate::speculate::{ForecastForm, ForecastKind};

/// Words that belong together.
const PAIRS: &[(&str, &str)] = &[
    ("serialize", "deserialize"),
    ("serialise", "deserialise"),
    ("marshal", "unmarshal"),
    ("encode", "decode"),
    ("encrypt", "decrypt"),
    ("compress", "decompress"),
    ("pack", "unpack"),
    ("read", "write"),
    ("load", "save"),
    ("load", "store"),
    ("import", "export"),
    ("open", "close"),
    ("get", "set"),
    ("push", "pop"),
    ("enqueue", "dequeue"),
    ("add", "remove"),
    ("insert", "remove"),
    ("insert", "delete"),
    ("create", "delete"),
    ("create", "destroy"),
    ("start", "stop"),
    ("begin", "end"),
    ("enter", "exit"),
    ("enable", "disable"),
    ("show", "hide"),
    ("lock", "unlock"),
    ("acquire", "release"),
    ("attach", "detach"),
    ("bind", "unbind"),
    ("connect", "disconnect"),
    ("register", "unregister"),
    ("subscribe", "unsubscribe"),
    ("mount", "unmount"),
    ("increment", "decrement"),
    ("up", "down"),
    ("setup", "teardown"),
    ("before", "after"),
    ("min", "max"),
    ("first", "last"),
    ("first", "second"),
    ("send", "receive"),
    ("request", "response"),
    ("to", "from"),
    ("parse", "format"),
    ("render", "parse"),
    ("is", "set"),
    ("next", "previous"),
    ("input", "output"),
    ("left", "right"),
    ("horizontal", "vertical"),
    ("width", "height"),
    ("sync", "async"),
];

/// At least so many pairs must be complete beside the half, and this share of all.
const LEAST: usize = 1;
const SHARE: f32 = 0.6;

/// The halves that the functions of a file lack.
pub(in super::super) fn counterparts<'s>(facts: &Facts<'s>, view: &Rc<FileView<'s>>) -> Vec<Draft> {
    let functions: Vec<u32> =
        view.definitions().filter(|it| is_function(it.1.kind)).map(|it| it.0).collect();
    let mut res = Vec::new();
    for idx in functions.iter().copied() {
        let half = |pair: &(&str, &str)| of_pair(facts, view, &functions, idx, *pair);
        res.extend(PAIRS.iter().filter_map(half));
        let reverse = |pair: &(&str, &str)| of_pair(facts, view, &functions, idx, (pair.1, pair.0));
        res.extend(PAIRS.iter().filter_map(reverse));
    }
    res
}

/// The name with one word in the place of another; `None` if it does not have that word.
fn with_word(name: &str, word: &str, other: &str) -> Option<String> {
    let ranges = word_ranges(name);
    let at = ranges.iter().find(|it| name[(*it).clone()].eq_ignore_ascii_case(word))?.clone();
    let own = &name[at.clone()];
    let cased = match own.chars().next() {
        _ if own.len() > 1 && own.chars().all(char::is_uppercase) => other.to_uppercase(),
        Some(it) if it.is_uppercase() => capitalized(other),
        _ => other.to_owned(),
    };
    Some(format!("{}{cased}{}", &name[..at.start], &name[at.end..]))
}

fn of_pair<'s>(
    facts: &Facts<'s>,
    view: &Rc<FileView<'s>>,
    functions: &[u32],
    idx: u32,
    (word, other): (&str, &str),
) -> Option<Draft> {
    let name = with_word(view.name(idx), word, other)?;
    let is_near =
        |it: &DefinitionSite| directory(facts.snapshot.path(it.file)) == directory(view.path);
    if facts.is_common(&name) || facts.sites(&name, view.language).iter().any(is_near) {
        return None;
    }
    let pairs = pairs_beside(view, functions, idx, (word, other));
    let complete = pairs.iter().filter(|it| it.1.is_some()).count();
    if complete < LEAST || (complete as f32) < SHARE * pairs.len() as f32 {
        return None;
    }
    let nearest = pairs.iter().filter_map(|it| Some((it.0, it.1?)));
    let (half, whole) = nearest.min_by_key(|it| it.0.abs_diff(idx))?;
    let place = |idx| Place { view: Rc::clone(view), idx };
    let rename = Rename::new(view.name(half), view.name(idx))?;
    if rename.identifier(view.name(whole)) != name {
        return None;
    }
    let lines = view.lines_of(idx);
    let code = like(&place(whole), &[rename], indentation(view.line(lines.start)))?;
    let missing = cite_place(&place(idx), format!("{} has no {name}", view.name(idx)));
    let what = format!("{} has {}", view.name(half), view.name(whole));
    Some(Draft {
        kind: ForecastKind::Counterpart,
        form: ForecastForm::Code,
        code,
        line: lines.end,
        evidence: vec![missing, cite_place(&place(whole), what)],
        fit: complete as f32 / (pairs.len() + 1) as f32,
        name,
    })
}

/// The functions beside one that have the word, each with its other half if there is one.
fn pairs_beside(
    view: &FileView<'_>,
    functions: &[u32],
    idx: u32,
    (word, other): (&str, &str),
) -> Vec<(u32, Option<u32>)> {
    let scope = |idx: u32| (view.definition(idx).and_then(|it| it.parent), view.owner(idx));
    let beside = functions.iter().copied().filter(|it| *it != idx && scope(*it) == scope(idx));
    let pair = |it: u32| {
        let wanted = with_word(view.name(it), word, other)?;
        Some((it, functions.iter().copied().find(|it| view.name(*it) == wanted)))
    };
    beside.filter_map(pair).collect()
}
