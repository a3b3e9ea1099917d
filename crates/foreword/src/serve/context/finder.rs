//! Finds the file of a text. Most tools do not name it: they send the text around the cursor.
//!
//! Hashes of line pairs select candidates among the indexed files. Each is aligned with the text ([`align`]), allowing
//! edits, and the best match is the file, if it matches well enough.

mod align;
mod anchor_table;

use std::sync::Arc;

use foreword_engine::index::Snapshot;
use foreword_engine::sorting::sort_by;

use align::{Alignment, TextWindow, align};
use anchor_table::AnchorTable;
pub(crate) use anchor_table::Finder;

/// Minimum share of a text's anchors in its file.
const MIN_SHARE: f64 = 0.4;

/// Files whose share is this close to the best count as alike.
const ALIKE_MARGIN: f64 = 0.05;

/// Minimum anchors to choose among files that are alike.
const MIN_ANCHORS_IF_ALIKE: usize = 3;

/// Minimum share of a text's anchors in the file that the client names.
const MIN_SHARE_IF_NAMED: f64 = 0.2;

/// The file of a cursor.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FileMatch {
    pub(crate) path: String,
    /// The file's text with the client's text in place of the part that it matches.
    pub(crate) text: String,
    /// The cursor's offset in that text.
    pub(crate) offset: usize,
    /// Between 0 and 1.
    pub(crate) confidence: f64,
    /// How it was found.
    pub(crate) how: String,
}

/// The file of a text, found by its lines, or the reason why none was found.
pub(crate) fn by_content(
    table: &AnchorTable,
    snapshot: &Snapshot,
    prefix: &str,
    suffix: &str,
) -> Result<FileMatch, String> {
    let text = format!("{prefix}{suffix}");
    let matches = matches(table, snapshot, &TextWindow::new(&text, lines(prefix)));
    let Some((share, path, alignment)) = matches.first().copied() else {
        return Err("no file has lines of this text".to_owned());
    };
    let is_whole = alignment.share > 0.99;
    if share < MIN_SHARE || alignment.anchors < 2 && !is_whole {
        let percent = share * 100.0;
        return Err(format!("{path} is the nearest, but has only {percent:.0} % of this text"));
    }
    let alike = matches.iter().take_while(|it| it.0 > share - ALIKE_MARGIN).count();
    if alike > 1 && alignment.anchors < MIN_ANCHORS_IF_ALIKE {
        return Err(format!(
            "{alike} files have these lines, which are too few to tell them apart"
        ));
    }
    let how = match alike {
        1 => format!("by its lines: {} pairs of lines agree", alignment.anchors),
        n => format!("by its lines, but {n} files have them: the first by name is taken"),
    };
    let text = file_text(snapshot, path).unwrap_or_default();
    let confidence = share / alike as f64;
    let (text, offset) = overlay(&text, prefix, suffix, alignment);
    Ok(FileMatch { path: path.to_owned(), text, offset, confidence, how })
}

