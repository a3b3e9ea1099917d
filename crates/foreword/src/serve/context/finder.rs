//! Which file is a request's cursor in? Most tools do not say: they send the text around it.
//!
//! Hashes of pairs of lines lead to the files that could have the text, as the index has them; each is then laid under
//! the text ([`align`]), edits and all, and the one that fits best is the file, if it fits well enough.

mod align;
mod table;

use std::sync::Arc;

use foreword_engine::index::Snapshot;

use align::{Aligned, Window, align};
pub(crate) use table::Finder;
use table::Table;

/// What a file must share with a text to be its file.
const LEAST: f64 = 0.4;

/// Files that share nearly as much as the best are taken to be alike.
const ALIKE: f64 = 0.05;

/// So few anchors do not tell files apart that are alike.
const FEW: usize = 3;

/// A cursor's file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Found {
    pub(crate) path: String,
    /// The file's text with the window laid over it.
    pub(crate) text: String,
    /// Where the cursor is in it.
    pub(crate) offset: usize,
    /// Between 0 and 1.
    pub(crate) confidence: f64,
    /// How it was found.
    pub(crate) how: String,
}

/// The file of a text by what stands in it, or why there is none.
pub(crate) fn by_content(
    table: &Table,
    snapshot: &Snapshot,
    prefix: &str,
    suffix: &str,
) -> Result<Found, String> {
    let text = format!("{prefix}{suffix}");
    let fits = fits(table, snapshot, &Window::new(&text, lines(prefix)));
    let Some((share, path, fit)) = fits.first().copied() else {
        return Err("no file has lines of this text".to_owned());
    };
    let is_whole = fit.share > 0.99;
    if share < LEAST || fit.anchors < 2 && !is_whole {
        let percent = share * 100.0;
        return Err(format!("{path} is the nearest, but has only {percent:.0} % of this text"));
    }
    let alike = fits.iter().take_while(|it| it.0 > share - ALIKE).count();
    if alike > 1 && fit.anchors < FEW {
        return Err(format!(
            "{alike} files have these lines, which are too few to tell them apart"
        ));
    }
    let how = match alike {
        1 => format!("by its lines: {} pairs of lines agree", fit.anchors),
        n => format!("by its lines, but {n} files have them: the first by name is taken"),
    };
    let text = file_text(snapshot, path).unwrap_or_default();
    Ok(laid(path, &text, prefix, suffix, fit, share / alike as f64, how))
}

/// The files that have something of the window, with what they share; the best first.
fn fits<'t>(
    table: &'t Table,
    snapshot: &Snapshot,
    window: &Window<'_>,
) -> Vec<(f64, &'t str, Aligned)> {
    let mut res: Vec<(f64, &str, Aligned)> = Vec::new();
    let mut best = 0.0;
    for it in table.candidates(window) {
        // Neither the best nor like it, however it lies.
        if it.most <= best - ALIKE {
            break;
        }
        let Some(file) = snapshot.file(it.path) else { continue };
        if let Some(fit) = align(&snapshot.text(file), window) {
            let share = fit.share * if fit.is_near { 1.0 } else { 0.7 };
            best = f64::max(best, share);
            res.push((share, it.path, fit));
        }
    }
    res.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    res
}

/// The file that the client names, with the window laid over it.
pub(crate) fn by_name(
    snapshot: &Snapshot,
    path: &str,
    prefix: &str,
    suffix: &str,
) -> Option<Found> {
    let text = file_text(snapshot, path)?;
    let window = format!("{prefix}{suffix}");
    let fit = align(&text, &Window::new(&window, lines(prefix)));
    if let Some(fit) = fit.filter(|it| it.share > 0.2) {
        return Some(laid(path, &text, prefix, suffix, fit, 1.0, "by its name".to_owned()));
    }
    // A file of a few lines, or one that was written anew: the window is all that is sure.
    Some(Found {
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

fn laid(
    path: &str,
    text: &str,
    prefix: &str,
    suffix: &str,
    fit: Aligned,
    confidence: f64,
    how: String,
) -> Found {
    let same = |it: &str| match prefix.contains('\r') || suffix.contains('\r') {
        true => it.to_owned(),
        // The tool speaks of lines without returns, so the rest of the file does too.
        false => it.replace("\r\n", "\n"),
    };
    let (above, below) = (same(&text[..fit.top]), text.get(fit.bottom..).unwrap_or_default());
    let offset = above.len() + prefix.len();
    // Without a suffix the rest of the cursor's line is not known to be still there.
    let below = match suffix.is_empty() {
        true => below.find('\n').map_or("", |at| &below[at..]),
        false => below,
    };
    let text = format!("{above}{prefix}{suffix}{}", same(below));
    Found { path: path.to_owned(), text, offset, confidence, how }
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

    fn find(snapshot: &Snapshot, prefix: &str, suffix: &str) -> Result<Found, String> {
        by_content(&Table::new(snapshot, &Table::default()), snapshot, prefix, suffix)
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
    fn unsaved_edits_take_the_place_of_what_was_saved() {
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
    fn what_stands_nowhere_is_not_found_and_what_stands_twice_is_not_sure() {
        let b = module("beta");
        let snapshot = snapshot(&[("a.py", &b), ("b.py", &b)]);
        assert!(find(&snapshot, "fn main() {\n    let x = 1;\n", "}\n").is_err());
        let found = find(&snapshot, &b[..200], &b[200..500]).unwrap();
        assert_eq!(found.path, "a.py");
        assert!(found.confidence <= 0.5 && found.how.contains("2 files"), "{found:?}");
    }

    #[test]
    fn a_named_file_is_the_file_even_if_all_of_it_is_new() {
        let snapshot = snapshot(&[("b.py", "x = 1\n")]);
        let found = by_name(&snapshot, "b.py", "y = ", "\n").unwrap();
        assert_eq!((found.text.as_str(), found.offset), ("y = \n", 4));
        assert_eq!(by_name(&snapshot, "c.py", "y = ", "\n"), None);
    }
}
