//! Distinct strings, numbered in order of first occurrence.

use hashbrown::HashTable;

use crate::index::analyze::hash_of;

/// Gives each distinct string a number.
#[derive(Default)]
pub(super) struct Interner {
    arena: String,
    ends: Vec<u32>,
    ids: HashTable<u32>,
}

impl Interner {
    pub(super) fn id_of(&mut self, text: &str) -> u32 {
        let hash = hash_of(text);
        let Self { arena, ends, ids } = self;
        if let Some(&id) = ids.find(hash, |&id| get(arena, ends, id) == text) {
            return id;
        }
        arena.push_str(text);
        ends.push(arena.len() as u32);
        let id = ends.len() as u32 - 1;
        ids.insert_unique(hash, id, |&id| hash_of(get(arena, ends, id)));
        id
    }

    pub(super) fn get(&self, id: u32) -> &str {
        get(&self.arena, &self.ends, id)
    }

    /// The numbers, sorted by the bytes of their strings.
    pub(super) fn sorted(&self) -> Vec<u32> {
        let mut res: Vec<u32> = (0..self.ends.len() as u32).collect();
        res.sort_unstable_by(|a, b| self.get(*a).as_bytes().cmp(self.get(*b).as_bytes()));
        res
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Bytes of all strings together.
    pub(super) fn text_len(&self) -> usize {
        self.arena.len()
    }
}

fn get<'a>(arena: &'a str, ends: &[u32], id: u32) -> &'a str {
    let start = if id == 0 { 0 } else { ends[id as usize - 1] };
    &arena[start as usize..ends[id as usize] as usize]
}
