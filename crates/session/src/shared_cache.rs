//! A bounded cache of values that take long to compute. Callers with the same key wait for one computation; callers with
//! another key wait for none, because nothing is locked for all of them while a value is computed.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The latest values, by their keys.
pub(crate) struct SharedCache<K, V> {
    /// Most recently used last.
    entries: Mutex<Vec<(K, Cell<V>)>>,
    max: usize,
}

/// A value; locked while it is computed. It stays empty after a failure or a panic, so that the next caller tries again.
type Cell<V> = Arc<Mutex<Option<V>>>;

impl<K: PartialEq, V: Clone> SharedCache<K, V> {
    /// An empty cache of at most `max` values.
    pub(crate) const fn new(max: usize) -> Self {
        Self { entries: Mutex::new(Vec::new()), max }
    }

    /// The value of a key, by `compute` unless it is cached.
    pub(crate) fn get<E>(&self, key: K, compute: impl FnOnce() -> Result<V, E>) -> Result<V, E> {
        self.get_if(key, compute, |_| true)
    }

    /// Like [`Self::get`]; a computed value is cached only if `is_kept`.
    pub(crate) fn get_if<E>(
        &self,
        key: K,
        compute: impl FnOnce() -> Result<V, E>,
        is_kept: impl FnOnce(&V) -> bool,
    ) -> Result<V, E> {
        let cell = self.cell(key);
        let mut value = lock(&cell);
        if let Some(known) = &*value {
            return Ok(known.clone());
        }
        let computed = compute().inspect_err(|_| self.forget(&cell))?;
        *value = is_kept(&computed).then(|| computed.clone());
        Ok(computed)
    }

    /// Drops a failed cell, which would take the place of a value.
    fn forget(&self, cell: &Cell<V>) {
        lock(&self.entries).retain(|it| !Arc::ptr_eq(&it.1, cell));
    }

    /// Drops all values.
    pub(crate) fn clear(&self) {
        let dropped = std::mem::take(&mut *lock(&self.entries));
        // After the lock: dropping a value may take long.
        drop(dropped);
    }

    /// The values that are computed.
    pub(crate) fn values(&self) -> Vec<V> {
        let cells: Vec<Cell<V>> = lock(&self.entries).iter().map(|it| Arc::clone(&it.1)).collect();
        cells.iter().filter_map(|it| it.try_lock().ok()?.clone()).collect()
    }

    /// The cell of a key, marked as the latest.
    fn cell(&self, key: K) -> Cell<V> {
        let mut entries = lock(&self.entries);
        let entry = match entries.iter().position(|it| it.0 == key) {
            Some(at) => entries.remove(at),
            None => (key, Cell::default()),
        };
        let cell = Arc::clone(&entry.1);
        entries.push(entry);
        let evicted = (entries.len() > self.max).then(|| entries.remove(0));
        drop(entries);
        drop(evicted);
        cell
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    fn get(cache: &SharedCache<u32, u32>, key: u32) -> bool {
        let mut is_computed = false;
        let compute = || {
            is_computed = true;
            Ok::<_, Infallible>(key * 10)
        };
        let Ok(value) = cache.get(key, compute);
        assert_eq!(value, key * 10);
        is_computed
    }

    #[test]
    fn a_value_is_computed_once_and_the_latest_are_cached() {
        let cache = SharedCache::new(2);
        assert_eq!([1, 2, 1, 3].map(|it| get(&cache, it)), [true, true, false, true]);
        assert_eq!([1, 3, 2].map(|it| get(&cache, it)), [false, false, true]);
        cache.clear();
        assert!(get(&cache, 2));
    }

    #[test]
    fn a_request_for_another_value_does_not_wait() {
        let cache = SharedCache::new(2);
        // Would deadlock if the second waited for the first, which is being computed.
        let value = cache.get(1, || cache.get(2, || Ok::<_, Infallible>(3)));
        assert_eq!(value, Ok(3));
    }

    #[test]
    fn what_fails_panics_or_is_not_kept_is_computed_again() {
        let cache = SharedCache::new(2);
        assert_eq!(cache.get(1, || Err("no")), Err("no"));
        let panics = || cache.get::<&str>(1, || panic!("a bug"));
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(panics)).is_err());
        assert_eq!(cache.get_if(1, || Ok::<_, &str>(10), |_| false), Ok(10));
        assert!(get(&cache, 1) && !get(&cache, 1));
    }
}
