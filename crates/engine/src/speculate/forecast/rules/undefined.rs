//! Functions that are called and defined nowhere: not in the repository, its imports or the language.

use std::collections::BTreeSet;
use std::rc::Rc;

use foreword_chunk::{Language, Reference, ReferenceKind, Span};

use super::super::draft::{Draft, cite, has_word};
use super::super::facts::{Facts, Place};
use super::super::view::{FileView, indentation, is_function, is_type};
use super::super::words::words;
use super::todo::declaration;
use crate::retrieve::is_builtin;
use crate::speculate::{ForecastForm, ForecastKind};

/// What more files than these call is defined somewhere, out of sight.
const MOST_FILES: usize = 2;
/// Calls with longer arguments are not read.
const LONGEST: usize = 300;

/// Globals of browsers, servers and test runners, of Python 2, and words of Rust's attributes.
const GLOBALS: &[&str] = &[
    "all",
    "any",
    "apply",
    "basestring",
    "cmp",
    "execfile",
    "file",
    "long",
    "not",
    "raw_input",
    "reduce",
    "reload",
    "unichr",
    "unicode",
    "xrange",
    "addEventListener",
    "after",
    "afterAll",
    "afterEach",
    "alert",
    "assert",
    "atob",
    "before",
    "beforeAll",
    "beforeEach",
    "btoa",
    "cancelAnimationFrame",
    "confirm",
    "context",
    "createImageBitmap",
    "decodeURI",
    "define",
    "defineEmits",
    "defineProps",
    "describe",
    "encodeURI",
    "escape",
    "expect",
    "fail",
    "getComputedStyle",
    "importScripts",
    "it",
    "jest",
    "matchMedia",
    "postMessage",
    "prompt",
    "reportError",
    "requestAnimationFrame",
    "requestIdleCallback",
    "specify",
    "suite",
    "test",
    "unescape",
    "vi",
];

/// Where something called would be defined.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Receiver {
    /// Nothing is written before it: in the file or beside it.
    Nothing,
    /// In the type of the function that calls it.
    Itself,
}

/// The functions that a file calls and that are defined nowhere.
pub(in super::super) fn undefined<'s>(facts: &Facts<'s>, view: &Rc<FileView<'s>>) -> Vec<Draft> {
    let is_read = matches!(
        view.language,
        Some(
            Language::Python
                | Language::Rust
                | Language::Go
                | Language::JavaScript
                | Language::TypeScript
                | Language::Tsx
        )
    );
    if !is_read || has_open_imports(facts, view) {
        return Vec::new();
    }
    let known = bound_names(view);
    let mut seen = BTreeSet::new();
    let calls = view.mentions().references.clone();
    let calls = calls.into_iter().filter(|it| it.kind == ReferenceKind::Call);
    calls
        .filter(|it| seen.insert(view.of(it.name).to_owned()))
        .filter(|it| !known.contains(view.of(it.name)))
        .filter_map(|it| of_call(facts, view, it))
        .collect()
}

/// Whether the file takes all names of a module that the repository does not have.
fn has_open_imports(facts: &Facts<'_>, view: &FileView<'_>) -> bool {
    let imports = &view.record.symbols.imports;
    imports.iter().any(|it| {
        let is_open = it.names.iter().any(|it| it.name == "*") && it.alias.is_none();
        // `import * as x` and `use super::*` name what they open.
        let is_own = matches!(
            view.language,
            Some(Language::JavaScript | Language::TypeScript | Language::Tsx)
        ) || it.module.starts_with("super")
            || it.module.starts_with("self");
        is_open && !is_own && !facts.resolves(view, it)
    })
}

/// The names that the file binds: locals and imports.
fn bound_names<'v>(view: &'v FileView<'_>) -> BTreeSet<&'v str> {
    let locals = view.mentions().locals.iter().map(|it| view.of(*it));
    let imports = view.record.symbols.imports.iter().flat_map(|it| {
        let names = it.names.iter().map(|it| it.alias.as_deref().unwrap_or(&it.name));
        let module =
            it.alias.as_deref().into_iter().chain(it.module.rsplit(['.', '/', ':']).next());
        names.chain(module).collect::<Vec<_>>()
    });
    locals.chain(imports).collect()
}

fn of_call<'s>(facts: &Facts<'s>, view: &Rc<FileView<'s>>, call: Reference) -> Option<Draft> {
    let language = view.language?;
    let name = view.of(call.name);
    let arguments = arguments_of(view, call.name)?;
    let receiver = receiver_of(view, call.name)?;
    if is_known(facts, language, name, receiver) {
        return None;
    }
    let symbols = &view.record.symbols;
    let around = symbols.ancestors(symbols.enclosing(call.name.start as usize));
    let caller = around.copied().find(|it| is_function(it.kind))?;
    let caller = view.definitions().find(|it| *it.1 == caller)?.0;
    if receiver == Receiver::Itself && !is_complete(facts, view, caller, name) {
        return None;
    }
    let lines = view.lines_of(outermost(view, caller, receiver));
    let indent = indentation(view.line(lines.start)).to_owned();
    let parameters = parameters(language, arguments, receiver);
    let is_script = matches!(language, Language::JavaScript | Language::TypeScript | Language::Tsx);
    let declared = match receiver {
        Receiver::Itself if is_script => format!("{name}({parameters})"),
        _ => declaration(language, name, &parameters)?,
    };
    let line = view.line_of(call.name.start);
    Some(Draft {
        kind: ForecastKind::UndefinedName,
        form: ForecastForm::Signature,
        name: name.to_owned(),
        code: format!("{indent}{declared}"),
        line: lines.end,
        evidence: vec![cite(view, line, format!("calls {name}, which is defined nowhere"))],
        fit: 1.0,
    })
}

