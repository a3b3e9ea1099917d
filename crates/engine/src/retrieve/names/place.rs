//! The syntax around a name: its qualifier, whether it is called, and the declared type of its receiver.

/// The qualifier of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::retrieve) enum Before<'t> {
    /// No qualifier.
    Nothing,
    /// A dot, arrow or colons. The value is the name before it, `None` if it follows another expression.
    Member(Option<&'t str>),
}

/// Tokens that separate a member from its owner.
const SEPARATORS: &[&str] = &["?.", "&.", "!!.", ".", "->", "::", ":", "\\"];

/// Reads the qualifier of the name at byte `at`.
pub(in crate::retrieve) fn what_is_before(text: &str, at: usize) -> Before<'_> {
    match owner_end(text, at) {
        None => Before::Nothing,
        Some(end) => Before::Member(name_that_ends_at(text, end)),
    }
}

/// End of the expression that owns the name at `at`. A chain may continue on the next line.
pub(in crate::retrieve) fn owner_end(text: &str, at: usize) -> Option<usize> {
    let before = &text[..at];
    let separator = SEPARATORS.iter().find(|it| before.ends_with(**it))?;
    let rest = &before[..before.len() - separator.len()];
    // `..rest` is a spread or a range. `a: b` and `a ? b : c` have a blank; `case:x` and `{a:b}` have none.
    if rest.ends_with('.') {
        return None;
    }
    let is_chain = *separator != ":" && rest.ends_with(char::is_whitespace);
    let owner = if is_chain { rest.trim_end() } else { rest };
    let ends_value = owner.ends_with(|it: char| is_name(it) || ")]}>?!\"'".contains(it));
    if *separator == ":" {
        // Only Lua's `a:b()` is a member.
        return (ends_value && is_called_at(text, at)).then_some(owner.len());
    }
    ends_value.then_some(owner.len())
}

pub(in crate::retrieve) fn name_that_ends_at(text: &str, end: usize) -> Option<&str> {
    let before = text[..end].trim_end_matches(['?', '!']);
    let name = &before[before.trim_end_matches(is_name).len()..];
    (!name.is_empty()).then_some(name)
}

pub(in crate::retrieve) fn is_name(it: char) -> bool {
    it.is_alphanumeric() || it == '_'
}

/// Maximum names of a chain that are walked to its first one. Every name of a text asks for its chain.
const MAX_CHAIN: usize = 64;

/// First name of the chain that contains the name at byte `at`: `a` for `a.b.c`; empty for a chain of more than
/// [`MAX_CHAIN`] names.
pub(super) fn root_of(text: &str, at: usize) -> &str {
    let (mut start, mut root) = (at, "");
    for _ in 0..MAX_CHAIN {
        let Some(end) = owner_end(text, start) else { return root };
        let Some(name) = name_that_ends_at(text, end) else { return "" };
        root = name;
        start = name.as_ptr() as usize - text.as_ptr() as usize;
    }
    ""
}

/// Whether the name that ends at byte `end` is called.
pub(super) fn is_called(text: &str, end: usize) -> bool {
    let rest = text[end..].strip_prefix('!').unwrap_or(&text[end..]);
    let rest = rest.strip_prefix("::").unwrap_or(rest);
    rest.starts_with(['(', '{']) || rest.is_empty() || type_arguments_then_call(rest)
}

fn is_called_at(text: &str, start: usize) -> bool {
    let name = text[start..].find(|it| !is_name(it)).map_or(text.len(), |it| start + it);
    is_called(text, name)
}

/// Type arguments and a call: `<T>(`.
fn type_arguments_then_call(rest: &str) -> bool {
    let inner = rest.strip_prefix('<').and_then(|it| it.get(..it.len().min(60)).or(Some("")));
    inner.and_then(|it| it.find('>').map(|end| it[end + 1..].starts_with('('))).unwrap_or(false)
}

/// How far before a use the declaration of its receiver is searched, in bytes.
const DECLARATION_BYTES: usize = 8000;

/// Maximum uses of a receiver before which its declaration is not searched. Every member of a text asks for its
/// receiver's type.
const MAX_PLACES: usize = 128;

/// How much of a line is read before and after the name in a declaration, in bytes.
const LINE_BYTES: usize = 400;

/// Type of a receiver by its nearest declaration before byte `at`: `w: Writer`, `Writer w`, `w *Writer`, `w :=
/// &Writer{`, `w = new Writer(`, `w := NewWriter(`.
pub(super) fn receiver_type<'t>(text: &'t str, at: usize, receiver: &str) -> Option<&'t str> {
    let first = text.floor_char_boundary(at.saturating_sub(DECLARATION_BYTES));
    let region = &text[first..at];
    let around = |(start, _): (usize, &str)| {
        let end = start + receiver.len();
        let first = region.floor_char_boundary(start.saturating_sub(LINE_BYTES));
        let last = region.floor_char_boundary(region.len().min(end + LINE_BYTES));
        (&region[first..start], &region[end..last])
    };
    let is_whole = |it: &(&str, &str)| !it.0.ends_with(is_name) && !it.1.starts_with(is_name);
    let mut places = region.rmatch_indices(receiver).map(around).filter(is_whole);
    places.by_ref().take(MAX_PLACES).find_map(|(before, after)| {
        let alone = !before.ends_with(['.', '>', ':', '"', '\'']);
        alone.then(|| type_after(after).or_else(|| type_before(before))).flatten()
    })
}

