//! The subcommands that make tasks or check them.

pub(crate) mod check;
pub(crate) mod mine;
pub(crate) mod remove;

use std::collections::BTreeMap;

/// Rejections by reason, as text.
fn counts(rejected: &BTreeMap<&'static str, usize>) -> String {
    let all: Vec<String> = rejected.iter().map(|(why, n)| format!("{n} {why}")).collect();
    if all.is_empty() { "none".to_owned() } else { all.join(", ") }
}
