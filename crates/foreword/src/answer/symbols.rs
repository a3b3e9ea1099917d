//! The definitions and uses of a name, and the outline of a file.

use foreword_chunk::{Import, Kind, LineIndex, ReferenceKind, Span};
use foreword_engine::index::{FileId, Snapshot};
use serde::{Serialize, Serializer};

/// A definition.
#[derive(Serialize)]
pub(crate) struct Definition {
    pub(crate) path: String,
    pub(crate) start_line: u32,
    pub(crate) end_line: u32,
    pub(crate) symbol: String,
    #[serde(serialize_with = "kind_name")]
    pub(crate) kind: Kind,
    pub(crate) signature: String,
    pub(crate) depth: usize,
    /// Its bytes in the file.
    #[serde(skip)]
    pub(crate) span: Span,
}

/// A use of a name.
#[derive(Serialize)]
pub(crate) struct Use {
    pub(crate) path: String,
    pub(crate) line: u32,
    pub(crate) column: usize,
    #[serde(serialize_with = "reference_kind_name")]
    pub(crate) kind: ReferenceKind,
    /// The innermost definition around it; empty when there is none.
    pub(crate) symbol: String,
    /// The line, trimmed.
    pub(crate) text: String,
    /// The byte of the file at which `text` starts.
    #[serde(skip)]
    pub(crate) start: usize,
}

/// What a file defines and imports.
pub(crate) struct Outline {
    pub(crate) language: Option<&'static str>,
    pub(crate) imports: Vec<String>,
    pub(crate) definitions: Vec<Definition>,
}

/// The definitions of a name in files that `keep` accepts, by path and position. The name of `a.b` and `a::b` is the last
/// part; when some of the definitions lie in an `a`, only those are returned.
pub(crate) fn definitions(
    snapshot: &Snapshot,
    name: &str,
    keep: &dyn Fn(FileId) -> bool,
) -> Vec<Definition> {
    let found = snapshot.definitions(last_part(name)).into_iter().filter(|it| keep(it.file));
    let mut definitions: Vec<Definition> =
        found.filter_map(|it| definition(snapshot, it.file, it.definition)).collect();
    let dotted = format!(".{}", bare(name).replace("::", ".").replace('#', "."));
    let is_qualified =
        |it: &Definition| format!(".{}", it.symbol.replace("::", ".")).ends_with(&dotted);
    if definitions.iter().any(is_qualified) {
        definitions.retain(is_qualified);
    }
    definitions
}

/// The name itself of `a.b`, `a::b` or `a#b()`.
pub(crate) fn last_part(name: &str) -> &str {
    let bare = bare(name);
    bare.rsplit(['.', ':', '#']).find(|it| !it.is_empty()).unwrap_or(bare)
}

fn bare(name: &str) -> &str {
    name.trim().trim_end_matches("()")
}

/// The first `limit` uses of a name in files that `keep` accepts, by path and line, and how many there are in all.
pub(crate) fn uses(
    snapshot: &Snapshot,
    name: &str,
    keep: &dyn Fn(FileId) -> bool,
    limit: usize,
) -> (Vec<Use>, usize) {
    let mut res = Vec::new();
    let mut total = 0;
    for (file, _) in snapshot.references(name).into_iter().filter(|it| keep(it.0)) {
        let (text, record) = snapshot.contents(file);
        let lines = LineIndex::new(text.as_bytes());
        let references = snapshot.references_in(file);
        let hits = references.iter().filter(|it| it.name.of(&text) == name);
        for hit in hits {
            total += 1;
            if res.len() < limit {
                let at = hit.name.start as usize;
                let line = lines.line_of(at);
                let line_start = lines.start_of(line);
                let line_text = text[line_start..].lines().next().unwrap_or_default();
                let around = record.symbols.enclosing(at);
                res.push(Use {
                    path: snapshot.path(file).to_owned(),
                    line,
                    column: text[line_start..at].chars().count() + 1,
                    kind: hit.kind,
                    symbol: around.map(|idx| record.dotted_name(&text, idx)).unwrap_or_default(),
                    text: line_text.trim().to_owned(),
                    start: line_start + line_text.len() - line_text.trim_start().len(),
                });
            }
        }
    }
    (res, total)
}

/// The outline of a file.
pub(crate) fn outline(snapshot: &Snapshot, file: FileId) -> Outline {
    let (text, record) = snapshot.contents(file);
    let n = record.symbols.definitions.len() as u32;
    let import = |it: &Import| one_line(it.span.of(&text));
    Outline {
        language: record.language.map(foreword_chunk::Language::name),
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

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
