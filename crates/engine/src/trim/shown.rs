//! What the selected pieces show: their lines and their words, so that nothing is shown twice. Copies that differ in a
//! name or in a few lines are found too.

use std::ops::Range;

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::surroundings::{LineHashes, line_hash, line_hashes};
use crate::index::terms::{hash_of, identifiers, terms_of};

/// A run of fewer lines than this that are shown elsewhere is left where it stands: what is around it would be torn.
const LEAST_RUN: usize = 4;

/// Texts of fewer different words are no copies of each other because they have the same ones.
const LEAST_WORDS: usize = 8;

/// The lines and the words of pieces, which have the numbers in which they were added.
#[derive(Default)]
pub(crate) struct ShownText {
    /// Which pieces have a line.
    lines: FxHashMap<u64, Vec<u32>>,
    /// The words of each piece.
    words: Vec<FxHashSet<u64>>,
}

/// The lines and the words of a text that may be shown.
pub(crate) struct Content {
    lines: LineHashes,
    words: FxHashSet<u64>,
}

impl Content {
    pub(crate) fn of(text: &str) -> Self {
        Self { lines: line_hashes(text), words: words_of(text) }
    }
}

impl ShownText {
    /// Adds what the next piece shows.
    pub(crate) fn add(&mut self, content: Content) {
        let at = self.words.len() as u32;
        #[expect(clippy::iter_over_hash_type, reason = "each line has a list of its own")]
        for line in content.lines {
            self.lines.entry(line).or_default().push(at);
        }
        self.words.push(content.words);
    }

    /// The parts of a text, from the beginning of a line to the end of one, in which all lines are shown by pieces.
    pub(super) fn runs(&self, text: &str, range: &Range<usize>) -> Vec<Range<usize>> {
        if self.lines.is_empty() {
            return Vec::new();
        }
        let mut res = Vec::new();
        let (mut run, mut n) = (range.start..range.start, 0);
        let mut at = range.start;
        for line in text[range.clone()].split_inclusive('\n') {
            at += line.len();
            match line_hash(line).map(|it| self.lines.contains_key(&it)) {
                Some(false) => {
                    if n >= LEAST_RUN {
                        res.push(run);
                    }
                    (run, n) = (at..at, 0);
                }
                Some(true) => (run.end, n) = (at, n + 1),
                None => run.end = at,
            }
        }
        if n >= LEAST_RUN {
            res.push(run);
        }
        res
    }

    /// The piece that shows what a text says: at least four of five of its lines are shown, most of them by that piece;
    /// or of the words that any of the two has, at most the share `news` is in one of them only.
    pub(crate) fn copy_of(&self, content: &Content, news: f32) -> Option<usize> {
        self.by_lines(&content.lines).or_else(|| self.by_words(&content.words, news))
    }

    fn by_lines(&self, lines: &LineHashes) -> Option<usize> {
        let mut shared = vec![0; self.words.len()];
        let mut known = 0;
        for pieces in lines.iter().filter_map(|it| self.lines.get(it)) {
            known += 1;
            pieces.iter().for_each(|it| shared[*it as usize] += 1);
        }
        let most = *shared.iter().max()?;
        if is_most(known, lines.len()) { shared.iter().position(|it| *it == most) } else { None }
    }

    fn by_words(&self, words: &FxHashSet<u64>, news: f32) -> Option<usize> {
        let is_copy = |it: &FxHashSet<u64>| {
            let both = words.intersection(it).count();
            let all = words.len() + it.len() - both;
            both as f32 >= all as f32 * (1.0 - news)
        };
        let n = words.len();
        (n >= LEAST_WORDS).then(|| self.words.iter().position(is_copy)).flatten()
    }
}

/// Whether `n` of `all` are at least four of five.
fn is_most(n: usize, all: usize) -> bool {
    all > 0 && n * 5 >= all * 4
}

/// A text has about so many bytes for each of its different words.
const BYTES_A_WORD: usize = 16;

/// The words that the identifiers of a text are made of.
fn words_of(text: &str) -> FxHashSet<u64> {
    let with_room = || text.len() / BYTES_A_WORD;
    let mut res = FxHashSet::with_capacity_and_hasher(with_room(), FxBuildHasher);
    let mut met: FxHashSet<&str> = FxHashSet::with_capacity_and_hasher(with_room(), FxBuildHasher);
    let mut scratch = String::new();
    identifiers(text, |start, end| {
        if !met.insert(&text[start..end]) {
            return;
        }
        let mut whole = None;
        let mut has_parts = false;
        terms_of(&text[start..end], &mut scratch, |term, is_whole| {
            let hash = hash_of(term);
            if is_whole {
                whole = Some(hash);
            } else {
                has_parts = true;
                res.insert(hash);
            }
        });
        res.extend(whole.filter(|_| !has_parts));
    });
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    const BINDING: &str = "type yamlBinding struct{}\n\nfunc (yamlBinding) Name() string {\n\treturn \"yaml\"\n}\n\nfunc (yamlBinding) Bind(req *http.Request, obj any) error {\n\treturn decodeYAML(req.Body, obj)\n}\n";

    fn shown(text: &str) -> ShownText {
        let mut res = ShownText::default();
        res.add(Content::of(text));
        res
    }

    #[test]
    fn a_copy_under_another_name_is_a_copy() {
        let other = BINDING.replace("yaml", "toml").replace("YAML", "TOML");
        assert_eq!(shown(BINDING).copy_of(&Content::of(&other), 0.2), Some(0));
        assert_eq!(shown(BINDING).copy_of(&Content::of(&other), 0.05), None);
        let more = format!(
            "{other}func (tomlBinding) check(reader io.Reader, limit int, strict bool) {{}}\n"
        );
        assert_eq!(shown(BINDING).copy_of(&Content::of(&more), 0.2), None);
    }

    #[test]
    fn lines_that_several_pieces_show_are_shown() {
        let mut pieces = shown("alpha one\nbeta two\nown line\n");
        pieces.add(Content::of("gamma three\ndelta four\n"));
        assert_eq!(
            pieces.copy_of(
                &Content::of("alpha one\nbeta two\ngamma three\n  delta four\nnew\n"),
                0.0
            ),
            Some(0)
        );
        assert_eq!(pieces.copy_of(&Content::of("alpha one\nnew line\nnewer line\n"), 0.0), None);
    }

    #[test]
    fn only_whole_runs_of_lines_are_left_out() {
        let pieces = shown("line one\nline two\nline three\n}\nline four\n");
        let text = "before\nline one\nline two\n\nline three\nline four\nafter\nline one\n";
        let runs = pieces.runs(text, &(0..text.len()));
        assert_eq!(runs.len(), 1);
        assert_eq!(&text[runs[0].clone()], "line one\nline two\n\nline three\nline four\n");
        assert!(pieces.runs(text, &(text.len() - 9..text.len())).is_empty());
    }
}
