//! One directory: its listing, the ignore files that apply to it, and the outcome for each entry.
//!
//! The walk and [`explain`](crate::explain) share this code, so that the explanation of a path matches the walk.

use std::ffi::OsStr;
use std::fs::{self, DirEntry, FileType};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::entries::{EntryKind, FileEntry, Inclusion, WalkConfig};
use super::ignore_rules::{self, Stack, Verdict};
use super::name_rules;
use crate::git;
use crate::relative;
use crate::skip::SkipReason;
use crate::stamp::stamp_of;

/// What all directories of a walk share.
pub(crate) struct Tree<'a> {
    /// The root (canonical).
    pub(crate) root: &'a Path,
    /// Exceptions from the rules about secrets.
    not_secret: Gitignore,
    /// Whether routine reasons are recorded.
    record_ignored: bool,
    cancel: &'a AtomicBool,
}

/// A directory that has to be read.
pub(crate) struct Pending {
    pub(crate) path: PathBuf,
    /// The path relative to the root; empty for the root.
    pub(crate) relative: String,
    stack: Stack,
    /// Explicitly included directories are not checked for vendored contents.
    inclusion: Inclusion,
}

/// A directory that was read.
pub(crate) struct Directory {
    pending: Pending,
    entries: Vec<(DirEntry, io::Result<FileType>)>,
}

/// The outcome for an entry.
pub(crate) enum Outcome {
    /// A file to read.
    File(FileEntry),
    /// A directory to go into.
    Enter(Pending),
    /// Skipped, and to be recorded.
    Skip(SkipReason),
    /// Skipped for a routine reason that the caller did not ask to record.
    Nothing,
}

impl<'a> Tree<'a> {
    /// Prepares a walk below `root` (canonical).
    pub(crate) fn new(root: &'a Path, config: &WalkConfig, cancel: &'a AtomicBool) -> Self {
        let mut builder = GitignoreBuilder::new(root);
        for line in &config.not_secret {
            // A pattern that cannot be parsed makes no exception, which is safe.
            let _ = builder.add_line(None, line);
        }
        let not_secret = builder.build().unwrap_or_else(|_| Gitignore::empty());
        Self { root, not_secret, record_ignored: config.record_ignored, cancel }
    }

    /// The root itself, under the ignore files of the directories between it and the top of its work tree.
    pub(crate) fn start(&self, config: &WalkConfig) -> Pending {
        let top = git::top_of(self.root);
        let top_dir = top.as_ref().map_or(self.root, |top| &*top.work_tree);
        let mut stack =
            Stack::new(top_dir, self.root, &config.rules, config.global_excludes.as_deref());
        if let Some(top) = &top {
            let common_dir = top.storage.as_ref().map(|storage| &*storage.common_dir);
            stack.enter_repository(top_dir, common_dir, self.root);
        }
        let between = self.root.ancestors().skip(1).take_while(|dir| dir.starts_with(top_dir));
        let between: Vec<&Path> = between.collect();
        for dir in between.into_iter().rev() {
            stack.enter(dir, self.root, |name| dir.join(name).is_file());
        }
        // A root that is named is included whatever it contains.
        let (path, inclusion) = (self.root.to_path_buf(), Inclusion::Explicit);
        Pending { path, relative: String::new(), stack, inclusion }
    }

    /// Whether the caller asked to stop.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }
}

