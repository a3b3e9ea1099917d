//! Turns matches in import statements into [`Import`]s.

use std::borrow::Cow;

use super::query::Settings;
use super::types::{Import, ImportedName};
use crate::span::Span;

/// One module and at most one of its names, from one statement.
#[derive(Clone, Debug)]
pub(super) struct Statement {
    span: Span,
    module: String,
    name: Option<String>,
    alias: Option<String>,
}

impl Statement {
    pub(super) fn span(&self) -> Span {
        self.span
    }

    /// The statement, `by` bytes later.
    pub(super) fn moved(&self, by: i64) -> Self {
        Self { span: self.span.moved(by), ..self.clone() }
    }

    /// The statement of one match.
    pub(super) fn new(
        span: Span,
        module: &str,
        name: Option<Cow<'_, str>>,
        alias: Option<Cow<'_, str>>,
        settings: &Settings,
    ) -> Self {
        let module = format!("{}{}", settings.prefix.as_deref().unwrap_or(""), bare(module));
        let name = name
            .map(|it| bare(&it).to_owned())
            .or_else(|| settings.name.as_deref().map(str::to_owned));
        Self { span, module, name, alias: alias.map(|it| bare(&it).to_owned()) }
    }

    /// Adds the name, or the alias of the module, to an import of the same module.
    fn add_to(self, import: &mut Import) {
        let Some(name) = self.name else {
            import.alias = import.alias.take().or(self.alias);
            return;
        };
        let alias = self.alias.filter(|alias| *alias != name);
        let name = ImportedName { name, alias };
        if !import.names.contains(&name) {
            import.names.push(name);
        }
    }

    /// The statements of a path: one for each name, with its module.
    pub(super) fn of_path(
        span: Span,
        path: &str,
        settings: &Settings,
        found: &mut dyn FnMut(Self),
    ) {
        let separator = settings.separator.as_deref().unwrap_or(".");
        let path = without_comments(path);
        let mut add = |full: &str, alias: Option<String>| {
            let full: String = full.chars().filter(|it| !it.is_whitespace()).collect();
            let (module, name) = match full.rsplit_once(separator) {
                Some((module, name)) if !module.is_empty() => (module, Some(name)),
                _ => (full.as_str(), None),
            };
            let name = name.map(|it| if it == "_" { "*" } else { it }.to_owned());
            found(Self { span, module: module.to_owned(), name, alias });
        };
        let path =
            without_words(path.trim_end_matches(';'), settings.words.as_deref().unwrap_or(""));
        items(path).for_each(|it| expand("", it, separator, &mut add));
    }
}

/// Merges statements: one import for all names from a module, in the order of the text.
pub(super) fn imports(mut statements: Vec<Statement>) -> Vec<Import> {
    statements.sort_by_key(|it| it.span);
    let mut imports: Vec<Import> = Vec::new();
    for it in statements {
        let mut same = imports.iter_mut().rev().take_while(|other| other.span == it.span);
        if let Some(import) = same.find(|other| other.module == it.module) {
            it.add_to(import);
        } else {
            let (span, module) = (it.span, it.module.clone());
            let mut import = Import { span, module, names: Vec::new(), alias: None };
            it.add_to(&mut import);
            imports.push(import);
        }
    }
    imports
}

/// The module without quotes or angle brackets.
fn bare(text: &str) -> &str {
    let text = text.trim();
    for (open, close) in [('"', '"'), ('\'', '\''), ('`', '`'), ('<', '>')] {
        if let Some(inner) = text.strip_prefix(open).and_then(|it| it.strip_suffix(close)) {
            return inner;
        }
    }
    text
}

