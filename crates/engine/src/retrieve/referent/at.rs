//! The definitions of the name at a place, as an editor's "go to definition" asks for them.
//!
//! The index lists no attributes that methods set, no embedded fields and no local variables: these are found in the
//! text of the type or the function that has them.

use foreword_chunk::{Definition, Kind, Language, ReferenceKind, Span};

use super::super::names::place::{Before, is_name, owner_end, what_is_before};
use super::code_file::CodeFile;
use super::key::KeyKind;
use super::object::Object;
use super::shape::bound_attribute;
use super::users::family_of;
use super::{MAX_EXPORTS, Referent, Resolution, after_dot, call_fits, is_member, is_type};
use crate::index::{DefinitionSite, FileId, Snapshot};
use crate::sorting::sort_by_key;
use crate::source::directory_of;

/// Possible definitions that are listed.
const MAX_POSSIBLE: usize = 40;

/// A place where a name is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefinitionPlace {
    /// A definition of the index.
    Listed(DefinitionSite),
    /// A name in a text that the index does not list: an attribute that a method sets, an embedded field, a variable.
    Written {
        /// The file.
        file: FileId,
        /// The name there.
        name: Span,
        /// The type that has it; `None` for a local variable.
        owner: Option<DefinitionSite>,
    },
    /// A file as a whole: a component, a template.
    File(FileId),
}

/// The definitions of a name at a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DefinitionsAt {
    /// The name; empty where there is none.
    pub name: Span,
    /// Those that imports, the enclosing code or the type of the receiver identify.
    pub sure: Vec<DefinitionPlace>,
    /// Where nothing does: definitions of the name in this language, likeliest first.
    pub possible: Vec<DefinitionPlace>,
}

/// The definitions of the name at a byte of a file, or before it.
pub fn definitions_at(snapshot: &Snapshot, file: FileId, at: usize) -> DefinitionsAt {
    let resolution = Resolution::new(snapshot);
    let file = resolution.file(file);
    let (name, files) = resolution.name_at(&file, at);
    let written = || resolution.named_at(&file, at).or_else(|| resolution.route_at(&file, at));
    if let Some(found) = files.is_empty().then(written).flatten() {
        return found;
    }
    if name.is_empty() {
        return DefinitionsAt::default();
    }
    let found = if files.is_empty() { resolution.places(&file, name) } else { files };
    if let Some(found) = found.is_empty().then(|| resolution.helper_at(&file, name)).flatten() {
        return found;
    }
    let (sure, possible) = match resolution.is_one(&found) {
        true => (found, Vec::new()),
        false if found.is_empty() && !is_element(&file, name) => {
            (found, resolution.likely(&file, name))
        }
        false => (Vec::new(), found),
    };
    DefinitionsAt { name, sure, possible }
}

/// The name that contains a byte or ends there.
pub(super) fn name_around(file: &CodeFile, at: usize) -> Span {
    let text = &*file.text;
    let at = text.floor_char_boundary(at.min(text.len()));
    let language = file.language.map(family_of);
    let is_script = language == Some(Language::JavaScript);
    let is_part = |it: char| is_name(it) || is_script && matches!(it, '$' | '#');
    let start = text[..at].trim_end_matches(is_part).len();
    let end = text[at..].find(|it| !is_part(it)).map_or(text.len(), |it| at + it);
    Span::new(start, end)
}

