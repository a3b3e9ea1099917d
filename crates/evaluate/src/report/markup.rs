//! Text and numbers as HTML.

use crate::measures::Estimate;

/// A mean with three decimals, or one where it is large.
pub(super) fn number(it: &Estimate) -> String {
    let digits = if it.mean.abs() < 10.0 { 3 } else { 1 };
    format!("{:.digits$}", it.mean)
}

pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
