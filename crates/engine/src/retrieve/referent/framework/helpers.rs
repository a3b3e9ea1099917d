//! Helpers that routes of Rails define: `edit_user_path` of `resources :users`.

use foreword_chunk::Span;

use super::tokens::MAX_NAME;
use crate::retrieve::names::place::is_name;

/// What a word of a file of routes defines. `{p}` is the prefix of the blocks around it, `{n}` its name, `{s}` the
/// singular of that.
struct Word {
    word: &'static str,
    /// The helpers, without `_path` and `_url`, and the actions of which one must be there.
    helpers: &'static [(&'static str, &'static [&'static str])],
    /// The prefixes inside its block: of what belongs to one of them, and to all.
    inside: [&'static str; 2],
}

const WORDS: &[Word] = &[
    Word { word: "namespace", helpers: &[], inside: ["{p}{n}_"; 2] },
    Word {
        word: "resources",
        helpers: &[
            ("{p}{n}", &["index", "create"]),
            ("{p}{s}", &["show", "update", "destroy"]),
            ("new_{p}{s}", &["new"]),
            ("edit_{p}{s}", &["edit"]),
        ],
        inside: ["{p}{s}_", "{p}{n}_"],
    },
    Word {
        word: "resource",
        helpers: &[
            ("{p}{n}", &["show", "create", "update", "destroy"]),
            ("new_{p}{n}", &["new"]),
            ("edit_{p}{n}", &["edit"]),
        ],
        inside: ["{p}{n}_"; 2],
    },
];
/// Names of one statement.
const MAX_ARGUMENTS: usize = 16;
/// A prefix that no helper has.
const NO_PREFIX: &str = "-";
/// Words that define one route.
const VERBS: &[&str] = &["get", "post", "put", "patch", "delete", "match", "root"];
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

/// A block of lines: where it begins, the prefixes in it, and to which of them the verbs in it belong.
struct Block {
    column: usize,
    prefixes: [String; 2],
    /// Of `member do` and `collection do`.
    belongs: Option<usize>,
}

/// The routes that define a helper in a file of routes.
pub(super) fn helpers_in(text: &str, helper: &str) -> Vec<Span> {
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
        let route = Route { word, rest, around: open.last() };
        found.extend(route.defines(helper).map(|it| {
            let at = start + column + len + it.start as usize;
            Span::new(at, at + it.range().len())
        }));
        open.push(Block { column, prefixes: route.inside(), belongs: route.belongs() });
    }
    found
}

/// The lines of a text with their offsets; one that ends with a comma goes on in the next.
pub(super) fn statements(text: &str) -> impl Iterator<Item = (usize, &str)> {
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

/// A statement in a file of routes.
struct Route<'t> {
    word: &'t str,
    rest: &'t str,
    around: Option<&'t Block>,
}

