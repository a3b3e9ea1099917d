//! The status of an index: indexed files, excluded files with reasons, and changes since.

use std::sync::atomic::AtomicBool;

use foreword_chunk::ParseOutcome;
use foreword_engine::index::{Manifest, Snapshot, Store};
use foreword_engine::sorting::{sort_by, sort_by_key};
use foreword_load::{SkippedPath, Workspace, walk_until};
use serde::Serialize;

use super::next::git_note;
use super::symbols::precise::{Coverage, coverage};
use crate::setup::Setup;

/// The status of a repository's index, as `status --json` prints it (docs/json.md).
#[derive(Serialize)]
pub struct Status {
    /// Version of these fields.
    pub version: u32,
    /// The root of the workspace.
    pub root: String,
    /// The name of the repository.
    pub repository: String,
    /// The state of the checkout, in a git repository.
    pub git: Option<Git>,
    /// The index directory.
    pub index: String,
    /// Size of the index on disk.
    pub index_bytes: u64,
    /// Whether there is an index.
    pub indexed: bool,
    /// Whether the last indexing run finished.
    pub complete: bool,
    /// The id of the snapshot.
    pub snapshot: Option<String>,
    /// Number of indexed files.
    pub files: u32,
    /// Number of chunks.
    pub chunks: u32,
    /// Number of lines.
    pub lines: u64,
    /// Bytes of text.
    pub bytes: u64,
    /// Number of segments.
    pub segments: usize,
    /// Number of writes to the index so far.
    pub generation: u64,
    /// Files that differ on disk; the next query indexes them.
    pub stale: Stale,
    /// Files by language, most first.
    pub languages: Vec<LanguageCount>,
    /// Files in languages with a grammar that have no syntax tree, by reason.
    pub unparsed: Vec<UnparsedFiles>,
    /// Numbers of excluded paths, by reason.
    pub left_out: Vec<ReasonCount>,
    /// Suspected secrets in indexed files; no answer shows them.
    pub masked: SecretCount,
    /// The SCIP indexes that describe files, with how many of these have the described text.
    pub precise: Vec<Coverage>,
    /// Every excluded path, if a list was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ignored: Option<Vec<ExcludedPath>>,
    /// Damage found when the index was opened.
    #[serde(skip)]
    pub damage: Vec<String>,
    /// Why git's data are not read, or only in part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub git_note: Option<String>,
}

/// The state of the repository's checkout.
#[derive(Serialize)]
pub struct Git {
    /// The branch; `None` if detached.
    pub branch: Option<String>,
    /// The commit.
    pub head: Option<String>,
    /// Whether it is a linked worktree.
    pub worktree: bool,
    /// Whether it is a submodule.
    pub submodule: bool,
}

/// Numbers of files that differ between the disk and the index.
#[derive(Serialize, Default)]
pub struct Stale {
    /// Changed since they were indexed.
    pub changed: usize,
    /// Not indexed yet.
    pub added: usize,
    /// Indexed, but gone.
    pub removed: usize,
}

/// Number of indexed files of a language.
#[derive(Serialize)]
pub struct LanguageCount {
    /// The name of the language, or `other`.
    pub language: &'static str,
    /// Number of files.
    pub files: usize,
}

/// Files without a syntax tree for one reason; only lexical search finds them.
#[derive(Serialize)]
pub struct UnparsedFiles {
    /// The reason, as a code.
    pub code: &'static str,
    /// Number of files.
    pub files: usize,
    /// The first paths.
    pub paths: Vec<String>,
}

/// Number of paths excluded for one reason.
#[derive(Serialize)]
pub struct ReasonCount {
    /// The reason as a code, for programs.
    pub code: String,
    /// Number of paths.
    pub paths: usize,
}

/// Secrets in files that are indexed.
#[derive(Clone, Copy, Serialize, Default)]
pub struct SecretCount {
    /// Number of files.
    pub files: usize,
    /// Number of masked places.
    pub places: u32,
}

/// A path that is not indexed.
#[derive(Serialize)]
pub struct ExcludedPath {
    /// The file, relative to the root.
    pub path: String,
    /// The reason as a code, for programs.
    pub code: String,
    /// The reason in words.
    pub reason: String,
}

/// Maximum number of paths in [`UnparsedFiles`].
const MAX_UNPARSED_PATHS: usize = 10;

/// Listing of excluded paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listing {
    /// Counts only, without paths excluded by ignore files.
    Counts,
    /// All of them.
    All,
}

/// Compares the disk with the index without updating it.
pub fn status(
    setup: &Setup,
    workspace: &Workspace,
    store: &Store,
    listing: Listing,
) -> anyhow::Result<Status> {
    let mut config = setup.walk.clone();
    config.record_ignored = listing == Listing::All;
    let walk = walk_until(&workspace.open()?, &config, &AtomicBool::new(false))?;
    let stored = foreword_load::open_as_is(workspace, store);
    let damage = stored.as_ref().map(|it| it.damage.clone()).unwrap_or_default();
    let (manifest, snapshot) = stored.map(|it| (it.manifest, it.snapshot)).unzip();
    let excluded = excluded(&walk.skipped, manifest.as_ref());
    let totals = snapshot.as_ref().map(Snapshot::totals).unwrap_or_default();
    Ok(Status {
        version: 1,
        root: workspace.root.display().to_string(),
        repository: workspace.name.clone(),
        git: workspace.git.as_ref().map(git),
        index: store.dir().display().to_string(),
        index_bytes: store.size_on_disk(),
        indexed: manifest.is_some(),
        complete: snapshot.as_ref().is_some_and(Snapshot::is_complete),
        snapshot: snapshot.as_ref().map(|it| it.id().to_owned()),
        files: totals.files,
        chunks: totals.chunks,
        lines: totals.lines,
        bytes: totals.bytes,
        segments: manifest.as_ref().map_or(0, |it| it.segments.len()),
        generation: manifest.as_ref().map_or(0, |it| it.generation),
        stale: stale(manifest.as_ref(), &walk),
        languages: snapshot.as_ref().map(languages).unwrap_or_default(),
        unparsed: snapshot.as_ref().map(unparsed).unwrap_or_default(),
        left_out: counts(&excluded),
        precise: snapshot.as_ref().map(coverage).unwrap_or_default(),
        masked: manifest.as_ref().map(masked).unwrap_or_default(),
        ignored: (listing == Listing::All).then_some(excluded),
        damage,
        git_note: foreword_load::git_problem(workspace).as_ref().map(git_note),
    })
}

