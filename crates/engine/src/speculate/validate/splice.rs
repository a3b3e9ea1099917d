//! Inserts forecasts into a file.

use std::ops::Range;

use super::super::plan::Forecast;
use crate::sorting::sort_by_key;

/// A text with inserted forecasts, and the range of each, in the order of the forecasts.
pub(super) struct Splice {
    pub(super) text: String,
    pub(super) ranges: Vec<Range<usize>>,
    /// Offset of each insertion and the total bytes inserted up to it, in order.
    inserted: Vec<(usize, usize)>,
}

impl Splice {
    /// Maps a byte offset of the original text.
    pub(super) fn moved(&self, at: usize) -> usize {
        let before = self.inserted.partition_point(|it| it.0 <= at);
        at + before.checked_sub(1).map_or(0, |it| self.inserted[it].1)
    }
}

/// Inserts forecasts into a text; those for the same line keep their order.
pub(super) fn splice(text: &str, forecasts: &[&Forecast]) -> Splice {
    let mut order: Vec<usize> = (0..forecasts.len()).collect();
    sort_by_key(&mut order, |it| forecasts[*it].target.line);
    let ranges = vec![0..0; forecasts.len()];
    let mut res = Splice { text: String::new(), ranges, inserted: Vec::new() };
    let mut done = 0;
    for idx in order {
        let forecast = forecasts[idx];
        let at = place_of(text, forecast).max(done);
        res.text.push_str(&text[done..at]);
        done = at;
        if !res.text.is_empty() && !res.text.ends_with('\n') {
            res.text.push('\n');
        }
        let start = res.text.len();
        res.text.push_str(forecast.code.trim_end());
        res.ranges[idx] = start..res.text.len();
        res.text.push('\n');
        res.inserted.push((at, res.text.len() - done));
    }
    res.text.push_str(&text[done..]);
    res
}

/// Offset at which a forecast is inserted: the start of its line, or between the braces of an empty body before it.
fn place_of(text: &str, forecast: &Forecast) -> usize {
    let before = forecast.target.line.saturating_sub(1) as usize;
    let start: usize = text.split_inclusive('\n').take(before).map(str::len).sum();
    let line = text[..start].trim_end_matches(['\n', '\r']);
    let indent = |it: &str| it.len() - it.trim_start().len();
    let last = line.rsplit('\n').next().unwrap_or(line);
    match line.ends_with("{}") && indent(&forecast.code) > indent(last) {
        true => line.len() - 1,
        false => start,
    }
}
