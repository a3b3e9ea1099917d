//! What a text says about the type of a variable: its declaration, its assignment, the signature of a function.

use std::ops::Range;

use foreword_chunk::Span;

use super::super::names::place::is_name;
use super::element::{Part, element_of, list, subscript};

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

/// Whether a variable or an attribute is searched.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NameKind {
    /// A name without an owner.
    Variable,
    /// A name of the object itself: behind `self.`, or a field.
    Attribute,
}

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
    let is_apart = rest.len() < line.len() && rest.starts_with(|it| is_name(it) || it == '*');
    let ends = |it: &str| it.is_empty() || it.starts_with([',', ')', '{', '=', '`']);
    let path = path_of(rest.trim_start_matches('*'));
    let end = path.as_ptr() as usize + path.len() - rest.as_ptr() as usize;
    let is_type = is_apart && !path.is_empty() && ends(rest[end..].trim_start());
    is_type.then(|| Origin::Type(last_name(text, path)))
}

/// `T name`, `with value as name`.
fn before_name(text: &str, before: &str) -> Option<Origin> {
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
    if rest.starts_with(['{', '[']) {
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
            if let Some(found) = cast(text, after) {
                return Some(found);
            }
            if after.starts_with('[') {
                return subscript(after).map(|is_part| match is_part {
                    Part::Element => Origin::ElementOfValue(name),
                    Part::List => Origin::Value(name),
                });
            }
            let is_end = after.trim_start_matches([' ', '\t']);
            let is_end = is_end.is_empty() || is_end.starts_with(['\n', '\r', ';', ',', ')', '#']);
            return is_end.then_some(Origin::Value(name));
        }
        found = Some(Origin::Call(name));
        let Some(end) = matching(after) else { return found };
        let next = after[end..].trim_start_matches(['?', '!']);
        if next.starts_with('[') {
            return subscript(next).map(|is_part| match is_part {
                Part::Element => Origin::ElementOfCall(name),
                Part::List => Origin::Call(name),
            });
        }
        match next.trim_start().strip_prefix('.').or_else(|| next.strip_prefix("->")) {
            // In Go the dot ends the line.
            Some(more) => rest = more.trim_start(),
            None => return cast(text, next).or(found),
        }
    }
    found
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

/// The type that a function returns, from its signature; `name` is its span in the text.
pub(super) fn returned(text: &str, signature: Span, name: Span) -> Option<Origin> {
    let whole = signature.of(text);
    if let Some((_, result)) = whole.rsplit_once("->") {
        return written(text, result);
    }
    let after = text.get(name.end as usize..signature.end as usize)?;
    let open = after.find('(')?;
    let rest = after[open + matching(&after[open..])?..].trim_start();
    match rest.strip_prefix(':') {
        Some(result) => written(text, result),
        None if !rest.is_empty() && !rest.starts_with(['{', '=', ';']) => {
            // Go names results in parentheses: `(n int, err error)`.
            let named = rest.strip_prefix('(').and_then(|it| it.strip_prefix(path_of(it)));
            written(text, named.filter(|it| it.starts_with(' ')).unwrap_or(rest))
        }
        None => before_name(text, text.get(signature.start as usize..name.start as usize)?),
    }
}

/// The bases of a Python class that have type arguments, from its signature: they are no references of the index.
pub(super) fn generic_bases(text: &str, signature: Span) -> Vec<Span> {
    let whole = signature.of(text);
    let open = whole.find('(').map_or(whole.len(), |it| it + 1);
    let mut depth = 0_i32;
    let bases = whole[open..].split(|it| {
        depth += i32::from("([{".contains(it)) - i32::from(")]}".contains(it));
        it == ',' && depth == 0
    });
    let paths = bases.map(str::trim_start).map(|it| (path_of(it), it));
    let is_generic =
        |(path, it): &(&str, &str)| !path.is_empty() && it[path.len()..].starts_with('[');
    paths.filter(is_generic).map(|(path, _)| last_name(text, path)).collect()
}

