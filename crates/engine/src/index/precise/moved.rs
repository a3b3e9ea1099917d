//! Facts about an earlier text of a file, moved through edits: a name in an unchanged line is where that line is now.
//!
//! Facts keep a hash and the length of every line of their text, so that the difference to another text is found without the
//! earlier one. Lines that changed have no facts, and syntax answers for them.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::facts::{FileFacts, Line, Occurrence, lines_of};
use super::symbol::is_word;
use crate::index::diff::changed;
use crate::source::ContentHash;

impl FileFacts {
    /// These facts for another text of the file, with the names in lines that both have; `None` if less than half of the
    /// lines are still there.
    pub fn moved_to(&self, text: &str, hash: ContentHash) -> Option<Self> {
        let lines = lines_of(text);
        let kept = kept(&self.lines, &lines);
        let n_kept: usize = kept.iter().map(|it| it.0.len()).sum();
        if n_kept == 0 || n_kept * 2 < self.lines.len() {
            return None;
        }
        let (old, new) = (starts(&self.lines), starts(&lines));
        let mut occurrences = Vec::new();
        for (range, first) in kept {
            for (from, to) in range.zip(first..) {
                let end = old.get(from + 1).copied().unwrap_or(u32::MAX);
                let moved = self.between(old[from], end).iter().map(|it| Occurrence {
                    start: it.start - old[from] + new[to],
                    end: it.end - old[from] + new[to],
                    ..*it
                });
                occurrences.extend(moved.filter(|it| is_name(text, it)));
            }
        }
        Some(Self { hash, occurrences, lines, ..self.clone() })
    }

    /// These facts, if whole names are at all of their places in a text: for facts that come from elsewhere.
    pub fn checked(&self, text: &str) -> Option<Self> {
        self.occurrences.iter().all(|it| is_name(text, it)).then(|| self.clone())
    }

    fn between(&self, start: u32, end: u32) -> &[Occurrence] {
        let place = |at: u32| self.occurrences.partition_point(|it| it.start < at);
        &self.occurrences[place(start)..place(end)]
    }
}

/// Whether a whole name is at a place: hashes of two lines may be equal.
fn is_name(text: &str, it: &Occurrence) -> bool {
    let (start, end) = (it.start as usize, it.end as usize);
    text.get(start..end).is_some_and(|it| !it.is_empty() && it.chars().all(is_word))
        && !text[..start].ends_with(is_word)
        && !text[end..].starts_with(is_word)
}

/// The byte at which each line starts.
fn starts(lines: &[Line]) -> Vec<u32> {
    let start = |at: &mut u32, it: &Line| {
        let start = *at;
        *at = at.saturating_add(it.bytes);
        Some(start)
    };
    lines.iter().scan(0, start).collect()
}

