//! The definitions and uses of a name, and the outline of a file.

use foreword_chunk::{Import, Kind, Language, LineIndex, ParseOutcome, ReferenceKind, Span};
use foreword_engine::index::{DefinitionSite, FileId, Snapshot};
use foreword_engine::retrieve::{Certainty, users};
use foreword_engine::sorting::sort_by_key;
use serde::{Serialize, Serializer};

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
    /// Its bytes in the file.
    #[serde(skip)]
    pub span: Span,
    /// Its place in the index; `None` for a file that is the definition.
    #[serde(skip)]
    pub(crate) site: Option<DefinitionSite>,
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
    /// How the name is used.
    #[serde(serialize_with = "reference_kind_name")]
    pub kind: ReferenceKind,
    /// The innermost definition around it; empty when there is none.
    pub symbol: String,
    /// The line, trimmed.
    pub text: String,
    /// How sure it is that it refers to the definitions.
    #[serde(rename = "match", serialize_with = "certainty_name")]
    pub certainty: Certainty,
    /// The byte of the file at which `text` starts.
    #[serde(skip)]
    pub start: usize,
}

/// The definitions and imports of a file.
pub struct Outline {
    /// The name of the language, if it is known.
    pub language: Option<&'static str>,
    /// The imports, each on one line.
    pub imports: Vec<String>,
    /// The definitions, in order.
    pub definitions: Vec<Definition>,
}

/// The definitions of a name, and whether they match its qualifier.
pub struct Definitions {
    /// By path and position, headings of documents last.
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
    let all = |name: &str| -> Vec<Definition> {
        let sites = snapshot.definitions(name).into_iter().filter(|it| keep(it.file));
        let mut found: Vec<Definition> =
            sites.filter_map(|it| definition(snapshot, it.file, it.definition)).collect();
        found.extend(components(snapshot, name, keep));
        if found.is_empty() {
            found = resources(snapshot, name, keep);
        }
        // Headings of documents come last.
        sort_by_key(&mut found, |it| it.kind == Kind::Section);
        found
    };
    let mut found = all(last_part(name));
    let asked = dotted(name);
    let Some((qualifier, _)) = asked.rsplit_once('.').filter(|it| !it.0.is_empty()) else {
        return Definitions { found, unmatched_qualifier: None };
    };
    if found.is_empty() {
        // A key or heading may have dots in its own name.
        found = all(bare(name));
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

/// The components and partial templates that files of this name are: `Button.vue`, `_form.html.erb` (also as `form`).
fn components(snapshot: &Snapshot, name: &str, keep: &dyn Fn(FileId) -> bool) -> Vec<Definition> {
    let component = |file: FileId| {
        let path = snapshot.path(file);
        let text = snapshot.text(file);
        let is_partial = path.rsplit('/').next().is_some_and(|it| it.starts_with('_'));
        let what = match snapshot.language(file)? {
            Language::Vue | Language::Svelte | Language::Astro => "component",
            Language::Erb if is_partial => "partial template",
            _ => return None,
        };
        Some(Definition {
            path: path.to_owned(),
            start_line: 1,
            end_line: LineIndex::new(text.as_bytes()).count(),
            symbol: name.to_owned(),
            kind: Kind::Class,
            signature: format!("{what} {name}"),
            depth: 0,
            span: Span::new(0, text.len()),
            site: None,
        })
    };
    let stems = [name.to_owned(), format!("_{name}")];
    let files = stems.iter().flat_map(|it| snapshot.files_of_stem(it));
    files.filter(|it| keep(*it)).filter_map(component).collect()
}

/// The resources and data of Terraform with this type: `resource "aws_vpc" "this"` for `aws_vpc`.
fn resources(snapshot: &Snapshot, name: &str, keep: &dyn Fn(FileId) -> bool) -> Vec<Definition> {
    let is_one = |it: &FileId| keep(*it) && snapshot.language(*it) == Some(Language::Hcl);
    let files = snapshot.references(name).into_iter().map(|it| it.0).filter(is_one);
    let in_file = |file: FileId| {
        let (text, record) = snapshot.contents(file);
        let definitions = (0..).zip(&record.symbols.definitions);
        let own = definitions.filter(|(_, it)| it.qualifier.is_some_and(|it| it.of(&text) == name));
        let own: Vec<u32> = own.map(|it| it.0).collect();
        own.into_iter().filter_map(move |idx| definition(snapshot, file, idx))
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

/// Uses of a name that refer to some definitions.
pub struct Uses {
    /// The first of them: sure ones before possible ones, then by path and line.
    pub found: Vec<Use>,
    /// Number of sure ones.
    pub sure: usize,
    /// Number of possible ones.
    pub possible: usize,
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
    let targets: Option<Vec<DefinitionSite>> = code.map(|it| it.site).collect();
    let users = users(snapshot, name, &targets.unwrap_or_default(), keep);
    let sure = users.iter().filter(|it| it.certainty == Certainty::Sure).count();
    let possible = users.len() - sure;
    let mut file: Option<(FileId, LineIndex)> = None;
    let mut found = Vec::new();
    for it in users.iter().take(limit) {
        let (text, record) = snapshot.contents(it.file);
        let known = file.take().filter(|known| known.0 == it.file);
        let (_, lines) = file.insert(known.unwrap_or((it.file, LineIndex::new(text.as_bytes()))));
        let at = it.reference.name.start as usize;
        let line = lines.line_of(at);
        let line_start = lines.start_of(line);
        let line_text = text[line_start..].lines().next().unwrap_or_default();
        let around = record.symbols.enclosing(at);
        found.push(Use {
            path: snapshot.path(it.file).to_owned(),
            line,
            column: text[line_start..at].chars().count() + 1,
            kind: it.reference.kind,
            symbol: around.map(|idx| record.dotted_name(&text, idx)).unwrap_or_default(),
            text: line_text.trim().to_owned(),
            certainty: it.certainty,
            start: line_start + line_text.len() - line_text.trim_start().len(),
        });
    }
    Uses { found, sure, possible }
}

/// The outline of a file.
pub fn outline(snapshot: &Snapshot, file: FileId) -> Outline {
    let (text, record) = snapshot.contents(file);
    let n = record.symbols.definitions.len() as u32;
    let import = |it: &Import| one_line(it.span.of(&text));
    Outline {
        language: record.language.map(Language::name),
        imports: record.symbols.imports.iter().map(import).collect(),
        definitions: (0..n).filter_map(|idx| definition(snapshot, file, idx)).collect(),
    }
}

fn definition(snapshot: &Snapshot, file: FileId, idx: u32) -> Option<Definition> {
    let (text, record) = snapshot.contents(file);
    let it = record.symbols.definitions.get(idx as usize)?;
    let (start_line, end_line) = LineIndex::new(text.as_bytes()).lines_of(it.span);
    Some(Definition {
        path: snapshot.path(file).to_owned(),
        start_line,
        end_line,
        symbol: record.dotted_name(&text, idx),
        kind: it.kind,
        signature: one_line(it.signature.of(&text)),
        depth: record.symbols.ancestors(it.parent).count(),
        span: it.span,
        site: Some(DefinitionSite {
            file,
            definition: idx,
            chunk: record.chunk_at(it.name.start as usize).unwrap_or_default(),
            kind: it.kind,
        }),
    })
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn kind_name<S: Serializer>(kind: &Kind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.name())
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn reference_kind_name<S: Serializer>(
    kind: &ReferenceKind,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.name())
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn certainty_name<S: Serializer>(it: &Certainty, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(it.name())
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
