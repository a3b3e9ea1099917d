//! Checks an answer about a repository: what it cites must exist, quoted code must be in the cited piece, and what is
//! said of a piece or a place must have its names there.
//!
//! A pure function of the answer, the evidence and the snapshot, line by line, so that a streamed answer is checked
//! while it is written. A line that fails is marked and kept, so that the reader sees the model's claim and that it is
//! false. `references` reads a line of prose, `claims` compares it with what it cites, `code` checks code blocks, and
//! `sources` holds the texts.

mod claims;
mod code;
pub(super) mod inert;
mod references;
mod sources;

use rustc_hash::FxHashSet;

use self::claims::Claims;
use self::code::CodeBlock;
use self::references::{Prose, Shape, What};
use self::sources::{Sources, Target};
use super::types::EvidenceItem;
use crate::index::Snapshot;
use crate::index::terms::terms_of;

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
    /// A name, a line of code or a quotation that is not where the answer says: what, and where.
    NotThere(String, String),
    /// A path beside the number of another place: the number, and its place.
    WrongPlace(u32, String),
    /// A name that occurs nowhere in the repository.
    NoSuchName(String),
    /// A mark like those of the check.
    ForgedMark,
    /// The whole answer names no evidence and no place.
    NoCitation,
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
            Self::NotThere(..) => "not_there",
            Self::WrongPlace(..) => "wrong_place",
            Self::NoSuchName(_) => "no_such_name",
            Self::ForgedMark => "forged_mark",
            Self::NoCitation => "no_citation",
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
            Self::NotThere(what, place) => write!(f, "{what} is not in {place}"),
            Self::WrongPlace(n, place) => write!(f, "[{n}] is {place}"),
            Self::NoSuchName(name) => write!(f, "{name} occurs nowhere in the repository"),
            Self::ForgedMark => f.write_str("the model wrote this mark, the check did not"),
            Self::NoCitation => f.write_str("the answer cites nothing"),
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
    sources: Sources<'v>,
    block: Option<CodeBlock>,
    /// What the last line of prose cites, which is what a code block after it quotes.
    lead: Vec<Target>,
    /// The lines of the code block just before, which a line after it may attribute.
    quoted: Vec<String>,
    /// Names that an earlier citation had.
    known: FxHashSet<String>,
    /// Names of files and directories; read when first needed.
    path_parts: Option<FxHashSet<String>>,
    /// Citations and places so far, be they right or wrong.
    references: usize,
}

/// Paths of a line that are checked; each may be compared with all files.
const MAX_PATHS: usize = 256;

/// Faults of a line after which no further names are checked.
const MAX_PROBLEMS: usize = 64;

/// Mark on a faulty line, and the sign in it, which no other line keeps.
const MARK: &str = "⚠ unverified";
const SIGN: char = '⚠';

impl<'v> Verifier<'v> {
    /// For an answer that may cite this evidence.
    pub fn new(snapshot: &'v Snapshot, evidence: &'v [EvidenceItem]) -> Self {
        let sources = Sources::new(snapshot, evidence);
        let (lead, quoted, known) = (Vec::new(), Vec::new(), FxHashSet::default());
        let (block, path_parts, references) = (None, None, 0);
        Self { snapshot, evidence, sources, block, lead, quoted, known, path_parts, references }
    }

    /// Checks the next line.
    pub fn line(&mut self, line: &str) -> LineCheck {
        let mut res = LineCheck::default();
        let text = line.trim();
        if !self.in_block(text, &mut res) && !text.is_empty() {
            self.prose(text, &mut res);
        }
        res
    }

    /// The line as shown: with a mark that names its faults.
    pub fn marked(line: &str, checked: &LineCheck) -> String {
        if checked.problems.is_empty() {
            return line.to_owned();
        }
        let what: Vec<String> = checked.problems.iter().map(ToString::to_string).collect();
        format!("{} [{MARK}: {}]", line.replace(SIGN, "(!)"), what.join("; "))
    }

    /// The mark below an answer that names no evidence and no place; `None` if this one does, or says that it has no
    /// answer.
    pub fn without_citations(answer: &str, references: usize) -> Option<String> {
        let is_said = answer.chars().filter(|it| it.is_alphanumeric()).count() > 1;
        (is_said && references == 0 && !lacks_information(answer))
            .then(|| format!("[{MARK}: {}]\n", Problem::NoCitation))
    }

    /// How many citations and places the lines so far have, be they right or wrong.
    pub fn n_references(&self) -> usize {
        self.references
    }

    /// A line outside of code blocks.
    fn prose(&mut self, text: &str, res: &mut LineCheck) {
        let prose = references::read(text);
        if is_forged(text) {
            res.problems.push(Problem::ForgedMark);
        }
        self.references(&prose, res);
        self.names(&prose, res);
        let (sources, known) = (&mut self.sources, &mut self.known);
        Claims { sources, known, problems: &mut res.problems, defines: false }.check(text, &prose);
        self.lead = self.cited_last(&prose);
        self.attribution_of_block(&prose, res);
    }

    /// Citations, then paths.
    fn references(&mut self, prose: &Prose<'_>, res: &mut LineCheck) {
        for it in &prose.items {
            let What::Citation(numbers, indexed) = &it.what else { continue };
            if indexed.is_some_and(|it| is_index(self.evidence, it)) {
                continue;
            }
            self.references += 1;
            for n in numbers {
                match *n > 0 && *n as usize <= self.evidence.len() {
                    true if res.cited.contains(n) => {}
                    true => res.cited.push(*n),
                    false => res.problems.push(Problem::NoSuchEvidence(*n)),
                }
            }
        }
        let places = prose.items.iter().filter_map(|it| match it.what {
            What::Place(path, lines) => Some((path, lines)),
            _ => None,
        });
        for (path, lines) in places.take(MAX_PATHS) {
            self.references += 1;
            res.problems.extend(self.place_problem(path, lines));
        }
    }

