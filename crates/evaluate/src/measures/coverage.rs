//! Coverage: the fraction of a hole that the pieces of a prompt contain.
//!
//! * **Identifier coverage**: over the distinct identifiers of the hole that the window does not show (length 3 or
//!   more, no keywords of the language, not in comments or strings). `None` without such identifiers.
//! * **Token coverage**: over the words inside identifiers (`parseUrl` has `parse` and `Url`; length 2 or more, as
//!   written), including those of comments and strings, weighted by their frequency in the hole.
//! * **Line coverage**: over the distinct significant lines of the hole (more than 6 bytes when trimmed); a piece must
//!   have the whole line. `None` without such lines. The window may show them, too.
//! * **New line coverage**: the same over those lines that the window does not show, as with identifiers and words.
//! * **Gold hit**: whether a piece overlaps a location that the task lists as relevant. `None` without such a list. The
//!   lists come from a heuristic: use for trends only.
//! * **Saved**: bits per token of the hole that the pieces save, under a model that sees only the prompt
//!   ([`bits`](crate::measures::bits)).
//! * **Known**: fraction of the same identifiers that occur in the repository, by the index's terms: approximately the
//!   limit for any choice of pieces.

pub(crate) mod code;

use std::collections::{BTreeMap, BTreeSet};

use foreword_chunk::Language;
use foreword_engine::index::Snapshot;
use foreword_engine::index::terms::identifiers;
use serde::Serialize;

use crate::measures::bits::bits;
use crate::measures::share;
use crate::tasks::task::Relevant;

/// A piece of context, of the engine or of a baseline.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContextPiece {
    /// The file.
    pub path: String,
    /// First line, 1-based.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// The text.
    pub text: String,
    /// Its cost, including the header.
    pub tokens: usize,
}

/// A hole to measure pieces against.
pub struct Hole {
    truth: String,
    /// The window before and after it.
    window: (String, String),
    /// Bits per token with the window only.
    alone: Option<f64>,
    targets: BTreeSet<String>,
    /// Frequencies of the words that occur in the hole but not in the window.
    words: BTreeMap<String, usize>,
    lines: BTreeSet<String>,
    /// Those that the window does not show.
    new_lines: BTreeSet<String>,
    relevant: Vec<Relevant>,
}

/// The measures of one context.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Coverage {
    /// Identifier coverage.
    pub identifiers: Option<f64>,
    /// Token coverage.
    pub tokens: Option<f64>,
    /// Line coverage.
    pub lines: Option<f64>,
    /// Line coverage, without lines that the window shows.
    pub new_lines: Option<f64>,
    /// 1 for a gold hit, else 0.
    pub gold: Option<f64>,
    /// Bits per token that the pieces save.
    pub saved: Option<f64>,
    /// chrF of a model's completion, cut to the number of lines of the hole; these three need a model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chrf: Option<f64>,
    /// Whether the completion matches exactly.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<f64>,
    /// Edit similarity of the completion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub similarity: Option<f64>,
    /// Tokens of all pieces.
    pub spent: usize,
    /// Number of pieces.
    pub pieces: usize,
}

/// Identifiers, words and lines of a hole, by their alphabetical index.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Items {
    pub(crate) identifiers: Vec<u16>,
    pub(crate) words: Vec<u16>,
    pub(crate) lines: Vec<u16>,
}

impl Hole {
    /// A hole that held `truth`, after `before` in its file, with a window that shows text before and after it.
    pub fn new(
        truth: &str,
        before: &str,
        window: (&str, &str),
        language: Option<Language>,
        relevant: &[Relevant],
    ) -> Self {
        let around = &format!("{}\n{}", window.0, window.1);
        let keywords = language.map_or(&[][..], Language::keywords);
        let seen = names(around);
        let mut targets = names(&code::code_of(before, truth, language));
        targets.retain(|it| !seen.contains(it) && keywords.binary_search(&it.as_str()).is_err());
        let seen: BTreeSet<&str> = words(around).into_iter().collect();
        let mut counts = BTreeMap::new();
        for word in words(truth).into_iter().filter(|it| !seen.contains(it)) {
            if keywords.binary_search(&word).is_err() {
                *counts.entry(word.to_owned()).or_default() += 1;
            }
        }
        let (lines, shown) = (lines(truth), lines(around));
        Self {
            truth: truth.to_owned(),
            window: (window.0.to_owned(), window.1.to_owned()),
            alone: bits(truth, window.0, window.1, &[]).per_token(),
            targets,
            words: counts,
            new_lines: lines.difference(&shown).cloned().collect(),
            lines,
            relevant: relevant.to_vec(),
        }
    }

    /// The removed text.
    pub fn truth(&self) -> &str {
        &self.truth
    }

    /// The target identifiers that `pieces` contain.
    pub fn covered_by(&self, pieces: &[ContextPiece]) -> Vec<String> {
        let had: BTreeSet<String> = pieces.iter().flat_map(|it| names(&it.text)).collect();
        self.targets.intersection(&had).cloned().collect()
    }

