//! The routes that the calls of a text declare, with what stands before them in that text.

use foreword_chunk::{Language, Span};
use rustc_hash::FxHashSet;

use super::calls::{Call, Item, calls_in};
use super::method::Methods;
use super::pattern::Syntax;
use super::table::{NO_ROUTERS, Needs, ROUTERS, Role, Row, rows_of};

/// Calls around a call, and before it in a chain, that are looked at.
const MAX_AROUND: usize = 16;
/// Bytes of a path.
const MAX_PATH: usize = 300;
/// Keys whose strings are a path.
const PATHS: &[&str] = &["path", "url"];
/// Keys whose strings are a prefix.
pub(super) const PREFIXES: &[&str] = &["prefix", "url_prefix"];

/// The methods of an item of a resource.
const ITEM: &[&str] = &["get", "put", "patch", "delete"];

/// What the calls of a text declare.
#[derive(Default)]
pub(super) struct Declarations {
    pub(super) routes: Vec<DeclaredRoute>,
    pub(super) routers: Vec<Router>,
    pub(super) mounts: Vec<Mount>,
}

/// A path, or a part of one.
pub(super) type Part = (String, Syntax);

/// A route as its text declares it.
pub(super) struct DeclaredRoute {
    /// The string with its path, or the name of its resource.
    pub(super) at: Span,
    /// Behind the call.
    pub(super) end: usize,
    pub(super) parts: Vec<Part>,
    pub(super) methods: Methods,
    /// The object that has it.
    pub(super) owner: Option<String>,
    /// The string with its name.
    pub(super) name: Option<Span>,
    /// Whether the function behind it is its handler.
    pub(super) is_mark: bool,
    /// Names in its arguments, one of which may be that of its handler.
    pub(super) handlers: Vec<Span>,
}

/// An object that has routes.
pub(super) struct Router {
    pub(super) name: String,
    pub(super) at: usize,
    pub(super) prefix: Vec<Part>,
    /// The object of which it is a group.
    pub(super) parent: Option<String>,
    pub(super) is_root: bool,
}

/// Puts the routes of another object behind a prefix.
pub(super) struct Mount {
    pub(super) owner: Option<String>,
    pub(super) at: usize,
    pub(super) prefix: Vec<Part>,
    /// Names that lead to the other object, or a string that names its file.
    pub(super) target: Target,
    /// Whether the object's own prefix does not count.
    pub(super) is_instead: bool,
}

impl Mount {
    pub(super) fn new(prefix: Vec<Part>, target: Target) -> Self {
        Self { owner: None, at: 0, prefix, target, is_instead: false }
    }
}

pub(super) enum Target {
    Names(Vec<Span>),
    Module(Span),
}

/// The declarations of a text.
pub(super) fn declarations_in(text: &str, language: Language) -> Declarations {
    let calls = calls_in(text, language);
    let names = FxHashSet::default();
    let mut reader =
        Reader { text, language, calls: &calls, names, found: Declarations::default() };
    for it in &calls {
        reader.add_router(it);
    }
    for it in &calls {
        reader.add(it);
    }
    reader.found
}

pub(super) struct Reader<'t> {
    text: &'t str,
    pub(super) language: Language,
    pub(super) calls: &'t [Call],
    /// The names of routers.
    names: FxHashSet<String>,
    pub(super) found: Declarations,
}

