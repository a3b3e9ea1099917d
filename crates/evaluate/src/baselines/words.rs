//! Splits files into documents (files, blocks of lines, chunks) and documents into words, cached by content.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use foreword_chunk::{Config, Definition, Kind, Parse};
use foreword_engine::index::{FileId, FileRecord, Snapshot};
use foreword_engine::source::ContentHash;

use super::offer::{Overflow, Piece};

/// Division of files into documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Chunking {
    /// Whole files.
    File,
    Lines {
        /// Lines per block.
        n: usize,
        /// Distance between the first lines of two blocks.
        step: usize,
    },
    /// The snapshot's own chunks: cAST with 2000 non-whitespace characters.
    Cast,
    /// Chunks up to this number of non-whitespace characters.
    Small(u32),
    /// Each outermost definition.
    Outermost,
    /// Each function or method, below the first lines of its enclosing definitions.
    Functions,
}

/// Division of a text into words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Lexer {
    /// Runs of letters and digits, in lower case.
    Alphanumeric,
    /// `\w+` as written, up to 64 characters.
    Word,
    /// Text between white space and punctuation, as written (Continue's symbols).
    Symbol,
}

pub(super) struct Document {
    /// Byte range of its text in the file.
    pub(super) bytes: Range<usize>,
    /// Lines of the file shown above it.
    pub(super) headers: Vec<Range<usize>>,
    /// Distinct words with their frequencies, sorted.
    pub(super) counts: Vec<(u32, u32)>,
    /// Number of words.
    pub(super) length: f64,
}

/// The documents of one file.
pub(super) struct Documents {
    pub(super) file: FileId,
    pub(super) all: Arc<Vec<Document>>,
}

/// The words of documents, cached by content.
#[derive(Default)]
pub struct WordCache {
    numbers: HashMap<String, u32>,
    known: HashMap<(ContentHash, Chunking, Lexer), Arc<Vec<Document>>>,
}

impl WordCache {
    /// The documents of `files`.
    pub(super) fn documents(
        &mut self,
        snapshot: &Snapshot,
        files: &[FileId],
        cut: Chunking,
        lexer: Lexer,
    ) -> Vec<Documents> {
        let mut of_file = |file: FileId| -> Arc<Vec<Document>> {
            let key = (snapshot.hash(file), cut, lexer);
            if let Some(known) = self.known.get(&key) {
                return Arc::clone(known);
            }
            let made = Arc::new(self.cut_up(snapshot, file, cut, lexer));
            self.known.insert(key, Arc::clone(&made));
            made
        };
        files.iter().map(|it| Documents { file: *it, all: of_file(*it) }).collect()
    }

    /// Number of words with an id.
    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// The ids of the words of `text`, in order.
    pub(super) fn word_ids(&mut self, text: &str, lexer: Lexer) -> Vec<u32> {
        let mut res = Vec::new();
        let mut add = |word: &str| {
            let next = self.numbers.len() as u32;
            res.push(match self.numbers.get(word) {
                Some(known) => *known,
                None => *self.numbers.entry(word.to_owned()).or_insert(next),
            });
        };
        match lexer {
            Lexer::Alphanumeric => text
                .split(|it: char| !it.is_alphanumeric())
                .filter(|it| !it.is_empty())
                .for_each(|it| add(&it.to_lowercase())),
            Lexer::Word => text
                .split(|it: char| !it.is_alphanumeric() && it != '_')
                .filter(|it| !it.is_empty() && it.len() <= 64)
                .for_each(add),
            Lexer::Symbol => text
                .split(|it: char| it.is_whitespace() || ".,/#!$%^&*;:{}=-_`~()[]".contains(it))
                .filter(|it| !it.is_empty())
                .for_each(add),
        }
        res
    }

    fn cut_up(
        &mut self,
        snapshot: &Snapshot,
        file: FileId,
        cut: Chunking,
        lexer: Lexer,
    ) -> Vec<Document> {
        let text = snapshot.text(file);
        let mut document = |(headers, bytes): (Vec<Range<usize>>, Range<usize>)| {
            let mut words = self.word_ids(&text[bytes.clone()], lexer);
            for header in &headers {
                words.extend(self.word_ids(&text[header.clone()], lexer));
            }
            words.sort_unstable();
            let counts = words.chunk_by(|a, b| a == b).map(|it| (it[0], it.len() as u32)).collect();
            Document { bytes, headers, counts, length: words.len() as f64 }
        };
        parts(&text, &snapshot.record(file), cut).into_iter().map(&mut document).collect()
    }
}

