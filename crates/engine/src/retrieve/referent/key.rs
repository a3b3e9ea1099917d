//! Names that are keys: of a value with braces (`Route{Path: p}`, `const it: Route = { path: p }`) and of arguments in
//! Python (`Route(path=p)`).

use std::ops::Range;

use foreword_chunk::{Kind, Language, Span};

use super::super::names::place::{is_name, name_that_ends_at};
use super::code_file::{CodeFile, is_function};
use super::declaration::{Origin, REGION_BYTES, made, matching, span_in, written};
use super::object::Object;
use super::shape::{
    called_as, opening_angle, parameter_at, parameter_text, parameters_in, returned,
};
use super::users::family_of;
use super::{Referent, Resolution, is_type};
use crate::index::DefinitionSite;
use crate::sorting::sort_by_key;

/// Bytes before a key in which its bracket is opened.
const KEY_BYTES: usize = 4000;
/// Brackets around a key that are followed outwards: `[]Route{{Path: p}}`.
const MAX_DEPTH: usize = 3;
/// Brackets around a value that are followed outwards to a call with type arguments.
const MAX_OUTER: usize = 6;
/// Places of a name that may be a parameter.
const MAX_PARAMETERS: usize = 16;
/// Bytes of the parameters of a function without a name.
const PARAMETER_BYTES: usize = 400;

/// Whether a key can be something else.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyKind {
    /// It is nothing else: `path` in `Route{path: p}`.
    Only,
    /// It may be a variable as well: `path` in `{ path }`, or the name of a method.
    Also,
}

