//! The calls whose addresses lead to the routes of a handler.

use std::rc::Rc;

use foreword_chunk::{Definition, Language, Span};

use super::super::super::code_file::{CodeFile, is_function};
use super::super::super::{Resolution, is_type};
use super::super::named::strings_around;
use super::address::{address_in, last_word, opened};
use super::method::Methods;
use super::pages::page_route;
use super::table::{can_declare, can_mark};
use super::{Handler, Route, Routes};
use crate::index::terms::term_of;
use crate::index::{DefinitionSite, FileId, FileRole};
use crate::retrieve::names::place::is_name;

/// Routes of a handler whose calls are looked for.
const MAX_ROUTES: usize = 8;
/// Files with a word of the address that are read.
const MAX_FILES: usize = 2000;
/// Places with the word that are looked at.
const MAX_PLACES: usize = 4000;
/// Bytes before the name of a handler that are read for the route there.
const MAX_BEFORE: usize = 240;
/// Calls and brackets around the name of a handler that are looked at.
const MAX_AROUND: usize = 4;

impl Resolution<'_> {
    /// The addresses in calls that surely lead to a route of one of the definitions, and the names of these routes.
    /// `reads` are the places where the definitions are passed on.
    pub(in super::super::super) fn callers(
        &self,
        targets: &[DefinitionSite],
        reads: &[(FileId, Span)],
        keep: &dyn Fn(FileId) -> bool,
    ) -> Vec<(FileId, Span)> {
        let declaring: Vec<(FileId, Span)> =
            reads.iter().copied().filter(|it| self.is_declaring(*it)).collect();
        let marked: Vec<&DefinitionSite> =
            targets.iter().filter(|it| self.may_answer(it)).collect();
        if declaring.is_empty() && marked.is_empty() {
            return Vec::new();
        }
        let routes = self.routes();
        let is_read = |it: &Route, names: &[Span]| {
            declaring.iter().any(|read| read.0 == it.file && names.contains(&read.1))
        };
        let is_own = |it: &Route| match &it.handler {
            Handler::Names(names) => is_read(it, names),
            _ => marked.iter().any(|target| self.answers(target, it)),
        };
        let own = (0..routes.all.len()).filter(|it| is_own(&routes.all[*it]));
        let own: Vec<usize> = own.take(MAX_ROUTES).collect();
        let mut found = self.calls_of(&routes, &own, keep);
        for (file, name) in self.names_of(&routes, &own) {
            found.extend(self.users_of_name(file, name, keep));
        }
        found
    }

    /// The names of routes, and the functions whose names are those of their routes, as in Flask.
    fn names_of(&self, routes: &Routes, own: &[usize]) -> Vec<(FileId, Span)> {
        let name = |it: &usize| {
            let route = &routes.all[*it];
            let file = self.file(route.file);
            let of_handler = match route.handler {
                Handler::Definition(it) if file.language == Some(Language::Python) => {
                    Some(file.definition(it).name)
                }
                _ => None,
            };
            Some((route.file, route.name.or(of_handler)?))
        };
        let mut names: Vec<(FileId, Span)> = own.iter().filter_map(name).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The calls of the routes that the string at a place declares.
    pub(in super::super) fn calls_of_declared(
        &self,
        file: &CodeFile,
        name: Span,
    ) -> Vec<(FileId, Span)> {
        if !self.declares(file.id, file.language) {
            return Vec::new();
        }
        let routes = self.routes();
        let is_it = |it: &usize| routes.all[*it].file == file.id && routes.all[*it].at == name;
        let own: Vec<usize> = (0..routes.all.len()).filter(is_it).take(MAX_ROUTES).collect();
        self.calls_of(&routes, &own, &|_| true)
    }

    /// Whether a call around a place may declare a route: one with a string before the place, or behind `route('/a')`.
    fn is_declaring(&self, (file, name): (FileId, Span)) -> bool {
        let text = self.snapshot.text(file);
        let start = name.range().start;
        let mut before = &text[text.ceil_char_boundary(start.saturating_sub(MAX_BEFORE))..start];
        for _ in 0..MAX_AROUND {
            let (call, inner) = opened(before);
            let Some(open) = inner.checked_sub(1) else { return false };
            let arguments = before[inner..].trim_start();
            before = &before[..open];
            let callee = last_word(before);
            let is_chained = before[..before.len() - callee.len()].trim_end().ends_with(").");
            let has_string = arguments.contains(['"', '\'', '`']) || is_chained;
            if call.is_some() && has_string && can_declare(callee) {
                return true;
            }
        }
        false
    }

    /// Whether a definition may be a handler by its annotations or its place.
    fn may_answer(&self, it: &DefinitionSite) -> bool {
        let path = self.snapshot.path(it.file);
        if self.snapshot.role(it.file) == FileRole::Test {
            return false;
        }
        if path.contains("controllers/") && is_function(it.kind) || page_route(path).is_some() {
            return true;
        }
        let file = self.file(it.file);
        let own = file.definition(it.definition);
        let class = own.parent.map(|it| file.definition(it)).filter(|it| is_type(it.kind));
        let is_marked = |it: &Definition| {
            let start = it.span.range().start.max(it.name.range().start.saturating_sub(MAX_BEFORE));
            let head = &file.text[file.text.ceil_char_boundary(start)..it.name.range().start];
            // `@app.get(`, `[HttpGet(`, `@PostMapping`
            head.split(['@', '[']).skip(1).any(|it| {
                let is_part = |it: char| is_name(it) || it == '.';
                let name = &it[..it.find(|it| !is_part(it)).unwrap_or(it.len())];
                can_mark(name.rsplit('.').next().unwrap_or(name))
            })
        };
        is_marked(own) || class.is_some_and(is_marked)
    }

    /// Whether a definition is the handler of a route.
    fn answers(&self, it: &DefinitionSite, route: &Route) -> bool {
        let file = self.file(it.file);
        let own = file.definition(it.definition);
        let name = own.name.of(&file.text);
        match &route.handler {
            Handler::Definition(number) if route.file == it.file => {
                // A class that answers has a function for each method.
                let is_of_class = own.parent == Some(*number)
                    && is_type(file.definition(*number).kind)
                    && Methods::named(name).is_some_and(|it| it.fit(route.methods));
                *number == it.definition || is_of_class
            }
            Handler::Action(action) => {
                let path = self.snapshot.path(it.file);
                let (_, controller) = path.split_once("controllers/").unwrap_or_default();
                let controller = controller.strip_suffix("_controller.rb").unwrap_or_default();
                action.split_once('#') == Some((controller, name))
            }
            _ => false,
        }
    }

    /// The addresses that surely lead to one of some routes.
    fn calls_of(
        &self,
        routes: &Routes,
        own: &[usize],
        keep: &dyn Fn(FileId) -> bool,
    ) -> Vec<(FileId, Span)> {
        let words: Vec<&str> =
            own.iter().filter_map(|it| routes.all[*it].pattern.longest_word()).collect();
        let longest = |it: &&str| {
            let parts = it.split(|it: char| !is_name(it));
            term_of(parts.max_by_key(|it| it.len()).unwrap_or_default())
        };
        let terms: Vec<String> = words.iter().map(longest).filter(|it| !it.is_empty()).collect();
        if terms.is_empty() {
            return Vec::new();
        }
        let has = self.snapshot.files_with(&terms);
        let files = self.snapshot.files().zip(has).filter(|it| it.1 && keep(it.0)).map(|it| it.0);
        let mut found = Vec::new();
        let mut left = MAX_PLACES;
        for id in files.take(MAX_FILES) {
            let text = self.snapshot.text(id);
            let is_part = |at: &usize| text[..*at].ends_with(['/', '"', '\'', '`']);
            let places = words.iter().flat_map(|it| text.match_indices(it)).map(|it| it.0);
            let places = places.filter(is_part);
            let mut places: Vec<usize> = places.take(left).collect();
            left -= places.len();
            places.sort_unstable();
            self.add_calls(routes, own, id, &places, &mut found);
        }
        found
    }

    fn add_calls(
        &self,
        routes: &Routes,
        own: &[usize],
        id: FileId,
        places: &[usize],
        found: &mut Vec<(FileId, Span)>,
    ) {
        let text = self.snapshot.text(id);
        let Some(language) = self.snapshot.language(id).filter(|_| !places.is_empty()) else {
            return;
        };
        let mut last = Span::default();
        let mut has_own_routes = None;
        for at in places.iter().copied() {
            let mut strings = strings_around(&text, Some(language), at).into_iter();
            let address = strings.find_map(|it| address_in(&text, language, it));
            let Some(address) = address.filter(|it| it.name != last) else { continue };
            last = address.name;
            let (means, is_sure) = routes.of(&address);
            let is_it = is_sure && means.iter().any(|it| own.contains(it));
            if !is_it || routes.places.contains(&(id, address.name.start)) {
                continue;
            }
            // A test that declares routes means those.
            let is_other = *has_own_routes.get_or_insert_with(|| {
                let theirs = self.routes_for(&self.file(id));
                !std::ptr::eq(Rc::as_ptr(&theirs), routes)
            });
            if !is_other {
                found.push((id, address.name));
            }
        }
    }
}
