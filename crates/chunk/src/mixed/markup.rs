//! Scans markup for scripts, styles, expressions in braces, and attributes whose values are code. It works on the text
//! because the tree of a half-edited page is unreliable, and because the tree is parsed from the remaining host text.

use std::ops::Range;

use crate::language::Language;

/// Maximum length of an expression in braces, in bytes; longer ones are text.
const MAX_BRACES_LENGTH: usize = 1 << 16;

/// Syntax to look for beside scripts and styles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// No other syntax.
    Html,
    /// Attributes that begin with `:`, `@` and `v-`.
    Vue,
    /// Expressions in braces.
    Braces,
}

/// A script or style.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RawElement {
    /// Whether it is a script.
    pub(super) is_script: bool,
    /// From after the name to before the `>`.
    pub(super) attributes: Range<usize>,
    pub(super) content: Range<usize>,
}

/// An expression in braces, including the braces.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Braces {
    pub(super) range: Range<usize>,
    pub(super) around: Surroundings,
}

/// The context of braces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Surroundings {
    /// Between tags.
    Content,
    /// In a tag, as an attribute or a part of one.
    Tag,
}

/// The scan's results, in the order of the text.
#[derive(Default)]
pub(super) struct Markup {
    pub(super) raw: Vec<RawElement>,
    pub(super) braces: Vec<Braces>,
    /// Values of attributes that are code, including quotes.
    pub(super) bindings: Vec<Range<usize>>,
}

/// Scans `text` from `start`.
pub(super) fn scan(text: &[u8], start: usize, dialect: Dialect) -> Markup {
    let left = 4 * text.len() + MAX_BRACES_LENGTH;
    let mut scanner = Scanner { text, at: start, dialect, left, found: Markup::default() };
    scanner.content();
    scanner.found
}

struct Scanner<'t> {
    text: &'t [u8],
    at: usize,
    dialect: Dialect,
    /// Remaining bytes for searching closing braces. Without the limit unclosed braces would make the scan quadratic.
    left: usize,
    found: Markup,
}

impl Scanner<'_> {
    fn content(&mut self) {
        while let Some(next) = self.next_of(b'<', b'{') {
            self.at = next;
            let rest = &self.text[next..];
            if rest[0] == b'{' {
                self.braces(Surroundings::Content);
            } else if rest.starts_with(b"<!--") {
                self.at = find(self.text, next + 4, b"-->").map_or(self.text.len(), |it| it + 3);
            } else if rest.get(1).is_some_and(u8::is_ascii_alphabetic) {
                self.tag();
            } else {
                self.at += 1;
            }
        }
    }

    fn next_of(&self, first: u8, second: u8) -> Option<usize> {
        let rest = self.text.get(self.at..)?;
        Some(self.at + memchr::memchr2(first, second, rest)?)
    }

    /// Records the braces at the current byte if they are a closed expression.
    fn braces(&mut self, around: Surroundings) {
        let looks = self.dialect == Dialect::Braces && self.left > 0;
        let end = looks.then(|| closing(self.text, self.at)).flatten();
        let read = end.unwrap_or(self.text.len()).min(self.at + MAX_BRACES_LENGTH) - self.at;
        self.left = self.left.saturating_sub(if looks { read } else { 0 });
        if let Some(end) = end {
            self.found.braces.push(Braces { range: self.at..end, around });
        }
        self.at = end.unwrap_or(self.at + 1);
    }

    fn tag(&mut self) {
        let name = self.at + 1;
        let is_part =
            |it: &&u8| it.is_ascii_alphanumeric() || matches!(**it, b'-' | b':' | b'.' | b'_');
        self.at = name + self.text[name..].iter().take_while(is_part).count();
        let tag = &self.text[name..self.at];
        let is_script = tag.eq_ignore_ascii_case(b"script");
        let is_raw = is_script || tag.eq_ignore_ascii_case(b"style");
        let attributes = self.at;
        self.attributes();
        let attributes = attributes..self.at.saturating_sub(1).max(attributes);
        if !is_raw || self.text[attributes.clone()].ends_with(b"/") {
            return;
        }
        let close: &[u8] = if is_script { b"</script" } else { b"</style" };
        let end = find_ignoring_case(self.text, self.at, close).unwrap_or(self.text.len());
        let content = self.at..end;
        self.found.raw.push(RawElement { is_script, attributes, content });
        self.at = end;
    }

    /// Moves past the `>` of the tag.
    fn attributes(&mut self) {
        let mut name = self.at;
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b'>' => {
                    self.at += 1;
                    return;
                }
                b'{' if self.dialect == Dialect::Braces => self.braces(Surroundings::Tag),
                b'"' | b'\'' => self.value(byte, name),
                _ => {
                    self.at += 1;
                    if byte.is_ascii_whitespace() {
                        name = self.at;
                    }
                }
            }
        }
    }

    /// Moves past a quoted value of the attribute at `name`.
    fn value(&mut self, quote: u8, name: usize) {
        let open = self.at;
        let inner = open + 1;
        let Some(len) = memchr::memchr(quote, &self.text[inner..]) else {
            self.at = inner;
            return;
        };
        let end = inner + len;
        if self.dialect == Dialect::Vue && is_binding(&self.text[name..open]) && len > 0 {
            self.found.bindings.push(open..end + 1);
        }
        if self.dialect == Dialect::Braces {
            while let Some(brace) = memchr::memchr(b'{', &self.text[self.at..end]) {
                self.at += brace;
                self.braces(Surroundings::Tag);
                if self.at > end {
                    return;
                }
            }
        }
        self.at = end + 1;
    }
}

