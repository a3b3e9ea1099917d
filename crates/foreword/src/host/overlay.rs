//! Unsaved buffers, laid over what the disk has.
//!
//! A buffer under somebody's fingers changes with every keystroke and the others stay, so the others are laid first and
//! kept: a keystroke then costs the analysis of one file.

use std::collections::BTreeMap;
use std::sync::Arc;

use foreword_engine::index::{Change, Snapshot};
use foreword_engine::source::{ContentHash, Source};

/// The unsaved buffers of a repository, and snapshots with them that are worth keeping.
#[derive(Default)]
pub(super) struct Overlays {
    buffers: BTreeMap<String, Arc<str>>,
    /// The buffer that changed last.
    latest: Option<String>,
    /// All but the latest laid over a snapshot of the disk.
    settled: Option<(Arc<Snapshot>, Arc<Snapshot>)>,
    /// All laid over a snapshot of the disk.
    whole: Option<(Arc<Snapshot>, Arc<Snapshot>)>,
}

impl Overlays {
    /// Takes a buffer, or lets go of one: the file is again as the disk has it.
    pub(super) fn set(&mut self, path: String, text: Option<String>) {
        if self.latest.as_ref() != Some(&path) {
            self.settled = None;
        }
        self.whole = None;
        match text {
            Some(text) => drop(self.buffers.insert(path.clone(), text.into())),
            None => {
                self.settled = None;
                self.buffers.remove(&path);
            }
        }
        self.latest = Some(path);
    }

    /// The text of a buffer.
    pub(super) fn text(&self, path: &str) -> Option<Arc<str>> {
        self.buffers.get(path).cloned()
    }

    /// `disk` with the buffers laid over it.
    pub(super) fn over(&mut self, disk: &Arc<Snapshot>) -> Arc<Snapshot> {
        if self.buffers.is_empty() {
            return Arc::clone(disk);
        }
        if let Some(whole) = kept(self.whole.as_ref(), disk) {
            return whole;
        }
        let latest = self.latest.clone();
        let settled = kept(self.settled.as_ref(), disk)
            .unwrap_or_else(|| self.lay(disk, |path| Some(path) != latest.as_ref()));
        let whole = self.lay(&settled, |path| Some(path) == latest.as_ref());
        self.settled = Some((Arc::clone(disk), settled));
        self.whole = Some((Arc::clone(disk), Arc::clone(&whole)));
        whole
    }

    /// `base` with some of the buffers, those that say nothing new left out.
    fn lay(&self, base: &Arc<Snapshot>, which: impl Fn(&String) -> bool) -> Arc<Snapshot> {
        let differs = |(path, text): &(&String, &Arc<str>)| {
            let hash = ContentHash::of(text.as_bytes());
            base.file(path).is_none_or(|it| base.hash(it) != hash)
        };
        let chosen = self.buffers.iter().filter(|(path, _)| which(path)).filter(differs);
        let source = |(path, text): (&String, &Arc<str>)| {
            Change::Write(Source { path: path.clone(), text: text.to_string() })
        };
        let changes: Vec<Change> = chosen.map(source).collect();
        if changes.is_empty() {
            return Arc::clone(base);
        }
        // A segment made in memory a moment ago can be read; were it not, the disk's state is the next best answer.
        base.with_changes(changes).map_or_else(|_| Arc::clone(base), Arc::new)
    }
}

fn kept(
    pair: Option<&(Arc<Snapshot>, Arc<Snapshot>)>,
    disk: &Arc<Snapshot>,
) -> Option<Arc<Snapshot>> {
    pair.filter(|(of, _)| Arc::ptr_eq(of, disk)).map(|(_, it)| Arc::clone(it))
}
