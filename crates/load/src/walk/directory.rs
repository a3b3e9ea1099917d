//! Processes one directory: its listing, the ignore files that apply, and the outcome for each entry.
//!
//! The walk and [`explain`](crate::explain) share this code, so that an explanation matches the walk.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::entries::{EntryKind, FileEntry, Inclusion, WalkConfig};
use super::exceptions::Exceptions;
use super::ignore_files;
use super::ignore_rules::{self, Stack, Verdict};
use super::{name_rules, own_index, secret_names};
use crate::error::LoadError;
use crate::git;
use crate::index_path::{self, join};
use crate::root::{Entry, EntryType, Listing, Root, Status, is_too_many_open};
use crate::skip::SkipReason;

/// State shared by all directories of a walk.
pub(crate) struct Tree<'a> {
    /// The root (canonical), open.
    pub(crate) root: &'a Root,
    /// Exceptions from the rules for secrets.
    not_secret: Exceptions,
    /// Whether routine reasons are recorded.
    record_ignored: bool,
    cancel: &'a AtomicBool,
    /// The number of patterns of the ignore files so far.
    patterns: AtomicU64,
    /// The error that ended the walk: too many open files, or too many patterns.
    failure: Mutex<Option<LoadError>>,
}

/// Maximum number of patterns of all ignore files below the root. The order in which directories are read differs, so
/// the walk is complete or fails.
const MAX_PATTERNS: u64 = 200_000;

/// The storage of a repository, or the file that names it.
pub(super) const DOT_GIT: &str = ".git";

/// A directory to read.
pub(crate) struct PendingDirectory {
    pub(crate) path: PathBuf,
    /// The path relative to the root; empty for the root.
    pub(crate) relative: String,
    stack: Stack,
    /// Explicitly included directories are not checked for vendored contents.
    pub(super) inclusion: Inclusion,
}

/// A directory after reading.
pub(crate) struct Directory {
    pub(super) pending: PendingDirectory,
    listing: Listing,
    /// Its metadata before it was listed; `None` for a commit's.
    pub(super) status: Option<Status>,
    entries: Vec<Entry>,
    /// The ignore files, and `.git` of a repository below the root.
    pub(super) rule_names: Vec<String>,
    /// The number of patterns of the ignore files.
    pub(super) patterns: u64,
}

/// The outcome for an entry.
pub(crate) enum Outcome {
    File(FileEntry),
    /// A directory to enter.
    Enter(PendingDirectory),
    /// Skipped, with a recorded reason.
    Skip(SkipReason),
    /// Skipped for a routine reason that is not recorded.
    Nothing,
}

impl<'a> Tree<'a> {
    pub(crate) fn new(root: &'a Root, config: &WalkConfig, cancel: &'a AtomicBool) -> Self {
        let not_secret = Exceptions::new(root.path(), config);
        let record_ignored = config.record_ignored;
        let (patterns, failure) = (AtomicU64::new(0), Mutex::default());
        Self { root, not_secret, record_ignored, cancel, patterns, failure }
    }

    /// The root, with the ignore files of the directories between it and the top of its work tree.
    pub(crate) fn start(&self, config: &WalkConfig) -> PendingDirectory {
        let root = self.root.path();
        let enclosing = self.root.enclosing();
        let top_dir = enclosing.as_ref().map_or(root, |it| &*it.top);
        let mut stack = Stack::new(top_dir, root, &config.rules, config.global_excludes.as_deref());
        if let Some(it) = &enclosing {
            stack.enter_repository(top_dir, it.common_dir.as_deref(), root);
        }
        let between = root.ancestors().skip(1).take_while(|dir| dir.starts_with(top_dir));
        let between: Vec<&Path> = between.collect();
        for dir in between.into_iter().rev() {
            stack.enter(dir, |name| ignore_files::above(self.root, &dir.join(name)));
        }
        // An explicitly named root is included whatever it contains.
        let (path, inclusion) = (root.to_path_buf(), Inclusion::Explicit);
        PendingDirectory { path, relative: String::new(), stack, inclusion }
    }

