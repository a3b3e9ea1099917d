//! `foreword index --scip FILE`: imports SCIP indexes, and `index.scip` at the root by itself.

use std::path::Path;

use anyhow::Context as _;
use foreword_engine::index::{Refusal, ScipImport, Snapshot, Store};
use foreword_load::{Workspace, import_scip, own_scip};
use serde::Serialize;

use super::super::args::IndexArgs;
use super::super::config::Settings;
use super::super::output;

/// Refused documents that are listed in text.
const MAX_SHOWN: usize = 5;

/// An imported SCIP index in `index --json`.
#[derive(Serialize)]
pub(super) struct ScipOutput {
    file: String,
    tool: String,
    version: String,
    documents: usize,
    accepted: usize,
    refused: usize,
    /// Names in the accepted documents.
    names: usize,
    refusals: Vec<RefusalOutput>,
}

#[derive(Serialize)]
struct RefusalOutput {
    path: String,
    reason: String,
}

/// Imports the indexes that were named, or else the one at the root. One that was named and cannot be used is an error;
/// what it would replace stays.
pub(super) fn import(
    args: &IndexArgs,
    settings: &Settings,
    workspace: &Workspace,
    store: &Store,
    snapshot: &Snapshot,
) -> anyhow::Result<Vec<ScipOutput>> {
    let import = |path: &Path| {
        let found = import_scip(workspace, store, snapshot, path);
        let found = found.with_context(|| format!("{} was not imported", path.display()))?;
        anyhow::Ok(ScipOutput::new(path, found))
    };
    if !args.scip.is_empty() {
        return args.scip.iter().map(|it| import(it)).collect();
    }
    let Some(own) = own_scip(workspace) else { return Ok(Vec::new()) };
    match import(&own) {
        Ok(it) => Ok(vec![it]),
        Err(error) => {
            if !settings.quiet {
                output::note(&output::plain(&format!("{error:#}")));
            }
            Ok(Vec::new())
        }
    }
}

impl ScipOutput {
    fn new(path: &Path, it: ScipImport) -> Self {
        let refusal = |Refusal { path, reason }: Refusal| RefusalOutput { path, reason };
        Self {
            file: path.display().to_string(),
            tool: it.tool,
            version: it.version,
            documents: it.documents,
            accepted: it.accepted,
            refused: it.refused,
            names: it.occurrences,
            refusals: it.refusals.into_iter().map(refusal).collect(),
        }
    }

    pub(super) fn text(&self) -> String {
        let Self { documents, accepted, refused, names, .. } = self;
        let mut text = format!(
            "precise: {accepted} of {documents} files by {} {}, {names} names\n",
            output::plain(&self.tool),
            output::plain(&self.version),
        );
        for it in self.refusals.iter().take(MAX_SHOWN) {
            text.push_str(&format!(
                "  not {}: {}\n",
                output::path(&it.path),
                output::plain(&it.reason)
            ));
        }
        if *refused > MAX_SHOWN {
            text.push_str(&format!("  and {} more\n", refused - MAX_SHOWN));
        }
        text
    }
}
