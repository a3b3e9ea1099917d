//! What a walk saw and what it depended on, kept beside the index, so that a later process neither lists an unchanged
//! directory nor matches its names with rules again.
//!
//! The entries of a directory and their outcomes depend on the directory's own stamp (adding, removing or renaming an
//! entry changes it), on the ignore files and repositories at and above it, and on the settings. Where all are proven
//! unchanged ([`proves_unchanged`], with the same racy window as for files) the outcomes are taken from here. Files are
//! stamped again each time: writing into a file does not touch its directory.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use bitcode::{Decode, Encode};
use foreword_engine::source::ContentHash;

use super::WalkConfig;
use super::ignore_rules;
use crate::git::{self, Top};
use crate::root::{EntryType, Root, Status};
use crate::stamp::{Stamp, proves_unchanged, stamp_of};

/// A digest of the sources of the rules and of this format: a program with others starts anew.
const VERSION: u64 = {
    let sources: [&[u8]; 9] = [
        include_bytes!("directory.rs"),
        include_bytes!("exceptions.rs"),
        include_bytes!("ignore_files.rs"),
        include_bytes!("ignore_rules.rs"),
        include_bytes!("name_rules.rs"),
        include_bytes!("own_index.rs"),
        include_bytes!("recall.rs"),
        include_bytes!("record.rs"),
        include_bytes!("secret_names.rs"),
    ];
    let mut digest = 0xcbf2_9ce4_8422_2325_u64;
    let mut file = 0;
    while file < sources.len() {
        let mut at = 0;
        while at < sources[file].len() {
            digest = (digest ^ sources[file][at] as u64).wrapping_mul(0x100_0000_01b3);
            at += 1;
        }
        file += 1;
    }
    digest
};

/// The last walk of a view.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub(crate) struct WalkRecord {
    pub(super) surroundings: Surroundings,
    /// Sorted by path.
    pub(super) directories: Vec<DirectoryRecord>,
}

/// What the rules of a whole walk depend on.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub(super) struct Surroundings {
    /// Digest of the settings, the root and the user.
    settings: [u8; 16],
    /// The top of the work tree around the root.
    top: Option<Vec<u8>>,
    common_dir: Option<Vec<u8>>,
    /// The stamps of the global excludes, of git's own, and of the possible ignore files above the root, in this order.
    rules: Vec<Option<Stamp>>,
    /// The clock before the walk.
    at_ns: i64,
}

/// A directory, and what its outcomes depend on.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub(super) struct DirectoryRecord {
    /// Relative to the root, which is the empty string.
    pub(super) path: String,
    pub(super) stamp: Stamp,
    pub(super) device: u64,
    /// The clock before the walk that listed it.
    pub(super) at_ns: i64,
    pub(super) is_explicit: bool,
    pub(super) rules: DirectoryRules,
    /// The number of patterns of its ignore files.
    pub(super) patterns: u64,
    /// Of `CACHEDIR.TAG`, whose content counts.
    pub(super) tag: Option<Stamp>,
    pub(super) contents: Contents,
}

/// The rules in a directory, for everything below it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub(super) struct DirectoryRules {
    /// Sorted.
    pub(super) names: Vec<String>,
    /// The stamps of the files with these names, or of the files to which they link.
    stamps: Vec<Option<Stamp>>,
    /// Whether a repository below the root begins here.
    is_top: bool,
    common_dir: Option<Vec<u8>>,
    /// Of the repository's `info/exclude`.
    excludes: Option<Stamp>,
}

/// The outcomes of a directory's entries.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub(super) enum Contents {
    /// They depend on more than is recorded.
    Unknown,
    /// The directory is skipped for what is in it.
    Skipped(SkipRecord),
    Entered(Box<Outcomes>),
}

/// The entries with an outcome.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub(super) struct Outcomes {
    /// The names of the files, each followed by `/`.
    pub(super) files: String,
    /// The places of files that are included explicitly, and of those that are not masked.
    pub(super) explicit: Vec<u32>,
    pub(super) unmasked: Vec<u32>,
    /// Directories that are entered, and whether they are included explicitly.
    pub(super) directories: Vec<(String, bool)>,
    pub(super) skipped: Vec<(String, SkipRecord)>,
}

/// How a path was skipped: enough to state the reason again.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub(super) enum SkipRecord {
    SecretDirectory,
    SecretFile,
    /// The words of the rule.
    Vendored(String),
    Index,
    FileName,
    /// Where it leads may change without a trace here.
    Symlink,
    SpecialFile,
    NotUnicode,
}

impl WalkRecord {
    /// The record of a walk; directories that are as before are taken from the record before.
    pub(super) fn new(
        surroundings: Surroundings,
        records: Vec<RecordChange>,
        before: Option<&Self>,
    ) -> Self {
        let record = |it: RecordChange| match it {
            RecordChange::Nothing => None,
            RecordChange::Same(at) => before.map(|it| it.directories[at].clone()),
            RecordChange::New(it) => Some(*it),
        };
        let mut directories: Vec<_> = records.into_iter().filter_map(record).collect();
        directories.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        Self { surroundings, directories }
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        [&VERSION.to_le_bytes()[..], &bitcode::encode(self)].concat()
    }

    /// `None` for anything but a record of this program.
    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let (version, bytes) = bytes.split_first_chunk()?;
        if u64::from_le_bytes(*version) != VERSION {
            return None;
        }
        let res: Self = bitcode::decode(bytes).ok()?;
        res.directories.is_sorted_by(|a, b| a.path < b.path).then_some(res)
    }

    pub(super) fn directory(&self, path: &str) -> Option<(usize, &DirectoryRecord)> {
        let at = self.directories.binary_search_by(|it| it.path.as_str().cmp(path)).ok()?;
        Some((at, &self.directories[at]))
    }
}

