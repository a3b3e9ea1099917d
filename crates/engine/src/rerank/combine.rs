//! The default combiner: the fused score, multiplied by a factor per feature and raised by shares of other scores.
//!
//! It reads features and weights and writes scores and reasons. Features of the order so far (other and better hits of
//! a file) are set here, because they exist only between two passes.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::config::RerankConfig;
use super::own_file::OwnFile;
use crate::evidence::{Feature, Reason};
use crate::fuse::{Candidate, sort};
use crate::index::{ChunkId, FileId};
use crate::preset::constants::feedback::REJECTED;
use crate::preset::constants::rerank::{
    CORRECTION_SPREAD, MAX_COHERENCE, NEUTRAL_FACTOR, USUAL_LIKENESS,
};
use crate::retrieve::Query;

/// Multiplies scores by the factors of the features that do not depend on other candidates, and sorts.
pub(super) fn multiply(candidates: &mut [Candidate], query: &Query, config: &RerankConfig) {
    let graded = [
        (Feature::DefinesWords, config.defines_words),
        (Feature::DefinesName, config.defines_name),
        (Feature::FileName, config.stem),
        (Feature::PathWords, config.path),
    ];
    let tests = match query.wants_tests {
        true => 1.0 / config.tests,
        false if query.asks_for_tests => 1.0,
        false => config.tests,
    };
    let classes = [
        (Feature::NamedFile, config.named_file),
        (Feature::Test, tests),
        (Feature::Periphery, config.periphery),
        (Feature::ThirdParty, config.third_party),
        (Feature::ReExport, config.re_export),
        (Feature::Gathering, config.gathering),
        (Feature::Prose, config.prose),
        (Feature::Data, config.data),
    ];
    for it in candidates.iter_mut() {
        for (feature, factor) in graded {
            let degree = it.features.value(feature);
            scale(it, feature, 1.0 + (factor - 1.0) * degree);
        }
        for (feature, factor) in classes {
            if let Some(degree) = it.features.get(feature) {
                scale(it, feature, factor.powf(degree));
            }
        }
    }
    sort(candidates);
}

/// Weighs what a question in words finds in the definitions of the first candidates, and sorts.
pub(super) fn weigh_definitions(candidates: &mut [Candidate], config: &RerankConfig) {
    let factors = [
        (Feature::NoFunction, config.no_function),
        (Feature::AnswersByName, config.answers_by_name),
        (Feature::AnswersByText, config.answers_by_text),
    ];
    for it in candidates.iter_mut() {
        for (feature, factor) in factors {
            if let Some(degree) = it.features.get(feature) {
                scale(it, feature, factor.powf(degree));
            }
        }
    }
    sort(candidates);
}

/// Multiplies scores by factors that do not come from texts (feedback, customisation), and sorts.
pub(super) fn apply_prior(
    candidates: &mut [Candidate],
    prior: &dyn Fn(ChunkId) -> Vec<(Feature, f32)>,
) {
    for it in candidates.iter_mut() {
        for (feature, factor) in prior(it.chunk) {
            it.features.set(feature, factor);
            scale(it, feature, factor);
        }
    }
    sort(candidates);
}

/// What was voted down for the same question does not come first.
pub(super) fn demote_rejected(candidates: &mut [Candidate]) {
    let best = candidates.first().map_or(0.0, |it| it.score);
    let factor = |it: &Candidate| it.features.get(Feature::Feedback).unwrap_or(1.0);
    put_rejected_back(candidates, |it| factor(it) <= REJECTED);
    if let Some(first) = candidates.first_mut() {
        first.score = first.score.max(best);
    }
}

/// Whether a person voted a place down for the same question, by its factors.
pub(crate) fn is_rejected(factors: &[(Feature, f32)]) -> bool {
    factors.iter().any(|it| it.0 == Feature::Feedback && it.1 <= REJECTED)
}

/// Puts what was voted down behind the first other item.
pub(crate) fn put_rejected_back<T>(items: &mut [T], mut is_rejected: impl FnMut(&T) -> bool) {
    if let Some(first) = items.iter().position(|it| !is_rejected(it)) {
        items[..=first].rotate_right(1);
    }
}