    /// Number of significant lines.
    pub fn n_lines(&self) -> usize {
        self.lines.len()
    }

    /// Frequency of each word in the hole.
    pub fn word_counts(&self) -> Vec<usize> {
        self.words.values().copied().collect()
    }

    /// The items of the hole that a text contains.
    pub fn items_of(&self, text: &str) -> Items {
        let (had, had_lines) = (names(text), lines(text));
        let had_words: BTreeSet<&str> = words(text).into_iter().collect();
        let places = |has: &mut dyn Iterator<Item = bool>| {
            has.enumerate().filter(|it| it.1).map(|it| it.0 as u16).collect()
        };
        Items {
            identifiers: places(&mut self.targets.iter().map(|it| had.contains(it))),
            words: places(&mut self.words.keys().map(|it| had_words.contains(it.as_str()))),
            lines: places(&mut self.lines.iter().map(|it| had_lines.contains(it))),
        }
    }

    /// Measures `pieces`.
    pub fn measure(&self, pieces: &[ContextPiece]) -> Coverage {
        Coverage { saved: self.saved(pieces), ..self.shown(pieces) }
    }

    /// Measures `pieces` except for the saved bits, which take much longer than all else.
    pub fn shown(&self, pieces: &[ContextPiece]) -> Coverage {
        let (mut had, mut had_lines) = (BTreeSet::new(), BTreeSet::new());
        let mut had_words: BTreeSet<&str> = BTreeSet::new();
        for piece in pieces {
            had.append(&mut names(&piece.text));
            had_lines.append(&mut lines(&piece.text));
            had_words.extend(words(&piece.text));
        }
        let occurrences = |keep: &dyn Fn(&str) -> bool| -> usize {
            self.words.iter().filter(|it| keep(it.0)).map(|it| it.1).sum()
        };
        let (all, explained) = (occurrences(&|_| true), occurrences(&|it| had_words.contains(it)));
        let hit = pieces.iter().any(|it| self.relevant.iter().any(|gold| overlaps(it, gold)));
        Coverage {
            identifiers: share(&self.targets, &had),
            tokens: (all > 0).then(|| explained as f64 / all as f64),
            lines: share(&self.lines, &had_lines),
            new_lines: share(&self.new_lines, &had_lines),
            gold: (!self.relevant.is_empty()).then(|| f64::from(u8::from(hit))),
            saved: None,
            chrf: None,
            exact: None,
            similarity: None,
            spent: pieces.iter().map(|it| it.tokens).sum(),
            pieces: pieces.len(),
        }
    }

    fn saved(&self, pieces: &[ContextPiece]) -> Option<f64> {
        let texts: Vec<&str> = pieces.iter().map(|it| it.text.as_str()).collect();
        if texts.is_empty() {
            return self.alone.map(|_| 0.0);
        }
        let (prefix, suffix) = &self.window;
        Some(self.alone? - bits(&self.truth, prefix, suffix, &texts).per_token()?)
    }

    /// Fraction of the target identifiers that occur in the repository.
    pub fn known(&self, snapshot: &Snapshot) -> Option<f64> {
        share(&self.targets, &self.targets_in_repository(snapshot))
    }

    /// The identifiers of the hole that the window does not show.
    pub fn targets(&self) -> &BTreeSet<String> {
        &self.targets
    }

    /// The target identifiers that occur in the repository.
    pub fn targets_in_repository(&self, snapshot: &Snapshot) -> BTreeSet<String> {
        let term = |name: &String| -> String {
            name.chars().filter(|it| *it != '_').flat_map(char::to_lowercase).collect()
        };
        let known = self.targets.iter().filter(|it| snapshot.document_frequency(&term(it)) > 0);
        known.cloned().collect()
    }
}

fn names(text: &str) -> BTreeSet<String> {
    let mut res = BTreeSet::new();
    identifiers(text, |start, end| {
        let name = &text[start..end];
        if name.len() >= 3 && !name.as_bytes()[0].is_ascii_digit() {
            res.insert(name.to_owned());
        }
    });
    res
}

/// The words inside identifiers: cut at `_`, at digits, before a capital after a small letter, and before the last of
/// several capitals that a small letter follows.
fn words(text: &str) -> Vec<&str> {
    let mut res = Vec::new();
    identifiers(text, |start, end| {
        let name = &text[start..end];
        let mut first = 0;
        let chars: Vec<(usize, char)> = name.char_indices().collect();
        for (idx, (at, this)) in chars.iter().enumerate().skip(1) {
            let before = chars[idx - 1].1;
            let next_is_small = chars.get(idx + 1).is_some_and(|it| it.1.is_lowercase());
            let is_cut = (this.is_uppercase() && (!before.is_uppercase() || next_is_small))
                || this.is_ascii_digit() != before.is_ascii_digit()
                || (*this == '_') != (before == '_');
            if is_cut {
                res.push(&name[first..*at]);
                first = *at;
            }
        }
        res.push(&name[first..]);
    });
    let tells = |it: &&str| it.len() >= 2 && it.starts_with(char::is_alphabetic);
    res.into_iter().filter(tells).collect()
}

