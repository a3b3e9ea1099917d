//! Whether a sentence holds of what it cites: its names occur there, its quotations are there, its lines are those.
//!
//! References divide a sentence. The names between two of them belong to either; those after the last one to it.

use rustc_hash::FxHashSet;

use super::references::{Item, Prose, Shape, What};
use super::sources::{Comparison, Sources, Target};
use super::{MAX_PROBLEMS, Problem, resolve};

/// Words of programming languages, which need not be written where their meaning is.
pub(super) const LANGUAGE: [&str; 48] = [
    "None",
    "True",
    "False",
    "null",
    "nil",
    "NULL",
    "true",
    "false",
    "undefined",
    "self",
    "this",
    "void",
    "int",
    "str",
    "string",
    "bool",
    "boolean",
    "float",
    "double",
    "number",
    "char",
    "byte",
    "bytes",
    "dict",
    "list",
    "array",
    "tuple",
    "set",
    "map",
    "object",
    "String",
    "Object",
    "Array",
    "func",
    "function",
    "def",
    "class",
    "struct",
    "enum",
    "trait",
    "interface",
    "return",
    "async",
    "await",
    "import",
    "static",
    "const",
    "public",
];

/// Quotations and pieces of code that are searched for one line, at most.
const MAX_QUOTATIONS: usize = 16;

/// Checks the sentences of a line.
pub(super) struct Claims<'c, 'v> {
    pub(super) sources: &'c mut Sources<'v>,
    /// Names that an earlier citation had.
    pub(super) known: &'c mut FxHashSet<String>,
    pub(super) problems: &'c mut Vec<Problem>,
    /// Whether the sentence says that something is defined.
    pub(super) defines: bool,
}

/// An item, and what it refers to.
type Reference<'i, 't> = (&'i Item<'t>, Vec<Target>);

impl Claims<'_, '_> {
    /// Checks each sentence of a line.
    pub(super) fn check(&mut self, line: &str, prose: &Prose<'_>) {
        let (mut from, mut quotations) = (0, 0);
        let mut left = &prose.items[..];
        for end in prose.ends.iter().copied().chain([line.len()]) {
            let (items, rest) = left.split_at(left.partition_point(|it| it.at < end));
            left = rest;
            let resolved = items.iter().map(|it| (it, resolve(self.sources, &it.what)));
            let found: Vec<Reference<'_, '_>> = resolved.collect();
            if found.iter().any(|it| !it.1.is_empty()) {
                self.defines = ["defin", "declar"].iter().any(|it| line[from..end].contains(it));
                self.sentence(line, &found, &mut quotations);
            }
            from = end;
        }
    }

    fn sentence(&mut self, line: &str, items: &[Reference<'_, '_>], quotations: &mut usize) {
        let is_reference =
            |it: &Reference<'_, '_>| matches!(it.0.what, What::Citation(..) | What::Place(..));
        self.mentioned_lines(items);
        let parts: Vec<&[Reference<'_, '_>]> =
            items.chunk_by(|a, b| is_reference(a) == is_reference(b)).collect();
        for (at, part) in parts.iter().enumerate() {
            let beside =
                |at: Option<usize>| at.and_then(|it| parts.get(it)).copied().unwrap_or(&[]);
            let (before, after) = (beside(at.checked_sub(1)), beside(Some(at + 1)));
            if part.first().is_some_and(is_reference) {
                self.same_place(line, part);
                let names = if before.is_empty() { after } else { before };
                self.places(part, names);
            } else {
                let cited: Vec<&Reference<'_, '_>> = before.iter().chain(after).collect();
                self.cited(part, &cited, quotations);
            }
        }
    }

    /// Names and quotations must be in what is cited beside them.
    fn cited(
        &mut self,
        items: &[Reference<'_, '_>],
        cited: &[&Reference<'_, '_>],
        quotations: &mut usize,
    ) {
        let targets: Vec<Target> = cited.iter().flat_map(|it| it.1.iter().copied()).collect();
        if !targets.iter().any(|it| it.n > 0) {
            return;
        }
        let place = named(&targets);
        let names = items.iter().filter_map(|it| match it.0.what {
            What::Name(name, _) if !LANGUAGE.contains(&name) => Some(name),
            _ => None,
        });
        let (present, missing): (Vec<&str>, Vec<&str>) =
            names.partition(|it| targets.iter().any(|target| self.sources.has_name(*target, it)));
        for name in missing {
            let is_context = self.known.contains(name) && !present.is_empty();
            let is_new = !self.problems.contains(&Problem::NoSuchName(name.to_owned()));
            if !is_context && is_new {
                self.push(Problem::NotThere(name.to_owned(), place.clone()));
            }
        }
        self.known.extend(present.into_iter().map(str::to_owned));
        for (it, _) in items {
            let (text, keep, what) = match it.what {
                What::Code(code) => (code, Comparison::Code, "this code"),
                What::Quotation(text) => (text, Comparison::Letters, "the quotation"),
                _ => continue,
            };
            *quotations += 1;
            if *quotations <= MAX_QUOTATIONS && !self.has_parts(&targets, text, keep) {
                self.push(Problem::NotThere(what.to_owned(), place.clone()));
            }
        }
    }

