//! Uses that the index does not list: a name that is read, written, passed on, or a key.

use foreword_chunk::{Language, Span};

use super::super::names::place::is_name;
use super::at::DefinitionPlace;
use super::code_file::CodeFile;
use super::users::{NameUser, family_of, users_by};
use super::{MAX_DEFINITIONS, Referent, Resolution};
use crate::index::terms::term_of;
use crate::index::{DefinitionSite, FileId, Snapshot};

/// Files with the word that are read.
const MAX_FILES: usize = 400;
/// Places with the word that are resolved.
const MAX_PLACES: usize = 2000;
/// Bytes before a string that are read for the class of which it names a method.
const MAX_CALLABLE_BYTES: usize = 200;

/// The uses of `name` as [`users`](super::users) lists them, and, by path and position, those that are no calls, types or
/// bases and surely refer to one of the `targets`: in the first 400 files with the word, of which 2000 places are resolved,
/// and the addresses in calls that lead to it.
pub fn uses(
    snapshot: &Snapshot,
    name: &str,
    targets: &[DefinitionSite],
    keep: &dyn Fn(FileId) -> bool,
) -> (Vec<NameUser>, Vec<(FileId, Span)>) {
    let resolution = Resolution::new(snapshot);
    let users = users_by(&resolution, name, targets, keep);
    let mut reads = reads(&resolution, name, targets, keep);
    let callers = resolution.callers(targets, &reads, keep);
    if !callers.is_empty() {
        reads.extend(callers);
        reads.sort_unstable();
        reads.dedup();
    }
    (users, reads)
}

fn reads(
    resolution: &Resolution<'_>,
    name: &str,
    targets: &[DefinitionSite],
    keep: &dyn Fn(FileId) -> bool,
) -> Vec<(FileId, Span)> {
    let snapshot = resolution.snapshot;
    let is_common = snapshot.definitions_up_to(name, MAX_DEFINITIONS).is_none();
    if targets.is_empty() || is_common || !name.contains(is_name) {
        return Vec::new();
    }
    let families: Vec<_> =
        targets.iter().map(|it| resolution.file(it.file).language.map(family_of)).collect();
    let has_word = snapshot.files_with(&[term_of(name)]);
    let is_one = |it: &FileId| {
        let language = snapshot.language(*it).map(family_of);
        keep(*it) && language.is_some() && families.contains(&language)
    };
    let files = snapshot.files().zip(has_word).filter(|it| it.1).map(|it| it.0).filter(is_one);
    let mut res = Vec::new();
    let mut n_places = 0;
    for id in files.take(MAX_FILES) {
        let places = unlisted(snapshot, id, name);
        if places.is_empty() {
            continue;
        }
        let file = resolution.file(id);
        for place in places {
            n_places += 1;
            if n_places > MAX_PLACES {
                return res;
            }
            let found = resolution.places(&file, place);
            let is_target = |it: &DefinitionPlace| matches!(it, DefinitionPlace::Listed(it) if targets.contains(it));
            if found.iter().any(is_target) {
                res.push((id, place));
            }
        }
    }
    res
}

/// The places of a word in code that are no reference, definition or import of the index. Of a file without any, as of
/// most, no more is decoded than shows that.
fn unlisted(snapshot: &Snapshot, file: FileId, name: &str) -> Vec<Span> {
    let text = snapshot.text(file);
    let is_whole = |it: &Span| {
        let (start, end) = (it.range().start, it.range().end);
        !text[..start].ends_with(is_name) && !text[end..].starts_with(is_name)
    };
    let places = text.match_indices(name).map(|(at, it)| Span::new(at, at + it.len()));
    let mut places: Vec<Span> = places.filter(is_whole).collect();
    if places.is_empty() {
        return places;
    }
    let mentions = snapshot.mentions_in(file);
    let is_listed =
        |it: &Span| mentions.references.binary_search_by_key(&it.start, |it| it.name.start).is_ok();
    let is_php = snapshot.language(file) == Some(Language::Php);
    let is_prose = |it: &Span| {
        if is_php && class_of_callable(&text, *it).is_some() {
            return false;
        }
        let before = mentions.prose.partition_point(|other| other.start <= it.start);
        before.checked_sub(1).is_some_and(|at| mentions.prose[at].contains(*it))
    };
    places.retain(|it| !is_listed(it) && !is_prose(it));
    if places.is_empty() {
        return places;
    }
    let record = snapshot.record(file);
    let imports = &record.symbols.imports;
    let mut own: Vec<Span> = record.symbols.definitions.iter().map(|it| it.name).collect();
    own.sort_unstable();
    let is_imported = |it: &Span| {
        let before = imports.partition_point(|other| other.span.start <= it.start);
        before.checked_sub(1).is_some_and(|at| imports[at].span.contains(*it))
    };
    places.retain(|it| own.binary_search(it).is_err() && !is_imported(it));
    places
}

