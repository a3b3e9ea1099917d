//! The routes that a file of routes of Rails declares: their addresses, methods, actions and helpers (`edit_user_path`).

use foreword_chunk::Span;

use crate::retrieve::names::place::is_name;

/// Bytes of a prefix; a longer one is no route's.
const MAX_PREFIX: usize = 300;
/// Names of one statement.
const MAX_ARGUMENTS: usize = 16;
/// Words that declare one route.
const VERBS: &[&str] = &["get", "post", "put", "patch", "delete", "match"];
/// The actions of `resources`: what stands behind the name, the methods, whether `resource` has it too, and its helper with
/// `{n}` for the name and `{s}` for the singular of that.
const ACTIONS: &[(&str, &str, &[&str], bool, &str)] = &[
    ("index", "", &["get"], false, "{n}"),
    ("create", "", &["post"], true, "{n}"),
    ("new", "/new", &["get"], true, "new_{s}"),
    ("edit", "/:id/edit", &["get"], true, "edit_{s}"),
    ("show", "/:id", &["get"], true, "{s}"),
    ("update", "/:id", &["put", "patch"], true, "{s}"),
    ("destroy", "/:id", &["delete"], true, "{s}"),
];
/// Ends of plurals and of their singulars; the first that fits.
const PLURALS: &[(&str, &str)] = &[
    ("people", "person"),
    ("children", "child"),
    ("media", "medium"),
    ("news", "news"),
    ("series", "series"),
    ("movies", "movie"),
    ("indices", "index"),
    ("ies", "y"),
    ("sses", "ss"),
    ("shes", "sh"),
    ("ches", "ch"),
    ("xes", "x"),
    ("tuses", "tus"),
    ("ases", "as"),
    ("ss", "ss"),
    ("us", "us"),
    ("s", ""),
];

/// A route of Rails.
pub(super) struct RailsRoute {
    pub(super) at: Span,
    pub(super) path: String,
    /// The names of its methods; none for any.
    pub(super) methods: &'static [&'static str],
    /// `admin/users#show`
    pub(super) action: String,
    /// The name of its helper without `_path` and `_url`; empty for none.
    pub(super) helper: String,
}