/// Converts a document into a piece.
pub(super) fn piece(
    snapshot: &Snapshot,
    file: FileId,
    document: &Document,
    overflow: Overflow,
) -> Piece {
    let text = snapshot.text(file);
    let mut shown = String::new();
    for header in &document.headers {
        shown.push_str(text[header.clone()].trim_end());
        shown.push('\n');
    }
    let body = &text[document.bytes.clone()];
    shown.push_str(body);
    if !shown.ends_with('\n') {
        shown.push('\n');
    }
    let lines_to = |at: usize| text[..at].bytes().filter(|it| *it == b'\n').count() as u32;
    let start_line = lines_to(document.bytes.start) + 1;
    let end_line = start_line + (body.lines().count().max(1) as u32 - 1);
    Piece { path: snapshot.path(file).to_owned(), start_line, end_line, text: shown, overflow }
}

/// Headers and bytes of each document, without blank ones.
fn parts(text: &str, record: &FileRecord, cut: Chunking) -> Vec<(Vec<Range<usize>>, Range<usize>)> {
    let plain = |it: Range<usize>| (Vec::new(), it);
    let mut res: Vec<(Vec<Range<usize>>, Range<usize>)> = match cut {
        Chunking::File => vec![plain(0..text.len())],
        Chunking::Lines { n, step } => blocks(text, n, step).into_iter().map(plain).collect(),
        Chunking::Cast => record.chunks.iter().map(|it| plain(it.span.range())).collect(),
        Chunking::Small(max_size) => {
            let config = Config { max_size, ..Config::default() };
            let parsed = Parse::new(text.as_bytes(), record.language);
            let chunks = parsed.chunks(&record.symbols, &config);
            chunks.into_iter().map(|it| plain(it.span.range())).collect()
        }
        Chunking::Outermost => {
            let outermost = record.symbols.definitions.iter().filter(|it| it.parent.is_none());
            outermost.map(|it| plain(with_doc(text, it))).collect()
        }
        Chunking::Functions => functions(text, record),
    };
    res.retain(|it| !text[it.1.clone()].trim().is_empty());
    res
}

fn functions(text: &str, record: &FileRecord) -> Vec<(Vec<Range<usize>>, Range<usize>)> {
    let symbols = &record.symbols;
    let is_function =
        |it: &&Definition| matches!(it.kind, Kind::Function | Kind::Method | Kind::Constructor);
    let part = |it: &Definition| {
        let around = symbols.ancestors(it.parent).map(|it| line_of(text, it.name.start as usize));
        let mut headers: Vec<Range<usize>> = around.collect();
        headers.reverse();
        (headers, with_doc(text, it))
    };
    symbols.definitions.iter().filter(is_function).map(part).collect()
}

/// A definition with its doc comment, from the beginning of its first line.
fn with_doc(text: &str, it: &Definition) -> Range<usize> {
    let start = it.doc.map_or(it.span.start, |doc| doc.start.min(it.span.start)) as usize;
    let line = line_of(text, start).start;
    let start = if text[line..start].trim().is_empty() { line } else { start };
    start..it.span.end as usize
}

fn line_of(text: &str, at: usize) -> Range<usize> {
    let start = text[..at].rfind('\n').map_or(0, |at| at + 1);
    start..text[at..].find('\n').map_or(text.len(), |end| at + end + 1)
}

/// Blocks of `n` lines, a new one every `step` lines, until one reaches the end.
fn blocks(text: &str, n: usize, step: usize) -> Vec<Range<usize>> {
    let mut starts = vec![0];
    starts.extend(text.match_indices('\n').map(|it| it.0 + 1).filter(|it| *it < text.len()));
    let mut res = Vec::new();
    for first in (0..starts.len()).step_by(step.max(1)) {
        let end = starts.get(first + n).copied().unwrap_or(text.len());
        res.push(starts[first]..end);
        if end == text.len() {
            break;
        }
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_overlap_by_their_step_and_reach_the_end() {
        let text = "word\n".repeat(70);
        let lines: Vec<Range<usize>> =
            blocks(&text, 40, 20).into_iter().map(|it| it.start / 5..it.end / 5).collect();
        assert_eq!(lines, [0..40, 20..60, 40..70]);
    }

    #[test]
    fn lexers_differ_in_case_and_joints() {
        let mut words = WordCache::default();
        let mut n = |text: &str, lexer| words.word_ids(text, lexer).len();
        assert_eq!(n("parse_url(Url)", Lexer::Alphanumeric), 3);
        assert_eq!(n("parse_url(Url)", Lexer::Word), 2);
        assert_eq!(n("parse_url(Url)", Lexer::Symbol), 3);
        let lower = words.word_ids("URL", Lexer::Alphanumeric);
        assert_eq!(lower, words.word_ids("url", Lexer::Alphanumeric));
        assert_ne!(words.word_ids("URL", Lexer::Word), words.word_ids("url", Lexer::Word));
    }
}