/// Whether a name is defined, of the language, or so common that it must be defined somewhere.
fn is_known(facts: &Facts<'_>, language: Language, name: &str, receiver: Receiver) -> bool {
    let begins_high = name.starts_with(char::is_uppercase);
    facts.is_defined(name)
        || language.keywords().binary_search(&name).is_ok()
        || receiver == Receiver::Nothing && is_builtin(language, name)
        || name.len() < 3
        || name.contains('$')
        || (language != Language::Go && (begins_high || GLOBALS.contains(&name)))
        || name.starts_with("__")
        || facts.snapshot.references(name).len() > MOST_FILES
}

/// Whether all of a type is in sight: its bases are in the repository, and nothing sets such a member.
fn is_complete<'s>(facts: &Facts<'s>, view: &Rc<FileView<'s>>, caller: u32, name: &str) -> bool {
    let symbols = &view.record.symbols;
    let owner = symbols.ancestors(Some(caller)).find(|it| is_type(it.kind)).copied();
    let Some((idx, _)) = owner.and_then(|own| view.definitions().find(|it| *it.1 == own)) else {
        return false;
    };
    let place = Place { view: Rc::clone(view), idx };
    let mut open = vec![place];
    let mut seen = 0;
    while let Some(it) = open.pop() {
        seen += 1;
        let text = it.view.slice(it.view.lines_of(it.idx));
        let sets = |mark: &str| has_word(text, name) && text.contains(&format!("{name}{mark}"));
        let is_dynamic = ["__getattr__", "setattr", "Proxy", "Object.assign"]
            .iter()
            .any(|it| has_word(text, it));
        if sets(" =") || sets(":") || sets("=") || is_dynamic || seen > 8 {
            return false;
        }
        for (span, base) in it.view.bases(it.idx) {
            if matches!(base, "object" | "ABC") {
                continue;
            }
            match facts.type_named(&it.view, base, span) {
                Some(base) => open.push(base),
                None => return false,
            }
        }
    }
    true
}

/// The definition after which a new one would stand: the caller, or for a free function what the caller is in.
fn outermost(view: &FileView<'_>, caller: u32, receiver: Receiver) -> u32 {
    let mut idx = caller;
    while let Some(parent) = view.definition(idx).and_then(|it| it.parent) {
        let kind = view.definition(parent).map(|it| it.kind);
        let stops = match receiver {
            Receiver::Itself => kind.is_some_and(is_type),
            Receiver::Nothing => kind == Some(foreword_chunk::Kind::Module),
        };
        if stops {
            break;
        }
        idx = parent;
    }
    idx
}

/// What is written before a call.
fn receiver_of(view: &FileView<'_>, name: Span) -> Option<Receiver> {
    let before = view.text.get(..name.start as usize)?;
    if before.ends_with(['.', ':', '>', '@', '$', '?', '!']) {
        let itself = ["self.", "this.", "Self::"].iter().any(|it| before.ends_with(it));
        let is_inner = ["self.", "this."].iter().any(|it| {
            before.strip_suffix(it).is_some_and(|it| {
                it.ends_with(['.', ':', '_']) || it.ends_with(char::is_alphanumeric)
            })
        });
        return (itself && !is_inner).then_some(Receiver::Itself);
    }
    Some(Receiver::Nothing)
}

/// The text between the brackets of a call; `None` for macros, calls without brackets, and long ones.
fn arguments_of<'v>(view: &'v FileView<'_>, name: Span) -> Option<&'v str> {
    let rest = view.text.get(name.end as usize..)?.strip_prefix('(')?;
    let mut depth = 0;
    for (at, it) in rest.char_indices().take(LONGEST) {
        match it {
            '(' | '[' | '{' => depth += 1,
            ')' if depth == 0 => return Some(&rest[..at]),
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Parameters after the arguments of a call.
fn parameters(language: Language, arguments: &str, receiver: Receiver) -> String {
    let mut names: Vec<String> = Vec::new();
    for (n, it) in top_level(arguments).into_iter().enumerate() {
        let it = it.split_once('=').map_or(it, |it| it.0).trim().trim_start_matches(['&', '*']);
        let last = it.rsplit(['.', ':', ' ']).next().unwrap_or(it);
        let is_name = last.chars().all(|it| it.is_alphanumeric() || it == '_')
            && last.starts_with(|it: char| it.is_alphabetic() || it == '_')
            && !language.keywords().contains(&last);
        let name = if is_name { words(last).join("_") } else { format!("arg{}", n + 1) };
        let name =
            if names.contains(&name) || name.is_empty() { format!("arg{}", n + 1) } else { name };
        names.push(name);
    }
    match language {
        Language::Rust => names.iter_mut().for_each(|it| it.push_str(": _")),
        Language::Go => names.iter_mut().for_each(|it| it.push_str(" any")),
        _ => {}
    }
    if receiver == Receiver::Itself && language == Language::Python {
        names.insert(0, "self".into());
    }
    if receiver == Receiver::Itself && language == Language::Rust {
        names.insert(0, "&self".into());
    }
    names.join(", ")
}

/// The parts between commas outside of brackets and quotes.
fn top_level(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut quote) = (0_i32, 0, None);
    let mut res = Vec::new();
    for (at, it) in text.char_indices() {
        match (quote, it) {
            (Some(open), it) if open == it => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(it),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            (None, ',') if depth == 0 => {
                res.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    res.push(&text[start..]);
    res.retain(|it| !it.trim().is_empty());
    res
}
