//! Definitions and uses by SCIP indexes, in place of those by syntax where an index describes the present text of a file.
//!
//! In a file that is described, a name at which the index has another symbol is no use, and one with the symbol of the
//! definition is one, even where syntax sees none (an attribute that is read, a function that is passed on). In all other
//! files syntax decides, and the answer says so.

use std::collections::{BTreeMap, BTreeSet};

use foreword_chunk::{LineIndex, ReferenceKind, Span};
use foreword_engine::index::{Facts, FileFacts, FileId, Occurrence, Snapshot};
use foreword_engine::retrieve::{Certainty, NameUser};
use foreword_engine::sorting::sort_by_key;
use serde::Serialize;

use super::{Definition, OpenFile};
use crate::clock::unix_seconds;

/// Source of a definition or use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// The syntax of the files.
    Syntax,
    /// A compiler or type checker, by its SCIP index.
    Scip,
}

/// A use of a name, by syntax or by an index.
pub(super) struct Site {
    pub(super) file: FileId,
    pub(super) name: Span,
    /// `None` for what the index does not note: a name that is read, written or passed on.
    pub(super) kind: Option<ReferenceKind>,
    pub(super) certainty: Certainty,
    pub(super) source: Source,
}

impl Site {
    pub(super) fn of(it: &NameUser) -> Self {
        let (name, kind) = (it.reference.name, Some(it.reference.kind));
        let NameUser { file, certainty, .. } = *it;
        Self { file, name, kind, certainty, source: Source::Syntax }
    }

    /// A use that is no call, type or base.
    pub(super) fn read((file, name): (FileId, Span)) -> Self {
        let certainty = Certainty::Sure;
        Self { file, name, kind: None, certainty, source: Source::Syntax }
    }
}

/// An index that an answer rests on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Indexer {
    /// The program that wrote it; empty if it does not say.
    pub tool: String,
    /// Its version.
    pub version: String,
    /// The file that was imported.
    pub file: String,
    /// Seconds since that file was written.
    pub age_s: u64,
}

/// How far an answer rests on SCIP indexes.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Precision {
    /// The indexes; none if they do not describe the definitions, so that all is by syntax.
    pub by: Vec<Indexer>,
    /// Number of uses, listed or not, that they name.
    pub references: usize,
    /// Files with definitions or uses by syntax that have changed since they were indexed.
    pub outdated: Vec<String>,
}

impl Precision {
    /// A sentence for people; `total` uses are known.
    pub fn note(&self, total: usize) -> String {
        let by: Vec<String> = self.by.iter().map(Indexer::describe).collect();
        let outdated = match self.outdated.as_slice() {
            [] => String::new(),
            [one] => format!("; {one} has changed since"),
            [first, rest @ ..] => {
                format!("; {first} and {} more files have changed since", rest.len())
            }
        };
        if by.is_empty() {
            return format!("by syntax: no SCIP index describes these definitions{outdated}");
        }
        let syntax = match total - self.references {
            0 => String::new(),
            n => format!("; {n} of {total} uses by syntax"),
        };
        format!("precise by {}{syntax}{outdated}", by.join(" and "))
    }
}

impl Indexer {
    fn of(facts: &Facts, file: &FileFacts, now: u64) -> Self {
        let it = facts.provenance(file).clone();
        let age_s = now.saturating_sub(it.written_at_s);
        Self { tool: it.tool, version: it.version, file: it.file, age_s }
    }

    /// `scip-python 0.6.6 (index.scip, written 2 h ago)`.
    fn describe(&self) -> String {
        let tool = if self.tool.is_empty() { "an indexer" } else { &self.tool };
        let age = match self.age_s {
            it @ 0..120 => format!("{it} s"),
            it @ 120..7200 => format!("{} min", it / 60),
            it @ 7200..172_800 => format!("{} h", it / 3600),
            it => format!("{} days", it / 86_400),
        };
        format!("{tool} {} ({}, written {age} ago)", self.version, self.file)
    }
}

/// The files that an index describes.
#[derive(Clone, Debug, Serialize)]
pub struct Coverage {
    /// The index.
    #[serde(flatten)]
    pub indexer: Indexer,
    /// Number of files that have the text that it describes.
    pub files: usize,
    /// Number of files that have another text now.
    pub outdated: usize,
}

impl Coverage {
    /// A line for people.
    pub fn text(&self) -> String {
        let Self { indexer, files, outdated } = self;
        format!("precise: {files} files by {}, {outdated} outdated", indexer.describe())
    }
}