/// The declared type of a parameter by its number; `rest` is the text after the function's name, a part of `text`.
pub(super) fn parameter_at(text: &str, rest: &str, index: usize) -> Option<Origin> {
    let open = rest.find('(')?;
    let inner = &rest[open + 1..open + matching(&rest[open..])? - 1];
    let (mut depth, mut before) = (0_i32, ' ');
    let mut parameters = inner.split(|it| {
        // Not the arrow of a function's type.
        let is_close = ")]}>".contains(it) && !(it == '>' && before == '=');
        depth += i32::from("([{<".contains(it)) - i32::from(is_close);
        before = it;
        it == ',' && depth == 0
    });
    let parameter = parameters.nth(index)?.trim_start();
    let pattern = if parameter.starts_with('{') { matching(parameter)? } else { 0 };
    let (name, declared) = parameter[pattern..].split_once(':')?;
    let is_plain = pattern > 0 || name.trim_end_matches('?').ends_with(is_name);
    written(text, declared).filter(|_| is_plain)
}

/// What a function without a written type returns: what its last `return` or `yield` makes.
pub(super) fn returned_by_body(text: &str, signature: Span, body: Span) -> Option<Origin> {
    let is_expression = signature.of(text).ends_with("=>") && !body.of(text).starts_with('{');
    if is_expression {
        return made(text, body.of(text).trim_start_matches('('));
    }
    let end = text.floor_char_boundary(body.range().end.min(body.range().start + REGION_BYTES));
    let part = &text[body.range().start..end];
    let values = ["return ", "yield "].into_iter();
    let mut values =
        values.flat_map(|it| part.rmatch_indices(it).take(8).map(|(at, it)| at + it.len()));
    values.find_map(|at| made(text, &part[at..]))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &str) {
        let text = format!("{text}\n");
        let found = declared(&text, 0..text.len(), "w", NameKind::Variable);
        let shown = match found {
            Some(Origin::Type(it)) => format!("type {}", it.of(&text)),
            Some(Origin::Call(it)) => format!("call {}", it.of(&text)),
            Some(Origin::Value(it)) => format!("value {}", it.of(&text)),
            Some(Origin::List { element: it, .. }) => format!("list of {}", it.of(&text)),
            Some(Origin::ElementOfValue(it)) => format!("element of value {}", it.of(&text)),
            Some(Origin::ElementOfCall(it)) => format!("element of call {}", it.of(&text)),
            None => String::new(),
        };
        assert_eq!(shown, expect, "{text}");
    }

    #[test]
    fn a_declaration_or_an_assignment_gives_a_variable_its_type() {
        check("def f(self, w: t.Optional[Writer] = None):", "type Writer");
        check("fn f(w: &mut Writer) {", "type Writer");
        check("func f(w *io.Writer, n int) {", "type Writer");
        check("const Writer& w)", "type Writer");
        check("w := &Writer{}", "type Writer");
        check("w, err := New(x)", "call New");
        check("w = open(x).reader(1)", "call reader");
        check("with app.client() as w:", "call client");
        check("w = self.writer", "value writer");
        for text in ["w == Writer()", "x, w = pair()", "if w:"] {
            check(text, "");
        }
    }

    #[test]
    fn lists_have_elements_that_loops_subscripts_and_callbacks_take() {
        check("def f(w: list[Writer]):", "list of Writer");
        check("function f(w: readonly Writer[], n: number) {", "list of Writer");
        check("w: Map<string, Array<Writer>>", "type Map");
        check("w: ReadonlyMap<string, io.Writer>;", "list of Writer");
        check("func f(w []*io.Writer) {", "");
        check("w: Option<Vec<&Writer>>,", "list of Writer");
        check("w = rows[0]", "element of value rows");
        check("w = rows[1:]", "value rows");
        check("w = make()[0]", "element of call make");
        check("for (const w of this.rows) {", "element of value rows");
        check("for w in make(1):", "element of call make");
        check("for (const w in rows) {", "");
        check("for _, w := range rows {", "element of value rows");
        check("rows.map((w) => w.name)", "element of value rows");
        check("make(a).filter(b).forEach(async (w, i) => {", "element of call filter");
        check("rows.iter().map(|w| w.name)", "element of call iter");
        check("app.get('/', (w) => w.name)", "");
        check("hook((w) => w.name)", "");
    }
}
