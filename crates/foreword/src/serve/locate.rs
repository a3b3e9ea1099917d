//! Which file is a request's cursor in? Most tools do not say: they send the text around it.
//!
//! Hashes of pairs of lines lead to the files that could have the text, as the index has them; each is then laid under
//! the text ([`super::align`]), edits and all, and the one that fits best is the file, if it fits well enough.

use std::sync::{Arc, Mutex, PoisonError};

use foreword_engine::index::Snapshot;
use foreword_engine::source::ContentHash;
use rustc_hash::FxHashMap;

use super::align::{Aligned, align, anchors};

/// Anchors that a table holds, about: 12 bytes each. A larger repository keeps every second, fourth, … one.
const MOST: usize = 4 << 20;

/// An anchor in more files than this leads nowhere.
const COMMON: usize = 48;

/// Files that are looked at.
const CANDIDATES: usize = 8;

/// What a file must share with a text to be its file.
const LEAST: f64 = 0.4;

/// So few anchors do not tell files apart that are alike.
const FEW: usize = 3;

/// The anchors of a state of a repository.
#[derive(Default)]
pub(super) struct Table {
    snapshot: String,
    paths: Vec<Arc<str>>,
    /// Anchor and number of the path, in order.
    places: Vec<(u32, u32)>,
    /// Only anchors are kept that have these bits clear.
    mask: u32,
    /// What is known of a content.
    known: FxHashMap<ContentHash, Arc<[u32]>>,
}

impl Table {
    /// The table of a snapshot, with what is known from an earlier one.
    fn new(snapshot: &Snapshot, earlier: &Self) -> Self {
        let lines: usize = snapshot.files().map(|it| snapshot.size(it).1 as usize).sum();
        let mut mask = 0;
        while lines >> u32::count_ones(mask) > MOST {
            mask = mask << 1 | 1;
        }
        let mut res = Self { snapshot: snapshot.id().to_owned(), mask, ..Self::default() };
        for file in snapshot.files() {
            let hash = snapshot.hash(file);
            let known = earlier.known.get(&hash).filter(|_| earlier.mask == mask);
            let prints = known.map_or_else(|| prints(&snapshot.text(file), mask), Arc::clone);
            let number = res.paths.len() as u32;
            res.paths.push(snapshot.path(file).into());
            res.places.extend(prints.iter().map(|it| (*it, number)));
            res.known.insert(hash, prints);
        }
        res.places.sort_unstable();
        res
    }

    /// The files that have most of the anchors, the rarest counting most.
    fn candidates(&self, text: &str) -> Vec<&Arc<str>> {
        let mut scores: FxHashMap<u32, f64> = FxHashMap::default();
        for print in prints(text, self.mask).iter() {
            let start = self.places.partition_point(|it| it.0 < *print);
            let end = start + self.places[start..].partition_point(|it| it.0 == *print);
            if end - start <= COMMON {
                for (_, file) in &self.places[start..end] {
                    *scores.entry(*file).or_default() += 1.0 / (end - start) as f64;
                }
            }
        }
        let mut found: Vec<(u32, f64)> = scores.into_iter().collect();
        found.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        found.iter().take(CANDIDATES).map(|it| &self.paths[it.0 as usize]).collect()
    }
}

/// The anchors of a text, each once.
fn prints(text: &str, mask: u32) -> Arc<[u32]> {
    let mut res: Vec<u32> = anchors(text).iter().map(|it| it.hash).collect();
    res.retain(|it| it & mask == 0);
    res.sort_unstable();
    res.dedup();
    res.into()
}

/// The tables of the repositories, each made when it is first needed and again when its repository changes.
#[derive(Default)]
pub(crate) struct Finder {
    tables: Mutex<Vec<(String, Arc<Table>)>>,
}

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

impl Finder {
    /// The table of a repository's state. Also to be called ahead, when the repository has changed.
    pub(crate) fn table(&self, root: &str, snapshot: &Snapshot) -> Arc<Table> {
        let known = self.lock().iter().find(|it| it.0 == root).map(|it| Arc::clone(&it.1));
        let known = known.unwrap_or_default();
        if known.snapshot == snapshot.id() {
            return known;
        }
        let table = Arc::new(Table::new(snapshot, &known));
        let mut tables = self.lock();
        tables.retain(|it| it.0 != root);
        tables.push((root.to_owned(), Arc::clone(&table)));
        table
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<(String, Arc<Table>)>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The file of a text by what stands in it, or why there is none.
pub(crate) fn by_content(
    table: &Table,
    snapshot: &Snapshot,
    prefix: &str,
    suffix: &str,
) -> Result<Found, String> {
    let window = format!("{prefix}{suffix}");
    let mut fits: Vec<(f64, &str, Aligned)> = Vec::new();
    for path in table.candidates(&window) {
        let Some(file) = snapshot.file(path) else { continue };
        if let Some(fit) = align(&snapshot.text(file), &window, lines(prefix)) {
            fits.push((fit.share * if fit.is_near { 1.0 } else { 0.7 }, path, fit));
        }
    }
    fits.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    let Some((share, path, fit)) = fits.first().copied() else {
        return Err("no file has lines of this text".to_owned());
    };
    let is_whole = fit.share > 0.99;
    if share < LEAST || fit.anchors < 2 && !is_whole {
        let percent = share * 100.0;
        return Err(format!("{path} is the nearest, but has only {percent:.0} % of this text"));
    }
    let alike = fits.iter().take_while(|it| it.0 > share - 0.05).count();
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

/// The file that the client names, with the window laid over it.
pub(crate) fn by_name(
    snapshot: &Snapshot,
    path: &str,
    prefix: &str,
    suffix: &str,
) -> Option<Found> {
    let text = file_text(snapshot, path)?;
    let fit = align(&text, &format!("{prefix}{suffix}"), lines(prefix));
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