fn lines(text: &str) -> BTreeSet<String> {
    text.lines().map(str::trim).filter(|it| it.len() > 6).map(str::to_owned).collect()
}

fn overlaps(piece: &ContextPiece, gold: &Relevant) -> bool {
    let start = gold.start_line.unwrap_or(1);
    let end = gold.end_line.unwrap_or(u32::MAX);
    piece.path == gold.path && piece.start_line <= end && start <= piece.end_line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(path: &str, start_line: u32, text: &str) -> ContextPiece {
        let end_line = start_line + text.lines().count() as u32 - 1;
        ContextPiece { path: path.into(), start_line, end_line, text: text.into(), tokens: 7 }
    }

    fn gold(path: &str, line: u32) -> Relevant {
        Relevant {
            path: path.into(),
            start_line: Some(line),
            end_line: Some(line),
            grade: None,
            kind: None,
        }
    }

    #[test]
    fn only_what_the_window_hides_is_wanted() {
        let truth = "return parse_url(text, strict)\n";
        let hole = Hole::new(
            truth,
            "",
            ("def read(text):\n", ""),
            Language::from_name("python"),
            &[gold("b.py", 4)],
        );
        let measured = hole.measure(&[piece("b.py", 1, "def parse_url(it):\n    pass\n")]);
        assert_eq!(measured.identifiers, Some(0.5));
        assert_eq!((measured.lines, measured.gold), (Some(0.0), Some(0.0)));
        assert_eq!((measured.spent, measured.pieces), (7, 1));
        // Out of parse, url, strict.
        assert_eq!(measured.tokens, Some(2.0 / 3.0));
        assert_eq!(hole.covered_by(&[piece("b.py", 1, "parse_url\n")]), ["parse_url"]);
    }

    #[test]
    fn a_line_counts_however_it_is_indented_and_a_place_when_it_overlaps() {
        let hole =
            Hole::new("  self.close()\n}\n", "", ("self close", ""), None, &[gold("b.py", 2)]);
        let measured = hole.measure(&[piece("b.py", 1, "x\nself.close()\n")]);
        assert_eq!(
            (measured.identifiers, measured.lines, measured.gold),
            (None, Some(1.0), Some(1.0))
        );
    }

    #[test]
    fn a_line_of_the_window_is_no_new_line() {
        let truth = "server.listen()\nclient.connect()\n";
        let hole = Hole::new(truth, "", ("server.listen()\n", ""), None, &[]);
        let measured = hole.measure(&[piece("b.py", 1, "server.listen()\n")]);
        assert_eq!((measured.lines, measured.new_lines), (Some(0.5), Some(0.0)));
    }

    #[test]
    fn identifiers_are_made_of_words() {
        assert_eq!(words("parseHTTPRequest_v22(x)"), ["parse", "HTTP", "Request"]);
        assert_eq!(words("_a __len__ Ab2c"), ["len", "Ab"]);
    }

    #[test]
    fn a_word_counts_as_often_as_the_hole_has_it() {
        let hole = Hole::new("send(mail); send(letter)", "", ("", ""), None, &[]);
        assert_eq!(hole.measure(&[piece("b", 1, "send\n")]).tokens, Some(0.5));
    }

    #[test]
    fn no_pieces_explain_nothing() {
        let hole = Hole::new("call_it(now)\n", "", ("", ""), None, &[]);
        let measured = hole.measure(&[]);
        assert_eq!(
            (measured.identifiers, measured.lines, measured.gold),
            (Some(0.0), Some(0.0), None)
        );
        assert_eq!(measured.saved, Some(0.0));
    }

    #[test]
    fn words_of_comments_are_no_identifiers_but_tokens() {
        let python = Language::from_name("python");
        let hole = Hole::new("# see here\nparse_url(it)\n", "", ("", ""), python, &[]);
        assert_eq!(hole.targets().len(), 1);
        assert_eq!(hole.measure(&[piece("b", 1, "see here\n")]).identifiers, Some(0.0));
        assert!(hole.measure(&[piece("b", 1, "see here\n")]).tokens > Some(0.0));
    }

    #[test]
    fn items_are_numbered_as_the_hole_has_them() {
        let hole = Hole::new("send(mail)\nread_all(letter)\n", "", ("", ""), None, &[]);
        assert_eq!((hole.targets().len(), hole.n_lines(), hole.word_counts().len()), (4, 2, 5));
        let items = hole.items_of("letter = 1\nsend(mail)\nread\n");
        assert_eq!(items.identifiers, [0, 1, 3]);
        // all, letter, mail, read, send
        assert_eq!((items.words, items.lines), (vec![1, 2, 3, 4], vec![1]));
    }

    #[test]
    fn a_piece_that_has_the_line_saves_bits() {
        let truth = "    url = parse_url(text, strict_mode=True)\n";
        let hole = Hole::new(truth, "", ("def main(text):\n", ""), None, &[]);
        assert!(hole.measure(&[piece("b", 1, truth)]).saved > Some(0.5));
    }
}
