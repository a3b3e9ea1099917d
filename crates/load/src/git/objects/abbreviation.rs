//! Finds objects by an abbreviated hash.

use std::path::PathBuf;

use super::{ObjectId, Objects};

/// Minimum number of digits, as in git; fewer match too many objects.
const MIN_DIGITS: usize = 4;

impl Objects {
    /// The objects whose hash begins with these hexadecimal digits, in order. Empty for fewer than four digits.
    pub(in crate::git) fn beginning_with(&self, digits: &str) -> Vec<ObjectId> {
        let digits = &*digits.to_ascii_lowercase();
        let is_hex = digits.bytes().all(|it| it.is_ascii_hexdigit());
        if !is_hex || !(MIN_DIGITS..=40).contains(&digits.len()) {
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

/// The loose objects in a directory of objects whose hash begins with these two digits.
fn loose(objects: &std::path::Path, first: &str) -> Vec<ObjectId> {
    let directory: PathBuf = objects.join(first);
    let entries = std::fs::read_dir(directory).into_iter().flatten().filter_map(Result::ok);
    let hash =
        |it: std::fs::DirEntry| ObjectId::from_hex(&format!("{first}{}", it.file_name().to_str()?));
    entries.filter_map(hash).collect()
}