impl Route<'_> {
    /// The place in the rest of the statement that defines a helper.
    fn defines(&self, helper: &str) -> Option<Span> {
        if VERBS.contains(&self.word) {
            return self.verb_defines(helper);
        }
        let word = WORDS.iter().find(|it| it.word == self.word)?;
        let other = self.named("as");
        let is_it = |it: &Span| {
            let name = other.unwrap_or(*it).of(self.rest);
            word.helpers.iter().any(|(form, actions)| {
                self.filled(form, name) == helper && self.has_action(actions)
                    || *form == "{p}{n}"
                        && singular(name) == name
                        && helper.strip_suffix("_index") == Some(&*self.filled(form, name))
            })
        };
        self.arguments().into_iter().find(is_it)
    }

    fn verb_defines(&self, helper: &str) -> Option<Span> {
        let argument = self.arguments().into_iter().next();
        let place = argument.unwrap_or_default();
        let path = place.of(self.rest).trim_matches('/');
        let name = match self.named("as") {
            Some(it) => it.of(self.rest).to_owned(),
            None if self.word == "root" => "root".to_owned(),
            None if path.contains([':', '*', '(']) => return None,
            None => path.replace(['/', '-'], "_"),
        };
        let on = self.named("on").map(|it| usize::from(it.of(self.rest) == "collection"));
        let belongs = on.or_else(|| self.around.and_then(|it| it.belongs));
        let full = match (belongs, self.around) {
            (Some(which), Some(around)) => {
                format!("{name}_{}", around.prefixes[which].trim_end_matches('_'))
            }
            (_, around) => format!("{}{name}", around.map_or("", |it| &it.prefixes[0])),
        };
        (!name.is_empty() && full == helper).then_some(place)
    }

    /// The prefixes inside the block of the statement.
    fn inside(&self) -> [String; 2] {
        let given = self.named("as").or_else(|| self.arguments().into_iter().next());
        let name = given.map_or("", |it| it.of(self.rest));
        // What is longer than any helper is not copied from block to block.
        let bounded = |it: String| if it.len() > MAX_NAME { NO_PREFIX.to_owned() } else { it };
        if let Some(word) = WORDS.iter().find(|it| it.word == self.word) {
            return word.inside.map(|it| bounded(self.filled(it, name)));
        }
        let own = match (self.word, self.named("as")) {
            ("scope", Some(it)) => format!("{}_", it.of(self.rest)),
            _ => String::new(),
        };
        [0, 1].map(|which| {
            let prefix = self.around.map_or("", |it| &it.prefixes[which]);
            bounded(format!("{prefix}{own}"))
        })
    }

    fn belongs(&self) -> Option<usize> {
        match self.word {
            "member" => Some(0),
            "collection" => Some(1),
            _ => None,
        }
    }

    fn filled(&self, form: &str, name: &str) -> String {
        let prefix = self.around.map_or("", |it| &it.prefixes[0]);
        form.replace("{p}", prefix).replace("{n}", name).replace("{s}", &singular(name))
    }

    /// The symbols and strings before the first key.
    fn arguments(&self) -> Vec<Span> {
        let mut found = Vec::new();
        let mut at = 0;
        for part in self.rest.split(',') {
            let inner = part.trim_start().trim_start_matches('(').trim_start();
            let Some(name) = inner.strip_prefix([':', '"', '\'']) else { break };
            let start = at + part.len() - name.len();
            let is_part = |it: char| is_name(it) || matches!(it, '/' | '-' | ':' | '*' | '(');
            let name = &name[..name.find(|it| !is_part(it)).unwrap_or(name.len())];
            if name.is_empty() || found.len() == MAX_ARGUMENTS {
                break;
            }
            found.push(Span::new(start, start + name.len()));
            at += part.len() + 1;
        }
        found
    }

    /// The symbol or string behind a key.
    fn named(&self, key: &str) -> Option<Span> {
        let is_whole = |it: &usize| !self.rest[..*it].ends_with(is_name);
        let mut places = self.rest.match_indices(key).map(|it| it.0).filter(is_whole);
        places.find_map(|at| {
            let value = self.rest[at + key.len()..].strip_prefix([':', ' '])?;
            let value = value.trim_start_matches(['=', '>', ' ', ':', '"', '\'']);
            let len = value.find(|it| !is_name(it)).unwrap_or(value.len());
            let start = self.rest.len() - value.len();
            (len > 0).then(|| Span::new(start, start + len))
        })
    }

    fn has_action(&self, actions: &[&str]) -> bool {
        let list = |key: &str| {
            let (_, list) = self.rest.split_once(key)?;
            Some(list.split(']').next().unwrap_or(list))
        };
        let has = |list: &str, action: &str| list.split(|it| !is_name(it)).any(|it| it == action);
        match (list("only:"), list("except:")) {
            (Some(only), _) => actions.iter().any(|it| has(only, it)),
            (None, Some(except)) => !actions.iter().all(|it| has(except, it)),
            (None, None) => true,
        }
    }
}

pub(super) fn singular(name: &str) -> String {
    let found =
        PLURALS.iter().find_map(|(plural, one)| Some(name.strip_suffix(plural)?.to_owned() + one));
    found.unwrap_or_else(|| name.to_owned())
}
