//! What a text says of types and of the names that it exports: aliases, how values are called, attributes that are bound.

use std::ops::Range;

use foreword_chunk::Span;

use super::super::names::place::is_name;
use super::declaration::{
    ATTRIBUTE_BYTES, MAX_PLACES, Origin, REGION_BYTES, VALUE_BYTES, last_name, matching, path_of,
    written,
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
        let local = local.strip_prefix("type ").unwrap_or(local);
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

/// The text from the parameters on with which a value of a type is called: of `type It = <T>(a: A) => R`, and of the first
/// call signature of an interface.
pub(super) fn called_as(text: &str, name: Span, span: Span) -> Option<&str> {
    let end = text.floor_char_boundary(span.range().end.min(span.range().start + REGION_BYTES));
    let after = text.get(name.range().end..end)?.trim_start();
    let generic = if after.starts_with('<') { matching_angle(after)? } else { 0 };
    let value = after[generic..].trim_start().trim_start_matches(['=', ' ', '\n']);
    let value = if value.starts_with('{') { first_signature(value)? } else { value };
    let generic = if value.starts_with('<') { matching_angle(value)? } else { 0 };
    Some(&value[generic..]).filter(|it| it.trim_start().starts_with('('))
}

/// The first line of a type's body that begins as a call signature does.
fn first_signature(body: &str) -> Option<&str> {
    let mut at = 1;
    for _ in 0..MAX_PLACES {
        let line = body[at..].trim_start();
        if line.starts_with(['(', '<']) {
            return Some(line);
        }
        at += body[at..].find('\n')? + 1;
    }
    None
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

/// What the first call signature of an interface returns: `R` in a line `<T>(a: A): R`.
pub(super) fn call_signature(text: &str, span: Span) -> Option<Origin> {
    let end = text.floor_char_boundary(span.range().end.min(span.range().start + REGION_BYTES));
    let inner = &text[span.range().start..end];
    // Members before it are not read: they may have parameters of their own.
    let signature = first_signature(&inner[inner.find('{')?..])?;
    written(text, after_parameters(signature)?.strip_prefix(':')?)
}
