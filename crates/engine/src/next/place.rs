//! Joins near hits to places, each with a confidence and its reasons.

use crate::preset::constants::next::{
    ASIDE, CHANCES, CO_CHANGE, JOINED_LINES, LEAST_CONFIDENCE, OLDER_EDIT, RIVALS,
    SAME_KIND_REASON, TEST_WEIGHT,
};
use crate::sorting::{sort_by, sort_by_key};
use foreword_chunk::{Kind, LineIndex};
use rustc_hash::FxHashMap;

use super::change::ChangeKind;
use super::hit::Hit;
use super::reason::NextReason;
use crate::index::{FileId, FileRole, Snapshot};

/// Lines of a place.
const MAX_LINES: u32 = 20;

/// Reasons of a place.
const MAX_REASONS: usize = 4;

/// Chances that a reason is right, and factors on them.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// By reason: the share of its places that were edited later in the commit, by distance: in the same definition,
    /// the same file, the same directory, elsewhere.
    pub chances: Vec<(&'static str, [f32; 4])>,
    /// Factor for each edit made after the reason's own.
    pub older: f32,
    /// Factor for a place in examples, documents or data.
    pub aside: f32,
    /// Lines with the same reason at which its chance is halved.
    pub rivals: f32,
    /// Factor on the share of common commits.
    pub co_change: f32,
    /// Places with less confidence are omitted.
    pub least: f32,
}

impl Config {
    /// The values in use (`preset/constants/next.rs`).
    pub fn measured() -> Self {
        Self {
            chances: CHANCES.to_vec(),
            older: OLDER_EDIT,
            aside: ASIDE,
            rivals: RIVALS,
            co_change: CO_CHANGE,
            least: LEAST_CONFIDENCE,
        }
    }

    /// The chance that a hit is right.
    fn chance(&self, hit: &Hit, role: FileRole) -> f32 {
        let code = hit.reason.code();
        let known = self.chances.iter().find(|it| it.0 == code);
        let chance = match (known, &hit.reason) {
            (Some((_, chances)), _) => {
                let crowd = self.rivals / (self.rivals + hit.rivals.saturating_sub(1) as f32);
                chances[usize::from(hit.distance).min(3)] * crowd
            }
            (None, NextReason::CoChange { percent, .. }) => {
                self.co_change * (*percent as f32 / 100.0).min(1.0)
            }
            (None, _) => self.co_change * TEST_WEIGHT,
        };
        let is_aside = matches!(role, FileRole::Prose | FileRole::Data | FileRole::Periphery);
        let aside = if is_aside { self.aside } else { 1.0 };
        chance * aside * self.older.powi(hit.edit as i32)
    }
}

/// A likely place of the next edit.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The file, relative to the root.
    pub path: String,
    /// First line, 1-based.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// Dotted name of the enclosing definition; empty where there is none.
    pub symbol: String,
    /// Its kind.
    pub kind: Option<Kind>,
    /// Chance, 0 to 1, that it is edited next or later.
    pub confidence: f32,
    /// Reasons, the best first.
    pub reasons: Vec<NextReason>,
}

/// Joins the hits to places, the likeliest first.
pub(super) fn places(
    snapshot: &Snapshot,
    hits: Vec<Hit>,
    config: &Config,
    limit: usize,
) -> Vec<Place> {
    let mut by_file: FxHashMap<FileId, Vec<Hit>> = FxHashMap::default();
    for hit in hits {
        by_file.entry(hit.file).or_default().push(hit);
    }
    let mut files: Vec<(FileId, Vec<Hit>)> = by_file.into_iter().collect();
    sort_by_key(&mut files, |it| it.0);
    let mut res = Vec::new();
    for (file, hits) in files {
        res.extend(of_file(snapshot, file, hits, config));
    }
    res.retain(|it| it.confidence >= config.least);
    sort_by(&mut res, |a, b| {
        let place = |it: &Place| (it.path.clone(), it.start_line);
        b.confidence.total_cmp(&a.confidence).then_with(|| place(a).cmp(&place(b)))
    });
    res.truncate(limit);
    res
}

/// Neighbouring lines of one definition.
struct Group {
    definition: Option<u32>,
    lines: (u32, u32),
    hits: Vec<(NextReason, f32)>,
}

/// Line, enclosing definition, reason and chance of a hit.
type LineHit = (u32, Option<u32>, NextReason, f32);

fn of_file(snapshot: &Snapshot, file: FileId, hits: Vec<Hit>, config: &Config) -> Vec<Place> {
    let (text, record) = snapshot.contents(file);
    let lines = LineIndex::new(text.as_bytes());
    let role = snapshot.role(file);
    let located = |it: Hit| -> LineHit {
        let line = &text[it.line.clone()];
        let at = it.line.start + (line.len() - line.trim_start().len());
        let chance = config.chance(&it, role);
        (lines.line_of(it.line.start), record.symbols.enclosing(at), it.reason, chance)
    };
    let place = |it: Group| {
        let symbol = it.definition.map(|idx| record.dotted_name(&text, idx)).unwrap_or_default();
        let kind = it.definition.map(|idx| record.symbols.definitions[idx as usize].kind);
        let (confidence, reasons) = together(it.hits);
        let (path, (start_line, end_line)) = (snapshot.path(file).to_owned(), it.lines);
        Place { path, start_line, end_line, symbol, kind, confidence, reasons }
    };
    groups(hits.into_iter().map(located).collect()).into_iter().map(place).collect()
}

fn groups(mut hits: Vec<LineHit>) -> Vec<Group> {
    sort_by(&mut hits, |a, b| (a.0, &a.2).cmp(&(b.0, &b.2)));
    let mut res: Vec<Group> = Vec::new();
    for (line, definition, reason, chance) in hits {
        let joins = |it: &Group| {
            let (first, last) = it.lines;
            line - last <= JOINED_LINES && line - first < MAX_LINES && it.definition == definition
        };
        match res.last_mut().filter(|it| joins(it)) {
            Some(group) => {
                group.lines.1 = line;
                group.hits.push((reason, chance));
            }
            None => {
                res.push(Group { definition, lines: (line, line), hits: vec![(reason, chance)] });
            }
        }
    }
    res
}

/// The chance that at least one reason is right. A reason on several lines counts once; a further reason of the same
/// kind counts half of the one before.
fn together(hits: Vec<(NextReason, f32)>) -> (f32, Vec<NextReason>) {
    let mut best: FxHashMap<NextReason, f32> = FxHashMap::default();
    for (reason, chance) in hits {
        let known = best.entry(reason).or_default();
        *known = known.max(chance);
    }
    let mut best: Vec<(NextReason, f32)> = best.into_iter().collect();
    sort_by(&mut best, |a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let mut met: FxHashMap<&'static str, i32> = FxHashMap::default();
    let mut none_right = 1.0;
    for (reason, chance) in &best {
        let n = met.entry(reason.code()).or_default();
        none_right *= 1.0 - chance * SAME_KIND_REASON.powi(*n);
        *n += 1;
    }
    // A changed body explains less than any other reason.
    let is_told = |it: &(NextReason, f32)| {
        !matches!(&it.0, NextReason::Name { change: ChangeKind::Body, .. }) || best.len() == 1
    };
    let reasons = best.iter().filter(|it| is_told(it)).chain(best.iter().filter(|it| !is_told(it)));
    let reasons = reasons.take(MAX_REASONS).map(|it| it.0.clone()).collect();
    (1.0 - none_right, reasons)
}
