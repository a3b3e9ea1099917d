//! Parts shared by several formats.

use crate::compose::format::Step::{
    Comment, CommentedText, IfParts, Mark, Parts, Path, Plain, Prefix, Suffix,
};
use crate::compose::format::{Evidence, Format, Keep, Model, Order, Step};

/// An array of tokens written without commas.
macro_rules! tokens {
    ($($token:literal)*) => { &[$($token),*] };
}
pub(in crate::compose) use tokens;

/// The usual values of a format for filling in the middle. `table.rs` checks that every format states the empty ones.
pub(super) const FIM: Format = Format {
    name: "",
    aliases: &[],
    title: "",
    models: &[],
    not: &[],
    order: Order::PrefixFirst,
    template: &[],
    part: COMMENTED,
    stop: &[],
    window: 0,
    keep: Keep::End,
    empty_suffix: "\n",
    evidence: Evidence::Memory,
    note: "",
    specials: &[],
    line_guards: &[],
};

/// A thousand tokens, in the sense of context windows.
pub(super) const K: usize = 1024;

pub(super) const fn model(pattern: &'static str, window: usize) -> Model {
    Model { pattern, window }
}

/// A piece for models trained on single files: comments above the text before the cursor.
pub(super) const COMMENTED: &[Step] =
    &[Comment("Path: "), Path, Plain("\n"), CommentedText, Plain("\n")];

/// Path of the edited file, after commented pieces.
pub(super) const CURRENT: Step = IfParts(&[Comment("Path: "), Path, Plain("\n")]);

/// Prefix first, for models trained on single files.
pub(super) const fn single_file(
    prefix: &'static str,
    suffix: &'static str,
    middle: &'static str,
) -> [Step; 7] {
    [Mark(prefix), Parts, CURRENT, Prefix, Mark(suffix), Suffix, Mark(middle)]
}
