//! The titles of a file's chunks, readable without its record and its text: a search shows ten chunks of ten files.
//!
//! ```text
//! for each chunk:
//!   definition   1 + the number of the definition in the file, or 0 where the chunk has no title; then nothing follows
//!   shared       how many bytes the name shares with the beginning of the name before
//!   rest         the length of the other bytes, and the bytes
//! ```

use crate::index::checksum::CorruptData;
use crate::index::record::FileRecord;
use crate::index::varint::{Reader, put};

/// The definition that names a chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Title {
    /// The number of the definition in the file.
    pub definition: u32,
    /// Its name after those of the definitions around it, joined by `.`.
    pub name: String,
}

/// The titles of all chunks of a file.
pub(super) fn pack(text: &str, record: &FileRecord) -> Vec<u8> {
    let mut res = Vec::new();
    let mut before = String::new();
    for idx in 0..record.chunks.len() as u32 {
        let Some(definition) = record.title_of(idx) else {
            put(&mut res, 0);
            continue;
        };
        let name = record.dotted_name(text, definition);
        let shared = before.bytes().zip(name.bytes()).take_while(|(a, b)| a == b).count();
        let rest = &name.as_bytes()[shared..];
        put(&mut res, definition + 1);
        put(&mut res, shared as u32);
        put(&mut res, rest.len() as u32);
        res.extend_from_slice(rest);
        before = name;
    }
    res
}

/// The title of chunk `idx`; `None` if it has none.
pub(super) fn title(packed: &[u8], idx: u32) -> Result<Option<Title>, CorruptData> {
    let mut name: Vec<u8> = Vec::new();
    let mut rest = packed;
    for _ in 0..idx {
        next(&mut rest, &mut name)?;
    }
    let Some(definition) = next(&mut rest, &mut name)? else { return Ok(None) };
    let name = String::from_utf8(name).map_err(|_| CorruptData)?;
    Ok(Some(Title { definition, name }))
}

/// Reads the next title: the number of its definition; its name replaces `name`.
fn next(rest: &mut &[u8], name: &mut Vec<u8>) -> Result<Option<u32>, CorruptData> {
    let mut reader = Reader::new(rest);
    let definition = reader.number().checked_sub(1);
    let len = match definition {
        None => 0,
        Some(_) => {
            name.truncate(reader.number() as usize);
            reader.number() as usize
        }
    };
    let behind = rest.get(reader.at()..).and_then(|it| it.split_at_checked(len));
    let (own, behind) = behind.ok_or(CorruptData)?;
    name.extend_from_slice(own);
    *rest = behind;
    Ok(definition)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::AnalyzedFile;

    #[test]
    fn each_chunk_has_the_title_that_its_record_gives() {
        let class = |name: &str| {
            let method =
                |n| format!("    def größe_{n}(self):\n        return {:?}\n", "x".repeat(900));
            format!("class {name}:\n{}", (0..6).map(method).collect::<String>())
        };
        let text =
            format!("\"\"\"{}\"\"\"\n{}{}", "word ".repeat(600), class("Ärger"), class("Über"));
        let file =
            AnalyzedFile::new("a.py".into(), text.clone(), &foreword_chunk::Config::default());
        let packed = pack(&text, &file.record);
        let n = file.record.chunks.len() as u32;
        let mut names = Vec::new();
        for idx in 0..n {
            let expect = file.record.title_of(idx);
            let found = title(&packed, idx).unwrap();
            assert_eq!(found.as_ref().map(|it| it.definition), expect, "chunk {idx}");
            let name = expect.map(|it| file.record.dotted_name(&text, it));
            assert_eq!(found.as_ref().map(|it| it.name.clone()), name, "chunk {idx}");
            names.extend(name);
        }
        assert_eq!(title(&packed, n), Err(CorruptData));
        assert!(names.len() > 2 && names.len() < n as usize, "{names:?} of {n}");
    }

    #[test]
    fn corrupt_bytes_are_noticed() {
        for packed in [&[][..], &[9, 200, 200], &[1, 0, 9, b'a'], &[1, 0, 1, 0xFF]] {
            assert_eq!(title(packed, 0), Err(CorruptData), "{packed:?}");
        }
        assert_eq!(title(&[0, 0], 1), Ok(None));
    }
}
