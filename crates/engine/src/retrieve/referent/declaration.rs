//! What a text says about the type of a variable: its declaration, its assignment, the signature of a function.

use std::ops::Range;

use foreword_chunk::Span;

use super::super::names::place::{is_name, name_that_ends_at};

/// What gives a variable its type. Spans are of names in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// The type is written.
    Type(Span),
    /// It is what this function or class returns.
    Call(Span),
    /// It is what this variable is.
    Value(Span),
    /// It is a list of this type; a container that has a name may be one of the repository's own.
    List {
        /// `Array` in `Array<T>`.
        container: Option<Span>,
        /// `T`.
        element: Span,
    },
    /// It is an element of what this variable is.
    ElementOfValue(Span),
    /// It is an element of what this function returns.
    ElementOfCall(Span),
}

/// Bytes of an expression that are read backwards.
const EXPRESSION_BYTES: usize = 1000;

/// Whether a variable or an attribute is searched.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NameKind {
    /// A name without an owner.
    Variable,
    /// A name of the object itself: behind `self.`, or a field.
    Attribute,
}

/// Containers whose last type argument is the type of their elements, or of their values.
const CONTAINERS: &str = "Array ReadonlyArray Set ReadonlySet Map ReadonlyMap WeakMap Record Iterable Iterator \
    IterableIterator AsyncIterable Generator list List dict Dict Mapping set frozenset \
    deque Sequence Collection Vec VecDeque HashMap BTreeMap HashSet BTreeSet FrozenSet";
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
/// Bytes before a use in which a declaration is searched.
pub(super) const REGION_BYTES: usize = 8000;
/// Bytes of a type in which an attribute is searched.
pub(super) const ATTRIBUTE_BYTES: usize = 32_000;
/// Occurrences of a name that are examined.
pub(super) const MAX_PLACES: usize = 128;
/// Bytes that are read before an occurrence.
const LINE_BYTES: usize = 400;
/// Bytes that are read after an occurrence: a chain of calls may have several lines.
pub(super) const VALUE_BYTES: usize = 1600;

/// The last declaration of a variable `name` in a part of the text, or the first of an attribute.
pub(super) fn declared(
    text: &str,
    region: Range<usize>,
    name: &str,
    searched: NameKind,
) -> Option<Origin> {
    let is_attribute = searched == NameKind::Attribute;
    // Attributes are declared at the beginning of a type, variables before their use.
    let (start, end) = match searched {
        NameKind::Attribute => (region.start, region.end.min(region.start + ATTRIBUTE_BYTES)),
        NameKind::Variable => {
            (region.start.max(region.end.saturating_sub(REGION_BYTES)), region.end)
        }
    };
    let part = &text[text.floor_char_boundary(start)..text.floor_char_boundary(end)];
    let at = |(start, _): (usize, &str)| {
        let end = start + name.len();
        let first = part.floor_char_boundary(start.saturating_sub(LINE_BYTES));
        let last = part.floor_char_boundary(part.len().min(end + VALUE_BYTES));
        let (before, after) = (&part[first..start], &part[end..last]);
        let is_part = before.ends_with(is_name) || after.starts_with(is_name);
        let is_own = is_attribute && ["self.", "this.", "@"].iter().any(|it| before.ends_with(it));
        if is_part || !is_own && before.ends_with(['.', '>', ':', '"', '\'', '@']) {
            return None;
        }
        if let Some(found) = element_of(text, before, after).filter(|_| !is_attribute) {
            return Some(found);
        }
        let found = after_name(text, after).or_else(|| before_name(text, before))?;
        // Of several that are assigned at once each is a part of the value.
        if before.trim_end().ends_with(',') && !matches!(found, Origin::Type(_)) {
            return None;
        }
        // A local variable may have the name of an attribute; a parameter of that name mostly becomes it.
        (is_own || !is_attribute || matches!(found, Origin::Type(_))).then_some(found)
    };
    match searched {
        NameKind::Variable => part.rmatch_indices(name).take(MAX_PLACES).find_map(at),
        NameKind::Attribute => part.match_indices(name).take(MAX_PLACES).find_map(at),
    }
}

/// Declarations of variables of a name anywhere in a text, in order.
pub(super) fn declarations<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = Origin> + 't {
    text.match_indices(name).take(MAX_PLACES).filter_map(move |(start, _)| {
        let end = start + name.len();
        let first = text.floor_char_boundary(start.saturating_sub(LINE_BYTES));
        let last = text.floor_char_boundary(text.len().min(end + VALUE_BYTES));
        let (before, after) = (&text[first..start], &text[end..last]);
        let is_part = before.ends_with(is_name) || after.starts_with(is_name);
        if is_part || before.ends_with(['.', '>', ':', '"', '\'', '@']) {
            return None;
        }
        let found = element_of(text, before, after).or_else(|| after_name(text, after));
        found.or_else(|| before_name(text, before))
    })
}

