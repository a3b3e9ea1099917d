//! Where a name is defined and used in one repository, as `symbols NAME --json` prints it.

use std::time::Instant;

use foreword_engine::index::Snapshot;
use foreword_session::answer::symbols::precise::Precision;
use foreword_session::answer::symbols::{Definition, Use, Uses};
use serde::Serialize;

/// JSON of `symbols NAME --json` (docs/json.md).
#[derive(Serialize)]
pub(crate) struct NameOutput {
    pub(crate) version: u32,
    pub(crate) snapshot: String,
    pub(crate) complete: bool,
    pub(crate) name: String,
    pub(crate) definitions: Vec<Definition>,
    /// What implements or overrides these, by SCIP indexes.
    pub(crate) implementations: Vec<Definition>,
    pub(crate) references: Vec<Use>,
    /// Number of all uses, printed or not.
    pub(crate) total_references: usize,
    /// Those of them that are not sure.
    pub(crate) possible_references: usize,
    /// How far the answer rests on SCIP indexes; `None` where none was imported.
    pub(crate) precise: Option<Precision>,
    /// Warnings: a qualifier that fits no definition, files that were not parsed.
    pub(crate) notes: Vec<String>,
    /// Names with a similar spelling, if the name is unknown.
    pub(crate) similar: Vec<String>,
    pub(crate) elapsed_ms: f64,
}

/// Definitions, uses, warnings and similar names.
pub(crate) type FoundName = (Vec<Definition>, Uses, Vec<String>, Vec<String>);

impl NameOutput {
    pub(crate) fn new(
        snapshot: &Snapshot,
        name: &str,
        (definitions, uses, notes, similar): FoundName,
        start: Instant,
    ) -> Self {
        Self {
            version: 1,
            snapshot: snapshot.id().to_owned(),
            complete: snapshot.is_complete(),
            name: name.to_owned(),
            definitions,
            total_references: uses.total(),
            possible_references: uses.possible,
            implementations: uses.implementations,
            precise: uses.precision,
            references: uses.found,
            notes,
            similar,
            elapsed_ms: start.elapsed().as_secs_f64() * 1e3,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.definitions.is_empty() && self.total_references == 0
    }
}
