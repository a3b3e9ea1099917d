//! The routes of a repository, from the files that may declare some.

use std::rc::Rc;

use foreword_chunk::{Definition, Language, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::super::Resolution;
use super::super::super::code_file::CodeFile;
use super::super::rails::{RailsRoute, rails_routes_in};
use super::annotated::{AnnotatedFile, annotated_in};
use super::declared::{Declarations, DeclaredRoute, Part, declarations_in};
use super::method::Methods;
use super::pages::page_route;
use super::pattern::{Pattern, Syntax};
use super::prefix::Prefixes;
use super::table::{DECLARING, is_annotated};
use super::{Handler, Route, Routes, USUAL_PREFIXES};
use crate::index::{FileId, FileRole};

/// Files that are read for routes.
const MAX_FILES: usize = 2000;
/// Bytes of such a file.
const MAX_BYTES: usize = 1 << 19;
/// Routes of a repository; no more files are read behind them.
const MAX_ROUTES: usize = 20_000;

impl Resolution<'_> {
    /// The routes for a file: those of the repository, or of a test that declares some those alone.
    pub(super) fn routes_for(&self, file: &CodeFile) -> Rc<Routes> {
        let role = self.snapshot.role(file.id);
        if role == FileRole::Test && self.declares(file.id, file.language) {
            let own = self.routes_in(&[file.id], Vec::new());
            if !own.all.is_empty() {
                return Rc::new(own);
            }
        }
        self.routes()
    }

    /// The routes of the repository without those of its tests.
    pub(super) fn routes(&self) -> Rc<Routes> {
        Rc::clone(self.routes.get_or_init(|| {
            let mut has = vec![false; self.snapshot.files().count()];
            for (languages, words) in DECLARING {
                let terms: Vec<String> = words.split(' ').map(str::to_owned).collect();
                for (id, found) in self.snapshot.files().zip(self.snapshot.files_with(&terms)) {
                    let language = self.snapshot.language(id);
                    has[id.0 as usize] |=
                        found && language.is_some_and(|it| languages.contains(&it));
                }
            }
            let is_own = |it: &FileId| {
                has[it.0 as usize]
                    && !matches!(self.snapshot.role(*it), FileRole::Test | FileRole::ThirdParty)
            };
            let files: Vec<FileId> = self.snapshot.files().filter(is_own).take(MAX_FILES).collect();
            let pages = self.snapshot.files();
            let pages = pages.filter(|it| page_route(self.snapshot.path(*it)).is_some());
            let pages = pages.take(MAX_FILES).flat_map(|it| self.pages(it)).collect();
            Rc::new(self.routes_in(&files, pages))
        }))
    }

    /// Whether a file has one of the words with which routes are declared.
    pub(super) fn declares(&self, file: FileId, language: Option<Language>) -> bool {
        let text = self.snapshot.text(file).to_lowercase().replace('_', "");
        let mut rows =
            DECLARING.iter().filter(|it| language.is_some_and(|own| it.0.contains(&own)));
        rows.any(|it| it.1.split(' ').any(|it| text.contains(it)))
    }

    /// The routes that files declare, with others.
    fn routes_in(&self, files: &[FileId], others: Vec<Route>) -> Routes {
        let mut all = others;
        let (declared, annotated) = self.read(files, &mut all);
        all.extend(annotated_routes(self, &annotated));
        let prefixes = Prefixes::new(self, files, &declared);
        let mut words = FxHashSet::default();
        for id in files.iter().filter(|it| declared.contains_key(it)) {
            let has_marks = declared[id].routes.iter().any(|it| it.is_mark);
            let names = if has_marks { self.names_in_order(*id) } else { Vec::new() };
            for it in &declared[id].routes {
                add_declared(*id, it, &names, &prefixes, &mut all);
            }
            let own = declared[id].mounts.iter().map(|it| &it.prefix);
            let parts = own.chain(declared[id].routers.iter().map(|it| &it.prefix)).flatten();
            words.extend(parts.flat_map(|it| it.0.split('/')).map(str::to_lowercase));
        }
        words.extend(USUAL_PREFIXES.iter().map(|it| (*it).to_owned()));
        all.truncate(MAX_ROUTES);
        Routes::new(all, words)
    }

    /// The declarations in calls and annotations of files; the routes of Rails are added to the others.
    fn read(
        &self,
        files: &[FileId],
        all: &mut Vec<Route>,
    ) -> (FxHashMap<FileId, Declarations>, Vec<(FileId, AnnotatedFile)>) {
        let mut declared = FxHashMap::default();
        let mut annotated: Vec<(FileId, AnnotatedFile)> = Vec::new();
        let mut n_declared = 0;
        for id in files {
            let (text, language) = (self.snapshot.text(*id), self.snapshot.language(*id));
            let Some(language) = language.filter(|_| text.len() <= MAX_BYTES) else { continue };
            if language == Language::Ruby {
                all.extend(self.of_rails(*id, &text));
                continue;
            }
            if is_annotated(language) {
                let record = self.snapshot.record(*id);
                annotated.push((*id, annotated_in(&text, language, &record.symbols.definitions)));
            }
            let own = declarations_in(&text, language);
            n_declared += own.routes.len() + own.routers.len() + own.mounts.len();
            declared.insert(*id, own);
            if n_declared > MAX_ROUTES {
                break;
            }
        }
        (declared, annotated)
    }

    fn of_rails(&self, file: FileId, text: &str) -> Vec<Route> {
        if !self.snapshot.path(file).contains("config/routes") {
            return Vec::new();
        }
        let route = |it: RailsRoute| {
            let pattern = Pattern::of(&[(&it.path, Syntax::Colons)]);
            Route::new(file, it.at, pattern, Methods::of(it.methods), Handler::Action(it.action))
        };
        rails_routes_in(text).into_iter().map(route).collect()
    }

    /// The beginnings of the names of a file's definitions, and their numbers.
    fn names_in_order(&self, file: FileId) -> Vec<(u32, u32)> {
        let record = self.snapshot.record(file);
        let own = record.symbols.definitions.iter().zip(0..);
        let mut names: Vec<(u32, u32)> = own.map(|(it, number)| (it.name.start, number)).collect();
        names.sort_unstable();
        names
    }

    /// The routes of a file by its place: one for each function that is called as a method, or else the file.
    fn pages(&self, file: FileId) -> Vec<Route> {
        let Some(pattern) = page_route(self.snapshot.path(file)) else { return Vec::new() };
        let (text, record) = self.snapshot.contents(file);
        let own = record.symbols.definitions.iter().zip(0..);
        let route = |(it, number): (&Definition, u32)| {
            let name = it.name.of(&text);
            let is_verb = name.bytes().all(|it| it.is_ascii_uppercase()) && it.parent.is_none();
            let methods = Methods::named(name).filter(|_| is_verb)?;
            let handler = Handler::Definition(number);
            Some(Route::new(file, it.name, pattern.clone(), methods, handler))
        };
        let found: Vec<Route> = own.filter_map(route).collect();
        if !found.is_empty() {
            return found;
        }
        vec![Route::new(file, Span::default(), pattern, Methods::default(), Handler::File)]
    }
}

