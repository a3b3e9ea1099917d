//! The owner in a definition's name: the part before the name in `DBImpl::Recover`, `M:f`, `res.send`.

use crate::span::Span;

/// Characters between a qualifier and a name.
const SEPARATORS: [char; 3] = [':', '.', '\\'];
/// Uninformative qualifiers: the current object, or the file itself.
const UNINFORMATIVE: [&str; 5] = ["this", "self", "exports", "module.exports", "module"];

/// The qualifier in `before`, which ends where the name begins; `None` if it is not a path of names (a call, an index).
pub(super) fn trimmed(text: &[u8], before: Span) -> Option<Span> {
    let written = std::str::from_utf8(text.get(before.range())?).ok()?;
    let path = written.trim_end().trim_end_matches(SEPARATORS).trim_end();
    let path = path.strip_suffix(".prototype").unwrap_or(path);
    let is_name = |it: char| it.is_alphanumeric() || "_$@:.\\<>, ~".contains(it);
    let says = !path.is_empty() && path.chars().all(is_name) && !UNINFORMATIVE.contains(&path);
    says.then(|| Span { start: before.start, end: before.start + path.len() as u32 })
}

/// Splits a path that is one token or node into qualifier and name: `a::b`, `A.B.C`, `A\B`. `None` without a separator.
pub(super) fn split(text: &[u8], path: Span) -> Option<(Span, Span)> {
    let written = std::str::from_utf8(text.get(path.range())?).ok()?;
    let at = written.rfind(SEPARATORS).filter(|it| it + 1 < written.len())?;
    if !written[at + 1..].chars().all(|it| it.is_alphanumeric() || it == '_') {
        return None;
    }
    let name = Span { start: path.start + at as u32 + 1, end: path.end };
    Some((trimmed(text, Span { start: path.start, end: name.start })?, name))
}

#[cfg(test)]
mod tests {
    use super::{split, trimmed};
    use crate::span::Span;

    fn qualifier(before: &str) -> Option<&str> {
        trimmed(before.as_bytes(), Span::new(0, before.len())).map(|it| it.of(before))
    }

    #[test]
    fn a_qualifier_is_a_path_of_names() {
        assert_eq!(qualifier("leveldb::DBImpl<T>::"), Some("leveldb::DBImpl<T>"));
        assert_eq!(qualifier("M:"), Some("M"));
        assert_eq!(qualifier("Foo.prototype."), Some("Foo"));
        assert_eq!(qualifier("f(x)."), None);
        assert_eq!(qualifier("this."), None);
        assert_eq!(qualifier("module.exports."), None);
        assert_eq!(qualifier(""), None);
    }

    #[test]
    fn a_path_splits_before_its_last_name() {
        let path = "Phoenix.Router.Scope";
        let (qualifier, name) = split(path.as_bytes(), Span::new(0, path.len())).unwrap();
        assert_eq!((qualifier.of(path), name.of(path)), ("Phoenix.Router", "Scope"));
        assert!(split(b"Plain", Span::new(0, 5)).is_none());
    }
}
