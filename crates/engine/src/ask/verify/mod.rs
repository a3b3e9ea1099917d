//! Checks an answer about a repository: citations must exist, quoted code must be in the cited files, names and paths
//! must be those of the repository.
//!
//! A pure function of the answer, the evidence and the snapshot, line by line, so that a streamed answer is checked
//! while it is written. A line that fails is marked and kept, so that the reader sees the model's claim and that it is
//! false.

pub(super) mod inert;

use rustc_hash::FxHashSet;

use super::types::EvidenceItem;
use crate::index::Snapshot;
use crate::index::terms::{identifiers, terms_of};
use crate::retrieve::query::is_code;

/// A fault in an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// `[n]` without such evidence.
    NoSuchEvidence(u32),
    /// A path that no file of the repository has.
    NoSuchFile(String),
    /// Lines beyond the end of a file: the file, the last line named, and the file's number of lines.
    NoSuchLines(String, u32, u32),
    /// A line of a code block that is in none of the files of the evidence.
    NotQuoted(String),
    /// A name in backticks that occurs nowhere in the repository.
    NoSuchName(String),
    /// An image or an element of HTML that would load an address; it is shown as text.
    Loads,
}

impl Problem {
    /// Name for programs, in one word.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoSuchEvidence(_) => "no_such_evidence",
            Self::NoSuchFile(_) => "no_such_file",
            Self::NoSuchLines(..) => "no_such_lines",
            Self::NotQuoted(_) => "not_quoted",
            Self::NoSuchName(_) => "no_such_name",
            Self::Loads => "loads",
        }
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoSuchEvidence(n) => write!(f, "there is no evidence [{n}]"),
            Self::NoSuchFile(path) => write!(f, "there is no file {path}"),
            Self::NoSuchLines(path, line, lines) => {
                write!(f, "{path} has {lines} lines, and no line {line}")
            }
            Self::NotQuoted(_) => f.write_str("this line is not in the cited files"),
            Self::NoSuchName(name) => write!(f, "{name} occurs nowhere in the repository"),
            Self::Loads => {
                f.write_str("an image or an element that loads an address is shown as text")
            }
        }
    }
}

/// Result of the check of one line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineCheck {
    /// Numbers of the existing evidence that it cites, in order, each once.
    pub cited: Vec<u32>,
    /// Its faults.
    pub problems: Vec<Problem>,
}

/// Result of the check of a whole answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnswerCheck {
    /// The answer with a mark after each faulty line.
    pub text: String,
    /// Numbers of the cited evidence, in the order of the answer, each once.
    pub cited: Vec<u32>,
    /// All faults, in the order of the answer.
    pub problems: Vec<Problem>,
}

/// Checks an answer line by line.
pub struct Verifier<'v> {
    snapshot: &'v Snapshot,
    evidence: &'v [EvidenceItem],
    in_code: bool,
    /// Trimmed lines of all files of the evidence; read when first needed.
    lines: Option<FxHashSet<String>>,
}

/// Bytes of a citation in brackets, at most.
const MAX_CITATION: usize = 256;

/// Paths of a line that are checked; each may be compared with all files.
const MAX_PATHS: usize = 256;

/// Faults of a line after which no further names are checked.
const MAX_PROBLEMS: usize = 64;

/// Mark on a faulty line.
const MARK: &str = "⚠ unverified";

impl<'v> Verifier<'v> {
    /// For an answer that may cite this evidence.
    pub fn new(snapshot: &'v Snapshot, evidence: &'v [EvidenceItem]) -> Self {
        Self { snapshot, evidence, in_code: false, lines: None }
    }

    /// Checks the next line.
    pub fn line(&mut self, line: &str) -> LineCheck {
        let mut res = LineCheck::default();
        let text = line.trim();
        if text.starts_with("```") || text.starts_with("~~~") {
            self.in_code = !self.in_code;
        } else if self.in_code {
            if !self.is_quoted(text) {
                res.problems.push(Problem::NotQuoted(text.to_owned()));
            }
        } else {
            self.citations(text, &mut res);
            self.paths(text, &mut res);
            self.names(text, &mut res);
        }
        res
    }

