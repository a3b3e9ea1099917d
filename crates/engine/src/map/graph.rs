//! Who refers to what: files that use a name, the name, the definitions of it.
//!
//! Names stay between the files that use them and those that define them: the edges between files, their product, are
//! never written down, so a name that everyone defines and everyone uses costs no more than its occurrences.

use foreword_chunk::Language;
use rayon::prelude::*;

use super::{MapConfig, MapRequest};
use crate::index::terms::terms_of;
use crate::index::{FileId, Snapshot};
use crate::rerank::{Prior, prior_of};

/// A name shorter than this says little even if it has several words.
const COMPOUND_CHARS: usize = 8;

/// What is known of the files before anything is ranked; by their numbers.
pub(super) struct Files {
    /// What a file's rank is multiplied by; 0 for files that are left out.
    pub(super) worth: Vec<f64>,
    /// Whether the focus names it, or a name that it defines.
    pub(super) in_focus: Vec<bool>,
    /// Languages that share names have the same number.
    families: Vec<u32>,
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
                let prior = prior_of(snapshot.path(file), snapshot.language(file));
                f64::from(u8::from(is_kept)) * worth_of(prior, in_focus[file.0 as usize])
            })
            .collect();
        for (file, _) in names.iter().flat_map(|name| snapshot.definitions(name)) {
            in_focus[file.0 as usize] |= worth[file.0 as usize] > 0.0;
        }
        let families = snapshot.files().map(|it| family_of(snapshot.language(it))).collect();
        let total = worth.iter().filter(|it| **it > 0.0).count();
        Self { worth, in_focus, families, names, total }
    }

    fn is_in(&self, file: FileId) -> bool {
        self.worth[file.0 as usize] > 0.0
    }
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
    /// The files elsewhere that use it, in order, with the weight of that.
    pub(super) users: Vec<(FileId, f64)>,
    /// Files that define and use it, likewise. It is their own that they mean.
    pub(super) own_users: Vec<(FileId, f64)>,
}

/// All names that are defined in the files.
pub(super) struct Graph {
    /// In order of name.
    pub(super) links: Vec<Link>,
    /// How many definitions there are.
    pub(super) n_definitions: usize,
}

impl Graph {
    pub(super) fn new(snapshot: &Snapshot, files: &Files, config: &MapConfig) -> Self {
        let names = snapshot.names_like(&fst::automaton::AlwaysMatch);
        let links: Vec<Vec<Link>> =
            names.par_iter().map(|name| links_of(snapshot, files, name, config)).collect();
        let links: Vec<Link> = links.into_iter().flatten().collect();
        let n_definitions = links.iter().map(|it| it.definitions.len()).sum();
        Self { links, n_definitions }
    }
}

fn links_of(snapshot: &Snapshot, files: &Files, name: &str, config: &MapConfig) -> Vec<Link> {
    let family = |it: &(FileId, u32)| files.families[it.0.0 as usize];
    let mut definitions = snapshot.definitions(name);
    definitions.retain(|it| files.is_in(it.0));
    if definitions.is_empty() {
        return Vec::new();
    }
    let mut references = snapshot.references(name);
    references.retain(|it| files.is_in(it.0));
    let is_sought = files.names.iter().any(|it| it == name);
    let telling = telling(name, config) * if is_sought { config.focus_name } else { 1.0 };
    definitions.sort_by_key(family);
    let of_family = |group: &[(FileId, u32)]| {
        let users = references.iter().filter(|it| family(it) == family(&group[0])).copied();
        link(group.to_vec(), users, telling)
    };
    definitions.chunk_by(|a, b| family(a) == family(b)).map(of_family).collect()
}

fn link(
    definitions: Vec<(FileId, u32)>,
    references: impl Iterator<Item = (FileId, u32)>,
    telling: f64,
) -> Link {
    let n_definers = definitions.chunk_by(|a, b| a.0 == b.0).count();
    // What many files define says little about which of them is meant.
    let telling = telling / (n_definers as f64).sqrt();
    let weighted = references.map(|(file, n)| (file, telling * f64::from(n).sqrt()));
    let defines = |file: FileId| definitions.binary_search_by_key(&file, |it| it.0).is_ok();
    let (own_users, users) = weighted.partition(|it| defines(it.0));
    Link { definitions, n_definers, users, own_users }
}

/// How much a use of a name says.
fn telling(name: &str, config: &MapConfig) -> f64 {
    let mut n_parts = 0;
    terms_of(name, &mut String::new(), |_, is_whole| n_parts += u32::from(!is_whole));
    let is_compound = n_parts > 1 && name.chars().count() >= COMPOUND_CHARS;
    let private = if name.starts_with('_') { config.private } else { 1.0 };
    private * if is_compound { config.compound } else { 1.0 }
}
