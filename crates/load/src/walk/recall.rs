//! Takes the outcomes of an unchanged directory from a record, and records those of a directory that was listed.

use super::directory::{Directory, Outcome, Tree, gone_or, skipped_by_name, symlink};
use super::entries::{EntryKind, FileEntry, Inclusion, Masking, Walk};
use super::record::{Contents, DirectoryRecord, DirectoryRules, Outcomes, SkipRecord};
use super::{name_rules, own_index, secret_names};
use crate::index_path::join;
use crate::root::EntryType;
use crate::skip::{SkipReason, SkippedPath};

/// A directory whose outcomes are still those of the record.
pub(super) struct KnownDirectory<'r> {
    pub(super) walk: Walk,
    /// The directories to enter.
    pub(super) below: &'r [(String, bool)],
}

/// The outcomes of a recorded directory if it is certain that they are the same, with new stamps of its files.
pub(super) fn recall<'r>(
    tree: &Tree<'_>,
    record: &'r DirectoryRecord,
) -> Option<KnownDirectory<'r>> {
    let status = tree.root.status(&record.path).ok()?;
    if !record.proves(&status) || !has_same_rules(tree, record) || !has_same_tag(tree, record) {
        return None;
    }
    let recalled = match &record.contents {
        Contents::Unknown => None,
        Contents::Skipped(skip) => {
            let reason = reason(tree, &record.path, "", skip)?;
            let skipped = vec![SkippedPath { path: record.path.clone(), reason }];
            Some(KnownDirectory { walk: Walk { skipped, ..Walk::default() }, below: &[] })
        }
        Contents::Entered(it) => entered(tree, &record.path, it),
    };
    recalled.inspect(|_| tree.count_patterns(record.patterns))
}

/// Whether the rules of the directory are certainly the recorded ones.
fn has_same_rules(tree: &Tree<'_>, record: &DirectoryRecord) -> bool {
    let names = &record.rules.names;
    let now = || DirectoryRules::of(&tree.root.path().join(&record.path), names);
    names.is_empty() || record.rules.proves(&now(), record.at_ns)
}

fn has_same_tag(tree: &Tree<'_>, record: &DirectoryRecord) -> bool {
    record.tag.is_none_or(|then| {
        let now = tree.root.status(&join(&record.path, own_index::TAG));
        now.is_ok_and(|now| crate::stamp::proves_unchanged(&now.stamp, &then, record.at_ns))
    })
}

fn entered<'r>(tree: &Tree<'_>, path: &str, outcomes: &'r Outcomes) -> Option<KnownDirectory<'r>> {
    let mut walk = Walk { directories: vec![path.to_owned()], ..Walk::default() };
    walk.files.reserve_exact(outcomes.files.bytes().filter(|it| *it == b'/').count());
    for (place, name) in (0..).zip(outcomes.files.split_terminator('/')) {
        let path = join(path, name);
        match tree.root.status(&path) {
            Ok(status) if status.kind == EntryType::File => {
                let is_explicit = outcomes.explicit.binary_search(&place).is_ok();
                let is_unmasked = outcomes.unmasked.binary_search(&place).is_ok();
                let masking = if is_unmasked { Masking::Off } else { Masking::On };
                let inclusion = INCLUSIONS[usize::from(is_explicit)];
                walk.files.push(FileEntry { path, stamp: status.stamp, inclusion, masking });
            }
            // Something else is mounted there: the directory is listed.
            Ok(_) => return None,
            Err(error) => {
                if let Outcome::Skip(reason) = gone_or(&error) {
                    walk.skipped.push(SkippedPath { path, reason });
                }
            }
        }
    }
    for (name, skip) in &outcomes.skipped {
        let reason = reason(tree, path, name, skip)?;
        walk.skipped.push(SkippedPath { path: join(path, name), reason });
    }
    Some(KnownDirectory { walk, below: &outcomes.directories })
}

/// By whether a rule names the file or directory.
pub(super) const INCLUSIONS: [Inclusion; 2] = [Inclusion::Default, Inclusion::Explicit];

