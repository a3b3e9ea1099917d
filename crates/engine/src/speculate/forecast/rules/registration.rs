//! Lines that every sibling has where siblings are gathered: declarations of modules, exports, registrations, routes.
//!
//! Consecutive statements of one line that differ in one name are a list. If the names are files of one directory, or
//! definitions of one file or directory, those of its kind that the list does not have are likely to be added to it.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use foreword_chunk::{Kind, Language};

use super::super::draft::{Draft, cite, has_word};
use super::super::facts::{Facts, Place, directory, extension, family, stem};
use super::super::view::{FileView, is_function, is_type};
use super::super::words::{Rename, spellings, words};
use crate::index::terms::identifiers;
use crate::index::{FileId, FileRole, INDEX_STEMS};
use crate::speculate::{Citation, ForecastForm, ForecastKind};

/// A list has at least so many lines.
const LEAST: usize = 3;
/// And at least this share of what it could have.
const SHARE: f32 = 0.75;
/// What could have more is not read.
const MANY: usize = 200;

/// A list of lines that differ in one name.
struct List {
    /// What is written before the name in all lines: `Shape` of `Shape::Circle`.
    of: Option<String>,
    /// Whether the name is in a string.
    is_quoted: bool,
    /// Each line with the name in it.
    lines: Vec<(u32, String)>,
}

/// What the names of a list are.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Source {
    /// Files of a directory, by their extension.
    Files(String, String),
    /// Definitions of a file outside of types, by what they are.
    Definitions(FileId, Option<u32>, Shape),
}

/// Kinds of definitions that are gathered together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Shape {
    Type,
    Function,
    Constant,
}

/// The lines that the lists of a file lack.
pub(in super::super) fn registrations<'s>(
    facts: &Facts<'s>,
    view: &Rc<FileView<'s>>,
) -> Vec<Draft> {
    lists(view).iter().flat_map(|it| of_list(facts, view, it)).collect()
}

/// The lists of a file.
fn lists(view: &FileView<'_>) -> Vec<List> {
    let outline = &view.record.outline;
    if outline.is_empty() {
        return Vec::new();
    }
    let gathers = INDEX_STEMS.contains(&stem(view.path));
    let imports = view.record.symbols.imports.iter().map(|it| view.lines.lines_of(it.span));
    let imports: Vec<(u32, u32)> = imports.filter(|_| !gathers).collect();
    let is_import = |line: u32| imports.iter().any(|it| it.0 <= line && line <= it.1);
    let mut res = Vec::new();
    let mut run: Vec<u32> = Vec::new();
    let mut shape_of_run = (usize::MAX, String::new());
    for line in 1..=view.lines.count() + 1 {
        let text = view.line(line);
        let own = (outline.level(line as usize - 1), skeleton(text));
        let is_one = outline.begins_statement(line as usize - 1)
            && !text.trim().is_empty()
            && outline.statement_end(line as usize - 1) == line as usize
            && line <= view.lines.count()
            && !is_import(line);
        if is_one && own == shape_of_run {
            run.push(line);
            continue;
        }
        res.extend(list(view, &run));
        run.clear();
        if is_one {
            run.push(line);
            shape_of_run = own;
        } else {
            shape_of_run = (usize::MAX, String::new());
        }
    }
    res
}

/// A line with a sign in the place of each identifier.
fn skeleton(line: &str) -> String {
    let (mut res, mut end) = (String::new(), 0);
    identifiers(line, |start, stop| {
        res.push_str(&line[end..start]);
        res.push('\u{1}');
        end = stop;
    });
    res + &line[end..]
}