/// Calls `add` with each path abbreviated by `path` and its alias: `b::{c, d as e}` under `a` is `a::b::c` and
/// `a::b::d` as `e`.
fn expand(before: &str, path: &str, separator: &str, add: &mut dyn FnMut(&str, Option<String>)) {
    let path = path.trim();
    if path.is_empty() {
        return;
    }
    if let Some((head, inner)) = path.split_once('{') {
        let inner = inner.rfind('}').map_or(inner, |end| &inner[..end]);
        let head = join(before, head.trim().trim_end_matches(separator), separator);
        return items(inner).for_each(|it| expand(&head, it, separator, add));
    }
    let (path, alias) = split_alias(path);
    let own = path == "self" && !before.is_empty();
    add(
        &if own { before.to_owned() } else { join(before, path, separator) },
        alias.map(str::to_owned),
    );
}

fn join(before: &str, path: &str, separator: &str) -> String {
    if before.is_empty() || path.is_empty() {
        format!("{before}{path}")
    } else {
        format!("{before}{separator}{path}")
    }
}

/// Splits a list at commas outside inner braces.
fn items(list: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_u32;
    list.split(move |it| {
        match it {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        it == ',' && depth == 0
    })
}

fn split_alias(path: &str) -> (&str, Option<&str>) {
    for word in ["=>", " as "] {
        if let Some((path, alias)) = path.split_once(word) {
            return (path.trim(), Some(alias.trim()));
        }
    }
    (path, None)
}

/// Removes keywords before the path.
fn without_words<'p>(path: &'p str, words: &str) -> &'p str {
    let mut path = path.trim_start();
    while let Some((word, rest)) = path.split_once(char::is_whitespace) {
        if !words.split(' ').any(|it| it == word) {
            break;
        }
        path = rest.trim_start();
    }
    path
}

fn without_comments(path: &str) -> Cow<'_, str> {
    if !path.contains("//") && !path.contains("/*") {
        return Cow::Borrowed(path);
    }
    let mut kept = String::with_capacity(path.len());
    let mut rest = path;
    while let Some(at) = rest.find("//").into_iter().chain(rest.find("/*")).min() {
        kept.push_str(&rest[..at]);
        let end = if rest[at..].starts_with("//") { "\n" } else { "*/" };
        rest = rest[at..].find(end).map_or("", |it| &rest[at + it + end.len()..]);
    }
    Cow::Owned(kept + rest)
}

#[cfg(test)]
mod tests {
    use super::{Settings, Statement, imports};
    use crate::span::Span;

    fn check(path: &str, separator: &str, expected: &str) {
        let settings = Settings { separator: Some(separator.into()), ..Settings::default() };
        let mut found = Vec::new();
        Statement::of_path(Span::default(), path, &settings, &mut |it| found.push(it));
        let imports = imports(found).into_iter().map(|it| {
            let names = it
                .names
                .into_iter()
                .map(|it| it.name + &it.alias.map_or_else(String::new, |it| format!("={it}")));
            let alias = it.alias.map_or_else(String::new, |it| format!("={it}"));
            format!("{}{alias}({})", it.module, names.collect::<Vec<_>>().join(" "))
        });
        assert_eq!(imports.collect::<Vec<_>>().join("; "), expected);
    }

    #[test]
    fn a_path_ends_in_a_name() {
        check("std::fmt::Write", "::", "std::fmt(Write)");
        check("anyhow", "::", "anyhow()");
        check("a.b.*", ".", "a.b(*)");
        check("a.b._", ".", "a.b(*)");
        check("serde as s", "::", "serde=s()");
    }

    #[test]
    fn braces_hold_several_names() {
        check("a::{self, b, c as d, e::{f, g::*}}", "::", "a(b c=d); a::e(f); a::e::g(*)");
        check("std::{fmt::{self, Write}, io}", "::", "std(fmt io); std::fmt(Write)");
        check("{a::b, c}", "::", "a(b); c()");
        check("x.y.{A => B, C => _, _}", ".", "x.y(A=B C=_ *)");
    }

    #[test]
    fn comments_in_braces_are_no_names() {
        check("a::{b, // not, this\n c, /* nor, that */ d}", "::", "a(b c d)");
    }
}
