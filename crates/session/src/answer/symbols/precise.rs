//! Definitions and uses by SCIP indexes, in place of those by syntax where an index describes the present text of a file.
//!
//! Where a file has changed since, names in its unchanged lines keep their meaning (`present`).
//!
//! In a file that is described, a name at which the index has another symbol is no use, and one with the symbol of the
//! definition is one, even where syntax sees none (an attribute that is read, a function that is passed on). In all other
//! files syntax decides, and the answer says so.

use std::collections::{BTreeMap, BTreeSet};

use foreword_chunk::{Kind, LineIndex, ReferenceKind, Span};
use foreword_engine::index::{Facts, FileFacts, FileId, Occurrence, Snapshot};
use foreword_engine::retrieve::{Certainty, FileUser, NameUser};
use foreword_engine::sorting::sort_by_key;
use serde::Serialize;

use super::present::{Here, PresentFacts};
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

    /// A use of a file.
    pub(super) fn of_file(it: &FileUser) -> Self {
        let FileUser { file, name, kind, certainty } = *it;
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
    /// Number of those that were moved, since their files have changed.
    pub moved: usize,
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
        let moved = match self.moved {
            0 => String::new(),
            n => format!("; {n} of {total} uses in unchanged lines of changed files"),
        };
        format!("precise by {}{syntax}{moved}{outdated}", by.join(" and "))
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

/// Notes the symbols of definitions by syntax. In a changed line of a file, a definition keeps its symbol by its dotted name.
pub(super) fn mark(known: &PresentFacts<'_>, found: &mut [Definition]) {
    let (snapshot, facts) = (known.snapshot, known.facts());
    if known.is_empty() {
        return;
    }
    for it in found {
        let Some(site) = it.site else { continue };
        let record = snapshot.record(site.file);
        let Some(definition) = record.symbols.definitions.get(site.definition as usize) else {
            continue;
        };
        let here = known.of(site.file);
        it.fact = here.as_ref().and_then(|here| here.defined_at(definition.name.start));
        it.source = if it.fact.is_some() { Source::Scip } else { Source::Syntax };
        if it.fact.is_some() || here.as_ref().is_some_and(Here::is_current) {
            continue;
        }
        let elsewhere = |symbol: u32| {
            let names = here.iter().flat_map(|it| it.occurrences());
            names.filter(|it| it.is_definition).any(|it| it.symbol == symbol)
        };
        let is_it = |symbol: &u32| {
            facts.describe(*symbol).is_some_and(|known| known.1 == it.symbol) && !elsewhere(*symbol)
        };
        let earlier = facts.of_path(&it.path).iter().flat_map(FileFacts::occurrences);
        it.fact = earlier.filter(|it| it.is_definition).map(|it| it.symbol).find(is_it);
    }
}

/// The definitions of a name that only an index sees: an attribute that is set in a method, what a macro defines.
pub(super) fn unseen(
    known: &PresentFacts<'_>,
    name: &str,
    keep: &dyn Fn(FileId) -> bool,
    seen: &[Definition],
) -> Vec<Definition> {
    let mut symbols = known.named(name);
    symbols.retain(|symbol| !seen.iter().any(|it| it.fact == Some(*symbol)));
    let mut res = Vec::new();
    for (file, here) in known.with(&|it| it.is_definition && symbols.contains(&it.symbol)) {
        let mut first = BTreeSet::new();
        for it in here.occurrences().iter().filter(|it| keep(file) && it.is_definition) {
            if symbols.binary_search(&it.symbol).is_ok() && first.insert(it.symbol) {
                res.extend(definition(known, file, it.start, it.symbol));
            }
        }
    }
    res
}

/// The definitions of the symbols that an index has at a byte of a file.
pub(super) fn definitions_at(known: &PresentFacts<'_>, file: FileId, at: u32) -> Vec<Definition> {
    let Some(here) = known.of(file) else { return Vec::new() };
    let symbols: Vec<u32> = here.at(at).iter().map(|it| it.symbol).collect();
    definitions_of(known, &symbols)
}

/// The definitions that implement or override others, and are none of these.
pub(super) fn implementations(
    known: &PresentFacts<'_>,
    definitions: &[Definition],
    keep: &dyn Fn(FileId) -> bool,
) -> Vec<Definition> {
    let targets: Vec<u32> = definitions.iter().filter_map(|it| it.fact).collect();
    let mut res = definitions_of(known, &known.implementations(&targets));
    let is_kept = |it: &Definition| known.snapshot.file(&it.path).is_some_and(keep);
    res.retain(is_kept);
    res
}

/// The definitions of symbols, by path and place.
fn definitions_of(known: &PresentFacts<'_>, symbols: &[u32]) -> Vec<Definition> {
    let snapshot = known.snapshot;
    let mut res = Vec::new();
    if symbols.is_empty() {
        return res;
    }
    known.need(symbols);
    let is_one = |it: &Occurrence| it.is_definition && symbols.contains(&it.symbol);
    for (file, here) in known.with(&is_one) {
        let record = snapshot.record(file);
        for it in here.occurrences().iter().filter(|it| is_one(it)) {
            let seen = &record.symbols.definitions;
            let listed = seen.iter().position(|own| own.name.start == it.start);
            let open = || OpenFile::new(snapshot, file);
            res.extend(match listed {
                Some(listed) => open().definition(listed as u32).map(|own| Definition {
                    source: Source::Scip,
                    fact: Some(it.symbol),
                    ..own
                }),
                None => definition(known, file, it.start, it.symbol),
            });
        }
    }
    res
}

fn definition(known: &PresentFacts<'_>, file: FileId, at: u32, symbol: u32) -> Option<Definition> {
    let snapshot = known.snapshot;
    let (kind, dotted) = known.facts().describe(symbol)?;
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
        whole: None,
    })
}