/// The list that some lines with one skeleton are, by the first name in which all of them differ.
fn list(view: &FileView<'_>, run: &[u32]) -> Option<List> {
    if run.len() < LEAST {
        return None;
    }
    let names: Vec<Vec<&str>> = run.iter().map(|it| identifiers_of(view.line(*it))).collect();
    let differs = |at: &usize| {
        let all: BTreeSet<&str> = names.iter().filter_map(|it| it.get(*at).copied()).collect();
        all.len() == run.len()
    };
    let at = (0..names[0].len()).find(differs)?;
    // What differs elsewhere must be another spelling of the name.
    let is_shared = |idx: usize| names.iter().all(|it| it[idx] == names[0][idx]);
    let holds = |outer: &[String], inner: &[String]| {
        !inner.is_empty() && outer.windows(inner.len()).any(|it| it == inner)
    };
    let is_derived = |names: &Vec<&str>| {
        let own = words(names[at]);
        let fits = |it: &str| holds(&words(it), &own) || holds(&own, &words(it));
        names.iter().enumerate().all(|(idx, it)| idx == at || is_shared(idx) || fits(it))
    };
    let derived = names.iter().filter(|it| is_derived(it)).count();
    let (first, start) = (view.line(run[0]), view.lines.start_of(run[0]));
    let place = place_of(first, at)?;
    (derived * 4 >= names.len() * 3).then(|| List {
        of: (at > 0 && first[..place].ends_with(['.', ':']) && is_shared(at - 1))
            .then(|| names[0][at - 1].to_owned()),
        is_quoted: view.is_prose((start + place) as u32),
        lines: run.iter().zip(&names).map(|(line, names)| (*line, names[at].to_owned())).collect(),
    })
}

/// Where the identifier `at` of a line begins.
fn place_of(line: &str, at: usize) -> Option<usize> {
    let mut starts = Vec::new();
    identifiers(line, |start, _| starts.push(start));
    starts.get(at).copied()
}

fn identifiers_of(line: &str) -> Vec<&str> {
    let mut res = Vec::new();
    identifiers(line, |start, stop| res.push(&line[start..stop]));
    res
}

fn of_list<'s>(facts: &Facts<'s>, view: &Rc<FileView<'s>>, list: &List) -> Vec<Draft> {
    let Some((source, named)) = source_of(facts, view, list) else { return Vec::new() };
    let all = elements(facts, view, &source);
    let is_named = |name: &str| {
        let own = words(name);
        list.lines.iter().any(|it| words(&it.1) == own)
    };
    let missing: Vec<&(String, Citation)> = all.iter().filter(|it| !is_named(&it.0)).collect();
    let share = (all.len() - missing.len()) as f32 / all.len().max(1) as f32;
    if share < SHARE || named < LEAST || all.len() > MANY {
        return Vec::new();
    }
    let is_elsewhere = |name: &str| {
        has_word(&view.text, name)
            || spellings(&words(name)).iter().any(|it| has_word(&view.text, it))
    };
    let new = missing.into_iter().filter(|it| !is_elsewhere(&it.0));
    new.filter_map(|(name, citation)| draft(view, list, name, citation, share)).collect()
}

/// What most names of a list are, and how many.
fn source_of(facts: &Facts<'_>, view: &FileView<'_>, list: &List) -> Option<(Source, usize)> {
    let mut counts: BTreeMap<Source, usize> = BTreeMap::new();
    let names = facts.snapshot.path_names();
    for (_, name) in &list.lines {
        let mut sources = BTreeSet::new();
        for spelling in spellings(&words(name)) {
            for file in names.of_stem(&spelling) {
                let path = facts.snapshot.path(*file);
                if *file != view.file && stem(path) == spelling {
                    sources.insert(Source::Files(directory(path).into(), extension(path).into()));
                }
            }
        }
        for site in facts.sites(name, view.language) {
            let Some(shape) = shape_of(site.kind) else { continue };
            if list.is_quoted {
                continue;
            }
            let of = facts.view(site.file);
            let parent = of.definition(site.definition).and_then(|it| it.parent);
            let fits = match (&list.of, parent) {
                (Some(wanted), Some(parent)) => wanted == "Self" || wanted == of.name(parent),
                (None, Some(_)) | (_, None) => true,
            };
            if fits && (site.file != view.file || parent.is_some()) {
                sources.insert(Source::Definitions(site.file, parent, shape));
            }
        }
        sources.into_iter().for_each(|it| *counts.entry(it).or_default() += 1);
    }
    let best = counts.into_iter().max_by_key(|it| (it.1, std::cmp::Reverse(it.0.clone())))?;
    (best.1 * 4 >= list.lines.len() * 3).then_some(best)
}

