//! Continue's autocomplete (2.0.0): its context of 1,024 tokens besides the text around the cursor.
//!
//! As shipped: recently opened files first (5 of 10, by 0.6 · 1.15⁻ⁱ for the `i`th latest and 0.4 for small size; each
//! whole or an equal share of the room, at least 125 tokens), then, in random order, definitions from the language
//! server: of imported names in the last 5 and next 3 lines, and of types in the signatures around the cursor. Pieces
//! that do not fit are skipped; a file appears once. Its lists of edited ranges and of the clipboard are empty or need
//! a user, and its index is not used for completion. Of its 1,024 tokens 30 % are reserved for the text before the
//! cursor and 20 % for the text after it.
//!
//! `jaccard` is its unused ranking of windows of recently opened files: ranges by the Jaccard similarity of their
//! symbols with those of the 500 characters around the cursor (75 % before it), best last.

use std::collections::BTreeSet;
use std::ops::Range;

use foreword_chunk::{Kind, ReferenceKind};
use foreword_engine::index::FileId;

use super::input::BaselineInput;
use super::offer::{Offer, Order, Overflow, Piece};
use super::words::{Lexer, WordCache};

const OWN: usize = 1024 * 50 / 100;
const CONSIDERED: usize = 10;
const USED: usize = 5;
const LEAST_TOKENS: usize = 125;
const LINES_BEFORE: usize = 5;
const LINES_AFTER: usize = 3;
const WINDOW_CHARACTERS: usize = 500;
/// Above the capacity of any budget here.
const MOST: usize = 300;

/// Opened files, then definitions.
pub(super) fn offer(at: &BaselineInput<'_>) -> Offer {
    let mut pieces = opened(at);
    let mut base: Vec<(FileId, u32)> = imported(at);
    base.extend(types_around(at));
    base.sort_unstable();
    base.dedup();
    at.random().shuffle(&mut base);
    for (file, definition) in base {
        let path = at.snapshot.path(file);
        if pieces.iter().all(|it| it.path != path) {
            pieces.extend(whole_definition(at, file, definition));
        }
    }
    Offer { pieces, own: Some(OWN), ..Offer::default() }
}

/// Recently opened files, by age and size.
fn opened(at: &BaselineInput<'_>) -> Vec<Piece> {
    let files: Vec<FileId> = at.edited().into_iter().take(CONSIDERED).collect();
    let log_size = |it: &FileId| f64::from(at.snapshot.size(*it).0.max(1)).ln();
    let sizes: Vec<f64> = files.iter().map(log_size).collect();
    let (low, high) =
        sizes.iter().fold((f64::MAX, f64::MIN), |(low, high), it| (low.min(*it), high.max(*it)));
    let score = |age: usize, size: f64| {
        let of_size = if high > low { (size - low) / (high - low) } else { 0.0 };
        0.6 * 1.15_f64.powi(-(age as i32)) + 0.4 * (1.0 - of_size)
    };
    let mut scored: Vec<(f64, FileId)> =
        files.iter().enumerate().map(|(age, it)| (score(age, sizes[age]), *it)).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    scored.truncate(USED);
    let n = scored.len();
    let share = |idx: usize| Overflow::Share { after: n - 1 - idx, least: LEAST_TOKENS };
    scored.iter().enumerate().map(|(idx, it)| at.whole(it.1, share(idx))).collect()
}

/// Definitions of imported names that occur next to the cursor.
fn imported(at: &BaselineInput<'_>) -> Vec<(FileId, u32)> {
    let mut names = BTreeSet::new();
    let after = at.cursor.suffix().lines().take(LINES_AFTER);
    for line in at.lines_before(LINES_BEFORE).lines().chain(after) {
        names.extend(line.split(|it: char| !it.is_alphanumeric() && it != '_'));
    }
    let mut res = Vec::new();
    for resolved in &at.scope.imports {
        let import = &at.scope.record.symbols.imports[resolved.import];
        for it in &import.names {
            if names.contains(it.alias.as_deref().unwrap_or(&it.name)) {
                let found = definitions(at, &it.name).into_iter();
                res.extend(found.filter(|it| resolved.files.contains(&it.0)));
            }
        }
    }
    res
}

fn definitions(at: &BaselineInput<'_>, name: &str) -> Vec<(FileId, u32)> {
    at.snapshot.definitions(name).into_iter().map(|it| (it.file, it.definition)).collect()
}