fn type_after(after: &str) -> Option<&str> {
    let line = after.lines().next().unwrap_or_default();
    let rest = line.trim_start();
    if let Some(value) = rest.strip_prefix(":=").or_else(|| assigned(rest)) {
        return made_type(value);
    }
    if let Some(declared) = rest.strip_prefix(':').filter(|it| !it.starts_with(':')) {
        return first_type(declared.split(['=', ')', '{', ';']).next()?);
    }
    // Go: the type follows the name.
    let is_apart = rest.len() < line.len();
    let go = rest.trim_start_matches(['*', '[', ']', '.']);
    let path = &go[..go.find(|it| !(is_name(it) || it == '.')).unwrap_or(go.len())];
    let end = go[path.len()..].trim_start();
    let ends = end.is_empty() || end.starts_with([',', ')', '{', '=']);
    is_apart.then(|| path.rsplit('.').next()).flatten().filter(|it| ends && is_type(it))
}

/// The value in `= value`.
fn assigned(rest: &str) -> Option<&str> {
    rest.strip_prefix('=').filter(|it| !it.starts_with(['=', '>', '~']))
}

/// `Writer` in `Writer w`, `const Writer& w`, `List<Writer> w`.
fn type_before(before: &str) -> Option<&str> {
    let line = before.rsplit('\n').next().unwrap_or_default();
    let rest = line.trim_end_matches([' ', '*', '&', '?', '>', '$']);
    let is_apart = rest.len() < line.len();
    let name = &rest[rest.trim_end_matches(is_name).len()..];
    (is_apart && is_type(name)).then_some(name)
}

/// The type that an expression constructs: `new Writer(…)`, `&Writer{…}`, `Writer(…)`, `Writer::new(…)`,
/// `pkg.NewWriter(…)`.
fn made_type(value: &str) -> Option<&str> {
    let value = value.trim_start().trim_start_matches(['&', '*']);
    let words = ["await ", "new ", "mut ", "try "];
    let value = words.iter().fold(value, |it, word| it.strip_prefix(word).unwrap_or(it));
    let path =
        &value[..value.find(|it| !(is_name(it) || ".:".contains(it))).unwrap_or(value.len())];
    if !value[path.len()..].starts_with(['(', '{', '<']) {
        return None;
    }
    let made = path.split(['.', ':']).find(|it| is_type(it))?;
    let bare = made.strip_prefix("New").filter(|it| is_type(it));
    Some(bare.unwrap_or(made))
}

/// First name that looks like a type, skipping wrappers such as `Optional`: `Writer` in `&'a mut Writer`.
fn first_type(declared: &str) -> Option<&str> {
    let wraps = ["Optional", "Option", "Arc", "Rc", "Box", "List", "Vec", "Promise"];
    let mut names = declared.split(|it| !is_name(it));
    names.find(|it| is_type(it) && !wraps.contains(it))
}

fn is_type(name: &str) -> bool {
    name.starts_with(char::is_uppercase) && name.len() > 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, before: Before<'_>, root: &str) {
        let at = text.find("name").unwrap_or_default();
        assert_eq!((what_is_before(text, at), root_of(text, at)), (before, root), "{text}");
    }

    #[test]
    fn what_a_name_belongs_to_is_before_it() {
        check("x = name(1)", Before::Nothing, "");
        check("a.b.name(1)", Before::Member(Some("b")), "a");
        check("a::b::name", Before::Member(Some("b")), "a");
        check("this->name", Before::Member(Some("this")), "this");
        check("f().name", Before::Member(None), "");
        check("items\n    .name()", Before::Member(Some("items")), "items");
        check("it?.name", Before::Member(Some("it")), "it");
        check("it&.name", Before::Member(Some("it")), "it");
        check("obj:name(1)", Before::Member(Some("obj")), "obj");
        check("{a:name}", Before::Nothing, "");
        check("f(...name)", Before::Nothing, "");
    }

    #[track_caller]
    fn check_type(text: &str, expect: Option<&str>) {
        let text = format!("{text}\nend\n");
        assert_eq!(receiver_type(&text, text.len(), "w"), expect, "{text}");
    }

    #[test]
    fn a_declaration_says_the_type_of_a_receiver() {
        for text in [
            "def f(self, w: Writer):",
            "fn f(w: &'a mut Writer) {",
            "w: Optional[Writer] = None",
            "Writer w = x",
            "const Writer& w)",
            "List<Writer> w;",
            "func f(w *Writer, n int) {",
            "func f(w io.Writer) {",
            "w := &Writer{}",
            "w = new Writer()",
            "let w = Writer::new()",
            "w := pkg.NewWriter(x)",
            "w = other.Writer(x)",
        ] {
            check_type(text, Some("Writer"));
        }
        for text in ["w = x", "w == Writer()", "view: Writer", "w.Writer()", "", "w = x.y"] {
            check_type(text, None);
        }
    }
}