/// The record of a directory.
pub(super) enum RecordChange {
    Nothing,
    /// The one at this place of the record before.
    Same(usize),
    New(Box<DirectoryRecord>),
}

impl Surroundings {
    /// The surroundings now. `at_ns` is the clock before the walk.
    pub(super) fn of(root: &Root, config: &WalkConfig, at_ns: i64) -> Self {
        let settings = format!(
            "{} {:?} {:?} {:?} {:?} {}",
            env!("CARGO_PKG_VERSION"),
            bytes_of(root.path()),
            config.global_excludes,
            config.rules,
            config.not_secret,
            user(),
        );
        let enclosing = root.enclosing();
        let top = enclosing.as_ref().map_or(root.path(), |it| &*it.top);
        let common_dir = enclosing.as_ref().and_then(|it| it.common_dir.as_deref());
        let above = root.path().ancestors().skip(1).take_while(|dir| dir.starts_with(top));
        let ignore_files =
            above.flat_map(|dir| ignore_rules::file_names().map(|name| dir.join(name)));
        let global = config.global_excludes.clone();
        let paths = global.into_iter().chain(common_dir.map(excludes_of)).chain(ignore_files);
        Self {
            settings: ContentHash::of(settings.as_bytes()).0,
            top: enclosing.as_ref().map(|it| bytes_of(&it.top)),
            common_dir: common_dir.map(bytes_of),
            rules: paths.map(|it| stamp(&it)).collect(),
            at_ns,
        }
    }

    /// Whether it is certain that nothing has changed; `self` is recorded.
    pub(super) fn proves(&self, now: &Self) -> bool {
        let mut rules = self.rules.iter().zip(&now.rules);
        (self.settings, &self.top, &self.common_dir, self.rules.len())
            == (now.settings, &now.top, &now.common_dir, now.rules.len())
            && rules.all(|(then, now)| is_proven(*then, *now, self.at_ns))
    }
}

impl DirectoryRecord {
    /// Whether it is certain that the entries are the same.
    pub(super) fn proves(&self, now: &Status) -> bool {
        now.kind == EntryType::Directory
            && now.stamp.inode != 0
            && now.device == self.device
            && proves_unchanged(&now.stamp, &self.stamp, self.at_ns)
    }

    /// Whether it can ever prove anything: its directory was old enough when it was listed.
    pub(super) fn is_useful(&self) -> bool {
        let Self { stamp, device, .. } = *self;
        self.contents != Contents::Unknown
            && self.proves(&Status { kind: EntryType::Directory, stamp, device })
    }
}

impl DirectoryRules {
    /// The rules of `dir` now, in entries with these names.
    pub(super) fn of(dir: &Path, names: &[String]) -> Self {
        // Most directories have none.
        if names.is_empty() {
            return Self::default();
        }
        let top = names.iter().any(|it| it == super::directory::DOT_GIT).then(|| git::top_at(dir));
        let top = top.flatten();
        let storage = |it: &Top| it.storage.as_ref().map(|it| it.common_dir.clone());
        let common_dir = top.as_ref().and_then(storage);
        Self {
            names: names.to_vec(),
            stamps: names.iter().map(|it| rule_stamp(dir, it)).collect(),
            is_top: top.is_some(),
            excludes: common_dir.as_deref().and_then(|it| stamp(&excludes_of(it))),
            common_dir: common_dir.as_deref().map(bytes_of),
        }
    }

    /// Whether it is certain that the rules are the same; `self` was recorded by a walk at `at_ns`.
    pub(super) fn proves(&self, now: &Self, at_ns: i64) -> bool {
        let mut stamps = self.stamps.iter().zip(&now.stamps);
        (&self.names, self.is_top, &self.common_dir, self.stamps.len())
            == (&now.names, now.is_top, &now.common_dir, now.stamps.len())
            && is_proven(self.excludes, now.excludes, at_ns)
            && stamps.all(|(then, now)| is_proven(*then, *now, at_ns))
    }
}

fn is_proven(then: Option<Stamp>, now: Option<Stamp>, at_ns: i64) -> bool {
    match (then, now) {
        (Some(then), Some(now)) => proves_unchanged(&now, &then, at_ns),
        (None, None) => true,
        _ => false,
    }
}

/// The stamp of an entry with rules. That of a `.git` directory changes with each commit and means nothing.
fn rule_stamp(dir: &Path, name: &str) -> Option<Stamp> {
    let path = dir.join(name);
    let metadata = fs::metadata(path).ok()?;
    let is_storage = name == super::directory::DOT_GIT && metadata.is_dir();
    (!is_storage).then(|| stamp_of(&metadata))
}

/// The stamp of the file at a path, or of the one to which it links.
fn stamp(path: &Path) -> Option<Stamp> {
    fs::metadata(path).ok().map(|it| stamp_of(&it))
}

fn excludes_of(common_dir: &Path) -> std::path::PathBuf {
    common_dir.join("info").join("exclude")
}

fn bytes_of(path: &Path) -> Vec<u8> {
    let text: &OsStr = path.as_os_str();
    text.as_encoded_bytes().to_vec()
}

/// Another user may be allowed to read other directories.
#[cfg(unix)]
fn user() -> u32 {
    rustix::process::geteuid().as_raw()
}

#[cfg(not(unix))]
fn user() -> u32 {
    0
}
