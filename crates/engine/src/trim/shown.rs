//! What the selected pieces show: their lines and their words, so that nothing is shown twice. Copies that differ in a
//! name or in a few lines are found too.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::lines::with_endings;
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
    words: Vec<Vec<u32>>,
    reader: WordReader,
}

/// The lines and the words of a text that may be shown.
pub(crate) struct Content {
    lines: LineHashes,
    /// The numbers of its words, each once.
    words: Vec<u32>,
}

impl ShownText {
    /// What a text says, to be compared with the pieces.
    pub(crate) fn read(&mut self, text: &str) -> Content {
        Content { lines: line_hashes(text), words: self.reader.read(text) }
    }

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
        for line in with_endings(&text[range.clone()]) {
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

    fn by_words(&self, words: &[u32], news: f32) -> Option<usize> {
        if words.len() < LEAST_WORDS {
            return None;
        }
        let mut is_here = vec![false; self.reader.numbers.len()];
        words.iter().for_each(|it| is_here[*it as usize] = true);
        let is_copy = |it: &Vec<u32>| {
            let both = it.iter().filter(|it| is_here[**it as usize]).count();
            let all = words.len() + it.len() - both;
            both as f32 >= all as f32 * (1.0 - news)
        };
        self.words.iter().position(is_copy)
    }
}

/// Whether `n` of `all` are at least four of five.
fn is_most(n: usize, all: usize) -> bool {
    all > 0 && n * 5 >= all * 4
}

/// Reads which words the names of texts are made of. Texts say the same names again and again, so that is found out once.
#[derive(Default)]
struct WordReader {
    /// By the hash of a word its number.
    numbers: FxHashMap<u64, u32>,
    /// By the hash of a name.
    names: FxHashMap<u64, NameWords>,
    /// The words of all names.
    words: Vec<u32>,
    /// By the number of a word, the last text that has it.
    met: Vec<u32>,
    /// The number of the text that is read, from 1.
    text: u32,
    /// Where words are put into lower case.
    scratch: String,
}

/// What is known of a name.
struct NameWords {
    /// Which of the words of all names.
    words: Range<usize>,
    /// The last text that has it.
    met: u32,
}

impl WordReader {
    /// The numbers of the words that the identifiers of a text are made of, each once.
    fn read(&mut self, text: &str) -> Vec<u32> {
        self.text += 1;
        let mut res = Vec::new();
        identifiers(text, |start, end| {
            let name = &text[start..end];
            let hash = hash_of(name);
            if !self.names.contains_key(&hash) {
                let words = self.learn(name);
                self.names.insert(hash, NameWords { words, met: 0 });
            }
            let Some(name) = self.names.get_mut(&hash) else { return };
            if std::mem::replace(&mut name.met, self.text) == self.text {
                return;
            }
            for word in &self.words[name.words.clone()] {
                if std::mem::replace(&mut self.met[*word as usize], self.text) != self.text {
                    res.push(*word);
                }
            }
        });
        res
    }

    /// The words of a name that is met for the first time: its parts, or the whole where it has none.
    fn learn(&mut self, name: &str) -> Range<usize> {
        let Self { numbers, words, met, scratch, .. } = self;
        let (first, mut whole) = (words.len(), None);
        let mut number = |hash: u64| {
            let next = numbers.len() as u32;
            *numbers.entry(hash).or_insert_with(|| {
                met.push(0);
                next
            })
        };
        terms_of(name, scratch, |term, is_whole| match is_whole {
            true => whole = Some(hash_of(term)),
            false => words.push(number(hash_of(term))),
        });
        if words.len() == first {
            words.extend(whole.map(number));
        }
        first..words.len()
    }
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
