//! Lists and their elements: containers as they are written, loops, subscripts, callbacks, and methods that give elements.

use foreword_chunk::Span;

use super::super::names::place::{Before, is_name, name_that_ends_at, what_is_before};
use super::code_file::CodeFile;
use super::declaration::{Origin, last_name, made, matching, path_of, written};
use super::object::{Object, opening, span_in};
use super::{Resolution, after_dot};
use crate::index::DefinitionSite;

/// Containers whose last type argument is the type of their elements, or of their values.
const CONTAINERS: [&str; 30] = [
    "Array",
    "ReadonlyArray",
    "Set",
    "ReadonlySet",
    "Map",
    "ReadonlyMap",
    "WeakMap",
    "Record",
    "Iterable",
    "Iterator",
    "IterableIterator",
    "AsyncIterable",
    "Generator",
    "list",
    "List",
    "dict",
    "Dict",
    "Mapping",
    "set",
    "frozenset",
    "deque",
    "Sequence",
    "Collection",
    "Vec",
    "VecDeque",
    "HashMap",
    "BTreeMap",
    "HashSet",
    "BTreeSet",
    "FrozenSet",
];
/// Methods of containers that give one element.
const ONE: [&str; 14] = [
    "get",
    "at",
    "pop",
    "shift",
    "find",
    "findLast",
    "first",
    "last",
    "next",
    "get_mut",
    "unwrap",
    "expect",
    "first_mut",
    "last_mut",
];
/// Methods of containers that give a container of the same elements.
const SAME: [&str; 17] = [
    "filter",
    "slice",
    "sort",
    "reverse",
    "concat",
    "values",
    "iter",
    "into_iter",
    "iter_mut",
    "toSorted",
    "toReversed",
    "copy",
    "splice",
    "rev",
    "take",
    "skip",
    "flat",
];
/// Methods whose argument is called with an element.
const CALLBACKS: [&str; 16] = [
    "map",
    "forEach",
    "filter",
    "find",
    "findIndex",
    "findLast",
    "some",
    "every",
    "flatMap",
    "for_each",
    "filter_map",
    "flat_map",
    "any",
    "all",
    "find_map",
    "sort_by_key",
];
/// Type arguments that are looked at.
const MAX_ARGUMENTS: usize = 4;

/// What a subscript takes of a list.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// `[0]`
    Element,
    /// `[1:]`
    List,
}

/// A container at the start of a type; `path` is the name there.
pub(super) fn list(text: &str, path: &str, rest: &str) -> Option<Origin> {
    let name = path.rsplit(['.', ':']).next().unwrap_or_default();
    let after = &rest[path.len()..];
    if after.starts_with("[]") && !name.is_empty() {
        return Some(Origin::List { container: None, element: last_name(text, path) });
    }
    let inner = after.strip_prefix(['<', '[']).filter(|_| CONTAINERS.contains(&name))?;
    let (mut depth, mut start, mut end) = (0_i32, 0, None);
    for (at, it) in inner.bytes().enumerate() {
        if depth == 0 && matches!(it, b'>' | b']') {
            end = Some(at);
            break;
        }
        depth += i32::from(b"<[({".contains(&it)) - i32::from(b">])}".contains(&it));
        if depth == 0 && it == b',' {
            start = at + 1;
        }
    }
    match written(text, &inner[start..end?])? {
        Origin::Type(element) => {
            Some(Origin::List { container: Some(last_name(text, path)), element })
        }
        _ => None,
    }
}

/// What a subscript takes that a text begins with; `None` where more follows it.
pub(super) fn subscript(text: &str) -> Option<Part> {
    let end = matching(text)?;
    let rest = text[end..].trim_start_matches(['!', ' ', '\t']);
    let ends = rest.is_empty() || rest.starts_with(['\n', '\r', ';', ',', ')', '#']);
    let part = if text[..end].contains(':') { Part::List } else { Part::Element };
    (ends && end > 2).then_some(part)
}

/// The list of which a variable between two texts is an element: in a loop, or as the parameter of a callback.
pub(super) fn element_of(text: &str, before: &str, after: &str) -> Option<Origin> {
    let rest = after.trim_start();
    let value = match rest.strip_prefix(":= range ").filter(|_| before.ends_with(", ")) {
        Some(it) => Some(it),
        None if before.ends_with("const ") || before.ends_with("let ") => rest.strip_prefix("of "),
        None => {
            let start = before.trim_end_matches(['&', ' ']);
            rest.strip_prefix("in ")
                .filter(|_| start.len() < before.len() && start.ends_with("for"))
        }
    };
    match value {
        Some(value) => in_loop(text, value),
        None => in_callback(text, before, rest),
    }
}

/// The element of what a loop goes through.
fn in_loop(text: &str, value: &str) -> Option<Origin> {
    let value = value.trim_start_matches(['&', '*', ' ']);
    let end = value.find('\n').unwrap_or(value.len());
    // The bracket of the loop and its block follow.
    let end =
        value[..end].find([')', ':', '{']).filter(|it| !value[..*it].contains('(')).unwrap_or(end);
    let found = match made(text, &value[..end]) {
        None if end < value.len() => made(text, value),
        found => found,
    };
    match found? {
        Origin::Value(name) => Some(Origin::ElementOfValue(name)),
        Origin::Call(name) => Some(Origin::ElementOfCall(name)),
        _ => None,
    }
}

