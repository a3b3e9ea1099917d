//! A document of a SCIP index: a path, and the ranges of its text with their symbols.

use super::wire::{Fault, Value, fields, number};

/// The program that wrote an index, and its version.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tool {
    pub(super) name: String,
    pub(super) version: String,
}

impl Tool {
    /// Reads the message `Metadata`.
    pub(super) fn decode(bytes: &[u8]) -> Result<Self, Fault> {
        let mut res = Self::default();
        for field in fields(bytes) {
            if let (2, Value::Bytes(info)) = field? {
                for field in fields(info) {
                    match field? {
                        (1, Value::Bytes(it)) => string(it)?.clone_into(&mut res.name),
                        (2, Value::Bytes(it)) => string(it)?.clone_into(&mut res.version),
                        _ => {}
                    }
                }
            }
        }
        Ok(res)
    }
}

/// Unit of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Utf8,
    Utf16,
    Utf32,
    /// UTF-16, where a tab leads to the next multiple of eight, as in javac; scip-java takes seven columns off again for each
    /// tab at the beginning of a line, and for no other.
    Tabs,
}

/// A range: lines and columns from 0, the end exclusive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) start: (u64, u64),
    pub(super) end: (u64, u64),
}

/// A range with its symbol.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RawOccurrence<'b> {
    pub(super) range: Range,
    pub(super) symbol: &'b str,
    roles: u64,
}

impl RawOccurrence<'_> {
    pub(super) fn is_definition(&self) -> bool {
        self.roles & 1 != 0
    }
}

/// A document.
#[derive(Debug, Default)]
pub(super) struct Document<'b> {
    pub(super) path: &'b str,
    /// Unit of its columns; `None` if the index does not state it.
    pub(super) unit: Option<Unit>,
    pub(super) occurrences: Vec<RawOccurrence<'b>>,
    /// Symbols, each with one that it implements or overrides.
    pub(super) implements: Vec<(&'b str, &'b str)>,
}

impl<'b> Document<'b> {
    /// Reads the message `Document`.
    pub(super) fn decode(bytes: &'b [u8]) -> Result<Self, Fault> {
        let mut res = Self::default();
        for field in fields(bytes) {
            match field? {
                (1, Value::Bytes(it)) => res.path = string(it)?,
                (2, Value::Bytes(it)) => res.occurrences.extend(occurrence(it)?),
                (3, Value::Bytes(it)) => implemented(it, &mut res.implements)?,
                (6, Value::Number(it)) => {
                    res.unit = match it {
                        1 => Some(Unit::Utf8),
                        2 => Some(Unit::Utf16),
                        3 => Some(Unit::Utf32),
                        _ => None,
                    };
                }
                _ => {}
            }
        }
        Ok(res)
    }
}

/// The symbols that the one of a message `SymbolInformation` implements or overrides.
fn implemented<'b>(bytes: &'b [u8], into: &mut Vec<(&'b str, &'b str)>) -> Result<(), Fault> {
    let (mut symbol, first) = ("", into.len());
    for field in fields(bytes) {
        match field? {
            (1, Value::Bytes(it)) => symbol = string(it)?,
            (4, Value::Bytes(it)) => {
                let (mut other, mut is_implementation) = ("", false);
                for field in fields(it) {
                    match field? {
                        (1, Value::Bytes(it)) => other = string(it)?,
                        (3, Value::Number(it)) => is_implementation = it != 0,
                        _ => {}
                    }
                }
                into.extend(Some(("", other)).filter(|_| is_implementation));
            }
            _ => {}
        }
    }
    // The symbol may come after what it implements.
    into[first..].iter_mut().for_each(|it| it.0 = symbol);
    Ok(())
}

/// An occurrence with a range and a symbol.
fn occurrence(bytes: &[u8]) -> Result<Option<RawOccurrence<'_>>, Fault> {
    let mut res = RawOccurrence::default();
    let (mut old, mut typed) = (Vec::new(), None);
    for field in fields(bytes) {
        match field? {
            (1, Value::Bytes(it)) => numbers(it, &mut old)?,
            (1, Value::Number(it)) => old.push(it),
            (2, Value::Bytes(it)) => res.symbol = string(it)?,
            (3, Value::Number(it)) => res.roles = it,
            (8, Value::Bytes(it)) => {
                let [line, start, end, _] = fields_1_to_4(it)?;
                typed = Some(Range { start: (line, start), end: (line, end) });
            }
            (9, Value::Bytes(it)) => {
                let [line, start, last, end] = fields_1_to_4(it)?;
                typed = Some(Range { start: (line, start), end: (last, end) });
            }
            _ => {}
        }
    }
    let old = match *old.as_slice() {
        [line, start, end] => Some(Range { start: (line, start), end: (line, end) }),
        [line, start, last, end] => Some(Range { start: (line, start), end: (last, end) }),
        [] => None,
        _ => return Err(Fault),
    };
    // The typed form is the newer one, and wins.
    let Some(range) = typed.or(old).filter(|_| !res.symbol.is_empty()) else { return Ok(None) };
    Ok(Some(RawOccurrence { range, ..res }))
}

fn numbers(mut packed: &[u8], into: &mut Vec<u64>) -> Result<(), Fault> {
    while !packed.is_empty() {
        into.push(number(&mut packed)?);
        if into.len() > 4 {
            return Err(Fault);
        }
    }
    Ok(())
}

/// The numbers in the first four fields of a message.
fn fields_1_to_4(bytes: &[u8]) -> Result<[u64; 4], Fault> {
    let mut res = [0; 4];
    for field in fields(bytes) {
        if let (number @ 1..=4, Value::Number(it)) = field? {
            res[number as usize - 1] = it;
        }
    }
    Ok(res)
}

fn string(bytes: &[u8]) -> Result<&str, Fault> {
    std::str::from_utf8(bytes).map_err(|_| Fault)
}
