//! Protocol buffers (<https://protobuf.dev/programming-guides/encoding/>): the fields of a file as a stream, and those of a
//! message in memory. A length is only believed as far as bytes follow, and up to a bound.

use std::io::{self, Read};

use super::error::ScipError;

/// The value of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value<'b> {
    /// An integer, flag or enumeration.
    Number(u64),
    /// A message, string or packed list.
    Bytes(&'b [u8]),
    /// A number of fixed width, of which SCIP has none.
    Fixed,
}

/// A message is malformed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fault;

/// The fields of a message: their numbers and values.
pub(super) fn fields(bytes: &[u8]) -> impl Iterator<Item = Result<(u32, Value<'_>), Fault>> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let res = field(&mut rest);
        if res.is_err() {
            rest = &[];
        }
        Some(res)
    })
}

fn field<'b>(rest: &mut &'b [u8]) -> Result<(u32, Value<'b>), Fault> {
    let key = number(rest)?;
    let value = match key & 7 {
        0 => Value::Number(number(rest)?),
        1 => take(rest, 8).map(|_| Value::Fixed)?,
        2 => {
            let length = number(rest)?;
            Value::Bytes(take(rest, length)?)
        }
        5 => take(rest, 4).map(|_| Value::Fixed)?,
        _ => return Err(Fault),
    };
    Ok((u32::try_from(key >> 3).map_err(|_| Fault)?, value))
}

fn take<'b>(rest: &mut &'b [u8], length: u64) -> Result<&'b [u8], Fault> {
    let length = usize::try_from(length).map_err(|_| Fault)?;
    let (taken, after) = rest.split_at_checked(length).ok_or(Fault)?;
    *rest = after;
    Ok(taken)
}

/// Takes an integer of variable length.
pub(super) fn number(rest: &mut &[u8]) -> Result<u64, Fault> {
    let mut res = 0;
    for shift in (0..64).step_by(7) {
        let (byte, after) = rest.split_first().ok_or(Fault)?;
        *rest = after;
        res |= u64::from(byte & 0x7F) << shift;
        if byte & 0x80 == 0 {
            return Ok(res);
        }
    }
    Err(Fault)
}

/// The outermost message of a file, field by field.
pub(super) struct Stream<R> {
    input: R,
    /// Bytes read so far.
    at: u64,
}

/// A field of a file that is longer than a number.
pub(super) struct LongField {
    pub(super) number: u32,
    /// Its first byte.
    pub(super) at: u64,
    pub(super) bytes: u64,
}

impl<R: Read> Stream<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, at: 0 }
    }

    /// The beginning of the next field with a length, which must be read or skipped; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<LongField>, ScipError> {
        loop {
            let at = self.at;
            let Some(first) = self.byte()? else { return Ok(None) };
            let invalid = ScipError::Invalid { field: "a field", at };
            let key = self.number(first, at)?;
            match key & 7 {
                0 => {
                    let first = self.byte()?;
                    let first = first.ok_or(ScipError::Truncated { field: "a field", at })?;
                    self.number(first, at)?;
                }
                1 => self.skip(&LongField { number: 0, at, bytes: 8 })?,
                2 => {
                    let first = self.byte()?;
                    let first = first.ok_or(ScipError::Truncated { field: "a field", at })?;
                    let bytes = self.number(first, at)?;
                    let number = u32::try_from(key >> 3).map_err(|_| invalid)?;
                    return Ok(Some(LongField { number, at, bytes }));
                }
                5 => self.skip(&LongField { number: 0, at, bytes: 4 })?,
                _ => return Err(invalid),
            }
        }
    }

    /// Reads a field into `bytes`.
    pub(super) fn read(
        &mut self,
        it: &LongField,
        name: &'static str,
        most: u64,
        bytes: &mut Vec<u8>,
    ) -> Result<(), ScipError> {
        if it.bytes > most {
            return Err(ScipError::TooLong { field: name, at: it.at, bytes: it.bytes, most });
        }
        bytes.clear();
        // It grows by what is there, not by what is claimed.
        let read = (&mut self.input).take(it.bytes).read_to_end(bytes)?;
        self.at += read as u64;
        match read as u64 == it.bytes {
            true => Ok(()),
            false => Err(ScipError::Truncated { field: name, at: it.at }),
        }
    }

    /// Skips a field.
    pub(super) fn skip(&mut self, it: &LongField) -> Result<(), ScipError> {
        let read = io::copy(&mut (&mut self.input).take(it.bytes), &mut io::sink())?;
        self.at += read;
        match read == it.bytes {
            true => Ok(()),
            false => Err(ScipError::Truncated { field: "a field", at: it.at }),
        }
    }

    fn byte(&mut self) -> Result<Option<u8>, ScipError> {
        let mut byte = [0];
        loop {
            match self.input.read(&mut byte) {
                Ok(0) => return Ok(None),
                Ok(_) => break,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        self.at += 1;
        Ok(Some(byte[0]))
    }

    /// An integer of variable length that begins with `byte`.
    fn number(&mut self, mut byte: u8, at: u64) -> Result<u64, ScipError> {
        let mut res = 0;
        for shift in (0..64).step_by(7) {
            res |= u64::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return Ok(res);
            }
            byte = self.byte()?.ok_or(ScipError::Truncated { field: "a field", at })?;
        }
        Err(ScipError::Invalid { field: "a field", at })
    }
}
