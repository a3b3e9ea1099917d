//! The direction of relationships between members.
//!
//! scip-java 0.10 states of a member that overrides another one the inverse as well: both are then said to implement each
//! other, and through a common base all overrides each other. Of types it states only what they extend, and that completely.

use rustc_hash::FxHashSet;

use super::facts::FileFacts;

/// Removes, of two members that are said to implement each other, the pair in which the base implements the override: the
/// one whose type does not extend the other's.
pub(super) fn directed(files: &mut [FileFacts], symbols: &[String]) {
    let pairs: FxHashSet<(u32, u32)> =
        files.iter().flat_map(|it| it.implements.iter().copied()).collect();
    let is_mutual = |(a, b): (u32, u32)| pairs.contains(&(b, a));
    if !pairs.iter().copied().any(is_mutual) {
        return;
    }
    let name = |it: u32| symbols[it as usize].as_str();
    let extends: FxHashSet<(&str, &str)> =
        pairs.iter().map(|it| (name(it.0), name(it.1))).collect();
    let is_right = |(a, b): (u32, u32)| {
        let types = owner(name(a)).zip(owner(name(b)));
        types.is_some_and(|it| extends.contains(&it))
    };
    for file in files {
        file.implements.retain(|it| !is_mutual(*it) || is_right(*it));
    }
}

/// The type of a member: `m/p`/Store#` of `m/p`/Store#open().`.
fn owner(symbol: &str) -> Option<&str> {
    let at = symbol.rfind('#')?;
    (at + 1 < symbol.len()).then(|| &symbol[..=at])
}
