//! The maps that were made lately: ranking all files of a million lines takes most of a second, and an agent asks for the
//! same map again and again.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use foreword_engine::index::Snapshot;
use foreword_engine::map::Map;

/// Maps that are kept. An agent asks for one or two, the inspector for some.
const MOST: usize = 8;

/// What a map is of.
#[derive(PartialEq)]
struct Of {
    snapshot: String,
    focus: Vec<String>,
    tokens: usize,
}

/// A map, once it is made.
type Cell = Arc<Mutex<Option<Arc<Map>>>>;

/// The latest maps of a repository.
#[derive(Default)]
pub struct Maps {
    /// The one that was asked for last at the end.
    known: Mutex<Vec<(Of, Cell)>>,
}

impl Maps {
    /// The map of this state, made by `make` unless it is known. Who asks for it while it is being made waits for it;
    /// who asks for another does not.
    pub fn get(
        &self,
        snapshot: &Snapshot,
        focus: &[String],
        tokens: usize,
        make: impl FnOnce() -> anyhow::Result<Map>,
    ) -> anyhow::Result<Arc<Map>> {
        let of = Of { snapshot: snapshot.id().to_owned(), focus: focus.to_vec(), tokens };
        let cell = self.cell(of);
        let mut made = lock(&cell);
        if let Some(map) = &*made {
            return Ok(Arc::clone(map));
        }
        let map = Arc::new(make()?);
        *made = Some(Arc::clone(&map));
        Ok(map)
    }

    /// The place of a map, which is the latest now.
    fn cell(&self, of: Of) -> Cell {
        let mut known = lock(&self.known);
        let entry = match known.iter().position(|it| it.0 == of) {
            Some(at) => known.remove(at),
            None => (of, Cell::default()),
        };
        let cell = Arc::clone(&entry.1);
        known.push(entry);
        if known.len() > MOST {
            known.remove(0);
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
    fn a_map_is_made_once_and_the_latest_are_kept() {
        let (maps, snapshot) = (Maps::default(), Snapshot::empty(IndexConfig::default()));
        let get = |tokens: usize| {
            let mut made = false;
            let make = || {
                made = true;
                Ok(Map { tokens, ..Map::default() })
            };
            let map = maps.get(&snapshot, &[], tokens, make).unwrap();
            assert_eq!(map.tokens, tokens);
            made
        };
        assert_eq!([get(1), get(2), get(1)], [true, true, false]);
        (10..10 + MOST).for_each(|it| assert!(get(it)));
        assert!(get(1) && !get(10 + MOST - 1));
        let other = maps.get(&snapshot, &["a".to_owned()], 1, || Ok(Map::default())).unwrap();
        assert_eq!(other.tokens, 0);
        assert!(maps.get(&snapshot, &[], 99, || anyhow::bail!("no")).is_err());
        assert!(get(99), "what failed is tried again");
    }

    #[test]
    fn who_asks_for_another_map_does_not_wait() {
        let (maps, snapshot) = (Maps::default(), Snapshot::empty(IndexConfig::default()));
        let make = || {
            // Would never end if it waited for the one that is being made.
            maps.get(&snapshot, &[], 2, || Ok(Map::default()))?;
            Ok(Map::default())
        };
        assert!(maps.get(&snapshot, &[], 1, make).is_ok());
    }
}
