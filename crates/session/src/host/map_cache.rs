//! Caches repository maps: ranking a million lines takes most of a second, and agents request the same map repeatedly.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use foreword_engine::index::Snapshot;
use foreword_engine::map::Map;

/// Number of cached maps. An agent uses one or two, the inspector several.
const MAX_MAPS: usize = 8;

/// Inputs of a map.
#[derive(PartialEq)]
struct Key {
    snapshot: String,
    focus: Vec<String>,
    tokens: usize,
}

/// A map; locked while it is computed.
type Cell = Arc<Mutex<Option<Arc<Map>>>>;

/// The latest maps of a repository.
#[derive(Default)]
pub struct MapCache {
    /// Most recently requested last.
    entries: Mutex<Vec<(Key, Cell)>>,
}

impl MapCache {
    /// The map of a snapshot, by `compute` unless it is cached. Concurrent requests for the same map wait for one
    /// computation.
    pub fn get(
        &self,
        snapshot: &Snapshot,
        focus: &[String],
        tokens: usize,
        compute: impl FnOnce() -> anyhow::Result<Map>,
    ) -> anyhow::Result<Arc<Map>> {
        let key = Key { snapshot: snapshot.id().to_owned(), focus: focus.to_vec(), tokens };
        let cell = self.cell(key);
        let mut map = lock(&cell);
        if let Some(it) = &*map {
            return Ok(Arc::clone(it));
        }
        let computed = Arc::new(compute()?);
        // The repaired snapshot has the same id.
        if !snapshot.is_damaged() {
            *map = Some(Arc::clone(&computed));
        }
        Ok(computed)
    }

    /// The cell of a map, marked as the latest.
    fn cell(&self, key: Key) -> Cell {
        let mut entries = lock(&self.entries);
        let entry = match entries.iter().position(|it| it.0 == key) {
            Some(at) => entries.remove(at),
            None => (key, Cell::default()),
        };
        let cell = Arc::clone(&entry.1);
        entries.push(entry);
        if entries.len() > MAX_MAPS {
            entries.remove(0);
        }
        cell
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use foreword_engine::index::IndexConfig;

    use super::*;

    #[test]
    fn a_map_is_computed_once_and_the_latest_are_cached() {
        let (maps, snapshot) = (MapCache::default(), Snapshot::empty(IndexConfig::default()));
        let get = |tokens: usize| {
            let mut computed = false;
            let compute = || {
                computed = true;
                Ok(Map { tokens, ..Map::default() })
            };
            let map = maps.get(&snapshot, &[], tokens, compute).unwrap();
            assert_eq!(map.tokens, tokens);
            computed
        };
        assert_eq!([get(1), get(2), get(1)], [true, true, false]);
        (10..10 + MAX_MAPS).for_each(|it| assert!(get(it)));
        assert!(get(1) && !get(10 + MAX_MAPS - 1));
        let other = maps.get(&snapshot, &["a".to_owned()], 1, || Ok(Map::default())).unwrap();
        assert_eq!(other.tokens, 0);
        assert!(maps.get(&snapshot, &[], 99, || anyhow::bail!("no")).is_err());
        assert!(get(99), "a failed map is computed again");
    }

    #[test]
    fn a_request_for_another_map_does_not_wait() {
        let (maps, snapshot) = (MapCache::default(), Snapshot::empty(IndexConfig::default()));
        let compute = || {
            // Would deadlock if it waited for the map under computation.
            maps.get(&snapshot, &[], 2, || Ok(Map::default()))?;
            Ok(Map::default())
        };
        assert!(maps.get(&snapshot, &[], 1, compute).is_ok());
    }
}
