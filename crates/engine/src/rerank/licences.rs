//! Puts licences behind other results: their words are those of many questions, and they explain no code.

use super::RerankInputs;
use crate::fuse::Candidate;
use crate::index::states_licence;

/// Words of questions about the licence of a project.
const LICENCE_WORDS: [&str; 8] =
    ["copyright", "licence", "licenced", "license", "licensed", "licenses", "licensing", "spdx"];

/// Ranks licences last among the reranked candidates, unless the question is about the licence or names its file.
pub(super) fn put_back(inputs: &RerankInputs<'_>, candidates: &mut Vec<Candidate>) {
    let RerankInputs { snapshot, query, .. } = *inputs;
    // "copying files" is about something else; the file of that name is written in capitals.
    let names_file = query.names.iter().any(|it| it.name == "COPYING");
    if names_file || query.terms.iter().any(|it| LICENCE_WORDS.contains(&it.term.as_str())) {
        return;
    }
    let is_licence = |it: &Candidate| {
        let file = it.chunk.file;
        states_licence(snapshot.path(file)) && !query.files.contains(&file)
    };
    let (licences, mut others): (Vec<_>, Vec<_>) = candidates.drain(..).partition(is_licence);
    let lowest = others.last().map_or(f32::MAX, |it| it.score);
    others.extend(licences.into_iter().map(|mut it| {
        it.score = it.score.min(lowest);
        it
    }));
    *candidates = others;
}