impl Resolution<'_> {
    /// The definitions that something identifies.
    pub(super) fn places(&self, file: &CodeFile, name: Span) -> Vec<DefinitionPlace> {
        self.steps.set(0);
        let (word, at) = (name.of(&file.text), name.range().start);
        let key = self.object_of_key(file, name);
        if let Some((Object::Types(types), _)) = &key {
            let found = self.member_places(types, word);
            if !found.is_empty() {
                return found;
            }
        }
        let own = file.record.symbols.definitions.iter().position(|it| it.name == name);
        if let Some(own) = own {
            // `api.open = …` is a definition by syntax; the type of `api` may have declared it.
            let declared = self.of_member(file, word, at);
            let own = vec![DefinitionPlace::Listed(file.site(own as u32))];
            return if declared.is_empty() { own } else { declared };
        }
        if let Some(types) = self.types_of_callable(file, name) {
            return self.member_places(&types, word);
        }
        let files = self.component_places(file, name);
        if !files.is_empty() {
            return files;
        }
        if let Some(found) = self.in_import(file, word, at) {
            return listed(found);
        }
        match key {
            Some((_, KeyKind::Only)) => Vec::new(),
            _ => match what_is_before(&file.text, after_dot(&file.text, at)) {
                Before::Nothing => self.bare_places(file, name),
                Before::Member(_) => self.of_member(file, word, at),
            },
        }
    }

    /// The definitions of a member by its object.
    fn of_member(&self, file: &CodeFile, word: &str, at: usize) -> Vec<DefinitionPlace> {
        if what_is_before(&file.text, after_dot(&file.text, at)) == Before::Nothing {
            return Vec::new();
        }
        match self.object_before(file, at) {
            Object::Types(owners) => self.member_places(&owners, word),
            _ => match self.member(file, word, at) {
                Referent::Known(sites) => listed(sites),
                _ => Vec::new(),
            },
        }
    }

    pub(super) fn member_places(
        &self,
        types: &[DefinitionSite],
        word: &str,
    ) -> Vec<DefinitionPlace> {
        match self.member_of(types, word) {
            Referent::Known(sites) => listed(sites),
            _ => self.attribute_place(types, word).into_iter().collect(),
        }
    }

    /// Whether there are definitions, and not members of several types.
    fn is_one(&self, found: &[DefinitionPlace]) -> bool {
        if matches!(found, [DefinitionPlace::File(_), _, ..]) {
            return false;
        }
        let owner = |it: &DefinitionPlace| match it {
            DefinitionPlace::Listed(it) if is_member(it.kind) => {
                let file = self.file(it.file);
                Some((it.file, file.definition(it.definition).parent))
            }
            _ => None,
        };
        found.first().is_some_and(|first| found.iter().all(|it| owner(it) == owner(first)))
    }

    fn bare_places(&self, file: &CodeFile, name: Span) -> Vec<DefinitionPlace> {
        let (word, at) = (name.of(&file.text), name.range().start);
        if is_element(file, name) {
            return listed(self.elements(word));
        }
        match self.bare(file, word, at) {
            Referent::Known(mut sites) => {
                // In TypeScript a type and a value may have one name.
                let uses = &file.mentions.references;
                let is_type_use =
                    uses.iter().any(|it| it.name == name && it.kind != ReferenceKind::Call);
                sort_by_key(&mut sites, |it| is_type(it.kind) != is_type_use);
                listed(sites)
            }
            _ => {
                let local = |name| DefinitionPlace::Written { file: file.id, name, owner: None };
                file.local_at(word, at).map(local).into_iter().collect()
            }
        }
    }

    /// What the repository declares of an element that is no component: `button` of JSX's `IntrinsicElements`.
    pub(super) fn elements(&self, word: &str) -> Vec<DefinitionSite> {
        let is_one = |it: &&DefinitionSite| {
            let file = self.file(it.file);
            let parent = file.definition(it.definition).parent.map(|it| file.definition(it).name);
            parent.is_some_and(|it| it.of(&file.text) == "IntrinsicElements")
        };
        self.definitions(word).iter().filter(is_one).copied().collect()
    }

    /// The definitions of a name in an import; `None` outside of imports, and for names of libraries.
    fn in_import(&self, file: &CodeFile, word: &str, at: usize) -> Option<Vec<DefinitionSite>> {
        let imports = &file.record.symbols.imports;
        let number = imports.iter().position(|it| it.span.contains_byte(at))?;
        let names = imports[number].names.iter();
        let mut names = names.filter(|it| it.name == word || it.alias.as_deref() == Some(word));
        let name = &names.next()?.name;
        let files = file.files_of(&self.resolver, self.snapshot, number);
        let found = self.exported(&files, name, MAX_EXPORTS);
        (!found.is_empty()).then_some(found)
    }

    /// An attribute of the types, or of what they extend, that is bound in their texts.
    pub(super) fn attribute_place(
        &self,
        owners: &[DefinitionSite],
        word: &str,
    ) -> Option<DefinitionPlace> {
        let (all, _) = self.with_bases(owners);
        all.iter().find_map(|owner| {
            let file = self.file(owner.file);
            let region = file.definition(owner.definition).span.range();
            let name = bound_attribute(&file.text, region, word)?;
            Some(DefinitionPlace::Written { file: owner.file, name, owner: Some(*owner) })
        })
    }

    /// Definitions of the name that nothing identifies, likeliest first.
    fn likely(&self, file: &CodeFile, name: Span) -> Vec<DefinitionPlace> {
        let (word, at) = (name.of(&file.text), name.range().start);
        let all = self.definitions(word);
        let family = file.language.map(family_of);
        let theirs = |it: &&DefinitionSite| self.file(it.file).language.map(family_of) == family;
        let mut found: Vec<DefinitionSite> = all.iter().filter(theirs).copied().collect();
        let behind = owner_end(&file.text, after_dot(&file.text, at)).is_some();
        let after = &file.text[name.range().end..];
        let directory = directory_of(self.snapshot.path(file.id));
        let reached = self.files_in_reach(file);
        sort_by_key(&mut found, |it| {
            let theirs = self.file(it.file);
            let definition: &Definition = theirs.definition(it.definition);
            let fits = !after.starts_with('(')
                || call_fits(after, &theirs.text, definition, theirs.language);
            let is_beside = directory_of(self.snapshot.path(it.file)) == directory;
            (
                is_member(it.kind) != behind,
                !fits,
                it.file != file.id,
                !reached.contains(&it.file),
                !is_beside,
                is_in_function(&theirs, definition),
            )
        });
        found.truncate(MAX_POSSIBLE);
        let mut res = self.by_receiver(file, name);
        for it in listed(found) {
            if !res.contains(&it) {
                res.push(it);
            }
        }
        res
    }

    /// The files to which the imports of a file lead.
    pub(super) fn files_in_reach(&self, file: &CodeFile) -> Vec<FileId> {
        let imports = 0..file.record.symbols.imports.len();
        imports.flat_map(|it| file.files_of(&self.resolver, self.snapshot, it)).collect()
    }
}

