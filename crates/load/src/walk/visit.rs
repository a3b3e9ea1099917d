//! The traversal of a walk: each directory is recalled from a record or listed, and those below follow on any thread.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use rayon::Scope;

use super::directory::{Directory, Outcome, PendingDirectory, Tree};
use super::entries::{Inclusion, Walk, WalkConfig};
use super::ignore_rules::Stack;
use super::recall::{self, KnownDirectory, Recorder, recall};
use super::record::{DirectoryRecord, DirectoryRules, RecordChange, WalkRecord};
use crate::error::LoadError;
use crate::index_path::join;
use crate::skip::{SkipReason, SkippedPath};

/// A walk in progress.
pub(super) struct Walker<'a> {
    tree: &'a Tree<'a>,
    config: &'a WalkConfig,
    /// The record of an earlier walk, and the clock before this one.
    before: Option<&'a WalkRecord>,
    recorded_at_ns: Option<i64>,
    found: Mutex<Vec<DirectoryWalk>>,
    /// The rules in recorded directories above those that were listed.
    stacks: Mutex<HashMap<String, Stack>>,
}

/// The result of a directory.
pub(super) struct DirectoryWalk {
    pub(super) walk: Walk,
    pub(super) recorded: RecordChange,
}

/// A directory to visit.
struct Visit {
    place: Place,
    rules_above: RulesAbove,
}

/// The rules of ignore files above a directory, compared with those of the record.
#[derive(Clone, Copy, PartialEq)]
enum RulesAbove {
    /// The record's outcomes may hold.
    Unchanged,
    /// Everything below is listed anew.
    Changed,
}

enum Place {
    /// Below a listed directory.
    Pending(PendingDirectory),
    /// Below a recalled directory: its rules are read only if it is listed.
    Recorded { relative: String, inclusion: Inclusion },
}

impl Place {
    fn relative(&self) -> &str {
        match self {
            Self::Pending(it) => &it.relative,
            Self::Recorded { relative, .. } => relative,
        }
    }

    fn inclusion(&self) -> Inclusion {
        match self {
            Self::Pending(it) => it.inclusion,
            Self::Recorded { inclusion, .. } => *inclusion,
        }
    }
}

impl<'a> Walker<'a> {
    /// A walk that neither uses nor makes a record.
    pub(super) fn new(tree: &'a Tree<'a>, config: &'a WalkConfig) -> Self {
        let (found, stacks) = (Mutex::default(), Mutex::default());
        Self { tree, config, before: None, recorded_at_ns: None, found, stacks }
    }

    /// A walk that uses a record and makes one. `at_ns` is the clock before it.
    pub(super) fn recording(
        tree: &'a Tree<'a>,
        config: &'a WalkConfig,
        before: Option<&'a WalkRecord>,
        at_ns: i64,
    ) -> Self {
        Self { before, recorded_at_ns: Some(at_ns), ..Self::new(tree, config) }
    }

    /// Visits all directories.
    pub(super) fn run(self) -> Result<Vec<DirectoryWalk>, LoadError> {
        let root = self.tree.root;
        let record = self.before.and_then(|it| it.directory(""));
        if let Some((at, it)) = record.and_then(|(at, it)| Some((at, recall(self.tree, it)?))) {
            self.in_scope(|scope| self.go_on_below(scope, "", at, it));
        } else {
            // A failure at the root is an error. An empty tree would mean deletions.
            let start = Directory::read(self.tree, self.tree.start(self.config));
            if let Some(error) = root.failure() {
                return Err(error);
            }
            let start = start.map_err(|error| LoadError::from_io(root.path(), error))?;
            let before = record.map(|it| it.1);
            self.in_scope(|scope| self.list(scope, &start, before));
        }
        if self.tree.is_cancelled() {
            return Err(LoadError::Cancelled { path: root.path().to_owned() });
        }
        match self.tree.take_failure() {
            Some(error) => Err(error),
            None => Ok(self.found.into_inner().unwrap_or_else(PoisonError::into_inner)),
        }
    }

    fn in_scope<'s>(&'s self, work: impl FnOnce(&Scope<'s>) + Send) {
        match pool(self.config.threads) {
            Some(pool) => pool.scope(work),
            None => rayon::scope(work),
        }
    }

