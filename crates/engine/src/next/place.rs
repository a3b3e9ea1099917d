//! Joins near hits to places, each with a confidence and its reasons.

use rustc_hash::{FxHashMap, FxHashSet};

use super::features::features;
use super::group::{Context, Group, OneFile};
use super::hit::{Hit, Mention};
use super::reason::NextReason;
use super::suggestion::Place;
use super::text::propose;
use crate::index::FileId;
use crate::preset::constants::next::{
    CALIBRATION, CERTAIN_CONFIDENCE, HERE_LINES, JOINED_LINES, LEAST_CONFIDENCE, REPEATED, WEIGHTS,
};
use crate::sorting::{sort_by, sort_by_key};

/// Lines of a place.
const MAX_LINES: u32 = 20;

/// Reasons of a place.
const MAX_REASONS: usize = 4;

/// Which places are listed.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Places with less confidence are omitted, except certain ones.
    pub least: f32,
    /// Codes of the reasons that count; all without.
    pub only: Option<&'static [&'static str]>,
}

impl Config {
    /// The values in use (`preset/constants/next.rs`).
    pub fn measured() -> Self {
        Self { least: LEAST_CONFIDENCE, only: None }
    }
}

/// Joins the hits to places, the likeliest first.
pub(super) fn places(
    context: &Context<'_>,
    hits: Vec<Hit>,
    config: &Config,
    limit: usize,
) -> Vec<Place> {
    let mut by_file: FxHashMap<FileId, Vec<Hit>> = FxHashMap::default();
    for hit in hits {
        if config.only.is_none_or(|it| it.contains(&hit.reason.code())) {
            by_file.entry(hit.file).or_default().push(hit);
        }
    }
    let mut files: Vec<(FileId, Vec<Hit>)> = by_file.into_iter().collect();
    sort_by_key(&mut files, |it| it.0);
    let weights: FxHashMap<(&str, &str), f32> =
        WEIGHTS.iter().map(|it| ((it.0, it.1), it.2)).collect();
    let mut res = Vec::new();
    for (file, hits) in files {
        res.extend(OneFile::new(context, file).places(hits, &weights));
    }
    weigh(&mut res);
    res.retain(|it| it.confidence >= config.least || it.is_certain);
    in_order(res, limit)
}

/// Makes confidences of scores: the score, and the share of the place among all that were found, both count.
fn weigh(places: &mut [Place]) {
    let most = places.iter().map(|it| it.confidence).fold(f32::MIN, f32::max);
    let sum: f32 = places.iter().map(|it| (it.confidence - most).exp()).sum();
    let all = most + sum.ln();
    let [always, of_score, of_share] = CALIBRATION;
    for it in places {
        let score = it.confidence;
        let chance = 1.0 / (1.0 + (-(always + of_score * score + of_share * (score - all))).exp());
        it.confidence = chance.max(if it.is_certain { CERTAIN_CONFIDENCE } else { 0.0 });
        // At less likely places, most texts were wrong.
        if it.confidence < LEAST_CONFIDENCE {
            it.edits.clear();
        }
    }
}

/// The likeliest first; a further guess near a listed place says little more.
fn in_order(mut all: Vec<Place>, limit: usize) -> Vec<Place> {
    sort_by(&mut all, |a, b| {
        let place = |it: &Place| (it.path.clone(), it.start_line);
        b.confidence.total_cmp(&a.confidence).then_with(|| place(a).cmp(&place(b)))
    });
    let mut res: Vec<Place> = Vec::new();
    let mut later: Vec<Place> = Vec::new();
    for it in all {
        let is_near = |known: &Place| {
            known.path == it.path
                && known.start_line <= it.end_line + REPEATED
                && it.start_line <= known.end_line + REPEATED
        };
        let list = if !it.is_certain && res.iter().any(is_near) { &mut later } else { &mut res };
        list.push(it);
    }
    res.extend(later);
    res.truncate(limit);
    res
}