/// The files that have a part of the text, with the share that counts, best first.
fn matches<'t>(
    table: &'t AnchorTable,
    snapshot: &Snapshot,
    window: &TextWindow<'_>,
) -> Vec<(f64, &'t str, Alignment)> {
    let mut res: Vec<(f64, &str, Alignment)> = Vec::new();
    let mut best = 0.0;
    for it in table.candidates(window) {
        // No alignment can make it the best or alike.
        if it.max_share <= best - ALIKE_MARGIN {
            break;
        }
        let Some(file) = snapshot.file(it.path) else { continue };
        if let Some(alignment) = align(&snapshot.text(file), window) {
            let share = alignment.share * if alignment.is_near { 1.0 } else { 0.7 };
            best = f64::max(best, share);
            res.push((share, it.path, alignment));
        }
    }
    sort_by(&mut res, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    res
}

/// The file that the client names.
pub(crate) fn by_name(
    snapshot: &Snapshot,
    path: &str,
    prefix: &str,
    suffix: &str,
) -> Option<FileMatch> {
    let text = file_text(snapshot, path)?;
    let window = format!("{prefix}{suffix}");
    let alignment = align(&text, &TextWindow::new(&window, lines(prefix)));
    if let Some(alignment) = alignment.filter(|it| it.share > MIN_SHARE_IF_NAMED) {
        let (text, offset) = overlay(&text, prefix, suffix, alignment);
        let (path, how) = (path.to_owned(), "by its name".to_owned());
        return Some(FileMatch { path, text, offset, confidence: 1.0, how });
    }
    // A short or rewritten file: only the client's text is certain.
    Some(FileMatch {
        path: path.to_owned(),
        text: format!("{prefix}{suffix}"),
        offset: prefix.len(),
        confidence: 0.9,
        how: "by its name; its text is another than what was saved".to_owned(),
    })
}

fn file_text(snapshot: &Snapshot, path: &str) -> Option<Arc<str>> {
    Some(snapshot.text(snapshot.file(path)?))
}

/// The file's text with the client's text in place of the part that it is aligned with, and the cursor's offset.
fn overlay(text: &str, prefix: &str, suffix: &str, alignment: Alignment) -> (String, usize) {
    let with_newlines = |it: &str| match prefix.contains('\r') || suffix.contains('\r') {
        true => it.to_owned(),
        // The tool sends lines without carriage returns, so the rest of the file has none either.
        false => it.replace("\r\n", "\n"),
    };
    let (above, below) =
        (with_newlines(&text[..alignment.top]), text.get(alignment.bottom..).unwrap_or_default());
    let offset = above.len() + prefix.len();
    // Without a suffix, the rest of the cursor's line may have been deleted.
    let below = match suffix.is_empty() {
        true => below.find('\n').map_or("", |at| &below[at..]),
        false => below,
    };
    let text = format!("{above}{prefix}{suffix}{}", with_newlines(below));
    (text, offset)
}

fn lines(text: &str) -> u32 {
    text.matches('\n').count() as u32
}

#[cfg(test)]
mod tests {
    use foreword_engine::index::IndexConfig;
    use foreword_engine::source::Source;

    use super::*;

    fn snapshot(files: &[(&str, &str)]) -> Snapshot {
        let source = |it: &(&str, &str)| Source { path: it.0.to_owned(), text: it.1.to_owned() };
        let sources = files.iter().map(source).collect();
        Snapshot::of_sources(sources, IndexConfig::default()).unwrap()
    }

    fn module(name: &str) -> String {
        (0..30)
            .map(|it| format!("def {name}_{it}(item):\n    return item.{name} + {it}\n\n"))
            .collect()
    }

    fn find(snapshot: &Snapshot, prefix: &str, suffix: &str) -> Result<FileMatch, String> {
        by_content(&AnchorTable::new(snapshot, &AnchorTable::default()), snapshot, prefix, suffix)
    }

    #[test]
    fn a_file_is_found_by_a_few_lines_of_it() {
        let (a, b) = (module("alpha"), module("beta"));
        let snapshot = snapshot(&[("a.py", &a), ("b.py", &b)]);
        let at = b.find("def beta_9").unwrap();
        let (prefix, suffix) = (&b[at - 300..at + 30], &b[at + 31..at + 400]);
        let found = find(&snapshot, prefix, suffix).unwrap();
        assert_eq!(found.path, "b.py");
        assert!(found.confidence > 0.7, "{found:?}");
        assert_eq!(&found.text[..found.offset], &b[..at + 30]);
    }

    #[test]
    fn unsaved_edits_replace_the_saved_text() {
        let b = module("beta");
        let snapshot = snapshot(&[("a.py", &module("alpha")), ("b.py", &b)]);
        let at = b.find("def beta_9").unwrap();
        let end = b.find("def beta_10").unwrap();
        let prefix = format!("{}def quite_new(", &b[at - 350..at]);
        let found =
            find(&snapshot, &prefix, &format!("):\n    pass\n\n{}", &b[end..end + 300])).unwrap();
        assert_eq!(found.path, "b.py");
        assert!(
            found.text.contains("def beta_8(item)") && found.text.contains("def beta_29(item)")
        );
        assert!(!found.text.contains("def beta_9(item)"), "{}", found.text);
    }

    #[test]
    fn unknown_text_is_not_found_and_text_in_two_files_is_uncertain() {
        let b = module("beta");
        let snapshot = snapshot(&[("a.py", &b), ("b.py", &b)]);
        assert!(find(&snapshot, "fn main() {\n    let x = 1;\n", "}\n").is_err());
        let found = find(&snapshot, &b[..200], &b[200..500]).unwrap();
        assert_eq!(found.path, "a.py");
        assert!(found.confidence <= 0.5 && found.how.contains("2 files"), "{found:?}");
    }

    #[test]
    fn a_named_file_is_found_even_if_all_of_its_text_is_new() {
        let snapshot = snapshot(&[("b.py", "x = 1\n")]);
        let found = by_name(&snapshot, "b.py", "y = ", "\n").unwrap();
        assert_eq!((found.text.as_str(), found.offset), ("y = \n", 4));
        assert_eq!(by_name(&snapshot, "c.py", "y = ", "\n"), None);
    }
}
