//! Reads a pack and its index.

use std::cell::OnceCell;
use std::fs::File;
use std::io::{BufReader, Read, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use flate2::read::ZlibDecoder;

use super::{Kind, MAX_OBJECT, ObjectId};
use crate::root::open_regular;

/// A pack and its index.
pub(super) struct Pack {
    index: File,
    /// Number of objects.
    count: u32,
    path: PathBuf,
    /// Opened on first use: a repository may have more packs than a process may have open files.
    pack: OnceCell<Option<File>>,
}

/// An object as stored in a pack.
pub(super) enum PackEntry {
    Whole(Kind, Vec<u8>),
    /// A delta of the object at this offset.
    DeltaAt(u64, Vec<u8>),
    /// A delta of this object.
    DeltaOf(ObjectId, Vec<u8>),
}

/// The packs of a directory with an index of version 2 (the newest format), sorted by name.
pub(super) fn packs_in(directory: &Path) -> Vec<Pack> {
    let Ok(entries) = std::fs::read_dir(directory) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.filter_map(|it| Some(it.ok()?.path())).collect();
    paths.retain(|it| it.extension().is_some_and(|it| it == "idx"));
    paths.sort();
    paths.iter().filter_map(|it| Pack::open(it)).collect()
}

/// Bytes of an index header, and of its table of counts by first byte.
const HEADER_BYTES: u64 = 8;
const FANOUT_BYTES: u64 = 256 * 4;

/// Number of hashes read at once: 64 on each side of the expected position, twice the standard deviation in a pack of a
/// million objects.
const WINDOW: u32 = 128;

/// Bytes of a pack read at once; most trees and commits are shorter.
const READ_BYTES: usize = 4096;

impl Pack {
    fn open(path: &Path) -> Option<Self> {
        let index = open_regular(path).ok()?;
        let mut head = [0; 8];
        read_at(&index, 0, &mut head)?;
        if head != *b"\xfftOc\0\0\0\x02" {
            return None;
        }
        let count = number_at(&index, HEADER_BYTES + FANOUT_BYTES - 4)?;
        Some(Self { index, count, path: path.with_extension("pack"), pack: OnceCell::new() })
    }

    /// The offset of an object in the pack. Hashes are evenly distributed, so the position of one is interpolated among
    /// those with the same first byte, and a few dozen are read there. A miss narrows the next interpolation.
    pub(super) fn offset_of(&self, id: ObjectId) -> Option<u64> {
        let first = u64::from(id.0[0]);
        let mut ends = [0; 8];
        let (mut low, mut high) = match first {
            0 => (0, number_at(&self.index, HEADER_BYTES)?.min(self.count)),
            first => {
                read_at(&self.index, HEADER_BYTES + (first - 1) * 4, &mut ends)?;
                let (low, high) = ends.split_at(4);
                let number = |it: &[u8]| it.try_into().map(u32::from_be_bytes).ok();
                (number(low)?, number(high)?.min(self.count))
            }
        };
        // The expected position within the range, as a fraction of 2^32.
        let share = u64::from(u32::from_be_bytes([id.0[1], id.0[2], id.0[3], id.0[4]]));
        let (mut window, mut is_guess) = ([0; WINDOW as usize * 20], true);
        while low < high {
            let middle = match is_guess {
                true => low + ((u64::from(high - low) * share) >> 32) as u32,
                false => low.midpoint(high),
            };
            is_guess = false;
            let start = middle.saturating_sub(WINDOW / 2).max(low);
            let end = (start + WINDOW).min(high);
            let hashes = &mut window[..(end - start) as usize * 20];
            read_at(&self.index, HEADER_BYTES + FANOUT_BYTES + u64::from(start) * 20, hashes)?;
            let (hashes, _) = hashes.as_chunks::<20>();
            match hashes.binary_search(&id.0) {
                Ok(at) => return self.offset_at(start + at as u32),
                Err(0) => high = start,
                Err(at) if at == hashes.len() => low = end,
                Err(_) => return None,
            }
        }
        None
    }

    /// The hashes with this first byte.
    pub(super) fn hashes(&self, first: u8) -> Option<Vec<ObjectId>> {
        let first = u64::from(first);
        let start = match first {
            0 => 0,
            first => number_at(&self.index, HEADER_BYTES + (first - 1) * 4)?,
        };
        let end = number_at(&self.index, HEADER_BYTES + first * 4)?.min(self.count);
        let mut bytes = vec![0; end.checked_sub(start)? as usize * 20];
        read_at(&self.index, HEADER_BYTES + FANOUT_BYTES + u64::from(start) * 20, &mut bytes)?;
        Some(bytes.chunks_exact(20).filter_map(|it| Some(ObjectId::split(it)?.0)).collect())
    }

    /// The offset of the object with this index. Offsets beyond 2 GiB are in a separate table.
    fn offset_at(&self, number: u32) -> Option<u64> {
        let count = u64::from(self.count);
        let offsets = HEADER_BYTES + FANOUT_BYTES + count * 24;
        let offset = number_at(&self.index, offsets + u64::from(number) * 4)?;
        if offset & 0x8000_0000 == 0 {
            return Some(u64::from(offset));
        }
        let mut large = [0; 8];
        let at = u64::from(offset & 0x7fff_ffff);
        read_at(&self.index, offsets + count * 4 + at * 8, &mut large)?;
        Some(u64::from_be_bytes(large))
    }

    pub(super) fn entry(&self, offset: u64) -> Option<PackEntry> {
        let mut file = self.pack.get_or_init(|| open_regular(&self.path).ok()).as_ref()?;
        file.seek(SeekFrom::Start(offset)).ok()?;
        let mut from = BufReader::with_capacity(READ_BYTES, file);
        let first = byte(&mut from)?;
        let (mut size, mut shift) = (u64::from(first & 15), 4);
        let mut last = first;
        while last & 0x80 != 0 {
            last = byte(&mut from)?;
            size |= u64::from(last & 0x7f).checked_shl(shift)?;
            shift += 7;
        }
        let kind = match (first >> 4) & 7 {
            1 => Kind::Commit,
            2 => Kind::Tree,
            3 => Kind::Blob,
            4 => Kind::Tag,
            6 => {
                let base = offset.checked_sub(back(&mut from)?)?;
                return Some(PackEntry::DeltaAt(base, inflated(from, size)?));
            }
            7 => {
                let mut base = [0; 20];
                from.read_exact(&mut base).ok()?;
                return Some(PackEntry::DeltaOf(ObjectId(base), inflated(from, size)?));
            }
            _ => return None,
        };
        Some(PackEntry::Whole(kind, inflated(from, size)?))
    }
}

fn read_at(mut file: &File, at: u64, bytes: &mut [u8]) -> Option<()> {
    file.seek(SeekFrom::Start(at)).ok()?;
    file.read_exact(bytes).ok()
}

fn number_at(file: &File, at: u64) -> Option<u32> {
    let mut bytes = [0; 4];
    read_at(file, at, &mut bytes)?;
    Some(u32::from_be_bytes(bytes))
}

pub(super) fn byte(from: &mut impl Read) -> Option<u8> {
    let mut byte = [0];
    from.read_exact(&mut byte).ok()?;
    Some(byte[0])
}

/// Reads a distance in git's offset encoding.
fn back(from: &mut impl Read) -> Option<u64> {
    let mut last = byte(from)?;
    let mut res = u64::from(last & 0x7f);
    while last & 0x80 != 0 {
        last = byte(from)?;
        res = res.checked_add(1)?.checked_mul(128)?.checked_add(u64::from(last & 0x7f))?;
    }
    Some(res)
}

/// Inflates exactly `size` bytes of a zlib stream.
fn inflated(from: impl Read, size: u64) -> Option<Vec<u8>> {
    if size > MAX_OBJECT as u64 {
        return None;
    }
    let mut bytes = Vec::new();
    ZlibDecoder::new(from).take(size + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 == size).then_some(bytes)
}
