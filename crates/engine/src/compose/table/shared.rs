//! What several formats share.

use crate::compose::format::Step::{Comment, CommentedText, IfParts, Path, Plain};
use crate::compose::format::{Model, Step};

/// A thousand tokens, as windows are named.
pub(super) const K: usize = 1024;

pub(super) const fn model(pattern: &'static str, window: usize) -> Model {
    Model { pattern, window }
}

/// A piece for models that were trained on one file at a time: comments above the text before the cursor.
pub(super) const COMMENTED: &[Step] =
    &[Comment("Path: "), Path, Plain("\n"), CommentedText, Plain("\n")];

/// After commented pieces, the path of the file being edited.
pub(super) const CURRENT: Step = IfParts(&[Comment("Path: "), Path, Plain("\n")]);
