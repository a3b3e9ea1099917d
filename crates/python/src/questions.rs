//! Questions whose answers are plain dicts, in the shapes of `--json` (docs/json.md): a name, a file, likely edits, evidence.

use foreword_engine::ask::{AskRequest, EvidenceSet, gather};
use foreword_engine::fuzzy;
use foreword_engine::index::{FileId, Snapshot};
use foreword_session::answer::next::{LikelyPlaces, PlaceQuery, likely};
use foreword_session::answer::symbols;
use foreword_session::answer::tokens;
use foreword_session::ask::output::{evidence, kinds, strength};
use foreword_session::ask::verdict::missing;
use foreword_session::custom::Adjustments;
use foreword_session::embedding::QuestionMeaning;
use foreword_session::filter::Filter;
use foreword_session::host::PastChanges;
use foreword_session::usage::check_length;
use pyo3::exceptions::{PyFileNotFoundError, PyIndexError, PyRuntimeError};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::index::{IndexedDirectory, error_of};

/// Maximum number of names that an answer without results offers.
const MAX_SIMILAR: usize = 5;

/// The definitions and uses of a name.
pub(crate) fn name(snapshot: &Snapshot, name: &str, limit: usize) -> PyResult<Value> {
    check_length("name", name).map_err(|it| error_of(&it))?;
    let definitions = symbols::definitions(snapshot, name, &|_| true);
    let mut notes: Vec<String> = definitions.note(name).into_iter().collect();
    let used = symbols::last_part(name);
    let uses = symbols::uses(snapshot, used, &definitions.found, &|_| true, limit);
    let is_unseen = definitions.found.is_empty();
    let is_empty = is_unseen && uses.total() == 0;
    notes.extend(is_unseen.then(|| symbols::unseen(snapshot, name, uses.total())).flatten());
    let similar = if is_empty { fuzzy::similar(snapshot, name, MAX_SIMILAR) } else { Vec::new() };
    Ok(json!({
        "name": name,
        "definitions": definitions.found,
        "implementations": uses.implementations,
        "total_references": uses.total(),
        "possible_references": uses.possible,
        "references": uses.found,
        "precise": uses.precision,
        "notes": notes,
        "similar": similar.into_iter().map(|it| it.name).collect::<Vec<_>>(),
    }))
}

/// The imports and definitions of a file.
pub(crate) fn outline(snapshot: &Snapshot, path: &str) -> PyResult<Value> {
    let symbols::Outline { language, imports, definitions } =
        symbols::outline(snapshot, file(snapshot, path)?);
    Ok(json!({
        "path": path, "language": language, "imports": imports, "definitions": definitions,
    }))
}

fn file(snapshot: &Snapshot, path: &str) -> PyResult<FileId> {
    snapshot.file(path).ok_or_else(|| {
        PyFileNotFoundError::new_err(format!(
            "{path}: not in the index: it does not exist, is ignored, or is no source file"
        ))
    })
}

impl IndexedDirectory {
    /// The likely places of the next edit.
    pub(crate) fn next(
        &self,
        snapshot: &Snapshot,
        cursor: Option<(&str, usize)>,
        limit: usize,
    ) -> PyResult<Value> {
        let cursor = cursor.map(|(path, line)| {
            let lines = snapshot.size(file(snapshot, path)?).1.max(1);
            match u32::try_from(line).ok().filter(|it| (1..=lines + 1).contains(it)) {
                Some(line) => Ok((path, line)),
                None => {
                    Err(PyIndexError::new_err(format!("{path}:{line}: the file has {lines} lines")))
                }
            }
        });
        let wanted =
            PlaceQuery { cursor: cursor.transpose()?, limit, written: &[], least: Some(0.0) };
        let past = PastChanges::new(self.store.workspace_dir());
        let LikelyPlaces { edits, places, note, .. } =
            likely(snapshot, &self.workspace, &past, &wanted);
        Ok(json!({ "edits": edits, "places": places, "note": note }))
    }

    /// The evidence for a question, without a chat model.
    pub(crate) fn ask(
        &self,
        snapshot: &Snapshot,
        question: &str,
        tokens: usize,
    ) -> PyResult<Value> {
        let failed = |it: &anyhow::Error| error_of(it);
        check_length("question", question).map_err(|it| failed(&it))?;
        let adjustments = Adjustments::new(&self.setup, &self.workspace, snapshot, &[]);
        let adjustments = adjustments.map_err(|it| failed(&it))?;
        let meaning = self.embedding.as_ref().map(|it| it.meaning(snapshot, question));
        let counter = tokens::general().map_err(|it| failed(&it))?;
        let request = AskRequest {
            meanings: meaning.as_ref().and_then(QuestionMeaning::meanings),
            question,
            repository: &self.workspace.name,
            tokens,
            ..AskRequest::default()
        };
        let count = |text: &str| counter.count(text);
        let gathered: EvidenceSet =
            adjustments
                .apply(&request, snapshot, &Filter::default(), |it| gather(snapshot, &it, &count));
        let value = |it: Result<Value, serde_json::Error>| {
            it.map_err(|it| PyRuntimeError::new_err(it.to_string()))
        };
        Ok(json!({
            "question": question,
            "kinds": kinds(&gathered.kinds),
            "messages": gathered.messages,
            "strength": value(serde_json::to_value(strength(&gathered.strength)))?,
            "missing": missing(snapshot, &gathered),
            "evidence": value(serde_json::to_value(evidence(&gathered.evidence)))?,
        }))
    }
}
