//! Caches repository maps: ranking a million lines takes most of a second, and agents request the same map repeatedly.

use std::sync::Arc;

use foreword_engine::index::Snapshot;
use foreword_engine::map::Map;

use crate::shared_cache::SharedCache;

/// Number of cached maps. An agent uses one or two, the inspector several.
const MAX_MAPS: usize = 8;

/// Inputs of a map.
#[derive(PartialEq)]
struct Key {
    snapshot: String,
    focus: Vec<String>,
    tokens: usize,
}

/// The latest maps of a repository.
pub struct MapCache(SharedCache<Key, Arc<Map>>);

impl Default for MapCache {
    fn default() -> Self {
        Self(SharedCache::new(MAX_MAPS))
    }
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
        // The repaired snapshot has the same id.
        self.0.get_if(key, || compute().map(Arc::new), |_| !snapshot.is_damaged())
    }
}

#[cfg(test)]
mod tests {
    use foreword_engine::index::IndexConfig;

    use super::*;

    #[test]
    fn a_map_is_computed_once_for_its_snapshot_focus_and_tokens() {
        let (maps, snapshot) = (MapCache::default(), Snapshot::empty(IndexConfig::default()));
        let get = |focus: &[String], tokens: usize| {
            let mut computed = false;
            let compute = || {
                computed = true;
                Ok(Map { tokens, ..Map::default() })
            };
            let map = maps.get(&snapshot, focus, tokens, compute).unwrap();
            assert_eq!(map.tokens, tokens);
            computed
        };
        assert_eq!([get(&[], 1), get(&[], 2), get(&[], 1)], [true, true, false]);
        assert!(get(&["a".to_owned()], 1) && !get(&[], 2));
    }
}
