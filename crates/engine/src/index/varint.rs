//! Integers of variable length (LEB128), as used for postings and names.

/// Appends `value`, 7 bits a byte, low bits first.
pub(super) fn put(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Reads integers from bytes. Beyond the end it returns zeros, so that corrupt data cannot panic.
#[derive(Clone)]
pub(super) struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Reader<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    #[inline]
    pub(super) fn byte(&mut self) -> u8 {
        let res = self.bytes.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        res
    }

    #[inline]
    pub(super) fn number(&mut self) -> u32 {
        let first = self.byte();
        if first < 0x80 {
            return u32::from(first);
        }
        let mut res = u32::from(first & 0x7F);
        let mut shift = 7;
        loop {
            let byte = self.byte();
            res |= u32::from(byte & 0x7F) << shift;
            shift += 7;
            if byte < 0x80 || shift > 28 {
                return res;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_round_trip() {
        let mut out = Vec::new();
        let values = [0, 1, 127, 128, 300, 65_535, 1 << 21, u32::MAX];
        values.iter().for_each(|&it| put(&mut out, it));
        let mut reader = Reader::new(&out);
        assert_eq!(values.map(|_| reader.number()), values);
        assert_eq!(reader.at(), out.len());
        assert_eq!(reader.number(), 0);
    }
}
