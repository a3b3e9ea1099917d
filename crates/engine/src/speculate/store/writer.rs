//! Writes the plans of a view; one process at a time.
#![expect(clippy::disallowed_methods, reason = "the index directory is the engine's own")]

use std::fs::File;
use std::io::{Seek as _, SeekFrom, Write as _};

use super::super::plan::FilePlan;
use super::PlanStore;
use super::frame::encode;
use super::reader::Plans;
use crate::index::{StoreError, try_lock, write_file};

/// The only writer of a view's plans until it is dropped or its process ends.
pub struct PlanWriter {
    store: PlanStore,
    file: File,
    /// End of the last sound frame, where the next one is written.
    end: u64,
    _lock: File,
}

impl PlanStore {
    /// Locks the file for writing; `None` while another process holds the lock.
    pub fn try_write(&self) -> Result<Option<PlanWriter>, StoreError> {
        let io = |source| StoreError::Io { path: self.path.clone(), source };
        let Some(lock) = try_lock(&self.path.with_extension("lock"))? else { return Ok(None) };
        let open = |path| File::options().create(true).truncate(false).write(true).open(path);
        let file = open(self.path.clone()).map_err(io)?;
        let end = self.load().end;
        Ok(Some(PlanWriter { store: self.clone(), file, end, _lock: lock }))
    }
}

impl PlanWriter {
    /// Appends plans durably. `made` is the time they were made, in seconds since 1970. A frame that a full disk cuts off is
    /// ignored by readers and overwritten later.
    pub fn append(&mut self, plans: &[FilePlan], made: u64) -> Result<(), StoreError> {
        let made = vec![made; plans.len()];
        let Some(bytes) = encode(&self.store.key, plans, &made) else { return Ok(()) };
        let path = &self.store.path;
        let io = |source| StoreError::Io { path: path.clone(), source };
        let written = self
            .file
            .set_len(self.end)
            .and_then(|()| self.file.seek(SeekFrom::Start(self.end)))
            .and_then(|_| self.file.write_all(&bytes))
            .and_then(|()| self.file.sync_data());
        if let Err(error) = written {
            let _ = self.file.set_len(self.end);
            return Err(io(error));
        }
        self.end += bytes.len() as u64;
        Ok(())
    }

    /// Rewrites the file if much of it is superseded or belongs to other planners. Plans of deleted files are kept: they were
    /// paid for, and another branch may have the files.
    pub fn compact(&mut self) -> Result<(), StoreError> {
        let plans = self.store.load();
        let n = plans.len();
        if plans.superseded() * 2 < n && !is_crowded(&plans) {
            return Ok(());
        }
        let (kept, made): (Vec<FilePlan>, Vec<u64>) = plans.kept().into_iter().unzip();
        let frames = kept.chunks(FRAME).zip(made.chunks(FRAME));
        let frames = frames.filter_map(|(plans, made)| encode(&self.store.key, plans, made));
        let bytes: Vec<u8> = frames.flatten().collect();
        write_file(&self.store.path, &bytes)?;
        let io = |source| StoreError::Io { path: self.store.path.clone(), source };
        self.file = File::options().write(true).open(&self.store.path).map_err(io)?;
        self.end = bytes.len() as u64;
        Ok(())
    }
}

/// Whether frames are too small to compress well, or most of the file belongs to another planner.
fn is_crowded(plans: &Plans) -> bool {
    let (frames, own) = plans.frames();
    frames > 16 && plans.len() < frames * FRAME / 2 || own * 2 < plans.size()
}

/// Plans per frame after compaction. Larger frames compress better; a reader unpacks a whole frame.
const FRAME: usize = 256;