/// Definitions of the types in the signatures around the cursor, where the name is unique or an import leads there.
fn types_around(at: &BaselineInput<'_>) -> Vec<(FileId, u32)> {
    let symbols = &at.scope.record.symbols;
    let own = at.snapshot.file(at.cursor.path());
    let references = own.map(|it| at.snapshot.references_in(it)).unwrap_or_default();
    let mut res = Vec::new();
    for idx in &at.scope.enclosing {
        let signature = symbols.definitions[*idx as usize].signature;
        let types = references
            .iter()
            .filter(|it| it.kind != ReferenceKind::Call && signature.contains(it.name));
        for name in types.map(|it| it.name.of(at.cursor.text())) {
            let mut found = definitions(at, name);
            found.retain(|it| Some(it.0) != own);
            let is_imported =
                |file: FileId| at.scope.imports.iter().any(|it| it.files.contains(&file));
            if found.len() > 1 {
                found.retain(|it| is_imported(it.0));
            }
            res.extend(found);
        }
    }
    res
}

fn whole_definition(at: &BaselineInput<'_>, file: FileId, definition: u32) -> Option<Piece> {
    let (text, record) = at.snapshot.contents(file);
    let it = record.symbols.definitions.get(definition as usize)?;
    if it.kind == Kind::Section {
        return None;
    }
    Some(lines_of(at.snapshot.path(file), &text, it.span.range(), Overflow::Skip))
}

/// The whole lines that contain these bytes.
fn lines_of(path: &str, text: &str, bytes: Range<usize>, overflow: Overflow) -> Piece {
    let start = text[..bytes.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[bytes.end..].find('\n').map_or(text.len(), |at| bytes.end + at + 1);
    let start_line = text[..start].matches('\n').count() as u32 + 1;
    let text = text[start..end].trim_end().to_owned() + "\n";
    let end_line = start_line + text.lines().count().max(1) as u32 - 1;
    Piece { path: path.to_owned(), start_line, end_line, text, overflow }
}

/// Windows of recently opened files, by similarity.
pub(super) fn jaccard(words: &mut WordCache, at: &BaselineInput<'_>) -> Offer {
    let mut symbols =
        |text: &str| -> BTreeSet<u32> { words.word_ids(text, Lexer::Symbol).into_iter().collect() };
    let cursor = symbols(&window_around(at));
    let mut scored: Vec<(f64, Piece)> = Vec::new();
    for file in at.edited().into_iter().take(CONSIDERED) {
        let text = at.snapshot.text(file);
        for bytes in windows(&text) {
            let its = symbols(&text[bytes.clone()]);
            let common = its.intersection(&cursor).count();
            let score = common as f64 / (its.len() + cursor.len() - common).max(1) as f64;
            let path = at.snapshot.path(file);
            scored.push((score, lines_of(path, &text, bytes, Overflow::Skip)));
        }
    }
    scored.retain(|it| it.0 > 0.0);
    scored.sort_by(|(a, left), (b, right)| {
        let place = |it: &Piece| (it.path.clone(), it.start_line);
        b.total_cmp(a).then_with(|| place(left).cmp(&place(right)))
    });
    scored.truncate(MOST);
    let pieces = scored.into_iter().map(|it| it.1).collect();
    Offer { pieces, order: Order::BestLast, own: Some(OWN), by_file: false }
}

/// The characters around the cursor, three quarters of them before it.
fn window_around(at: &BaselineInput<'_>) -> String {
    let prefix = at.cursor.prefix();
    let start = prefix.len().saturating_sub(WINDOW_CHARACTERS * 3 / 4);
    let suffix = at.cursor.suffix();
    let end = (WINDOW_CHARACTERS / 4).min(suffix.len());
    let start = prefix.ceil_char_boundary(start);
    format!("{}{}", &prefix[start..], &suffix[..suffix.floor_char_boundary(end)])
}

/// Disjoint runs of whole lines up to a number of characters (or one longer line).
fn windows(text: &str) -> Vec<Range<usize>> {
    let mut res: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        match res.last_mut().filter(|it| end - it.start <= WINDOW_CHARACTERS) {
            Some(last) => last.end = end,
            None => res.push(at..end),
        }
        at = end;
    }
    // Excludes the line break, so that two ranges never share a line.
    res.iter_mut().for_each(|it| it.end -= usize::from(text[..it.end].ends_with('\n')));
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_whole_lines_and_none_is_lost() {
        let text = format!("{}{}", "four\n".repeat(150), "x".repeat(600));
        let windows = windows(&text);
        assert_eq!(windows[0], 0..499);
        assert_eq!(windows[1], 500..749);
        assert_eq!(windows[2], 750..1350);
    }
}