fn shape_of(kind: Kind) -> Option<Shape> {
    match kind {
        Kind::Constant => Some(Shape::Constant),
        it if is_type(it) && it != Kind::Implementation => Some(Shape::Type),
        it if is_function(it) => Some(Shape::Function),
        _ => None,
    }
}

/// All that a source has, with where it is.
fn elements(facts: &Facts<'_>, view: &FileView<'_>, source: &Source) -> Vec<(String, Citation)> {
    match source {
        Source::Files(of, ext) => {
            let prefix = if of.is_empty() { String::new() } else { format!("{of}/") };
            let files = facts.snapshot.files_under(&prefix).filter(|it| {
                let path = facts.snapshot.path(*it);
                directory(path) == of
                    && extension(path) == ext
                    && *it != view.file
                    && !INDEX_STEMS.contains(&stem(path))
                    && facts.snapshot.role(*it) != FileRole::Test
            });
            let element = |it: FileId| {
                let other = facts.view(it);
                let name = stem(other.path).to_owned();
                let citation = cite(&other, 1, format!("{name} is a file beside the others"));
                (name, citation)
            };
            files.take(MANY + 1).map(element).collect()
        }
        Source::Definitions(file, parent, shape) => {
            let other = facts.view(*file);
            if family(other.language) != family(view.language) {
                return Vec::new();
            }
            let all = other.children(*parent).filter(|it| shape_of(it.1.kind) == Some(*shape));
            let place = |idx| Place { view: Rc::clone(&other), idx };
            let visible = all.filter(|it| *file == view.file || is_visible(&other, it.0));
            let element = |idx: u32| {
                let it = place(idx);
                let citation = cite(
                    &it.view,
                    it.line(),
                    format!("{} is defined beside the others", it.name()),
                );
                (it.name().to_owned(), citation)
            };
            visible.take(MANY + 1).map(|it| element(it.0)).collect()
        }
    }
}

/// Whether a definition can be used in other files.
fn is_visible(view: &FileView<'_>, idx: u32) -> bool {
    let line = view.line(view.lines_of(idx).start);
    match view.language {
        Some(Language::Rust) => {
            line.contains("pub") || view.definition(idx).is_some_and(|it| it.parent.is_some())
        }
        Some(Language::JavaScript | Language::TypeScript | Language::Tsx) => {
            line.contains("export")
        }
        Some(Language::Python) => !view.name(idx).starts_with('_'),
        Some(Language::Go) => view.name(idx).starts_with(char::is_uppercase),
        _ => !line.contains("private"),
    }
}

/// The line for a name, like the one that would stand before it.
fn draft(
    view: &FileView<'_>,
    list: &List,
    name: &str,
    citation: &Citation,
    share: f32,
) -> Option<Draft> {
    let is_sorted =
        list.lines.windows(2).all(|it| it[0].1.to_lowercase() <= it[1].1.to_lowercase());
    let before =
        list.lines.iter().rev().find(|it| !is_sorted || it.1.to_lowercase() < name.to_lowercase());
    let (model, of) = before.or(list.lines.first())?;
    let rename = Rename::new(of, name)?;
    let line = if before.is_some() { model + 1 } else { *model };
    Some(Draft {
        kind: ForecastKind::Registration,
        form: ForecastForm::Code,
        name: name.to_owned(),
        code: rename.apply(view.line(*model)),
        line,
        evidence: vec![
            citation.clone(),
            cite(view, *model, format!("{} of its kind are here", list.lines.len())),
        ],
        fit: share,
    })
}
