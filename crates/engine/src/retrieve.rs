//! Ranked lists of chunks, one per signal; each hit has a reason.

mod dense;
mod diff;
mod head;
mod hole;
mod inputs;
mod lexical;
mod list;
mod names;
mod near;
mod passage;
pub mod query;
mod question;
mod question_query;
mod referent;
mod symbol;
pub(crate) mod words;

use crate::evidence::Signal;
use crate::sorting::sort_by;

pub(crate) use diff::diff as changed_lines;
pub use hole::hole_query;
pub(crate) use hole::text_query;
pub use inputs::{HoleInputs, Inputs};
pub use lexical::explain;
pub use list::{Hit, RankedList};
pub(crate) use names::is_builtin;
pub use names::{ImportedUse, Name, NameConfig, Reach};
pub(crate) use near::recent_files;
pub use query::{FormKind, Query, QueryConfig, QuestionWord, UnknownWord, WordForm};
pub use question::{Accept, Meanings, Prior, Question};
pub use question_query::question_query;
pub use referent::{
    Certainty, DefinitionPlace, DefinitionsAt, FileUser, NameUser, definitions_at, files_called,
    is_whole, users, users_of_file, uses, uses_of_declaration,
};
pub(crate) use referent::{UsedDefinition, call_fits, parameter_count, used_in};

/// Returns the ranked list of one signal; `None` if the signal does not apply: most need a cursor, `dense` a question.
pub fn retrieve(signal: Signal, inputs: &Inputs<'_>) -> Option<RankedList> {
    let mut hits = match (signal, inputs.hole) {
        // Already sorted, deduplicated and limited.
        (Signal::Lexical, _) => return Some(RankedList { signal, hits: lexical::lexical(inputs) }),
        (Signal::Symbol, None) => symbol::named(inputs),
        // In imports and heads of files, definitions of names that are already imported do not help.
        (Signal::Symbol, Some(hole)) if hole.scope.head.is_some() => Vec::new(),
        (Signal::Symbol, Some(hole)) => symbol::used_at_hole(inputs, &hole),
        (Signal::Graph, Some(hole)) => near::graph(inputs, &hole),
        (Signal::Package, Some(hole)) => near::package(inputs, &hole),
        (Signal::Recent, Some(hole)) => near::recent(inputs, &hole),
        (Signal::Diff, Some(hole)) => {
            diff::diff(inputs.snapshot, inputs.weighed, hole.cursor.path(), usize::MAX)
        }
        (Signal::Head, Some(hole)) => head::heads(inputs, &hole),
        (Signal::Dense, None) => dense::dense(inputs, inputs.meanings?),
        // The code to be written at a cursor has no meaning vector yet, and a plan is used without retrieval.
        (Signal::Dense, Some(_)) | (Signal::Speculated, _) => return None,
        (Signal::Graph | Signal::Package | Signal::Recent | Signal::Diff | Signal::Head, None) => {
            return None;
        }
    };
    sort_and_limit(&mut hits, inputs.limit);
    Some(RankedList { signal, hits })
}

/// Sorts hits, keeps the best one of each chunk and definition, and truncates to `limit`.
pub(crate) fn sort_and_limit(hits: &mut Vec<Hit>, limit: usize) {
    sort_by(hits, |a, b| {
        let by_score = b.score.total_cmp(&a.score);
        by_score.then_with(|| (a.chunk, a.definition).cmp(&(b.chunk, b.definition)))
    });
    let mut seen = rustc_hash::FxHashSet::default();
    hits.retain(|it| seen.insert((it.chunk, it.definition)));
    hits.truncate(limit);
}