/// Adds a share of the scores of a file's other hits to its best hit: a file with several hits is more likely relevant.
pub(super) fn add_other_hits(candidates: &mut [Candidate], own: &OwnFile, share: f32) {
    if share <= 0.0 {
        return;
    }
    let mut best: FxHashMap<FileId, usize> = FxHashMap::default();
    let mut others: FxHashMap<FileId, f32> = FxHashMap::default();
    for (idx, it) in candidates.iter().enumerate().filter(|it| own.counts(it.1.chunk)) {
        match best.entry(it.chunk.file) {
            Entry::Vacant(entry) => drop(entry.insert(idx)),
            Entry::Occupied(_) => *others.entry(it.chunk.file).or_default() += it.score,
        }
    }
    for (idx, it) in candidates.iter_mut().enumerate() {
        let is_best = best.get(&it.chunk.file) == Some(&idx);
        let Some(sum) = others.get(&it.chunk.file).filter(|_| is_best) else { continue };
        it.features.set(Feature::OtherHits, *sum);
        // At most doubled: a file with many weak hits must not displace a single good one.
        let factor = 1.0 + (share * sum / it.score).min(MAX_COHERENCE);
        scale(it, Feature::OtherHits, factor);
    }
    sort(candidates);
}

/// Demotes later hits of a file, so that the first results come from several files.
pub(super) fn demote_repeated_files(candidates: &mut [Candidate], own: &OwnFile, factor: f32) {
    let mut seen: FxHashMap<FileId, u16> = FxHashMap::default();
    for it in candidates.iter_mut().filter(|it| own.is_demoted(it.chunk)) {
        let better = seen.entry(it.chunk.file).or_default();
        it.features.set(Feature::BetterHits, f32::from(*better));
        let all = factor.powi(i32::from(*better));
        *better += 1;
        scale(it, Feature::BetterHits, all);
    }
    sort(candidates);
}

/// Ranks definitions of corrected names first, in the order of the corrections.
pub(super) fn put_corrections_first(candidates: &mut [Candidate], corrections: &[String]) {
    let best = candidates.first().map_or(0.0, |it| it.score);
    let place = |it: &Candidate| {
        let names = it.reasons.iter().filter_map(|it| match it {
            Reason::Defines { name } => corrections.iter().position(|known| known == name),
            _ => None,
        });
        names.min()
    };
    for it in candidates.iter_mut() {
        if let Some(place) = place(it) {
            // Scores of definitions of one name differ by less than those of two names.
            let share = it.score / best.max(f32::MIN_POSITIVE);
            it.score =
                best * (1.0 + (corrections.len() - place) as f32 + CORRECTION_SPREAD * share);
        }
    }
    sort(candidates);
}

/// Raises chunks similar to the lines before the cursor, and chunks of the cursor's file, by shares of the best score.
pub(super) fn add_likeness(candidates: &mut [Candidate], config: &RerankConfig) {
    let best = candidates.first().map_or(0.0, |it| it.score);
    for it in candidates.iter_mut() {
        if let Some(likeness) = it.features.get(Feature::Likeness) {
            let beyond_common = (likeness - USUAL_LIKENESS).max(0.0);
            // Built files are like the lines from which they are built, and say nothing more.
            let factor = config.third_party.powf(it.features.value(Feature::ThirdParty));
            raise(it, Feature::Likeness, best * config.alike * beyond_common * factor);
        }
        if let Some(is_own) = it.features.get(Feature::OwnFile) {
            raise(it, Feature::OwnFile, best * config.own_file * is_own);
        }
    }
    sort(candidates);
}

/// Whether a factor is too close to 1 to be mentioned as a reason.
pub(super) fn is_neutral(factor: f32) -> bool {
    (factor - 1.0).abs() <= NEUTRAL_FACTOR
}

fn scale(it: &mut Candidate, feature: Feature, factor: f32) {
    it.score *= factor;
    if !is_neutral(factor) {
        it.reasons.push(Reason::Feature { feature, factor });
    }
}

/// Adds to a score; the reason states the resulting factor.
fn raise(it: &mut Candidate, feature: Feature, more: f32) {
    let factor = (it.score + more) / it.score.max(f32::MIN_POSITIVE);
    it.score += more;
    if !is_neutral(factor) {
        it.reasons.push(Reason::Feature { feature, factor });
    }
}