    /// The name of a directory.
    pub(super) fn name_of<'s>(&'s self, relative: &'s str) -> &'s str {
        match relative.rsplit('/').next() {
            Some("") | None => {
                self.root.path().file_name().and_then(|it| it.to_str()).unwrap_or_default()
            }
            Some(name) => name,
        }
    }

    /// Whether the caller cancelled the walk, or an error ended it.
    pub(crate) fn is_stopped(&self) -> bool {
        self.cancel.load(Ordering::Relaxed) || self.failure().is_some()
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// Takes the error that ended the walk.
    pub(crate) fn take_failure(&self) -> Option<LoadError> {
        self.failure().take()
    }

    /// Records an error that invalidates all results: without handles, directories would seem unreadable.
    pub(super) fn note(&self, error: io::Error) {
        if is_too_many_open(&error) {
            self.failure().get_or_insert(LoadError::from_io(self.root.path(), error));
        }
    }

    /// Counts patterns of ignore files.
    pub(super) fn count_patterns(&self, more: u64) {
        if self.patterns.fetch_add(more, Ordering::Relaxed) + more > MAX_PATTERNS {
            let path = self.root.path().to_owned();
            self.failure().get_or_insert(LoadError::TooManyPatterns { path, most: MAX_PATTERNS });
        }
    }

    fn failure(&self) -> std::sync::MutexGuard<'_, Option<LoadError>> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether an entry with this name has rules for its directory: an ignore file, or the repository of a directory below
/// the root.
fn is_rule_name(directory: &str, name: &str) -> bool {
    ignore_rules::is_ignore_file(name) || (name == DOT_GIT && !directory.is_empty())
}

impl PendingDirectory {
    /// A directory with the rules of those above it.
    pub(super) fn new(tree: &Tree<'_>, relative: &str, stack: Stack, inclusion: Inclusion) -> Self {
        let path = tree.root.path().join(relative);
        Self { path, relative: relative.to_owned(), stack, inclusion }
    }

    /// The rules of the directory, or of those above it before [`enter_rules`](Self::enter_rules).
    pub(super) fn into_stack(self) -> Stack {
        self.stack
    }

    /// Adds the rules of these entries, and returns the number of their patterns.
    pub(super) fn enter_rules(&mut self, tree: &Tree<'_>, names: &[String]) -> u64 {
        let Self { path, relative, stack, .. } = self;
        let has = |name: &str| names.iter().any(|it| it == name);
        if let Some(top) = has(DOT_GIT).then(|| git::top_at(path)).flatten() {
            let common_dir = top.storage.as_ref().map(|storage| &*storage.common_dir);
            stack.enter_repository(path, common_dir, tree.root.path());
        }
        if names.is_empty() {
            return 0;
        }
        let read = |name: &str| {
            let read = || ignore_files::below(tree.root, &join(relative, name), |it| tree.note(it));
            has(name).then(read).flatten()
        };
        stack.enter(path, read)
    }
}

impl Directory {
    /// Reads the listing and the ignore files.
    pub(crate) fn read(tree: &Tree<'_>, mut pending: PendingDirectory) -> io::Result<Self> {
        let mut listing = tree.root.directory(&pending.relative)?;
        // Before the entries: what changes meanwhile is younger than this.
        let status = listing.status().ok();
        let entries = listing.entries()?;
        // All names of interest here begin with a dot; others are not looked at a second time.
        let is_dotted = |it: &&Entry| it.name.as_encoded_bytes().starts_with(b".");
        let dotted = entries.iter().filter(is_dotted);
        let names = dotted.filter_map(|it| it.name.to_str());
        let mut rule_names: Vec<String> =
            names.filter(|it| is_rule_name(&pending.relative, it)).map(str::to_owned).collect();
        rule_names.sort_unstable();
        let patterns = pending.enter_rules(tree, &rule_names);
        tree.count_patterns(patterns);
        Ok(Self { pending, listing, status, entries, rule_names, patterns })
    }

    /// The reason to skip the whole directory, by its contents.
    pub(crate) fn skipped(&self, tree: &Tree<'_>) -> Option<SkipReason> {
        let is_root = self.pending.relative.is_empty();
        if !is_root && own_index::is_index(tree.root, &self.pending.relative, |it| self.has(it)) {
            return Some(SkipReason::Index);
        }
        if self.pending.inclusion == Inclusion::Explicit {
            return None;
        }
        let is_vendor = self.pending.path.file_name() == Some(OsStr::new("vendor"));
        let rule = if self.has("pyvenv.cfg") {
            name_rules::ENVIRONMENT
        } else if self.has("conda-meta") {
            name_rules::CONDA
        } else if self.has(own_index::TAG) && self.is_cache(tree) {
            name_rules::CACHE
        } else if self.has("CMakeCache.txt") && !self.has("CMakeLists.txt") {
            name_rules::CMAKE
        } else if is_vendor && (self.has("modules.txt") || self.has("autoload.php")) {
            name_rules::PACKAGE_LIST
        } else {
            return None;
        };
        Some(SkipReason::Vendored { rule })
    }

    /// The indices of the entries, for [`outcome`](Self::outcome).
    pub(crate) fn indices(&self) -> std::ops::Range<usize> {
        0..self.entries.len()
    }

    /// The index of the entry with this name.
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        self.entries.iter().position(|entry| entry.name == *name)
    }

    /// The name of an entry, lossy if it is not Unicode, and its kind.
    pub(super) fn entry(&self, index: usize) -> (Cow<'_, str>, EntryKind) {
        let Entry { name, kind } = &self.entries[index];
        let kind = kind.as_ref().map_or(EntryKind::Other, |it| EntryKind::of(*it));
        (name.to_string_lossy(), kind)
    }

    /// The path of an entry relative to the root, lossy if the name is not Unicode.
    pub(crate) fn relative(&self, index: usize) -> String {
        join(&self.pending.relative, &self.entries[index].name.to_string_lossy())
    }

    /// The outcome for an entry. The checks are in order of precedence: nothing includes a secret, ignore files come
    /// before built-in rules, and files decided by their name are not opened.
    pub(crate) fn outcome(&self, tree: &Tree<'_>, index: usize) -> Outcome {
        let entry = &self.entries[index];
        let kind = match &entry.kind {
            Ok(kind) => *kind,
            Err(error) => return gone_or(error),
        };
        let Some(name) = entry.name.to_str() else {
            return Outcome::Skip(SkipReason::NameNotUnicode);
        };
        let path = self.pending.path.join(name);
        let entry_kind = EntryKind::of(kind);
        if name_rules::is_version_control(name, entry_kind) {
            return tree.routine(|| SkipReason::VersionControl);
        }
        let excepted = || tree.not_secret.contains(&path, entry_kind);
        let parent = self.pending.path.file_name().and_then(|it| it.to_str()).unwrap_or_default();
        if let Some(rule) = secret_names::secret(parent, name, entry_kind).filter(|_| !excepted()) {
            return Outcome::Skip(SkipReason::Secret { rule });
        }
        let inclusion = match self.pending.stack.verdict(&path, entry_kind) {
            Verdict::Ignored(cause) => return tree.routine(|| cause.reason()),
            Verdict::Included(inclusion) => inclusion,
            Verdict::Silent => Inclusion::Default,
        };
        match kind {
            EntryType::Directory => self.directory(tree, name, path, inclusion),
            EntryType::Symlink => {
                let written = || self.listing.read_link(name);
                let relative = join(&self.pending.relative, name);
                Outcome::Skip(symlink(tree.root, &relative, written))
            }
            EntryType::File => self.file(tree, name, &path, inclusion),
            EntryType::Special => Outcome::Skip(SkipReason::SpecialFile),
        }
    }

    fn directory(
        &self,
        tree: &Tree<'_>,
        name: &str,
        path: PathBuf,
        inclusion: Inclusion,
    ) -> Outcome {
        if inclusion == Inclusion::Default {
            if name_rules::is_hidden_directory(name) {
                return tree.routine(|| SkipReason::Hidden);
            }
            if let Some(rule) = name_rules::vendored(name, |file| self.has_beside(file)) {
                return Outcome::Skip(SkipReason::Vendored { rule });
            }
        }
        let relative = join(&self.pending.relative, name);
        Outcome::Enter(PendingDirectory {
            path,
            relative,
            stack: self.pending.stack.clone(),
            inclusion,
        })
    }

    fn file(&self, tree: &Tree<'_>, name: &str, at: &Path, inclusion: Inclusion) -> Outcome {
        if let Some(reason) = skipped_by_name(name, inclusion) {
            return Outcome::Skip(reason);
        }
        match self.listing.stamp(name) {
            Ok(stamp) => {
                let path = join(&self.pending.relative, name);
                let masking = tree.not_secret.masking(at);
                Outcome::File(FileEntry { path, stamp, inclusion, masking })
            }
            Err(error) => gone_or(&error),
        }
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// Whether there is a file with this name, or with this extension if `file` begins with a dot.
    fn has_beside(&self, file: &str) -> bool {
        if !file.starts_with('.') {
            return self.has(file);
        }
        self.entries
            .iter()
            .any(|entry| entry.name.to_str().is_some_and(|name| name.ends_with(file)))
    }

    /// The convention for cache directories requires the signature, not only the name.
    fn is_cache(&self, tree: &Tree<'_>) -> bool {
        const SIGNATURE: &[u8] = b"Signature: 8a477f597d28d172789f06886806bc55";
        let mut start = [0; SIGNATURE.len()];
        let tag = tree.root.file(&join(&self.pending.relative, own_index::TAG), own_index::MAX_TAG);
        tag.and_then(|mut it| it.bytes.read_exact(&mut start)).is_ok() && start == *SIGNATURE
    }
}

/// Links are not followed: a target inside is indexed under its own name, a target outside is not part of the tree.
/// `written` reads the target as written.
pub(super) fn symlink(
    root: &Root,
    relative: &str,
    written: impl FnOnce() -> io::Result<OsString>,
) -> SkipReason {
    let written =
        || written().map_or_else(|_| String::new(), |it| it.to_string_lossy().into_owned());
    match root.target(relative) {
        Ok(target)
            if root.path().join(relative).starts_with(&target)
                && target.starts_with(root.path()) =>
        {
            SkipReason::SymlinkLoop
        }
        Ok(target) => match index_path::below(root.path(), &target) {
            Some(target) => SkipReason::SymlinkInside { target },
            None => SkipReason::SymlinkOutside { target: written() },
        },
        Err(error) if is_missing(&error) => SkipReason::SymlinkDangling { target: written() },
        Err(error) if is_loop(&error) => SkipReason::SymlinkLoop,
        Err(error) => SkipReason::unreadable(&error),
    }
}

/// The reason to skip a file that no rule excludes, by its name.
pub(super) fn skipped_by_name(name: &str, inclusion: Inclusion) -> Option<SkipReason> {
    let by_default = inclusion == Inclusion::Default;
    if name_rules::is_binary(name) {
        return Some(SkipReason::Binary);
    }
    if by_default && name_rules::is_lock_file(name) {
        return Some(SkipReason::Generated { why: "a package manager's lock file".to_string() });
    }
    (by_default && name_rules::is_minified(name))
        .then(|| SkipReason::Minified { why: "by its name".to_string() })
}

impl Tree<'_> {
    fn routine(&self, reason: impl FnOnce() -> SkipReason) -> Outcome {
        if self.record_ignored { Outcome::Skip(reason()) } else { Outcome::Nothing }
    }
}

/// An entry removed since the listing is not part of the tree.
pub(super) fn gone_or(error: &io::Error) -> Outcome {
    match error.kind() {
        io::ErrorKind::NotFound => Outcome::Nothing,
        _ => Outcome::Skip(SkipReason::unreadable(error)),
    }
}

fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Whether a path has too many levels of links: Linux, the BSDs and macOS, Windows. The standard library has no stable
/// name for it.
fn is_loop(error: &io::Error) -> bool {
    let code = if cfg!(windows) {
        1921
    } else if cfg!(any(target_os = "linux", target_os = "android")) {
        40
    } else {
        62
    };
    error.raw_os_error() == Some(code)
}
