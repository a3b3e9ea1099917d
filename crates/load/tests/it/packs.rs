//! Writes packs, loose objects and indexes as no program of git would. Hashes are arbitrary: no reader compares them.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::ZlibEncoder;

use crate::Tree;

pub(crate) type Id = [u8; 20];

pub(crate) const COMMIT: u8 = 1;
pub(crate) const TREE: u8 = 2;
pub(crate) const BLOB: u8 = 3;
const DELTA_AT: u8 = 6;
const DELTA_OF: u8 = 7;

/// The hash of a number.
pub(crate) fn id(number: u32) -> Id {
    let mut res = [0x5a; 20];
    // Spread, as hashes are.
    res[..4].copy_from_slice(&number.wrapping_mul(0x9e37_79b9).to_be_bytes());
    res[4..8].copy_from_slice(&number.to_be_bytes());
    res
}

pub(crate) fn hex(id: Id) -> String {
    id.iter().map(|it| format!("{it:02x}")).collect()
}

pub(crate) fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut to = ZlibEncoder::new(Vec::new(), Compression::fast());
    to.write_all(bytes).unwrap();
    to.finish().unwrap()
}

pub(crate) fn commit(tree: Id, parents: &[Id]) -> Vec<u8> {
    let parents: String = parents.iter().map(|it| format!("parent {}\n", hex(*it))).collect();
    let who = "a <a@b> 1700000000 +0000";
    format!("tree {}\n{parents}author {who}\ncommitter {who}\n\nm\n", hex(tree)).into_bytes()
}

/// A tree of entries: mode, name, hash.
pub(crate) fn tree(entries: &[(&str, &str, Id)]) -> Vec<u8> {
    let entry = |(mode, name, id): &(&str, &str, Id)| {
        [format!("{mode} {name}\0").as_bytes(), &id[..]].concat()
    };
    entries.iter().flat_map(entry).collect()
}

/// A delta from `base` to `size` bytes, by these instructions.
pub(crate) fn delta(base: usize, size: usize, instructions: &[u8]) -> Vec<u8> {
    [&number(base)[..], &number(size), instructions].concat()
}

/// The instruction that copies the first `length` bytes, below 16 MiB.
pub(crate) fn copy(length: usize) -> Vec<u8> {
    let length = u32::try_from(length).unwrap().to_le_bytes();
    vec![0xf0, length[0], length[1], length[2]]
}

fn number(mut it: usize) -> Vec<u8> {
    let mut res = Vec::new();
    while it >= 0x80 {
        res.push(it as u8 | 0x80);
        it >>= 7;
    }
    res.push(it as u8);
    res
}

/// A pack that is being written.
#[derive(Default)]
pub(crate) struct Pack {
    bytes: Vec<u8>,
    objects: Vec<(Id, u64)>,
}

impl Pack {
    fn offset(&self) -> u64 {
        12 + self.bytes.len() as u64
    }

    fn entry(&mut self, id: Id, kind: u8, size: u64, base: &[u8], stream: &[u8]) -> u64 {
        let offset = self.offset();
        self.objects.push((id, offset));
        let (mut first, mut rest) = ((kind << 4) | (size as u8 & 15), size >> 4);
        while rest > 0 {
            self.bytes.push(first | 0x80);
            (first, rest) = (rest as u8 & 0x7f, rest >> 7);
        }
        self.bytes.push(first);
        self.bytes.extend_from_slice(base);
        self.bytes.extend_from_slice(stream);
        offset
    }

    pub(crate) fn whole(&mut self, id: Id, kind: u8, bytes: &[u8]) -> u64 {
        self.entry(id, kind, bytes.len() as u64, &[], &zlib(bytes))
    }

    /// An object with a size and a stream that need not agree.
    pub(crate) fn claimed(&mut self, id: Id, kind: u8, size: u64, stream: &[u8]) -> u64 {
        self.entry(id, kind, size, &[], stream)
    }

    /// A delta of the object this many bytes before it.
    pub(crate) fn delta_back(&mut self, id: Id, distance: u64, delta: &[u8]) -> u64 {
        let mut base = vec![distance as u8 & 0x7f];
        let mut rest = distance >> 7;
        while rest > 0 {
            rest -= 1;
            base.insert(0, rest as u8 | 0x80);
            rest >>= 7;
        }
        self.entry(id, DELTA_AT, delta.len() as u64, &base, &zlib(delta))
    }

    /// A delta of the object at an offset.
    pub(crate) fn delta_at(&mut self, id: Id, base: u64, delta: &[u8]) -> u64 {
        self.delta_back(id, self.offset() - base, delta)
    }

    pub(crate) fn delta_of(&mut self, id: Id, base: Id, delta: &[u8]) -> u64 {
        self.entry(id, DELTA_OF, delta.len() as u64, &base, &zlib(delta))
    }

    /// The bytes of the pack and of its index.
    pub(crate) fn finish(mut self) -> (Vec<u8>, Vec<u8>) {
        let count = u32::try_from(self.objects.len()).unwrap();
        let mut pack = [&b"PACK\0\0\0\x02"[..], &count.to_be_bytes(), &self.bytes].concat();
        pack.extend([0; 20]);
        self.objects.sort_unstable();
        let mut index = b"\xfftOc\0\0\0\x02".to_vec();
        for first in 0..=255 {
            let below = self.objects.iter().filter(|it| it.0[0] <= first).count();
            index.extend(u32::try_from(below).unwrap().to_be_bytes());
        }
        index.extend(self.objects.iter().flat_map(|it| it.0));
        index.extend(self.objects.iter().flat_map(|_| [0; 4]));
        index.extend(self.objects.iter().flat_map(|it| (it.1 as u32).to_be_bytes()));
        index.extend([0; 40]);
        (pack, index)
    }
}

/// A repository at `repo` of the tree, whose head is the commit `head`.
pub(crate) fn repository(tree: &Tree, head: Id, pack: Pack) -> PathBuf {
    let (pack, index) = pack.finish();
    tree.write("repo/.git/HEAD", hex(head)).write("repo/a.py", "a = 1\n");
    tree.write("repo/.git/objects/pack/pack-1.pack", pack);
    tree.write("repo/.git/objects/pack/pack-1.idx", index);
    tree.path("repo")
}

/// Writes an object into a file of its own; `head` is its type and size, as claimed.
pub(crate) fn loose(repository: &Path, id: Id, head: &str, content: &[u8]) {
    let hex = hex(id);
    let path = repository.join(".git/objects").join(&hex[..2]).join(&hex[2..]);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, zlib(&[head.as_bytes(), b"\0", content].concat())).unwrap();
}

/// An index of version 4, whose entries are path suffixes: bytes to drop from the last path, and bytes to add.
pub(crate) fn index(count: u32, entries: &[(u8, &str)]) -> Vec<u8> {
    let mut res = [&b"DIRC\0\0\0\x04"[..], &count.to_be_bytes()].concat();
    for (drop, add) in entries {
        res.extend([0; 24]);
        res.extend(0o100_644_u32.to_be_bytes());
        res.extend([0; 12]);
        res.extend([7; 20]);
        res.extend([0, 0, *drop]);
        res.extend(add.as_bytes());
        res.push(0);
    }
    res.extend([0; 20]);
    res
}
