//! Reads bytes in blocks, each verified against its checksum on first use.
//!
//! Blocks are read rather than mapped: a file that is truncated under a running process is then an error, not a signal,
//! and no `unsafe` is needed. Blocks stay in memory, so a warm reader does not access the disk.

use std::borrow::Cow;
use std::fs::File;
use std::ops::Range;
use std::sync::OnceLock;

use crate::index::checksum::{CorruptData, checksum};

/// Bytes per block.
pub(super) const BLOCK: usize = 64 * 1024;

/// The checksum of each block of `bytes`.
pub(super) fn checksums(bytes: &[u8]) -> Vec<u64> {
    bytes.chunks(BLOCK).map(checksum).collect()
}

/// Checked random access to bytes in memory or in a file.
#[derive(Debug)]
pub(super) enum Blocks {
    /// Made by this process, so not verified.
    Memory(Vec<u8>),
    /// On disk.
    File { file: File, len: usize, checks: Vec<u64>, read: Vec<OnceLock<Box<[u8]>>> },
}

impl Blocks {
    pub(super) fn of_file(file: File, len: usize, checks: Vec<u64>) -> Result<Self, CorruptData> {
        if checks.len() != len.div_ceil(BLOCK) {
            return Err(CorruptData);
        }
        let read = checks.iter().map(|_| OnceLock::new()).collect();
        Ok(Self::File { file, len, checks, read })
    }

    /// The bytes of `range`; borrowed if within one block.
    pub(super) fn get(&self, range: Range<usize>) -> Result<Cow<'_, [u8]>, CorruptData> {
        match self {
            Self::Memory(bytes) => bytes.get(range).map(Cow::Borrowed).ok_or(CorruptData),
            Self::File { len, .. } if range.start > range.end || range.end > *len => {
                Err(CorruptData)
            }
            Self::File { .. } if range.is_empty() => Ok(Cow::Borrowed(&[])),
            Self::File { .. } => self.get_from_file(range),
        }
    }

    /// The bytes of `range` for who keeps them; blocks that are read for them are not kept.
    pub(super) fn copy(&self, range: Range<usize>) -> Result<Vec<u8>, CorruptData> {
        let Self::File { file, len, checks, read } = self else {
            return self.get(range).map(Cow::into_owned);
        };
        if range.start > range.end || range.end > *len {
            return Err(CorruptData);
        }
        let mut res = Vec::with_capacity(range.len());
        let mut buffer = Vec::new();
        let (first, end) = (range.start / BLOCK, range.end.div_ceil(BLOCK));
        for (idx, kept) in read.iter().enumerate().take(end).skip(first) {
            let block = if let Some(block) = kept.get() {
                block
            } else {
                buffer.resize(block_len(*len, idx), 0);
                read_block(file, idx, &mut buffer, checks)?;
                buffer.as_slice()
            };
            let start = range.start.saturating_sub(idx * BLOCK);
            let end = (range.end - idx * BLOCK).min(block.len());
            res.extend_from_slice(&block[start..end]);
        }
        Ok(res)
    }

    fn get_from_file(&self, range: Range<usize>) -> Result<Cow<'_, [u8]>, CorruptData> {
        let (first, last) = (range.start / BLOCK, (range.end - 1) / BLOCK);
        let base = first * BLOCK;
        if first == last {
            return Ok(Cow::Borrowed(&self.block(first)?[range.start - base..range.end - base]));
        }
        let mut res = Vec::with_capacity(range.len());
        for idx in first..=last {
            let block = self.block(idx)?;
            let start = range.start.saturating_sub(idx * BLOCK);
            let end = (range.end - idx * BLOCK).min(block.len());
            res.extend_from_slice(&block[start..end]);
        }
        Ok(Cow::Owned(res))
    }

    fn block(&self, idx: usize) -> Result<&[u8], CorruptData> {
        let Self::File { file, len, checks, read } = self else { return Err(CorruptData) };
        let cell = read.get(idx).ok_or(CorruptData)?;
        if let Some(bytes) = cell.get() {
            return Ok(bytes);
        }
        let mut bytes = vec![0; block_len(*len, idx)].into_boxed_slice();
        read_block(file, idx, &mut bytes, checks)?;
        Ok(cell.get_or_init(|| bytes))
    }

    /// Verifies every block that is not in memory. Blocks are not kept: an index may be larger than the memory limit of
    /// a process.
    pub(super) fn verify(&self) -> Result<(), CorruptData> {
        let Self::File { file, len, checks, read } = self else { return Ok(()) };
        let mut buffer = vec![0; BLOCK];
        for (idx, _) in read.iter().enumerate().filter(|(_, it)| it.get().is_none()) {
            read_block(file, idx, &mut buffer[..block_len(*len, idx)], checks)?;
        }
        Ok(())
    }
}

/// Length of block `idx` of `len` bytes.
fn block_len(len: usize, idx: usize) -> usize {
    BLOCK.min(len - idx * BLOCK)
}

fn read_block(
    file: &File,
    idx: usize,
    bytes: &mut [u8],
    checks: &[u64],
) -> Result<(), CorruptData> {
    read_at(file, bytes, (idx * BLOCK) as u64).map_err(|_| CorruptData)?;
    if checksum(bytes) == checks[idx] { Ok(()) } else { Err(CorruptData) }
}

#[cfg(unix)]
pub(super) fn read_at(file: &File, bytes: &mut [u8], at: u64) -> std::io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

#[cfg(windows)]
pub(super) fn read_at(file: &File, mut bytes: &mut [u8], mut at: u64) -> std::io::Result<()> {
    use std::os::windows::fs::FileExt as _;
    while !bytes.is_empty() {
        let n = file.seek_read(bytes, at)?;
        if n == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        bytes = &mut bytes[n..];
        at += n as u64;
    }
    Ok(())
}
