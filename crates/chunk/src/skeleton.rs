//! Definitions with their bodies folded: what a reader needs of code that is used and not changed.

use crate::dedent::dedent;
use crate::fence::with_doc;
use crate::fold::{Edit, Folder};
use crate::members::{Members, members};
use crate::{Definition, Span, Symbols};

/// So many definitions inside each other are opened in search of members that fit.
const DEEPEST: u32 = 4;

/// A definition folded until it fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skeleton {
    /// The text, with `...` (or `{ ... }`) where something was folded.
    pub text: String,
    /// How many bodies or members were folded or left out.
    pub folded: u32,
}

/// Folds the definition at `idx` until `fits` accepts it: first the bodies of its functions (always), then doc
/// comments, then members from the last (the last one that is left is opened, where it has members of its own), until
/// only the signature is left (which is returned even if it does not fit).
/// `idx` of `None` folds the whole file; imports and constants stay.
///
/// The text keeps the indentation of the original less that of the definition itself, and the file's line endings; it
/// has at most one blank line in a row and no newline at its end.
pub fn skeleton(
    text: &str,
    symbols: &Symbols,
    idx: Option<u32>,
    fits: &dyn Fn(&str) -> bool,
) -> Skeleton {
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
    let edits = &folder.edits(first, whole);
    let members = &members(folder, definition.and(idx));
    Outer { folder, definition, whole, edits, members }.folded(DEEPEST, fits)
}

/// A definition (or the file) with members of which some must go.
struct Outer<'o> {
    folder: Folder<'o>,
    definition: Option<&'o Definition>,
    whole: Span,
    edits: &'o [Edit],
    members: &'o Members,
}

impl Outer<'_> {
    /// As much of it as fits; at most `depth` definitions inside each other are opened.
    fn folded(&self, depth: u32, fits: &dyn Fn(&str) -> bool) -> Skeleton {
        let found = self.fewer_members(fits);
        let kept = found.as_ref().map_or(0, |it| it.0);
        let part = depth.checked_sub(1).and_then(|depth| self.with_part(kept, depth, fits));
        part.or(found.map(|it| it.1))
            .unwrap_or_else(|| signature(self.folder, self.definition, self.members))
    }

    /// The most members that fit, the first ones, and how many they are.
    fn fewer_members(&self, fits: &dyn Fn(&str) -> bool) -> Option<(usize, Skeleton)> {
        let (mut low, mut high) = (0, self.members.starts.len());
        let mut found = None;
        while low < high {
            let kept = usize::midpoint(low, high);
            let mut made = self.rendered(&self.members.dropped_from(self.folder, kept));
            made.folded += self.members.count_from(kept).saturating_sub(1);
            if fits(&made.text) {
                (found, low) = (Some((kept, made)), kept + 1);
            } else {
                high = kept;
            }
        }
        found
    }

    /// The first members, and of the next one what fits of its own; `None` where it has none or none fits.
    fn with_part(&self, kept: usize, depth: u32, fits: &dyn Fn(&str) -> bool) -> Option<Skeleton> {
        let start = *self.members.starts.get(kept)?;
        let definitions = &self.folder.symbols.definitions;
        let idx = definitions.iter().position(|it| with_doc(it).start == start)?;
        let (definition, whole) = (&definitions[idx], with_doc(&definitions[idx]));
        let edits = &self.folder.edits(idx, whole);
        let members = &members(self.folder, Some(idx as u32));
        if members.starts.is_empty() {
            return None;
        }
        let inner =
            Outer { folder: self.folder, definition: Some(definition), whole, edits, members };
        let part = inner.folded(depth, &|part| fits(&self.around(kept, part).text));
        let mut made = self.around(kept, &part.text);
        made.folded += part.folded + self.members.count_from(kept + 1);
        let says_more = part.text.len() > definition.signature.len();
        (says_more && fits(&made.text)).then_some(made)
    }

    /// The first members and then `part`, which stands for the next one.
    fn around(&self, kept: usize, part: &str) -> Skeleton {
        let mut edit = self.members.dropped_from(self.folder, kept);
        let indentation = self.folder.indentation(edit.span.start).unwrap_or("");
        let part = part.replace('\n', &format!("\n{indentation}"));
        let newline = self.folder.newline();
        edit.text = match self.members.starts.len() > kept + 1 {
            true => format!("{part}{newline}{indentation}{}", edit.text),
            false => format!("{part}{}", edit.text.trim_start_matches("...")),
        };
        self.rendered(&edit)
    }

    /// The text with the edits before `last`, and with it.
    fn rendered(&self, last: &Edit) -> Skeleton {
        let before = self.edits.iter().filter(|it| it.span.end <= last.span.start);
        let edits: Vec<Edit> = before.chain([last]).cloned().collect();
        render(self.folder, self.whole, &edits)
    }
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
