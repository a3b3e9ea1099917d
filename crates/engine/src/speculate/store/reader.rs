//! Reads the plans of a view.
#![expect(clippy::disallowed_methods, reason = "the index directory is the engine's own")]

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::forecast_state::{ForecastState, forecast_state, is_unchanged};
use super::super::plan::{FilePlan, Forecast};
use super::super::quote::requote;
use super::super::sketch::{resemblance, sketch};
use super::PlanStore;
use super::frame;
use crate::index::Snapshot;
use crate::preset::constants::speculate::LEAST_RESEMBLANCE;
use crate::source::ContentHash;

/// Plans of one planner. Frames are unpacked on demand.
pub struct Plans {
    bytes: Vec<u8>,
    /// Byte ranges of the frames' bodies.
    frames: Vec<Range<usize>>,
    /// By hash of the path, the latest last.
    places: FxHashMap<u64, Vec<PlanPlace>>,
    unpacked: Mutex<FxHashMap<u32, Arc<Vec<FilePlan>>>>,
    /// Size of the file in bytes, including plans of other planners.
    size: u64,
    /// End of the last sound frame.
    pub(super) end: u64,
}

/// Position of a plan.
#[derive(Clone, Copy)]
struct PlanPlace {
    frame: u32,
    /// Index in the frame.
    at: u32,
    /// Time it was made, in seconds since 1970.
    made: u64,
}

/// Maximum number of frames kept unpacked; each has up to a megabyte.
const MAX_UNPACKED: usize = 16;

impl PlanStore {
    /// Reads the plans; empty if the file is absent or unreadable.
    pub fn load(&self) -> Plans {
        // Opening a pipe would wait for its writer.
        let bytes = if self.path.is_file() { std::fs::read(&self.path) } else { Ok(Vec::new()) };
        Plans::new(bytes.unwrap_or_default(), frame::key_hash(&self.key))
    }

    /// Size of the file in bytes, 0 if it is absent. A reader sees by it that others have written.
    pub fn size(&self) -> u64 {
        std::fs::metadata(&self.path).map_or(0, |it| it.len())
    }
}

impl Plans {
    fn new(bytes: Vec<u8>, key: u64) -> Self {
        let (mut frames, mut at) = (Vec::new(), 0);
        let mut places: FxHashMap<u64, Vec<PlanPlace>> = FxHashMap::default();
        while let Some((found, len)) = frame::first(&bytes[at..]) {
            if found.key == key {
                let frame = frames.len() as u32;
                for (at, (path, made)) in (0..).zip(&found.plans) {
                    let place = PlanPlace { frame, at, made: *made };
                    places.entry(*path).or_default().push(place);
                }
                let end = at + len;
                frames.push(end - found.body().len()..end);
            }
            at += len;
        }
        let size = bytes.len() as u64;
        Self { bytes, frames, places, unpacked: Mutex::default(), size, end: at as u64 }
    }

    /// Number of files with a plan.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are no plans.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Whether the file has a plan, current or not.
    pub fn has(&self, path: &str) -> bool {
        self.places.contains_key(&frame::path_hash(path))
    }

    /// Size in bytes of the file that was read.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Returns the plan made from the text with this hash if there is one, else the latest plan of the file.
    pub fn plan(&self, path: &str, hash: Option<ContentHash>) -> Option<FilePlan> {
        self.plan_with_time(path, hash).map(|it| it.0)
    }

    /// Like [`Self::plan`], with the time it was made in seconds since 1970.
    pub fn plan_with_time(&self, path: &str, hash: Option<ContentHash>) -> Option<(FilePlan, u64)> {
        let mut of_path = self.all(path);
        let same = of_path.iter().rposition(|it| Some(it.0.hash) == hash);
        let at = same.or_else(|| of_path.len().checked_sub(1))?;
        Some(of_path.swap_remove(at))
    }

    /// Time of the latest plan, in seconds since 1970.
    pub fn last_made(&self) -> Option<u64> {
        self.places.values().flatten().map(|it| it.made).max()
    }

    /// All plans of a file with the times they were made, the latest last.
    pub(super) fn all(&self, path: &str) -> Vec<(FilePlan, u64)> {
        let places = self.places.get(&frame::path_hash(path)).map_or(&[][..], Vec::as_slice);
        let plan = |it: &PlanPlace| {
            let plans = self.frame(it.frame);
            let plan = plans.get(it.at as usize).filter(|it| it.path == path)?;
            Some((plan.clone(), it.made))
        };
        places.iter().filter_map(plan).collect()
    }