/// `: T`, `= value`, `:= value`, `, err := value`, ` *T`.
fn after_name(text: &str, after: &str) -> Option<Origin> {
    let line = after.lines().next().unwrap_or_default();
    let rest = line.trim_start();
    let others = rest.trim_start_matches(|it: char| is_name(it) || it == ',' || it == ' ');
    let assigned = if rest.starts_with(',') && others.starts_with(":=") { others } else { rest };
    let value = assigned
        .strip_prefix(":=")
        .or_else(|| assigned.strip_prefix('=').filter(|it| !it.starts_with(['=', '>', '~'])));
    if let Some(value) = value {
        let start = value.as_ptr() as usize - after.as_ptr() as usize;
        return made(text, &after[start..]);
    }
    let declared = rest.trim_start_matches(['?', '!']);
    if let Some(declared) = declared.strip_prefix(':').filter(|it| !it.starts_with(':')) {
        return written(text, declared);
    }
    if rest.len() < line.len() && (rest.starts_with("[]") || rest.starts_with("map[")) {
        // Go.
        return written(text, rest);
    }
    let is_apart = rest.len() < line.len() && rest.starts_with(|it| is_name(it) || it == '*');
    let ends = |it: &str| it.is_empty() || it.starts_with([',', ')', '{', '=', '`']);
    let path = path_of(rest.trim_start_matches('*'));
    let end = path.as_ptr() as usize + path.len() - rest.as_ptr() as usize;
    let is_type = is_apart && !path.is_empty() && ends(rest[end..].trim_start());
    is_type.then(|| Origin::Type(last_name(text, path)))
}

/// `T name`, `with value as name`.
pub(super) fn before_name(text: &str, before: &str) -> Option<Origin> {
    let line = before.rsplit('\n').next().unwrap_or_default();
    if let Some(value) = line.strip_suffix(" as ") {
        return made(text, value.rsplit_once("with ")?.1);
    }
    let rest = line.trim_end_matches([' ', '*', '&', '?', '>', '$']);
    let name = &rest[rest.trim_end_matches(is_name).len()..];
    let is_type = rest.len() < line.len() && name.starts_with(char::is_uppercase);
    is_type.then(|| Origin::Type(last_name(text, name)))
}

/// The type as it is written, without what may be left out of it: `Writer` in `Optional[&mut io.Writer]`. A container
/// is its own type.
pub(super) fn written(text: &str, declared: &str) -> Option<Origin> {
    let mut rest = declared;
    for _ in 0..8 {
        rest = rest.trim_start_matches([' ', '&', '*', '"', '\'', '(', '?']);
        let words = ["mut ", "dyn ", "impl ", "const ", "readonly ", "final ", "ref ", "async "];
        if let Some(it) = words.iter().find_map(|it| rest.strip_prefix(it)) {
            rest = it;
            continue;
        }
        let path = path_of(rest);
        let after = &rest[path.len()..];
        let name = path.rsplit(['.', ':']).next().unwrap_or_default();
        if ["None", "null", "undefined", "nil"].contains(&name) {
            rest = after.trim_start().strip_prefix('|')?;
        } else if TRANSPARENT.contains(&name) && after.starts_with(['<', '[']) {
            rest = &after[1..];
        } else if let Some(found) = list(text, path, rest) {
            return Some(found);
        } else {
            let next = after.trim_start_matches([' ', '?', '!']);
            let ends =
                next.is_empty() || next.starts_with(|it| ",)=;{}|]>\n\r<[\"'&:`".contains(it));
            let is_list = after.starts_with("[]");
            let is_name = !name.is_empty() && !name.starts_with(|it: char| it.is_ascii_digit());
            return (is_name && ends && !is_list).then(|| Origin::Type(last_name(text, path)));
        }
    }
    None
}

/// Wrappers whose members are those of what they wrap.
const TRANSPARENT: [&str; 21] = [
    "Optional",
    "Option",
    "Arc",
    "Rc",
    "Box",
    "Cow",
    "Annotated",
    "ClassVar",
    "Final",
    "Promise",
    "Awaitable",
    "Ref",
    "Readonly",
    "Partial",
    "Union",
    "Result",
    "Required",
    "NonNullable",
    "Awaited",
    "Omit",
    "Pick",
];

/// What an expression is made by: the last call of its chain.
pub(super) fn made(text: &str, value: &str) -> Option<Origin> {
    let mut rest = value.trim_start().trim_start_matches(['&', '*']);
    for it in ["await ", "yield ", "new ", "mut ", "try ", "try! ", "try? "] {
        rest = rest.strip_prefix(it).unwrap_or(rest);
    }
    if rest.starts_with(['{', '[', '(']) {
        return cast(text, &rest[matching(rest)?..]);
    }
    let mut found = None;
    for _ in 0..16 {
        let path = path_of(rest);
        if path.is_empty() || path.starts_with(|it: char| it.is_ascii_digit()) {
            return None;
        }
        let after = without_type_arguments(&rest[path.len()..]);
        let name = last_name(text, path);
        if after.starts_with('{') {
            return Some(Origin::Type(name));
        }
        if !after.starts_with('(') {
            return uncalled(text, name, after);
        }
        found = Some(Origin::Call(name));
        let Some(end) = matching(after) else { return found };
        let next = after[end..].trim_start_matches(['?', '!']);
        if next.starts_with('[') {
            return taken(next, Origin::Call(name), Origin::ElementOfCall(name));
        }
        match next.trim_start().strip_prefix('.').or_else(|| next.strip_prefix("->")) {
            // In Go the dot ends the line.
            Some(more) => rest = more.trim_start(),
            None => return cast(text, next).or(found),
        }
    }
    found
}

