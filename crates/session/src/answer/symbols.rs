//! The definitions and uses of a name, and the outline of a file.

pub mod across;
mod at;
mod outline;
pub mod precise;
mod present;

use std::sync::Arc;

use foreword_chunk::{Kind, Language, LineIndex, ParseOutcome, ReferenceKind, Span};
use foreword_engine::grep::{Case, GrepRequest, MAX_LINE_CHARS, grep};
use foreword_engine::index::{DefinitionSite, FileId, FileRecord, FileRole, Snapshot};
use foreword_engine::retrieve::{self, Certainty};
use foreword_engine::sorting::sort_by_key;
use serde::{Serialize, Serializer};

pub use self::at::{At, at};
use self::outline::whole_file;
pub use self::outline::{Outline, outline, uses_of_file};
use self::precise::{Precision, Site, Source};
use self::present::PresentFacts;

/// Lines listed that have a name without a definition.
const MAX_MENTIONS: usize = 5;

/// A definition.
#[derive(Clone, Serialize)]
pub struct Definition {
    /// The file, relative to the root.
    pub path: String,
    /// The first line, from 1.
    pub start_line: u32,
    /// The last line, inclusive.
    pub end_line: u32,
    /// The dotted name.
    pub symbol: String,
    /// The kind of the definition.
    #[serde(serialize_with = "kind_name")]
    pub kind: Kind,
    /// The signature, on one line.
    pub signature: String,
    /// Number of enclosing definitions.
    pub depth: usize,
    /// Its source.
    pub source: Source,
    /// Its bytes in the file.
    #[serde(skip)]
    pub span: Span,
    /// Its place in the index; `None` for a file that is the definition, and for what only a SCIP index sees.
    #[serde(skip)]
    pub(crate) site: Option<DefinitionSite>,
    /// The number of its symbol in the precise facts, if a SCIP index describes it.
    #[serde(skip)]
    pub(crate) fact: Option<u32>,
    /// The file that it is as a whole: a component or a template.
    #[serde(skip)]
    pub(crate) whole: Option<FileId>,
}

/// A use of a name.
#[derive(Serialize)]
pub struct Use {
    /// The file, relative to the root.
    pub path: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in characters.
    pub column: usize,
    /// How the name is used; `None` (`other`) where only a SCIP index sees it: read, written or passed on.
    #[serde(serialize_with = "reference_kind_name")]
    pub kind: Option<ReferenceKind>,
    /// The innermost definition around it; empty when there is none.
    pub symbol: String,
    /// The line, trimmed; of a long one the part around the use.
    pub text: String,
    /// How sure it is that it refers to the definitions.
    #[serde(rename = "match", serialize_with = "certainty_name")]
    pub certainty: Certainty,
    /// Its source.
    pub source: Source,
    /// The byte of the file at which `text` starts.
    #[serde(skip)]
    pub start: usize,
}

/// The definitions of a name, and whether they match its qualifier.
pub struct Definitions {
    /// Code before tests, then examples and built or copied files, headings of documents last; then by path and position.
    pub found: Vec<Definition>,
    /// The qualifier of the name (`a` of `a::b`) if no definition matches it; then all of the name are returned.
    pub(crate) unmatched_qualifier: Option<String>,
}

impl Definitions {
    /// A note if nothing matches the qualifier.
    pub fn note(&self, name: &str) -> Option<String> {
        let qualifier = self.unmatched_qualifier.as_ref().filter(|_| !self.found.is_empty())?;
        let last = last_part(name);
        Some(format!("no {last} is defined in {qualifier}; these are all definitions of {last}"))
    }
}

/// The definitions of a name in files that `keep` accepts. The name of `a.b`, `a::b` and `a#b` is the last part; of its
/// definitions those are returned that lie in an `a`, or else in a file or directory `a`, or else at the outermost level
/// of files anywhere below a directory `a`, or else all.
pub fn definitions(snapshot: &Snapshot, name: &str, keep: &dyn Fn(FileId) -> bool) -> Definitions {
    let mut found = all_of(snapshot, last_part(name), keep);
    let asked = dotted(name);
    let Some((qualifier, _)) = asked.rsplit_once('.').filter(|it| !it.0.is_empty()) else {
        return Definitions { found, unmatched_qualifier: None };
    };
    if found.is_empty() {
        // A key or heading may have dots in its own name.
        found = all_of(snapshot, bare(name), keep);
        return Definitions { found, unmatched_qualifier: None };
    }
    let ends = |full: String| format!(".{full}").ends_with(&format!(".{asked}"));
    // `tokio::spawn` is a function of a module that `tokio` exports again.
    let owner = qualifier.rsplit('.').next().unwrap_or(qualifier);
    let below = |it: &Definition| {
        !dotted(&it.symbol).contains('.')
            && it.path.split('/').any(|part| part.replace('-', "_") == owner)
    };
    let fits: [&dyn Fn(&Definition) -> bool; 3] =
        [&|it| ends(dotted(&it.symbol)), &|it| places(it).into_iter().any(ends), &below];
    if let Some(fit) = fits.into_iter().find(|fit| found.iter().any(*fit)) {
        found.retain(fit);
        return Definitions { found, unmatched_qualifier: None };
    }
    Definitions { found, unmatched_qualifier: Some(qualifier.to_owned()) }
}

