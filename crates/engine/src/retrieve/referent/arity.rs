//! Numbers of arguments: what a call passes, and what a signature takes.

use foreword_chunk::{Definition, Language};

use super::super::names::place::is_name;
use super::declaration::matching;

/// Bytes of a call that are read.
const CALL_BYTES: usize = 4000;

/// Whether a call can be of a definition by its number of arguments; `call` begins after the called name, `text` is that
/// of the definition's file.
pub(crate) fn call_fits(
    call: &str,
    text: &str,
    definition: &Definition,
    language: Option<Language>,
) -> bool {
    let end = definition.signature.end.max(definition.name.end) as usize;
    let parameters = &text[definition.name.end as usize..end];
    let first = parameters.split([',', ')', ':']).next().unwrap_or_default();
    let first = first.rsplit(|it: char| !is_name(it)).next().unwrap_or_default();
    let has_self = match language {
        Some(Language::Python) if matches!(first, "self" | "cls" | "mcs") => HasSelf::Yes,
        Some(Language::Rust) if first == "self" => HasSelf::Yes,
        _ => HasSelf::No,
    };
    fits(call, parameters, has_self)
}

/// Number of parameters of a definition in its file's text; `None` where that is unclear.
pub(crate) fn parameter_count(text: &str, definition: &Definition) -> Option<usize> {
    let end = definition.signature.end.max(definition.name.end) as usize;
    count(&text[definition.name.end as usize..end])
}

/// Whether a call can be of a definition by its number of arguments. `call` begins after the called name, `parameters`
/// after the defined one. True where either is unclear.
fn fits(call: &str, parameters: &str, has_self: HasSelf) -> bool {
    let call = &call[..call.floor_char_boundary(call.len().min(CALL_BYTES))];
    let (Some(passed), Some(taken)) = (parts(call), parts(parameters)) else { return true };
    let spreads = |it: &&str| it.starts_with('*') || it.starts_with("...") || it.starts_with('&');
    let taken: Vec<&str> = match has_self {
        HasSelf::Yes => taken.into_iter().skip(1).collect(),
        HasSelf::No => taken,
    };
    if passed.iter().any(spreads) {
        return true;
    }
    let is_open = |it: &&str| it.contains("...") || it.starts_with('*') && it.trim() != "*";
    let real = || taken.iter().filter(|it| !matches!(**it, "*" | "/"));
    // A default, in Elixir behind two backslashes.
    let is_optional = |it: &&&str| it.contains(['=', '?']) || it.contains("\\\\");
    let needed = real().filter(|it| !is_optional(it) && !it.starts_with('*'));
    let is_many = real().any(is_open);
    is_many || passed.len() <= real().count() && passed.len() >= needed.count()
}

/// Number of parameters after a defined name; `None` where that is unclear.
fn count(parameters: &str) -> Option<usize> {
    Some(parts(parameters)?.len())
}

/// Whether the first parameter is the object itself and is not passed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum HasSelf {
    /// It is, as in Python.
    Yes,
    /// Every parameter is passed.
    No,
}

/// The parts between commas of the bracketed text at the start; `None` if it does not end, or has quotes that could
/// hide a bracket.
fn parts(text: &str) -> Option<Vec<&str>> {
    let open = text.find('(').filter(|it| text[..*it].trim().is_empty())?;
    let inner = &text[open + 1..open + matching(&text[open..])? - 1];
    if inner.contains(['"', '\'', '`']) || inner.contains("=>") || inner.contains('<') {
        return None;
    }
    let mut depth = 0_i32;
    let split = inner.split(|it| {
        depth += i32::from("([{".contains(it)) - i32::from(")]}".contains(it));
        it == ',' && depth == 0
    });
    Some(split.map(str::trim).filter(|it| !it.is_empty()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_that_passes_too_many_or_too_few_is_of_something_else() {
        let check = |call: &str, parameters: &str, expect: bool| {
            assert_eq!(fits(call, parameters, HasSelf::Yes), expect, "{call} {parameters}");
        };
        check("(a, f(b, c))", "(self, x, y)", true);
        check("(a, b, c)", "(self, x, y)", false);
        check("()", "(self, x, y=1)", false);
        check("(a)", "(self, x, y=1)", true);
        check("(a)", "(self, x, y \\\\ [])", true);
        check("()", "(self, x, y \\\\ [])", false);
        check("(a, b, c)", "(self, *rest)", true);
        check("(*all)", "(self, x, y)", true);
        check("(a", "(self)", true);
        check("(a, key=b)", "(self, a, *, key)", true);
    }
}
