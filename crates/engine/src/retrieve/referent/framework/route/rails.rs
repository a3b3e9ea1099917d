//! The routes that a file of routes of Rails declares: their addresses, methods and actions.

use foreword_chunk::Span;

use super::super::helpers::{singular, statements};
use super::method::Methods;
use super::pattern::{Pattern, Syntax};
use crate::retrieve::names::place::is_name;

/// Bytes of a prefix; a longer one is no route's.
const MAX_PREFIX: usize = 300;
/// Names of one statement.
const MAX_ARGUMENTS: usize = 16;
/// Words that declare one route.
const VERBS: &[&str] = &["get", "post", "put", "patch", "delete", "match"];
/// The actions of `resources`: what stands behind the name, the methods, and whether `resource` has it too.
const ACTIONS: &[(&str, &str, &[&str], bool)] = &[
    ("index", "", &["get"], false),
    ("create", "", &["post"], true),
    ("new", "/new", &["get"], true),
    ("edit", "/:id/edit", &["get"], true),
    ("show", "/:id", &["get"], true),
    ("update", "/:id", &["put", "patch"], true),
    ("destroy", "/:id", &["delete"], true),
];

/// A route of Rails.
pub(super) struct RailsRoute {
    pub(super) at: Span,
    pub(super) pattern: Pattern,
    pub(super) methods: Methods,
    /// `admin/users#show`
    pub(super) action: String,
}

/// A block of lines.
#[derive(Clone, Default)]
struct Block {
    column: usize,
    path: String,
    /// Of `member do` and `collection do` in it: their paths.
    own: [String; 2],
    /// The directory of the controllers.
    module: String,
    controller: String,
}

/// The routes of a text.
pub(super) fn rails_routes_in(text: &str) -> Vec<RailsRoute> {
    let mut found = Vec::new();
    let mut open: Vec<Block> = Vec::new();
    for (start, line) in statements(text) {
        let inner = line.trim_start();
        let column = line.len() - inner.len();
        let len = inner.find(|it| !is_name(it)).unwrap_or(inner.len());
        let (word, rest) = inner.split_at(len);
        if word.is_empty() || word == "end" {
            continue;
        }
        while open.last().is_some_and(|it| it.column >= column) {
            open.pop();
        }
        let top = Block::default();
        let around = open.last().unwrap_or(&top);
        let statement = Statement { start: start + column + len, word, rest, around };
        statement.add_routes(&mut found);
        let block = statement.block(column);
        open.push(block);
    }
    found
}

struct Statement<'t> {
    /// Where the rest begins.
    start: usize,
    word: &'t str,
    rest: &'t str,
    around: &'t Block,
}

