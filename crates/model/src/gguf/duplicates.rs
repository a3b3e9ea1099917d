//! Finds duplicate tokens in a file's vocabulary. On a duplicate, for example from a damaged byte, llama.cpp aborts the
//! process; its Rust bindings cannot read lists.
//!
//! The layout follows the GGUF specification, versions 2 and 3; llama.cpp has already validated the header.

use std::fs::File;
use std::io::{self, BufReader, Read as _};
use std::path::Path;

use rustc_hash::FxHashSet;

const TOKENS: &[u8] = b"tokenizer.ggml.tokens";

/// Numbers of the types without a fixed size.
const STRING: u32 = 8;
const ARRAY: u32 = 9;

/// The first token that occurs twice.
pub(super) fn duplicate_token(path: &Path) -> io::Result<Option<String>> {
    let mut file = Header(BufReader::new(File::open(path)?));
    // Skips the magic, the version, and the number of tensors.
    file.0.seek_relative(4 + 4 + 8)?;
    for _ in 0..file.long()? {
        let key = file.string()?;
        let kind = file.int()?;
        if key != TOKENS || kind != ARRAY {
            file.skip(kind)?;
            continue;
        }
        if file.int()? != STRING {
            return Ok(None);
        }
        return file.first_duplicate();
    }
    Ok(None)
}

struct Header(BufReader<File>);

impl Header {
    /// Reads a list of strings up to the first duplicate. Empty ones do not count: llama.cpp renames them.
    fn first_duplicate(&mut self) -> io::Result<Option<String>> {
        let mut seen = FxHashSet::default();
        for _ in 0..self.long()? {
            let token = self.string()?;
            if !token.is_empty() && seen.contains(&token) {
                return Ok(Some(String::from_utf8_lossy(&token).into_owned()));
            }
            seen.insert(token);
        }
        Ok(None)
    }

    fn skip(&mut self, kind: u32) -> io::Result<()> {
        match kind {
            STRING => {
                let length = self.long()?;
                self.pass(length)
            }
            ARRAY => {
                let (of, n) = (self.int()?, self.long()?);
                match size(of) {
                    Some(size) => self.pass(n.saturating_mul(size)),
                    None => (0..n).try_for_each(|_| self.skip(of)),
                }
            }
            _ => self.pass(size(kind).ok_or(io::ErrorKind::InvalidData)?),
        }
    }

    fn pass(&mut self, bytes: u64) -> io::Result<()> {
        self.0.seek_relative(i64::try_from(bytes).map_err(|_| io::ErrorKind::InvalidData)?)
    }

    fn int(&mut self) -> io::Result<u32> {
        let mut bytes = [0; 4];
        self.0.read_exact(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn long(&mut self) -> io::Result<u64> {
        let mut bytes = [0; 8];
        self.0.read_exact(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn string(&mut self) -> io::Result<Vec<u8>> {
        let length = self.long()?;
        let mut res = Vec::new();
        (&mut self.0).take(length).read_to_end(&mut res)?;
        if res.len() as u64 == length { Ok(res) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }
}

/// Size of a value of this type.
fn size(kind: u32) -> Option<u64> {
    match kind {
        0 | 1 | 7 => Some(1),
        2 | 3 => Some(2),
        4..=6 => Some(4),
        10..=12 => Some(8),
        _ => None,
    }
}
