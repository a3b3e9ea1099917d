//! Processes one directory: its listing, the ignore files that apply, and the outcome for each entry.
//!
//! The walk and [`explain`](crate::explain) share this code, so that an explanation matches the walk.

use std::ffi::OsStr;
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
use crate::root::{Entry, EntryType, Listing, Root, is_too_many_open};
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

/// A directory to read.
pub(crate) struct PendingDirectory {
    pub(crate) path: PathBuf,
    /// The path relative to the root; empty for the root.
    pub(crate) relative: String,
    stack: Stack,
    /// Explicitly included directories are not checked for vendored contents.
    inclusion: Inclusion,
}

/// A directory after reading.
pub(crate) struct Directory {
    pending: PendingDirectory,
    listing: Listing,
    entries: Vec<Entry>,
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
    fn count_patterns(&self, more: u64) {
        if self.patterns.fetch_add(more, Ordering::Relaxed) + more > MAX_PATTERNS {
            let path = self.root.path().to_owned();
            self.failure().get_or_insert(LoadError::TooManyPatterns { path, most: MAX_PATTERNS });
        }
    }

    fn failure(&self) -> std::sync::MutexGuard<'_, Option<LoadError>> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Directory {
    /// Reads the listing and the ignore files.
    pub(crate) fn read(tree: &Tree<'_>, mut pending: PendingDirectory) -> io::Result<Self> {
        let mut listing = tree.root.directory(&pending.relative)?;
        let entries = listing.entries()?;
        // All names of interest here begin with a dot; others are not looked at a second time.
        let is_dotted = |it: &&Entry| it.name.as_encoded_bytes().starts_with(b".");
        let dotted = entries.iter().filter(is_dotted);
        let names: Vec<&str> = dotted.filter_map(|it| it.name.to_str()).collect();
        let PendingDirectory { path, relative, stack, .. } = &mut pending;
        let is_inner = !relative.is_empty() && names.contains(&".git");
        if let Some(top) = is_inner.then(|| git::top_at(path)).flatten() {
            let common_dir = top.storage.as_ref().map(|storage| &*storage.common_dir);
            stack.enter_repository(path, common_dir, tree.root.path());
        }
        let present: Vec<&str> =
            names.into_iter().filter(|name| ignore_rules::is_ignore_file(name)).collect();
        if !present.is_empty() {
            let read = |name: &str| {
                let is_present = present.contains(&name);
                let read =
                    || ignore_files::below(tree.root, &join(relative, name), |it| tree.note(it));
                is_present.then(read).flatten()
            };
            tree.count_patterns(stack.enter(path, read));
        }
        Ok(Self { pending, listing, entries })
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
            "pyvenv.cfg inside"
        } else if self.has("conda-meta") {
            "conda-meta inside"
        } else if self.has("CACHEDIR.TAG") && self.is_cache(tree) {
            "CACHEDIR.TAG inside"
        } else if self.has("CMakeCache.txt") && !self.has("CMakeLists.txt") {
            "CMakeCache.txt inside"
        } else if is_vendor && (self.has("modules.txt") || self.has("autoload.php")) {
            "vendor with the package manager's list inside"
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
            EntryType::Symlink => Outcome::Skip(self.symlink(tree.root, &path, name)),
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
        let by_default = inclusion == Inclusion::Default;
        if name_rules::is_binary(name) {
            return Outcome::Skip(SkipReason::Binary);
        }
        if by_default && name_rules::is_lock_file(name) {
            return Outcome::Skip(SkipReason::Generated {
                why: "a package manager's lock file".to_string(),
            });
        }
        if by_default && name_rules::is_minified(name) {
            return Outcome::Skip(SkipReason::Minified { why: "by its name".to_string() });
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

    fn has(&self, name: &str) -> bool {
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
        let tag = tree.root.file(&join(&self.pending.relative, "CACHEDIR.TAG"), own_index::MAX_TAG);
        tag.and_then(|mut it| it.bytes.read_exact(&mut start)).is_ok() && start == *SIGNATURE
    }

    /// Links are not followed: a target inside is indexed under its own name, a target outside is not part of the tree.
    fn symlink(&self, root: &Root, path: &Path, name: &str) -> SkipReason {
        let written = || {
            let target = self.listing.read_link(name);
            target.map_or_else(|_| String::new(), |to| to.to_string_lossy().into_owned())
        };
        match root.target(&join(&self.pending.relative, name)) {
            Ok(target) if path.starts_with(&target) && target.starts_with(root.path()) => {
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
}

impl Tree<'_> {
    fn routine(&self, reason: impl FnOnce() -> SkipReason) -> Outcome {
        if self.record_ignored { Outcome::Skip(reason()) } else { Outcome::Nothing }
    }
}

/// An entry removed since the listing is not part of the tree.
fn gone_or(error: &io::Error) -> Outcome {
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