    /// The line as shown: with a mark that names its faults.
    pub fn marked(line: &str, checked: &LineCheck) -> String {
        if checked.problems.is_empty() {
            return line.to_owned();
        }
        let what: Vec<String> = checked.problems.iter().map(ToString::to_string).collect();
        format!("{line} [{MARK}: {}]", what.join("; "))
    }

    /// Whether a line of code is in a file of the evidence, or marks an omission.
    fn is_quoted(&mut self, text: &str) -> bool {
        let is_gap =
            text.chars().filter(|it| it.is_alphanumeric()).count() < 2 || text.contains("...");
        if is_gap || text.contains('…') {
            return true;
        }
        let (snapshot, evidence) = (self.snapshot, self.evidence);
        let lines = self.lines.get_or_insert_with(|| lines_of(snapshot, evidence));
        lines.contains(without_number(text)) || lines.contains(text)
    }

    /// `[1]`, `[2, 3]`; not the text of a link, nor an index in code.
    fn citations(&self, text: &str, res: &mut LineCheck) {
        for (at, _) in text.match_indices('[') {
            let end = text.floor_char_boundary(text.len().min(at + 1 + MAX_CITATION));
            let Some(length) = text[at + 1..end].find(']') else { continue };
            let (inner, after) = (&text[at + 1..at + 1 + length], &text[at + length + 2..]);
            let is_index =
                text[..at].ends_with(|it: char| it.is_alphanumeric() || matches!(it, '_' | ')'));
            let numbers: Option<Vec<u32>> =
                inner.split(',').map(|it| it.trim().parse().ok()).collect();
            let Some(numbers) = numbers.filter(|_| !after.starts_with('(') && !is_index) else {
                continue;
            };
            for n in numbers {
                match n > 0 && n as usize <= self.evidence.len() {
                    true if res.cited.contains(&n) => {}
                    true => res.cited.push(n),
                    false => res.problems.push(Problem::NoSuchEvidence(n)),
                }
            }
        }
    }

    /// Paths, with or without lines.
    fn paths(&self, text: &str, res: &mut LineCheck) {
        let is_end = |it: char| {
            it.is_whitespace()
                || matches!(it, '`' | '"' | '\'' | '(' | ')' | '[' | ']' | ',' | ';' | '*')
        };
        let words = text.split(is_end).map(|it| it.trim_end_matches(['.', ':', '!', '?']));
        let paths = words.map(path_and_line).filter(|it| looks_like_path(it.0, it.1));
        for (path, line) in paths.take(MAX_PATHS) {
            if self.evidence.iter().any(|it| it.source.is_some() && it.path == path) {
                continue;
            }
            let problem = match (self.snapshot.file(path.trim_start_matches("./")), line) {
                (None, _) if self.is_directory(path) || self.is_end_of_path(path) => None,
                (None, _) => Some(Problem::NoSuchFile(path.to_owned())),
                (Some(file), Some(line)) => {
                    let lines = self.snapshot.size(file).1;
                    (line > lines || line == 0)
                        .then(|| Problem::NoSuchLines(path.to_owned(), line, lines))
                }
                (Some(_), None) => None,
            };
            res.problems.extend(problem);
        }
    }

    fn is_directory(&self, path: &str) -> bool {
        let prefix = format!("{}/", path.trim_end_matches('/'));
        self.snapshot.files_under(&prefix).next().is_some()
    }

    /// Whether a file's path ends with this one: people omit leading directories.
    fn is_end_of_path(&self, path: &str) -> bool {
        let end = format!("/{path}");
        self.snapshot.files().any(|it| self.snapshot.path(it).ends_with(&end))
    }

