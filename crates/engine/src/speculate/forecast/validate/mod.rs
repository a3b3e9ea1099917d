//! Whether forecasts can be true: a pure function over a snapshot and what was foretold, by whomever.
//!
//! A forecast must be short, stand at a place that exists, cite lines that exist, parse where it stands, define what it
//! says, duplicate nothing, and refer to what is defined. The first thing that it fails is why it is rejected. The time
//! and the memory are bounded by [`Limits`] and the sizes of the files, whatever a model wrote.

mod limits;
mod names;
mod parse;
mod splice;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

pub(in crate::speculate) use self::limits::lines_of;
use self::limits::{cites_truly, is_readable, target_text};
use self::names::check_names;
use self::parse::Insertions;
use crate::index::Snapshot;
use crate::speculate::Forecast;

/// What a forecast may be at the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Forecasts in one call; later ones are not looked at.
    pub forecasts: usize,
    /// Bytes of code.
    pub bytes: usize,
    /// Lines of code.
    pub lines: usize,
    /// Brackets in brackets.
    pub depth: usize,
    /// Bytes of the file that it is for: a longer one is not parsed again.
    pub file_bytes: usize,
}

impl Limits {
    /// The limits that are in force: what a person would write at once, with room.
    pub const fn in_force() -> Self {
        Self { forecasts: 64, bytes: 8192, lines: 200, depth: 48, file_bytes: 1 << 20 }
    }
}

/// Why a forecast cannot be true, or cannot be checked.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Flaw {
    /// There were more forecasts than are looked at.
    TooMany,
    /// It has no code.
    Empty,
    /// It is longer or deeper than [`Limits`] allow.
    TooLong,
    /// It has control characters.
    Unreadable,
    /// Its path leads out of the repository.
    BadPath,
    /// Its line is beyond the end of the file.
    BadPlace,
    /// It cites nothing, or lines that are not there.
    BadEvidence,
    /// Its file is in no language that can be parsed, or too long.
    Unchecked,
    /// It does not parse where it stands.
    DoesNotParse,
    /// It does not define what it says.
    OtherName,
    /// The file has it already, or another forecast is the same.
    Duplicate,
    /// It refers to a name that is defined nowhere.
    UnknownName(String),
}

impl Flaw {
    /// The flaw in one word, for programs and tables.
    pub fn code(&self) -> &'static str {
        match self {
            Self::TooMany => "too_many",
            Self::Empty => "empty",
            Self::TooLong => "too_long",
            Self::Unreadable => "unreadable",
            Self::BadPath => "bad_path",
            Self::BadPlace => "bad_place",
            Self::BadEvidence => "bad_evidence",
            Self::Unchecked => "unchecked",
            Self::DoesNotParse => "does_not_parse",
            Self::OtherName => "other_name",
            Self::Duplicate => "duplicate",
            Self::UnknownName(_) => "unknown_name",
        }
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooMany => "there are too many forecasts",
            Self::Empty => "it has no code",
            Self::TooLong => "it is too long or too deep",
            Self::Unreadable => "it has control characters",
            Self::BadPath => "its path leads out of the repository",
            Self::BadPlace => "its line is beyond the end of the file",
            Self::BadEvidence => "it cites nothing, or lines that are not there",
            Self::Unchecked => "its file cannot be parsed",
            Self::DoesNotParse => "it does not parse where it stands",
            Self::OtherName => "it does not define what it says",
            Self::Duplicate => "the file has it already",
            Self::UnknownName(name) => return write!(f, "{name} is defined nowhere"),
        })
    }
}

/// A forecast that was thrown out.
#[derive(Clone, Debug, PartialEq)]
pub struct Rejection {
    /// The forecast.
    pub forecast: Forecast,
    /// Why.
    pub flaw: Flaw,
}

/// What became of forecasts; both lists are in the order in which they came.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdict {
    /// Those that can be true.
    pub accepted: Vec<Forecast>,
    /// Those that cannot.
    pub rejected: Vec<Rejection>,
}

impl Verdict {
    /// How many were rejected for each kind of flaw.
    pub fn flaws(&self) -> BTreeMap<&'static str, usize> {
        let mut res = BTreeMap::new();
        for it in &self.rejected {
            *res.entry(it.flaw.code()).or_default() += 1;
        }
        res
    }
}

/// Sorts out the forecasts that cannot be true.
pub fn validate(snapshot: &Snapshot, forecasts: Vec<Forecast>, limits: &Limits) -> Verdict {
    let mut flaws: Vec<Option<Flaw>> = vec![None; forecasts.len()];
    let mut by_path: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (idx, it) in forecasts.iter().enumerate() {
        flaws[idx] = check_alone(snapshot, it, idx, limits).err();
        if flaws[idx].is_none() {
            by_path.entry(&it.target.path).or_default().push(idx);
        }
    }
    let foretold: BTreeSet<&str> = by_path
        .values()
        .flatten()
        .map(|it| forecasts[*it].name.as_str())
        .filter(|it| !it.is_empty())
        .collect();
    for (path, of_file) in &by_path {
        let wanted: Vec<&Forecast> = of_file.iter().map(|it| &forecasts[*it]).collect();
        let checked = check_in_file(snapshot, path, &wanted, &foretold, limits);
        for (idx, flaw) in of_file.iter().zip(checked) {
            flaws[*idx] = flaw;
        }
    }
    let mut res = Verdict::default();
    for (forecast, flaw) in forecasts.into_iter().zip(flaws) {
        match flaw {
            Some(flaw) => res.rejected.push(Rejection { forecast, flaw }),
            None => res.accepted.push(forecast),
        }
    }
    res
}

/// What can be said of a forecast without its file's syntax.
fn check_alone(
    snapshot: &Snapshot,
    forecast: &Forecast,
    idx: usize,
    limits: &Limits,
) -> Result<(), Flaw> {
    if idx >= limits.forecasts {
        return Err(Flaw::TooMany);
    }
    is_readable(forecast, limits)?;
    let text = target_text(snapshot, forecast)?;
    if text.len() > limits.file_bytes {
        return Err(Flaw::Unchecked);
    }
    cites_truly(snapshot, forecast)
}

/// What is wrong with each of the forecasts for one file.
fn check_in_file(
    snapshot: &Snapshot,
    path: &str,
    forecasts: &[&Forecast],
    foretold: &BTreeSet<&str>,
    limits: &Limits,
) -> Vec<Option<Flaw>> {
    let text = snapshot.file(path).map(|it| snapshot.text(it)).unwrap_or_default();
    debug_assert!(text.len() <= limits.file_bytes, "longer files were sorted out");
    let insertions = Insertions::new(path, &text);
    if let Ok(parsed) = insertions.parse(forecasts) {
        return check_names(snapshot, &text, &parsed, forecasts, foretold);
    }
    // Together they do not parse: one of them is wrong, or each would do without the others.
    let mut flaws: Vec<Option<Flaw>> =
        forecasts.iter().map(|it| insertions.parse(&[it]).err()).collect();
    let good: Vec<usize> = (0..forecasts.len()).filter(|it| flaws[*it].is_none()).collect();
    let left: Vec<&Forecast> = good.iter().map(|it| forecasts[*it]).collect();
    let checked = match insertions.parse(&left) {
        Ok(parsed) => check_names(snapshot, &text, &parsed, &left, foretold),
        Err(flaw) => vec![Some(flaw); left.len()],
    };
    for (idx, flaw) in good.into_iter().zip(checked) {
        flaws[idx] = flaw;
    }
    flaws
}
