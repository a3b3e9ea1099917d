//! What others do with the same window and the same budget: simple, well known, and written here from the papers.
//!
//! * `none`: the window alone.
//! * `bm25-files`: the files with the highest BM25 for the whole of prefix and suffix, over runs of alphanumerics in
//!   lower case, best first until the budget; the last one is cut at a line. So did the baseline of the context
//!   collection competition of 2025. k1 1.5, b 0.75, as in the library that it used.
//! * `lines`: windows of 40 lines, a new one every 20, by the Jaccard similarity of their words with those of the last
//!   20 lines before the cursor, best first, without overlaps (after RepoCoder, Zhang et al. 2023, first iteration).
//!
//! Both look at files with the extension of the cursor's file, and never at that file itself.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use foreword_engine::index::{FileId, Snapshot};
use foreword_engine::scope::Cursor;
use foreword_engine::source::ContentHash;

use crate::coverage::Shown;

const K1: f64 = 1.5;
const B: f64 = 0.75;
const WINDOW: usize = 40;
const STRIDE: usize = 20;
const QUERY_LINES: usize = 20;

/// Tokens that a path above a piece costs beside its own, as `foreword_engine::trim` counts them.
const PIECE_OVERHEAD: usize = 6;

/// Counts the tokens of a text.
pub type Count<'c> = &'c dyn Fn(&str) -> usize;

/// The words of files, kept by content from task to task.
#[derive(Default)]
pub struct Words {
    numbers: HashMap<String, u32>,
    files: HashMap<ContentHash, Arc<FileWords>>,
}

struct FileWords {
    /// Each word once, with how often it occurs; sorted.
    counts: Vec<(u32, u32)>,
    length: f64,
    windows: Vec<LineWindow>,
}

struct LineWindow {
    /// Numbers of lines, from 0.
    lines: Range<usize>,
    /// Sorted, each once.
    words: Vec<u32>,
}

impl Words {
    /// The pieces of `bm25-files`.
    pub fn bm25_files(
        &mut self,
        snapshot: &Snapshot,
        cursor: &Cursor,
        tokens: usize,
        count: Count<'_>,
    ) -> Vec<Shown> {
        let files = self.candidates(snapshot, cursor);
        let mut query = self.numbers_of(cursor.prefix());
        query.extend(self.numbers_of(cursor.suffix()));
        let scored = bm25(&files, &query);
        let mut spender = Spender { left: tokens, count, res: Vec::new() };
        for (file, _) in scored {
            let text = snapshot.text(file);
            if !spender.take(snapshot.path(file), &text, 0) {
                break;
            }
        }
        spender.res
    }

