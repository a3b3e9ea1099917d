//! Objects by the beginning of their hash, as people write commits.

use std::path::PathBuf;

use super::{FANOUT, HEAD, ObjectId, Objects, Pack, number_at, read_at};

/// Fewer digits name too many objects; git takes no fewer either.
const LEAST_DIGITS: usize = 4;

impl Objects {
    /// The objects whose hash begins with these hexadecimal digits, in order. None for fewer than four digits.
    pub(in crate::git) fn beginning_with(&self, digits: &str) -> Vec<ObjectId> {
        let digits = &*digits.to_ascii_lowercase();
        let is_hex = digits.bytes().all(|it| it.is_ascii_hexdigit());
        if !is_hex || !(LEAST_DIGITS..=40).contains(&digits.len()) {
            return Vec::new();
        }
        let Ok(first) = u8::from_str_radix(&digits[..2], 16) else { return Vec::new() };
        let packed = self.packs.iter().filter_map(|it| it.hashes(first)).flatten();
        let loose = self.directories.iter().flat_map(|it| loose(it, &digits[..2]));
        let mut res: Vec<ObjectId> = packed.chain(loose).collect();
        res.retain(|it| it.hex().starts_with(digits));
        res.sort_unstable();
        res.dedup();
        res
    }
}

impl Pack {
    /// The hashes that begin with this byte.
    fn hashes(&self, first: u8) -> Option<Vec<ObjectId>> {
        let first = u64::from(first);
        let start = match first {
            0 => 0,
            first => number_at(&self.index, HEAD + (first - 1) * 4)?,
        };
        let end = number_at(&self.index, HEAD + first * 4)?.min(self.count);
        let mut bytes = vec![0; end.checked_sub(start)? as usize * 20];
        read_at(&self.index, HEAD + FANOUT + u64::from(start) * 20, &mut bytes)?;
        Some(bytes.chunks_exact(20).filter_map(|it| Some(ObjectId::split(it)?.0)).collect())
    }
}

/// The loose objects below a directory of objects whose hash begins with these two digits.
fn loose(objects: &std::path::Path, first: &str) -> Vec<ObjectId> {
    let directory: PathBuf = objects.join(first);
    let entries = std::fs::read_dir(directory).into_iter().flatten().filter_map(Result::ok);
    let hash =
        |it: std::fs::DirEntry| ObjectId::from_hex(&format!("{first}{}", it.file_name().to_str()?));
    entries.filter_map(hash).collect()
}
