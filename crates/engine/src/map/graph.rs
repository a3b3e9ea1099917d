//! The reference graph: names, the files that use them, and their definitions.
//!
//! A use resolves to a definition in a file that the using file imports. Of other uses only the name is known, and half
//! of those refer to a library. Such a name is a node between its users and its definers. The edges between files,
//! their product, are never materialised, so a name that every file defines and uses costs no more than its
//! occurrences.

use std::collections::BTreeMap;

use foreword_chunk::Language;
use rayon::prelude::*;

use super::read::{FileFacts, Role, component_name, read, shares_directory};
use super::types::{MapConfig, MapRequest};
use crate::index::terms::terms_of;
use crate::index::{FileId, FileRole, Snapshot};
use crate::preset::constants::map::{COMPOUND_CHARS, FEW_FILES, RANK_BY_ROLE, VISIBLE_DEFINITIONS};
use crate::source::directory_of;

/// The files before ranking; by their numbers.
pub(super) struct Files {
    /// The factor of a file's rank; 0 for excluded files.
    pub(super) worth: Vec<f64>,
    /// Whether the focus names it or a name that it defines.
    pub(super) in_focus: Vec<bool>,
    /// Whether the focus names any.
    pub(super) has_focus: bool,
    /// Languages that share names have the same number.
    families: Vec<u32>,
    /// Files in one directory have the same number.
    directories: Vec<u32>,
    /// The parts of the focus that are names and not paths.
    names: Vec<String>,
    /// The number of included files.
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
                match in_focus[file.0 as usize] {
                    _ if !is_kept => 0.0,
                    true => 1.0,
                    false => by_role(snapshot.role(file), RANK_BY_ROLE),
                }
            })
            .collect();
        for it in names.iter().flat_map(|name| snapshot.definitions(name)) {
            in_focus[it.file.0 as usize] |= worth[it.file.0 as usize] > 0.0;
        }
        let families = snapshot.files().map(|it| family_of(snapshot.language(it))).collect();
        let total = worth.iter().filter(|it| **it > 0.0).count();
        let directories = directories(snapshot);
        let has_focus = in_focus.contains(&true);
        Self { worth, in_focus, has_focus, families, directories, names, total }
    }

    fn is_included(&self, file: FileId) -> bool {
        self.worth[file.0 as usize] > 0.0
    }
}

fn directories(snapshot: &Snapshot) -> Vec<u32> {
    let mut known: BTreeMap<&str, u32> = BTreeMap::new();
    let directory = |file| directory_of(snapshot.path(file));
    let mut number = |it| {
        let next = known.len() as u32;
        *known.entry(it).or_insert(next)
    };
    snapshot.files().map(|it| number(directory(it))).collect()
}

/// The files that a path means: the file, those in the directory, or those whose path ends with it.
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

/// The last part of a dotted or `::`-separated name.
fn last_part(name: &str) -> &str {
    name.rsplit(['.', ':', '#']).next().filter(|it| !it.is_empty()).unwrap_or(name)
}

/// The weight of a role in a table of `preset/constants/map.rs`; 0 for documents and data.
pub(super) fn by_role(
    role: FileRole,
    [code, gathering, periphery, test, third_party]: [f64; 5],
) -> f64 {
    match role {
        FileRole::Code => code,
        FileRole::Gathering => gathering,
        FileRole::Periphery => periphery,
        FileRole::Test => test,
        FileRole::ThirdParty => third_party,
        FileRole::Prose | FileRole::Data => 0.0,
    }
}

/// Names are shared only between languages that call each other by name.
fn family_of(language: Option<Language>) -> u32 {
    match language.map(Language::of_code) {
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
    /// The number of files that define it.
    pub(super) n_definers: usize,
    /// The uses that resolve to a definition, in order of definer, then user.
    pub(super) resolved: Vec<ResolvedUse>,
    /// Other files that use it without resolving, sorted, with the weight of the use.
    pub(super) unresolved: Vec<(FileId, f64)>,
}

/// A use that resolves to the definition in one file.
pub(super) struct ResolvedUse {
    pub(super) definer: FileId,
    pub(super) user: FileId,
    pub(super) weight: f64,
}

/// All names that are defined and used in the files.
pub(super) struct Graph {
    /// In order of name.
    pub(super) links: Vec<Link>,
    /// Facts about the files; by their numbers.
    pub(super) read: Vec<FileFacts>,
    /// Number of definitions that may be shown on their own.
    pub(super) n_definitions: usize,
}

impl Graph {
    pub(super) fn new(snapshot: &Snapshot, files: &Files, config: &MapConfig) -> Self {
        let is_in: Vec<bool> = files.worth.iter().map(|it| *it > 0.0).collect();
        let read = read(snapshot, &is_in);
        let names = snapshot.names_like("", &fst::automaton::AlwaysMatch, &|_| true);
        let components = components(snapshot, &read);
        let builder = LinkBuilder { snapshot, files, read: &read, components, config };
        let links: Vec<Vec<Link>> = names.par_iter().map(|name| builder.links(name)).collect();
        let roles = read.iter().flat_map(|it| &it.roles);
        let n_definitions = roles.filter(|it| **it != Role::Inner).count();
        Self { links: links.into_iter().flatten().collect(), read, n_definitions }
    }
}

/// The components by their names, each with the number after its file's definitions.
fn components<'a>(
    snapshot: &'a Snapshot,
    read: &[FileFacts],
) -> BTreeMap<&'a str, Vec<(FileId, u32)>> {
    let mut res: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (file, facts) in snapshot.files().zip(read).filter(|it| !it.1.roles.is_empty()) {
        if let Some(name) = component_name(snapshot, file) {
            res.entry(name).or_default().push((file, facts.roles.len() as u32 - 1));
        }
    }
    res
}