/// Whether a name is that of an element in JSX which is no component: `<button`, `</button`.
fn is_element(file: &CodeFile, name: Span) -> bool {
    let before = &file.text[..name.range().start];
    let is_open = before.strip_suffix('/').unwrap_or(before).ends_with('<');
    let is_lower = name.of(&file.text).starts_with(|it: char| it.is_ascii_lowercase());
    // In TypeScript `<name>` may be a cast or an argument of a type.
    let is_markup = matches!(file.language, Some(Language::Tsx | Language::JavaScript));
    let is_generic = before.trim_end_matches(['<', '/']).ends_with(is_name);
    is_open && is_lower && is_markup && !is_generic
}

fn is_in_function(file: &CodeFile, it: &Definition) -> bool {
    let mut around = file.record.symbols.ancestors(it.parent);
    around.any(|it| !is_type(it.kind) && it.kind != Kind::Module)
}

fn listed(sites: Vec<DefinitionSite>) -> Vec<DefinitionPlace> {
    sites.into_iter().map(DefinitionPlace::Listed).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use foreword_chunk::LineIndex;

    use super::*;
    use crate::index::IndexConfig;
    use crate::source::Source;

    /// A snapshot of files, without marks.
    pub(in super::super) fn snapshot_of(files: &[(&str, &str)]) -> Snapshot {
        let source = |(path, text): &(&str, &str)| Source {
            path: (*path).into(),
            text: text.replace('‸', ""),
        };
        let sources = files.iter().map(source).collect();
        Snapshot::of_sources(sources, IndexConfig::default()).unwrap()
    }

    /// A place as `path:line`.
    pub(in super::super) fn shown(snapshot: &Snapshot, file: FileId, at: u32) -> String {
        let line = LineIndex::new(snapshot.text(file).as_bytes()).line_of(at as usize);
        format!("{}:{line}", snapshot.path(file))
    }

    /// The definitions of the name before the mark `‸` in the first file, as `path:line`; possible ones with a question
    /// mark.
    #[track_caller]
    pub(in super::super) fn check(files: &[(&str, &str)], expect: &[&str]) {
        let at = files[0].1.find('‸').unwrap();
        let snapshot = snapshot_of(files);
        let file = snapshot.file(files[0].0).unwrap();
        let found = definitions_at(&snapshot, file, at);
        let place = |it: &DefinitionPlace| {
            let (file, at) = match it {
                DefinitionPlace::Listed(it) => {
                    let record = snapshot.record(it.file);
                    (it.file, record.symbols.definitions[it.definition as usize].name.start)
                }
                DefinitionPlace::Written { file, name, .. } => (*file, name.start),
                DefinitionPlace::File(file) => return snapshot.path(*file).to_owned(),
            };
            shown(&snapshot, file, at) + if found.sure.is_empty() { "?" } else { "" }
        };
        let all = found.sure.iter().chain(&found.possible);
        assert_eq!(all.map(place).collect::<Vec<_>>(), expect);
    }

    const STORE: &str = "class Store:\n    name: str\n\n    def __init__(self, way):\n        self.way = way\n        self.left, self.right = way\n\n    def open(self):\n        return self.way\n\n\ndef make() -> Store:\n    return Store(1)\n";

    #[test]
    fn names_that_are_read_lead_to_functions_and_to_attributes_that_methods_set() {
        let check = |user: &str, expect: &[&str]| {
            check(&[("user.py", user), ("store.py", STORE)], expect);
        };
        check("from store import make\n\nrun(make‸)\n", &["store.py:12"]);
        check("from store import make‸\n", &["store.py:12"]);
        check(
            "from store import make\n\ndef f():\n    it = make()\n    return it.way‸\n",
            &["store.py:5"],
        );
        check("from store import make\n\nmake().right‸\n", &["store.py:6"]);
        check("from store import Store\n\nStore(name‸=1)\n", &["store.py:2"]);
        check("def f(way):\n    return way‸\n", &["user.py:1"]);
        check("def f(it):\n    return it.open‸()\n", &["store.py:8?"]);
        check("‸", &[]);
    }

    #[test]
    fn what_a_fixture_or_a_callable_parameter_returns_has_its_type() {
        let conftest = "import pytest\nfrom store import Store\n\n\n@pytest.fixture\ndef store():\n    return Store(1)\n\n\nclass Factory:\n    def __call__(self) -> Store: ...\n";
        let files = |user| {
            [("tests/test_a.py", user), ("tests/conftest.py", conftest), ("store.py", STORE)]
        };
        check(&files("def test_it(store):\n    store.open‸()\n"), &["store.py:8"]);
        let user = "from conftest import Factory\n\n\ndef test_it(make: Factory):\n    it = make()\n    it.open‸()\n";
        check(&files(user), &["store.py:8"]);
    }

    #[test]
    fn a_variable_of_the_same_name_says_what_type_a_receiver_may_have() {
        let door = "class Door:\n    def open(self):\n        pass\n";
        let user =
            "import store\n\n\ng(lambda it: it.open‸())\n\n\ndef f(it: store.Store):\n    pass\n";
        check(&[("b.py", user), ("a.py", door), ("store.py", STORE)], &["store.py:8?", "a.py:2?"]);
    }

    #[test]
    fn keys_of_values_with_braces_are_fields_of_their_types() {
        let route = "package shop\n\ntype Route struct {\n\tPath string\n\thttp.Handler\n}\n\ntype Way struct {\n\tPath string\n}\n\ntype Other = Route\n";
        let check = |user: &str, expect: &[&str]| {
            let user = format!("package shop\n\n{user}\n");
            check(&[("a.go", &user), ("route.go", route)], expect);
        };
        check("var r = Route{Path‸: p}", &["route.go:4"]);
        check("var r = []*Way{{Path‸: p}, {Path: q}}", &["route.go:9"]);
        check("var r = Other{Path‸: p}", &["route.go:4"]);
        check("func f(r *Route) { r.Handler‸.Serve() }", &["route.go:5"]);
    }

    #[test]
    fn typescript_has_aliases_exports_under_other_names_private_members_and_patterns() {
        let store = "export interface Options { path: string; deep: Inner }\ninterface Inner { path: number }\nexport type Both = Readonly<Options> & Extra;\ninterface Extra { size: number }\nclass Store {\n  #open = 1;\n  read(it: Options): this { return this.#open‸ }\n  get!: Route;\n}\ninterface Route {\n  <T>(path: string): Store\n}\nexport { Store as Shop };\nexport default Store;\n";
        let check = |user: &str, expect: &[&str]| {
            let store = store.replace('‸', "");
            check(&[("a.ts", user), ("store.ts", &store)], expect);
        };
        super::tests::check(&[("store.ts", store)], &["store.ts:6"]);
        check("import { Shop } from './store';\nnew Shop().read‸({});\n", &["store.ts:7"]);
        check("import Any from './store';\nnew Any().read‸({});\n", &["store.ts:7"]);
        check("import { Shop } from './store';\nnew Shop().get('a').read‸({});\n", &["store.ts:7"]);
        check(
            "import { Both } from './store';\nfunction f(it: Both) { it.size‸ }\n",
            &["store.ts:4"],
        );
        check(
            "import { Both } from './store';\nconst it: Both = { deep: { path‸: 1 } };\n",
            &["store.ts:2"],
        );
        check(
            "import { Shop } from './store';\nnew Shop().read({ path‸: '' });\n",
            &["store.ts:1"],
        );
        check(
            "import { Both } from './store';\nconst f = ({ size‸ }: Both) => size;\n",
            &["store.ts:4"],
        );
        check(
            "import { Both } from './store';\nfunction f(it: Both) { const { size‸, path } = it; }\n",
            &["store.ts:4"],
        );
    }
}