    /// Visits a directory below the root.
    fn enter<'s>(&'s self, scope: &Scope<'s>, visit: Visit) {
        if self.tree.is_stopped() {
            return;
        }
        let Visit { place, rules_above } = visit;
        let is_explicit = place.inclusion() == Inclusion::Explicit;
        let record = self.before.filter(|_| rules_above == RulesAbove::Unchanged);
        let record = record.and_then(|it| it.directory(place.relative()));
        let record = record.filter(|(_, it)| it.is_explicit == is_explicit);
        if let Some((at, it)) = record.and_then(|(at, it)| Some((at, recall(self.tree, it)?))) {
            return self.go_on_below(scope, place.relative(), at, it);
        }
        let path = place.relative().to_owned();
        let pending = match place {
            Place::Pending(it) => it,
            Place::Recorded { relative, inclusion } => {
                let stack = self.stack_above(&relative);
                PendingDirectory::new(self.tree, &relative, stack, inclusion)
            }
        };
        match Directory::read(self.tree, pending) {
            Ok(directory) => self.list(scope, &directory, record.map(|it| it.1)),
            Err(error) => {
                let reason = SkipReason::unreadable_directory(&error);
                self.tree.note(error);
                let walk = Walk { skipped: vec![SkippedPath { path, reason }], ..Walk::default() };
                self.add(DirectoryWalk { walk, recorded: RecordChange::Nothing });
            }
        }
    }

    /// Records that the directory is as before, and visits those below.
    fn go_on_below<'s>(&'s self, scope: &Scope<'s>, path: &str, at: usize, it: KnownDirectory<'s>) {
        for (name, is_explicit) in it.below {
            let (relative, inclusion) =
                (join(path, name), recall::INCLUSIONS[usize::from(*is_explicit)]);
            let place = Place::Recorded { relative, inclusion };
            let visit = Visit { place, rules_above: RulesAbove::Unchanged };
            scope.spawn(move |scope| self.enter(scope, visit));
        }
        self.add(DirectoryWalk { walk: it.walk, recorded: RecordChange::Same(at) });
    }

    /// Records the entries of a directory, and visits those below.
    fn list<'s>(
        &'s self,
        scope: &Scope<'s>,
        directory: &Directory,
        before: Option<&DirectoryRecord>,
    ) {
        let pending = &directory.pending;
        let rules = || DirectoryRules::of(&pending.path, &directory.rule_names);
        let rules = self.recorded_at_ns.map(|at_ns| (rules(), at_ns));
        let is_known = |rules| before.is_some_and(|it| it.rules.proves(rules, it.at_ns));
        let rules_here = match &rules {
            Some((rules, _)) if is_known(rules) => RulesAbove::Unchanged,
            _ => RulesAbove::Changed,
        };
        let skipped =
            (!pending.relative.is_empty()).then(|| directory.skipped(self.tree)).flatten();
        let (walk, contents) = match skipped {
            Some(reason) => {
                let contents = recall::skipped(&reason);
                let skipped = vec![SkippedPath { path: pending.relative.clone(), reason }];
                (Walk { skipped, ..Walk::default() }, contents)
            }
            None => {
                let mut recorder = Recorder::new();
                let walk = self.outcomes(scope, directory, &mut recorder, rules_here);
                (walk, recorder.contents())
            }
        };
        let record = rules.and_then(|(rules, at_ns)| {
            recall::record(self.tree, directory, rules, contents, at_ns)
        });
        let recorded = record.map_or(RecordChange::Nothing, |it| RecordChange::New(Box::new(it)));
        self.add(DirectoryWalk { walk, recorded });
    }

    fn outcomes<'s>(
        &'s self,
        scope: &Scope<'s>,
        directory: &Directory,
        recorder: &mut Recorder,
        rules_above: RulesAbove,
    ) -> Walk {
        let directories = vec![directory.pending.relative.clone()];
        let mut here = Walk { directories, ..Walk::default() };
        for index in directory.indices() {
            let outcome = directory.outcome(self.tree, index);
            if self.recorded_at_ns.is_some() {
                let (name, kind) = directory.entry(index);
                recorder.add(&name, kind, &outcome);
            }
            match outcome {
                Outcome::File(file) => here.files.push(file),
                Outcome::Enter(below) => {
                    let visit = Visit { place: Place::Pending(below), rules_above };
                    scope.spawn(move |scope| self.enter(scope, visit));
                }
                Outcome::Skip(reason) => {
                    here.skipped.push(SkippedPath { path: directory.relative(index), reason });
                }
                Outcome::Nothing => {}
            }
        }
        here
    }

    /// The rules of the directories above a path, which were all recalled.
    fn stack_above(&self, relative: &str) -> Stack {
        let parent = relative.rsplit_once('/').map_or("", |it| it.0);
        let mut stacks = self.stacks.lock().unwrap_or_else(PoisonError::into_inner);
        self.stack_in(&mut stacks, parent)
    }

    fn stack_in(&self, stacks: &mut HashMap<String, Stack>, relative: &str) -> Stack {
        if let Some(stack) = stacks.get(relative) {
            return stack.clone();
        }
        let mut pending = match relative.rsplit_once('/') {
            _ if relative.is_empty() => self.tree.start(self.config),
            it => {
                let outer = self.stack_in(stacks, it.map_or("", |it| it.0));
                PendingDirectory::new(self.tree, relative, outer, Inclusion::Default)
            }
        };
        let record = self.before.and_then(|it| it.directory(relative));
        let names = record.map_or(&[][..], |it| &it.1.rules.names);
        // Their patterns are counted already.
        pending.enter_rules(self.tree, names);
        let stack = pending.into_stack();
        stacks.insert(relative.to_owned(), stack.clone());
        stack
    }

    /// Takes the lock once for each directory. The list is always consistent, so a panic elsewhere does not corrupt it.
    fn add(&self, found: DirectoryWalk) {
        self.found.lock().unwrap_or_else(PoisonError::into_inner).push(found);
    }
}

/// A separate pool for a given number of threads; `None` for the global pool, and if no more threads can be started.
fn pool(threads: usize) -> Option<rayon::ThreadPool> {
    (threads > 0)
        .then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok())
        .flatten()
}