/// The files of a snapshot that SCIP indexes describe, by index.
pub fn coverage(snapshot: &Snapshot) -> Vec<Coverage> {
    let (facts, now) = (snapshot.facts(), unix_seconds());
    let mut counts: BTreeMap<Indexer, (usize, usize)> = BTreeMap::new();
    for path in facts.paths() {
        let Some(file) = snapshot.file(path) else { continue };
        let current = facts.of(path, snapshot.hash(file));
        let Some(newest) = current.or_else(|| facts.of_path(path).first()) else { continue };
        let count = counts.entry(Indexer::of(&facts, newest, now)).or_default();
        count.0 += usize::from(current.is_some());
        count.1 += usize::from(current.is_none());
    }
    let all = counts.into_iter();
    all.map(|(indexer, (files, outdated))| Coverage { indexer, files, outdated }).collect()
}

/// Notes the symbols of definitions by syntax. In a file that has changed, a definition keeps its symbol by its dotted name.
pub(super) fn mark(snapshot: &Snapshot, facts: &Facts, found: &mut [Definition]) {
    if facts.is_empty() {
        return;
    }
    for it in found {
        let Some(site) = it.site else { continue };
        let record = snapshot.record(site.file);
        let Some(definition) = record.symbols.definitions.get(site.definition as usize) else {
            continue;
        };
        if let Some(current) = facts.of(&it.path, snapshot.hash(site.file)) {
            it.fact = current.defined_at(definition.name.start);
            it.source = if it.fact.is_some() { Source::Scip } else { Source::Syntax };
            continue;
        }
        let is_it =
            |symbol: &u32| facts.describe(*symbol).is_some_and(|known| known.1 == it.symbol);
        let earlier = facts.of_path(&it.path).iter().flat_map(FileFacts::occurrences);
        it.fact = earlier.filter(|it| it.is_definition).map(|it| it.symbol).find(is_it);
    }
}

/// The definitions of a name that only an index sees: an attribute that is set in a method, what a macro defines.
pub(super) fn unseen(
    snapshot: &Snapshot,
    facts: &Facts,
    name: &str,
    keep: &dyn Fn(FileId) -> bool,
    seen: &[Definition],
) -> Vec<Definition> {
    let mut symbols = facts.named(name);
    symbols.retain(|symbol| !seen.iter().any(|it| it.fact == Some(*symbol)));
    let mut res = Vec::new();
    for (file, current) in current(snapshot, facts).filter(|it| keep(it.0) && !symbols.is_empty()) {
        let mut first = BTreeSet::new();
        for it in current.occurrences() {
            if it.is_definition
                && symbols.binary_search(&it.symbol).is_ok()
                && first.insert(it.symbol)
            {
                res.extend(definition(snapshot, facts, file, it.start, it.symbol));
            }
        }
    }
    res
}

/// The definitions of the symbols that an index has at a byte of a file.
pub(super) fn definitions_at(
    snapshot: &Snapshot,
    facts: &Facts,
    file: FileId,
    at: u32,
) -> Vec<Definition> {
    let Some(here) = facts.of(snapshot.path(file), snapshot.hash(file)) else { return Vec::new() };
    let symbols: Vec<u32> = here.at(at).iter().map(|it| it.symbol).collect();
    let mut res = Vec::new();
    for (file, current) in current(snapshot, facts).filter(|_| !symbols.is_empty()) {
        let record = snapshot.record(file);
        let is_it = |it: &&Occurrence| it.is_definition && symbols.contains(&it.symbol);
        for it in current.occurrences().iter().filter(is_it) {
            let seen = &record.symbols.definitions;
            let listed = seen.iter().position(|own| own.name.start == it.start);
            let open = || OpenFile::new(snapshot, file);
            res.extend(match listed {
                Some(listed) => open().definition(listed as u32).map(|own| Definition {
                    source: Source::Scip,
                    fact: Some(it.symbol),
                    ..own
                }),
                None => definition(snapshot, facts, file, it.start, it.symbol),
            });
        }
    }
    res
}

/// The files with facts about their present text.
fn current<'f>(
    snapshot: &Snapshot,
    facts: &'f Facts,
) -> impl Iterator<Item = (FileId, &'f FileFacts)> {
    facts.paths().filter_map(|path| {
        let file = snapshot.file(path)?;
        Some((file, facts.of(path, snapshot.hash(file))?))
    })
}

fn definition(
    snapshot: &Snapshot,
    facts: &Facts,
    file: FileId,
    at: u32,
    symbol: u32,
) -> Option<Definition> {
    let (kind, dotted) = facts.describe(symbol)?;
    let text = snapshot.text(file);
    let lines = LineIndex::new(text.as_bytes());
    let line = lines.line_of(at as usize);
    let end = lines.start_of(line + 1).min(text.len());
    let span = Span::new(lines.start_of(line), end);
    let signature: String = span.of(&text).trim().chars().take(200).collect();
    Some(Definition {
        path: snapshot.path(file).to_owned(),
        start_line: line,
        end_line: line,
        depth: dotted.matches('.').count(),
        symbol: dotted,
        kind,
        signature,
        span,
        source: Source::Scip,
        site: None,
        fact: Some(symbol),
    })
}

