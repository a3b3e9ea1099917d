//! The texts that an answer refers to: names and lines of a file by number, so that a claim about a piece of evidence or
//! about lines of a file is checked without another pass over the text.

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::types::EvidenceItem;
use crate::index::terms::hash_of;
use crate::index::{FileId, Snapshot};

/// Files that are read for one answer, at most; claims about others are not checked.
const MAX_FILES: usize = 64;

/// Bytes of a piece in which quotations are searched.
const MAX_QUOTED: usize = 64 << 10;

/// Definitions of one name that are looked up.
const MAX_DEFINITIONS: usize = 200;

/// Lines of a text, and the piece of evidence that they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Target {
    text: usize,
    pub(super) first: u32,
    pub(super) last: u32,
    /// The number in citations; 0 for a place that is named by its path.
    pub(super) n: u32,
}

impl Target {
    /// Other lines of the same text.
    pub(super) fn at(self, first: u32, last: u32) -> Self {
        Self { first, last, ..self }
    }

    /// Whether both are of one text.
    pub(super) fn is_of(self, other: Self) -> bool {
        self.text == other.text
    }
}

/// A text with its names and trimmed lines, by hash: the numbers of the lines that have them, ascending.
struct SourceText {
    file: Option<FileId>,
    text: String,
    first: u32,
    /// Where its lines begin.
    starts: Vec<usize>,
    names: FxHashMap<u64, Vec<u32>>,
    lines: FxHashMap<u64, Vec<u32>>,
}

/// The texts of one answer; read when they are first referred to.
pub(super) struct Sources<'v> {
    snapshot: &'v Snapshot,
    pub(super) evidence: &'v [EvidenceItem],
    texts: Vec<SourceText>,
    by_file: FxHashMap<FileId, usize>,
    pieces: FxHashMap<u32, Target>,
    /// Names in the path, the signature and the summary of pieces.
    also: FxHashMap<u32, FxHashSet<u64>>,
    squeezed: FxHashMap<(usize, u32, u32), String>,
    /// Files by their names without directories; read when first needed.
    named: Option<FxHashMap<&'v str, Vec<FileId>>>,
}

impl<'v> Sources<'v> {
    pub(super) fn new(snapshot: &'v Snapshot, evidence: &'v [EvidenceItem]) -> Self {
        let (texts, by_file) = (Vec::new(), FxHashMap::default());
        let (pieces, also) = (FxHashMap::default(), FxHashMap::default());
        let (squeezed, named) = (FxHashMap::default(), None);
        Self { snapshot, evidence, texts, by_file, pieces, also, squeezed, named }
    }

    /// The file with this path; or those whose paths end with it, since people omit leading directories.
    pub(super) fn files(&mut self, path: &str) -> Vec<FileId> {
        let (snapshot, path) = (self.snapshot, path.trim_start_matches("./"));
        if let Some(file) = snapshot.file(path) {
            return vec![file];
        }
        let name = |path: &'v str| path.rsplit('/').next().unwrap_or(path);
        let named = self.named.get_or_insert_with(|| {
            let mut res: FxHashMap<&str, Vec<FileId>> = FxHashMap::default();
            for file in snapshot.files() {
                res.entry(name(snapshot.path(file))).or_default().push(file);
            }
            res
        });
        let files = named.get(path.rsplit('/').next().unwrap_or(path));
        let ends = |it: &&FileId| {
            let before = snapshot.path(**it).strip_suffix(path);
            before.is_some_and(|it| it.ends_with('/'))
        };
        files.into_iter().flatten().filter(ends).copied().collect()
    }