/// All definitions of a name without a qualifier.
fn all_of(snapshot: &Snapshot, name: &str, keep: &dyn Fn(FileId) -> bool) -> Vec<Definition> {
    let mut sites = snapshot.definitions(name);
    sites.retain(|it| keep(it.file));
    let in_file = |sites: &[DefinitionSite]| {
        let file = OpenFile::new(snapshot, sites[0].file);
        sites.iter().filter_map(|it| file.definition(it.definition)).collect::<Vec<_>>()
    };
    let by_file = sites.chunk_by(|a, b| a.file == b.file);
    let mut found: Vec<Definition> = by_file.flat_map(in_file).collect();
    let known = PresentFacts::new(snapshot);
    precise::mark(&known, &mut found);
    found.extend(precise::unseen(&known, name, keep, &found));
    let files = retrieve::files_called(snapshot, name).into_iter().filter(|it| keep(*it));
    found.extend(files.map(|it| whole_file(snapshot, it, name)));
    if found.is_empty() {
        found = resources(snapshot, name, keep);
    }
    let role =
        |it: &Definition| snapshot.file(&it.path).map_or(0, |it| place_of(snapshot.role(it)));
    sort_by_key(&mut found, |it| (it.kind == Kind::Section, role(it)));
    found
}

/// Order of the files of definitions.
fn place_of(role: FileRole) -> u8 {
    match role {
        FileRole::Code => 0,
        FileRole::Gathering => 1,
        FileRole::Test => 2,
        FileRole::Periphery => 3,
        FileRole::Prose | FileRole::Data => 4,
        FileRole::ThirdParty => 5,
    }
}

/// The resources and data of Terraform with this type: `resource "aws_vpc" "this"` for `aws_vpc`.
fn resources(snapshot: &Snapshot, name: &str, keep: &dyn Fn(FileId) -> bool) -> Vec<Definition> {
    let is_one = |it: &FileId| keep(*it) && snapshot.language(*it) == Some(Language::Hcl);
    let files = snapshot.references(name).into_iter().map(|it| it.0).filter(is_one);
    let in_file = |file: FileId| {
        let open = OpenFile::new(snapshot, file);
        let definitions = (0..).zip(&open.record.symbols.definitions);
        let is_own = |it: &Span| it.of(&open.text) == name;
        let own = definitions.filter(|(_, it)| it.qualifier.as_ref().is_some_and(is_own));
        own.filter_map(|it| open.definition(it.0)).collect::<Vec<_>>()
    };
    files.flat_map(in_file).collect()
}

/// A definition's name after the names of its directories and file, as in languages with modules; in Terraform after
/// the word that a use begins with.
fn places(it: &Definition) -> [String; 2] {
    if it.path.rsplit('.').next() == Some("tf") {
        let uses = match it.kind {
            Kind::Class => ["data", "resource"],
            Kind::Module => ["module", "provider"],
            _ => ["var", "local"],
        };
        return uses.map(|word| format!("{word}.{}", it.symbol));
    }
    let path = it.path.replace('-', "_");
    let (directory, file) = path.rsplit_once('/').unwrap_or(("", &path));
    let stem = file.split('.').next().unwrap_or(file);
    let directory = directory.replace('/', ".");
    let symbol = dotted(&it.symbol);
    [format!("{directory}.{symbol}"), format!("{directory}.{stem}.{symbol}")]
}

/// The name itself of `a.b`, `a::b` or `a#b()`.
pub fn last_part(name: &str) -> &str {
    let bare = bare(name);
    bare.rsplit(['.', ':', '#', '\\']).find(|it| !it.is_empty()).unwrap_or(bare)
}

fn bare(name: &str) -> &str {
    name.trim().trim_end_matches("()")
}

/// A name with dots as separators.
fn dotted(name: &str) -> String {
    let name = bare(name).replace("->", ".").replace(['#', '\\', ':'], ".");
    name.split('.').filter(|it| !it.is_empty()).collect::<Vec<_>>().join(".")
}