/// Builds the links.
struct LinkBuilder<'a> {
    snapshot: &'a Snapshot,
    files: &'a Files,
    read: &'a [FileFacts],
    components: BTreeMap<&'a str, Vec<(FileId, u32)>>,
    config: &'a MapConfig,
}

impl LinkBuilder<'_> {
    fn links(&self, name: &str) -> Vec<Link> {
        let family = |it: &(FileId, u32)| self.files.families[it.0.0 as usize];
        let definitions = self.snapshot.definitions(name).into_iter();
        let mut definitions: Vec<(FileId, u32)> = definitions
            .map(|it| (it.file, it.definition))
            .filter(|it| self.files.is_included(it.0))
            .collect();
        definitions.extend(self.components.get(name).into_iter().flatten());
        if definitions.is_empty() {
            return Vec::new();
        }
        let mut references = self.snapshot.references(name);
        references.retain(|it| self.files.is_included(it.0));
        if references.is_empty() {
            return Vec::new();
        }
        definitions.sort_by_key(|it| (family(it), *it));
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
        let mut specificity = self.specificity(name) * self.rarity(references.len());
        let mut definitions = self.with_role(group, Role::Primary);
        if definitions.is_empty() {
            definitions = self.with_role(group, Role::Data);
            specificity *= self.config.data;
        }
        let definers: Vec<FileId> =
            definitions.chunk_by(|a, b| a.0 == b.0).map(|it| it[0].0).collect();
        let n_definers = definers.len();
        let definers = Definers::new(definers, &self.files.directories);
        let mut res = Link { definitions, n_definers, resolved: vec![], unresolved: vec![] };
        for (user, n) in references {
            self.add(&mut res, &definers, user, specificity * f64::from(n).sqrt());
        }
        res.resolved.sort_by_key(|it| (it.definer, it.user));
        let is_used = !(res.resolved.is_empty() && res.unresolved.is_empty());
        (n_definers > 0 && is_used).then_some(res)
    }

    fn with_role(&self, group: &[(FileId, u32)], role: Role) -> Vec<(FileId, u32)> {
        let has = |it: &&(FileId, u32)| {
            self.read[it.0.0 as usize].roles.get(it.1 as usize) == Some(&role)
        };
        group.iter().filter(has).copied().collect()
    }

    /// Adds one user of a name.
    fn add(&self, link: &mut Link, definers: &Definers, user: FileId, weight: f64) {
        // A file that uses its own name means its own definition.
        if definers.files.binary_search(&user).is_ok() {
            return;
        }
        let visible = self.visible(user, definers);
        if visible.is_empty() || visible.len() > VISIBLE_DEFINITIONS {
            // With many definers it is uncertain which of them is meant.
            let unsure = self.config.unsure / (definers.files.len() as f64).sqrt();
            link.unresolved.push((user, weight * unsure));
            return;
        }
        let weight = weight / visible.len() as f64;
        link.resolved.extend(visible.into_iter().map(|definer| ResolvedUse {
            definer,
            user,
            weight,
        }));
    }

    /// Those of `definers` that `user` imports, or that share its directory in languages where that suffices; of more
    /// than [`VISIBLE_DEFINITIONS`] some.
    fn visible(&self, user: FileId, definers: &Definers) -> Vec<FileId> {
        let imports = &self.read[user.0 as usize].imports[..];
        let (few, many) = match imports.len() < definers.files.len() {
            true => (imports, &definers.files[..]),
            false => (&definers.files[..], imports),
        };
        let imported = few.iter().filter(|it| many.binary_search(it).is_ok()).copied();
        let imported: Vec<FileId> = imported.take(VISIBLE_DEFINITIONS + 1).collect();
        if !imported.is_empty() || !shares_directory(self.snapshot.language(user)) {
            return imported;
        }
        let directory = self.files.directories[user.0 as usize];
        definers.in_directory(directory).take(VISIBLE_DEFINITIONS + 1).collect()
    }

    /// A name that nearly every file uses belongs to the language, or looks like one that does.
    fn rarity(&self, n_users: usize) -> f64 {
        let share = n_users as f64 / (self.files.total + FEW_FILES) as f64;
        (1.0 - share) * (1.0 - share)
    }

    /// How specific a name is.
    fn specificity(&self, name: &str) -> f64 {
        let mut n_parts = 0;
        terms_of(name, &mut String::new(), |_, is_whole| n_parts += u32::from(!is_whole));
        let is_compound = n_parts > 1 && name.chars().count() >= COMPOUND_CHARS;
        let is_in_focus = self.files.names.iter().any(|it| it == name);
        let factors = [
            (name.starts_with('_'), self.config.private),
            (is_compound, self.config.compound),
            (is_in_focus, self.config.focus_name),
        ];
        factors.iter().filter(|it| it.0).map(|it| it.1).product()
    }
}

/// The files that define a name.
struct Definers {
    /// Sorted.
    files: Vec<FileId>,
    /// With the numbers of their directories, sorted by these.
    by_directory: Vec<(u32, FileId)>,
}

impl Definers {
    fn new(files: Vec<FileId>, directories: &[u32]) -> Self {
        let numbered = |file: &FileId| (directories[file.0 as usize], *file);
        let mut by_directory: Vec<(u32, FileId)> = files.iter().map(numbered).collect();
        by_directory.sort_unstable();
        Self { files, by_directory }
    }

    fn in_directory(&self, directory: u32) -> impl Iterator<Item = FileId> + use<'_> {
        let start = self.by_directory.partition_point(|it| it.0 < directory);
        self.by_directory[start..].iter().take_while(move |it| it.0 == directory).map(|it| it.1)
    }
}
