//! Lines and words of the selected pieces, so that nothing is shown twice. Near copies, which differ in a name or a few
//! lines, count as the same.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::lines::with_endings;
use super::surroundings::{LineHashes, line_hash, line_hashes};
use crate::index::terms::{NameNumbers, NumberLists, hash_of, identifiers, terms_of};
use crate::preset::constants::trim::{LINES_OF_A_COPY, SHORTEST_SHOWN_RUN, WORDS_OF_A_COPY};

/// Lines and words of pieces, which are numbered in the order of their addition.
#[derive(Default)]
pub(crate) struct ShownText {
    /// The pieces that contain a line.
    lines: FxHashMap<u64, Vec<u32>>,
    /// The words of each piece.
    words: Vec<Vec<u32>>,
    reader: WordReader,
}

/// Lines and words of a text that may be shown.
pub(crate) struct Content {
    lines: LineHashes,
    /// Numbers of its words, without duplicates.
    words: Vec<u32>,
}

impl ShownText {
    /// Reads a text for comparison with the pieces.
    pub(crate) fn read(&mut self, text: &str) -> Content {
        Content { lines: line_hashes(text), words: self.reader.read(text) }
    }

    /// Adds the content of the next piece.
    pub(crate) fn add(&mut self, content: Content) {
        let at = self.words.len() as u32;
        #[expect(clippy::iter_over_hash_type, reason = "each line has a list of its own")]
        for line in content.lines {
            self.lines.entry(line).or_default().push(at);
        }
        self.words.push(content.words);
    }

    /// The ranges of whole lines in which pieces show all lines.
    pub(super) fn runs(&self, text: &str, range: &Range<usize>) -> Vec<Range<usize>> {
        if self.lines.is_empty() {
            return Vec::new();
        }
        let mut res = Vec::new();
        let (mut run, mut n) = (range.start..range.start, 0);
        let mut at = range.start;
        for line in with_endings(&text[range.clone()]) {
            at += line.len();
            match line_hash(line).map(|it| self.lines.contains_key(&it)) {
                Some(false) => {
                    if n >= SHORTEST_SHOWN_RUN {
                        res.push(run);
                    }
                    (run, n) = (at..at, 0);
                }
                Some(true) => (run.end, n) = (at, n + 1),
                None => run.end = at,
            }
        }
        if n >= SHORTEST_SHOWN_RUN {
            res.push(run);
        }
        res
    }

    /// The piece that shows a text: most lines are shown, most of them by that piece; or at most the share `news` of
    /// the words of both is in only one of them.
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

    fn by_words(&self, words: &[u32], news: f32) -> Option<usize> {
        if words.len() < WORDS_OF_A_COPY {
            return None;
        }
        let mut is_here = vec![false; self.reader.words.len()];
        words.iter().for_each(|it| is_here[*it as usize] = true);
        let is_copy = |it: &Vec<u32>| {
            let both = it.iter().filter(|it| is_here[**it as usize]).count();
            let all = words.len() + it.len() - both;
            both as f32 >= all as f32 * (1.0 - news)
        };
        self.words.iter().position(is_copy)
    }
}

/// Whether `n` of `all` lines make a copy.
fn is_most(n: usize, all: usize) -> bool {
    all > 0 && n * LINES_OF_A_COPY.1 >= all * LINES_OF_A_COPY.0
}

/// Reads the words of texts, and caches the words of each name.
#[derive(Default)]
struct WordReader {
    words: NameNumbers,
    names: NameNumbers,
    /// By number of the name: its words.
    words_of_names: NumberLists,
    /// By number of the name: the last text that contains it.
    names_met: Vec<u32>,
    /// By number of the word: the last text that contains it.
    words_met: Vec<u32>,
    /// Number of the current text, from 1.
    text: u32,
    /// Buffer for lower-casing.
    scratch: String,
}

impl WordReader {
    /// Numbers of the words in the identifiers of a text, without duplicates.
    fn read(&mut self, text: &str) -> Vec<u32> {
        let Self { words, names, words_of_names, names_met, words_met, scratch, .. } = self;
        self.text += 1;
        let current = self.text;
        let mut res = Vec::new();
        identifiers(text, |start, end| {
            let name = names.number(&text[start..end], |it| {
                add_words(it, words, words_of_names, scratch);
                names_met.push(0);
                words_met.resize(words.len(), 0);
            });
            if std::mem::replace(&mut names_met[name as usize], current) == current {
                return;
            }
            for word in words_of_names.get(name as usize) {
                if std::mem::replace(&mut words_met[*word as usize], current) != current {
                    res.push(*word);
                }
            }
        });
        res
    }
}

/// Adds the words of a new name: its parts, or the whole if it has none.
fn add_words(
    name: &str,
    words: &mut NameNumbers,
    of_names: &mut NumberLists,
    scratch: &mut String,
) {
    let mut whole = None;
    terms_of(name, scratch, |term, is_whole| match is_whole {
        true => whole = Some(hash_of(term)),
        false => of_names.push(words.of_hash(hash_of(term), || {})),
    });
    if of_names.open().is_empty() {
        whole.into_iter().for_each(|it| of_names.push(words.of_hash(it, || {})));
    }
    of_names.close();
}

#[cfg(test)]
mod tests {
    use super::*;

    const BINDING: &str = "type yamlBinding struct{}\n\nfunc (yamlBinding) Name() string {\n\treturn \"yaml\"\n}\n\nfunc (yamlBinding) Bind(req *http.Request, obj any) error {\n\treturn decodeYAML(req.Body, obj)\n}\n";

    impl ShownText {
        fn show(&mut self, text: &str) {
            let content = self.read(text);
            self.add(content);
        }

        fn copy(&mut self, text: &str, news: f32) -> Option<usize> {
            let content = self.read(text);
            self.copy_of(&content, news)
        }
    }

    fn shown(text: &str) -> ShownText {
        let mut res = ShownText::default();
        res.show(text);
        res
    }

    #[test]
    fn a_copy_under_another_name_is_a_copy() {
        let other = BINDING.replace("yaml", "toml").replace("YAML", "TOML");
        assert_eq!(shown(BINDING).copy(&other, 0.2), Some(0));
        assert_eq!(shown(BINDING).copy(&other, 0.05), None);
        let more = format!(
            "{other}func (tomlBinding) check(reader io.Reader, limit int, strict bool) {{}}\n"
        );
        assert_eq!(shown(BINDING).copy(&more, 0.2), None);
    }

    #[test]
    fn lines_that_several_pieces_show_are_shown() {
        let mut pieces = shown("alpha one\nbeta two\nown line\n");
        pieces.show("gamma three\ndelta four\n");
        assert_eq!(
            pieces.copy("alpha one\nbeta two\ngamma three\n  delta four\nnew\n", 0.0),
            Some(0)
        );
        assert_eq!(pieces.copy("alpha one\nnew line\nnewer line\n", 0.0), None);
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
