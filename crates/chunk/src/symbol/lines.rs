//! Symbols of a file without a syntax tree, found by the first words of its lines.
//!
//! Without this, a file that its grammar cannot parse (too long, too broken, or newer than the grammar) would have no
//! definitions, and a look-up would report a name as neither defined nor used. A line of modifiers, a keyword and a
//! name defines the name, up to the next line with the same or less indentation. The result is approximate: comments
//! and strings that look like code are skipped only if the first characters of the line show it.

use super::position::prose_of_line;
use super::types::{Definition, Import, ImportedName, Kind, Reference, ReferenceKind, Symbols};
use crate::language::Language;
use crate::span::Span;

/// Maximum length of a text, in bytes. Longer ones are data, logs or bundles.
const MAX_LENGTH: usize = 16 << 20;
/// Maximum length of a line, in bytes. Longer ones are generated.
const MAX_LINE_LENGTH: usize = 400;
/// Maximum number of definitions in a file.
const MAX_DEFINITIONS: usize = 20_000;

/// Words that may precede the keyword of a definition.
const MODIFIERS: &[&str] = &[
    "abstract",
    "actual",
    "async",
    "companion",
    "const",
    "crossinline",
    "data",
    "declare",
    "default",
    "expect",
    "export",
    "external",
    "fileprivate",
    "final",
    "infix",
    "inline",
    "inner",
    "internal",
    "lateinit",
    "local",
    "mutating",
    "open",
    "operator",
    "override",
    "partial",
    "private",
    "protected",
    "pub",
    "public",
    "readonly",
    "sealed",
    "static",
    "suspend",
    "tailrec",
    "unsafe",
    "value",
    "virtual",
];

/// Keywords and the kind that each defines.
type Keywords = &'static [(&'static str, Kind)];

/// Languages whose definitions begin with a keyword.
const KEYWORDS: &[(&[Language], Keywords)] = &[
    (
        &[Language::Kotlin],
        &[
            ("class", Kind::Class),
            ("object", Kind::Class),
            ("interface", Kind::Interface),
            ("fun", Kind::Function),
            ("val", Kind::Constant),
            ("var", Kind::Constant),
            ("typealias", Kind::Type),
        ],
    ),
    (
        &[Language::Python, Language::Ruby],
        &[("class", Kind::Class), ("module", Kind::Module), ("def", Kind::Function)],
    ),
    (
        &[Language::Rust],
        &[
            ("struct", Kind::Class),
            ("enum", Kind::Enum),
            ("union", Kind::Class),
            ("trait", Kind::Interface),
            ("impl", Kind::Implementation),
            ("fn", Kind::Function),
            ("mod", Kind::Module),
            ("const", Kind::Constant),
            ("static", Kind::Constant),
            ("type", Kind::Type),
            ("macro_rules!", Kind::Macro),
        ],
    ),
    (
        &[Language::Go],
        &[
            ("func", Kind::Function),
            ("type", Kind::Type),
            ("const", Kind::Constant),
            ("var", Kind::Constant),
        ],
    ),
    (
        &[Language::JavaScript, Language::TypeScript, Language::Tsx],
        &[
            ("class", Kind::Class),
            ("interface", Kind::Interface),
            ("enum", Kind::Enum),
            ("function", Kind::Function),
            ("function*", Kind::Function),
            ("type", Kind::Type),
            ("namespace", Kind::Module),
        ],
    ),
    (
        &[Language::Java, Language::CSharp],
        &[
            ("class", Kind::Class),
            ("interface", Kind::Interface),
            ("enum", Kind::Enum),
            ("record", Kind::Class),
            ("struct", Kind::Class),
        ],
    ),
    (
        &[Language::C, Language::Cpp],
        &[
            ("class", Kind::Class),
            ("struct", Kind::Class),
            ("union", Kind::Class),
            ("enum", Kind::Enum),
            ("namespace", Kind::Module),
            ("#define", Kind::Macro),
        ],
    ),
    (
        &[Language::Php],
        &[
            ("class", Kind::Class),
            ("interface", Kind::Interface),
            ("trait", Kind::Class),
            ("enum", Kind::Enum),
            ("function", Kind::Function),
            ("namespace", Kind::Module),
        ],
    ),
    (
        &[Language::Swift],
        &[
            ("class", Kind::Class),
            ("struct", Kind::Class),
            ("actor", Kind::Class),
            ("enum", Kind::Enum),
            ("protocol", Kind::Interface),
            ("extension", Kind::Implementation),
            ("func", Kind::Function),
            ("typealias", Kind::Type),
        ],
    ),
    (
        &[Language::Scala],
        &[
            ("class", Kind::Class),
            ("object", Kind::Class),
            ("trait", Kind::Interface),
            ("enum", Kind::Enum),
            ("def", Kind::Function),
            ("type", Kind::Type),
        ],
    ),
    (
        &[Language::Elixir],
        &[
            ("defmodule", Kind::Module),
            ("defprotocol", Kind::Interface),
            ("defimpl", Kind::Implementation),
            ("def", Kind::Function),
            ("defp", Kind::Function),
            ("defmacro", Kind::Macro),
        ],
    ),
    (
        &[Language::Haskell],
        &[
            ("data", Kind::Class),
            ("newtype", Kind::Class),
            ("class", Kind::Interface),
            ("instance", Kind::Implementation),
            ("type", Kind::Type),
        ],
    ),
    (
        &[Language::Zig],
        &[("fn", Kind::Function), ("const", Kind::Constant), ("var", Kind::Constant)],
    ),
    (&[Language::Lua, Language::Bash], &[("function", Kind::Function)]),
];

