//! The vectors of a segment in a file beside it, so that another process need not sum them again.
//!
//! The file is named by the segment and the table: another table's vectors lie beside, and neither touches the segment. A
//! file that is absent, cut or damaged is made again; one that cannot be written is not missed.
#![expect(clippy::disallowed_methods, reason = "the index directory is the engine's own")]

use std::path::{Path, PathBuf};

use super::ChunkVectors;
use crate::dense::{BLOCK, TermTable};
use crate::index::checksum::checksum;

/// The file of a segment's vectors by a table.
pub(super) fn path_of(segment: &Path, table: &TermTable) -> PathBuf {
    let id = u64::from_be_bytes(table.id());
    segment.with_extension(format!("{id:016x}.vectors"))
}

/// The vectors of `n` chunks; `None` if they are not there, or not as they were written.
pub(super) fn read(path: &Path, n: usize, table: &TermTable) -> Option<ChunkVectors> {
    let dimensions = table.dimensions();
    let (numbers, factors) = (n * dimensions, n * dimensions / BLOCK);
    let is_right = std::fs::metadata(path).is_ok_and(|it| {
        it.is_file() && it.len() == (numbers + factors * size_of::<f32>() + size_of::<u64>()) as u64
    });
    let mut bytes = is_right.then(|| std::fs::read(path).ok())??;
    let check = u64::from_le_bytes(*bytes.last_chunk()?);
    bytes.truncate(bytes.len() - size_of::<u64>());
    if checksum(&bytes) != check {
        return None;
    }
    let factors = bytes[numbers..].as_chunks().0.iter().map(|it| f32::from_le_bytes(*it)).collect();
    bytes.truncate(numbers);
    let numbers = bytes.into_iter().map(u8::cast_signed).collect();
    Some(ChunkVectors { id: table.id(), dimensions, numbers, factors })
}

/// Writes vectors; whether they could be written does not matter.
pub(super) fn write(path: &Path, vectors: &ChunkVectors) {
    let mut bytes: Vec<u8> = vectors.numbers.iter().map(|it| it.cast_unsigned()).collect();
    vectors.factors.iter().for_each(|it| bytes.extend(it.to_le_bytes()));
    let check = checksum(&bytes);
    bytes.extend(check.to_le_bytes());
    // Several processes may write the same bytes at once.
    let unfinished = path.with_extension(format!("{}.unfinished", std::process::id()));
    let written = std::fs::write(&unfinished, bytes);
    if written.and_then(|()| std::fs::rename(&unfinished, path)).is_err() {
        let _ = std::fs::remove_file(&unfinished);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dense::small_table;

    #[test]
    fn vectors_are_read_as_they_were_written_or_not_at_all() {
        let dir = tempfile::tempdir().unwrap();
        let table = TermTable::new(&small_table()).unwrap();
        let path = path_of(&dir.path().join("0a.segment"), &table);
        let numbers: Vec<i8> = (0..2 * BLOCK).map(|it| it as i8 - 64).collect();
        let vectors =
            ChunkVectors { id: table.id(), dimensions: BLOCK, numbers, factors: vec![0.5, 2.0] };
        assert!(read(&path, 2, &table).is_none());
        write(&path, &vectors);
        let found = read(&path, 2, &table).unwrap();
        assert_eq!((&found.numbers, &found.factors), (&vectors.numbers, &vectors.factors));
        assert!(read(&path, 3, &table).is_none());
        let good = std::fs::read(&path).unwrap();
        for at in [0, 100, good.len() - 1] {
            let mut bad = good.clone();
            bad[at] ^= 1;
            std::fs::write(&path, bad).unwrap();
            assert!(read(&path, 2, &table).is_none(), "{at}");
        }
    }

    #[test]
    fn another_table_has_a_file_of_its_own() {
        let (one, mut bytes) = (TermTable::new(&small_table()).unwrap(), small_table());
        *bytes.last_mut().unwrap() ^= 1;
        let other = TermTable::new(&bytes).unwrap();
        let segment = Path::new("0a.segment");
        assert_ne!(path_of(segment, &one), path_of(segment, &other));
        assert!(path_of(segment, &one).to_string_lossy().starts_with("0a."));
    }
}