impl Resolution<'_> {
    /// The object of which a name is a key; `None` if it is none.
    pub(super) fn object_of_key(&self, file: &CodeFile, name: Span) -> Option<(Object, KeyKind)> {
        let text = &*file.text;
        let start = name.range().start;
        if let Some(props) = self.of_element_attribute(file, name) {
            return Some((props, KeyKind::Only));
        }
        let before = text[..start].trim_end();
        let before = before.strip_suffix("async").unwrap_or(before).trim_end();
        let after = text[name.range().end..].trim_start_matches([' ', '\t', '?']);
        let is_first = before.ends_with(['{', ',', '(']);
        let family = file.language.map(family_of).filter(|_| is_first)?;
        let is_script = family == Language::JavaScript;
        if family == Language::Python && is_single(after, '=') {
            let open = opened_before(text, start).filter(|it| text[*it..].starts_with('('))?;
            let callee = name_that_ends_at(text, open)?;
            return Some((self.called_type(file, span_in(text, callee)), KeyKind::Only));
        }
        let is_braced = matches!(family, Language::Go | Language::Rust) || is_script;
        let kind = match after.chars().next()? {
            ':' if is_braced && is_single(after, ':') => KeyKind::Only,
            ',' | '}' | '(' | '\n' | '\r' if is_script => KeyKind::Also,
            '=' if is_script && is_single(after, '=') => KeyKind::Also,
            _ => return None,
        };
        let open = opened_before(text, start).filter(|it| text[*it..].starts_with('{'))?;
        let pattern = if is_script { self.destructured(file, open) } else { None };
        let object = pattern.or_else(|| self.braced(file, open)).unwrap_or(Object::Unknown);
        let is_open = is_script && !matches!(object, Object::Types(_) | Object::List(_));
        let by_arguments = is_open.then(|| self.of_outer_arguments(file, open, name)).flatten();
        Some((by_arguments.unwrap_or(object), kind))
    }

    /// The object that a pattern takes apart: `const { path } = route`, `({ path }: Route) => …`.
    fn destructured(&self, file: &CodeFile, open: usize) -> Option<Object> {
        let text = &*file.text;
        let inner = &text[open..text.floor_char_boundary(text.len().min(open + KEY_BYTES))];
        let after = inner[matching(inner)?..].trim_start();
        let found = match after.strip_prefix('=').filter(|it| !it.starts_with(['=', '>'])) {
            Some(value) => made(text, value),
            None => written(text, after.strip_prefix(':')?),
        };
        Some(found.map_or(Object::Unknown, |it| self.of_declared(file, it)))
    }

    /// The type that a call constructs.
    fn called_type(&self, file: &CodeFile, callee: Span) -> Object {
        match self.refer(file, callee) {
            Referent::Known(sites) if sites.iter().any(|it| is_type(it.kind)) => {
                Object::Types(sites.into_iter().filter(|it| is_type(it.kind)).collect())
            }
            _ => Object::Unknown,
        }
    }

    /// The type of the value whose brace is opened at a byte.
    fn braced(&self, file: &CodeFile, open: usize) -> Option<Object> {
        let text = &*file.text;
        let mut open = open;
        for _ in 0..MAX_DEPTH {
            let before = text[..open].trim_end();
            if let Some(name) = name_that_ends_at(text, before.len()) {
                return match name {
                    "return" => self.of_result_around(file, open),
                    _ => Some(self.of_declared(file, Origin::Type(span_in(text, name)))),
                };
            }
            if file.language != Some(Language::Go)
                && let Some(key) = before.strip_suffix(':')
            {
                let key = span_in(text, name_that_ends_at(text, key.len())?);
                let (Object::Types(owners), _) = self.object_of_key(file, key)? else {
                    return None;
                };
                return self.may_go_on().then(|| self.attribute(&owners, key.of(text)));
            }
            if file.language == Some(Language::Go) && before.ends_with(['{', ',', ':']) {
                open = opened_before(text, open)?;
                continue;
            }
            if let Some(target) = before.strip_suffix('=') {
                return self.of_declared_in_line(file, target);
            }
            return before.ends_with(['(', ',']).then(|| self.of_argument(file, open)).flatten();
        }
        None
    }

    /// `const it: T` before an equals sign.
    fn of_declared_in_line(&self, file: &CodeFile, target: &str) -> Option<Object> {
        let line = &target[target.rfind('\n').map_or(0, |it| it + 1)..];
        let (name, declared) = line.split_once(':')?;
        let is_plain = name.trim_end_matches('?').ends_with(is_name);
        let found = written(&file.text, declared).filter(|_| is_plain)?;
        Some(self.of_declared(file, found))
    }

    /// The type that the function around a byte returns.
    fn of_result_around(&self, file: &CodeFile, at: usize) -> Option<Object> {
        let function = file.around(at).find(|it| is_function(it.kind))?;
        let found = returned(&file.text, function.signature, function.name)?;
        Some(self.of_declared(file, found))
    }

    /// The declared type of the parameter whose argument begins at a byte.
    fn of_argument(&self, file: &CodeFile, at: usize) -> Option<Object> {
        self.parameters(file, at, |theirs, declared| {
            Some(self.of_declared(theirs, written(&theirs.text, declared)?))
        })
    }

    /// The first answer for the text of the declared type of the parameter whose argument begins at a byte.
    fn parameters(
        &self,
        file: &CodeFile,
        at: usize,
        answer: impl Fn(&CodeFile, &str) -> Option<Object>,
    ) -> Option<Object> {
        let text = &*file.text;
        let open = opened_before(text, at).filter(|it| text[*it..].starts_with('('))?;
        let index = n_before(&text[open + 1..at]);
        let end = match text[..open].ends_with('>') {
            true => opening_angle(&text[..open])?,
            false => open,
        };
        let callee = name_that_ends_at(text, end)?;
        let Referent::Known(mut sites) = self.refer(file, span_in(text, callee)) else {
            return None;
        };
        sort_by_key(&mut sites, |it| !is_function(it.kind));
        sites.iter().take(MAX_DEPTH).find_map(|site| {
            let theirs = self.file(site.file);
            let it = theirs.definition(site.definition);
            let rest = &theirs.text[it.name.range().end..it.span.range().end];
            if is_function(it.kind) {
                return answer(&theirs, parameter_text(rest, index)?);
            }
            // A constant or a field whose type says how it is called.
            let Object::Types(types) = self.of_sites(&[*site]) else { return None };
            self.signatures(&types, |theirs, it| answer(theirs, parameter_text(it, index)?))
        })
    }

    /// The first answer for the parameters with which values of some types are called.
    fn signatures(
        &self,
        types: &[DefinitionSite],
        answer: impl Fn(&CodeFile, &str) -> Option<Object>,
    ) -> Option<Object> {
        let (all, _) = self.with_bases(types);
        all.iter().filter(|_| self.may_go_on()).find_map(|it| {
            let theirs = self.file(it.file);
            let definition = theirs.definition(it.definition);
            if !matches!(definition.kind, Kind::Type | Kind::Interface) {
                return None;
            }
            let all = called_as(&theirs.text, definition.name, definition.span);
            all.into_iter().find_map(|it| answer(&theirs, it))
        })
    }

    /// A parameter of a function without a name, by the type that is expected of that: `it` in `app.get('/', (it) => …` and in
    /// `const f: Handler = (it) => …`. It is searched in these bytes.
    pub(super) fn of_expected(
        &self,
        file: &CodeFile,
        word: &str,
        region: Range<usize>,
    ) -> Option<Object> {
        if file.language.map(family_of) != Some(Language::JavaScript) || word.is_empty() {
            return None;
        }
        let text = &*file.text;
        let start = region.start.max(region.end.saturating_sub(REGION_BYTES));
        let start = text.ceil_char_boundary(start.min(region.end));
        let places = text[start..region.end].rmatch_indices(word).take(MAX_PARAMETERS);
        let (first, index) =
            places.map(|it| start + it.0).find_map(|at| parameter_of(text, at, word.len()))?;
        let parameter = |theirs: &CodeFile, it: &str| {
            Some(self.of_declared(theirs, parameter_at(&theirs.text, it, index)?))
        };
        let by_type = |theirs: &CodeFile, declared: &str| match parameters_in(declared) {
            Some(it) => parameter(theirs, it),
            None => {
                let found = written(&theirs.text, declared)?;
                let Object::Types(types) = self.of_declared(theirs, found) else { return None };
                self.signatures(&types, parameter)
            }
        };
        let before = text[..first].trim_end();
        let before = before.strip_suffix("async").unwrap_or(before).trim_end();
        match before.strip_suffix('=') {
            Some(target) => {
                let Object::Types(types) = self.of_declared_in_line(file, target)? else {
                    return None;
                };
                self.signatures(&types, parameter)
            }
            None => self.parameters(file, before.len(), by_type),
        }
    }

    /// The type that a call around a value names in its arguments, if it has the key: `create<Store>()(() => ({ open }))`.
    fn of_outer_arguments(&self, file: &CodeFile, open: usize, name: Span) -> Option<Object> {
        let text = &*file.text;
        let mut at = open;
        for _ in 0..MAX_OUTER {
            at = opened_before(text, at)?;
            let before = text[..at].trim_end();
            if text[at..].starts_with('{') {
                // The block of a function; a value would have a type of its own.
                if !before.ends_with("=>") && !before.ends_with(')') {
                    return None;
                }
                continue;
            }
            let before = before.strip_suffix("()").unwrap_or(before);
            if !text[at..].starts_with('(') || !before.ends_with('>') || before.ends_with("=>") {
                continue;
            }
            let first = opening_angle(before)?;
            let callee = name_that_ends_at(text, first)?;
            let types = self.arguments(file, span_in(text, callee));
            let has = matches!(self.member_of(&types, name.of(text)), Referent::Known(_));
            return has.then_some(Object::Types(types));
        }
        None
    }
}

