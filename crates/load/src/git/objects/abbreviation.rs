//! Finds objects by an abbreviated hash.

use super::{ObjectId, Objects};
use crate::root::{DirectoryRoot, Entry};

/// Minimum number of digits, as in git; fewer match too many objects.
const MIN_DIGITS: usize = 4;

/// Maximum number of packed objects with one abbreviation. With four digits a pack of ten million has 150.
const MAX_OBJECTS: usize = 10_000;

impl Objects {
    /// The objects whose hash begins with these hexadecimal digits, in order. Empty for fewer than four digits.
    pub(in crate::git) fn beginning_with(&self, digits: &str) -> Vec<ObjectId> {
        let digits = &*digits.to_ascii_lowercase();
        let is_hex = digits.bytes().all(|it| it.is_ascii_hexdigit());
        if !is_hex || !(MIN_DIGITS..=40).contains(&digits.len()) {
            return Vec::new();
        }
        let padded =
            |it: &str| ObjectId::from_hex(&format!("{digits}{}", it.repeat(40 - digits.len())));
        let (Some(first), Some(last)) = (padded("0"), padded("f")) else { return Vec::new() };
        let packed = self.packs.iter().flat_map(|(_, it)| it.between(first, last, MAX_OBJECTS));
        let loose = self.directories.iter().flat_map(|it| loose(it, &digits[..2]));
        let mut res: Vec<ObjectId> = packed.chain(loose).collect();
        res.retain(|it| it.hex().starts_with(digits));
        res.sort_unstable();
        res.dedup();
        res
    }
}

/// The loose objects in a directory of objects whose hash begins with these two digits.
fn loose(objects: &DirectoryRoot, first: &str) -> Vec<ObjectId> {
    let entries = objects.directory(first).and_then(|mut it| it.entries()).unwrap_or_default();
    let hash = |it: Entry| ObjectId::from_hex(&format!("{first}{}", it.name.to_str()?));
    entries.into_iter().filter_map(hash).collect()
}