    /// Names in backticks.
    fn names(&self, text: &str, res: &mut LineCheck) {
        let mut quoted = text.split('`').skip(1);
        while let (Some(code), Some(_)) = (quoted.next(), quoted.next()) {
            if res.problems.len() >= MAX_PROBLEMS {
                return;
            }
            if looks_like_path(path_and_line(code).0, None) {
                continue;
            }
            identifiers(code, |start, end| {
                let name = &code[start..end];
                let is_known = |it: &Problem| *it == Problem::NoSuchName(name.to_owned());
                let is_name = is_code(name) || code.trim_end_matches("()") == name;
                if is_name
                    && name.len() > 2
                    && !self.occurs(name)
                    && !res.problems.iter().any(is_known)
                {
                    res.problems.push(Problem::NoSuchName(name.to_owned()));
                }
            });
        }
    }

    fn occurs(&self, name: &str) -> bool {
        let mut whole = String::new();
        terms_of(name, &mut String::new(), |term, is_whole| {
            if is_whole {
                term.clone_into(&mut whole);
            }
        });
        whole.is_empty()
            || self.snapshot.document_frequency(&whole) > 0
            || !self.snapshot.definitions(name).is_empty()
            || self.evidence.iter().any(|it| it.text.contains(name))
    }
}

/// Checks a whole answer.
pub fn verify(snapshot: &Snapshot, evidence: &[EvidenceItem], answer: &str) -> AnswerCheck {
    let mut verifier = Verifier::new(snapshot, evidence);
    let mut res = AnswerCheck::default();
    for line in answer.split_inclusive('\n') {
        let bare = line.trim_end_matches(['\n', '\r']);
        let checked = verifier.line(bare);
        res.text.push_str(&Verifier::marked(bare, &checked));
        res.text.push_str(&line[bare.len()..]);
        for n in checked.cited {
            if !res.cited.contains(&n) {
                res.cited.push(n);
            }
        }
        res.problems.extend(checked.problems);
    }
    res
}

fn lines_of(snapshot: &Snapshot, evidence: &[EvidenceItem]) -> FxHashSet<String> {
    let mut files: Vec<&str> = evidence.iter().map(|it| it.path.as_str()).collect();
    files.sort_unstable();
    files.dedup();
    let mut res = FxHashSet::default();
    for text in files.into_iter().filter_map(|it| Some(snapshot.text(snapshot.file(it)?))) {
        res.extend(text.lines().map(|it| it.trim().to_owned()));
    }
    for it in evidence.iter().filter(|it| it.source.is_some()) {
        res.extend(it.text.lines().map(|it| it.trim().to_owned()));
    }
    res
}

/// Strips the line number that the evidence was shown with: `12| code`.
fn without_number(text: &str) -> &str {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    match text[digits..].strip_prefix('|').filter(|_| digits > 0) {
        Some(code) => code.trim(),
        None => text,
    }
}

/// Splits `path:3-5` and `path:3` into the path and the last line.
fn path_and_line(word: &str) -> (&str, Option<u32>) {
    let Some((path, lines)) = word.rsplit_once(':') else { return (word, None) };
    let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
    match (first.parse::<u32>(), last.parse()) {
        (Ok(_), Ok(last)) => (path, Some(last)),
        _ => (word, None),
    }
}

/// Whether a word is a path: an extension, with a directory or a line number.
fn looks_like_path(word: &str, line: Option<u32>) -> bool {
    let name = word.rsplit('/').next().unwrap_or(word);
    let extension = name.rsplit_once('.').filter(|it| !it.0.is_empty()).map(|it| it.1);
    let is_extension = |it: &str| {
        (1..=5).contains(&it.len())
            && it.chars().all(|it| it.is_ascii_alphanumeric())
            && it.chars().any(|it| it.is_ascii_alphabetic())
    };
    let is_plain = word.chars().all(|it| it.is_alphanumeric() || "/._-@+".contains(it));
    let has_directory = word.trim_start_matches("./").contains('/');
    extension.is_some_and(is_extension)
        && is_plain
        && (has_directory || line.is_some())
        && !word.contains("//")
}