/// Whether a text begins with this character once.
fn is_single(text: &str, it: char) -> bool {
    text.strip_prefix(it).is_some_and(|rest| !rest.starts_with(it))
}

/// Number of commas between the brackets of a text.
fn n_before(arguments: &str) -> usize {
    let (mut depth, mut n) = (0_i32, 0);
    for it in arguments.bytes() {
        depth += i32::from(b"([{".contains(&it)) - i32::from(b")]}".contains(&it));
        n += usize::from(depth == 0 && it == b',');
    }
    n
}

/// Where the function without a name begins of which a name is a parameter, and the parameter's number.
fn parameter_of(text: &str, at: usize, bytes: usize) -> Option<(usize, usize)> {
    let (before, after) = (&text[..at], &text[at + bytes..]);
    if before.ends_with(is_name) || before.ends_with('.') || after.starts_with(is_name) {
        return None;
    }
    let rest = after.trim_start_matches(' ');
    if rest.starts_with("=>") {
        return Some((at, 0));
    }
    let end = text.floor_char_boundary(text.len().min(at + PARAMETER_BYTES));
    let close = rest.starts_with([',', ')']).then(|| text[at..end].find(')')).flatten()? + at;
    let open = opened_before(text, at).filter(|it| text[*it..].starts_with('('))?;
    let is_arrow = matching(&text[open..=close]) == Some(close + 1 - open)
        && text[close + 1..].trim_start_matches(' ').starts_with("=>");
    is_arrow.then(|| (open, n_before(&text[open + 1..at])))
}

