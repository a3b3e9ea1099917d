//! Addresses: from a call (`fetch('/api/items/1')`) to the route that answers it, and from a route to its calls.
//!
//! `calls` reads the calls and annotations of a text; `declared`, `annotated` and `pages` find the routes that
//! they, files of routes and the places of files declare, by the table in `table`. `prefix` follows what other files put
//! before them. `address` reads the address in a call, `pattern` compares both, `callers` finds the calls of a route.

mod address;
mod annotated;
mod callers;
mod calls;
mod collect;
mod declared;
mod method;
mod mount;
mod pages;
mod pattern;
mod prefix;
mod table;
#[cfg(test)]
mod tests;

use foreword_chunk::Span;
use rustc_hash::{FxHashMap, FxHashSet};

use self::address::{Address, address_in};
use self::method::Methods;
use self::pattern::{Distance, Pattern};
use super::super::Resolution;
use super::super::at::{DefinitionPlace, DefinitionsAt};
use super::super::code_file::CodeFile;
use super::named::strings_around;
use crate::index::FileId;

/// Places that are listed where nothing decides between them.
const MAX_POSSIBLE: usize = 40;

/// Words that stand before addresses without a declaration in the code.
const USUAL_PREFIXES: &[&str] = &["api", "v1", "v2", "v3"];

/// A route.
pub(in super::super) struct Route {
    file: FileId,
    /// The string or name that declares it.
    at: Span,
    /// The string with its name.
    name: Option<Span>,
    pattern: Pattern,
    methods: Methods,
    /// Whether nothing stands before its pattern.
    is_whole: bool,
    handler: Handler,
}

/// What answers the calls of a route.
enum Handler {
    /// The definition with this number in its file.
    Definition(u32),
    /// One of these names in its file.
    Names(Vec<Span>),
    /// An action of Rails: `admin/users#show`.
    Action(String),
    /// The file.
    File,
}

/// The routes of a repository.
#[derive(Default)]
pub(in super::super) struct Routes {
    all: Vec<Route>,
    /// By the last word of their patterns in lower case; those without one have an empty one.
    by_word: FxHashMap<String, Vec<usize>>,
    /// Words of prefixes.
    prefixes: FxHashSet<String>,
    places: FxHashSet<(FileId, u32)>,
}

impl Route {
    /// One before whose pattern nothing stands.
    fn new(file: FileId, at: Span, pattern: Pattern, methods: Methods, handler: Handler) -> Self {
        Self { file, at, name: None, pattern, methods, is_whole: true, handler }
    }
}

impl Routes {
    fn new(all: Vec<Route>, prefixes: FxHashSet<String>) -> Self {
        let mut by_word: FxHashMap<String, Vec<usize>> = FxHashMap::default();
        for (number, it) in all.iter().enumerate() {
            let word = it.pattern.last_word().unwrap_or_default().to_lowercase();
            by_word.entry(word).or_default().push(number);
        }
        let places = all.iter().map(|it| (it.file, it.at.start)).collect();
        Self { all, by_word, prefixes, places }
    }

    /// The routes that an address may mean, all equally near, and whether nothing else may be meant.
    fn of(&self, address: &Address) -> (Vec<usize>, bool) {
        let mut found: Vec<((Distance, bool), usize)> = Vec::new();
        for pattern in &address.patterns {
            for number in self.candidates(pattern) {
                let route = &self.all[number];
                let is_open = [!route.is_whole, address.is_open];
                let distance = route.pattern.distance(pattern, is_open);
                let fits = route.methods.fit(address.methods);
                // A route that answers all addresses says nothing, and a name without a slash may be that of anything.
                let fits =
                    |it: &Distance| fits && (!it.is_blind || address.is_rooted && it.rests == 0);
                let Some(it) =
                    distance.filter(|it| fits(it) && self.explains(route, address, pattern, it))
                else {
                    continue;
                };
                found.push(((it, !route.is_whole), number));
            }
        }
        let best = found.iter().map(|it| it.0).min();
        let mut best: Vec<_> = found.into_iter().filter(|it| Some(it.0) == best).collect();
        best.sort_unstable_by_key(|it| it.1);
        best.dedup_by_key(|it| it.1);
        let is_sure = best.iter().all(|it| {
            let (route, first) = (&self.all[it.1], &self.all[best[0].1]);
            it.0.0.guesses == 0 && route.file == first.file && route.pattern == first.pattern
        });
        (best.into_iter().map(|it| it.1).collect(), is_sure)
    }

    /// Whether the words of one before all of the other are those of prefixes.
    fn explains(&self, route: &Route, address: &Address, pattern: &Pattern, it: &Distance) -> bool {
        let (own, theirs) = (route.pattern.segments(), pattern.segments());
        let is_usual = |it: &String| USUAL_PREFIXES.contains(&it.to_lowercase().as_str());
        if it.head == 0 {
            return true;
        }
        match theirs.len() > own.len() {
            true => theirs[..it.head].iter().all(|it| self.prefixes.contains(&it.to_lowercase())),
            false => !address.is_rooted || own[..it.head].iter().all(is_usual),
        }
    }

    /// The routes whose last word an address has, and those without any.
    fn candidates(&self, address: &Pattern) -> Vec<usize> {
        let words = address.segments().iter().map(|it| it.to_lowercase());
        let words: FxHashSet<String> = words.chain([String::new()]).collect();
        let mut found: Vec<usize> =
            words.iter().filter_map(|it| self.by_word.get(it)).flatten().copied().collect();
        found.sort_unstable();
        found
    }
}

impl Resolution<'_> {
    /// The routes to which the address in the string around a byte leads.
    pub(in super::super) fn route_at(&self, file: &CodeFile, at: usize) -> Option<DefinitionsAt> {
        let at = file.text.floor_char_boundary(at.min(file.text.len()));
        let language = file.language?;
        let mut strings = strings_around(&file.text, file.language, at).into_iter();
        let address = strings.find_map(|it| address_in(&file.text, language, it))?;
        let routes = self.routes_for(file);
        if routes.places.contains(&(file.id, address.name.start)) {
            return None;
        }
        let (found, is_sure) = routes.of(&address);
        let mut places: Vec<DefinitionPlace> = Vec::new();
        for it in found.iter().take(MAX_POSSIBLE).map(|it| self.place_of(&routes.all[*it])) {
            if !places.contains(&it) {
                places.push(it);
            }
        }
        if places.is_empty() && !address.is_rooted {
            return None;
        }
        // The words of an address that no route answers are no names of other things.
        let name = address.name;
        let (sure, possible) = if is_sure { (places, Vec::new()) } else { (Vec::new(), places) };
        Some(DefinitionsAt { name, sure, possible })
    }

    /// The handler of a route, or the place that declares it.
    fn place_of(&self, route: &Route) -> DefinitionPlace {
        let file = self.file(route.file);
        match &route.handler {
            Handler::Definition(it) => DefinitionPlace::Listed(file.site(*it)),
            Handler::File => DefinitionPlace::File(route.file),
            _ => DefinitionPlace::Written { file: route.file, name: route.at, owner: None },
        }
    }
}