/// The lines of `old` that `new` still has, in order, with the number of the first of each range in `new`. Equal lines count
/// if one between the same changes is only once in each text: others, such as closing braces, may be those of other code.
fn kept(old: &[Line], new: &[Line]) -> Vec<(Range<usize>, usize)> {
    let hashes = |lines: &[Line]| lines.iter().map(|it| it.hash).collect::<Vec<u32>>();
    let (old, new) = (hashes(old), hashes(new));
    let mut counts: FxHashMap<u32, (u32, u32)> = FxHashMap::default();
    old.iter().for_each(|it| counts.entry(*it).or_default().0 += 1);
    new.iter().for_each(|it| counts.entry(*it).or_default().1 += 1);
    let (mut res, mut at) = (Vec::new(), (0, 0));
    let end = (old.len()..old.len(), new.len()..new.len());
    for (gone, added) in changed(&old, &new).into_iter().chain([end]) {
        let range = at.0..gone.start;
        if old[range.clone()].iter().any(|it| counts.get(it) == Some(&(1, 1))) {
            res.push((range, at.1));
        }
        at = (gone.end, added.end);
    }
    res
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn facts(text: &str) -> FileFacts {
        let mut occurrences = Vec::new();
        crate::index::terms::identifiers(text, |start, end| {
            let symbol = occurrences.len() as u32;
            let (start, end) = (start as u32, end as u32);
            occurrences.push(Occurrence { start, end, symbol, is_definition: false });
        });
        let hash = ContentHash::of(text.as_bytes());
        let (path, lines) = ("a.py".to_owned(), lines_of(text));
        FileFacts { path, hash, provenance: 0, occurrences, lines, implements: Vec::new() }
    }

    /// The names that are still known in another text, each with its number in the first.
    fn moved(old: &str, new: &str) -> Option<Vec<String>> {
        let found = facts(old).moved_to(new, ContentHash::of(new.as_bytes()))?;
        let name =
            |it: &Occurrence| format!("{} {}", &new[it.start as usize..it.end as usize], it.symbol);
        Some(found.occurrences.iter().map(name).collect())
    }

    #[test]
    fn names_move_with_their_lines_and_those_of_changed_lines_are_gone() {
        let old = "open\nclose\nread\n";
        let check = |new: &str, expect: Option<&[&str]>| {
            let expect = expect.map(|it| it.iter().map(|it| (*it).to_owned()).collect());
            assert_eq!(moved(old, new), expect, "{new:?}");
        };
        check("new\nopen\r\nclose\nread  \n", Some(&["open 0", "close 1", "read 2"]));
        check("é\nopen\nclose_it\nread", Some(&["open 0", "read 2"]));
        check("open\nread\n", Some(&["open 0", "read 2"]));
        check("read\nnew\n", None);
        check("", None);
        // Of two equal lines it is not known which one is left.
        assert_eq!(
            moved("a\nx\nb\nx\nc\n", "a\nb1\nx\nc\n"),
            Some(vec!["a 0".into(), "x 3".into(), "c 4".into()])
        );
        assert_eq!(moved("a\nx\nb\nx\nc\nd\n", "a\nb1\nx\nc1\nd\n"), None);
    }

    proptest! {
        #[test]
        fn a_moved_position_has_the_name_that_it_had(
            lines in prop::collection::vec("[a-dé]{1,3} [a-f]{1,2}|é\\}|", 0..24),
            edits in prop::collection::vec((0..24_usize, 0..3_usize, "[a-dé ]{0,5}\r?"), 0..6),
        ) {
            let old = lines.join("\n");
            let mut lines = lines;
            for (at, kind, line) in edits {
                let at = at.min(lines.len());
                match kind {
                    0 => lines.insert(at, line),
                    1 if at < lines.len() => lines[at] = line,
                    _ if at < lines.len() => drop(lines.remove(at)),
                    _ => {}
                }
            }
            let new = lines.join("\n");
            let before = facts(&old);
            let hash = ContentHash::of(new.as_bytes());
            if let Some(after) = before.moved_to(&new, hash) {
                let word = |text: &str, it: &Occurrence| text[it.start as usize..it.end as usize].to_owned();
                let line = |text: &str, it: &Occurrence| {
                    let at = it.start as usize;
                    let start = text[..at].rfind('\n').map_or(0, |it| it + 1);
                    text[start..].lines().next().unwrap_or_default().trim_end().to_owned()
                };
                for it in &after.occurrences {
                    let was = &before.occurrences[it.symbol as usize];
                    prop_assert_eq!(word(&old, was), word(&new, it));
                    prop_assert_eq!(line(&old, was), line(&new, it));
                }
                prop_assert!(after.occurrences.is_sorted_by_key(|it| it.start));
                prop_assert!(after.occurrences.is_sorted_by_key(|it| it.symbol));
            }
            let same = before.moved_to(&old, before.hash);
            prop_assert!(same.is_none_or(|it| it.occurrences.len() <= before.occurrences.len()));
        }
    }
}
