//! The routes that annotations of classes and methods declare: Spring, ASP.NET, Nest.

use foreword_chunk::{Definition, Language, Span};
use rustc_hash::FxHashMap;

use super::super::super::is_type;
use super::calls::{Call, calls_in};
use super::declared::Part;
use super::method::Methods;
use super::pattern::Syntax;
use super::table::annotated_method;
use crate::retrieve::names::place::is_name;

/// Keys whose strings are paths.
const PATHS: &[&str] = &["value", "path"];
/// The end of the names of controllers, which addresses leave out.
const CONTROLLER: &str = "Controller";

/// A route of a method.
pub(super) struct AnnotatedRoute {
    /// The string with its path, or the name of the annotation.
    pub(super) at: Span,
    /// The number of the method.
    pub(super) definition: u32,
    pub(super) parts: Vec<Part>,
    pub(super) methods: Methods,
    /// Of a class without a path the names of what it extends, with its own name.
    pub(super) bases: Vec<String>,
    pub(super) class: String,
}

/// The routes of a text, and by name the paths of its classes.
pub(super) struct AnnotatedFile {
    pub(super) routes: Vec<AnnotatedRoute>,
    pub(super) classes: FxHashMap<String, String>,
}

/// What the annotations of one definition say.
#[derive(Default)]
struct Marks {
    paths: Vec<(Span, String)>,
    methods: Methods,
    /// The first annotation of a method.
    first: Option<Span>,
}

/// The routes of a text with these definitions.
pub(super) fn annotated_in(
    text: &str,
    language: Language,
    definitions: &[Definition],
) -> AnnotatedFile {
    let mut order: Vec<u32> = (0..definitions.len() as u32).collect();
    order.sort_by_key(|it| definitions[*it as usize].name.start);
    let calls = calls_in(text, language);
    let mut marks: FxHashMap<u32, Marks> = FxHashMap::default();
    let mut marked = Vec::new();
    for call in calls.iter().filter(|it| it.is_mark) {
        let Some(verb) = annotated_method(call.callee.of(text)) else { continue };
        let next =
            order.partition_point(|it| (definitions[*it as usize].name.start as usize) < call.end);
        let Some(number) = order.get(next).copied() else { continue };
        let it = marks.entry(number).or_default();
        marked.push(number);
        it.add(text, call, verb);
    }
    marked.dedup();
    let mut found = AnnotatedFile { routes: Vec::new(), classes: FxHashMap::default() };
    for number in marked.iter().filter(|it| is_type(definitions[**it as usize].kind)) {
        let name = definitions[*number as usize].name.of(text);
        let path = marks[number].paths.first().map_or("", |it| &it.1);
        found.classes.insert(name.to_owned(), path.to_owned());
    }
    for number in marked.iter().filter(|it| !is_type(definitions[**it as usize].kind)) {
        found.add(text, language, definitions, *number, &marks[number]);
    }
    found
}

impl Marks {
    fn add(&mut self, text: &str, call: &Call, verb: &str) {
        if let Some(it) = Methods::named(verb) {
            self.methods = self.methods.with(it);
        }
        let is_path = |it: Option<Span>| it.is_none_or(|it| PATHS.contains(&it.of(text)));
        // ASP.NET and Nest name other things behind the first argument.
        let strings =
            call.items.iter().filter(|it| it.is_string && is_path(it.key) && it.argument <= 1);
        let before = self.paths.len();
        self.paths.extend(strings.map(|it| (it.span, it.span.of(text).to_owned())));
        if call.items.iter().any(|it| it.key.is_none() && !it.is_string)
            && self.paths.len() == before
            && verb.is_empty()
        {
            // A constant, of which the text is not known.
            self.paths.push((call.callee, "\u{2}".to_owned()));
        }
        for it in call
            .items
            .iter()
            .filter(|it| it.key.is_some_and(|it| matches!(it.of(text), "method" | "methods")))
        {
            self.methods = self.methods.with(Methods::named(it.span.of(text)).unwrap_or_default());
        }
        if !verb.is_empty() || !self.paths.is_empty() {
            self.first.get_or_insert(call.callee);
        }
    }
}

impl AnnotatedFile {
    fn add(
        &mut self,
        text: &str,
        language: Language,
        definitions: &[Definition],
        number: u32,
        marks: &Marks,
    ) {
        let Some(first) = marks.first else { return };
        let own = &definitions[number as usize];
        let mut around = std::iter::successors(own.parent, |it| definitions[*it as usize].parent);
        let Some(class) =
            around.by_ref().take(4).map(|it| &definitions[it as usize]).find(|it| is_type(it.kind))
        else {
            return;
        };
        let class_name = class.name.of(text);
        let (name, method) = (class_name.to_owned(), own.name.of(text));
        let syntax =
            if language == Language::TypeScript { Syntax::Colons } else { Syntax::Brackets };
        let before =
            self.classes.get(&name).filter(|it| !it.is_empty() || language != Language::CSharp);
        let bases = if before.is_none() { words(class.signature.of(text)) } else { Vec::new() };
        let whole = [(first, String::new())];
        let paths = if marks.paths.is_empty() { &whole[..] } else { &marks.paths[..] };
        for (at, path) in paths {
            let path = filled(path, class_name, method);
            let is_absolute = language == Language::CSharp && path.starts_with(['/', '~']);
            let mut parts = Vec::new();
            if let Some(before) = before.filter(|_| !is_absolute) {
                parts.push((filled(before, class_name, method), syntax));
            }
            parts.push((path.trim_start_matches('~').to_owned(), syntax));
            let bases = if is_absolute { Vec::new() } else { bases.clone() };
            let (at, methods, class) = (*at, marks.methods, name.clone());
            self.routes.push(AnnotatedRoute {
                at,
                definition: number,
                parts,
                methods,
                bases,
                class,
            });
        }
    }
}

/// A path with the names that ASP.NET puts into it.
pub(super) fn filled(path: &str, class: &str, method: &str) -> String {
    let class = class.strip_suffix(CONTROLLER).unwrap_or(class);
    path.replace("[controller]", class).replace("[action]", method)
}

fn words(text: &str) -> Vec<String> {
    let words = text.split(|it| !is_name(it)).filter(|it| !it.is_empty());
    words.map(str::to_owned).take(16).collect()
}
