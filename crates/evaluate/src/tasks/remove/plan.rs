//! Plans the removal of a function, mention by mention, and the resulting files.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use foreword_chunk::{Config, Definition, Symbols, analyze};
use foreword_engine::index::{FileId, FileRole, Snapshot, file_role};

use super::mentions::{self, FileView, Removal, cut, whole};
use crate::measures::coverage::code::code_of;
use crate::tasks::task::Edit;

// More removals no longer resemble the state before one function was written.
const MOST_DEFINITIONS: usize = 6;
const MOST_MENTIONS: usize = 24;
const MOST_LINES: usize = 150;

/// All texts of a snapshot, decompressed once.
pub(super) struct Texts<'s> {
    pub(super) snapshot: &'s Snapshot,
    texts: Vec<(FileId, Arc<str>)>,
}

impl<'s> Texts<'s> {
    pub(super) fn new(snapshot: &'s Snapshot) -> Self {
        let texts = snapshot.files().map(|it| (it, snapshot.text(it))).collect();
        Self { snapshot, texts }
    }

    /// The occurrences of `name` as a whole word.
    fn mentions(&self, name: &str) -> Vec<(FileId, usize)> {
        let of_file = |(file, text): &(FileId, Arc<str>)| {
            let file = *file;
            places(text, name).into_iter().map(move |at| (file, at)).collect::<Vec<_>>()
        };
        self.texts.iter().flat_map(of_file).collect()
    }
}

fn places(text: &str, word: &str) -> Vec<usize> {
    let is_word = |it: char| it.is_alphanumeric() || it == '_';
    let is_whole = |at: &usize| {
        !text[..*at].chars().next_back().is_some_and(is_word)
            && !text[at + word.len()..].chars().next().is_some_and(is_word)
    };
    text.match_indices(word).map(|it| it.0).filter(is_whole).collect()
}

/// The cuts that remove a function.
pub(super) struct Plan {
    /// Sorted, disjoint cuts by file.
    cuts: BTreeMap<FileId, Vec<Range<usize>>>,
    /// The changed files after the cuts.
    pub(super) texts: BTreeMap<FileId, String>,
    /// Names of other removed definitions.
    pub(super) also_removed: Vec<String>,
    /// Number of removed further mentions.
    pub(super) mentions: usize,
}