/// The uses by syntax, with those that indexes name, and without those at which they name something else.
pub(super) fn refine(
    snapshot: &Snapshot,
    facts: &Facts,
    definitions: &[Definition],
    keep: &dyn Fn(FileId) -> bool,
    by_syntax: Vec<Site>,
) -> (Vec<Site>, Option<Precision>) {
    if facts.is_empty() || definitions.is_empty() {
        return (by_syntax, None);
    }
    let mut merge = Merge::new(snapshot, facts, definitions);
    for it in by_syntax {
        merge.add_by_syntax(it);
    }
    if !merge.targets.is_empty() {
        for (file, current) in current(snapshot, facts).filter(|it| keep(it.0)) {
            merge.add_by_index(file, current);
        }
    }
    let Merge { mut sites, by, outdated, references, .. } = merge;
    sort_by_key(&mut sites, |it| (it.certainty, it.file, it.name.start));
    let precision = Precision {
        by: by.into_iter().collect(),
        references,
        outdated: outdated.into_iter().map(str::to_owned).collect(),
    };
    (sites, Some(precision))
}

/// The uses of some definitions, while they are gathered.
struct Merge<'s> {
    snapshot: &'s Snapshot,
    facts: &'s Facts,
    /// The symbols of the definitions, in order.
    targets: Vec<u32>,
    /// Whether every definition has a symbol.
    is_whole: bool,
    /// Whether syntax sees a definition.
    is_seen: bool,
    now: u64,
    sites: Vec<Site>,
    /// How names are used, by syntax, at which an index has a target.
    kinds: BTreeMap<(FileId, u32), ReferenceKind>,
    by: BTreeSet<Indexer>,
    references: usize,
    outdated: BTreeSet<&'s str>,
}

impl<'s> Merge<'s> {
    fn new(snapshot: &'s Snapshot, facts: &'s Facts, definitions: &'s [Definition]) -> Self {
        let mut targets: Vec<u32> = definitions.iter().filter_map(|it| it.fact).collect();
        targets.sort_unstable();
        targets.dedup();
        let paths = definitions.iter().map(|it| it.path.as_str());
        let outdated = paths.filter(|it| is_outdated(snapshot, facts, it)).collect();
        Self {
            snapshot,
            facts,
            targets,
            is_whole: definitions.iter().all(|it| it.fact.is_some()),
            is_seen: definitions.iter().any(|it| it.site.is_some()),
            now: unix_seconds(),
            sites: Vec::new(),
            kinds: BTreeMap::new(),
            by: BTreeSet::new(),
            references: 0,
            outdated,
        }
    }

    fn is_target(&self, it: &Occurrence) -> bool {
        self.targets.binary_search(&it.symbol).is_ok()
    }

    fn add_by_syntax(&mut self, mut it: Site) {
        let path = self.snapshot.path(it.file);
        let current = self.facts.of(path, self.snapshot.hash(it.file));
        let Some(current) = current.filter(|_| !self.targets.is_empty()) else {
            self.outdated
                .extend(Some(path).filter(|it| is_outdated(self.snapshot, self.facts, it)));
            self.sites.push(it);
            return;
        };
        let here = current.at(it.name.start);
        if here.iter().any(|it| self.is_target(it)) {
            self.kinds.extend(it.kind.map(|kind| ((it.file, it.name.start), kind)));
            return;
        }
        // Something else of this name.
        if !here.is_empty() && self.is_whole {
            return;
        }
        // Of a definition that syntax does not see, syntax knows no uses.
        if !self.is_seen {
            it.certainty = Certainty::Possible;
        }
        self.sites.push(it);
    }

    fn add_by_index(&mut self, file: FileId, current: &FileFacts) {
        let names = current.occurrences().iter().filter(|it| self.is_target(it));
        let names: Vec<Occurrence> = names.copied().collect();
        if names.is_empty() {
            return;
        }
        self.by.insert(Indexer::of(self.facts, current, self.now));
        let (text, record) = self.snapshot.contents(file);
        for it in names.iter().filter(|it| !it.is_definition) {
            let name = Span::new(it.start as usize, it.end as usize);
            let imports = &record.symbols.imports;
            let after = imports.partition_point(|it| it.span.start <= name.start);
            if imports[..after].last().is_some_and(|it| it.span.contains(name)) {
                continue;
            }
            let is_call = text.get(it.end as usize..).is_some_and(|it| it.starts_with('('));
            let known = self.kinds.get(&(file, it.start)).copied();
            let kind = known.or(is_call.then_some(ReferenceKind::Call));
            let (certainty, source) = (Certainty::Sure, Source::Scip);
            self.sites.push(Site { file, name, kind, certainty, source });
            self.references += 1;
        }
    }
}

/// Whether only other texts of a file are described.
fn is_outdated(snapshot: &Snapshot, facts: &Facts, path: &str) -> bool {
    let is_current = |file| facts.of(path, snapshot.hash(file)).is_some();
    !facts.of_path(path).is_empty() && !snapshot.file(path).is_some_and(is_current)
}
