//! Reads a pack and its index.

use std::cell::OnceCell;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use super::budget::Budget;
use super::delta::byte;
use super::inflate::{Inflater, inflated};
use super::{Kind, ObjectId, delta};
use crate::git::GitProblem;
use crate::root::DirectoryRoot;

/// A pack and its index.
pub(super) struct Pack {
    index: File,
    /// Number of objects.
    count: u32,
    /// The pack's path below the directory of objects.
    path: String,
    /// Opened on first use: a repository may have more packs than a process may have open files.
    pack: OnceCell<Option<File>>,
}

/// An object as stored in a pack.
pub(super) struct PackEntry<'p> {
    pub(super) base: PackBase,
    /// Number of bytes when inflated.
    pub(super) size: u64,
    file: &'p File,
    /// Where its zlib stream begins.
    at: u64,
    /// The start of the stream, which is read together with what precedes it.
    start: Vec<u8>,
}

/// What an object of a pack is made from.
#[derive(Clone, Copy)]
pub(super) enum PackBase {
    /// Nothing: it is stored whole.
    Whole(Kind),
    /// The object at this offset, and a delta.
    At(u64),
    /// This object, and a delta.
    Object(ObjectId),
}

/// Maximum number of packs. Git itself joins them from 50; a thousand were not joined for years.
const MAX_PACKS: usize = 1024;

/// The packs of a directory of objects with an index of version 2 (the newest format), sorted by name.
pub(super) fn packs_in(objects: &DirectoryRoot, budget: &Budget) -> Vec<Pack> {
    let entries = objects.directory("pack").and_then(|mut it| it.entries()).unwrap_or_default();
    let names = entries.into_iter().filter_map(|it| it.name.into_string().ok());
    let is_index = |it: &String| Path::new(it).extension().is_some_and(|it| it == "idx");
    let mut names: Vec<String> = names.filter(is_index).collect();
    names.sort();
    if names.len() > MAX_PACKS {
        budget.note(|| GitProblem::TooManyPacks { count: names.len() });
        names.truncate(MAX_PACKS);
    }
    names.iter().filter_map(|it| Pack::open(objects, it)).collect()
}

/// Bytes of an index header, of its table of counts by first byte, of an object in its tables, and of its final hashes.
const HEADER_BYTES: u64 = 8;
const FANOUT_BYTES: u64 = 256 * 4;
const OBJECT_BYTES: u64 = 20 + 4 + 4;
const HASHES_BYTES: u64 = 40;

/// Number of hashes read at once: 64 on each side of the expected position, twice the standard deviation in a pack of a
/// million objects.
const WINDOW: u32 = 128;

/// Bytes of a pack read at once; most trees and commits are shorter.
const READ_BYTES: usize = 4096;

impl Pack {
    fn open(objects: &DirectoryRoot, name: &str) -> Option<Self> {
        let index = objects.file(&format!("pack/{name}")).ok()?;
        let mut head = [0; 8];
        read_at(&index, 0, &mut head)?;
        if head != *b"\xfftOc\0\0\0\x02" {
            return None;
        }
        let count = number_at(&index, HEADER_BYTES + FANOUT_BYTES - 4)?;
        let tables = HEADER_BYTES + FANOUT_BYTES + u64::from(count) * OBJECT_BYTES + HASHES_BYTES;
        if index.metadata().ok()?.len() < tables {
            return None;
        }
        let path = format!("pack/{}.pack", name.strip_suffix(".idx")?);
        Some(Self { index, count, path, pack: OnceCell::new() })
    }