fn keywords(language: Language) -> Keywords {
    KEYWORDS.iter().find(|it| it.0.contains(&language)).map_or(&[], |it| it.1)
}

/// Finds the symbols of `text` line by line.
pub(crate) fn by_lines(text: &[u8], language: Language) -> Symbols {
    let keywords = keywords(language);
    if keywords.is_empty() || text.len() > MAX_LENGTH {
        return Symbols::default();
    }
    let mut found =
        LineScanner { text, language, keywords, symbols: Symbols::default(), open: Vec::new() };
    let mut start = 0;
    for line in text.split_inclusive(|&it| it == b'\n') {
        found.line(start, line);
        start += line.len();
    }
    found.close(0, text.trim_ascii_end().len());
    found.symbols
}

/// State of the scan.
struct LineScanner<'t> {
    text: &'t [u8],
    language: Language,
    keywords: Keywords,
    symbols: Symbols,
    /// Open definitions, outermost first, each with the indentation of its line.
    open: Vec<(usize, u32)>,
}

impl LineScanner<'_> {
    fn line(&mut self, start: usize, line: &[u8]) {
        let Ok(line) = std::str::from_utf8(&line[..line.len().min(MAX_LINE_LENGTH)]) else {
            return;
        };
        let code = line.trim();
        let indentation = line.len() - line.trim_start().len();
        let whole = || Span::new(start + indentation, start + indentation + code.len());
        if code.is_empty() || is_comment(code, self.language) {
            self.symbols.prose.extend((!code.is_empty()).then(whole));
            return;
        }
        let at = start + indentation;
        let prose = prose_of_line(code, self.language).into_iter();
        self.symbols.prose.extend(prose.map(|it| Span::new(at + it.start, at + it.end)));
        // A closing bracket or word belongs to the block it closes.
        let closes = code.starts_with(['}', ')', ']']) || code.starts_with("end");
        let ends = if closes { indentation + 1 } else { indentation };
        self.close(ends, self.text[..start].trim_ascii_end().len());
        if let Some(import) = import(code, at) {
            self.symbols.imports.push(import);
        } else {
            let name = self.define(code, at, indentation);
            self.refer(code, at, name);
        }
    }

    /// Ends the definitions with at least this indentation.
    fn close(&mut self, indentation: usize, end: usize) {
        while let Some((_, idx)) = self.open.pop_if(|it| it.0 >= indentation) {
            let it = &mut self.symbols.definitions[idx as usize];
            it.span.end = it.span.end.max(end as u32);
            let body = Span { start: it.signature.end, end: it.span.end };
            let inner = &self.text[body.range()];
            let blank = inner.len() - inner.trim_ascii_start().len();
            it.body = (blank < inner.len())
                .then_some(Span { start: body.start + blank as u32, end: body.end });
        }
    }

    /// Adds the definition at the start of a line and returns its name.
    fn define(&mut self, code: &str, at: usize, indentation: usize) -> Option<Span> {
        let (kind, name) = defined(code, self.keywords)?;
        let parent = self.open.last().map(|it| it.1);
        let around = parent.map(|it| self.symbols.definitions[it as usize].kind);
        let is_local = matches!(around, Some(Kind::Function | Kind::Method));
        if self.symbols.definitions.len() == MAX_DEFINITIONS || is_local && kind == Kind::Constant {
            return None;
        }
        let is_member =
            matches!(around, Some(Kind::Class | Kind::Interface | Kind::Implementation));
        let kind = match kind {
            Kind::Function if is_member => Kind::Method,
            Kind::Constant if is_member => Kind::Field,
            kind => kind,
        };
        let name = Span::new(at + name.start, at + name.end);
        let head = code.trim_end_matches(['{', ':', '=', ' ']);
        let span = Span::new(at, at + code.len());
        let signature = Span { start: span.start, end: name.end.max((at + head.len()) as u32) };
        self.open.push((indentation, self.symbols.definitions.len() as u32));
        self.symbols.definitions.push(Definition {
            kind,
            span,
            name,
            qualifier: None,
            signature,
            body: None,
            doc: None,
            parent,
        });
        Some(name)
    }

    /// Adds names before a parenthesis as references.
    fn refer(&mut self, code: &str, at: usize, own: Option<Span>) {
        for paren in memchr::memchr_iter(b'(', code.as_bytes()) {
            let len = code[..paren].bytes().rev().take_while(|&it| is_name(it)).count();
            let name = Span::new(at + paren - len, at + paren);
            let written = &code[paren - len..paren];
            let is_call = len > 0
                && !written.as_bytes()[0].is_ascii_digit()
                && Some(name) != own
                && self.language.keywords().binary_search(&written).is_err();
            if is_call {
                self.symbols.references.push(Reference { name, kind: ReferenceKind::Call });
            }
        }
    }
}