/// The uses by syntax, with those that indexes name, and without those at which they name something else.
pub(super) fn refine(
    known: &PresentFacts<'_>,
    definitions: &[Definition],
    keep: &dyn Fn(FileId) -> bool,
    by_syntax: Vec<Site>,
) -> (Vec<Site>, Option<Precision>) {
    if known.is_empty() || definitions.is_empty() {
        return (by_syntax, None);
    }
    merged(Merge::new(known, definitions), keep, by_syntax)
}

/// Definitions of a name in other repositories.
#[derive(Default)]
pub(super) struct Elsewhere {
    /// Their symbols, in order.
    pub(super) targets: Vec<u32>,
    /// Symbols of other things of that name there, in order.
    pub(super) others: Vec<u32>,
    /// Whether indexes have symbols of all definitions.
    pub(super) is_whole: bool,
    /// What symbols of their packages begin with. One that begins so and is not defined there is perhaps one of them: indexes
    /// of users may name the files of a package otherwise than the package's own.
    pub(super) packages: Vec<String>,
}

/// The same for definitions of other repositories.
pub(super) fn refine_elsewhere(
    known: &PresentFacts<'_>,
    elsewhere: Elsewhere,
    keep: &dyn Fn(FileId) -> bool,
    by_syntax: Vec<Site>,
) -> (Vec<Site>, Option<Precision>) {
    if known.is_empty() {
        return (by_syntax, None);
    }
    merged(Merge::of_symbols(known, elsewhere), keep, by_syntax)
}

fn merged(
    mut merge: Merge<'_>,
    keep: &dyn Fn(FileId) -> bool,
    by_syntax: Vec<Site>,
) -> (Vec<Site>, Option<Precision>) {
    for it in by_syntax {
        merge.add_by_syntax(it);
    }
    let is_named = |it: &Occurrence| merge.is_target(it) || merge.is_overridden(it);
    let named: Vec<_> = merge.known.with(&is_named).filter(|it| keep(it.0)).collect();
    for (file, here) in named {
        merge.add_by_index(file, &here);
    }
    let Merge { mut sites, mut precision, by, outdated, .. } = merge;
    sort_by_key(&mut sites, |it| (it.certainty, it.file, it.name.start));
    precision.by = by.into_iter().collect();
    precision.outdated = outdated.into_iter().map(str::to_owned).collect();
    (sites, Some(precision))
}

/// The uses of some definitions, while they are gathered.
struct Merge<'s> {
    known: &'s PresentFacts<'s>,
    of: Elsewhere,
    /// The members that these implement or override, in order: a call of one may mean a target.
    overridden: Vec<u32>,
    /// Whether syntax sees a definition.
    is_seen: bool,
    now: u64,
    sites: Vec<Site>,
    /// How names are used, by syntax, at which an index has a target.
    kinds: BTreeMap<(FileId, u32), ReferenceKind>,
    by: BTreeSet<Indexer>,
    precision: Precision,
    outdated: BTreeSet<&'s str>,
}