/// Files of programming languages that have no syntax tree, so that definitions and uses in them may be missing.
pub struct WithoutTree {
    /// The first of their paths.
    pub paths: Vec<String>,
    /// Number of files.
    pub total: usize,
}

impl WithoutTree {
    /// Checks every file; for empty answers.
    pub fn of(snapshot: &Snapshot) -> Self {
        let is_one = |it: &FileId| {
            snapshot.language(*it).is_some_and(Language::is_code)
                && snapshot.outcome(*it) != ParseOutcome::Parsed
        };
        let files: Vec<FileId> = snapshot.files().filter(is_one).collect();
        let paths = files.iter().take(5).map(|it| snapshot.path(*it).to_owned()).collect();
        Self { paths, total: files.len() }
    }

    /// A note; `None` if every file was parsed.
    pub fn note(&self) -> Option<String> {
        let (n, them) = match self.total {
            0 => return None,
            1 => ("1 file was".to_owned(), "its"),
            n => (format!("{n} files were"), "their"),
        };
        let more = if self.total > self.paths.len() { ", …" } else { "" };
        let paths = self.paths.join(", ");
        Some(format!("{n} not parsed, and {them} symbols are guessed by lines: {paths}{more}"))
    }
}

/// A note where no definition of a name is seen. Without uses it lists lines that have the name: arguments of a macro that
/// defines it, texts, comments. With uses it lists the lines of macros of C and C++ that may define it:
/// `RB_HEAD(tree, node)`. `None` where no such line is found.
pub fn unseen(snapshot: &Snapshot, name: &str, n_uses: usize) -> Option<String> {
    let name = last_part(name);
    let is_used = n_uses > 0;
    if is_used && !name.chars().all(|it| it.is_alphanumeric() || it == '_') {
        return None;
    }
    // Only there does a call of a macro define names at the beginning of a line.
    let is_c = |it: FileId| matches!(snapshot.language(it), Some(Language::C | Language::Cpp));
    let macros = format!(r"^[A-Z_][A-Z0-9_]*\((?:[^)\n]*\W)?{name}\b");
    let request = GrepRequest {
        pattern: if is_used { &macros } else { name },
        regex: is_used,
        case: Case::Sensitive,
        word: !is_used,
        keep: if is_used { Some(&is_c) } else { None },
        limit: MAX_MENTIONS,
        context: 0,
        most_bytes: None,
    };
    let found = grep(snapshot, &request).ok().filter(|it| it.total > 0)?;
    let places: Vec<String> =
        found.matches.iter().map(|it| format!("{}:{}", it.path, it.line)).collect();
    let more = if found.total > places.len() { ", …" } else { "" };
    let lines =
        if found.total == 1 { "1 line has".into() } else { format!("{} lines have", found.total) };
    let where_seen = if is_used {
        "in a macro that may define it; no definition is seen"
    } else {
        "where no definition is seen (a macro, a text or a comment)"
    };
    Some(format!("{lines} it {where_seen}: {}{more}", places.join(", ")))
}

/// Uses of a name that refer to some definitions.
pub struct Uses {
    /// The first of them: sure ones before possible ones, then by path and line.
    pub found: Vec<Use>,
    /// Number of sure ones.
    pub sure: usize,
    /// Number of possible ones.
    pub possible: usize,
    /// What implements or overrides the definitions, by SCIP indexes.
    pub implementations: Vec<Definition>,
    /// How far they rest on SCIP indexes; `None` where there are none.
    pub precision: Option<Precision>,
}

impl Uses {
    /// Number of all uses.
    pub fn total(&self) -> usize {
        self.sure + self.possible
    }
}

/// The uses of `name` in files that `keep` accepts that refer to one of the definitions, at most `limit`. Where no
/// definition is code every use of the name counts.
pub fn uses(
    snapshot: &Snapshot,
    name: &str,
    definitions: &[Definition],
    keep: &dyn Fn(FileId) -> bool,
    limit: usize,
) -> Uses {
    let code = definitions.iter().filter(|it| it.kind != Kind::Section);
    let by_syntax = code.filter(|it| it.site.is_some() || it.fact.is_none());
    let (files, others): (Vec<_>, Vec<_>) = by_syntax.partition(|it| it.whole.is_some());
    let mut sites = Vec::new();
    if !others.is_empty() || files.is_empty() {
        let targets: Option<Vec<DefinitionSite>> = others.into_iter().map(|it| it.site).collect();
        let targets = targets.unwrap_or_default();
        let (users, reads) = retrieve::uses(snapshot, name, &targets, keep);
        sites.extend(users.iter().map(Site::of));
        sites.extend(reads.into_iter().map(Site::read));
    }
    for file in files.iter().filter_map(|it| it.whole) {
        sites.extend(retrieve::users_of_file(snapshot, file, keep).iter().map(Site::of_file));
    }
    sort_by_key(&mut sites, |it| (it.certainty, it.file, it.name.start));
    sites.dedup_by_key(|it| (it.file, it.name));
    let known = PresentFacts::new(snapshot);
    let implementations = precise::implementations(&known, definitions, keep);
    let (users, precision) = precise::refine(&known, definitions, keep, sites);
    let sure = users.iter().filter(|it| it.certainty == Certainty::Sure).count();
    let possible = users.len() - sure;
    let found = shown(snapshot, &users[..limit.min(users.len())]);
    Uses { found, sure, possible, implementations, precision }
}

