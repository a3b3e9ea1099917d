//! Numbers of arguments: what a call passes, and what a signature takes.

use super::declaration::matching;

/// Bytes of a call that are read.
const CALL_BYTES: usize = 4000;

/// Whether a call can be of a definition by its number of arguments. `call` begins after the called name, `parameters`
/// after the defined one. True where either is unclear.
pub(super) fn fits(call: &str, parameters: &str, has_self: HasSelf) -> bool {
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
pub(super) fn count(parameters: &str) -> Option<usize> {
    Some(parts(parameters)?.len())
}

/// Whether the first parameter is the object itself and is not passed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum HasSelf {
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