impl<'s> Merge<'s> {
    fn new(known: &'s PresentFacts<'s>, definitions: &'s [Definition]) -> Self {
        let mut targets: Vec<u32> = definitions.iter().filter_map(|it| it.fact).collect();
        targets.sort_unstable();
        targets.dedup();
        let is_member = |it: &u32| {
            let kind = known.facts().describe(*it).map(|it| it.0);
            matches!(kind, Some(Kind::Method | Kind::Field))
        };
        let overridden: Vec<u32> =
            known.overridden(&targets).into_iter().filter(is_member).collect();
        known.need(&overridden);
        let by_syntax = definitions.iter().filter(|it| it.source == Source::Syntax);
        let outdated = by_syntax.map(|it| it.path.as_str()).filter(|it| known.is_changed(it));
        let is_whole = definitions.iter().all(|it| it.fact.is_some());
        let of = Elsewhere { targets, is_whole, ..Elsewhere::default() };
        Self {
            overridden,
            is_seen: definitions.iter().any(|it| it.site.is_some()),
            outdated: outdated.collect(),
            ..Self::of_symbols(known, of)
        }
    }

    fn of_symbols(known: &'s PresentFacts<'s>, of: Elsewhere) -> Self {
        known.need(&of.targets);
        Self {
            known,
            of,
            overridden: Vec::new(),
            is_seen: true,
            now: unix_seconds(),
            sites: Vec::new(),
            kinds: BTreeMap::new(),
            by: BTreeSet::new(),
            precision: Precision::default(),
            outdated: BTreeSet::new(),
        }
    }

    fn is_target(&self, it: &Occurrence) -> bool {
        self.of.targets.binary_search(&it.symbol).is_ok()
    }

    /// Whether a symbol may be a target by another name.
    fn is_perhaps_target(&self, it: &Occurrence) -> bool {
        let symbol = self.known.facts().symbol(it.symbol).unwrap_or_default();
        self.of.packages.iter().any(|package| symbol.starts_with(package))
            && self.of.others.binary_search(&it.symbol).is_err()
    }

    fn is_overridden(&self, it: &Occurrence) -> bool {
        self.overridden.binary_search(&it.symbol).is_ok()
    }

    fn add_by_syntax(&mut self, mut it: Site) {
        let here = self
            .known
            .of(it.file)
            .filter(|_| !self.of.targets.is_empty() || !self.of.packages.is_empty());
        let at = it.name.start;
        let names = here.as_ref().map(|here| here.at(at)).unwrap_or_default();
        if names.iter().any(|it| self.is_target(it)) {
            self.kinds.extend(it.kind.map(|kind| ((it.file, at), kind)));
            return;
        }
        // Something else of this name.
        let is_other = !names.iter().any(|it| self.is_perhaps_target(it));
        if !names.is_empty() && self.of.is_whole && is_other {
            return;
        }
        if !here.as_ref().is_some_and(Here::is_current) {
            let path = self.known.snapshot.path(it.file);
            self.outdated.extend(Some(path).filter(|it| self.known.is_changed(it)));
        } else if !self.is_seen {
            // Of a definition that syntax does not see, syntax knows no uses.
            it.certainty = Certainty::Possible;
        }
        self.sites.push(it);
    }

    fn add_by_index(&mut self, file: FileId, here: &Here<'_>) {
        self.by.insert(Indexer::of(self.known.facts(), here, self.now));
        let (text, record) = self.known.snapshot.contents(file);
        for it in here.occurrences().iter().filter(|it| !it.is_definition) {
            let (is_target, is_overridden) = (self.is_target(it), self.is_overridden(it));
            if !is_target && !is_overridden {
                continue;
            }
            let name = Span::new(it.start as usize, it.end as usize);
            let imports = &record.symbols.imports;
            let after = imports.partition_point(|it| it.span.start <= name.start);
            if imports[..after].last().is_some_and(|it| it.span.contains(name)) {
                continue;
            }
            let is_call = text.get(it.end as usize..).is_some_and(|it| it.starts_with('('));
            let known = self.kinds.get(&(file, it.start)).copied();
            let kind = known.or(is_call.then_some(ReferenceKind::Call));
            let certainty = if is_target { Certainty::Sure } else { Certainty::Possible };
            self.sites.push(Site { file, name, kind, certainty, source: Source::Scip });
            self.precision.references += 1;
            self.precision.moved += usize::from(here.is_moved());
        }
    }
}
