//! Objects of packs that were read a moment ago. Packs keep an older state of a tree as the difference to a newer one, so
//! that a walk back through the history finds most of what it needs here.

use std::collections::HashMap;
use std::sync::Arc;

use super::Kind;

/// Bytes that each of two generations holds: 3000 commits of rails took as long as with four times as many.
const MAX_BYTES: usize = 4 << 20;

/// Bytes of the largest object that is kept: a tree with some ten thousand entries.
const MAX_KEPT: usize = 512 << 10;

/// The pack's number and the offset in it.
type Place = (usize, u64);

/// A cache in two generations: what was not used since the last change of generations is dropped at the next.
#[derive(Default)]
pub(super) struct Bases {
    young: HashMap<Place, (Kind, Arc<[u8]>)>,
    old: HashMap<Place, (Kind, Arc<[u8]>)>,
    /// Bytes in `young`.
    bytes: usize,
}

impl Bases {
    pub(super) fn get(&mut self, pack: usize, offset: u64) -> Option<(Kind, Arc<[u8]>)> {
        if let Some(known) = self.young.get(&(pack, offset)) {
            return Some(known.clone());
        }
        let (kind, bytes) = self.old.remove(&(pack, offset))?;
        self.insert(pack, offset, kind, &bytes);
        Some((kind, bytes))
    }

    pub(super) fn insert(&mut self, pack: usize, offset: u64, kind: Kind, bytes: &Arc<[u8]>) {
        if bytes.len() > MAX_KEPT || kind == Kind::Blob {
            return;
        }
        if self.bytes > MAX_BYTES {
            self.old = std::mem::take(&mut self.young);
            self.bytes = 0;
        }
        self.bytes += bytes.len();
        self.young.insert((pack, offset), (kind, Arc::clone(bytes)));
    }
}
