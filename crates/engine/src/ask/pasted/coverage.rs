//! Coverage reports of lcov and Cobertura: the uncovered lines of each file.

use super::{Origin, Place};
use crate::preset::constants::ask::COVERAGE_GAP_LINES;
use crate::sorting::sort_by_key;

/// A report in progress.
#[derive(Default)]
pub(super) struct Coverage {
    format: Option<Format>,
    file: Option<String>,
    /// Uncovered lines in order, with their files.
    missed: Vec<(String, u32)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Lcov,
    Cobertura,
}

/// Uncovered lines that are kept.
const MAX_MISSED: usize = 2_000;

impl Coverage {
    /// Reads a line; false if it is not part of a report.
    pub(super) fn read(&mut self, line: &str) -> bool {
        let text = line.trim();
        if let Some(path) = text.strip_prefix("SF:") {
            (self.format, self.file) = (Some(Format::Lcov), Some(path.to_owned()));
            return true;
        }
        if let Some(path) = attribute(text, "filename").filter(|_| text.starts_with("<class")) {
            (self.format, self.file) = (Some(Format::Cobertura), Some(path.to_owned()));
            return true;
        }
        match self.format {
            Some(Format::Lcov) => self.lcov(text),
            Some(Format::Cobertura) => self.cobertura(text),
            None => false,
        }
    }

    fn lcov(&mut self, text: &str) -> bool {
        if text == "end_of_record" {
            self.file = None;
            return true;
        }
        let Some((line, hits)) = text.strip_prefix("DA:").and_then(|it| it.split_once(',')) else {
            return false;
        };
        let hits = hits.split(',').next().unwrap_or(hits);
        self.note(line, hits);
        true
    }

    fn cobertura(&mut self, text: &str) -> bool {
        if !text.starts_with("<line ") {
            return text.starts_with("</") || text.starts_with('<');
        }
        if let (Some(line), Some(hits)) = (attribute(text, "number"), attribute(text, "hits")) {
            self.note(line, hits);
        }
        true
    }

    fn note(&mut self, line: &str, hits: &str) {
        let (Some(file), Ok(line)) = (&self.file, line.parse()) else { return };
        if hits == "0" && self.missed.len() < MAX_MISSED {
            self.missed.push((file.clone(), line));
        }
    }

    /// The uncovered places, the largest first.
    pub(super) fn places(mut self) -> Vec<Place> {
        self.missed.sort();
        self.missed.dedup();
        let mut res: Vec<Place> = Vec::new();
        for (path, line) in self.missed {
            match res
                .last_mut()
                .filter(|it| it.path == path && line <= it.last + COVERAGE_GAP_LINES)
            {
                Some(it) => it.last = line,
                None => res.push(Place {
                    path,
                    first: line,
                    last: line,
                    function: None,
                    message: None,
                    origin: Origin::Coverage,
                }),
            }
        }
        // The sort is stable: ties stay in order of path and line.
        sort_by_key(&mut res, |it| std::cmp::Reverse(it.last - it.first));
        res
    }
}

/// The value of an attribute of an XML tag.
fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    let at = tag.find(&format!(" {name}=\""))? + name.len() + 3;
    tag[at..].split_once('"').map(|it| it.0)
}