/// The kind and position of the name that a line defines.
fn defined(code: &str, keywords: &[(&str, Kind)]) -> Option<(Kind, std::ops::Range<usize>)> {
    let mut at = 0;
    loop {
        let rest = &code[at..];
        let word = &rest[..rest.find([' ', '\t', '(']).unwrap_or(rest.len())];
        let next = at + word.len();
        let modifier = word.starts_with('@') || MODIFIERS.contains(&word);
        if let Some((_, kind)) = keywords.iter().find(|it| it.0 == word) {
            let after = after_receiver(code, next);
            let len = code[after..].bytes().take_while(|&it| is_name(it)).count();
            // In `const fun` the first word is a modifier, not the keyword.
            let is_keyword = keywords.iter().any(|it| it.0 == &code[after..after + len]);
            if len > 0 && !is_keyword && !code.as_bytes()[after].is_ascii_digit() {
                return Some((*kind, after..after + len));
            }
        } else if !modifier {
            return None;
        }
        let gap = code[next..].len() - code[next..].trim_start().len();
        if gap == 0 {
            return None;
        }
        at = next + gap;
    }
}

/// The start of the name: after spaces, type parameters (`fun <T> f`), Go's receiver, and a path (`fun String.f`,
/// `M:f`).
fn after_receiver(code: &str, from: usize) -> usize {
    let mut at = from + code[from..].len() - code[from..].trim_start().len();
    for (open, close) in [('<', '>'), ('(', ')')] {
        let end = code[at..].find(close).filter(|_| code[at..].starts_with(open));
        if let Some(end) = end {
            at += end + 1;
            at += code[at..].len() - code[at..].trim_start().len();
        }
    }
    let rest = &code[at..];
    let path = &rest[..rest.find(['(', ' ', '{', '=']).unwrap_or(rest.len())];
    let is_call = rest[path.len()..].starts_with('(');
    let path = path.trim_end_matches(':');
    let is_part = |it: char| it.is_alphanumeric() || "_.:?<>".contains(it);
    // In `val x: a.B` a type follows the colon.
    let is_path = is_call || !path.replace("::", "").contains(':');
    let dot = path.rfind(['.', ':']).filter(|_| is_path && path.chars().all(is_part));
    at + dot.map_or(0, |it| it + 1)
}

/// Parses an import line: `import a.b.C`, `from a import b`, `use a::b;`, `#include <x>`, `using A.B;`.
fn import(code: &str, at: usize) -> Option<Import> {
    let (word, rest) = code.split_once([' ', '\t'])?;
    let rest = rest.trim().trim_end_matches(';').trim();
    let span = Span::new(at, at + code.len());
    let made = |module: &str, names: &[&str]| {
        let bare = module.trim_matches(['"', '\'', '<', '>', ' ']);
        let plain = !bare.is_empty() && !bare.contains([' ', '(', '{', '=']);
        let name = |it: &&str| ImportedName { name: (*it).to_owned(), alias: None };
        let names = names.iter().map(name).collect();
        plain.then(|| Import { span, module: bare.to_owned(), names, alias: None })
    };
    match word {
        "from" => {
            let (module, names) = rest.split_once(" import ")?;
            let names: Vec<&str> = names.split(',').map(str::trim).collect();
            let plain = |it: &&str| it.bytes().all(is_name) && !it.is_empty();
            made(module, &names.into_iter().filter(plain).collect::<Vec<_>>())
        }
        "import" | "use" => {
            match rest.rsplit_once(['.', '\\']).or_else(|| rest.rsplit_once("::")) {
                Some((module, name)) if name.bytes().all(is_name) && !rest.contains('"') => {
                    made(module.trim_end_matches(':'), &[name])
                }
                _ => made(rest, &[]),
            }
        }
        "using" | "#include" => made(rest, &[]),
        _ => None,
    }
}

fn is_comment(code: &str, language: Language) -> bool {
    let line = language.line_comment().is_some_and(|it| code.starts_with(it));
    // `#define` is not a comment in C, where comments start with `//`.
    line || language.block_comment().is_some_and(|it| code.starts_with(it.0))
        || code.starts_with("* ")
        || code == "*"
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}
