//! Anchors are pairs of lines by which a text is found in a file. A table of them (`anchor_table`) selects the candidates;
//! [`align`] finds where in a file a window of text begins, and where it ends.
//!
//! The longest run of anchors that are in order in both gives the alignment. Lines that were edited have no anchor and do
//! no harm.

use std::hash::Hasher as _;

use rustc_hash::FxHasher;

/// Number of lines in an anchor.
const ANCHOR_LINES: usize = 2;

/// Minimum letters and digits of an anchor; shorter pairs are too common.
const MIN_LETTERS: usize = 8;

/// An anchor that is in a file more often than this says nothing about the position.
const MAX_OCCURRENCES: usize = 16;

/// Two consecutive lines, blank lines not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Anchor {
    pub(super) hash: u32,
    /// Its first line, from 0.
    start: u32,
    /// Its last line.
    end: u32,
}

/// A line that is not blank.
struct Line {
    at: u32,
    hash: u64,
    /// Letters and digits, counted up to [`MIN_LETTERS`].
    letters: usize,
}

/// The anchors of a text. Whitespace around a line does not count.
pub(super) fn anchors(text: &str) -> Vec<Anchor> {
    let lines = text.split('\n').map(str::trim).zip(0..).filter(|it| !it.0.is_empty());
    let lines: Vec<Line> = lines.map(|(line, at)| Line::new(line, at)).collect();
    let anchor = |pair: &[Line]| {
        let is_distinct = pair.iter().map(|it| it.letters).sum::<usize>() >= MIN_LETTERS;
        let mut hasher = FxHasher::default();
        pair.iter().for_each(|it| hasher.write_u64(it.hash));
        let hash = hasher.finish();
        let hash = (hash ^ (hash >> 32)) as u32;
        is_distinct.then(|| Anchor { hash, start: pair[0].at, end: pair[ANCHOR_LINES - 1].at })
    };
    lines.windows(ANCHOR_LINES).filter_map(anchor).collect()
}

impl Line {
    fn new(text: &str, at: u32) -> Self {
        let mut hasher = FxHasher::default();
        hasher.write(text.as_bytes());
        let letters = text.chars().filter(|c| c.is_alphanumeric()).take(MIN_LETTERS).count();
        Self { at, hash: hasher.finish(), letters }
    }
}

/// A window of text to find in files.
pub(super) struct TextWindow<'w> {
    lines: Vec<&'w str>,
    anchors: Vec<Anchor>,
    /// The cursor's line, from 0.
    cursor: u32,
}

impl<'w> TextWindow<'w> {
    pub(super) fn new(text: &'w str, cursor: u32) -> Self {
        Self { lines: text.split('\n').collect(), anchors: anchors(text), cursor }
    }

    /// The hashes of its anchors, sorted and without duplicates.
    pub(super) fn hashes(&self) -> Vec<u32> {
        let mut res: Vec<u32> = self.anchors.iter().map(|it| it.hash).collect();
        res.sort_unstable();
        res.dedup();
        res
    }

    /// The anchors that must match: all but those with the cursor's line, which is being edited.
    fn stable(&self) -> impl Iterator<Item = &Anchor> {
        self.anchors.iter().filter(|it| self.is_stable(it))
    }

    fn is_stable(&self, it: &Anchor) -> bool {
        it.end < self.cursor || self.cursor < it.start
    }

    /// Upper bound of the share of a file that `has` these anchors.
    pub(super) fn max_share(&self, has: impl Fn(u32) -> bool) -> f64 {
        share(self.stable().filter(|it| has(it.hash)).count(), self.stable().count())
    }
}

fn share(some: usize, all: usize) -> f64 {
    if all == 0 { 0.0 } else { some as f64 / all as f64 }
}

/// Where a window is in a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Alignment {
    /// The byte of the file at which the window begins.
    pub(super) top: usize,
    /// The byte at which the text after the window begins.
    pub(super) bottom: usize,
    /// The share of the window's anchors that match in order, between 0 and 1.
    pub(super) share: f64,
    /// Number of matching anchors.
    pub(super) anchors: usize,
    /// Whether one of them is within some lines of the cursor.
    pub(super) is_near: bool,
}

/// Lines around the cursor that count as near.
const NEAR_LINES: u32 = 12;

/// Aligns a window with a file; `None` if they have nothing in common.
pub(super) fn align(file: &str, window: &TextWindow<'_>) -> Option<Alignment> {
    let cursor = window.cursor;
    let chain = longest_chain(&pairs(file, window));
    let (first, last) = (chain.first()?, chain.last()?);
    let lines: Vec<&str> = file.split('\n').collect();
    let top = top(&lines, &window.lines, first);
    let bottom = bottom(&lines, &window.lines, last).max(top);
    let near = |it: &&(Anchor, Anchor)| {
        it.0.end + NEAR_LINES >= cursor && it.0.start <= cursor + NEAR_LINES
    };
    let matched = chain.iter().filter(|it| window.is_stable(&it.0)).count();
    Some(Alignment {
        top: top.min(file.len()),
        bottom: bottom.min(file.len()),
        share: share(matched, window.stable().count()),
        anchors: matched,
        is_near: chain.iter().any(|it| near(&it)),
    })
}

