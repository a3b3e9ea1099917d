//! Definitions with folded bodies, for readers of code that is used but not changed.

mod dedent;
mod fold;
mod gaps;
mod members;

use self::dedent::dedent;
use self::fold::{Edit, Folder};
use self::gaps::Gaps;
use self::members::{Members, members};
use crate::span::Span;
use crate::symbol::{Definition, Kind, Symbols};

/// Maximum depth of nested definitions to unfold in search of members that fit.
const MAX_DEPTH: u32 = 4;

/// A definition folded until it fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skeleton {
    /// The text, with `...` (or `{ ... }`) in place of folded code.
    pub text: String,
    /// Number of bodies or members folded or left out.
    pub folded: u32,
}

/// Folds the definition at `idx` until `fits` accepts the text. First it folds function bodies (always), then drops doc
/// comments, then members from the last one on (if the last remaining member has members itself, some of those are
/// kept), until only the signature remains. The signature is returned even if it does not fit.
///
/// If `idx` is `None`, folds the whole file: the text between its definitions (imports, licences, statements) is the
/// first to be dropped; imports return where docs are dropped; then fields and constants go. If not even the first definition fits, the first lines
/// of signatures are returned, as many as fit.
///
/// The text is indented relative to the definition and keeps the file's line endings. It has at most one blank line in
/// a row and no newline at its end.
pub fn skeleton(
    text: &str,
    symbols: &Symbols,
    idx: Option<u32>,
    fits: &dyn Fn(&str) -> bool,
) -> Skeleton {
    let definition = idx.and_then(|idx| symbols.definitions.get(idx as usize));
    let whole = definition.map_or_else(|| Span::new(0, text.len()), Definition::span_with_doc);
    let first = idx.filter(|_| definition.is_some()).unwrap_or(0) as usize;
    let is_file = definition.is_none() && !symbols.definitions.is_empty();
    // Docs, values, and what is between definitions.
    let steps: &[_] = match is_file {
        true if has_callables(symbols) => &FILE_STEPS,
        true => &FILE_STEPS[..4],
        false => &[(true, true, Gaps::Keep), (false, true, Gaps::Keep)],
    };
    let mut folder = Folder { text, symbols, docs: true, values: true };
    let mut edits = Vec::new();
    for &(docs, values, gaps) in steps {
        folder = Folder { docs, values, ..folder };
        edits = folder.edits(first, whole);
        edits.extend(gaps::dropped(folder, gaps));
        edits.sort_by_key(|it| it.span);
        let made = render(folder, whole, &edits);
        if fits(&made.text) {
            return made;
        }
    }
    let mut members = members(folder, definition.and(idx));
    if is_file {
        members.keep_definitions();
    }
    let (edits, members) = (&edits, &members);
    OversizedItem { folder, definition, whole, edits, members }.folded(MAX_DEPTH, fits)
}

/// What a file keeps, in the order of the attempts: docs, fields and constants, the text between definitions.
const FILE_STEPS: [(bool, bool, Gaps); 5] = [
    (true, true, Gaps::Keep),
    (true, true, Gaps::Drop),
    (false, true, Gaps::Imports),
    (false, true, Gaps::Drop),
    (false, false, Gaps::Drop),
];

/// Whether there are functions, whose signatures say more than fields and constants.
fn has_callables(symbols: &Symbols) -> bool {
    let is_callable = |it: &Definition| {
        matches!(it.kind, Kind::Function | Kind::Method | Kind::Constructor | Kind::Macro)
    };
    symbols.definitions.iter().any(is_callable)
}

/// A definition or file that does not fit with all its members.
struct OversizedItem<'o> {
    folder: Folder<'o>,
    definition: Option<&'o Definition>,
    whole: Span,
    edits: &'o [Edit],
    members: &'o Members,
}

impl OversizedItem<'_> {
    /// Returns the largest skeleton that fits, opening at most `depth` nested definitions.
    fn folded(&self, depth: u32, fits: &dyn Fn(&str) -> bool) -> Skeleton {
        let found = self.fewer_members(fits);
        let kept = found.as_ref().map_or(0, |it| it.0);
        let part = depth.checked_sub(1).and_then(|depth| self.with_part(kept, depth, fits));
        part.or(found.filter(|it| self.definition.is_some() || it.0 > 0).map(|it| it.1))
            .unwrap_or_else(|| match self.definition {
                Some(definition) => signature(self.folder, definition, self.members),
                None => gaps::signatures(self.folder, fits),
            })
    }

    /// The largest number of leading members that fit, and the text with them.
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

    /// The first `kept` members and as many members of the next one as fit; `None` if none fits.
    fn with_part(&self, kept: usize, depth: u32, fits: &dyn Fn(&str) -> bool) -> Option<Skeleton> {
        let start = *self.members.starts.get(kept)?;
        let definitions = &self.folder.symbols.definitions;
        let idx = definitions.iter().position(|it| it.span_with_doc().start == start)?;
        let (definition, whole) = (&definitions[idx], definitions[idx].span_with_doc());
        let edits = &self.folder.edits(idx, whole);
        let members = &members(self.folder, Some(idx as u32));
        if members.starts.is_empty() {
            return None;
        }
        let inner = OversizedItem {
            folder: self.folder,
            definition: Some(definition),
            whole,
            edits,
            members,
        };
        let part = inner.folded(depth, &|part| fits(&self.around(kept, part).text));
        let mut made = self.around(kept, &part.text);
        made.folded += part.folded + self.members.count_from(kept + 1);
        let says_more = part.text.len() > definition.signature.len();
        (says_more && fits(&made.text)).then_some(made)
    }

    /// The first `kept` members, then `part` in place of the next one.
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

    /// Renders the text with `last` and the edits before it.
    fn rendered(&self, last: &Edit) -> Skeleton {
        let before = self.edits.iter().filter(|it| it.span.end <= last.span.start);
        let edits: Vec<Edit> = before.chain([last]).cloned().collect();
        render(self.folder, self.whole, &edits)
    }
}

/// The signature alone, if nothing else fits.
fn signature(folder: Folder<'_>, definition: &Definition, members: &Members) -> Skeleton {
    let indentation = folder.indentation(definition.span.start).unwrap_or("");
    let text = dedent(definition.signature.of(folder.text), indentation);
    Skeleton { text, folded: u32::from(definition.body.is_some()).max(members.count_from(0)) }
}

/// Applies the edits to the text of `whole`.
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
    // After a dropped doc comment the text starts with the next line's indentation.
    let text = if indentation.is_empty() { &text } else { text.trim_start_matches([' ', '\t']) };
    let folded = edits.iter().filter(|it| it.folds).count() as u32;
    Skeleton { text: dedent(text, indentation), folded }
}
