//! A cache of decoded values, bounded by bytes.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::index::ids::SegmentId;

/// A file of a segment.
pub(super) type Key = (SegmentId, u32);

/// Bytes per generation: one to two generations stay cached. A query touches some dozens of files of about 10 kB.
const GENERATION_BYTES: usize = 8 << 20;

/// Two generations of values: when the young one is full, it replaces the old one, so recently used values stay.
pub(super) struct Cache<V>(Mutex<Generations<V>>);

struct Generations<V> {
    young: HashMap<Key, (V, usize)>,
    old: HashMap<Key, (V, usize)>,
    /// Bytes of the young generation.
    bytes: usize,
}

impl<V> Default for Cache<V> {
    fn default() -> Self {
        Self(Mutex::new(Generations { young: HashMap::new(), old: HashMap::new(), bytes: 0 }))
    }
}

impl<V: Clone> Cache<V> {
    pub(super) fn get(&self, key: Key) -> Option<V> {
        self.lock().get(key)
    }

    /// The cached value, or the result of `make`; other threads do not wait for it. `size` estimates its bytes.
    pub(super) fn get_or_insert(
        &self,
        key: Key,
        make: impl FnOnce() -> V,
        size: impl FnOnce(&V) -> usize,
    ) -> V {
        if let Some(cached) = self.get(key) {
            return cached;
        }
        let value = make();
        let bytes = size(&value);
        self.lock().insert(key, value.clone(), bytes);
        value
    }

    fn lock(&self) -> MutexGuard<'_, Generations<V>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<V: Clone> Generations<V> {
    fn get(&mut self, key: Key) -> Option<V> {
        if let Some((value, _)) = self.young.get(&key) {
            return Some(value.clone());
        }
        let (value, bytes) = self.old.remove(&key)?;
        self.insert(key, value.clone(), bytes);
        Some(value)
    }

    fn insert(&mut self, key: Key, value: V, bytes: usize) {
        if self.bytes + bytes > GENERATION_BYTES {
            self.old = std::mem::take(&mut self.young);
            self.bytes = 0;
        }
        self.bytes += bytes;
        self.young.insert(key, (value, bytes));
    }
}