impl Statement<'_> {
    fn add_routes(&self, found: &mut Vec<RailsRoute>) {
        match self.word {
            "resources" | "resource" => {
                for it in self.arguments() {
                    self.add_resource(it, found);
                }
            }
            "root" => self.add_verb("", "get", Span::new(0, 0), found),
            word if VERBS.contains(&word) => {
                for it in self.arguments() {
                    self.add_verb(it.of(self.rest), word, it, found);
                }
            }
            _ => {}
        }
    }

    fn add_resource(&self, name: Span, found: &mut Vec<RailsRoute>) {
        let own = name.of(self.rest);
        let is_many = self.word == "resources";
        let base = format!("{}/{}", self.around.path, self.value("path").unwrap_or(own));
        let controller = self
            .value("controller")
            .map_or_else(|| if is_many { own.to_owned() } else { plural(own) }, str::to_owned);
        for (action, end, methods, is_of_one) in ACTIONS {
            if !is_many && !is_of_one || !self.has(action) {
                continue;
            }
            let end = if is_many { end } else { end.trim_start_matches("/:id") };
            let methods = methods
                .iter()
                .filter_map(|it| Methods::named(it))
                .fold(Methods::default(), Methods::with);
            let action = format!("{}{controller}#{action}", self.module());
            found.push(self.route(name, &format!("{base}{end}"), methods, action));
        }
    }

    fn add_verb(&self, path: &str, word: &str, at: Span, found: &mut Vec<RailsRoute>) {
        let methods = match word {
            "match" => Methods::default(),
            it => Methods::named(it).unwrap_or_default(),
        };
        let around = match self.value("on") {
            Some("member") => &self.around.own[0],
            Some("collection") => &self.around.own[1],
            _ => &self.around.path,
        };
        let to = self.action();
        let last = path.rsplit('/').next().unwrap_or(path);
        let action = match to {
            Some(it) => format!("{}{it}", self.module()),
            None if self.around.controller.is_empty() => {
                let (controller, action) = path.rsplit_once('/').unwrap_or(("", path));
                format!("{}{}#{action}", self.module(), controller.trim_start_matches('/'))
            }
            None => format!("{}{}#{last}", self.around.module, self.around.controller),
        };
        found.push(self.route(at, &format!("{around}/{path}"), methods, action));
    }

    fn route(&self, at: Span, path: &str, methods: Methods, action: String) -> RailsRoute {
        let at = Span::new(self.start + at.range().start, self.start + at.range().end);
        RailsRoute { at, pattern: Pattern::of(&[(path, Syntax::Colons)]), methods, action }
    }

    /// What holds inside the block of the statement.
    fn block(&self, column: usize) -> Block {
        let around = self.around;
        let name = self.arguments().into_iter().next().map_or("", |it| it.of(self.rest));
        let path = self.value("path").unwrap_or(name);
        let inside = bounded(format!("{}/{path}", around.path));
        let mut block = Block { column, ..around.clone() };
        if let Some(module) = self.value("module").or((self.word == "namespace").then_some(name)) {
            block.module = bounded(format!("{}{module}/", around.module));
        }
        match self.word {
            "resources" => {
                block.path = format!("{inside}/:id");
                block.own = [block.path.clone(), inside];
                block.controller = bounded(name.to_owned());
            }
            "resource" => {
                block.path.clone_from(&inside);
                block.own = [inside.clone(), inside];
                block.controller = bounded(plural(name));
            }
            "namespace" => {
                block = Block { path: inside, module: block.module, column, ..Block::default() };
            }
            "scope" => {
                block.path = inside;
                block.controller = bounded(self.value("controller").unwrap_or_default().to_owned());
            }
            "member" => block.path.clone_from(&around.own[0]),
            "collection" => block.path.clone_from(&around.own[1]),
            "controller" => block.controller = bounded(name.to_owned()),
            _ => {}
        }
        block
    }

    fn module(&self) -> String {
        match self.value("module") {
            Some(it) => format!("{}{it}/", self.around.module),
            None => self.around.module.clone(),
        }
    }

    /// `users#show` of `to: 'users#show'` and `'a' => 'users#show'`.
    fn action(&self) -> Option<&str> {
        let is_action = |it: &&str| {
            let (controller, action) = it.split_once('#').unwrap_or_default();
            let is_part = |it: char| is_name(it) || it == '/';
            !action.is_empty() && controller.chars().all(is_part) && action.chars().all(is_name)
        };
        self.rest.split(['"', '\'']).find(is_action)
    }

    /// The symbols and strings before the first key.
    fn arguments(&self) -> Vec<Span> {
        let mut found = Vec::new();
        let mut at = 0;
        for part in self.rest.split(',') {
            let inner = part.trim_start().trim_start_matches('(').trim_start();
            let Some(name) = inner.strip_prefix([':', '"', '\'']) else { break };
            let start = at + part.len() - name.len();
            let is_symbol = inner.starts_with(':');
            let is_end =
                |it: char| if is_symbol { !is_name(it) } else { matches!(it, '"' | '\'' | '\n') };
            let name = &name[..name.find(is_end).unwrap_or(name.len())];
            if found.len() == MAX_ARGUMENTS || is_symbol && part.contains("=>") && name.is_empty() {
                break;
            }
            found.push(Span::new(start, start + name.len()));
            at += part.len() + 1;
        }
        found
    }

    /// The symbol or string behind a key.
    fn value(&self, key: &str) -> Option<&str> {
        let is_whole =
            |it: &usize| !self.rest[..*it].ends_with(|it: char| is_name(it) || it == '/');
        let mut places = self.rest.match_indices(key).map(|it| it.0).filter(is_whole);
        places.find_map(|at| {
            let value = self.rest[at + key.len()..].strip_prefix([':', ' '])?;
            let value = value.trim_start_matches(['=', '>', ' ']);
            let inner = value.strip_prefix([':', '"', '\''])?;
            let is_end = |it: char| !is_name(it) && !matches!(it, '/' | '-' | ':');
            Some(&inner[..inner.find(is_end).unwrap_or(inner.len())])
        })
    }

    /// Whether the resource has an action.
    fn has(&self, action: &str) -> bool {
        let has = |key: &str| {
            let (_, list) = self.rest.split_once(key)?;
            let list = match list.trim_start().strip_prefix(['[', '%']) {
                Some(it) => it.split([']', ')']).next().unwrap_or(it),
                None => list.split([',', '\n']).next().unwrap_or(list),
            };
            Some(list.split(|it| !is_name(it)).any(|it| it == action))
        };
        has("only:").or_else(|| has("except:").map(|it| !it)).unwrap_or(true)
    }
}

fn bounded(it: String) -> String {
    if it.len() > MAX_PREFIX { "-".to_owned() } else { it }
}

fn plural(name: &str) -> String {
    if singular(&format!("{name}s")) == name { format!("{name}s") } else { format!("{name}es") }
}
