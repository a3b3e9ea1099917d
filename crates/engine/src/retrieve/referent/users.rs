//! The code that uses definitions, with how sure that is.

use foreword_chunk::{Kind, Language, Reference};
use rustc_hash::FxHashMap;

use super::super::names::place::is_name;

use super::arity::call_fits;
use super::code_file::CodeFile;
use super::object::SUPER;
use super::{MAX_DEFINITIONS, Referent, Resolution, is_member, is_type};
use crate::index::{DefinitionSite, FileId, Snapshot};
use crate::preset::constants::retrieve::{RECEIVER_RATIO, RECEIVER_USES};

/// How sure it is that a use of a name refers to a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// Imports, the enclosing code or the declared type of the receiver identify it.
    Sure,
    /// The receiver's type is unknown, or an override may be meant; nothing speaks against it.
    Possible,
}

impl Certainty {
    /// The name in answers: `sure`, `possible`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sure => "sure",
            Self::Possible => "possible",
        }
    }
}

/// A use of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameUser {
    /// The file.
    pub file: FileId,
    /// Its place there.
    pub reference: Reference,
    /// How sure it is that it refers to the definitions.
    pub certainty: Certainty,
}

/// Receivers of unknown type whose declarations elsewhere are read.
const MAX_RECEIVERS: usize = 32;
/// Files that use the type of a target in which they are read.
const MAX_TYPED_FILES: usize = 24;
/// Files whose uses are resolved; those in more files are possible ones.
const MAX_FILES: usize = 2000;
/// Parts of the files that are resolved side by side. The number of cores does not change it, so that what a part has read
/// before, and with it the answer, is the same everywhere.
const MAX_PARTS: usize = 4;
/// Files of a part at least; fewer would not pay for what another part reads again.
const MIN_PART_FILES: usize = 6;

/// The uses of `name` in files that `keep` accepts that refer to one of the `targets`, sure ones first, then by path and
/// position. Without targets every use of the name counts.
pub fn users(
    snapshot: &Snapshot,
    name: &str,
    targets: &[DefinitionSite],
    keep: &dyn Fn(FileId) -> bool,
) -> Vec<NameUser> {
    users_by(&Resolution::new(snapshot), name, targets, keep)
}

pub(super) fn users_by(
    resolution: &Resolution<'_>,
    name: &str,
    targets: &[DefinitionSite],
    keep: &dyn Fn(FileId) -> bool,
) -> Vec<NameUser> {
    let snapshot = resolution.snapshot;
    let all = resolution.definitions(name);
    // Of a name with too many definitions nothing is known; what is defined under another name has no uses to resolve.
    let is_common = all.is_empty() && snapshot.definitions_up_to(name, MAX_DEFINITIONS).is_none();
    let own: Vec<DefinitionSite> = targets.iter().copied().filter(|it| all.contains(it)).collect();
    let search = Search::new(resolution, name, &own);
    let files = snapshot.references(name).into_iter().map(|it| it.0).filter(|it| keep(*it));
    let files: Vec<FileId> = files.collect();
    let found = search.found_in_parts(&files, if is_common { 0 } else { MAX_FILES });
    let mut receivers = Receivers::default();
    for it in &found {
        receivers.add(it.receiver.as_deref(), it.link);
    }
    let open = found.iter().filter(|it| it.link == Link::Open);
    search.add_declared(&mut receivers, open.filter_map(|it| it.receiver.as_deref()));
    let user = |it: &FoundUse| {
        let is_target = || it.receiver.as_ref().is_some_and(|it| receivers.is_target(it));
        let certainty = match it.link {
            Link::Target => Certainty::Sure,
            Link::Open if is_target() => Certainty::Sure,
            Link::Open | Link::Override => Certainty::Possible,
            Link::Other => return None,
        };
        Some(NameUser { file: it.file, reference: it.reference, certainty })
    };
    let mut res: Vec<NameUser> = found.iter().filter_map(user).collect();
    crate::sorting::sort_by_key(&mut res, |it| it.certainty);
    res
}

/// What a use is to the targets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Link {
    /// It refers to one of them.
    Target,
    /// It refers to a definition that one of them overrides.
    Override,
    /// The receiver's type is unknown.
    Open,
    /// It refers to something else.
    Other,
}

/// A use of the name, and what it is to the targets.
struct FoundUse {
    file: FileId,
    reference: Reference,
    link: Link,
    /// The names before it; a copy, since the text of the file is not kept.
    receiver: Option<String>,
}