/// States the reason again; `None` if it does not hold any more.
fn reason(tree: &Tree<'_>, parent: &str, name: &str, skip: &SkipRecord) -> Option<SkipReason> {
    let secret = |kind| {
        let rule = secret_names::secret(tree.name_of(parent), name, kind)?;
        Some(SkipReason::Secret { rule })
    };
    match skip {
        SkipRecord::SecretDirectory => secret(EntryKind::Directory),
        SkipRecord::SecretFile => secret(EntryKind::Other),
        SkipRecord::Vendored(words) => {
            name_rules::vendored_rule_named(words).map(|rule| SkipReason::Vendored { rule })
        }
        SkipRecord::Index => Some(SkipReason::Index),
        SkipRecord::FileName => skipped_by_name(name, Inclusion::Default),
        SkipRecord::Symlink => {
            let written = || tree.root.directory(parent)?.read_link(name);
            Some(symlink(tree.root, &join(parent, name), written))
        }
        SkipRecord::SpecialFile => Some(SkipReason::SpecialFile),
        SkipRecord::NotUnicode => Some(SkipReason::NameNotUnicode),
    }
}

/// Gathers the outcomes of a directory's entries.
pub(super) struct Recorder {
    outcomes: Outcomes,
    files: u32,
    /// Whether the outcomes depend on nothing but what is recorded.
    is_complete: bool,
}

impl Recorder {
    pub(super) fn new() -> Self {
        Self { outcomes: Outcomes::default(), files: 0, is_complete: true }
    }

    /// Adds the outcome of an entry.
    pub(super) fn add(&mut self, name: &str, kind: EntryKind, outcome: &Outcome) {
        let res = &mut self.outcomes;
        match outcome {
            Outcome::File(file) => {
                res.files.push_str(name);
                res.files.push('/');
                res.explicit.extend((file.inclusion == Inclusion::Explicit).then_some(self.files));
                res.unmasked.extend((file.masking == Masking::Off).then_some(self.files));
                self.files += 1;
            }
            Outcome::Enter(below) => {
                let is_explicit = below.inclusion == Inclusion::Explicit;
                res.directories.push((name.to_owned(), is_explicit));
            }
            Outcome::Skip(reason) => match recorded(reason, kind) {
                Some(skip) => res.skipped.push((name.to_owned(), skip)),
                None => self.is_complete = false,
            },
            Outcome::Nothing => {}
        }
    }

    pub(super) fn contents(self) -> Contents {
        match self.is_complete {
            true => Contents::Entered(Box::new(self.outcomes)),
            false => Contents::Unknown,
        }
    }
}

/// The contents of a directory that is skipped as a whole.
pub(super) fn skipped(reason: &SkipReason) -> Contents {
    recorded(reason, EntryKind::Directory).map_or(Contents::Unknown, Contents::Skipped)
}

/// How a path was skipped; `None` if that depends on more than its name and its directory.
fn recorded(reason: &SkipReason, kind: EntryKind) -> Option<SkipRecord> {
    Some(match reason {
        SkipReason::Secret { .. } if kind.is_dir() => SkipRecord::SecretDirectory,
        SkipReason::Secret { .. } => SkipRecord::SecretFile,
        SkipReason::Vendored { rule } => SkipRecord::Vendored((*rule).to_owned()),
        SkipReason::Index => SkipRecord::Index,
        SkipReason::Binary | SkipReason::Generated { .. } | SkipReason::Minified { .. } => {
            SkipRecord::FileName
        }
        SkipReason::SymlinkInside { .. }
        | SkipReason::SymlinkOutside { .. }
        | SkipReason::SymlinkLoop
        | SkipReason::SymlinkDangling { .. } => SkipRecord::Symlink,
        SkipReason::SpecialFile => SkipRecord::SpecialFile,
        SkipReason::NameNotUnicode => SkipRecord::NotUnicode,
        _ => return None,
    })
}

/// The record of a directory that was listed by a walk that began at `at_ns`; `None` for a commit's.
pub(super) fn record(
    tree: &Tree<'_>,
    directory: &Directory,
    rules: DirectoryRules,
    contents: Contents,
    at_ns: i64,
) -> Option<DirectoryRecord> {
    let status = directory.status?;
    let path = directory.pending.relative.clone();
    let tag = directory.has(own_index::TAG).then(|| tree.root.status(&join(&path, own_index::TAG)));
    // Whether it is an index depends on what these contain.
    let is_like_index = directory.has("segments") && directory.has("views");
    // Nothing is known about another file system that is mounted inside.
    let is_mounted = tree.root.status("").ok()?.device != status.device;
    Some(DirectoryRecord {
        stamp: status.stamp,
        device: status.device,
        at_ns,
        is_explicit: directory.pending.inclusion == Inclusion::Explicit,
        rules,
        patterns: directory.patterns,
        tag: tag.and_then(Result::ok).map(|it| it.stamp),
        contents: if is_like_index || is_mounted { Contents::Unknown } else { contents },
        path,
    })
}
