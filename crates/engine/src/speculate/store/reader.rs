//! The plans of a view, as they were when they were read.
#![expect(clippy::disallowed_methods, reason = "the index directory is the engine's own")]

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};

use super::PlanStore;
use super::frame;
use super::packed::PackedPlans;
use crate::index::Snapshot;
use crate::source::ContentHash;
use crate::speculate::plan::FilePlan;

/// Plans of one planner, unpacked as they are asked for.
pub struct Plans {
    bytes: Vec<u8>,
    /// The bodies of the frames.
    frames: Vec<Range<usize>>,
    /// By the hash of the path, the latest last.
    places: FxHashMap<u64, Vec<PlanPlace>>,
    unpacked: Mutex<FxHashMap<u32, Arc<PackedPlans>>>,
    /// Bytes of the file, those of other planners among them.
    size: u64,
    /// Where sound frames end.
    pub(super) end: u64,
}

/// Where a plan is.
#[derive(Clone, Copy)]
struct PlanPlace {
    frame: u32,
    /// Its place in the frame.
    at: u32,
    /// When it was made, in seconds since 1970.
    made: u64,
}

/// How many frames stay unpacked: a frame has up to a megabyte.
const UNPACKED: usize = 16;

impl PlanStore {
    /// Reads the plans; there are none where the file is absent or unreadable.
    pub fn load(&self) -> Plans {
        // To open a pipe is to wait for its writer.
        let bytes = if self.path.is_file() { std::fs::read(&self.path) } else { Ok(Vec::new()) };
        Plans::new(bytes.unwrap_or_default(), frame::key_hash(&self.key))
    }

    /// Bytes of the file, by which a reader sees that others have written; 0 where there is none.
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

    /// How many files have a plan.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Whether there is a plan of a file, of whatever text.
    pub fn has(&self, path: &str) -> bool {
        self.places.contains_key(&frame::path_hash(path))
    }

    /// Bytes of the file that they were read from.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The plan of a file: one that was made from this text if there is one, else the latest.
    pub fn plan(&self, path: &str, hash: Option<ContentHash>) -> Option<FilePlan> {
        self.plan_with_time(path, hash).map(|it| it.0)
    }

    /// The same, with when it was made, in seconds since 1970.
    pub fn plan_with_time(&self, path: &str, hash: Option<ContentHash>) -> Option<(FilePlan, u64)> {
        let mut of_path = self.all(path);
        let same = of_path.iter().rposition(|it| Some(it.0.hash) == hash);
        let at = same.or_else(|| of_path.len().checked_sub(1))?;
        Some(of_path.swap_remove(at))
    }

    /// When the last plan was made, in seconds since 1970.
    pub fn last_made(&self) -> Option<u64> {
        self.places.values().flatten().map(|it| it.made).max()
    }

    /// All plans of a file with when they were made, the latest last.
    pub(super) fn all(&self, path: &str) -> Vec<(FilePlan, u64)> {
        let places = self.places.get(&frame::path_hash(path)).map_or(&[][..], Vec::as_slice);
        let plan = |it: &PlanPlace| {
            let plans = self.frame(it.frame);
            let at = it.at as usize;
            let plan = plans.unpack(at).filter(|_| plans.path(at) == Some(path))?;
            Some((plan, it.made))
        };
        places.iter().filter_map(plan).collect()
    }

    fn frame(&self, number: u32) -> Arc<PackedPlans> {
        let mut unpacked = self.unpacked.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = unpacked.get(&number) {
            return Arc::clone(known);
        }
        if unpacked.len() >= UNPACKED {
            unpacked.clear();
        }
        let body = self.frames.get(number as usize).and_then(|it| self.bytes.get(it.clone()));
        let plans = Arc::new(frame::plans(body.unwrap_or_default()));
        unpacked.insert(number, Arc::clone(&plans));
        plans
    }

    /// Whether the plan of a file is as it would be made again: from this text, citing files that are unchanged.
    pub fn is_current(&self, snapshot: &Snapshot, path: &str) -> bool {
        let Some(file) = snapshot.file(path) else { return false };
        let hash = snapshot.hash(file);
        let same = |it: &str| snapshot.file(it).map(|it| snapshot.hash(it));
        self.plan(path, Some(hash)).is_some_and(|it| {
            it.hash == hash && it.inputs.iter().all(|input| same(&input.path) == Some(input.hash))
        })
    }

    /// How many frames there are of this planner, and the bytes of their bodies.
    pub(super) fn frames(&self) -> (usize, u64) {
        (self.frames.len(), self.frames.iter().map(|it| it.len() as u64).sum())
    }

    /// How many plans there are beside those that [`Self::kept`] keeps.
    pub(super) fn superseded(&self) -> usize {
        self.places.values().map(|it| it.len().saturating_sub(KEPT)).sum()
    }

    /// What is worth keeping: of each path that `is_there`, the latest plans of the latest texts.
    pub(super) fn kept(&self, is_there: &dyn Fn(&str) -> bool) -> Vec<(FilePlan, u64)> {
        let mut res: Vec<(FilePlan, u64)> = Vec::new();
        let mut met: FxHashMap<String, FxHashSet<ContentHash>> = FxHashMap::default();
        for number in (0..self.frames.len() as u32).rev() {
            let plans = self.frame(number);
            for at in (0..plans.len()).rev() {
                let (Some(path), Some(hash)) = (plans.path(at), plans.hash(at)) else { continue };
                let texts = met.entry(path.to_owned()).or_default();
                if is_there(path) && texts.len() < KEPT && texts.insert(hash) {
                    let made = self.made(path, (number, at as u32));
                    res.extend(plans.unpack(at).map(|it| (it, made)));
                }
            }
        }
        res.reverse();
        res
    }

    /// When the plan of a file at this place was made.
    fn made(&self, path: &str, place: (u32, u32)) -> u64 {
        let places = self.places.get(&frame::path_hash(path)).map_or(&[][..], Vec::as_slice);
        places.iter().find(|it| (it.frame, it.at) == place).map_or(0, |it| it.made)
    }
}

/// Of how many texts of a file plans are kept: a branch switch and back finds its own.
const KEPT: usize = 2;
