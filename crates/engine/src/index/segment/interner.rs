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
        let first = |id| (first_bytes(self.get(id)), id);
        let mut res: Vec<(u64, u32)> = (0..self.ends.len() as u32).map(first).collect();
        let bytes = |id| self.get(id).as_bytes();
        res.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| bytes(a.1).cmp(bytes(b.1))));
        res.into_iter().map(|it| it.1).collect()
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Bytes of all strings together.
    pub(super) fn text_len(&self) -> usize {
        self.arena.len()
    }
}

/// The first eight bytes as a number, which decides most comparisons without looking at the strings.
fn first_bytes(text: &str) -> u64 {
    let mut first = [0; 8];
    let len = text.len().min(first.len());
    first[..len].copy_from_slice(&text.as_bytes()[..len]);
    u64::from_be_bytes(first)
}

fn get<'a>(arena: &'a str, ends: &[u32], id: u32) -> &'a str {
    let start = if id == 0 { 0 } else { ends[id as usize - 1] };
    &arena[start as usize..ends[id as usize] as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_sorted_by_their_bytes_also_where_the_first_eight_are_equal() {
        let words =
            ["b", "", "a\0", "a", "parse_url_b", "parse_url", "parse_ur", "é", "parse_url_a"];
        let mut interner = Interner::default();
        for it in words {
            interner.id_of(it);
        }
        let sorted: Vec<&str> = interner.sorted().into_iter().map(|it| interner.get(it)).collect();
        let mut expect = words.to_vec();
        expect.sort_unstable();
        assert_eq!(sorted, expect);
    }
}
