//! Stored form of the definitions and uses of a name.

use crate::index::varint::{Reader, put};

/// A stored definition: its file, its index there, the index of the chunk with its name, its kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct StoredDefinition {
    pub(crate) file: u32,
    pub(crate) definition: u32,
    pub(crate) chunk: u32,
    pub(crate) kind: u8,
}

/// Definitions of a name, and the files that use it with counts; both sorted by file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct NameEntry {
    pub(crate) definitions: Vec<StoredDefinition>,
    pub(crate) references: Vec<(u32, u32)>,
}

impl NameEntry {
    pub(crate) fn put(&self, out: &mut Vec<u8>) {
        put(out, self.definitions.len() as u32);
        let mut before = 0;
        for it in &self.definitions {
            put(out, it.file - before);
            put(out, it.definition);
            put(out, it.chunk);
            out.push(it.kind);
            before = it.file;
        }
        put(out, self.references.len() as u32);
        before = 0;
        for &(file, count) in &self.references {
            put(out, file - before);
            put(out, count);
            before = file;
        }
    }

    /// Reads the entry in `bytes`; `None` if they are corrupt.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        let definitions = read_definitions(&mut reader, bytes.len());
        let mut file = 0_u32;
        let references = (0..n_entries(&mut reader, bytes.len())).map(|_| {
            file = file.wrapping_add(reader.number());
            (file, reader.number())
        });
        let res = Self { definitions, references: references.collect() };
        (reader.at() == bytes.len()).then_some(res)
    }

    /// Only the definitions; `None` if the bytes are corrupt.
    pub(crate) fn definitions_in(bytes: &[u8]) -> Option<Vec<StoredDefinition>> {
        let mut reader = Reader::new(bytes);
        let res = read_definitions(&mut reader, bytes.len());
        (reader.at() < bytes.len()).then_some(res)
    }

    /// The number of definitions, without reading them.
    pub(crate) fn n_definitions_in(bytes: &[u8]) -> usize {
        n_entries(&mut Reader::new(bytes), bytes.len())
    }
}

/// Each entry takes at least two bytes, which bounds a corrupt length.
fn n_entries(reader: &mut Reader<'_>, bytes: usize) -> usize {
    (reader.number() as usize).min(bytes)
}

fn read_definitions(reader: &mut Reader<'_>, bytes: usize) -> Vec<StoredDefinition> {
    let (n, mut file) = (n_entries(reader, bytes), 0_u32);
    let definition = |_| {
        file = file.wrapping_add(reader.number());
        let (definition, chunk) = (reader.number(), reader.number());
        StoredDefinition { file, definition, chunk, kind: reader.byte() }
    };
    (0..n).map(definition).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn corrupt_entries_end(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = NameEntry::read(&bytes);
        }
    }

    #[test]
    fn names_round_trip() {
        let definition =
            |file, number| StoredDefinition { file, definition: number, chunk: 2, kind: 5 };
        let definitions = vec![definition(0, 3), definition(0, 5), definition(9, 0)];
        let name = NameEntry { definitions, references: vec![(2, 7)] };
        let mut out = Vec::new();
        name.put(&mut out);
        assert_eq!(NameEntry::read(&out), Some(name));
        assert_eq!(NameEntry::read(&out[..out.len() - 1]), None);
    }
}