    fn place_problem(&mut self, path: &str, lines: Option<(u32, u32)>) -> Option<Problem> {
        let is_of_team = |it: &EvidenceItem| it.source.is_some() && it.path == path;
        if self.evidence.iter().any(is_of_team) {
            return None;
        }
        let files = self.sources.files(path);
        if files.is_empty() {
            let is_known =
                self.is_directory(path) || self.evidence.iter().any(|it| it.text.contains(path));
            return (!is_known).then(|| Problem::NoSuchFile(path.to_owned()));
        }
        let (first, last) = lines?;
        let n = files.into_iter().map(|it| self.snapshot.size(it).1).max().unwrap_or(0);
        (last > n || first == 0 || last < first)
            .then(|| Problem::NoSuchLines(path.to_owned(), last, n))
    }

    fn is_directory(&self, path: &str) -> bool {
        let prefix = format!("{}/", path.trim_end_matches('/'));
        self.snapshot.files_under(&prefix).next().is_some()
    }

    /// Names that must occur in the repository.
    fn names(&mut self, prose: &Prose<'_>, res: &mut LineCheck) {
        let is_reference = |it: &What<'_>| matches!(it, What::Citation(..) | What::Place(..));
        let is_about_code = prose.items.iter().any(|it| is_reference(&it.what));
        for it in &prose.items {
            let What::Name(name, shape) = it.what else { continue };
            if res.problems.len() >= MAX_PROBLEMS {
                return;
            }
            let is_name = shape == Shape::Name || shape == Shape::Capitalised && is_about_code;
            let problem = Problem::NoSuchName(name.to_owned());
            let is_known = claims::LANGUAGE.contains(&name) || res.problems.contains(&problem);
            if is_name && !is_known && !self.occurs(name) {
                res.problems.push(problem);
            }
        }
    }

    /// Whether the repository has a name, or its singular.
    fn occurs(&mut self, name: &str) -> bool {
        let singular = name.strip_suffix('s').filter(|it| it.len() > 2);
        self.has_exactly(name) || singular.is_some_and(|it| self.has_exactly(it))
    }

    fn has_exactly(&mut self, name: &str) -> bool {
        let mut whole = String::new();
        terms_of(name, &mut String::new(), |term, is_whole| {
            if is_whole {
                term.clone_into(&mut whole);
            }
        });
        let is_in_text = whole.is_empty()
            || self.snapshot.document_frequency(&whole) > 0
            || !self.snapshot.definitions(name).is_empty()
            || self.evidence.iter().any(|it| it.text.contains(name));
        is_in_text || self.path_parts().contains(name)
    }

    /// Names of files, with and without extension, and of directories.
    fn path_parts(&mut self) -> &FxHashSet<String> {
        let snapshot = self.snapshot;
        self.path_parts.get_or_insert_with(|| {
            let parts = snapshot.files().flat_map(|it| snapshot.path(it).split(['/', '.']));
            parts.map(str::to_owned).collect()
        })
    }

    /// What the last sentence with references refers to.
    fn cited_last(&mut self, prose: &Prose<'_>) -> Vec<Target> {
        let mut res = Vec::new();
        let last = prose.ends.last().copied().unwrap_or(0);
        let (before, after) = prose.items.split_at(prose.items.partition_point(|it| it.at < last));
        for items in [after, before] {
            for it in items {
                res.extend(resolve(&mut self.sources, &it.what));
            }
            if !res.is_empty() {
                break;
            }
        }
        res
    }
}

/// What a citation or a place refers to.
fn resolve(sources: &mut Sources<'_>, what: &What<'_>) -> Vec<Target> {
    match what {
        What::Citation(_, Some(it)) if is_index(sources.evidence, it) => Vec::new(),
        What::Citation(numbers, _) => numbers.iter().filter_map(|n| sources.piece(*n)).collect(),
        What::Place(path, lines) => {
            let (first, last) = lines.unwrap_or((1, u32::MAX));
            match sources.files(path)[..] {
                [file] => sources.lines(file, first, last).into_iter().collect(),
                _ => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

/// Whether brackets after a name are an index: the evidence has this code.
fn is_index(evidence: &[EvidenceItem], code: &str) -> bool {
    evidence.iter().any(|it| it.text.contains(code))
}

/// Whether a line has a mark like those of the check.
fn is_forged(text: &str) -> bool {
    let is_mark = |it: &str| it.split(']').next().is_some_and(|it| it.contains("verified"));
    text.contains(SIGN) || text.to_lowercase().split('[').skip(1).any(is_mark)
}

/// Whether an answer says that the evidence does not answer the question.
pub fn lacks_information(answer: &str) -> bool {
    let text = answer.to_lowercase();
    ["not enough information", "not enough evidence"].iter().any(|it| text.contains(it))
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
    let mark = Verifier::without_citations(answer, verifier.n_references());
    if let Some(mark) = mark.filter(|_| res.problems.is_empty()) {
        res.text.push_str(if res.text.ends_with('\n') { "" } else { "\n" });
        res.text.push_str(&mark);
        res.problems.push(Problem::NoCitation);
    }
    res
}