/// Receivers of the resolved uses, as they are written: variables of one name mostly have one type.
#[derive(Default)]
struct Receivers {
    /// Uses of targets and of others, by receiver.
    counts: FxHashMap<String, (u32, u32)>,
}

impl Receivers {
    fn add(&mut self, receiver: Option<&str>, link: Link) {
        let Some(receiver) = receiver.filter(|_| link != Link::Open) else { return };
        let known = self.counts.entry(receiver.to_owned()).or_default();
        match link {
            Link::Target => known.0 += 1,
            _ => known.1 += 1,
        }
    }

    fn is_target(&self, receiver: &str) -> bool {
        self.counts.get(receiver).is_some_and(|it| it.0 >= RECEIVER_USES && it.1 == 0)
    }
}

/// The names before a member: `c.req` in `c.req.header()`.
fn receiver(text: &str, at: usize) -> Option<&str> {
    let before = text[..at].strip_suffix('.')?;
    let line = &before[text.ceil_char_boundary(before.len().saturating_sub(80))..];
    let names = &line[line.trim_end_matches(|it: char| is_name(it) || it == '.').len()..];
    (!names.is_empty() && !names.starts_with('.')).then_some(names)
}

/// What is searched for.
struct Search<'r> {
    resolution: &'r Resolution<'r>,
    name: &'r str,
    targets: &'r [DefinitionSite],
    /// The types to which the targets belong, and all that these extend.
    family: Vec<DefinitionSite>,
    /// The last names of the types that have the targets, among them types of libraries (`impl Shop for Vec`).
    owner_names: Vec<String>,
    /// Whether all members of the name belong to related types, and libraries seldom have such a member.
    is_only: bool,
}

impl<'r> Search<'r> {
    fn new(resolution: &'r Resolution<'r>, name: &'r str, targets: &'r [DefinitionSite]) -> Self {
        let owners = |it: &DefinitionSite| {
            let file = resolution.file(it.file);
            resolution.steps.set(0);
            resolution.owners(&file, Some(it.definition).filter(|_| is_member(it.kind)))
        };
        let related = |it: &DefinitionSite| {
            resolution.steps.set(0);
            resolution.with_bases(&owners(it)).0
        };
        let family: Vec<DefinitionSite> = targets.iter().flat_map(related).collect();
        let all = resolution.definitions(name);
        let is_related = |it: &DefinitionSite| {
            targets.contains(it) || related(it).iter().any(|it| family.contains(it))
        };
        let is_only = !all.is_empty()
            && !is_usual(name)
            && all.iter().filter(|it| is_member(it.kind)).all(is_related);
        let owner = |it: &DefinitionSite| {
            let file = resolution.file(it.file);
            let parts = file.record.name_parts(it.definition);
            let owner = parts.iter().rev().nth(1).filter(|_| is_member(it.kind))?;
            Some(file.text.get(owner.value().range())?.to_owned())
        };
        let owner_names = targets.iter().filter_map(owner).collect();
        Self { resolution, name, targets, family, owner_names, is_only }
    }

    /// The uses in files, of which the first `most` are resolved, on all cores. Each part has a [`Resolution`] of its own, since
    /// these are not shared between threads.
    fn found_in_parts(&self, files: &[FileId], most: usize) -> Vec<FoundUse> {
        let parts = (files.len() / MIN_PART_FILES).clamp(1, MAX_PARTS);
        let size = files.len().div_ceil(parts).max(1);
        let mut found: Vec<Vec<FoundUse>> = files.chunks(size).map(|_| Vec::new()).collect();
        let (snapshot, name, targets) = (self.resolution.snapshot, self.name, self.targets);
        rayon::in_place_scope(|scope| {
            let mut parts = found.iter_mut().zip(files.chunks(size)).enumerate();
            let own = parts.next();
            for (n, (found, files)) in parts {
                scope.spawn(move |_| {
                    let resolution = Resolution::new(snapshot);
                    let search = Search::new(&resolution, name, targets);
                    *found = search.found(files, most.saturating_sub(n * size));
                });
            }
            if let Some((_, (found, files))) = own {
                *found = self.found(files, most);
            }
        });
        found.into_iter().flatten().collect()
    }

    /// The uses in files, of which the first `most` are resolved.
    fn found(&self, files: &[FileId], most: usize) -> Vec<FoundUse> {
        let mut found = Vec::new();
        for (n, id) in files.iter().enumerate() {
            let file = self.resolution.file(*id);
            let is_use = |it: &&Reference| it.name.of(&file.text) == self.name;
            for it in file.mentions.references.iter().filter(is_use) {
                let link = if n < most { self.link(&file, it) } else { Link::Open };
                let receiver = receiver(&file.text, it.name.start as usize).map(str::to_owned);
                found.push(FoundUse { file: *id, reference: *it, link, receiver });
            }
        }
        found
    }