fn git(it: &foreword_load::Git) -> Git {
    Git {
        branch: it.branch.clone(),
        head: it.head.clone(),
        worktree: it.is_worktree,
        submodule: it.is_submodule,
    }
}

/// Paths excluded by the walk or on reading, sorted.
fn excluded(walked: &[SkippedPath], manifest: Option<&Manifest>) -> Vec<ExcludedPath> {
    let walked = walked.iter().map(|it| ExcludedPath {
        path: it.path.clone(),
        code: it.reason.code().to_owned(),
        reason: it.reason.to_string(),
    });
    let read = manifest.into_iter().flat_map(|it| &it.skipped).map(|it| ExcludedPath {
        path: it.path.clone(),
        code: it.code.clone(),
        reason: it.reason.clone(),
    });
    let mut res: Vec<ExcludedPath> = walked.chain(read).collect();
    sort_by(&mut res, |a, b| a.path.cmp(&b.path));
    res
}

fn masked(manifest: &Manifest) -> SecretCount {
    let masked = || manifest.files.iter().map(|it| it.masked).filter(|it| *it > 0);
    SecretCount { files: masked().count(), places: masked().sum() }
}

/// Numbers of excluded paths, by reason.
pub fn counts(excluded: &[ExcludedPath]) -> Vec<ReasonCount> {
    let mut codes: Vec<&str> = excluded.iter().map(|it| it.code.as_str()).collect();
    codes.sort_unstable();
    let groups = codes.chunk_by(|a, b| a == b);
    groups.map(|it| ReasonCount { code: it[0].to_owned(), paths: it.len() }).collect()
}

fn stale(manifest: Option<&Manifest>, walk: &foreword_load::Walk) -> Stale {
    let Some(manifest) = manifest else {
        return Stale { added: walk.files.len(), ..Stale::default() };
    };
    let mut res = Stale::default();
    let mut known = 0;
    for file in &walk.files {
        match manifest.file(&file.path) {
            Some(it) => {
                known += 1;
                let same =
                    (it.stamp.size, it.stamp.mtime_ns) == (file.stamp.size, file.stamp.mtime_ns);
                res.changed += usize::from(!same);
            }
            None => {
                let excluded = manifest.skipped.iter().any(|it| it.path == file.path);
                res.added += usize::from(!excluded);
            }
        }
    }
    res.removed = manifest.files.len() - known;
    res
}

fn languages(snapshot: &Snapshot) -> Vec<LanguageCount> {
    let mut names: Vec<&'static str> = snapshot
        .files()
        .map(|it| snapshot.language(it).map_or("other", foreword_chunk::Language::name))
        .collect();
    names.sort_unstable();
    let groups = names.chunk_by(|a, b| a == b);
    let mut res: Vec<LanguageCount> =
        groups.map(|it| LanguageCount { language: it[0], files: it.len() }).collect();
    sort_by_key(&mut res, |it| (std::cmp::Reverse(it.files), it.language));
    res
}

/// Files in languages with a grammar that have no syntax tree, by reason.
pub fn unparsed(snapshot: &Snapshot) -> Vec<UnparsedFiles> {
    let groups = ParseOutcome::ALL.into_iter().map(|outcome| {
        let files = snapshot.files().filter(|it| snapshot.outcome(*it) == outcome);
        let files: Vec<_> = files.filter(|it| snapshot.language(*it).is_some()).collect();
        let paths = files.iter().take(MAX_UNPARSED_PATHS);
        UnparsedFiles {
            code: outcome.code(),
            files: files.len(),
            paths: paths.map(|it| snapshot.path(*it).to_owned()).collect(),
        }
    });
    groups.filter(|it| it.files > 0 && it.code != ParseOutcome::Parsed.code()).collect()
}

/// Maximum number of paths in a note.
const MAX_NOTED_PATHS: usize = 3;

/// A sentence about files without a syntax tree, by reason; `None` if every file has one.
pub fn unparsed_note(snapshot: &Snapshot) -> Option<String> {
    let mut unparsed = unparsed(snapshot);
    // A build without a grammar; `foreword doctor` names those.
    unparsed.retain(|it| it.code != ParseOutcome::NoGrammar.code());
    let files = match unparsed.iter().map(|it| it.files).sum() {
        0 => return None,
        1 => "1 file has".to_owned(),
        n => format!("{n} files have"),
    };
    let group = |it: &UnparsedFiles| {
        let paths = it.paths.iter().take(MAX_NOTED_PATHS).map(String::as_str);
        let more = if it.files > MAX_NOTED_PATHS { ", …" } else { "" };
        format!("{} {} ({}{more})", it.files, it.code, paths.collect::<Vec<_>>().join(", "))
    };
    let groups: Vec<String> = unparsed.iter().map(group).collect();
    Some(format!(
        "{files} no syntax tree, so that symbols are guessed by lines: {}",
        groups.join(", ")
    ))
}
