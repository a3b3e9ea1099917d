//! Hits that are near each other are one place, with a confidence and the reasons of all of them.

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

/// A place has at most so many lines.
const MAX_LINES: u32 = 20;

/// At most so many reasons are told.
const MAX_REASONS: usize = 4;

/// The chances that a reason is right.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// By reason: the share of its places that were edited later in the commit, in the same definition, the same file, the
    /// same directory, and elsewhere.
    pub chances: Vec<(&'static str, [f32; 4])>,
    /// What a reason counts for each edit that was made after its own.
    pub older: f32,
    /// What a place in a test, a document or data counts.
    pub aside: f32,
    /// A reason that is on this many lines counts half.
    pub rivals: f32,
    /// What co-change counts against the share of common commits.
    pub co_change: f32,
    /// Places of a lower confidence are omitted.
    pub least: f32,
}

impl Config {
    /// The values in force: set by eye, after the shares of right places by first reason on 13 train repositories; what
    /// they are worth on others is in `benchmarks/results/next-edit.md`.
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

/// A place where the next edit is likely.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The file, relative to the root.
    pub path: String,
    /// First line, 1-based.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// The dotted name of the definition around it; empty where there is none.
    pub symbol: String,
    /// Its kind.
    pub kind: Option<Kind>,
    /// The chance that it is edited next or later, from 0 to 1.
    pub confidence: f32,
    /// Why, the best reason first.
    pub reasons: Vec<NextReason>,
}

/// The places of the hits, the likeliest first.
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

/// Lines that belong together.
struct Group {
    definition: Option<u32>,
    lines: (u32, u32),
    hits: Vec<(NextReason, f32)>,
}

/// A hit on its line, in the definition around it.
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

/// The chance that one of several reasons is right. The same reason on several lines counts once, and so do several
/// names that changed in the same way but for the second, which counts half.
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
    // What a line that was replaced is like explains more than the name on it.
    let is_told = |it: &(NextReason, f32)| {
        !matches!(&it.0, NextReason::Name { change: ChangeKind::Body, .. }) || best.len() == 1
    };
    let reasons = best.iter().filter(|it| is_told(it)).chain(best.iter().filter(|it| !is_told(it)));
    let reasons = reasons.take(MAX_REASONS).map(|it| it.0.clone()).collect();
    (1.0 - none_right, reasons)
}