    /// The pieces of `lines`.
    pub fn line_windows(
        &mut self,
        snapshot: &Snapshot,
        cursor: &Cursor,
        tokens: usize,
        count: Count<'_>,
    ) -> Vec<Shown> {
        let files = self.candidates(snapshot, cursor);
        let last: Vec<&str> = cursor.prefix().lines().rev().take(QUERY_LINES).collect();
        let query = sorted(last.iter().flat_map(|it| self.numbers_of(it)).collect());
        let mut scored: Vec<(f64, FileId, &Range<usize>)> = Vec::new();
        for (file, words) in &files {
            let score = |it: &LineWindow| jaccard(&query, &it.words);
            scored.extend(words.windows.iter().map(|it| (score(it), *file, &it.lines)));
        }
        scored.retain(|it| it.0 > 0.0);
        scored.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2.start).cmp(&(b.1, b.2.start))));
        let mut spender = Spender { left: tokens, count, res: Vec::new() };
        let mut taken: Vec<(FileId, &Range<usize>)> = Vec::new();
        for (_, file, lines) in scored {
            if taken
                .iter()
                .any(|it| it.0 == file && it.1.start < lines.end && lines.start < it.1.end)
            {
                continue;
            }
            taken.push((file, lines));
            let text = snapshot.text(file);
            let text: String = text.split_inclusive('\n').skip(lines.start).take(WINDOW).collect();
            if !spender.take(snapshot.path(file), &text, lines.start) {
                break;
            }
        }
        spender.res
    }

    /// The files that may be shown, by path.
    fn candidates(
        &mut self,
        snapshot: &Snapshot,
        cursor: &Cursor,
    ) -> Vec<(FileId, Arc<FileWords>)> {
        let wanted = extension(&cursor.path);
        let files = snapshot.files().filter(|it| {
            let path = snapshot.path(*it);
            path != cursor.path && extension(path) == wanted
        });
        files.map(|it| (it, self.of_file(snapshot, it))).collect()
    }

    fn of_file(&mut self, snapshot: &Snapshot, file: FileId) -> Arc<FileWords> {
        let hash = snapshot.hash(file);
        if let Some(known) = self.files.get(&hash) {
            return Arc::clone(known);
        }
        let made = Arc::new(self.analyse(&snapshot.text(file)));
        self.files.insert(hash, Arc::clone(&made));
        made
    }

    fn analyse(&mut self, text: &str) -> FileWords {
        let lines: Vec<Vec<u32>> = text.lines().map(|it| self.numbers_of(it)).collect();
        let mut all: Vec<u32> = lines.concat();
        all.sort_unstable();
        let counts = all.chunk_by(|a, b| a == b).map(|it| (it[0], it.len() as u32)).collect();
        let mut windows = Vec::new();
        let mut start = 0;
        while start < lines.len() {
            let end = (start + WINDOW).min(lines.len());
            windows
                .push(LineWindow { lines: start..end, words: sorted(lines[start..end].concat()) });
            if end == lines.len() {
                break;
            }
            start += STRIDE;
        }
        FileWords { counts, length: all.len() as f64, windows }
    }

    fn numbers_of(&mut self, text: &str) -> Vec<u32> {
        let words = text.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty());
        words.map(|it| self.number(it.to_lowercase())).collect()
    }

    fn number(&mut self, word: String) -> u32 {
        let next = self.numbers.len() as u32;
        *self.numbers.entry(word).or_insert(next)
    }
}

/// Files by BM25, best first; of equal ones the earlier path. Every occurrence in the query counts.
fn bm25(files: &[(FileId, Arc<FileWords>)], query: &[u32]) -> Vec<(FileId, f64)> {
    let mut asked: HashMap<u32, f64> = HashMap::new();
    for word in query {
        *asked.entry(*word).or_default() += 1.0;
    }
    let mut containing: HashMap<u32, f64> = HashMap::new();
    for (word, _) in files.iter().flat_map(|it| &it.1.counts) {
        if asked.contains_key(word) {
            *containing.entry(*word).or_default() += 1.0;
        }
    }
    let total = files.len() as f64;
    let average = files.iter().map(|it| it.1.length).sum::<f64>() / total.max(1.0);
    let score = |it: &FileWords| -> f64 {
        let norm = K1 * (1.0 - B + B * it.length / average.max(1.0));
        let of_word = |(word, n): &(u32, u32)| {
            let (asked, having) = (asked.get(word)?, containing.get(word)?);
            let idf = ((total - having + 0.5) / (having + 0.5)).ln_1p();
            let n = f64::from(*n);
            Some(asked * idf * n * (K1 + 1.0) / (n + norm))
        };
        it.counts.iter().filter_map(of_word).sum()
    };
    let mut res: Vec<(FileId, f64)> = files.iter().map(|it| (it.0, score(&it.1))).collect();
    res.retain(|it| it.1 > 0.0);
    res.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    res
}

fn sorted(mut words: Vec<u32>) -> Vec<u32> {
    words.sort_unstable();
    words.dedup();
    words
}

/// Of two sorted sets.
fn jaccard(a: &[u32], b: &[u32]) -> f64 {
    let common = a.iter().filter(|it| b.binary_search(it).is_ok()).count();
    let all = a.len() + b.len() - common;
    if all == 0 { 0.0 } else { common as f64 / all as f64 }
}

fn extension(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or("", |it| it.1)
}

/// Takes pieces until the budget is spent; the last is cut at a line.
struct Spender<'c> {
    left: usize,
    count: Count<'c>,
    res: Vec<Shown>,
}