    /// Whether a target has the text; `...` may stand for a part of it.
    fn has_parts(&mut self, targets: &[Target], text: &str, keep: Comparison) -> bool {
        let has = |sources: &mut Sources<'_>, text: &str| {
            targets.iter().any(|it| sources.has_text(*it, text, keep))
        };
        let mut parts = text.split("...").flat_map(|it| it.split('…'));
        has(self.sources, text) || parts.all(|it| has(self.sources, it))
    }

    /// Lines of a path must have one of the names beside it, and the file must define them where that is said.
    fn places(&mut self, references: &[Reference<'_, '_>], names: &[Reference<'_, '_>]) {
        let names = names.iter().filter_map(|it| match it.0.what {
            What::Name(name, shape) if shape != Shape::Capitalised => Some(name),
            _ => None,
        });
        let names: Vec<&str> = names.filter(|it| !LANGUAGE.contains(it)).collect();
        let Some(last) = names.last() else { return };
        for (it, targets) in references {
            let (What::Place(..), [target]) = (&it.what, &targets[..]) else { continue };
            if self.sources.is_beyond(*target) {
                continue;
            }
            let has = |name: &&&str| self.sources.has_name(*target, name);
            let is_elsewhere = |name: &&str| self.sources.is_defined_elsewhere(*target, name);
            match names.iter().any(|it| has(&it)) {
                true if !(self.defines && names.iter().all(is_elsewhere)) => {
                    let known: Vec<String> =
                        names.iter().filter(has).map(|it| (*it).to_owned()).collect();
                    self.known.extend(known);
                }
                _ => self.push(Problem::NotThere((*last).to_owned(), written(&it.what))),
            }
        }
    }

    /// A path beside a number must be the place with that number: `a/b.py:3-5 [1]`.
    fn same_place(&mut self, line: &str, references: &[Reference<'_, '_>]) {
        for pair in references.windows(2) {
            let between = line.get(pair[0].0.end..pair[1].0.at).unwrap_or("x");
            let is_one = between.chars().all(|it| it.is_whitespace() || "()[]:–-—`=*".contains(it));
            let (place, pieces) = match (&pair[0].0.what, &pair[1].0.what) {
                (What::Place(..), What::Citation(..)) => (&pair[0], &pair[1].1),
                (What::Citation(..), What::Place(..)) => (&pair[1], &pair[0].1),
                _ => continue,
            };
            let ([target], [piece, ..]) = (&place.1[..], &pieces[..]) else { continue };
            let is_same = |it: &Target| {
                let overlaps = it.first <= target.last && target.first <= it.last;
                target.is_of(*it) && overlaps
            };
            let name = written(&place.0.what);
            let path = name.split(':').next().unwrap_or(&name);
            let file = path.rsplit('/').next().unwrap_or(path);
            let is_mentioned = name == path
                && pieces.iter().any(|it| self.sources.has_text(*it, file, Comparison::Code));
            if is_one && !pieces.iter().any(is_same) && !is_mentioned {
                let shown = self.sources.place_of(piece.n);
                self.push(Problem::WrongPlace(piece.n, shown));
            }
        }
    }

    /// `line 3` must be a line of what the sentence cites, and have one of the names before it.
    fn mentioned_lines(&mut self, items: &[Reference<'_, '_>]) {
        let targets: Vec<Target> = items.iter().flat_map(|it| it.1.iter().copied()).collect();
        for (at, (it, _)) in items.iter().enumerate() {
            let What::Lines(first, last) = it.what else { continue };
            let within = |it: &&Target| it.first <= first && last <= it.last;
            let inside: Vec<Target> =
                targets.iter().filter(within).map(|it| it.at(first, last)).collect();
            let names = items[..at].iter().filter_map(|it| match it.0.what {
                What::Name(name, Shape::Name) => Some(name),
                _ => None,
            });
            let mut names = names.peekable();
            let has = |name: &str| inside.iter().any(|it| self.sources.has_name_at(*it, name));
            let is_there = names.peek().is_none() || names.any(has);
            if inside.is_empty() {
                self.push(Problem::NotThere(written(&it.what), named(&targets)));
            } else if !is_there {
                self.push(Problem::NotThere("this".to_owned(), written(&it.what)));
            }
        }
    }

    fn push(&mut self, problem: Problem) {
        if self.problems.len() < MAX_PROBLEMS && !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }
}

/// The numbers of pieces: `[1] and [2]`.
pub(super) fn named(targets: &[Target]) -> String {
    let mut numbers: Vec<u32> = targets.iter().map(|it| it.n).filter(|it| *it > 0).collect();
    numbers.dedup();
    let numbers: Vec<String> = numbers.iter().map(|it| format!("[{it}]")).collect();
    if numbers.is_empty() { "the named file".to_owned() } else { numbers.join(" or ") }
}

/// A place as written: `a/b.py:3-5`, `line 3`.
fn written(what: &What<'_>) -> String {
    let lines = |(first, last): (u32, u32)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    match what {
        What::Place(path, Some(it)) => format!("{path}:{}", lines(*it)),
        What::Place(path, None) => (*path).to_owned(),
        What::Lines(first, last) if first == last => format!("line {first}"),
        What::Lines(first, last) => format!("lines {}", lines((*first, *last))),
        _ => String::new(),
    }
}