/// A block of lines.
#[derive(Clone, Default)]
struct Block {
    column: usize,
    path: String,
    /// Of `member do` and `collection do` in it: their paths.
    own: [String; 2],
    /// The beginnings of the helpers in it: of those of one, and of all.
    prefixes: [String; 2],
    /// The number of the one that stands behind the helpers, in `member do` and `collection do`.
    belongs: Option<usize>,
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

/// The lines of a text with their offsets; one that ends with a comma goes on in the next.
fn statements(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    let mut end = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        end += line.len();
        if line.trim_end().ends_with(',') && end < text.len() {
            return None;
        }
        let statement = (start, &text[start..end]);
        start = end;
        Some(statement)
    })
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
            "root" => self.add_verb("", Span::new(0, 0), found),
            word if VERBS.contains(&word) => {
                for it in self.arguments() {
                    self.add_verb(it.of(self.rest), it, found);
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
        let named = self.value("as").unwrap_or(own);
        let one = if is_many { singular(named) } else { named.to_owned() };
        let many = if is_many && one == named { format!("{one}_index") } else { named.to_owned() };
        for (action, end, methods, is_of_one, helper) in ACTIONS {
            if !is_many && !is_of_one || !self.has(action) {
                continue;
            }
            let end = if is_many { end } else { end.trim_start_matches("/:id") };
            let (before, form) = helper.split_at(helper.find('{').unwrap_or(0));
            let behind = if form == "{s}" { &one } else { &many };
            let action = format!("{}{controller}#{action}", self.module());
            let helper = format!("{before}{}{behind}", self.around.prefixes[0]);
            found.push(self.route(name, format!("{base}{end}"), methods, action, helper));
        }
    }

    fn add_verb(&self, path: &str, at: Span, found: &mut Vec<RailsRoute>) {
        let word = if self.word == "root" { "get" } else { self.word };
        let methods = VERBS.iter().position(|it| *it == word && word != "match");
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
        let methods = methods.map_or(&[][..], |it| &VERBS[it..=it]);
        found.push(self.route(at, format!("{around}/{path}"), methods, action, self.helper(path)));
    }

    /// The helper of a route that is declared alone.
    fn helper(&self, path: &str) -> String {
        let path = path.trim_matches('/');
        let name = match self.value("as") {
            Some(it) => it.to_owned(),
            None if self.word == "root" => "root".to_owned(),
            None if path.is_empty() || path.contains([':', '*', '(']) => return String::new(),
            None => path.replace(['/', '-'], "_"),
        };
        let on = self.value("on").map(|it| usize::from(it == "collection"));
        match on.or(self.around.belongs) {
            Some(it) => format!("{name}_{}", self.around.prefixes[it].trim_end_matches('_')),
            None => format!("{}{name}", self.around.prefixes[0]),
        }
    }

    fn route(
        &self,
        at: Span,
        path: String,
        methods: &'static [&'static str],
        action: String,
        helper: String,
    ) -> RailsRoute {
        let at = Span::new(self.start + at.range().start, self.start + at.range().end);
        RailsRoute { at, path, methods, action, helper }
    }

    /// What holds inside the block of the statement.
    fn block(&self, column: usize) -> Block {
        let around = self.around;
        let name = self.arguments().into_iter().next().map_or("", |it| it.of(self.rest));
        let path = self.value("path").unwrap_or(name);
        let inside = bounded(format!("{}/{path}", around.path));
        let mut block =
            Block { column, belongs: None, prefixes: self.prefixes(name), ..around.clone() };
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
                let (prefixes, module) = (block.prefixes, block.module);
                block = Block { path: inside, prefixes, module, column, ..Block::default() };
            }
            "scope" => {
                block.path = inside;
                block.controller = bounded(self.value("controller").unwrap_or_default().to_owned());
            }
            "member" | "collection" => {
                let which = usize::from(self.word == "collection");
                block.path.clone_from(&around.own[which]);
                block.belongs = Some(which);
            }
            "controller" => block.controller = bounded(name.to_owned()),
            _ => {}
        }
        block
    }

    /// The beginnings of the helpers in the block of the statement, whose first argument is the name.
    fn prefixes(&self, name: &str) -> [String; 2] {
        let around = &self.around.prefixes;
        let (named, is_scope) = (self.value("as"), self.word == "scope");
        let many = named.unwrap_or(if is_scope { "" } else { name });
        let is_one = matches!(self.word, "resource" | "namespace" | "scope");
        if many.is_empty() || !is_one && self.word != "resources" {
            return around.clone();
        }
        let one = if is_one { many.to_owned() } else { singular(many) };
        let last = &around[usize::from(is_scope)];
        [bounded(format!("{}{one}_", around[0])), bounded(format!("{last}{many}_"))]
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
        let mut found: Vec<Span> = Vec::new();
        let mut at = 0;
        for part in self.rest.split(',') {
            let inner = part.trim_start().trim_start_matches('(').trim_start();
            let Some(name) = inner.strip_prefix([':', '"', '\'']) else { break };
            let start = at + part.len() - name.len();
            let is_symbol = inner.starts_with(':');
            let is_end =
                |it: char| if is_symbol { !is_name(it) } else { matches!(it, '"' | '\'' | '\n') };
            let name = &name[..name.find(is_end).unwrap_or(name.len())];
            let is_key = is_symbol && part.contains("=>") && !found.is_empty();
            if found.len() == MAX_ARGUMENTS || is_key {
                break;
            }
            found.push(Span::new(start, start + name.len()));
            at += part.len() + 1;
        }
        found
    }

    /// The text behind a key.
    fn behind(&self, key: &str) -> Option<&str> {
        let is_whole =
            |it: &usize| !self.rest[..*it].ends_with(|it: char| is_name(it) || it == '/');
        let mut places = self.rest.match_indices(key).map(|it| it.0).filter(is_whole);
        places.find_map(|at| {
            let value = self.rest[at + key.len()..].strip_prefix([':', ' '])?;
            Some(value.trim_start_matches(['=', '>', ' ']))
        })
    }

    /// The symbol or string behind a key.
    fn value(&self, key: &str) -> Option<&str> {
        let inner = self.behind(key)?.strip_prefix([':', '"', '\''])?;
        let is_end = |it: char| !is_name(it) && !matches!(it, '/' | '-' | ':');
        Some(&inner[..inner.find(is_end).unwrap_or(inner.len())])
    }

    /// Whether the resource has an action.
    fn has(&self, action: &str) -> bool {
        let has = |key: &str| {
            let list = self.behind(key)?;
            let list = match list.strip_prefix(['[', '%']) {
                Some(it) => it.split([']', ')']).next().unwrap_or(it),
                None => list.split([',', '\n']).next().unwrap_or(list),
            };
            Some(list.split(|it| !is_name(it)).any(|it| it == action))
        };
        has("only").or_else(|| has("except").map(|it| !it)).unwrap_or(true)
    }
}

fn bounded(it: String) -> String {
    if it.len() > MAX_PREFIX { "-".to_owned() } else { it }
}

fn singular(name: &str) -> String {
    let found =
        PLURALS.iter().find_map(|(plural, one)| Some(name.strip_suffix(plural)?.to_owned() + one));
    found.unwrap_or_else(|| name.to_owned())
}

fn plural(name: &str) -> String {
    if singular(&format!("{name}s")) == name { format!("{name}s") } else { format!("{name}es") }
}