/// Whether the attribute `name=` has an expression or a statement as its value. Patterns do not count.
fn is_binding(name: &[u8]) -> bool {
    let is_slot = name.starts_with(b"v-slot");
    (name.starts_with(b":") || name.starts_with(b"@") || name.starts_with(b"v-"))
        && name.ends_with(b"=")
        && !is_slot
}

/// The end of the braces that open at `open`. Skips strings that end on their line.
pub(super) fn closing(text: &[u8], open: usize) -> Option<usize> {
    let text = &text[..text.len().min(open + MAX_BRACES_LENGTH)];
    let mut depth = 0_u32;
    let mut at = open;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            b'"' | b'\'' | b'`' => at = string_end(text, at),
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// The closing quote of the string that opens at `open`; `open` itself if it does not close on its line.
fn string_end(text: &[u8], open: usize) -> usize {
    let quote = text[open];
    let mut at = open + 1;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' => at += 1,
            b'\n' if quote != b'`' => return open,
            _ if byte == quote => return at,
            _ => {}
        }
        at += 1;
    }
    open
}

/// The language of a script by its attributes; `None` if it is not code.
pub(super) fn script_language(attributes: &[u8], default: Language) -> Option<Language> {
    let value = |name: &[u8]| attribute(attributes, name);
    if let Some(lang) = value(b"lang") {
        return match lang {
            b"ts" | b"typescript" => Some(Language::TypeScript),
            b"tsx" => Some(Language::Tsx),
            b"js" | b"jsx" | b"javascript" => Some(Language::JavaScript),
            _ => None,
        };
    }
    let Some(kind) = value(b"type") else { return Some(default) };
    let kind = kind.to_ascii_lowercase();
    let has = |it: &[u8]| memchr::memmem::find(&kind, it).is_some();
    if has(b"json") || kind == b"importmap" || kind == b"speculationrules" {
        Some(Language::Json)
    } else if has(b"typescript") {
        Some(Language::TypeScript)
    } else if kind.is_empty()
        || kind == b"module"
        || has(b"javascript")
        || has(b"ecmascript")
        || has(b"babel")
        || has(b"jsx")
    {
        Some(default)
    } else {
        None
    }
}

