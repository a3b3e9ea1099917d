//! A segment in a snapshot: which of its files and chunks belong to the view.

use std::sync::Arc;

use super::types::{DefinitionSite, Totals};
use crate::index::ids::FileId;
use crate::index::postings::{NameEntry, Seeker, StoredDefinition, each_posting};
use crate::index::segment::{Segment, kind_of};

/// A segment in a snapshot.
#[derive(Clone)]
pub(crate) struct SegmentView {
    pub(crate) segment: Arc<Segment>,
    /// For each file of the segment, the file of the snapshot.
    pub(crate) owners: Arc<Vec<Option<FileId>>>,
    /// Which chunks belong to files of this snapshot; `None` if all do.
    pub(crate) live: Option<Arc<LiveChunks>>,
}

/// The live chunks of a segment that the snapshot uses in part.
pub(crate) struct LiveChunks {
    /// For each chunk, whether its file is in the snapshot.
    pub(crate) is_live: Vec<bool>,
    /// Chunks of files outside the snapshot, in order.
    pub(crate) dead: Vec<u32>,
}

impl SegmentView {
    pub(super) fn new(segment: Arc<Segment>, owners: Vec<Option<FileId>>) -> Self {
        let live = owners.iter().any(Option::is_none).then(|| {
            let mut is_live = vec![false; segment.n_chunks() as usize];
            for (ord, _) in owners.iter().enumerate().filter(|(_, owner)| owner.is_some()) {
                let range = segment.table.chunks_of(ord as u32);
                is_live[range.start as usize..range.end as usize].fill(true);
            }
            let dead = (0_u32..).zip(&is_live).filter(|it| !it.1).map(|it| it.0).collect();
            Arc::new(LiveChunks { is_live, dead })
        });
        Self { segment, owners: Arc::new(owners), live }
    }

    /// This view without some of its files, which `totals` no longer counts then.
    pub(super) fn without(&self, ords: &[u32], totals: &mut Totals) -> Self {
        let mut owners = Vec::clone(&self.owners);
        let (mut is_live, mut dead) = match &self.live {
            Some(it) => (it.is_live.clone(), it.dead.clone()),
            None => (vec![true; self.segment.n_chunks() as usize], Vec::new()),
        };
        for ord in ords {
            if let Some(owner) = owners.get_mut(*ord as usize)
                && owner.take().is_some()
            {
                totals.subtract(&self.totals_of(*ord));
                let chunks = self.segment.table.chunks_of(*ord);
                is_live[chunks.start as usize..chunks.end as usize].fill(false);
                dead.extend(chunks);
            }
        }
        dead.sort_unstable();
        let live = Some(Arc::new(LiveChunks { is_live, dead }));
        Self { segment: Arc::clone(&self.segment), owners: Arc::new(owners), live }
    }

    /// This view with one more of the segment's files, which `totals` counts then.
    pub(super) fn with(&self, ord: u32, file: FileId, totals: &mut Totals) -> Self {
        let mut owners = Vec::clone(&self.owners);
        let Some(owner) = owners.get_mut(ord as usize).filter(|it| it.is_none()) else {
            return self.clone();
        };
        *owner = Some(file);
        totals.add(&self.totals_of(ord));
        Self::new(Arc::clone(&self.segment), owners)
    }

    /// The file of the snapshot for the segment's file `ord`.
    pub(in crate::index) fn owner(&self, ord: u32) -> Option<FileId> {
        self.owners.get(ord as usize).copied().flatten()
    }

    /// Number of live chunks with the term whose posting list is at offset `list`.
    pub(in crate::index) fn frequency(&self, list: Option<u64>) -> u32 {
        let Some(offset) = list else { return 0 };
        let len = self.segment.postings_len(offset);
        let Some(live) = &self.live else { return len };
        let Some(bytes) = self.segment.postings_at(offset) else { return 0 };
        // A few dead chunks are looked up; with many, the whole list is read.
        if live.dead.len() * 16 < len as usize {
            let mut seeker = Seeker::new(&bytes);
            let dead = live.dead.iter().filter(|it| seeker.find(**it).is_some()).count();
            return len.saturating_sub(dead as u32);
        }
        let mut res = 0;
        each_posting(&bytes, |it| res += u32::from(live.is_live.get(it.0 as usize) == Some(&true)));
        res
    }

    /// Adds its definitions of `name` to `to`; `None` if these are more than `most`, where not all are read.
    pub(super) fn each_definition(
        &self,
        name: &str,
        most: usize,
        to: &mut Vec<DefinitionSite>,
    ) -> Option<()> {
        let Some(list) = self.segment.name(name) else { return Some(()) };
        let site = |it: StoredDefinition| {
            let owner = self.segment.has_chunk(it.file, it.chunk).then(|| self.owner(it.file));
            let (file, kind) = (owner.flatten()?, kind_of(it.kind)?);
            Some(DefinitionSite { file, definition: it.definition, chunk: it.chunk, kind })
        };
        // If all files of the segment are in this snapshot, all definitions count.
        if self.live.is_none() && NameEntry::n_definitions_in(&list) > most - to.len() {
            return None;
        }
        let definitions = self.segment.read_name(&list, NameEntry::definitions_in);
        to.extend(definitions.into_iter().flatten().filter_map(site));
        (to.len() <= most).then_some(())
    }

    /// Adds the totals of its live files to `totals`.
    pub(super) fn add_to(&self, totals: &mut Totals) {
        let live = (0..).zip(&*self.owners).filter(|(_, owner)| owner.is_some());
        live.for_each(|(ord, _)| totals.add(&self.totals_of(ord)));
    }

    /// The totals of the segment's file `ord`.
    fn totals_of(&self, ord: u32) -> Totals {
        let table = &self.segment.table;
        let chunks = table.chunks_of(ord);
        let mut lengths = [0; 4];
        for chunk in &table.lengths[chunks.start as usize..chunks.end as usize] {
            lengths.iter_mut().zip(chunk).for_each(|(sum, length)| *sum += u64::from(*length));
        }
        Totals {
            files: 1,
            chunks: chunks.end - chunks.start,
            bytes: u64::from(table.sizes[ord as usize]),
            lines: u64::from(table.line_counts[ord as usize]),
            lengths,
        }
    }
}
