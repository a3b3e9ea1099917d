//! Who refers to what: files that use a name, the name, the definitions of it.
//!
//! A use is sure to mean a definition in a file that the using one imports. Of other uses only the name is known, and
//! half of those mean something of a library. Such names stay between the files that use them and those that define
//! them: the edges between files, their product, are never written down, so a name that everyone defines and everyone
//! uses costs no more than its occurrences.

use std::collections::BTreeMap;

use foreword_chunk::Language;
use rayon::prelude::*;

use super::read::{Read, Role, read, shares_directory};
use super::{MapConfig, MapRequest};
use crate::index::terms::terms_of;
use crate::index::{FileId, Prior, Snapshot};

/// A name shorter than this says little even if it has several words.
const COMPOUND_CHARS: usize = 8;

/// A file that sees more definitions of a name than this does not say which of them it means.
const MAX_SEEN: usize = 8;

/// In a repository of so few files it is no sign of anything that they all use a name.
const FEW_FILES: usize = 8;

/// What is known of the files before anything is ranked; by their numbers.
pub(super) struct Files {
    /// What a file's rank is multiplied by; 0 for files that are left out.
    pub(super) worth: Vec<f64>,
    /// Whether the focus names it, or a name that it defines.
    pub(super) in_focus: Vec<bool>,
    /// Languages that share names have the same number.
    families: Vec<u32>,
    /// Files in one directory have the same number.
    directories: Vec<u32>,
    /// The focus that is no path: names.
    names: Vec<String>,
    /// How many files are in.
    pub(super) total: usize,
}

impl Files {
    pub(super) fn new(snapshot: &Snapshot, request: &MapRequest<'_>) -> Self {
        let mut in_focus = vec![false; snapshot.files().len()];
        let mut names = Vec::new();
        for focus in request.focus {
            let at_path = files_at(snapshot, focus);
            if at_path.is_empty() {
                names.push(last_part(focus).to_owned());
            }
            for file in at_path {
                in_focus[file.0 as usize] = true;
            }
        }
        let worth: Vec<f64> = snapshot
            .files()
            .map(|file| {
                let is_kept = request.keep.is_none_or(|keep| keep(file));
                let prior = snapshot.prior(file);
                f64::from(u8::from(is_kept)) * worth_of(prior, in_focus[file.0 as usize])
            })
            .collect();
        for it in names.iter().flat_map(|name| snapshot.definitions(name)) {
            in_focus[it.file.0 as usize] |= worth[it.file.0 as usize] > 0.0;
        }
        let families = snapshot.files().map(|it| family_of(snapshot.language(it))).collect();
        let total = worth.iter().filter(|it| **it > 0.0).count();
        let directories = directories(snapshot);
        Self { worth, in_focus, families, directories, names, total }
    }

    fn is_in(&self, file: FileId) -> bool {
        self.worth[file.0 as usize] > 0.0
    }
}

fn directories(snapshot: &Snapshot) -> Vec<u32> {
    let mut known: BTreeMap<&str, u32> = BTreeMap::new();
    let directory = |file| snapshot.path(file).rsplit_once('/').map_or("", |it| it.0);
    let mut number = |it| {
        let next = known.len() as u32;
        *known.entry(it).or_insert(next)
    };
    snapshot.files().map(|it| number(directory(it))).collect()
}

/// The files that a path stands for: the file, those of the directory, or those with such an end of their path.
fn files_at(snapshot: &Snapshot, path: &str) -> Vec<FileId> {
    let path = path.strip_prefix("./").unwrap_or(path).trim_end_matches('/');
    if let Some(file) = snapshot.file(path) {
        return vec![file];
    }
    let under: Vec<FileId> = snapshot.files_under(&format!("{path}/")).collect();
    if !under.is_empty() || path.is_empty() {
        return under;
    }
    let end = format!("/{path}");
    snapshot.files().filter(|it| snapshot.path(*it).ends_with(&end)).collect()
}

/// The name that a dotted or `::`-separated one ends in.
fn last_part(name: &str) -> &str {
    name.rsplit(['.', ':', '#']).next().filter(|it| !it.is_empty()).unwrap_or(name)
}

fn worth_of(prior: Prior, in_focus: bool) -> f64 {
    match prior {
        _ if in_focus => 1.0,
        Prior::Code => 1.0,
        Prior::Gathering => 0.8,
        Prior::Periphery => 0.3,
        Prior::Test => 0.2,
        Prior::Prose | Prior::Data => 0.0,
    }
}

/// A name in one language means nothing in another, but for those that call each other by name.
fn family_of(language: Option<Language>) -> u32 {
    match language {
        Some(Language::JavaScript | Language::TypeScript | Language::Tsx) => 1,
        Some(Language::C | Language::Cpp) => 2,
        Some(Language::Java | Language::Kotlin | Language::Scala) => 3,
        other => 100 + other.map_or(0, |it| 1 + it as u32),
    }
}

/// One name in one family of languages.
pub(super) struct Link {
    /// Files and numbers of definitions, in order.
    pub(super) definitions: Vec<(FileId, u32)>,
    /// How many files these are in.
    pub(super) n_definers: usize,
    /// The uses of which it is known what they mean, in order of definer, then user.
    pub(super) sure: Vec<Sure>,
    /// The files elsewhere that use it otherwise, in order, with the weight of that.
    pub(super) users: Vec<(FileId, f64)>,
    /// Files that define and use it, likewise. It is their own that they mean.
    pub(super) own_users: Vec<(FileId, f64)>,
}

/// A use that means the definition in one file.
pub(super) struct Sure {
    pub(super) definer: FileId,
    pub(super) user: FileId,
    pub(super) weight: f64,
}