impl<'t> Reader<'t> {
    pub(super) fn word(&self, it: Span) -> &'t str {
        it.of(self.text)
    }

    /// A path, or a part of one; that of no route is left out.
    pub(super) fn path_text(&self, it: Span) -> String {
        let text = self.word(it);
        if text.len() > MAX_PATH { String::new() } else { text.to_owned() }
    }

    fn row(&self, call: &Call) -> Option<&'static Row> {
        rows_of(self.language, self.word(call.callee)).find(|row| self.fits(call, row))
    }

    fn fits(&self, call: &Call, row: &Row) -> bool {
        match row.needs {
            Needs::Nothing => !call.is_mark,
            Needs::Mark => call.is_mark && call.receiver.is_some(),
            Needs::Bare => !call.is_mark && call.receiver.is_none() && call.previous.is_none(),
            Needs::Router => !call.is_mark && self.has_router(call, row.role),
            Needs::Facade => !call.is_mark && self.is_facade(call),
        }
    }

    /// Whether the receiver of a call is an object with routes.
    fn has_router(&self, call: &Call, role: Role) -> bool {
        let first = self.first_of(call);
        let Some(receiver) = first.receiver else {
            // `Router().get(…)`
            return call.previous.is_some()
                && matches!(self.row(first), Some(it) if it.role == Role::Router || it.role == Role::Root);
        };
        let n_arguments = call.items.last().map_or(0, |it| it.argument + 1);
        let is_behind_path =
            call.previous.is_some_and(|it| self.word(self.calls[it].callee) == "route");
        let takes_one = role == Role::Mount && self.word(call.callee) != "route";
        if n_arguments < 2 && !is_behind_path && !takes_one {
            return false;
        }
        let name = self.word(receiver);
        if self.language == Language::Go {
            let second = call.items.iter().find(|it| it.argument == 1);
            return !NO_ROUTERS.contains(&name)
                && !second.is_some_and(|it| {
                    it.is_string
                        && call.previous.is_none()
                        && !self.word(call.callee).starts_with("Method")
                });
        }
        let lower = name.to_lowercase();
        ROUTERS.iter().any(|it| lower.ends_with(it)) || self.names.contains(name)
    }

    /// Whether a call belongs to Laravel's `Route`, or to an object with routes.
    fn is_facade(&self, call: &Call) -> bool {
        let receiver = self.first_of(call).receiver.map(|it| self.word(it));
        receiver.is_some_and(|it| {
            matches!(it, "Route" | "router" | "app" | "group" | "route" | "r" | "api")
        }) && call.items.iter().any(|it| it.argument > 0 || it.is_string && it.argument == 0)
    }

    fn first_of(&self, call: &'t Call) -> &'t Call {
        self.chain(call).last().unwrap_or(call)
    }

    /// A call and those before it in its chain.
    fn chain(&self, call: &'t Call) -> impl Iterator<Item = &'t Call> {
        let calls = self.calls;
        std::iter::successors(Some(call), move |it| it.previous.map(|it| &calls[it]))
            .take(MAX_AROUND)
    }

    fn add_router(&mut self, call: &'t Call) {
        let Some(name) = call.variable else { return };
        let name = self.word(name).to_owned();
        let Some(row) = self.row(call) else { return };
        let is_root = row.role == Role::Root;
        let parent = match row.role {
            Role::Root => None,
            Role::Router => call
                .items
                .iter()
                .find(|it| !it.is_string && it.key.is_none() && it.argument == 0)
                .map(|it| it.span),
            Role::Prefix => self.first_of(call).receiver,
            _ => return,
        };
        let prefix = self.prefix(call);
        let parent = parent.map(|it| self.word(it).to_owned()).filter(|it| *it != name);
        // Of a chain the latest call has all prefixes.
        self.names.insert(name.clone());
        self.found.routers.push(Router {
            name,
            at: call.callee.range().start,
            prefix,
            parent,
            is_root,
        });
    }

    fn add(&mut self, call: &'t Call) {
        let Some(row) = self.row(call) else {
            return self.add_included(call);
        };
        match row.role {
            Role::Route => self.add_route(call, row),
            Role::Resource => self.add_resource(call, row),
            Role::Mount => self.add_mount(call),
            Role::Prefix => self.add_file(call),
            Role::Router | Role::Root => {}
        }
    }

    fn add_route(&mut self, call: &'t Call, row: &Row) {
        let (path, others) = self.path_of(call);
        let is_included =
            call.items.iter().any(|it| it.call.is_some() && self.word(it.span) == "include");
        if is_included {
            return;
        }
        let Some(at) = path.or_else(|| self.path_before(call)) else { return };
        let mut methods = self.methods_of(call);
        let mut written = path.map_or("", |it| self.word(it));
        if let Some((verb, rest)) = written.split_once(' ') {
            let Some(verb) = Methods::named(verb) else { return };
            methods = verb;
            written = rest.trim_start();
        }
        if written.len() > MAX_PATH || written.contains(char::is_whitespace) {
            return;
        }
        let mut parts = self.around(call);
        parts.extend(self.prefix_before(call));
        parts.push((written.to_owned(), row.syntax));
        for more in others.into_iter().chain([None]) {
            let mut parts = parts.clone();
            if let Some(more) = more
                && let Some(last) = parts.last_mut()
            {
                last.0 = self.path_text(more);
            }
            self.push(call, more.unwrap_or(at), parts, methods);
        }
    }

    fn push(&mut self, call: &'t Call, at: Span, parts: Vec<Part>, methods: Methods) {
        let mut handlers: Vec<Span> = Vec::new();
        let mut nested = vec![call];
        while let Some(it) = nested.pop().filter(|_| handlers.len() < MAX_AROUND * MAX_AROUND) {
            for item in it.items.iter().filter(|it| it.span.start > at.start) {
                handlers.push(item.span);
                handlers.extend(item.key);
                nested.extend(item.call.map(|it| &self.calls[it]));
            }
        }
        self.found.routes.push(DeclaredRoute {
            at,
            end: call.end,
            parts,
            methods,
            owner: self.owner(call),
            name: self.name_of(call),
            is_mark: call.is_mark,
            handlers,
        });
    }

    /// The routes of a resource: the collection and its items.
    fn add_resource(&mut self, call: &'t Call, row: &Row) {
        let Some(path) = call.items.iter().find(|it| it.is_string && it.argument == 0) else {
            return;
        };
        let mut parts = self.around(call);
        parts.extend(self.prefix_before(call));
        let mut name = self.path_text(path.span);
        if row.languages.contains(&Language::Php) {
            // `photos.comments` is `photos/{photo}/comments`.
            name = name.replace('.', "/{id}/");
        }
        let forms: &[(&str, &[&str])] = match row.languages.contains(&Language::Php) {
            true => &[("/{id}", ITEM), ("/create", &["get"]), ("/{id}/edit", &["get"])],
            false => &[("/{pk}", ITEM), ("/{pk}/{action}", &[])],
        };
        for (end, methods) in [("", &["get", "post"][..])].iter().chain(forms) {
            let mut parts = parts.clone();
            parts.push((format!("{name}{end}"), Syntax::Brackets));
            self.push(call, path.span, parts, Methods::of(methods));
        }
    }

    /// The string with the path of a route, and more of them.
    fn path_of(&self, call: &Call) -> (Option<Span>, Vec<Option<Span>>) {
        let keyed = |it: &&Item| it.is_string && self.has_key(it, PATHS);
        let first = |it: &&Item| it.is_string && it.key.is_none() && self.may_be_path(call, it);
        let own = call.items.iter().find(first).or_else(|| call.items.iter().find(keyed));
        let is_list = |it: &&Item| {
            it.is_string
                && it.key.is_none()
                && Some(it.span) != own.map(|it| it.span)
                && own.is_some_and(|own| own.argument == it.argument)
                && it.argument == 0
        };
        let others = call.items.iter().filter(is_list).map(|it| Some(it.span)).collect();
        (own.map(|it| it.span), others)
    }

    /// Whether an argument may be the path of a call: the second of `match(['get'], '/a', …)`.
    fn may_be_path(&self, call: &Call, it: &Item) -> bool {
        match self.word(call.callee) {
            "match" | "Method" | "MethodFunc" => it.argument == 1,
            "add_resource" => it.argument > 0,
            _ => it.argument == 0,
        }
    }

    /// The string of `route('/a')` before a call without a path of its own.
    fn path_before(&self, call: &Call) -> Option<Span> {
        let before =
            self.chain(&self.calls[call.previous?]).find(|it| self.word(it.callee) == "route")?;
        Some(before.items.iter().find(|it| it.is_string)?.span)
    }

    fn methods_of(&self, call: &'t Call) -> Methods {
        let callee = self.word(call.callee);
        let plain =
            callee.strip_prefix("Map").or_else(|| callee.strip_prefix("add_")).unwrap_or(callee);
        if let Some(it) = Methods::named(plain) {
            return it;
        }
        let is_late = matches!(callee, "match" | "Method" | "MethodFunc");
        let named = |it: &&Item| {
            it.is_string
                && (self.has_key(it, &["methods", "method"]) || is_late && it.argument == 0)
        };
        // Gorilla's `HandleFunc("/a", f).Methods("GET")` stands behind.
        let after = self.behind(call, "Methods").into_iter().flat_map(|it| &it.items);
        let listed = call.items.iter().filter(named).chain(after);
        // `http.MethodGet`
        let words = listed.map(|it| self.word(it.span).trim_start_matches("Method"));
        Methods::of(&words.collect::<Vec<_>>())
    }

    /// The call of a name that stands behind another one in its chain.
    fn behind(&self, call: &'t Call, name: &str) -> Option<&'t Call> {
        let number = self.calls.partition_point(|it| it.callee.start <= call.callee.start);
        let is_it = |it: &&Call| {
            let mut chain = self.chain(it).skip(1);
            self.word(it.callee) == name && chain.any(|it| it.callee == call.callee)
        };
        self.calls[number..].iter().take(MAX_AROUND).find(is_it)
    }

    /// The string with the name of a route: `name='show'`, `->name('show')`.
    fn name_of(&self, call: &'t Call) -> Option<Span> {
        let found = match self.language {
            Language::Python => {
                call.items.iter().find(|it| it.is_string && self.has_key(it, &["name"]))
            }
            Language::Php => self.behind(call, "name")?.items.iter().find(|it| it.is_string),
            _ => None,
        };
        found.map(|it| it.span)
    }

    pub(super) fn has_key(&self, it: &Item, keys: &[&str]) -> bool {
        it.key.is_some_and(|it| keys.contains(&self.word(it)))
    }

    /// The object that has the routes of a call.
    pub(super) fn owner(&self, call: &'t Call) -> Option<String> {
        let first = self.first_of(call);
        let list = self
            .outermost(call)
            .list
            .filter(|_| self.language == Language::Python && !call.is_mark);
        let it = list.or(first.receiver).or(first.variable)?;
        Some(self.word(it)).filter(|it| *it != "Route").map(str::to_owned)
    }

    fn outermost(&self, call: &'t Call) -> &'t Call {
        let calls = self.calls;
        let around = std::iter::successors(Some(call), move |it| it.parent.map(|it| &calls[it]));
        around.take(MAX_AROUND).last().unwrap_or(call)
    }

    /// What the calls around a call put before it.
    pub(super) fn around(&self, call: &'t Call) -> Vec<Part> {
        let calls = self.calls;
        let around = std::iter::successors(call.parent.map(|it| &calls[it]), move |it| {
            it.parent.map(|it| &calls[it])
        });
        let mut parts: Vec<Vec<Part>> = Vec::new();
        for it in around.take(MAX_AROUND) {
            let Some(row) = self.row(it) else { continue };
            match row.role {
                Role::Prefix => parts.push(self.prefix(it)),
                // Django's lists in lists.
                Role::Route if row.needs == Needs::Bare => {
                    let own = self.path_of(it).0;
                    parts
                        .push(own.map(|it| (self.path_text(it), row.syntax)).into_iter().collect());
                }
                _ => {}
            }
        }
        parts.into_iter().rev().flatten().collect()
    }

    /// The prefixes of a call and of those before it.
    pub(super) fn prefix(&self, call: &'t Call) -> Vec<Part> {
        let mut parts: Vec<Part> = self.chain(call).filter_map(|it| self.own_prefix(it)).collect();
        parts.reverse();
        parts
    }

    pub(super) fn prefix_before(&self, call: &'t Call) -> Vec<Part> {
        call.previous.map(|it| self.prefix(&self.calls[it])).unwrap_or_default()
    }

    fn own_prefix(&self, call: &Call) -> Option<Part> {
        let row = self.row(call)?;
        let keyed = |it: &&Item| it.is_string && self.has_key(it, PREFIXES);
        let first = |it: &&Item| it.is_string && it.argument == 0 && it.key.is_none();
        let found = match row.role {
            Role::Prefix if self.word(call.callee) != "group" => call.items.iter().find(first),
            Role::Prefix | Role::Router => call.items.iter().find(keyed),
            _ => None,
        };
        found.map(|it| (self.path_text(it.span), row.syntax))
    }
}