/// Whether a style is plain CSS.
pub(super) fn is_css(attributes: &[u8]) -> bool {
    attribute(attributes, b"lang").is_none_or(|it| matches!(it, b"css" | b"postcss"))
}

/// The value of an attribute, with or without quotes.
fn attribute<'t>(attributes: &'t [u8], name: &[u8]) -> Option<&'t [u8]> {
    let mut found = memchr::memmem::find_iter(attributes, name);
    let is_name = |at: &usize| {
        at.checked_sub(1).is_none_or(|it| attributes[it].is_ascii_whitespace())
            && attributes[at + name.len()..].trim_ascii_start().starts_with(b"=")
    };
    let at = found.find(is_name)? + name.len();
    let value = attributes[at..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let end = match value.first()? {
        quote @ (b'"' | b'\'') => return value[1..].split(|it| it == quote).next(),
        _ => value.iter().position(u8::is_ascii_whitespace).unwrap_or(value.len()),
    };
    Some(&value[..end])
}

/// The position of `needle` from `start` on.
pub(super) fn find(text: &[u8], start: usize, needle: &[u8]) -> Option<usize> {
    Some(start + memchr::memmem::find(text.get(start..)?, needle)?)
}

/// Like [`find`], ignoring case; `needle` begins with `<`.
fn find_ignoring_case(text: &[u8], start: usize, needle: &[u8]) -> Option<usize> {
    let starts = memchr::memchr_iter(b'<', text.get(start..)?).map(|it| start + it);
    let is_it = |&at: &usize| {
        text.get(at..at + needle.len()).is_some_and(|it| it.eq_ignore_ascii_case(needle))
    };
    starts.into_iter().find(is_it)
}

#[cfg(test)]
mod tests {
    use super::{Dialect, closing, scan, script_language};
    use crate::language::Language;

    fn found(text: &str, dialect: Dialect) -> Vec<String> {
        let markup = scan(text.as_bytes(), 0, dialect);
        let raw = markup.raw.into_iter().map(|it| it.content);
        let all = raw.chain(markup.braces.into_iter().map(|it| it.range)).chain(markup.bindings);
        all.map(|it| text[it].to_owned()).collect()
    }

    #[test]
    fn a_script_reaches_to_its_closing_tag_in_any_case() {
        let text = "<p>a</p><SCRIPT a=\">\">let a = '<b>';</Script><style>b{}</style><script/>";
        assert_eq!(found(text, Dialect::Html), ["let a = '<b>';", "b{}"]);
    }

    #[test]
    fn a_script_in_a_comment_is_none() {
        assert_eq!(found("<!-- <script>a</script> --><script>b", Dialect::Html), ["b"]);
    }

    #[test]
    fn bound_attributes_are_code_and_others_are_not() {
        let text = "<a href=\"b\" :c=\"d(1)\" @e.f='g' v-slot=\"{ h }\" v-if=\"i > 2\">{{ j }}</a>";
        assert_eq!(found(text, Dialect::Vue), ["\"d(1)\"", "'g'", "\"i > 2\""]);
    }

    #[test]
    fn braces_close_behind_what_they_contain() {
        let text = "{#if a}<b c={() => { d('}') }} e=\"f {g}\">don't {h}</b>{/if}{i";
        assert_eq!(
            found(text, Dialect::Braces),
            ["{#if a}", "{() => { d('}') }}", "{g}", "{h}", "{/if}"]
        );
        assert_eq!(closing(b"{a", 0), None);
    }

    #[test]
    fn attributes_tell_the_language_of_a_script() {
        let of = |attributes: &str| script_language(attributes.as_bytes(), Language::JavaScript);
        assert_eq!(of(" setup lang=\"ts\""), Some(Language::TypeScript));
        assert_eq!(of(" type=module"), Some(Language::JavaScript));
        assert_eq!(of(" type='application/ld+json'"), Some(Language::Json));
        assert_eq!(of(" type=\"text/x-template\""), None);
        assert_eq!(of(" data-lang=\"x\""), Some(Language::JavaScript));
    }
}
