//! A cache of recently read pack objects. Packs store an older state of a tree as a delta of a newer one, so a walk
//! back through the history finds most bases here.

use std::collections::HashMap;
use std::sync::Arc;

use super::Kind;

/// Maximum bytes of each of the two generations. With four times as many, 3000 commits of rails took equally long.
const MAX_BYTES: usize = 4 << 20;

/// Maximum bytes of a cached object: a tree with some ten thousand entries.
const MAX_ENTRY_BYTES: usize = 512 << 10;

/// What an entry takes beside its bytes.
const ENTRY_BYTES: usize = 128;

/// Index of the pack, and offset in it.
pub(super) type Place = (usize, u64);

/// A cache with two generations: objects unused during one generation are dropped with it.
#[derive(Default)]
pub(super) struct Bases {
    young: HashMap<Place, (Kind, Arc<Vec<u8>>)>,
    old: HashMap<Place, (Kind, Arc<Vec<u8>>)>,
    bytes: usize,
}

impl Bases {
    pub(super) fn get(&mut self, place: Place) -> Option<(Kind, Arc<Vec<u8>>)> {
        if let Some(known) = self.young.get(&place) {
            return Some(known.clone());
        }
        let (kind, bytes) = self.old.remove(&place)?;
        self.insert(place, kind, &bytes);
        Some((kind, bytes))
    }

    pub(super) fn insert(&mut self, place: Place, kind: Kind, bytes: &Arc<Vec<u8>>) {
        if bytes.len() > MAX_ENTRY_BYTES || kind == Kind::Blob {
            return;
        }
        if self.bytes > MAX_BYTES {
            self.old = std::mem::take(&mut self.young);
            self.bytes = 0;
        }
        self.bytes += bytes.len() + ENTRY_BYTES;
        self.young.insert(place, (kind, Arc::clone(bytes)));
    }
}
