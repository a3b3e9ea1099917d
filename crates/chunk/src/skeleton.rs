//! Definitions with their bodies folded: what a reader needs of code that is used and not changed.

use crate::dedent::dedent;
use crate::fence::with_doc;
use crate::fold::{Edit, Folder};
use crate::members::{Members, members};
use crate::{Definition, Language, Span, Symbols};

/// A definition folded until it fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skeleton {
    /// The text, with `...` (or `{ ... }`) where something was folded.
    pub text: String,
    /// How many bodies or members were folded or left out.
    pub folded: u32,
}

/// Folds the definition at `idx` until `fits` accepts it: first the bodies of its functions (always), then doc
/// comments, then members from the last, until only the signature is left (which is returned even if it does not fit).
/// `idx` of `None` folds the whole file; imports and constants stay.
///
/// The text keeps the indentation of the original less that of the definition itself, and the file's line endings; it
/// has at most one blank line in a row and no newline at its end.
pub fn skeleton(
    text: &str,
    language: Option<Language>,
    symbols: &Symbols,
    idx: Option<u32>,
    fits: &dyn Fn(&str) -> bool,
) -> Skeleton {
    let _ = language;
    let definition = idx.and_then(|idx| symbols.definitions.get(idx as usize));
    let whole = definition.map_or_else(|| Span::new(0, text.len()), with_doc);
    let first = idx.filter(|_| definition.is_some()).unwrap_or(0) as usize;
    for docs in [true, false] {
        let folder = Folder { text, symbols, docs };
        let made = render(folder, whole, &folder.edits(first, whole));
        if fits(&made.text) {
            return made;
        }
    }
    let folder = Folder { text, symbols, docs: false };
    let members = members(folder, definition.and(idx));
    fewer_members(folder, whole, &folder.edits(first, whole), &members, fits)
        .unwrap_or_else(|| signature(folder, definition, &members))
}

/// The most members that fit, the first ones.
fn fewer_members(
    folder: Folder<'_>,
    whole: Span,
    edits: &[Edit],
    members: &Members,
    fits: &dyn Fn(&str) -> bool,
) -> Option<Skeleton> {
    let with = |kept: usize| {
        let dropped = members.dropped_from(folder, kept);
        let mut kept_edits: Vec<_> =
            edits.iter().filter(|it| it.span.end <= dropped.span.start).cloned().collect();
        kept_edits.push(dropped);
        let mut made = render(folder, whole, &kept_edits);
        made.folded += members.count_from(kept).saturating_sub(1);
        made
    };
    let (mut low, mut high) = (0, members.starts.len());
    let mut found = None;
    while low < high {
        let kept = usize::midpoint(low, high);
        let made = with(kept);
        if fits(&made.text) {
            (found, low) = (Some(made), kept + 1);
        } else {
            high = kept;
        }
    }
    found
}

/// What is left when nothing else is.
fn signature(folder: Folder<'_>, definition: Option<&Definition>, members: &Members) -> Skeleton {
    let Some(definition) = definition else {
        return Skeleton { text: "...".to_owned(), folded: members.count_from(0) };
    };
    let indentation = folder.indentation(definition.span.start).unwrap_or("");
    let text = dedent(definition.signature.of(folder.text), indentation);
    Skeleton { text, folded: u32::from(definition.body.is_some()).max(members.count_from(0)) }
}

/// The text of `whole` with the edits made.
fn render(folder: Folder<'_>, whole: Span, edits: &[Edit]) -> Skeleton {
    let (mut text, mut at) = (String::new(), whole.start);
    for edit in edits {
        let start = edit.span.start.max(at);
        text.push_str(Span { start: at, end: start }.of(folder.text));
        text.push_str(&edit.text);
        at = edit.span.end.max(at);
    }
    text.push_str(Span { start: at, end: whole.end.max(at) }.of(folder.text));
    let indentation = folder.indentation(whole.start).unwrap_or("");
    // The line below a doc comment that was left out is the first one now.
    let text = if indentation.is_empty() { &text } else { text.trim_start_matches([' ', '\t']) };
    let folded = edits.iter().filter(|it| it.folds).count() as u32;
    Skeleton { text: dedent(text, indentation), folded }
}