/// Uses with their lines.
fn shown(snapshot: &Snapshot, sites: &[Site]) -> Vec<Use> {
    let mut found = Vec::new();
    let place = |it: &Site| (it.file, it.name.start);
    // The certain ones come first, each kind in the order of files and places.
    for group in sites.chunk_by(|a, b| a.file == b.file && place(a) <= place(b)) {
        let open = OpenFile::new(snapshot, group[0].file);
        let mut enclosing = open.record.symbols.enclosing_in_order();
        let mut before = None;
        for it in group {
            let around = enclosing(it.name.start as usize);
            found.push(open.use_at(it, around, &mut before));
        }
    }
    found
}

/// The contents of a file, opened once for all its definitions and uses.
struct OpenFile<'s> {
    file: FileId,
    path: &'s str,
    text: Arc<str>,
    record: Arc<FileRecord>,
    lines: LineIndex,
}

impl<'s> OpenFile<'s> {
    fn new(snapshot: &'s Snapshot, file: FileId) -> Self {
        let (text, record) = snapshot.contents(file);
        let lines = LineIndex::new(text.as_bytes());
        Self { file, path: snapshot.path(file), text, record, lines }
    }

    fn definition(&self, idx: u32) -> Option<Definition> {
        let it = self.record.symbols.definitions.get(idx as usize)?;
        let (start_line, end_line) = self.lines.lines_of(it.span);
        Some(Definition {
            path: self.path.to_owned(),
            start_line,
            end_line,
            symbol: self.record.dotted_name(&self.text, idx),
            kind: it.kind,
            signature: one_line(it.signature.of(&self.text)),
            depth: self.record.symbols.ancestors(it.parent).count(),
            span: it.span,
            source: Source::Syntax,
            fact: None,
            whole: None,
            site: Some(DefinitionSite {
                file: self.file,
                definition: idx,
                chunk: self.record.chunk_at(it.name.start as usize).unwrap_or_default(),
                kind: it.kind,
            }),
        })
    }

    /// A use. `before` is the place before it, as line, byte and column, so that a long line is read once.
    fn use_at(
        &self,
        it: &Site,
        around: Option<u32>,
        before: &mut Option<(u32, usize, usize)>,
    ) -> Use {
        let at = it.name.start as usize;
        let line = self.lines.line_of(at);
        let start = self.lines.start_of(line);
        let known = before.filter(|it| it.0 == line).unwrap_or((line, start, 0));
        let column = known.2 + self.text[known.1..at].chars().count();
        *before = Some((line, at, column));
        let end = self.lines.start_of(line + 1).min(self.text.len());
        let first = match end - start > MAX_LINE_CHARS {
            true => start.max(at.saturating_sub(MAX_LINE_CHARS / 2)),
            false => start,
        };
        let last = self.text.floor_char_boundary(end.min(first + MAX_LINE_CHARS));
        let first = self.text.floor_char_boundary(first);
        let shown = self.text[first..last].lines().next().unwrap_or_default();
        Use {
            path: self.path.to_owned(),
            line,
            column: column + 1,
            kind: it.kind,
            symbol: around.map(|it| self.record.dotted_name(&self.text, it)).unwrap_or_default(),
            text: shown.trim().to_owned(),
            certainty: it.certainty,
            source: it.source,
            start: first + shown.len() - shown.trim_start().len(),
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn kind_name<S: Serializer>(kind: &Kind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.name())
}

#[expect(
    clippy::ref_option,
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn reference_kind_name<S: Serializer>(
    kind: &Option<ReferenceKind>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(use_kind(*kind))
}

/// The kind of a use in one word: `call`, `type`, `base`, `other`.
pub fn use_kind(kind: Option<ReferenceKind>) -> &'static str {
    kind.map_or("other", ReferenceKind::name)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn certainty_name<S: Serializer>(it: &Certainty, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(it.name())
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