    fn frame(&self, number: u32) -> Arc<Vec<FilePlan>> {
        let lock = || self.unpacked.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(&number).cloned() {
            return known;
        }
        let body = self.frames.get(number as usize).and_then(|it| self.bytes.get(it.clone()));
        let plans = Arc::new(frame::plans(body.unwrap_or_default()));
        let mut unpacked = lock();
        if unpacked.len() >= MAX_UNPACKED {
            unpacked.clear();
        }
        unpacked.insert(number, Arc::clone(&plans));
        plans
    }

    /// Whether the file has a [current](Self::current) plan.
    pub fn is_current(&self, snapshot: &Snapshot, path: &str) -> bool {
        self.current(snapshot, path).is_some()
    }

    /// The plan of the file, if what it rests on is unchanged: the lines that it cites, and most of its own file. A plan of
    /// an earlier text must also have something left to say.
    pub fn current(&self, snapshot: &Snapshot, path: &str) -> Option<FilePlan> {
        let file = snapshot.file(path)?;
        let hash = snapshot.hash(file);
        let plan = self.plan(path, Some(hash))?;
        let is_of_file = plan.hash == hash || fits_edited(&plan, snapshot, &snapshot.text(file));
        (is_of_file && rests_on_unchanged(&plan, snapshot)).then_some(plan)
    }

    /// Number of frames of this planner and the total size of their bodies in bytes.
    pub(super) fn frames(&self) -> (usize, u64) {
        (self.frames.len(), self.frames.iter().map(|it| it.len() as u64).sum())
    }

    /// Number of plans that [`Self::kept`] drops.
    pub(super) fn superseded(&self) -> usize {
        self.places.values().map(|it| it.len().saturating_sub(MAX_TEXTS)).sum()
    }

    /// Plans that compaction keeps: for each path, the latest plan of each of the last [`MAX_TEXTS`] texts.
    pub(super) fn kept(&self) -> Vec<(FilePlan, u64)> {
        let mut res: Vec<(FilePlan, u64)> = Vec::new();
        let mut met: FxHashMap<String, FxHashSet<ContentHash>> = FxHashMap::default();
        for number in (0..self.frames.len() as u32).rev() {
            let plans = self.frame(number);
            for (at, plan) in plans.iter().enumerate().rev() {
                let texts = met.entry(plan.path.clone()).or_default();
                if texts.len() < MAX_TEXTS && texts.insert(plan.hash) {
                    res.push((plan.clone(), self.made(&plan.path, (number, at as u32))));
                }
            }
        }
        res.reverse();
        res
    }

    /// Time the plan at this position was made.
    fn made(&self, path: &str, place: (u32, u32)) -> u64 {
        let places = self.places.get(&frame::path_hash(path)).map_or(&[][..], Vec::as_slice);
        places.iter().find(|it| (it.frame, it.at) == place).map_or(0, |it| it.made)
    }
}

/// Whether a plan of an earlier text still fits its file: most lines are left, and not all that it foretells is written.
fn fits_edited(plan: &FilePlan, snapshot: &Snapshot, text: &str) -> bool {
    let now = (plan.path.as_str(), text);
    let is_open = |it: &Forecast| forecast_state(snapshot, plan, it, now) != ForecastState::Written;
    let says_something = match plan.forecasts.is_empty() {
        true => !plan.blocks.is_empty(),
        false => plan.forecasts.iter().any(is_open),
    };
    says_something && resemblance(&plan.sketch, &sketch(text)) >= LEAST_RESEMBLANCE
}

/// Whether all lines that a plan cites are unchanged, wherever they have moved. Other lines of their files do not matter.
fn rests_on_unchanged(plan: &FilePlan, snapshot: &Snapshot) -> bool {
    let mut changed = plan.inputs.iter().filter(|it| {
        let now = snapshot.file(&it.path).map(|it| snapshot.hash(it));
        now != Some(it.hash)
    });
    changed.all(|input| {
        let Some(file) = snapshot.file(&input.path) else { return false };
        let text = snapshot.text(file);
        let mut blocks = plan.blocks.iter().filter(|it| it.place.path == input.path);
        let now = (input.path.as_str(), &*text);
        blocks.all(|it| requote(it, &text).is_some())
            && plan.forecasts.iter().all(|it| {
                let mut cited = it.evidence.iter().filter(|it| it.place.path == input.path);
                cited.all(|it| is_unchanged(snapshot, plan, &it.place, now))
            })
    })
}

/// Number of texts of a file whose plans are kept, so that switching a branch and back finds the old plans.
const MAX_TEXTS: usize = 2;
