//! A file with forecasts in their places.

use std::ops::Range;

use foreword_chunk::Language;

use crate::sorting::sort_by_key;
use crate::speculate::{Forecast, ForecastForm};

/// A text with forecasts in it, and where each of them is; in the order of the forecasts.
pub(super) struct Splice {
    pub(super) text: String,
    pub(super) ranges: Vec<Range<usize>>,
    /// Where bytes were put into the text, and how many up to there, in order.
    inserted: Vec<(usize, usize)>,
}

impl Splice {
    /// Where a byte of the text is now.
    pub(super) fn moved(&self, at: usize) -> usize {
        let before = self.inserted.partition_point(|it| it.0 <= at);
        at + before.checked_sub(1).map_or(0, |it| self.inserted[it].1)
    }
}

/// Puts forecasts into a text, those of one line in their order.
pub(super) fn splice(text: &str, language: Language, forecasts: &[&Forecast]) -> Splice {
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
        res.text.push_str(&whole(forecast, language));
        res.ranges[idx] = start..res.text.len();
        res.text.push('\n');
        res.inserted.push((at, res.text.len() - done));
    }
    res.text.push_str(&text[done..]);
    res
}

/// The byte at which a forecast is inserted: where its line begins, or between the braces of an empty body before it.
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

/// The code of a forecast, with an empty body if it is a signature.
fn whole(forecast: &Forecast, language: Language) -> String {
    let code = forecast.code.trim_end();
    match forecast.form {
        ForecastForm::Code => code.to_owned(),
        ForecastForm::Signature => format!("{code}{}", body_of(code, language)),
    }
}

/// What makes a whole of a signature.
fn body_of(signature: &str, language: Language) -> &'static str {
    let is_arm = signature.ends_with("=>") || signature.ends_with("->");
    match language {
        Language::Python if signature.ends_with(':') => " pass",
        Language::Python => ": pass",
        Language::Ruby | Language::Lua => "\nend",
        Language::Elixir => " do\nend",
        Language::Scala if is_arm => " ()",
        Language::Scala => " = ()",
        Language::Php | Language::CSharp | Language::Dart if is_arm => " null,",
        _ if signature.ends_with(':') || signature.ends_with(';') => "",
        _ => " {}",
    }
}