impl Resolution<'_> {
    /// The types of which a string in PHP names a method: `[OrderController::class, 'show']`, `[$this, 'show']`.
    pub(super) fn types_of_callable(
        &self,
        file: &CodeFile,
        name: Span,
    ) -> Option<Vec<DefinitionSite>> {
        let class =
            class_of_callable(&file.text, name).filter(|_| file.language == Some(Language::Php))?;
        if matches!(class.of(&file.text), "self" | "static" | "this") {
            return Some(self.enclosing_types(file, name.start as usize));
        }
        match self.refer(file, class) {
            Referent::Known(types) => Some(types),
            _ => Some(Vec::new()),
        }
    }
}

/// The class before a string that is a name: `X` of `[X::class, 'name']`, `this` of `[$this, 'name']`.
fn class_of_callable(text: &str, name: Span) -> Option<Span> {
    let (start, end) = (name.range().start, name.range().end);
    let before = text[..start].strip_suffix(['\'', '"'])?;
    if !text[end..].starts_with(['\'', '"']) {
        return None;
    }
    let before =
        &before[text.ceil_char_boundary(before.len().saturating_sub(MAX_CALLABLE_BYTES))..];
    let pair = before.trim_end().strip_suffix(',')?.trim_end();
    let class =
        pair.strip_suffix("::class").or_else(|| pair.strip_suffix("$this").map(|_| pair))?;
    let word = &class[class.trim_end_matches(is_name).len()..];
    let path = |it: char| is_name(it) || matches!(it, '\\' | '$');
    if !class.trim_end_matches(path).trim_end().ends_with('[') {
        return None;
    }
    let end = start - 1 - (before.len() - class.len());
    (!word.is_empty()).then(|| Span::new(end - word.len(), end))
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::at::tests::{shown, snapshot_of};
    use super::*;

    /// The places where a definition of the first file is named without a call, or called by its address, as `path:line`.
    #[track_caller]
    pub(in super::super) fn check(files: &[(&str, &str)], name: &str, expect: &[&str]) {
        let snapshot = snapshot_of(files);
        let mut targets = snapshot.definitions(name);
        targets.retain(|it| snapshot.path(it.file) == files[0].0);
        assert!(!targets.is_empty(), "{name} is defined");
        let found = uses(&snapshot, name, &targets, &|_| true).1;
        assert_eq!(
            found.iter().map(|it| shown(&snapshot, it.0, it.1.start)).collect::<Vec<_>>(),
            expect
        );
    }

    #[test]
    fn functions_methods_and_fields_that_are_no_calls_are_found_where_they_are_meant() {
        let store = "class Store:\n    max_size: int = 1\n\n    def open(self):\n        return self.max_size\n\n\ndef run():\n    pass\n";
        let user = "from store import Store, run\n\nhook(run)\n# run\nsay('run')\n\n\ndef f(run, store: Store):\n    hook(run)\n    hook(store.open, store.max_size)\n    hook(other.open)\n    Store(max_size=2)\n";
        let files = [
            ("store.py", store),
            ("user.py", user),
            ("b.py", "def run():\n    pass\n\n\nhook(run)\n"),
        ];
        check(&files, "run", &["user.py:3"]);
        check(&files, "open", &["user.py:10"]);
        check(&files, "max_size", &["store.py:5", "user.py:10", "user.py:12"]);
    }

    #[test]
    fn a_method_is_used_where_a_string_beside_its_class_names_it() {
        let orders = "<?php\nnamespace App;\nclass Orders {\n    public function show() {}\n    public function run() { return [$this, 'show']; }\n}\n";
        let items = "<?php\nnamespace App;\nclass Items {\n    public function show() {}\n}\n";
        let routes = "<?php\nuse App\\Items;\nuse App\\Orders;\nRoute::get('show', [Orders::class, 'show'])->name('show');\nRoute::get('items', [Items::class, 'show']);\nRoute::get('b', [\n    Orders::class,\n    \"show\",\n]);\nsay('Orders::class', 'show');\nhas(Orders::class, 'show');\n";
        let files = [
            ("app/Orders.php", orders),
            ("app/Items.php", items),
            ("routes/web.php", routes),
            ("composer.json", "{\"autoload\": {\"psr-4\": {\"App\\\\\": \"app/\"}}}"),
        ];
        check(&files, "show", &["app/Orders.php:5", "routes/web.php:4", "routes/web.php:8"]);
    }
}
