//! Validates forecasts against a snapshot, as a pure function.
//!
//! A forecast must be short, have an existing place, cite existing lines, parse in its place, define the name that it claims,
//! duplicate nothing, use only known names, and share a name with its file or use what stands beside it. It is rejected with its first flaw. Time and
//! memory are bounded by [`Limits`] and the sizes of the files, for any answer of a model.

mod library;
mod limits;
mod names;
mod parse;
mod related;
mod shell;
mod splice;
#[cfg(test)]
mod tests;
mod type_parameters;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

pub(super) use self::limits::lines_of;
use self::limits::{cites_truly, is_readable, target_text};
use self::names::check_names;
use self::parse::Insertions;
use super::plan::Forecast;
use crate::index::Snapshot;
use crate::scope::Resolver;

/// Limits of forecasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum forecasts in one call; later ones are rejected unread.
    pub forecasts: usize,
    /// Maximum bytes of code.
    pub bytes: usize,
    /// Maximum lines of code.
    pub lines: usize,
    /// Maximum depth of brackets.
    pub depth: usize,
    /// Maximum bytes of the target file; a longer one is not parsed again.
    pub file_bytes: usize,
}

impl Limits {
    /// The limits in force: somewhat more than a person writes at once. First guesses.
    pub const fn in_force() -> Self {
        Self { forecasts: 64, bytes: 8192, lines: 200, depth: 48, file_bytes: 1 << 20 }
    }
}

/// Why a forecast is rejected.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Flaw {
    /// More forecasts than [`Limits`] allow.
    TooMany,
    /// No code.
    Empty,
    /// Longer or deeper than [`Limits`] allow.
    TooLong,
    /// Control characters.
    Unreadable,
    /// The path leaves the repository.
    BadPath,
    /// The line is beyond the end of the file.
    BadPlace,
    /// It cites nothing, or lines that do not exist.
    BadEvidence,
    /// The file is too long, or its language cannot be parsed.
    Unchecked,
    /// It does not parse in its place.
    DoesNotParse,
    /// It does not define the name that it claims.
    OtherName,
    /// The file or another forecast already has it.
    Duplicate,
    /// It shares no name with its file or with what stands beside it.
    Unrelated,
    /// It uses a name that is defined nowhere.
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
            Self::Unrelated => "unrelated",
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
            Self::BadPath => "its path leaves the repository",
            Self::BadPlace => "its line is beyond the end of the file",
            Self::BadEvidence => "it cites nothing, or lines that do not exist",
            Self::Unchecked => "its file cannot be parsed",
            Self::DoesNotParse => "it does not parse in its place",
            Self::OtherName => "it does not define the name that it claims",
            Self::Duplicate => "the file has it already",
            Self::Unrelated => "it shares no name with its file",
            Self::UnknownName(name) => return write!(f, "{name} is defined nowhere"),
        })
    }
}

/// A rejected forecast.
#[derive(Clone, Debug, PartialEq)]
pub struct Rejection {
    /// The forecast.
    pub forecast: Forecast,
    /// The reason.
    pub flaw: Flaw,
}

/// Accepted and rejected forecasts, both in their original order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdict {
    /// Valid forecasts.
    pub accepted: Vec<Forecast>,
    /// Rejected forecasts.
    pub rejected: Vec<Rejection>,
}

impl Verdict {
    /// Number of rejections by code of the flaw.
    pub fn flaws(&self) -> BTreeMap<&'static str, usize> {
        let mut res = BTreeMap::new();
        for it in &self.rejected {
            *res.entry(it.flaw.code()).or_default() += 1;
        }
        res
    }
}

/// Separates valid from invalid forecasts.
pub fn validate(snapshot: &Snapshot, forecasts: Vec<Forecast>, limits: &Limits) -> Verdict {
    let mut flaws: Vec<Option<Flaw>> = vec![None; forecasts.len()];
    let mut by_path: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (idx, it) in forecasts.iter().enumerate() {
        flaws[idx] = check_alone(snapshot, it, idx, limits).err();
        if flaws[idx].is_none() {
            by_path.entry(&it.target.path).or_default().push(idx);
        }
    }
    let expected: BTreeSet<&str> = by_path
        .values()
        .flatten()
        .map(|it| forecasts[*it].name.as_str())
        .filter(|it| !it.is_empty())
        .collect();
    let resolver = Resolver::new(snapshot);
    let surroundings = Surroundings { snapshot, resolver: &resolver, expected: &expected };
    for (path, of_file) in &by_path {
        let wanted: Vec<&Forecast> = of_file.iter().map(|it| &forecasts[*it]).collect();
        let checked = check_in_file(&surroundings, path, &wanted, limits);
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

/// Checks a forecast without parsing its file.
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

/// What forecasts are compared with.
#[derive(Clone, Copy)]
struct Surroundings<'a> {
    snapshot: &'a Snapshot,
    /// One for all forecasts: it reads build files when an import first needs them.
    resolver: &'a Resolver,
    /// The names that the forecasts define.
    expected: &'a BTreeSet<&'a str>,
}

/// Checks the forecasts for one file, with its syntax.
fn check_in_file(
    surroundings: &Surroundings<'_>,
    path: &str,
    forecasts: &[&Forecast],
    limits: &Limits,
) -> Vec<Option<Flaw>> {
    let snapshot = surroundings.snapshot;
    let text = snapshot.file(path).map(|it| snapshot.text(it)).unwrap_or_default();
    debug_assert!(text.len() <= limits.file_bytes, "longer files were rejected");
    let insertions = Insertions::new(path, &text);
    if let Ok(parsed) = insertions.parse(forecasts) {
        return check_names(surroundings, &parsed, forecasts);
    }
    // Together they do not parse: check each alone, then the good ones together.
    let mut flaws: Vec<Option<Flaw>> =
        forecasts.iter().map(|it| insertions.parse(&[it]).err()).collect();
    let good: Vec<usize> = (0..forecasts.len()).filter(|it| flaws[*it].is_none()).collect();
    let left: Vec<&Forecast> = good.iter().map(|it| forecasts[*it]).collect();
    let checked = match insertions.parse(&left) {
        Ok(parsed) => check_names(surroundings, &parsed, &left),
        Err(flaw) => vec![Some(flaw); left.len()],
    };
    for (idx, flaw) in good.into_iter().zip(checked) {
        flaws[idx] = flaw;
    }
    flaws
}