/// A value that ends with a name: what follows may say its type, or take an element.
fn uncalled(text: &str, name: Span, after: &str) -> Option<Origin> {
    if let Some(found) = cast(text, after) {
        return Some(found);
    }
    if after.starts_with('[') {
        return taken(after, Origin::Value(name), Origin::ElementOfValue(name));
    }
    let rest = after.trim_start_matches([' ', '\t']);
    let is_end = rest.is_empty() || rest.starts_with(['\n', '\r', ';', ',', ')', '#']);
    is_end.then_some(Origin::Value(name))
}

/// What a subscript takes.
fn taken(subscripted: &str, list: Origin, element: Origin) -> Option<Origin> {
    subscript(subscripted).map(|it| match it {
        Part::Element => element,
        Part::List => list,
    })
}

/// The type in `as T` or `satisfies T` at the start of a text.
fn cast(text: &str, after: &str) -> Option<Origin> {
    let after = after.trim_start_matches([' ', ')']);
    let declared = after.strip_prefix("as ").or_else(|| after.strip_prefix("satisfies "))?;
    for it in ["unknown ", "any ", "never "] {
        // `as unknown as T`.
        if let Some(again) = declared.strip_prefix(it).filter(|it| it.starts_with("as ")) {
            return cast(text, again);
        }
    }
    let is_none = ["const", "any", "unknown", "never"].iter().any(|it| declared.starts_with(it));
    if is_none { None } else { written(text, declared) }
}

/// The text after `<T>` or `::<T>`.
fn without_type_arguments(after: &str) -> &str {
    let inner = after.trim_start_matches(':').strip_prefix('<');
    let closed = inner
        .and_then(|it| it.bytes().take(80).position(|it| it == b'>').map(|end| &it[end + 1..]));
    closed.filter(|it| it.starts_with(['(', '{'])).unwrap_or(after)
}

/// End of the bracketed text at the start; `None` if it is longer than what is given.
pub(super) fn matching(text: &str) -> Option<usize> {
    let mut depth = 0_i32;
    for (at, it) in text.bytes().enumerate() {
        depth += i32::from(b"([{".contains(&it)) - i32::from(b")]}".contains(&it));
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

/// A name and the names before it: `io.Writer` at the start of the text.
pub(super) fn path_of(text: &str) -> &str {
    let mut chars = text.char_indices().peekable();
    let mut end = text.len();
    while let Some((at, it)) = chars.next() {
        // Types of JavaScript may begin with the mark that variables of PHP have.
        let is_mark = it == '$' && chars.peek().is_some_and(|it| it.1.is_uppercase());
        if !(is_name(it) || it == '.' || it == ':' || is_mark) {
            end = at;
            break;
        }
    }
    text[..end].trim_end_matches(['.', ':'])
}

/// The place of the last name of a path, which is a part of the text.
pub(super) fn last_name(text: &str, path: &str) -> Span {
    let start = path.as_ptr() as usize - text.as_ptr() as usize;
    let name = path.rsplit(['.', ':']).next().unwrap_or(path);
    Span::new(start + path.len() - name.len(), start + path.len())
}

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
    // `[]T` and `map[K]V` of Go.
    let of_go = match name {
        "" => rest.strip_prefix("[]"),
        "map" => after.strip_prefix('[').and_then(|it| Some(it.split_once(']')?.1)),
        _ => None,
    };
    if let Some(element) = of_go {
        let Origin::Type(element) = written(text, element)? else { return None };
        return Some(Origin::List { container: None, element });
    }
    if after.starts_with("[][]") {
        return None;
    }
    if after.starts_with("[]") && !name.is_empty() {
        return Some(Origin::List { container: None, element: last_name(text, path) });
    }
    let inner =
        after.strip_prefix(['<', '[']).filter(|_| CONTAINERS.split(' ').any(|it| it == name))?;
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

/// The place of a name that is a part of the text.
pub(super) fn span_in(text: &str, name: &str) -> Span {
    let start = name.as_ptr() as usize - text.as_ptr() as usize;
    Span::new(start, start + name.len())
}

/// Where the bracket at the end of a text is opened.
pub(super) fn opening(text: &str) -> Option<usize> {
    let mut depth = 0_i32;
    for (back, it) in text.bytes().rev().take(EXPRESSION_BYTES).enumerate() {
        depth += i32::from(b")]}".contains(&it)) - i32::from(b"([{".contains(&it));
        if depth == 0 {
            return Some(text.len() - back - 1);
        }
    }
    None
}

#[cfg(test)]
mod tests;