    /// The offset of an object in the pack. Hashes are evenly distributed, so the position of one is interpolated among
    /// those with the same first byte, and a few dozen are read there. A miss narrows the next interpolation.
    pub(super) fn offset_of(&self, id: ObjectId) -> Option<u64> {
        let (mut low, mut high) = self.range(id.0[0])?;
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
            let end = start.saturating_add(WINDOW).min(high);
            let hashes = self.hashes(start, &mut window[..(end - start) as usize * 20])?;
            match hashes.binary_search(&id.0) {
                Ok(at) => return self.offset_at(start + at as u32),
                Err(0) => high = start,
                Err(at) if at == hashes.len() => low = end,
                Err(_) => return None,
            }
        }
        None
    }

    /// The hashes that begin with the bytes of `first` and are at most `last`, in order; at most `most`.
    pub(super) fn between(&self, first: ObjectId, last: ObjectId, most: usize) -> Vec<ObjectId> {
        let mut res = Vec::new();
        let mut collect = || {
            let (mut low, end) = self.range(first.0[0])?;
            let mut high = end;
            let mut one = [0; 20];
            while low < high {
                let middle = low.midpoint(high);
                match self.hashes(middle, &mut one)?[0] < first.0 {
                    true => low = middle + 1,
                    false => high = middle,
                }
            }
            while low < end && res.len() < most {
                let id = ObjectId(self.hashes(low, &mut one)?[0]);
                if id > last {
                    break;
                }
                res.push(id);
                low += 1;
            }
            Some(())
        };
        let _ = collect();
        res
    }

    /// The numbers of the objects whose hash begins with this byte.
    fn range(&self, first: u8) -> Option<(u32, u32)> {
        let at = HEADER_BYTES + u64::from(first) * 4;
        let start = match first {
            0 => 0,
            _ => number_at(&self.index, at - 4)?,
        };
        Some((start, number_at(&self.index, at)?.min(self.count)))
    }

    /// Reads the hashes from this number on.
    fn hashes<'b>(&self, number: u32, to: &'b mut [u8]) -> Option<&'b [[u8; 20]]> {
        read_at(&self.index, HEADER_BYTES + FANOUT_BYTES + u64::from(number) * 20, to)?;
        Some(to.as_chunks().0)
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

    /// The entry at an offset; `objects` is the directory of the pack's objects.
    pub(super) fn entry(&self, objects: &DirectoryRoot, offset: u64) -> Option<PackEntry<'_>> {
        let file = self.pack.get_or_init(|| objects.file(&self.path).ok()).as_ref()?;
        let mut start = Vec::with_capacity(READ_BYTES);
        FileFrom { file, at: offset }.take(READ_BYTES as u64).read_to_end(&mut start).ok()?;
        let mut from = &start[..];
        let (kind, size) = head(&mut from)?;
        let base = match kind {
            1 => PackBase::Whole(Kind::Commit),
            2 => PackBase::Whole(Kind::Tree),
            3 => PackBase::Whole(Kind::Blob),
            4 => PackBase::Whole(Kind::Tag),
            6 => PackBase::At(offset.checked_sub(distance(&mut from)?)?),
            7 => {
                let (id, rest) = ObjectId::split(from)?;
                from = rest;
                PackBase::Object(id)
            }
            _ => return None,
        };
        let at = start.len() - from.len();
        start.drain(..at);
        Some(PackEntry { base, size, file, at: offset + at as u64, start })
    }
}

impl PackEntry<'_> {
    /// The bytes of the object, or of the delta; `None` if there are more than `most`.
    pub(super) fn inflated(&self, most: usize, budget: &Budget) -> Option<Vec<u8>> {
        inflated(self.stream(), self.size, most, budget)
    }

    /// The size of the object, of which no more than the start is inflated.
    pub(super) fn object_size(&self) -> Option<u64> {
        if let PackBase::Whole(_) = self.base {
            return Some(self.size);
        }
        let mut start = [0; 32];
        let length = Inflater::new(self.stream(), start.len()).start(&mut start)?;
        delta::result_size(&start[..length])
    }

    fn stream(&self) -> impl BufRead {
        let rest = FileFrom { file: self.file, at: self.at + self.start.len() as u64 };
        (&self.start[..]).chain(BufReader::with_capacity(READ_BYTES, rest))
    }
}

/// Reads type and size at the start of an entry.
fn head(from: &mut impl BufRead) -> Option<(u8, u64)> {
    let first = byte(from)?;
    let (mut size, mut shift) = (u64::from(first & 15), 4);
    let mut last = first;
    while last & 0x80 != 0 {
        last = byte(from)?;
        size |= u64::from(last & 0x7f).checked_shl(shift)?;
        shift += 7;
    }
    Some(((first >> 4) & 7, size))
}

/// Reads a file from an offset on.
struct FileFrom<'f> {
    file: &'f File,
    at: u64,
}

impl Read for FileFrom<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        #[cfg(unix)]
        let read = std::os::unix::fs::FileExt::read_at(self.file, to, self.at)?;
        #[cfg(windows)]
        let read = std::os::windows::fs::FileExt::seek_read(self.file, to, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

fn read_at(file: &File, at: u64, bytes: &mut [u8]) -> Option<()> {
    FileFrom { file, at }.read_exact(bytes).ok()
}

fn number_at(file: &File, at: u64) -> Option<u32> {
    let mut bytes = [0; 4];
    read_at(file, at, &mut bytes)?;
    Some(u32::from_be_bytes(bytes))
}

/// Reads a distance in git's offset encoding.
fn distance(from: &mut impl Read) -> Option<u64> {
    let mut last = byte(from)?;
    let mut res = u64::from(last & 0x7f);
    while last & 0x80 != 0 {
        last = byte(from)?;
        res = res.checked_add(1)?.checked_mul(128)?.checked_add(u64::from(last & 0x7f))?;
    }
    Some(res)
}
