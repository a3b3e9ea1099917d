//! Applies deltas.

use std::io::Read;

/// Applies a delta to its base; the result has at most `most` bytes.
pub(super) fn applied(delta: &[u8], base: &[u8], most: usize) -> Option<Vec<u8>> {
    let mut from = delta;
    if size(&mut from)? != base.len() {
        return None;
    }
    let length = size(&mut from)?;
    if length > most {
        return None;
    }
    let mut res = Vec::with_capacity(length);
    while !from.is_empty() {
        let what = byte(&mut from)?;
        let part = match what {
            0 => return None,
            1..0x80 => {
                let (part, rest) = from.split_at_checked(usize::from(what))?;
                from = rest;
                part
            }
            _ => {
                let mut number = |bits: std::ops::Range<u32>| -> Option<usize> {
                    let mut res = 0;
                    for (place, bit) in bits.enumerate() {
                        if what & (1 << bit) != 0 {
                            res |= usize::from(byte(&mut from)?) << (8 * place);
                        }
                    }
                    Some(res)
                };
                let (at, length) = (number(0..4)?, number(4..7)?);
                let length = if length == 0 { 0x10000 } else { length };
                base.get(at..at.checked_add(length)?)?
            }
        };
        if res.len() + part.len() > length {
            return None;
        }
        res.extend_from_slice(part);
    }
    (res.len() == length).then_some(res)
}

/// The size of the result, from the start of a delta.
pub(super) fn result_size(start: &[u8]) -> Option<u64> {
    let mut from = start;
    size(&mut from)?;
    Some(size(&mut from)? as u64)
}

/// Reads a size at the beginning of a delta.
fn size(from: &mut &[u8]) -> Option<usize> {
    let (mut res, mut shift) = (0_usize, 0);
    loop {
        let last = byte(from)?;
        res |= usize::from(last & 0x7f).checked_shl(shift)?;
        shift += 7;
        if last & 0x80 == 0 {
            return Some(res);
        }
    }
}

pub(super) fn byte(from: &mut impl Read) -> Option<u8> {
    let mut byte = [0];
    from.read_exact(&mut byte).ok()?;
    Some(byte[0])
}