impl Spender<'_> {
    /// Whether there is room for more. `before` is how many lines of the file stand above `text`.
    fn take(&mut self, path: &str, text: &str, before: usize) -> bool {
        let header = (self.count)(path) + PIECE_OVERHEAD;
        let (mut shown, mut lines) = (String::new(), 0);
        let whole = header + (self.count)(text) <= self.left;
        if whole {
            (shown, lines) = (text.to_owned(), text.lines().count());
        } else {
            for line in text.split_inclusive('\n') {
                let length = shown.len();
                shown.push_str(line);
                if header + (self.count)(&shown) > self.left {
                    shown.truncate(length);
                    break;
                }
                lines += 1;
            }
        }
        if lines > 0 {
            let tokens = header + (self.count)(&shown);
            self.left -= tokens;
            let (start_line, end_line) = (before as u32 + 1, (before + lines) as u32);
            self.res.push(Shown {
                path: path.to_owned(),
                start_line,
                end_line,
                text: shown,
                tokens,
            });
        }
        whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foreword_engine::index::IndexConfig;
    use foreword_engine::source::Source;

    fn snapshot() -> Snapshot {
        let source = |path: &str, text: &str| Source { path: path.into(), text: text.into() };
        let sources = vec![
            source("mail.py", "def send(mail):\n    connect(host)\n"),
            source("url.py", "def parse(url):\n    return split(url)\n"),
            source("url.md", "parse url split\n"),
            source("cursor.py", "parse url split\n"),
        ];
        Snapshot::of_sources(sources, IndexConfig::default()).unwrap()
    }

    fn cursor() -> Cursor {
        let text = "parse(url)\n".to_owned();
        let offset = text.len();
        Cursor { path: "cursor.py".into(), text, offset, resume: offset, recent: Vec::new() }
    }

    #[test]
    fn both_find_the_file_with_the_words_and_never_the_cursors_own() {
        let (snapshot, cursor, count) = (snapshot(), cursor(), |it: &str| it.len());
        let mut words = Words::default();
        let files = words.bm25_files(&snapshot, &cursor, 1000, &count);
        assert_eq!(files.iter().map(|it| it.path.as_str()).collect::<Vec<_>>(), ["url.py"]);
        assert_eq!((files[0].start_line, files[0].end_line), (1, 2));
        let lines = words.line_windows(&snapshot, &cursor, 1000, &count);
        assert_eq!(lines.iter().map(|it| it.path.as_str()).collect::<Vec<_>>(), ["url.py"]);
    }

    #[test]
    fn the_budget_holds_and_the_last_piece_ends_at_a_line() {
        let count = |it: &str| it.len();
        // 6 for the path, 6 for its separators, 16 for the first line.
        let files = Words::default().bm25_files(&snapshot(), &cursor(), 30, &count);
        assert_eq!(files[0].text, "def parse(url):\n");
        assert_eq!(files[0].tokens, 28);
    }

    #[test]
    fn bm25_of_hand_computed_counts() {
        let file = |counts: &[(u32, u32)], length| {
            Arc::new(FileWords { counts: counts.to_vec(), length, windows: Vec::new() })
        };
        let files = vec![(FileId(0), file(&[(1, 2)], 4.0)), (FileId(1), file(&[(2, 1)], 4.0))];
        let scored = bm25(&files, &[1]);
        // idf ln(1 + 1.5 / 1.5) = ln 2; tf 2 × 2.5 / (2 + 1.5) = 1.428571
        assert_eq!(scored.len(), 1);
        assert!((scored[0].1 - 2_f64.ln() * 5.0 / 3.5).abs() < 1e-9);
    }

    #[test]
    fn windows_overlap_by_half_and_reach_the_end() {
        let text = "word\n".repeat(70);
        let words = Words::default().analyse(&text);
        let lines: Vec<Range<usize>> = words.windows.into_iter().map(|it| it.lines).collect();
        assert_eq!(lines, [0..40, 20..60, 40..70]);
    }
}
