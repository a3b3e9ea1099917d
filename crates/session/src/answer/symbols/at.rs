//! The definitions of the name at a place.

use foreword_chunk::{Kind, LineIndex, Span};
use foreword_engine::index::{FileId, Snapshot};
use foreword_engine::retrieve::{DefinitionPlace, definitions_at, uses_of_declaration};
use serde::Serialize;

use super::precise::{self, Site};
use super::present::PresentFacts;
use super::{Definition, OpenFile, Source, Use, one_line, shown, whole_file};

/// Maximum characters of the line shown for a definition that the index does not list.
const MAX_SIGNATURE: usize = 200;

/// The definitions of the name at a place.
#[derive(Serialize)]
pub struct At {
    /// The name; empty where there is none.
    pub name: String,
    /// The definitions: those that are sure, or, if there are none, possible ones, likeliest first.
    pub definitions: Vec<Definition>,
    /// Whether imports, the enclosing code, the type of the receiver or a SCIP index identify them.
    pub sure: bool,
    /// What the place leads back to where it declares a route, a name, a setting, a text, a variable of the environment or a
    /// block: its uses.
    pub references: Vec<Use>,
}

/// The definitions of the name at a byte of a file.
pub fn at(snapshot: &Snapshot, file: FileId, byte: usize) -> At {
    let found = definitions_at(snapshot, file, byte);
    let name = found.name.of(&snapshot.text(file)).to_owned();
    let known = PresentFacts::new(snapshot);
    let precise = precise::definitions_at(&known, file, found.name.start);
    if !precise.is_empty() {
        return At { name, definitions: precise, sure: true, references: Vec::new() };
    }
    let sure = !found.sure.is_empty();
    let places = if sure { found.sure } else { found.possible };
    let mut definitions: Vec<Definition> =
        places.iter().filter_map(|it| definition(snapshot, &name, it)).collect();
    precise::mark(&known, &mut definitions);
    let uses = uses_of_declaration(snapshot, file, byte);
    let references = shown(snapshot, &uses.into_iter().map(Site::read).collect::<Vec<_>>());
    At { name, definitions, sure, references }
}

fn definition(snapshot: &Snapshot, word: &str, place: &DefinitionPlace) -> Option<Definition> {
    match *place {
        DefinitionPlace::Listed(site) => {
            OpenFile::new(snapshot, site.file).definition(site.definition)
        }
        DefinitionPlace::Written { file, name, owner } => {
            let owner = owner.map(|it| {
                let (text, record) = snapshot.contents(it.file);
                record.dotted_name(&text, it.definition)
            });
            Some(written(snapshot, file, name, owner))
        }
        DefinitionPlace::File(file) => Some(whole_file(snapshot, file, word)),
    }
}

/// A definition that the index does not list: its line.
fn written(snapshot: &Snapshot, file: FileId, name: Span, owner: Option<String>) -> Definition {
    let text = snapshot.text(file);
    let lines = LineIndex::new(text.as_bytes());
    let line = lines.line_of(name.start as usize);
    let end = lines.start_of(line + 1).min(text.len());
    let span = Span::new(lines.start_of(line), end);
    let word = name.of(&text);
    let kind = if owner.is_some() { Kind::Field } else { Kind::Constant };
    Definition {
        path: snapshot.path(file).to_owned(),
        start_line: line,
        end_line: line,
        depth: owner.as_ref().map_or(0, |it| it.matches('.').count() + 1),
        symbol: owner.map_or_else(|| word.to_owned(), |it| format!("{it}.{word}")),
        kind,
        signature: one_line(span.of(&text)).chars().take(MAX_SIGNATURE).collect(),
        span,
        source: Source::Syntax,
        site: None,
        fact: None,
        whole: None,
    }
}
