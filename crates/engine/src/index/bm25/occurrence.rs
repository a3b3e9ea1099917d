//! Enumerates the occurrences of a term, without scores.

use std::ops::ControlFlow;

use crate::index::fields::Frequencies;
use crate::index::ids::FileId;
use crate::index::postings::{Block, Postings};
use crate::index::snapshot::Snapshot;

impl Snapshot {
    /// Calls `found` with the file and frequencies of every chunk that contains the term, until it breaks.
    pub fn each_occurrence(
        &self,
        term: &str,
        found: &mut dyn FnMut(FileId, Frequencies) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for view in &self.segments {
            let Some(offset) = view.segment.offset_of(term) else { continue };
            let Some(bytes) = view.segment.postings_at(offset) else { continue };
            let table = &view.segment.table;
            let (mut list, mut block) = (Postings::new(&bytes), Block::new());
            while list.next_block(&mut block) {
                for (chunk, frequencies) in block.postings() {
                    let owner = table.file_of(chunk).and_then(|ord| view.owners[ord as usize]);
                    if let Some(file) = owner {
                        found(file, frequencies)?;
                    }
                }
            }
        }
        // It did not break: further files could matter.
        self.need_files_with(term);
        ControlFlow::Continue(())
    }
}