    /// Adds the types with which variables are declared that have the names of receivers whose own type is unknown: in files
    /// that define the name, and in those that use the types of the targets.
    fn add_declared<'o>(&self, receivers: &mut Receivers, open: impl Iterator<Item = &'o str>) {
        let mut open: Vec<&str> = open.filter(|it| !it.contains('.')).collect();
        open.sort_unstable();
        open.dedup();
        let snapshot = self.resolution.snapshot;
        let mut files: Vec<FileId> =
            self.resolution.definitions(self.name).iter().map(|it| it.file).collect();
        for owner in &self.owner_names {
            files.extend(
                snapshot.references(owner).into_iter().map(|it| it.0).take(MAX_TYPED_FILES),
            );
        }
        files.sort_unstable();
        files.dedup();
        let is_target = |it: &DefinitionSite| self.is_target(it);
        for receiver in open.into_iter().take(MAX_RECEIVERS) {
            let (right, other) =
                self.resolution.declared_types(&files, receiver, self.name, &is_target);
            let known = receivers.counts.entry(receiver.to_owned()).or_default();
            let decides = |right, other| right >= RECEIVER_RATIO && right >= other * RECEIVER_RATIO;
            if decides(right, other) && decides(right + known.0, other + known.1) {
                *known = (right + known.0, 0);
            }
        }
    }

    fn link(&self, file: &CodeFile, it: &Reference) -> Link {
        if self.targets.is_empty() {
            return Link::Target;
        }
        let can_be = || self.targets.iter().any(|target| self.can_be(file, it, target));
        match self.resolution.referent(file, it.name) {
            Referent::Known(sites) if sites.iter().any(|it| self.is_target(it)) => Link::Target,
            Referent::Known(sites) if sites.iter().any(|it| self.is_overridden(it)) => {
                if is_of_base(&file.text, it.name.start as usize) {
                    return Link::Other;
                }
                Link::Override
            }
            Referent::Unknown | Referent::Undefined | Referent::Other
                if self.names_owner(file, it) && can_be() =>
            {
                Link::Target
            }
            Referent::Unknown if can_be() && self.is_only => Link::Target,
            Referent::Unknown if can_be() => Link::Open,
            Referent::Undefined if can_be() => Link::Override,
            Referent::Known(_) | Referent::Unknown | Referent::Undefined | Referent::Other => {
                Link::Other
            }
        }
    }

    /// Whether a definition is a target, or the type that a target constructs.
    fn is_target(&self, it: &DefinitionSite) -> bool {
        let constructs = |target: &DefinitionSite| {
            let parent = self.resolution.file(target.file).definition(target.definition).parent;
            target.kind == Kind::Constructor
                && target.file == it.file
                && parent == Some(it.definition)
        };
        self.targets.contains(it) || is_type(it.kind) && self.targets.iter().any(constructs)
    }

    /// Whether the type of a target is written before the name: `Command::resolve`.
    fn names_owner(&self, file: &CodeFile, it: &Reference) -> bool {
        let before = &file.text[..it.name.start as usize];
        let Some(before) = before.strip_suffix("::").or_else(|| before.strip_suffix('.')) else {
            return false;
        };
        let is_named = |owner: &String| {
            before.strip_suffix(owner.as_str()).is_some_and(|it| !it.ends_with(is_name))
        };
        self.owner_names.iter().any(is_named)
    }

    /// Whether a target may be called in place of this definition: its type extends the type that has this one.
    fn is_overridden(&self, it: &DefinitionSite) -> bool {
        let file = self.resolution.file(it.file);
        let owners = self.resolution.owners(&file, Some(it.definition));
        is_member(it.kind) && owners.iter().any(|it| self.family.contains(it))
    }

    /// Whether a call of something unknown can be of a target.
    fn can_be(&self, file: &CodeFile, it: &Reference, target: &DefinitionSite) -> bool {
        let theirs = self.resolution.file(target.file);
        if theirs.language.map(family_of) != file.language.map(family_of) {
            return false;
        }
        let is_known = file.language.is_some_and(has_members_only_of_types);
        let definition = theirs.definition(target.definition);
        let call = &file.text[it.name.end as usize..];
        (is_member(target.kind) || !is_known)
            && call_fits(call, &theirs.text, definition, theirs.language)
    }
}