/// The anchors of the window, each with the equal ones of the file, unless these are too many.
fn pairs(file: &str, window: &TextWindow<'_>) -> Vec<(Anchor, Anchor)> {
    let wanted = window.hashes();
    let mut of_file = anchors(file);
    of_file.retain(|it| wanted.binary_search(&it.hash).is_ok());
    of_file.sort_unstable_by_key(|it| (it.hash, std::cmp::Reverse(it.start)));
    let same = |it: &Anchor| {
        let start = of_file.partition_point(|other| other.hash < it.hash);
        let len = of_file[start..].partition_point(|other| other.hash == it.hash);
        if len <= MAX_OCCURRENCES { &of_file[start..start + len] } else { &[] }
    };
    let of = |it: &Anchor| same(it).iter().map(|other| (*it, *other)).collect::<Vec<_>>();
    window.anchors.iter().flat_map(of).collect()
}

/// The longest run of pairs in which the lines of both increase. Pairs are sorted by the window's line, and for one line by
/// the file's line in reverse, so that no line is used twice.
fn longest_chain(pairs: &[(Anchor, Anchor)]) -> Vec<(Anchor, Anchor)> {
    // For each length, the pair with the smallest line of the file that a run of that length can end with.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (at, pair) in pairs.iter().enumerate() {
        let length = ends.partition_point(|it| pairs[*it].1.start < pair.1.start);
        before.push(length.checked_sub(1).map(|it| ends[it]));
        if length == ends.len() { ends.push(at) } else { ends[length] = at }
    }
    let mut res = Vec::new();
    let mut at = ends.last().copied();
    while let Some(idx) = at {
        res.push(pairs[idx]);
        at = before[idx];
    }
    res.reverse();
    res
}

/// Where the window's first line begins. Tools also cut windows within lines.
fn top(lines: &[&str], window: &[&str], first: &(Anchor, Anchor)) -> usize {
    let Some(line) = first.1.start.checked_sub(first.0.start) else { return 0 };
    let start = start_of(lines, line as usize);
    let (whole, part) = (lines[line as usize], window[0]);
    let is_cut = !part.is_empty() && part.len() < whole.len() && whole.ends_with(part);
    if is_cut { start + whole.len() - part.len() } else { start }
}

/// Where the text after the window begins.
fn bottom(lines: &[&str], window: &[&str], last: &(Anchor, Anchor)) -> usize {
    let line = last.1.end as usize + (window.len() - 1 - last.0.end as usize);
    let start = start_of(lines, line);
    let (Some(whole), Some(part)) = (lines.get(line), window.last()) else { return start };
    // A window that ends in a line feed contains nothing of the next line.
    if whole.starts_with(part) { start + part.len() } else { start + whole.len() }
}

fn start_of(lines: &[&str], line: usize) -> usize {
    lines.iter().take(line).map(|it| it.len() + 1).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> String {
        (0..60).map(|it| format!("    value_{it} = compute({it})\n")).collect()
    }

    #[track_caller]
    fn check(file: &str, prefix: &str, suffix: &str, whole: &str) -> Alignment {
        let window = format!("{prefix}{suffix}");
        let cursor = prefix.matches('\n').count() as u32;
        let found = align(file, &TextWindow::new(&window, cursor)).unwrap();
        assert_eq!(format!("{}{window}{}", &file[..found.top], &file[found.bottom..]), whole);
        found
    }

    fn lines(text: &str, range: std::ops::Range<usize>) -> String {
        text.split_inclusive('\n').skip(range.start).take(range.len()).collect()
    }

    #[test]
    fn an_unedited_window_is_found_where_it_is() {
        let file = file();
        let found = check(&file, &lines(&file, 10..20), &lines(&file, 20..30), &file);
        assert!((found.share - 1.0).abs() < 1e-9 && found.is_near);
    }

    #[test]
    fn a_window_that_is_cut_within_lines_is_aligned_to_the_byte() {
        let file = file();
        let (prefix, suffix) = (lines(&file, 10..20), lines(&file, 20..30));
        check(&file, &prefix[9..], &suffix[..suffix.len() - 9], &file);
    }

    #[test]
    fn edits_around_the_cursor_replace_the_old_lines() {
        let file = file();
        let prefix = lines(&file, 10..20) + "    added = 1\n    half = ";
        // Of the old text, lines 20 to 22 are gone.
        let suffix = "\n".to_owned() + &lines(&file, 23..35);
        let whole = lines(&file, 0..20) + "    added = 1\n    half = \n" + &lines(&file, 23..60);
        let found = check(&file, &prefix, &suffix, &whole);
        assert!(found.share > 0.8, "{found:?}");
    }

    #[test]
    fn lines_added_above_the_first_line_begin_the_file() {
        let file = file();
        let prefix = "import a\nimport b\n".to_owned() + &lines(&file, 0..3);
        check(&file, &prefix, &lines(&file, 3..60), &("import a\nimport b\n".to_owned() + &file));
    }

    #[test]
    fn unrelated_text_is_not_found() {
        let window = TextWindow::new("fn main() {\n    println!(\"hello\");\n}\n", 1);
        assert_eq!(align(&file(), &window), None);
    }
}
