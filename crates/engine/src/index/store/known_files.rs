//! All files of a store, by path and content or by content alone.

use std::collections::HashMap;
use std::sync::Arc;

use foreword_chunk::{Language, ParseOutcome};

use crate::index::ids::FileLocation;
use crate::index::record::FileRecord;
use crate::index::segment::Segment;
use crate::source::ContentHash;

/// Files of all readable segments of a store, in any view.
#[derive(Default)]
pub struct KnownFiles {
    segments: Vec<Arc<Segment>>,
    files: HashMap<ContentHash, Vec<FileLocation>>,
    /// Files whose parse is not final, without those that were interrupted.
    preliminary: HashMap<ContentHash, Vec<FileLocation>>,
}

impl KnownFiles {
    pub(super) fn add(&mut self, segment: Arc<Segment>) {
        let idx = self.segments.len() as u32;
        for (ord, hash) in (0_u32..).zip(&segment.table.hashes) {
            let location = FileLocation { segment: idx, ord };
            let files = match segment.outcome(ord).1 {
                ParseOutcome::Interrupted => continue,
                it if it.is_preliminary() => &mut self.preliminary,
                _ => &mut self.files,
            };
            files.entry(*hash).or_default().push(location);
        }
        self.segments.push(segment);
    }

    /// Segment and index of a file with this path and content, whose parse is final.
    pub fn file(&self, path: &str, hash: ContentHash) -> Option<(&Arc<Segment>, u32)> {
        let is_at = |it: &&FileLocation| {
            self.segments[it.segment as usize].table.paths[it.ord as usize] == path
        };
        let location = self.files.get(&hash)?.iter().find(is_at)?;
        Some((&self.segments[location.segment as usize], location.ord))
    }

    /// Record and mentions of a file with this content and language at any path, whose parse is final.
    pub fn record(&self, hash: ContentHash, language: Option<Language>) -> Option<FileRecord> {
        self.record_in(&self.files, hash, language)
    }

    /// Like [`Self::record`], for a file whose parse is not final.
    pub fn preliminary(&self, hash: ContentHash, language: Option<Language>) -> Option<FileRecord> {
        self.record_in(&self.preliminary, hash, language)
    }

    fn record_in(
        &self,
        files: &HashMap<ContentHash, Vec<FileLocation>>,
        hash: ContentHash,
        language: Option<Language>,
    ) -> Option<FileRecord> {
        let record = |it: &FileLocation| {
            let segment = &self.segments[it.segment as usize];
            let mut record = segment.record(it.ord).filter(|it| it.language == language)?;
            segment.mentions(it.ord)?.restore(&mut record.symbols);
            Some(record)
        };
        files.get(&hash)?.iter().find_map(record)
    }
}