/// The bracket that is open at a byte.
fn opened_before(text: &str, at: usize) -> Option<usize> {
    let mut depth = 0_i32;
    for (back, it) in text[..at].bytes().rev().take(KEY_BYTES).enumerate() {
        depth += i32::from(b")]}".contains(&it)) - i32::from(b"([{".contains(&it));
        if depth < 0 {
            return Some(at - back - 1);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::at::tests::check as check_in;

    const APP: &str = "export interface Event {\n  path: string;\n  res: {\n    status: number;\n  };\n}\nexport type Handler = Inner | Other;\ntype Inner = <T>(event: Event, next: () => void) => T;\ninterface Other { size: number }\nexport interface Get {\n  <T>(handler: Handler): App;\n  (path: string, handler: Handler): App;\n}\nexport class App {\n  get!: Get;\n  use(f: (event: Event) => void) {}\n}\nexport interface Options<T> {\n  name: T;\n}\ntype Keep = <T>(f: () => T, options: Options<T>) => T;\nexport const keep = keepIt as unknown as Keep;\nexport const other = keepIt2;\nfunction keepIt2(): App {}\n";

    #[track_caller]
    fn check(line: &str, expect: &[&str]) {
        let user = format!(
            "import {{ App, Handler, create, keep, other }} from './app';\nimport {{ z }} from './index';\n\nconst app = new App();\n{line}\n"
        );
        let files = [
            ("a.ts", user.as_str()),
            ("app.ts", APP),
            ("b.ts", "class Way {\n  path = '';\n  name = '';\n  get() {}\n}\nconst z = 1;\n"),
            ("index.ts", "import * as z from './app';\nexport { z };\n"),
        ];
        check_in(&files, expect);
    }

    #[test]
    fn a_callback_has_the_parameters_that_are_expected_of_it() {
        let path = ["app.ts:2"];
        check("app.get('/', (event) => event.path‸);", &path);
        check("app.get('/', async event => { return event.path‸ });", &path);
        check("app.use((event) => event.path‸);", &path);
        check("const f: Handler = (event, next) => event.path‸;", &path);
        check("app.use((event) => event.res.status‸);", &["app.ts:4"]);
        check("unknown((event) => event.path‸);", &["app.ts:2?", "b.ts:2?"]);
    }

    #[test]
    fn keys_are_those_of_a_generic_functions_parameter_or_of_its_type_arguments() {
        check("keep(() => 1, { name‸: 1 });", &["app.ts:19"]);
        check(
            "create<Event>()((set) => ({ path‸: 'a' }));\ninterface Event { path: string }",
            &["a.ts:6"],
        );
    }

    #[test]
    fn namespaces_that_are_exported_by_name_and_other_names_of_functions_are_followed() {
        check("z.keep‸();", &["app.ts:22"]);
        check("z.other().get‸('/');", &["app.ts:15"]);
    }
}
