//! Damaged packs, objects and indexes: whatever the bytes are, reading them ends within its work and without a panic.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use proptest::prelude::*;

use super::*;
use crate::git::index::Index;

/// Work that reading the few small objects below never reaches, so that what would go on for ever is seen.
const WORK: u64 = 64 << 20;

fn id(number: u8) -> ObjectId {
    ObjectId([number; 20])
}

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut to = ZlibEncoder::new(Vec::new(), Compression::fast());
    to.write_all(bytes).unwrap();
    to.finish().unwrap()
}

/// A pack with a commit, a tree, a delta of it by offset and one by name; and its index.
fn pack() -> (Vec<u8>, Vec<u8>) {
    let hex = |it: u8| id(it).hex();
    let commit = format!("tree {}\nparent {}\ncommitter a <a> 1 +0000\n\n", hex(2), hex(1));
    let tree = [&b"100644 a\0"[..], &[9; 20], b"40000 d\0", &[2; 20]].concat();
    let size = tree.len() as u8;
    let delta = zlib(&[size, size, 0x90, size]);
    let entries: [(u8, Vec<u8>, usize, Vec<u8>); 4] = [
        (1, Vec::new(), commit.len(), zlib(commit.as_bytes())),
        (2, Vec::new(), tree.len(), zlib(&tree)),
        (6, vec![zlib(&tree).len() as u8 + 2], 4, delta.clone()),
        (7, vec![2; 20], 4, delta),
    ];
    let (mut pack, mut offsets) = (b"PACK\0\0\0\x02\0\0\0\x04".to_vec(), Vec::new());
    for (kind, base, size, stream) in entries {
        offsets.push(pack.len() as u32);
        pack.push((kind << 4) | (size as u8 & 15) | 0x80);
        pack.push((size >> 4) as u8);
        pack.extend(base.into_iter().chain(stream));
    }
    let mut index = b"\xfftOc\0\0\0\x02".to_vec();
    index.extend((0..=255_u32).flat_map(|it| it.min(4).to_be_bytes()));
    index.extend((1..=4).flat_map(|it| id(it).0));
    index.extend([0; 16]);
    index.extend(offsets.iter().flat_map(|it| it.to_be_bytes()));
    index.extend([0; 40]);
    (pack, index)
}

/// A version 2 index with one file, and a cache of trees.
fn index() -> Vec<u8> {
    let mut res = b"DIRC\0\0\0\x02\0\0\0\x01".to_vec();
    res.extend([0; 24]);
    res.extend(0o100_644_u32.to_be_bytes());
    res.extend([0; 12]);
    res.extend([7; 20]);
    res.extend(*b"\0\x04a.py\0\0\0\0\0\0");
    let cache = [&b"\x001 1\n"[..], &[3; 20], b"d\x001 0\n", &[2; 20]].concat();
    res.extend(*b"TREE");
    res.extend((cache.len() as u32).to_be_bytes());
    res.extend(cache);
    res.extend([0; 20]);
    res
}

/// Reads everything there could be.
fn read_all(directory: &Path) {
    let objects = Objects::open_within(directory, &[], WORK);
    for number in 0..6 {
        let _ = objects.commit(id(number));
        if let Some(tree) = objects.tree(id(number)) {
            assert!(tree.iter().count() <= MAX_OBJECT / 22);
        }
        let _ = (objects.tag(id(number)), objects.blob(id(number), 100), objects.has(id(number)));
        let _ = objects.beginning_with(&id(number).hex()[..4]);
    }
    assert!(objects.work_left() > 0, "the work did not end");
}

/// Places and bytes to write there; beyond the end they are inserted.
fn changes() -> impl Strategy<Value = Vec<(prop::sample::Index, u8, bool)>> {
    prop::collection::vec(any::<(prop::sample::Index, u8, bool)>(), 0..6)
}

fn changed(mut bytes: Vec<u8>, changes: &[(prop::sample::Index, u8, bool)]) -> Vec<u8> {
    for (at, byte, is_cut) in changes {
        if bytes.is_empty() {
            break;
        }
        let at = at.index(bytes.len());
        match *is_cut && *byte < 40 {
            true => bytes.truncate(at),
            false => bytes[at] = *byte,
        }
    }
    bytes
}

#[test]
fn the_pack_is_whole_without_changes() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().canonicalize().unwrap();
    fs::create_dir_all(root.join("objects/pack")).unwrap();
    let (pack, table) = pack();
    fs::write(root.join("objects/pack/a.pack"), pack).unwrap();
    fs::write(root.join("objects/pack/a.idx"), table).unwrap();
    let objects = Objects::open_within(&root, &[], WORK);
    assert_eq!(objects.commit(id(1)).unwrap().tree, id(2));
    for number in 2..=4 {
        assert_eq!(objects.tree(id(number)).unwrap().iter().count(), 2, "{number}");
    }
    assert_eq!(objects.beginning_with("0303"), [id(3)]);
    let index = Index::parse(&index()).unwrap();
    assert_eq!((index.entries.len(), index.tree.unwrap().children.len()), (1, 1));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_bytes_of_git_are_read_to_an_end(
        of_pack in changes(),
        of_table in changes(),
        of_loose in changes(),
        of_index in changes(),
        content in prop::collection::vec(any::<u8>(), 0..200),
    ) {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("objects/pack")).unwrap();
        fs::create_dir_all(root.join("objects/05")).unwrap();
        let (pack, table) = pack();
        fs::write(root.join("objects/pack/a.pack"), changed(pack, &of_pack)).unwrap();
        fs::write(root.join("objects/pack/a.idx"), changed(table, &of_table)).unwrap();
        let loose = changed([b"tree 30\0", &content[..]].concat(), &of_loose);
        let path = root.join("objects").join(id(5).loose());
        fs::write(path, zlib(&loose)).unwrap();
        read_all(&root);
        let _ = Index::parse(&changed(index(), &of_index));
        let _ = Index::parse(&content);
        let _ = Commit::parse(&content);
        let base = &content[..content.len() / 2];
        let _ = delta::applied(&content[content.len() / 2..], base, MAX_OBJECT);
    }
}
