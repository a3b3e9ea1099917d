//! What stands before the paths of a file's routes: prefixes of their objects, and of the files that mount these.

use std::cell::RefCell;

use foreword_chunk::Language;
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::super::Resolution;
use super::super::super::users::family_of;
use super::declared::{Declarations, Mount, Part, Router, Target};
use crate::index::FileId;

/// Files on the way to the one that has all routes.
const MAX_DEPTH: usize = 8;
/// Ways that are told apart.
const MAX_WAYS: usize = 6;

/// A file and the name of an object there.
type Owner = (FileId, Option<String>);

/// What stands before a path.
#[derive(Clone, Default, PartialEq)]
pub(super) struct BeforePath {
    pub(super) parts: Vec<Part>,
    /// Whether nothing else does.
    pub(super) is_whole: bool,
}

/// A mount whose target is known.
struct Way<'d> {
    from: FileId,
    mount: &'d Mount,
    /// The object in the file; `None` for any.
    name: Option<String>,
}

pub(super) struct Prefixes<'d> {
    declared: &'d FxHashMap<FileId, Declarations>,
    /// By file of the mounted object.
    ways: FxHashMap<FileId, Vec<Way<'d>>>,
    /// By file and name the routers, in order.
    routers: FxHashMap<(FileId, &'d str), Vec<&'d Router>>,
    /// By file and name the object of another file that it is.
    aliases: FxHashMap<(FileId, &'d str), (FileId, String)>,
    /// Files of Laravel before whose paths `api` stands by default.
    api: Vec<FileId>,
    known: RefCell<FxHashMap<Owner, Vec<BeforePath>>>,
}

impl<'d> Prefixes<'d> {
    pub(super) fn new(
        resolution: &Resolution<'_>,
        files: &[FileId],
        declared: &'d FxHashMap<FileId, Declarations>,
    ) -> Self {
        let mut ways: FxHashMap<FileId, Vec<Way<'d>>> = FxHashMap::default();
        let mut routers: FxHashMap<(FileId, &'d str), Vec<&'d Router>> = FxHashMap::default();
        let own = files.iter().filter_map(|it| Some((*it, declared.get(it)?)));
        let stems = stems(resolution, files);
        let finder = Finder { resolution, declared, stems, names: names(declared) };
        for (from, it) in own {
            for mount in &it.mounts {
                for (to, name) in finder.targets(from, mount) {
                    ways.entry(to).or_default().push(Way { from, mount, name });
                }
            }
            for it in &it.routers {
                routers.entry((from, &it.name)).or_default().push(it);
            }
        }
        let aliases = finder.aliases(files);
        let is_api = |it: &FileId| resolution.snapshot.path(*it).ends_with("routes/api.php");
        let api = files.iter().copied().filter(is_api).collect();
        Self { declared, ways, routers, aliases, api, known: RefCell::default() }
    }

    /// What stands before the paths of an object at a byte of a file; one way at least.
    pub(super) fn before(&self, file: FileId, owner: Option<&str>, at: usize) -> Vec<BeforePath> {
        self.before_within(file, owner, at, MAX_DEPTH)
    }

    fn before_within(
        &self,
        file: FileId,
        owner: Option<&str>,
        at: usize,
        depth: usize,
    ) -> Vec<BeforePath> {
        if depth == 0 {
            return vec![BeforePath::default()];
        }
        let named = owner.and_then(|it| self.routers.get(&(file, it)));
        let router = named.and_then(|all| {
            let n = all.partition_point(|it| it.at < at);
            all.get(n.saturating_sub(1)).copied()
        });
        let Some(router) = router else {
            return match owner.and_then(|it| self.aliases.get(&(file, it))) {
                Some((other, name)) => {
                    self.before_within(*other, Some(name), usize::MAX, depth - 1)
                }
                None => self.mounted(file, owner, None, depth),
            };
        };
        let base = match &router.parent {
            _ if router.is_root => vec![BeforePath { parts: Vec::new(), is_whole: true }],
            Some(parent) => self.before_within(file, Some(parent), router.at, depth - 1),
            None => return self.mounted(file, owner, Some(router), depth),
        };
        base.into_iter().map(|it| extended(it, &router.prefix)).collect()
    }

    /// By the mounts of an object, whose own prefix comes behind.
    fn mounted(
        &self,
        file: FileId,
        owner: Option<&str>,
        router: Option<&Router>,
        depth: usize,
    ) -> Vec<BeforePath> {
        let key = (file, owner.map(str::to_owned));
        if let Some(known) = self.known.borrow().get(&key) {
            return known.clone();
        }
        // A circle ends here.
        self.known.borrow_mut().insert(key.clone(), vec![BeforePath::default()]);
        let own = router.map_or(&[][..], |it| &it.prefix);
        let mut found: Vec<BeforePath> = Vec::new();
        let is_it =
            |it: &&Way<'_>| it.name.is_none() || owner.is_none() || it.name.as_deref() == owner;
        let ways = self.ways.get(&file).into_iter().flatten().filter(is_it);
        for way in ways.take(MAX_WAYS) {
            let (mount, own) = (way.mount, if way.mount.is_instead { &[][..] } else { own });
            let before = self.before_within(way.from, mount.owner.as_deref(), mount.at, depth - 1);
            for it in before {
                let whole = extended(extended(it, &mount.prefix), own);
                if found.len() < MAX_WAYS && !found.contains(&whole) {
                    found.push(whole);
                }
            }
        }
        if found.is_empty() {
            found.push(self.alone(file, own));
        }
        self.known.borrow_mut().insert(key, found.clone());
        found
    }

    /// What stands before the paths of a file that nothing mounts.
    fn alone(&self, file: FileId, own: &[Part]) -> BeforePath {
        let is_api = self.api.contains(&file);
        // Whoever mounts others is the root.
        let is_whole = is_api
            || self
                .declared
                .get(&file)
                .is_some_and(|it| !it.mounts.is_empty() && it.routers.is_empty());
        let parts = if is_api {
            vec![("api".to_owned(), super::pattern::Syntax::Brackets)]
        } else {
            Vec::new()
        };
        extended(BeforePath { parts, is_whole }, own)
    }
}

fn extended(mut it: BeforePath, parts: &[Part]) -> BeforePath {
    it.parts.extend_from_slice(parts);
    it.parts.truncate(MAX_DEPTH * MAX_WAYS);
    it
}

/// The files by the names with which modules name them.
fn stems(resolution: &Resolution<'_>, files: &[FileId]) -> FxHashMap<String, Vec<FileId>> {
    let mut stems: FxHashMap<String, Vec<FileId>> = FxHashMap::default();
    for it in files {
        let path = resolution.snapshot.path(*it);
        let whole =
            path.strip_suffix("/__init__.py").or_else(|| path.strip_suffix(".py")).unwrap_or(path);
        let stem = whole.rsplit('/').next().unwrap_or(whole);
        stems.entry(stem.to_owned()).or_default().push(*it);
    }
    stems
}

/// The names of objects and lists with routes.
fn names(declared: &FxHashMap<FileId, Declarations>) -> FxHashSet<(FileId, &str)> {
    let mut names = FxHashSet::default();
    #[expect(clippy::iter_over_hash_type, reason = "a set has no order")]
    for (file, it) in declared {
        names.extend(it.routers.iter().map(|it| (*file, it.name.as_str())));
        names.extend(it.routes.iter().filter_map(|it| Some((*file, it.owner.as_deref()?))));
    }
    names
}

/// Finds the objects that mounts name.
struct Finder<'r, 's, 'd> {
    resolution: &'r Resolution<'s>,
    declared: &'d FxHashMap<FileId, Declarations>,
    stems: FxHashMap<String, Vec<FileId>>,
    /// The objects and lists with routes.
    names: FxHashSet<(FileId, &'d str)>,
}

impl<'d> Finder<'_, '_, 'd> {
    /// The objects of other files that have routes here: `from shop import app`.
    fn aliases(&self, files: &[FileId]) -> FxHashMap<(FileId, &'d str), (FileId, String)> {
        let mut aliases = FxHashMap::default();
        for id in files {
            let Some(own) = self.declared.get(id) else { continue };
            let local: FxHashSet<&str> = own.routers.iter().map(|it| it.name.as_str()).collect();
            let mut owners: Vec<&str> =
                own.routes.iter().filter_map(|it| it.owner.as_deref()).collect();
            owners.sort_unstable();
            owners.dedup();
            for owner in owners.into_iter().filter(|it| !local.contains(it)) {
                let found = self.imported(*id, &[owner], MAX_DEPTH);
                if let Some((other, Some(name))) = found.into_iter().next() {
                    aliases.insert((*id, owner), (other, name));
                }
            }
        }
        aliases
    }

    /// The files of the mounted object, with its name there if that is known.
    fn targets(&self, from: FileId, mount: &Mount) -> Vec<(FileId, Option<String>)> {
        let text = self.resolution.snapshot.text(from);
        match &mount.target {
            Target::Names(names) => {
                let names: Vec<&str> = names.iter().map(|it| it.of(&text)).collect();
                self.named(from, &names, MAX_DEPTH)
            }
            Target::Module(name) => {
                self.module(from, *name).into_iter().map(|it| (it, None)).collect()
            }
        }
    }

    fn named(&self, from: FileId, names: &[&str], depth: usize) -> Vec<(FileId, Option<String>)> {
        match names.first() {
            Some(it) if self.has(from, it) => vec![(from, Some((*it).to_owned()))],
            _ => self.imported(from, names, depth),
        }
    }

    /// The objects that a file imports.
    fn imported(
        &self,
        from: FileId,
        names: &[&str],
        depth: usize,
    ) -> Vec<(FileId, Option<String>)> {
        let Some((first, rest)) = names.split_first().filter(|_| depth > 0) else {
            return Vec::new();
        };
        let file = self.resolution.file(from);
        let Some((import, original)) = file.imports.get(*first) else { return Vec::new() };
        let is_script = file.language.map(family_of) == Some(Language::JavaScript);
        let files = file.files_of(&self.resolution.resolver, self.resolution.snapshot, *import);
        let mut found = Vec::new();
        for to in files.into_iter().take(MAX_WAYS) {
            let member = rest.first().filter(|_| !is_script).copied();
            let names = [original.as_deref(), member];
            let own = names.iter().flatten().find(|it| self.has(to, it)).map(|it| (*it).to_owned());
            if own.is_some() || self.declared.contains_key(&to) && is_script {
                found.push((to, own));
                continue;
            }
            // A package passes the object or its module on.
            let next: Vec<&str> = original.as_deref().into_iter().chain(member).collect();
            let passed = if to == from { Vec::new() } else { self.named(to, &next, depth - 1) };
            match passed.is_empty() {
                true => found.push((to, None)),
                false => found.extend(passed),
            }
        }
        found
    }

    /// Whether a file has an object, or a list of routes, with this name.
    fn has(&self, file: FileId, name: &str) -> bool {
        self.names.contains(&(file, name))
    }

    /// The file of a module by a string: `shop.urls`, `./shop`, `routes/shop.php`.
    fn module(&self, from: FileId, name: foreword_chunk::Span) -> Vec<FileId> {
        let file = self.resolution.file(from);
        let written = name.of(&file.text);
        match file.language {
            Some(Language::Python) => {
                let path = written.replace('.', "/");
                let stem = written.rsplit('.').next().unwrap_or(written);
                let ends = [format!("{path}.py"), format!("{path}/__init__.py")];
                let is_it = |it: &&FileId| {
                    let own = self.resolution.snapshot.path(**it);
                    ends.iter().any(|end| own == end || own.ends_with(&format!("/{end}")))
                };
                self.stems
                    .get(stem)
                    .into_iter()
                    .flatten()
                    .filter(is_it)
                    .copied()
                    .take(MAX_WAYS)
                    .collect()
            }
            Some(Language::Php) => {
                let base = written.rsplit('/').next().unwrap_or(written);
                let path = written.trim_start_matches(['/', '.']);
                let files = self.stems.get(base).into_iter().flatten();
                let is_it = |it: &&FileId| self.resolution.snapshot.path(**it).ends_with(path);
                files.filter(is_it).copied().collect()
            }
            _ => self.resolution.module_in(&file, name).into_iter().collect(),
        }
    }
}