/// All names that are defined and used in the files.
pub(super) struct Graph {
    /// In order of name.
    pub(super) links: Vec<Link>,
    /// What was read of the files; by their numbers.
    pub(super) read: Vec<Read>,
    /// How many definitions there are that may be shown for their own sake.
    pub(super) n_definitions: usize,
}

impl Graph {
    pub(super) fn new(snapshot: &Snapshot, files: &Files, config: &MapConfig) -> Self {
        let is_in: Vec<bool> = files.worth.iter().map(|it| *it > 0.0).collect();
        let read = read(snapshot, &is_in);
        let names = snapshot.names_like(&fst::automaton::AlwaysMatch);
        let maker = Maker { snapshot, files, read: &read, config };
        let links: Vec<Vec<Link>> = names.par_iter().map(|name| maker.links(name)).collect();
        let roles = read.iter().flat_map(|it| &it.roles);
        let n_definitions = roles.filter(|it| **it != Role::Inner).count();
        Self { links: links.into_iter().flatten().collect(), read, n_definitions }
    }
}

/// Makes links.
struct Maker<'a> {
    snapshot: &'a Snapshot,
    files: &'a Files,
    read: &'a [Read],
    config: &'a MapConfig,
}

impl Maker<'_> {
    fn links(&self, name: &str) -> Vec<Link> {
        let family = |it: &(FileId, u32)| self.files.families[it.0.0 as usize];
        let definitions = self.snapshot.definitions(name).into_iter();
        let mut definitions: Vec<(FileId, u32)> = definitions
            .map(|it| (it.file, it.definition))
            .filter(|it| self.files.is_in(it.0))
            .collect();
        if definitions.is_empty() {
            return Vec::new();
        }
        let mut references = self.snapshot.references(name);
        references.retain(|it| self.files.is_in(it.0));
        if references.is_empty() {
            return Vec::new();
        }
        definitions.sort_by_key(family);
        let groups = definitions.chunk_by(|a, b| family(a) == family(b));
        let of_group = |group: &[(FileId, u32)]| {
            let users = references.iter().filter(|it| family(it) == family(&group[0])).copied();
            self.link(name, group, users)
        };
        groups.filter_map(of_group).collect()
    }

    fn link(
        &self,
        name: &str,
        group: &[(FileId, u32)],
        references: impl Iterator<Item = (FileId, u32)>,
    ) -> Option<Link> {
        let references: Vec<(FileId, u32)> = references.collect();
        let mut telling = self.telling(name) * self.rarity(references.len());
        let mut definitions = self.with_role(group, Role::Named);
        if definitions.is_empty() {
            definitions = self.with_role(group, Role::Data);
            telling *= self.config.data;
        }
        let definers: Vec<FileId> =
            definitions.chunk_by(|a, b| a.0 == b.0).map(|it| it[0].0).collect();
        let n_definers = definers.len();
        let mut res =
            Link { definitions, n_definers, sure: vec![], users: vec![], own_users: vec![] };
        for (user, n) in references {
            self.add(&mut res, &definers, user, telling * f64::from(n).sqrt());
        }
        res.sure.sort_by_key(|it| (it.definer, it.user));
        let is_used = !(res.sure.is_empty() && res.users.is_empty() && res.own_users.is_empty());
        (n_definers > 0 && is_used).then_some(res)
    }

    fn with_role(&self, group: &[(FileId, u32)], role: Role) -> Vec<(FileId, u32)> {
        let has = |it: &&(FileId, u32)| {
            self.read[it.0.0 as usize].roles.get(it.1 as usize) == Some(&role)
        };
        group.iter().filter(has).copied().collect()
    }

    /// Adds one user of a name.
    fn add(&self, link: &mut Link, definers: &[FileId], user: FileId, weight: f64) {
        if definers.binary_search(&user).is_ok() {
            link.own_users.push((user, weight));
            return;
        }
        let seen = self.seen(user, definers);
        if seen.is_empty() || seen.len() > MAX_SEEN {
            // What many files define says little about which of them is meant.
            let unsure = self.config.unsure / (definers.len() as f64).sqrt();
            link.users.push((user, weight * unsure));
            return;
        }
        let weight = weight / seen.len() as f64;
        link.sure.extend(seen.into_iter().map(|definer| Sure { definer, user, weight }));
    }

    /// Those of `definers` that `user` imports, or that lie beside it where that does.
    fn seen(&self, user: FileId, definers: &[FileId]) -> Vec<FileId> {
        let imports = &self.read[user.0 as usize].imports;
        let imported = imports.iter().filter(|it| definers.binary_search(it).is_ok()).copied();
        let imported: Vec<FileId> = imported.collect();
        if !imported.is_empty() || !shares_directory(self.snapshot.language(user)) {
            return imported;
        }
        let directory = |file: FileId| self.files.directories[file.0 as usize];
        definers.iter().copied().filter(|it| directory(*it) == directory(user)).collect()
    }

    /// What nearly every file uses is the language's, or is called as something of the language's is.
    fn rarity(&self, n_users: usize) -> f64 {
        let share = n_users as f64 / (self.files.total + FEW_FILES) as f64;
        (1.0 - share) * (1.0 - share)
    }

    /// How much a use of a name says.
    fn telling(&self, name: &str) -> f64 {
        let mut n_parts = 0;
        terms_of(name, &mut String::new(), |_, is_whole| n_parts += u32::from(!is_whole));
        let is_compound = n_parts > 1 && name.chars().count() >= COMPOUND_CHARS;
        let is_sought = self.files.names.iter().any(|it| it == name);
        let factors = [
            (name.starts_with('_'), self.config.private),
            (is_compound, self.config.compound),
            (is_sought, self.config.focus_name),
        ];
        factors.iter().filter(|it| it.0).map(|it| it.1).product()
    }
}