    /// The piece of evidence with this number.
    pub(super) fn piece(&mut self, n: u32) -> Option<Target> {
        if let Some(it) = self.pieces.get(&n) {
            return Some(*it);
        }
        let it = self.evidence.get((n as usize).checked_sub(1)?)?;
        let (mut first, mut last) = (it.start_line, it.end_line);
        if it.extent.0 > 0 {
            (first, last) = (first.min(it.extent.0), last.max(it.extent.1));
        }
        let file = self.snapshot.file(&it.path).filter(|_| it.source.is_none());
        let text = match file {
            Some(file) => self.text_of(file)?,
            None => self.add(SourceText::new(None, it.text.clone(), it.start_line))?,
        };
        let res = Target { text, first, last, n };
        self.pieces.insert(n, res);
        let mut also = FxHashSet::default();
        for text in [&it.path, &it.symbol, &it.signature, &it.summary] {
            also.extend(tokens(text).map(hash_of));
        }
        self.also.insert(n, also);
        Some(res)
    }

    /// Lines of a file.
    pub(super) fn lines(&mut self, file: FileId, first: u32, last: u32) -> Option<Target> {
        Some(Target { text: self.text_of(file)?, first, last, n: 0 })
    }

    /// The texts of all evidence, whole.
    pub(super) fn all(&mut self) -> Vec<Target> {
        let pieces = (1..=self.evidence.len() as u32).filter_map(|n| self.piece(n));
        let mut res: Vec<Target> = Vec::new();
        for it in pieces.map(|it| Target { first: 0, last: u32::MAX, n: 0, ..it }) {
            if !res.contains(&it) {
                res.push(it);
            }
        }
        res
    }

    fn text_of(&mut self, file: FileId) -> Option<usize> {
        if let Some(at) = self.by_file.get(&file) {
            return Some(*at);
        }
        let at = self.add(SourceText::new(Some(file), self.snapshot.text(file).to_string(), 1))?;
        self.by_file.insert(file, at);
        Some(at)
    }

    fn add(&mut self, text: SourceText) -> Option<usize> {
        if self.texts.len() == MAX_FILES {
            return None;
        }
        self.texts.push(text);
        Some(self.texts.len() - 1)
    }

    /// Whether the lines have a name, or lie in a definition of that name, or the piece is described with it.
    pub(super) fn has_name(&self, target: Target, name: &str) -> bool {
        let singular = name.strip_suffix('s').filter(|it| it.len() > 2);
        self.has_exactly(target, name) || singular.is_some_and(|it| self.has_exactly(target, it))
    }

    fn has_exactly(&self, target: Target, name: &str) -> bool {
        let hash = hash_of(name);
        let is_described = self.also.get(&target.n).is_some_and(|it| it.contains(&hash));
        let source = &self.texts[target.text];
        is_described || any_within(source.names.get(&hash), target) || self.is_inside(target, name)
    }

    /// The same without the description of the piece.
    pub(super) fn has_name_at(&self, target: Target, name: &str) -> bool {
        self.has_name(Target { n: 0, ..target }, name)
    }

    /// Whether the text ends before these lines.
    pub(super) fn is_beyond(&self, target: Target) -> bool {
        let source = &self.texts[target.text];
        target.first.saturating_sub(source.first) as usize >= source.starts.len()
    }

    /// The place of a piece: `a/b.py:3-5`.
    pub(super) fn place_of(&self, n: u32) -> String {
        let it = (n as usize).checked_sub(1).and_then(|n| self.evidence.get(n));
        it.map(|it| format!("{}:{}-{}", it.path, it.start_line, it.end_line)).unwrap_or_default()
    }

    /// Whether the lines overlap a definition of this name.
    fn is_inside(&self, target: Target, name: &str) -> bool {
        let lines = self.definitions(target, name);
        lines.iter().any(|it| it.0 <= target.last && target.first <= it.1)
    }