impl Directory {
    /// Reads the listing, and the ignore files in it.
    pub(crate) fn read(tree: &Tree<'_>, mut pending: Pending) -> io::Result<Self> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(&pending.path)? {
            let entry = entry?;
            let kind = entry.file_type();
            entries.push((entry, kind));
        }
        let names: Vec<_> = entries.iter().map(|(entry, _)| entry.file_name()).collect();
        let names: Vec<&str> = names.iter().filter_map(|name| name.to_str()).collect();
        let Pending { path, relative, stack, .. } = &mut pending;
        let is_inner = !relative.is_empty() && names.contains(&".git");
        if let Some(top) = is_inner.then(|| git::top_at(path)).flatten() {
            let common_dir = top.storage.as_ref().map(|storage| &*storage.common_dir);
            stack.enter_repository(path, common_dir, tree.root);
        }
        let ignore_files: Vec<&str> =
            names.into_iter().filter(|name| ignore_rules::is_ignore_file(name)).collect();
        if !ignore_files.is_empty() {
            stack.enter(path, tree.root, |name| ignore_files.contains(&name));
        }
        Ok(Self { pending, entries })
    }

    /// Why the whole directory is skipped, by its contents.
    pub(crate) fn vendored(&self) -> Option<SkipReason> {
        if self.pending.inclusion == Inclusion::Explicit {
            return None;
        }
        let is_vendor = self.pending.path.file_name() == Some(OsStr::new("vendor"));
        let rule = if self.has("pyvenv.cfg") {
            "pyvenv.cfg inside"
        } else if self.has("conda-meta") {
            "conda-meta inside"
        } else if self.has("CACHEDIR.TAG") && is_cache_tag(&self.pending.path.join("CACHEDIR.TAG"))
        {
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

    /// The entries, as indices for [`outcome`](Self::outcome).
    pub(crate) fn indices(&self) -> std::ops::Range<usize> {
        0..self.entries.len()
    }

    /// The entry with the name.
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        self.entries.iter().position(|(entry, _)| entry.file_name() == *name)
    }

    /// The path of an entry relative to the root, lossy where the name is not Unicode.
    pub(crate) fn relative(&self, index: usize) -> String {
        join(&self.pending.relative, &self.entries[index].0.file_name().to_string_lossy())
    }

    /// The outcome for an entry. The checks are in order of precedence: nothing includes a secret, ignore files come before
    /// built-in rules, and files that are decided by their name are not opened.
    pub(crate) fn outcome(&self, tree: &Tree<'_>, index: usize) -> Outcome {
        let (entry, kind) = &self.entries[index];
        let kind = match kind {
            Ok(kind) => kind,
            Err(error) => return Outcome::Skip(SkipReason::unreadable(error)),
        };
        let name = entry.file_name();
        let Some(name) = name.to_str() else { return Outcome::Skip(SkipReason::NameNotUnicode) };
        let path = self.pending.path.join(name);
        let entry_kind = EntryKind::of(*kind);
        if name_rules::is_version_control(name, entry_kind) {
            return tree.routine(|| SkipReason::VersionControl);
        }
        let excepted = || tree.not_secret.matched(&path, kind.is_dir()).is_ignore();
        let parent = self.pending.path.file_name().and_then(|it| it.to_str()).unwrap_or_default();
        if let Some(rule) = name_rules::secret(parent, name, entry_kind).filter(|_| !excepted()) {
            return Outcome::Skip(SkipReason::Secret { rule });
        }
        let inclusion = match self.pending.stack.verdict(&path, entry_kind) {
            Verdict::Ignored(cause) => return tree.routine(|| cause.reason()),
            Verdict::Included(inclusion) => inclusion,
            Verdict::Silent => Inclusion::Default,
        };
        if kind.is_dir() {
            self.directory(tree, name, path, inclusion)
        } else if kind.is_symlink() {
            Outcome::Skip(symlink(tree.root, &path))
        } else if kind.is_file() {
            self.file(entry, name, inclusion)
        } else {
            Outcome::Skip(SkipReason::SpecialFile)
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
        Outcome::Enter(Pending { path, relative, stack: self.pending.stack.clone(), inclusion })
    }

    fn file(&self, entry: &DirEntry, name: &str, inclusion: Inclusion) -> Outcome {
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
        match entry.metadata() {
            Ok(metadata) => {
                let path = join(&self.pending.relative, name);
                Outcome::File(FileEntry { path, stamp: stamp_of(&metadata), inclusion })
            }
            Err(error) => Outcome::Skip(SkipReason::unreadable(&error)),
        }
    }

    fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// A file with the name, or with the extension if `file` begins with a dot.
    fn has_beside(&self, file: &str) -> bool {
        if !file.starts_with('.') {
            return self.has(file);
        }
        self.entries
            .iter()
            .any(|(entry, _)| entry.file_name().to_str().is_some_and(|name| name.ends_with(file)))
    }
}

impl Tree<'_> {
    fn routine(&self, reason: impl FnOnce() -> SkipReason) -> Outcome {
        if self.record_ignored { Outcome::Skip(reason()) } else { Outcome::Nothing }
    }
}

fn join(directory: &str, name: &str) -> String {
    if directory.is_empty() { name.to_string() } else { format!("{directory}/{name}") }
}

/// The cache directory convention requires the signature, not only the name.
fn is_cache_tag(path: &Path) -> bool {
    const SIGNATURE: &[u8] = b"Signature: 8a477f597d28d172789f06886806bc55";
    if !fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file()) {
        return false;
    }
    let mut start = [0; SIGNATURE.len()];
    fs::File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok()
        && start == *SIGNATURE
}

/// Links are not followed: a target inside is indexed under its own name, a target outside is not part of the tree.
fn symlink(root: &Path, path: &Path) -> SkipReason {
    let written = || {
        fs::read_link(path).map_or_else(|_| String::new(), |to| to.to_string_lossy().into_owned())
    };
    match dunce::canonicalize(path) {
        Ok(target) if path.starts_with(&target) && target.starts_with(root) => {
            SkipReason::SymlinkLoop
        }
        Ok(target) => match relative::below(root, &target) {
            Some(target) => SkipReason::SymlinkInside { target },
            None => SkipReason::SymlinkOutside { target: written() },
        },
        Err(error)
            if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) =>
        {
            SkipReason::SymlinkDangling { target: written() }
        }
        Err(error) if is_loop(&error) => SkipReason::SymlinkLoop,
        Err(error) => SkipReason::unreadable(&error),
    }
}

/// Too many levels of links: Linux, the BSDs and macOS, Windows. The standard library has no stable name for it.
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