fn add_declared(
    file: FileId,
    it: &DeclaredRoute,
    names: &[(u32, u32)],
    prefixes: &Prefixes<'_>,
    all: &mut Vec<Route>,
) {
    let behind = names.partition_point(|name| (name.0 as usize) < it.end);
    let definition = names.get(behind).filter(|_| it.is_mark).map(|it| it.1);
    for before in prefixes.before(file, it.owner.as_deref(), it.at.range().start) {
        let parts: Vec<(&str, _)> = before.parts.iter().chain(&it.parts).map(as_str).collect();
        let handler = definition.map(Handler::Definition);
        let handler = handler.unwrap_or_else(|| Handler::Names(it.handlers.clone()));
        let route = Route::new(file, it.at, Pattern::of(&parts), it.methods, handler);
        all.push(Route { name: it.name, is_whole: before.is_whole, ..route });
    }
}

fn as_str(part: &Part) -> (&str, Syntax) {
    (&part.0, part.1)
}

/// The routes of annotations, with the paths that their classes have from others.
fn annotated_routes(resolution: &Resolution<'_>, all: &[(FileId, AnnotatedFile)]) -> Vec<Route> {
    let mut classes: FxHashMap<&str, &str> = FxHashMap::default();
    for (name, path) in all.iter().flat_map(|it| &it.1.classes) {
        classes.entry(name).or_insert(path);
    }
    let mut found = Vec::new();
    for (file, annotated) in all {
        for it in &annotated.routes {
            let inherited = it
                .bases
                .iter()
                .filter(|base| **base != it.class)
                .find_map(|it| classes.get(it.as_str()));
            let inherited = inherited.map(|path| super::annotated::filled(path, &it.class, ""));
            let syntax = it.parts.last().map_or(Syntax::Brackets, |it| it.1);
            let before = inherited.iter().map(|it| (it.as_str(), syntax));
            let parts: Vec<(&str, _)> = before.chain(it.parts.iter().map(as_str)).collect();
            if parts.iter().any(|it| it.0.contains('\u{2}')) {
                continue;
            }
            let is_whole = resolution.snapshot.language(*file) != Some(Language::TypeScript);
            let handler = Handler::Definition(it.definition);
            let route = Route::new(*file, it.at, Pattern::of(&parts), it.methods, handler);
            found.push(Route { is_whole, ..route });
        }
    }
    found
}
