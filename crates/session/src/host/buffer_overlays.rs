//! Overlays unsaved buffers on the snapshot of the disk.
//!
//! Only the edited buffer changes with a keystroke. A request at a cursor carries the text of its own file, so that
//! buffer is left out and the overlay of the others is cached.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use foreword_engine::index::{CommitDiff, FileDiff, Snapshot};
use foreword_engine::secret::masked;
use foreword_engine::source::ContentHash;

use super::analysis_cache::AnalysisCache;

/// The unsaved buffers of a repository.
#[derive(Default)]
pub(super) struct BufferOverlays {
    buffers: BTreeMap<String, Buffer>,
    latest: Option<CachedOverlay>,
}

/// The unsaved text of a file.
pub(super) enum Buffer {
    /// As the editor sent it; no view has it yet.
    Unmasked(String),
    /// With its secrets masked.
    Text(Arc<str>),
    /// Too large to be analysed; the file is left out, as it would be on disk.
    TooLarge,
}

/// The overlay of a snapshot of the disk.
struct CachedOverlay {
    disk: Arc<Snapshot>,
    /// The file whose buffer is not in it.
    except: Option<String>,
    snapshot: Arc<Snapshot>,
}

impl BufferOverlays {
    /// Sets a buffer; `None` removes it, so that the file on disk counts again.
    pub(super) fn set(&mut self, path: String, buffer: Option<Buffer>) {
        if self.latest.as_ref().is_some_and(|it| it.except.as_ref() != Some(&path)) {
            self.latest = None;
        }
        match buffer {
            Some(buffer) => drop(self.buffers.insert(path, buffer)),
            None => drop(self.buffers.remove(&path)),
        }
    }

    /// Overlays the buffers on `disk`, except that of the file `except`.
    pub(super) fn over(
        &mut self,
        disk: &Arc<Snapshot>,
        except: Option<&str>,
        analyses: &AnalysisCache,
    ) -> Arc<Snapshot> {
        let is_it =
            |it: &&CachedOverlay| Arc::ptr_eq(&it.disk, disk) && it.except.as_deref() == except;
        if let Some(cached) = self.latest.as_ref().filter(is_it) {
            return Arc::clone(&cached.snapshot);
        }
        self.mask(except);
        let snapshot = self.overlay(disk, except, analyses);
        self.latest = Some(CachedOverlay {
            disk: Arc::clone(disk),
            except: except.map(str::to_owned),
            snapshot: Arc::clone(&snapshot),
        });
        snapshot
    }

    /// Masks the secrets of all buffers but that of the file `except`.
    fn mask(&mut self, except: Option<&str>) {
        for (path, buffer) in &mut self.buffers {
            if let Buffer::Unmasked(text) = buffer
                && except != Some(path)
            {
                *buffer = Buffer::Text(masked(std::mem::take(text)).into());
            }
        }
    }

    fn overlay(
        &self,
        disk: &Arc<Snapshot>,
        except: Option<&str>,
        analyses: &AnalysisCache,
    ) -> Arc<Snapshot> {
        let differs = |(path, buffer): &(&String, &Buffer)| match buffer {
            _ if except == Some(path) => false,
            Buffer::Unmasked(_) => false,
            Buffer::TooLarge => disk.file(path).is_some(),
            Buffer::Text(text) => {
                let hash = ContentHash::of(text.as_bytes());
                disk.file(path).is_none_or(|it| disk.hash(it) != hash)
            }
        };
        let config = disk.config().chunk;
        let packed = |(path, buffer): (&String, &Buffer)| match buffer {
            Buffer::TooLarge | Buffer::Unmasked(_) => (path.clone(), None),
            Buffer::Text(text) => (path.clone(), Some(analyses.get(path, text, &config))),
        };
        let changes: BTreeMap<_, _> = self.buffers.iter().filter(differs).map(packed).collect();
        if changes.is_empty() {
            return Arc::clone(disk);
        }
        // A new segment in memory is readable; otherwise the disk's snapshot is the next best answer.
        let Ok(snapshot) = disk.with_packed(&changes) else { return Arc::clone(disk) };
        let diff = self.diff(disk, &changes.keys().collect());
        Arc::new(snapshot.with_diff(Arc::new(diff)))
    }

    /// The difference to the last commit, with the differences of the buffers in place of those on disk. The text of a file
    /// without differences is that of the commit.
    fn diff(&self, disk: &Snapshot, changed: &BTreeSet<&String>) -> CommitDiff {
        let known = disk.diff();
        let of_buffer = |path: &&String| {
            let Some(Buffer::Text(text)) = self.buffers.get(*path) else { return None };
            let committed = match known.file(path) {
                Some(it) => it.committed.clone(),
                None => disk.file(path).map(|it| disk.text(it)),
            };
            FileDiff::new(path.as_str(), committed, text)
        };
        let mut files: Vec<FileDiff> = changed.iter().filter_map(of_buffer).collect();
        let is_older = |it: &&FileDiff| !changed.contains(&it.path);
        files.extend(known.files.iter().filter(is_older).cloned());
        CommitDiff { files }
    }
}
