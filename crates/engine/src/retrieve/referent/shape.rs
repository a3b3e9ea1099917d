//! What a text says of types and of the names that it exports: aliases, how values are called, attributes that are bound.

use std::ops::Range;

use foreword_chunk::Span;

use super::super::names::place::is_name;
use super::declaration::{
    ATTRIBUTE_BYTES, MAX_PLACES, Origin, REGION_BYTES, VALUE_BYTES, before_name, last_name, made,
    matching, path_of, written,
};

/// Statements that export, in which a name is searched.
const MAX_EXPORT_CLAUSES: usize = 400;
/// Types that an alias joins which are followed.
const MAX_ALIASED: usize = 8;

/// The place in a type's text where an attribute is bound: `self.name = value`, `private name: T` among the parameters of a
/// constructor, an embedded field of Go.
pub(super) fn bound_attribute(text: &str, region: Range<usize>, name: &str) -> Option<Span> {
    let end = text.floor_char_boundary(region.end.min(region.start + ATTRIBUTE_BYTES));
    let part = &text[region.start..end];
    let mut places = part.match_indices(name).take(MAX_PLACES).map(|it| it.0);
    let found = places.find(|at| {
        let (before, after) = (&part[..*at], &part[at + name.len()..]);
        let line = &before[before.rfind('\n').map_or(0, |it| it + 1)..];
        let rest = after.lines().next().unwrap_or_default();
        if before.ends_with(is_name) || after.starts_with(is_name) {
            return false;
        }
        let of_self = ["self.", "this.", "@"].iter().find_map(|it| line.strip_suffix(it));
        if let Some(earlier) = of_self {
            // Of several that are set at once the others are before and after it.
            let is_list = |it: char| is_name(it) || ". ,\t".contains(it);
            let is_alone = earlier.trim().is_empty();
            let assigned = rest.find('=').map(|it| rest.split_at(it));
            let is_set = |it: (&str, &str)| {
                let others = it.0.trim();
                (others.is_empty() || others.starts_with(',') && others.chars().all(is_list))
                    && !it.1.starts_with("==")
            };
            return is_alone && rest.starts_with(':')
                || earlier.chars().all(is_list) && assigned.is_some_and(is_set);
        }
        let keyword = line.trim_end().rsplit([' ', '(', ',']).next().unwrap_or_default();
        let is_parameter = ["private", "public", "protected", "readonly"].contains(&keyword);
        let path = line.trim_start().trim_start_matches('*');
        let is_embedded = path.chars().all(|it| is_name(it) || it == '.')
            && (path.is_empty() || path.ends_with('.'))
            && (rest.trim().is_empty() || rest.trim_start().starts_with('`'));
        is_parameter && line.ends_with(' ') || is_embedded && !line.is_empty()
    });
    found.map(|at| Span::new(region.start + at, region.start + at + name.len()))
}

/// The local name of what a JavaScript file exports under another one: `Store` in `export { Store as Shop }`, and in `export
/// default Store` for `default`.
pub(super) fn exported_as(text: &str, name: &str) -> Option<Span> {
    let clauses = text.match_indices("export ").take(MAX_EXPORT_CLAUSES);
    let mut clauses = clauses.map(|(at, it)| &text[at + it.len()..]);
    clauses.find_map(|clause| {
        let clause = clause.strip_prefix("type ").unwrap_or(clause).trim_start();
        if let Some(value) = clause.strip_prefix("default ").filter(|_| name == "default") {
            let value = ["async ", "abstract ", "class ", "function "]
                .iter()
                .fold(value, |it, word| it.strip_prefix(word).unwrap_or(it));
            let path = path_of(value);
            return (!path.is_empty()).then(|| last_name(text, path));
        }
        let inner = clause.strip_prefix('{')?;
        let inner = &inner[..inner.find('}')?];
        let (local, _) = inner.split(',').find_map(|it| {
            let (local, exported) = it.split_once(" as ")?;
            (exported.trim() == name).then_some((local.trim(), exported))
        })?;
        // The word `type` or a comment may stand before it.
        let local = local.rsplit(char::is_whitespace).next().unwrap_or(local);
        (!local.is_empty()).then(|| last_name(text, local))
    })
}

/// The types that an alias joins: `A` and `B` in `type It<T> = A & B<T>`; `after` begins behind the alias's name.
pub(super) fn aliased(text: &str, after: &str) -> Vec<Span> {
    let after = &after[..after.floor_char_boundary(after.len().min(VALUE_BYTES))];
    let after = after.trim_start();
    let parameters = if after.starts_with('<') { matching_angle(after) } else { Some(0) };
    let Some(value) = parameters.and_then(|it| after[it..].trim_start().strip_prefix('=')) else {
        return Vec::new();
    };
    let mut depth = 0_i32;
    let parts = value.split(|it| {
        depth += i32::from("([{<".contains(it)) - i32::from(")]}>".contains(it));
        depth == 0 && (it == '&' || it == '|')
    });
    let types = parts.map(str::trim_start).filter(|it| !it.is_empty());
    let types = types.take(MAX_ALIASED).filter_map(|it| written(text, it));
    let name = |it| match it {
        Origin::Type(name) => Some(name),
        _ => None,
    };
    types.filter_map(name).collect()
}