/// Whether the member at a byte is called as the base type defines it, as in `super().close()`.
fn is_of_base(text: &str, at: usize) -> bool {
    let before = text[..at].trim_end_matches(['.', ':', '(', ')']);
    SUPER.iter().any(|it| before.ends_with(it))
}

/// One language for those that call each other.
pub(super) fn family_of(language: Language) -> Language {
    match language {
        Language::TypeScript | Language::Tsx => Language::JavaScript,
        Language::Kotlin | Language::Scala => Language::Java,
        Language::C => Language::Cpp,
        other => other,
    }
}

/// Languages in which what stands behind an object of unknown type is no free function.
fn has_members_only_of_types(language: Language) -> bool {
    use Language::{CSharp, Cpp, Go, Java, Kotlin, Php, Python, Rust, Scala, Swift};
    matches!(language, CSharp | Cpp | Go | Java | Kotlin | Php | Python | Rust | Scala | Swift)
}

/// Whether values of the usual libraries have a member of this name.
fn is_usual(name: &str) -> bool {
    USUAL_MEMBERS.split_ascii_whitespace().any(|it| it == name)
}

/// Members of the strings, collections, files, streams, numbers, promises and dates that come with languages.
const USUAL_MEMBERS: &str = "add all any append apply as_ref as_str at bind build bytes call capitalize catch chars clear \
    clone close collect compile concat connect contains copy count create cursor decode default delete detach digest \
    dump dumps each emit encode end endswith entries equals error every exec execute exists expand extend fetch fileno \
    fill filter finally find findall flush fmt forEach format from front get getvalue group groups handle has hash \
    hex id includes index indexOf info init insert into isatty isdigit issubset items iter join json keys kill last len \
    length listen lock log lower lstrip main map match max min mkdir name new next notify now off on once open parse \
    partition path pop popitem print push put raise read readable readline readlines ready recv reduce release remove \
    render replace request reset resolve reverse rfind rsplit rstrip run save search seek send set setdefault shift size \
    skip slice sleep some sort splice split splitlines start startswith stat stop string strip sub substring swap tell \
    test text then title to_owned to_string toString translate trim truncate try_from union unlock unwrap update upper \
    url value values wait warn with writable write writelines zip Add Close Copy Done Error Get Has Len Lock New Next \
    Open Parse Print Printf Println Read Remove Reset Run Scan Send Set Sprintf Start Stop String Sub Unlock Value Wait \
    Write";

#[cfg(test)]
mod tests {
    use foreword_chunk::LineIndex;

    use super::super::at::tests::{shown, snapshot_of};
    use super::*;

    /// The users of a definition, as `path:line`, possible ones with a question mark. `line` is that of the definition
    /// in the first file.
    #[track_caller]
    fn check(files: &[(&str, &str)], name: &str, line: u32, expect: &[&str]) {
        let snapshot = snapshot_of(files);
        let line_of =
            |file, at: u32| LineIndex::new(snapshot.text(file).as_bytes()).line_of(at as usize);
        let home = snapshot.file(files[0].0).unwrap();
        let record = snapshot.record(home);
        let mut targets = snapshot.definitions(name);
        targets.retain(|it| {
            let own = &record.symbols.definitions;
            it.file == home && line_of(home, own[it.definition as usize].name.start) == line
        });
        assert_eq!(targets.len(), 1, "{name} is defined in line {line}");
        let found = users(&snapshot, name, &targets, &|_| true);
        let place = |it: &NameUser| {
            let mark = if it.certainty == Certainty::Possible { "?" } else { "" };
            shown(&snapshot, it.file, it.reference.name.start) + mark
        };
        assert_eq!(found.iter().map(place).collect::<Vec<_>>(), expect);
    }

    const STORE: &str = "class Store:\n    def open(self, name):\n        return self\n\n    def close(self):\n        pass\n\n\nclass Quiet(Store):\n    def close(self):\n        super().close()\n";

    #[test]
    fn a_method_is_not_called_by_builtins_files_or_other_types() {
        let user = "from store import Store\n\n\ndef read(path):\n    with open(path) as lines:\n        lines.close()\n    store = Store()\n    store.open(path).close()\n    other.open(path)\n";
        let other = "class Door:\n    def open(self, way):\n        self.open(way)\n";
        let files = [("store.py", STORE), ("user.py", user), ("door.py", other)];
        check(&files, "open", 2, &["user.py:8", "user.py:9?"]);
        check(&files, "close", 5, &["store.py:11", "user.py:8"]);
        // What a variable of the base type calls may be the override.
        check(&files, "close", 10, &["user.py:8?"]);
    }