impl Plan {
    /// Plans the removal of a definition, or returns the reason why it cannot be removed.
    pub(super) fn new(
        texts: &Texts<'_>,
        file: FileId,
        definition: u32,
    ) -> Result<Self, &'static str> {
        let mut res = Self {
            cuts: BTreeMap::new(),
            texts: BTreeMap::new(),
            also_removed: Vec::new(),
            mentions: 0,
        };
        let mut work = vec![(file, definition)];
        let mut known = BTreeSet::from([(file, definition)]);
        while let Some((file, definition)) = work.pop() {
            let name = res.remove_definition(texts.snapshot, file, definition)?;
            for (file, at) in texts.mentions(&name) {
                if let Some(next) = res.remove_mention(texts.snapshot, file, at, name.len())? {
                    let is_new = known.insert((file, next));
                    work.extend(is_new.then_some((file, next)));
                }
            }
            if known.len() > MOST_DEFINITIONS || res.mentions > MOST_MENTIONS {
                return Err("too much depends on it");
            }
        }
        res.also_removed.remove(0);
        if res.lines(texts.snapshot) > MOST_LINES {
            return Err("too much depends on it");
        }
        res.apply(texts.snapshot)?;
        res.check(texts, file, definition)?;
        Ok(res)
    }

    fn remove_definition(
        &mut self,
        snapshot: &Snapshot,
        file: FileId,
        definition: u32,
    ) -> Result<String, &'static str> {
        let (text, record) = snapshot.contents(file);
        let it = &record.symbols.definitions[definition as usize];
        let name = it.name.of(&text).to_owned();
        // Nothing calls a test, even where other definitions share its name.
        let is_test = is_test(snapshot, file) || mentions::is_test(&text, it);
        if !is_test && snapshot.definitions(&name).len() > 1 {
            return Err("a caller shares its name with others");
        }
        self.cut(file, whole(&text, it));
        self.also_removed.push(name.clone());
        Ok(name)
    }

    /// Removes a mention, or returns the definition that must be removed with it.
    fn remove_mention(
        &mut self,
        snapshot: &Snapshot,
        file: FileId,
        at: usize,
        len: usize,
    ) -> Result<Option<u32>, &'static str> {
        if self.cuts.get(&file).is_some_and(|cuts| cuts.iter().any(|it| it.contains(&at))) {
            return Ok(None);
        }
        let (text, record) = snapshot.contents(file);
        let code = code_of("", &text, record.language);
        let prior = file_role(snapshot.path(file), record.language);
        let place = FileView {
            text: &text,
            code: &code,
            symbols: &record.symbols,
            is_test: is_test(snapshot, file),
            is_prose: matches!(prior, FileRole::Prose | FileRole::Data),
        };
        self.mentions += 1;
        match cut(&place, at, len)? {
            Removal::Definition(idx) => Ok(Some(idx)),
            Removal::Bytes(bytes) => {
                self.cut(file, bytes);
                Ok(None)
            }
        }
    }

    fn cut(&mut self, file: FileId, bytes: Range<usize>) {
        let cuts = self.cuts.entry(file).or_default();
        cuts.push(bytes);
        cuts.sort_by_key(|it| it.start);
        let mut joined: Vec<Range<usize>> = Vec::new();
        for it in cuts.drain(..) {
            match joined.last_mut().filter(|last| it.start < last.end) {
                Some(last) => last.end = last.end.max(it.end),
                None => joined.push(it),
            }
        }
        *cuts = joined;
    }

    fn lines(&self, snapshot: &Snapshot) -> usize {
        let of_file = |(file, cuts): (&FileId, &Vec<Range<usize>>)| -> usize {
            let text = snapshot.text(*file);
            cuts.iter().map(|it| text[it.clone()].lines().count()).sum()
        };
        self.cuts.iter().map(of_file).sum()
    }

    /// The offset of a byte of a file after the cuts.
    pub(super) fn place(&self, file: FileId, at: usize) -> usize {
        let before = |it: &Range<usize>| it.end.min(at) - it.start.min(at);
        at - self.cuts.get(&file).map_or(0, |cuts| cuts.iter().map(before).sum())
    }

    fn apply(&mut self, snapshot: &Snapshot) -> Result<(), &'static str> {
        for (file, cuts) in &self.cuts {
            let text = snapshot.text(*file);
            let (mut left, mut from) = (String::new(), 0);
            for it in cuts {
                left.push_str(&text[from..it.start]);
                from = it.end;
            }
            left.push_str(&text[from..]);
            structure_holds(snapshot, *file, cuts, &left)?;
            self.texts.insert(*file, left);
        }
        Ok(())
    }

    /// Checks that no file still mentions the name.
    fn check(&self, texts: &Texts<'_>, file: FileId, definition: u32) -> Result<(), &'static str> {
        let snapshot = texts.snapshot;
        let (text, record) = snapshot.contents(file);
        let name = record.symbols.definitions[definition as usize].name.of(&text);
        let is_left = |(file, text): &(FileId, Arc<str>)| {
            let now = self.texts.get(file).map_or(text.as_ref(), String::as_str);
            !places(now, name).is_empty()
        };
        if texts.texts.iter().any(is_left) { Err("a mention is left") } else { Ok(()) }
    }

    pub(super) fn edits(&self, snapshot: &Snapshot) -> Vec<Edit> {
        let edit = |(file, text): (&FileId, &String)| Edit {
            path: snapshot.path(*file).to_owned(),
            text: Some(text.clone()),
        };
        self.texts.iter().map(edit).collect()
    }
}

fn is_test(snapshot: &Snapshot, file: FileId) -> bool {
    snapshot.role(file) == FileRole::Test
}

/// Checks that a file lost exactly the cut definitions, and that no body became empty.
fn structure_holds(
    snapshot: &Snapshot,
    file: FileId,
    cuts: &[Range<usize>],
    left: &str,
) -> Result<(), &'static str> {
    let record = snapshot.record(file);
    let Some(language) = record.language.filter(|_| record.outcome.is_parsed()) else {
        return Ok(());
    };
    let is_cut = |at: u32| cuts.iter().any(|it| it.contains(&(at as usize)));
    let kept = record.symbols.definitions.iter().filter(|it| !is_cut(it.name.start)).count();
    let now: Symbols = analyze(left.as_bytes(), Some(language), &Config::default()).symbols;
    if now.definitions.len() != kept {
        return Err("the structure of a file would not hold");
    }
    let is_empty = |it: &Definition, text: &str| {
        let body = it.body.map_or("", |body| body.of(text));
        let bare = code_of("", body, Some(language));
        it.body.is_some()
            && bare.trim_matches(|it: char| it.is_whitespace() || "{}".contains(it)).is_empty()
    };
    let n_empty = |symbols: &Symbols, text: &str| {
        symbols.definitions.iter().filter(|it| is_empty(it, text)).count()
    };
    let before = n_empty(&record.symbols, &snapshot.text(file));
    if n_empty(&now, left) > before { Err("something would be left empty") } else { Ok(()) }
}
