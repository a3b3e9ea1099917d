//! JSON of `symbols --file`, `symbols --at` and `map`, for the command line and the server.

use std::time::Instant;

use foreword_engine::index::Snapshot;
use foreword_engine::map::Map;
use foreword_session::answer::map::{self, File};
use foreword_session::answer::symbols::{At, Definition, Outline, Use};
use serde::Serialize;

/// JSON of `symbols --file --json` (docs/json.md).
#[derive(Serialize)]
pub(crate) struct OutlineOutput<'s> {
    pub(crate) version: u32,
    pub(crate) snapshot: &'s str,
    pub(crate) path: &'s str,
    pub(crate) language: Option<&'static str>,
    pub(crate) imports: Vec<String>,
    pub(crate) definitions: Vec<Definition>,
    /// Uses of a component or template as a whole.
    pub(crate) references: Vec<Use>,
}

/// JSON of `symbols --at --json` (docs/json.md).
#[derive(Serialize)]
pub(crate) struct PlacesOutput<'s> {
    pub(crate) version: u32,
    pub(crate) snapshot: &'s str,
    pub(crate) complete: bool,
    pub(crate) places: Vec<PlaceOutput<'s>>,
    pub(crate) elapsed_ms: f64,
}

/// The definitions of the name at a place.
#[derive(Serialize)]
pub(crate) struct PlaceOutput<'s> {
    /// The place, as it was asked.
    pub(crate) at: &'s str,
    #[serde(flatten)]
    pub(crate) found: &'s At,
}

/// JSON of `map --json` (docs/json.md).
#[derive(Serialize)]
pub(crate) struct MapOutput<'s> {
    version: u32,
    snapshot: &'s str,
    complete: bool,
    tokens: usize,
    budget: usize,
    files_total: usize,
    files_shown: usize,
    definitions_total: usize,
    definitions_shown: usize,
    files: Vec<File>,
    text: &'s str,
    elapsed_ms: f64,
}

impl<'o> OutlineOutput<'o> {
    pub(crate) fn new(
        snapshot: &'o Snapshot,
        path: &'o str,
        (outline, references): (Outline, Vec<Use>),
    ) -> Self {
        let Outline { language, imports, definitions } = outline;
        Self {
            version: 1,
            snapshot: snapshot.id(),
            path,
            language,
            imports,
            definitions,
            references,
        }
    }
}

impl<'o> PlacesOutput<'o> {
    pub(crate) fn new(
        snapshot: &'o Snapshot,
        places: impl Iterator<Item = (&'o str, &'o At)>,
        start: Instant,
    ) -> Self {
        Self {
            version: 1,
            snapshot: snapshot.id(),
            complete: snapshot.is_complete(),
            places: places.map(|(at, found)| PlaceOutput { at, found }).collect(),
            elapsed_ms: start.elapsed().as_secs_f64() * 1e3,
        }
    }
}

impl<'o> MapOutput<'o> {
    /// A map within a budget of tokens.
    pub(crate) fn new(snapshot: &'o Snapshot, map: &'o Map, budget: usize, start: Instant) -> Self {
        Self {
            version: 1,
            snapshot: snapshot.id(),
            complete: snapshot.is_complete(),
            tokens: map.tokens,
            budget,
            files_total: map.files_total,
            files_shown: map.files_shown,
            definitions_total: map.definitions_total,
            definitions_shown: map.definitions_shown,
            files: map::files(map),
            text: &map.text,
            elapsed_ms: start.elapsed().as_secs_f64() * 1e3,
        }
    }
}