/// The element that a callback takes: `it` in `rows.map((it) => …`.
fn in_callback(text: &str, before: &str, rest: &str) -> Option<Origin> {
    let is_closure = before.ends_with('|') || before.ends_with("|&");
    let is_first = rest.starts_with([',', ')', '|']) || rest.starts_with("=>");
    if !is_first {
        return None;
    }
    let start = before.trim_end_matches('&');
    let start = start.strip_suffix(['|', '(']).unwrap_or(start).trim_end();
    let start = start.strip_suffix("async").unwrap_or(start).trim_end();
    let start = if start.len() == before.len() || start.ends_with('(') { start } else { before };
    let arrow = rest.find(')').map_or(rest, |it| rest[it + 1..].trim_start());
    if !is_closure && !rest.starts_with("=>") && !arrow.starts_with("=>") {
        return None;
    }
    let call = start.strip_suffix('(')?;
    let owner = call.trim_end_matches(is_name);
    if !CALLBACKS.contains(&&call[owner.len()..]) {
        return None;
    }
    let owner = owner.strip_suffix('.')?.trim_end().trim_end_matches(['?', '!']);
    match name_that_ends_at(owner, owner.len()) {
        Some(name) => Some(Origin::ElementOfValue(span_in(text, name))),
        None => {
            let open = opening(owner).filter(|it| owner[*it..].starts_with('('))?;
            let name = name_that_ends_at(owner, open)?;
            Some(Origin::ElementOfCall(span_in(text, name)))
        }
    }
}

/// An element of an object.
pub(super) fn element(object: Object) -> Object {
    match object {
        Object::List(types) => Object::Types(types),
        Object::Foreign => Object::Foreign,
        _ => Object::Unknown,
    }
}

impl Resolution<'_> {
    /// A container as it is written.
    pub(super) fn of_list(
        &self,
        file: &CodeFile,
        container: Option<Span>,
        element: Span,
    ) -> Object {
        if let Some(container) = container
            && let own @ Object::Types(_) = self.of_declared(file, Origin::Type(container))
        {
            return own;
        }
        match self.of_declared(file, Origin::Type(element)) {
            Object::Types(types) => Object::List(types),
            other => other,
        }
    }

    /// What a method of a container returns; `None` if it is another call.
    pub(super) fn of_list_call(&self, file: &CodeFile, name: Span) -> Option<Object> {
        let (text, word) = (&*file.text, name.of(&file.text));
        let at = name.range().start;
        if what_is_before(text, after_dot(text, at)) == Before::Nothing {
            return None;
        }
        if ["Object.values", "Array.from"].iter().any(|it| text[..name.range().end].ends_with(it)) {
            let argument = text[name.range().end..].strip_prefix('(')?;
            let end = matching(&text[name.range().end..])?.checked_sub(2)?;
            let found = made(text, &argument[..end])?;
            return Some(self.of_declared(file, found));
        }
        let (is_one, is_same) = (ONE.contains(&word), SAME.contains(&word));
        if !is_one && !is_same {
            return None;
        }
        match self.object_before(file, at) {
            Object::List(types) if is_one => Some(Object::Types(types)),
            list @ Object::List(_) => Some(list),
            _ => None,
        }
    }

    /// The bound of a type parameter: `Store` for `T` of `<T extends Store>`.
    pub(super) fn constraint(&self, file: &CodeFile, name: Span) -> Option<Origin> {
        let (text, word) = (&*file.text, name.of(&file.text));
        let marked = format!("{word} extends ");
        let found = file.around(name.range().start).find_map(|it| {
            let end = it.signature.range().end.max(it.name.range().end);
            let part = text.get(it.span.range().start..end)?;
            let mut places = part.match_indices(&marked).take(MAX_ARGUMENTS);
            let at = places.find(|(at, _)| {
                let before = part[..*at].trim_end().trim_end_matches("const").trim_end();
                before.ends_with(['<', ','])
            });
            at.map(|(at, it)| &part[at + it.len()..])
        });
        written(text, found?).filter(|it| *it != Origin::Type(name))
    }

    /// The types in the arguments of a type: what an alias adds to them is among its own members, or theirs.
    pub(super) fn arguments(&self, file: &CodeFile, name: Span) -> Vec<DefinitionSite> {
        let after = &file.text[name.range().end..];
        let mut res = Vec::new();
        let Some(mut rest) = after.strip_prefix('<') else { return res };
        for _ in 0..MAX_ARGUMENTS {
            rest = rest.trim_start_matches(|it: char| !is_name(it) && !">=({;\n".contains(it));
            let path = path_of(rest);
            if path.is_empty() || !self.may_go_on() {
                break;
            }
            let name = last_name(&file.text, path);
            if name.of(&file.text).len() > 1 && name.of(&file.text).starts_with(char::is_uppercase)
            {
                if let Object::Types(found) = self.of_declared(file, Origin::Type(name)) {
                    res.extend(found);
                }
            }
            rest = &rest[path.len()..];
        }
        res
    }
}