impl OneFile<'_> {
    fn places(&self, hits: Vec<Hit>, weights: &FxHashMap<(&str, &str), f32>) -> Vec<Place> {
        let names: FxHashSet<NextReason> = hits.iter().map(|it| it.reason.clone()).collect();
        // Before they are grouped, since a group may begin near the last step and reach further.
        let is_far = |it: &Hit| {
            let line = self.lines.line_of(it.line.start);
            it.mention == Mention::Broken || !self.context.is_here(self.file, (line, line))
        };
        let groups = self.groups(hits.into_iter().filter(is_far).collect());
        let place = |it: Group| {
            let features = features(self, &it, names.len());
            let score: f32 =
                features.iter().map(|it| it.1 * weights.get(&it.0).unwrap_or(&0.0)).sum();
            let is_certain = it.is_broken() || it.lists_variants(self.context);
            // Of a place with several definitions, that of its best reason.
            let best = it.hits.iter().min_by_key(|it| std::cmp::Reverse(it.mention));
            let line = best.map_or(it.lines.0, |it| self.lines.line_of(it.line.start));
            let definition = self.definition_at(line);
            let edits = propose(self, &it);
            let name = |idx: u32| self.record.dotted_name(&self.text, idx);
            Place {
                path: self.context.snapshot.path(self.file).to_owned(),
                start_line: it.lines.0,
                end_line: it.lines.1,
                best_line: line,
                symbol: definition.map(name).unwrap_or_default(),
                kind: definition.map(|it| self.record.symbols.definitions[it as usize].kind),
                // A score until all places are known.
                confidence: score,
                is_certain,
                reasons: reasons(it.hits, weights),
                edits,
                features,
            }
        };
        groups.into_iter().map(place).collect()
    }

    /// Hits on near lines together; a step through the file only where there is nothing else.
    fn groups(&self, hits: Vec<Hit>) -> Vec<Group> {
        let mut located: Vec<(u32, Hit)> =
            hits.into_iter().map(|it| (self.lines.line_of(it.line.start), it)).collect();
        sort_by(&mut located, |a, b| (a.0, &a.1.reason).cmp(&(b.0, &b.1.reason)));
        let (near, others): (Vec<_>, Vec<_>) =
            located.into_iter().partition(|it| it.1.reason == NextReason::Near);
        let mut res: Vec<Group> = Vec::new();
        for (line, hit) in others {
            let joins =
                |it: &Group| line - it.lines.1 <= JOINED_LINES && line - it.lines.0 < MAX_LINES;
            match res.last_mut().filter(|it| joins(it)) {
                Some(group) => {
                    group.lines.1 = line;
                    group.hits.push(hit);
                }
                None => res.push(Group { lines: (line, line), hits: vec![hit] }),
            }
        }
        for (line, hit) in near {
            let covers =
                |it: &Group| it.lines.0 <= line + HERE_LINES && line <= it.lines.1 + HERE_LINES;
            match res.iter_mut().find(|it| covers(it)) {
                Some(group) => group.hits.push(hit),
                None => res.push(Group { lines: (line, line), hits: vec![hit] }),
            }
        }
        res
    }
}

/// The reasons of a place, each once, the best first.
fn reasons(mut hits: Vec<Hit>, weights: &FxHashMap<(&str, &str), f32>) -> Vec<NextReason> {
    let weight = |it: &Hit| weights.get(&(it.reason.code(), "")).copied().unwrap_or_default();
    sort_by(&mut hits, |a, b| {
        b.mention.cmp(&a.mention).then_with(|| weight(b).total_cmp(&weight(a)))
    });
    let mut res: Vec<NextReason> = Vec::new();
    for it in hits {
        let is_told = it.reason != NextReason::Near || res.is_empty();
        if is_told && res.len() < MAX_REASONS && !res.contains(&it.reason) {
            res.push(it.reason);
        }
    }
    res
}