    #[test]
    fn a_type_of_a_library_is_known_by_its_name_before_the_member() {
        let extension = "trait Found { fn found(name: &str) -> Self; }\nimpl Found for Command {\n    fn found(name: &str) -> Self { Self::new(name) }\n}\n";
        let user = "fn f(alias: Alias) {\n    Command::found(\"a\");\n    alias.found(\"b\");\n    SubCommand::found(\"c\");\n}\n";
        let files = [("src/a.rs", extension), ("src/b.rs", user)];
        check(&files, "found", 3, &["src/b.rs:2"]);
    }

    #[test]
    fn attributes_results_and_parameters_have_their_declared_types() {
        let user = "from store import Store\n\n\nclass Shop:\n    def __init__(self, store: Store):\n        self.store = store\n\n    def stop(self):\n        self.store.close()\n        self.made().close()\n        self.other.close()\n\n    def made(self) -> Store:\n        return Store()\n\n\ndef stop(shop: Shop, file):\n    shop.store.close()\n    file.close()\n    file.close(1)\n";
        let files = [("store.py", STORE), ("user.py", user)];
        let sure = ["store.py:11", "user.py:9", "user.py:10", "user.py:18"];
        check(&files, "close", 5, &[&sure[..], &["user.py:11?", "user.py:19?"]].concat());
    }

    #[test]
    fn a_function_is_called_where_it_is_imported_through_other_modules_too() {
        let files = [
            ("pkg/core.py", "def run():\n    pass\n"),
            ("pkg/__init__.py", "from .core import run as run\n"),
            ("a.py", "import pkg\n\npkg.run()\n"),
            ("b.py", "from pkg import run\n\nrun()\n"),
            ("c.py", "from subprocess import run\n\nrun()\n\n\ndef f(run):\n    run()\n"),
            ("d.py", "import subprocess\n\nsubprocess.run()\nthing.run()\n"),
        ];
        check(&files, "run", 1, &["a.py:3", "b.py:3"]);
    }

    #[test]
    fn a_receiver_without_a_type_has_the_one_with_which_its_name_is_mostly_declared() {
        let context = "export class Context {\n  text() {}\n}\nclass Body {\n  text() {}\n}\n";
        let typed = |n: usize| {
            let function = |it| format!("function f{it}(c: Context, d: Context) {{}}\n");
            let functions: String = (0..n).map(function).collect();
            format!("import {{ Context }} from './context'\n{functions}")
        };
        let user = "app.get((c) => c.text())\napp.get((e) => e.text())\n";
        let check = |n, expect: &[&str]| {
            let typed = typed(n);
            let files = [("context.ts", context), ("typed.ts", &typed), ("user.ts", user)];
            check(&files, "text", 2, expect);
        };
        check(4, &["user.ts:1", "user.ts:2?"]);
        check(3, &["user.ts:1?", "user.ts:2?"]);
    }

    #[test]
    fn chains_of_go_go_on_after_the_dot_at_the_end_of_a_line_and_begin_with_new() {
        let route = "package shop\n\ntype Router struct{}\ntype Route struct{}\n\nfunc (r *Router) Path(p string) *Route { return nil }\n\nfunc (r *Route) Path(p string) *Route { return r }\n";
        let user = "package shop\n\nfunc run(router *Router) {\n\trouter.Path(\"a\").\n\t\tPath(\"b\")\n\tnew(Route).Path(\"c\")\n\tx := new(Router)\n\tx.Path(\"d\")\n\t// See f(x).\n\tPath(\"e\")\n}\n";
        let files = [("route.go", route), ("user.go", user)];
        // What stands after a comment is no member of it.
        check(&files, "Path", 6, &["user.go:4", "user.go:8", "user.go:10?"]);
        check(&files, "Path", 8, &["user.go:5", "user.go:6", "user.go:10?"]);
    }

    #[test]
    fn methods_of_go_are_told_apart_by_their_receivers() {
        let cart = "package shop\n\ntype Cart struct{ log *Log }\n\nfunc NewCart() (*Cart, error) { return nil, nil }\n\nfunc (c *Cart) Close() {\n\tc.log.Close()\n}\n\ntype Log struct{}\n\nfunc (l *Log) Close() {}\n";
        let user = "package shop\n\nimport \"os\"\n\nfunc stop(log Log) {\n\tcart, err := NewCart()\n\tcart.Close()\n\tfile, err := os.Open(\"x\")\n\tfile.Close()\n\tlog.Close()\n}\n";
        let files = [("cart.go", cart), ("user.go", user)];
        check(&files, "Close", 7, &["user.go:7"]);
        check(&files, "Close", 13, &["cart.go:8", "user.go:10"]);
    }
}
