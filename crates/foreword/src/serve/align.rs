//! Lays a window of text over a file: where in the file does the window begin, and where does it end?
//!
//! Windows of two lines that both have are the anchors; the longest run of anchors in order of both says how the two
//! belong together. Lines that were edited have no anchor and do no harm.

use std::hash::Hasher as _;

use rustc_hash::{FxHashMap, FxHasher};

/// Lines of an anchor.
const LINES: usize = 2;

/// An anchor has at least so many letters and digits, else it is everywhere.
const LETTERS: usize = 8;

/// An anchor that is so often in a file says nothing of the place.
const OFTEN: usize = 16;

/// Two lines with something on them, in a row but for blank lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Anchor {
    pub(super) hash: u32,
    /// Its first line, from 0.
    start: u32,
    /// Its last line.
    end: u32,
}

/// The anchors of a text. Blanks around a line do not count.
pub(super) fn anchors(text: &str) -> Vec<Anchor> {
    let lines = text.split('\n').enumerate().map(|(at, line)| (at as u32, line.trim()));
    let lines: Vec<(u32, &str)> = lines.filter(|it| !it.1.is_empty()).collect();
    let letters = |it: &str| it.chars().filter(|c| c.is_alphanumeric()).count();
    let anchor = |pair: &[(u32, &str)]| {
        let says = pair.iter().map(|it| letters(it.1)).sum::<usize>() >= LETTERS;
        let mut hasher = FxHasher::default();
        for (_, line) in pair {
            hasher.write(line.as_bytes());
            hasher.write_u8(0xff);
        }
        let hash = hasher.finish();
        let hash = (hash ^ (hash >> 32)) as u32;
        says.then(|| Anchor { hash, start: pair[0].0, end: pair[LINES - 1].0 })
    };
    lines.windows(LINES).filter_map(anchor).collect()
}

/// Where a window lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Aligned {
    /// The byte of the file at which the window begins.
    pub(super) top: usize,
    /// The byte at which what follows it begins.
    pub(super) bottom: usize,
    /// Of the window's anchors, how many are there in order: between 0 and 1.
    pub(super) share: f64,
    /// How many that are.
    pub(super) anchors: usize,
    /// Whether one of them is within some lines of the cursor.
    pub(super) is_near: bool,
}

/// So many lines are near.
const NEAR: u32 = 12;

/// Lays `window` over `file`; the cursor is in line `cursor` of the window, from 0. None where they have nothing in
/// common.
pub(super) fn align(file: &str, window: &str, cursor: u32) -> Option<Aligned> {
    let asked = anchors(window);
    let mut places: FxHashMap<u32, Vec<Anchor>> = FxHashMap::default();
    for it in anchors(file) {
        places.entry(it.hash).or_default().push(it);
    }
    let pairs: Vec<(Anchor, Anchor)> = asked
        .iter()
        .filter_map(|it| places.get(&it.hash).filter(|found| found.len() <= OFTEN).map(|f| (it, f)))
        .flat_map(|(it, found)| found.iter().rev().map(|other| (*it, *other)))
        .collect();
    let chain = longest(&pairs);
    let (first, last) = (chain.first()?, chain.last()?);
    let lines: Vec<&str> = file.split('\n').collect();
    let of_window: Vec<&str> = window.split('\n').collect();
    let top = top(&lines, &of_window, first);
    let bottom = bottom(&lines, &of_window, last).max(top);
    let near = |it: &&(Anchor, Anchor)| it.0.end + NEAR >= cursor && it.0.start <= cursor + NEAR;
    // The cursor's line is being written: it need not agree.
    let is_sure = |it: &Anchor| it.end < cursor || cursor < it.start;
    let all = asked.iter().filter(|it| is_sure(it)).count();
    let agreed = chain.iter().filter(|it| is_sure(&it.0)).count();
    Some(Aligned {
        top: top.min(file.len()),
        bottom: bottom.min(file.len()),
        share: if all == 0 { 0.0 } else { agreed as f64 / all as f64 },
        anchors: agreed,
        is_near: chain.iter().any(|it| near(&it)),
    })
}

/// The longest run of pairs in which both rise. Pairs come by the window's line, and for one line the file's last first,
/// so that no line is taken twice.
fn longest(pairs: &[(Anchor, Anchor)]) -> Vec<(Anchor, Anchor)> {
    // For each length, the pair with the smallest line of the file at which a run of that length can end.
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

/// Where the window's first line begins. Tools cut windows within lines too.
fn top(lines: &[&str], window: &[&str], first: &(Anchor, Anchor)) -> usize {
    let Some(line) = first.1.start.checked_sub(first.0.start) else { return 0 };
    let start = start_of(lines, line as usize);
    let (whole, part) = (lines[line as usize], window[0]);
    let is_cut = !part.is_empty() && part.len() < whole.len() && whole.ends_with(part);
    if is_cut { start + whole.len() - part.len() } else { start }
}

/// Where what follows the window begins.
fn bottom(lines: &[&str], window: &[&str], last: &(Anchor, Anchor)) -> usize {
    let line = last.1.end as usize + (window.len() - 1 - last.0.end as usize);
    let start = start_of(lines, line);
    let (Some(whole), Some(part)) = (lines.get(line), window.last()) else { return start };
    // A window that ends in a line feed has nothing of the next line.
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
    fn check(file: &str, prefix: &str, suffix: &str, whole: &str) -> Aligned {
        let window = format!("{prefix}{suffix}");
        let found = align(file, &window, prefix.matches('\n').count() as u32).unwrap();
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
    fn a_window_that_is_cut_within_lines_fits_to_the_byte() {
        let file = file();
        let (prefix, suffix) = (lines(&file, 10..20), lines(&file, 20..30));
        check(&file, &prefix[9..], &suffix[..suffix.len() - 9], &file);
    }

    #[test]
    fn edits_around_the_cursor_take_the_place_of_the_old_lines() {
        let file = file();
        let prefix = lines(&file, 10..20) + "    added = 1\n    half = ";
        // Of the old text, lines 20 to 22 are gone.
        let suffix = "\n".to_owned() + &lines(&file, 23..35);
        let whole = lines(&file, 0..20) + "    added = 1\n    half = \n" + &lines(&file, 23..60);
        let found = check(&file, &prefix, &suffix, &whole);
        assert!(found.share > 0.8, "{found:?}");
    }

    #[test]
    fn lines_added_above_all_of_the_file_begin_it() {
        let file = file();
        let prefix = "import a\nimport b\n".to_owned() + &lines(&file, 0..3);
        check(&file, &prefix, &lines(&file, 3..60), &("import a\nimport b\n".to_owned() + &file));
    }

    #[test]
    fn another_text_is_not_found() {
        assert_eq!(align(&file(), "fn main() {\n    println!(\"hello\");\n}\n", 1), None);
    }
}