    /// First and last lines of the definitions of this name in the text.
    fn definitions(&self, target: Target, name: &str) -> Vec<(u32, u32)> {
        let source = &self.texts[target.text];
        let Some(file) = source.file else { return Vec::new() };
        let sites = self.snapshot.definitions_up_to(name, MAX_DEFINITIONS).unwrap_or_default();
        let record = self.snapshot.record(file);
        let span = |it: u32| record.symbols.definitions.get(it as usize).map(|it| it.span);
        let spans = sites.iter().filter(|it| it.file == file).filter_map(|it| span(it.definition));
        let line = |at: u32| source.starts.partition_point(|it| *it <= at as usize) as u32;
        spans.map(|it| (line(it.start), line(it.end.saturating_sub(1)))).collect()
    }

    /// Whether other files define the name, and this one does not.
    pub(super) fn is_defined_elsewhere(&self, target: Target, name: &str) -> bool {
        let sites = self.snapshot.definitions_up_to(name, MAX_DEFINITIONS).unwrap_or_default();
        let file = self.texts[target.text].file;
        !sites.is_empty() && sites.iter().all(|it| Some(it.file) != file)
    }

    /// Whether one of the lines is this one, apart from white space at its ends.
    pub(super) fn has_line(&self, target: Target, line: &str) -> bool {
        any_within(self.texts[target.text].lines.get(&hash_of(line)), target)
    }

    /// Whether the lines have this text, compared by the characters that `keep` leaves.
    pub(super) fn has_text(&mut self, target: Target, text: &str, keep: Comparison) -> bool {
        let wanted = keep.of(text);
        let key = (target.text, target.first, target.last);
        if !self.squeezed.contains_key(&key) {
            if self.squeezed.len() == MAX_FILES {
                self.squeezed.clear();
            }
            let code = Comparison::Code.of(self.texts[target.text].slice(target));
            self.squeezed.insert(key, code);
        }
        let it = (target.n as usize).checked_sub(1).and_then(|n| self.evidence.get(n));
        let about = it.map(|it| format!("{}\n{}", it.signature, it.summary)).unwrap_or_default();
        let has = |text: &str| match keep {
            Comparison::Code => text.contains(&wanted),
            Comparison::Letters => Comparison::Letters.of(text).contains(&wanted),
        };
        self.squeezed.get(&key).is_some_and(|it| has(it)) || has(&Comparison::Code.of(&about))
    }
}

/// Characters by which texts are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparison {
    /// All but white space.
    Code,
    /// Letters and digits in lower case.
    Letters,
}

impl Comparison {
    fn of(self, text: &str) -> String {
        match self {
            Self::Code => text.chars().filter(|it| !it.is_whitespace()).collect(),
            Self::Letters => {
                let letters = text.chars().filter(|it| it.is_alphanumeric());
                letters.flat_map(char::to_lowercase).collect()
            }
        }
    }
}

impl SourceText {
    fn new(file: Option<FileId>, text: String, first: u32) -> Self {
        let mut names: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
        let mut lines: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
        let mut starts = Vec::new();
        for (n, line) in (first..).zip(text.lines()) {
            starts.push(line.as_ptr() as usize - text.as_ptr() as usize);
            lines.entry(hash_of(line.trim())).or_default().push(n);
            for name in tokens(line) {
                names.entry(hash_of(name)).or_default().push(n);
            }
        }
        Self { file, text, first, starts, names, lines }
    }

    fn slice(&self, target: Target) -> &str {
        let start = |line: u32| {
            let at = line.saturating_sub(self.first) as usize;
            self.starts.get(at).copied().unwrap_or(self.text.len())
        };
        let text = &self.text[start(target.first)..start(target.last.saturating_add(1))];
        &text[..text.floor_char_boundary(MAX_QUOTED)]
    }
}

fn any_within(lines: Option<&Vec<u32>>, target: Target) -> bool {
    let Some(lines) = lines else { return false };
    let from = lines.partition_point(|it| *it < target.first);
    lines.get(from).is_some_and(|it| *it <= target.last)
}

/// Names and numbers: runs of letters, digits and underscores.
pub(super) fn tokens(text: &str) -> impl Iterator<Item = &str> {
    text.split(|it: char| !it.is_alphanumeric() && it != '_').filter(|it| !it.is_empty())
}