/// End of the type parameters at the start of a text.
pub(super) fn matching_angle(text: &str) -> Option<usize> {
    let mut depth = 0_i32;
    let mut before = ' ';
    for (at, it) in text.char_indices() {
        // Not the arrow of a function's type.
        depth += i32::from(it == '<') - i32::from(it == '>' && before != '=');
        if depth == 0 {
            return Some(at + 1);
        }
        before = it;
    }
    None
}

/// Where the type arguments at the end of a text are opened.
pub(super) fn opening_angle(text: &str) -> Option<usize> {
    let mut depth = 0_i32;
    let bytes = text.as_bytes();
    for (back, it) in bytes.iter().rev().take(VALUE_BYTES).enumerate() {
        let at = text.len() - back - 1;
        let is_arrow = *it == b'>' && at > 0 && bytes[at - 1] == b'=';
        depth += i32::from(*it == b'>' && !is_arrow) - i32::from(*it == b'<');
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// The texts from the parameters on with which a value of a type is called: of `type It = <T>(a: A) => R`, and of the call
/// signatures of an interface.
pub(super) fn called_as(text: &str, name: Span, span: Span) -> Vec<&str> {
    // The grammar ends some interfaces after their first signature.
    let end = text.floor_char_boundary(text.len().min(span.range().start + REGION_BYTES));
    let after = text.get(name.range().end..end).unwrap_or_default().trim_start();
    let generic = if after.starts_with('<') { matching_angle(after) } else { Some(0) };
    let Some(value) = generic.map(|it| after[it..].trim_start()) else { return Vec::new() };
    let value = match value.strip_prefix('=') {
        Some(it) => it.trim_start(),
        None => value.find('{').map_or("", |it| &value[it..]),
    };
    let found = match value.starts_with('{') {
        true => signatures(&value[..matching(value).unwrap_or(value.len())]).collect(),
        false => vec![value],
    };
    found.into_iter().filter_map(parameters_in).collect()
}

/// The text from the parameters on of a function's type: `(a: A) => R` in `<T>(a: A) => R`.
pub(super) fn parameters_in(declared: &str) -> Option<&str> {
    let generic = if declared.starts_with('<') { matching_angle(declared)? } else { 0 };
    Some(declared[generic..].trim_start()).filter(|it| it.starts_with('('))
}

/// The lines of a type's body that begin as call signatures do, each with what follows it.
fn signatures(body: &str) -> impl Iterator<Item = &str> {
    let lines = body.match_indices('\n').take(MAX_PLACES).map(|it| it.0 + 1);
    let starts = std::iter::once(1).chain(lines);
    let line = starts.map(|at| body[at..].trim_start_matches([' ', '\t']));
    line.filter(|it| it.starts_with(['(', '<']))
}

/// The type that a field or variable returns when it is called: `R` in `: (a: A) => R`; `after` begins behind its name.
pub(super) fn returned_by_type(text: &str, after: &str) -> Option<Origin> {
    let declared = after.trim_start_matches(['?', '!']).strip_prefix(':')?.trim_start();
    written(text, after_parameters(declared)?.strip_prefix("=>")?.trim_start())
}

/// The text after `<T>(a: A)`.
fn after_parameters(declared: &str) -> Option<&str> {
    let generic = declared.starts_with('<').then(|| matching_angle(declared)).flatten();
    let declared = declared[generic.unwrap_or(0)..].trim_start();
    let end = matching(declared).filter(|_| declared.starts_with('('))?;
    Some(declared[end..].trim_start())
}

/// What a function returns whose text begins with the parameters: `R` in `(a: A) => R` and `(a: A): R`.
pub(super) fn result_of(text: &str, parameters: &str) -> Option<Origin> {
    let after = parameters[matching(parameters)?..].trim_start();
    written(text, after.strip_prefix("=>").or_else(|| after.strip_prefix(':'))?.trim_start())
}

/// Whether an alias joins its parameters themselves to other types: `type It<T> = Other & T`.
pub(super) fn joins_parameters(text: &str, name: Span, span: Span) -> bool {
    let end = text.floor_char_boundary(span.range().end.min(span.range().start + VALUE_BYTES));
    let after = text.get(name.range().end..end).unwrap_or_default();
    let Some(generic) = after.starts_with('<').then(|| matching_angle(after)).flatten() else {
        return false;
    };
    let (parameters, value) = after.split_at(generic);
    let names = parameters[1..].split(',').map(|it| path_of(it.trim_start()));
    let mut names = names.filter(|it| !it.is_empty()).take(MAX_ALIASED);
    names.any(|name| {
        value.match_indices(name).any(|(at, _)| {
            let before = value[..at].trim_end();
            let after = value[at + name.len()..].trim_start();
            before.ends_with(['=', '&', '|', '?', ':'])
                && (after.is_empty() || after.starts_with(['&', '|', ';', ':']))
        })
    })
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
    written(text, parameter_text(rest, index)?)
}

/// The text of a parameter's declared type by its number, and what follows it.
pub(super) fn parameter_text(rest: &str, index: usize) -> Option<&str> {
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
    Some(declared.trim_start()).filter(|_| is_plain)
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
