//! Tests of functions whose neighbours have tests that are named after them.

use std::rc::Rc;

use foreword_chunk::Language;

use super::super::draft::{Draft, cite_place, has_word, like, parameters_in};
use super::super::facts::{Facts, Place, extension, stem};
use super::super::view::{FileView, indentation, is_function};
use super::super::words::{Rename, spellings, words};
use crate::index::{FileId, FileRole};
use crate::speculate::{ForecastForm, ForecastKind};

/// At least so many functions must have a test…
const LEAST: usize = 3;
/// …and this share of all.
const SHARE: f32 = 0.6;

/// The tests that a file lacks, if it is a file of tests of one other file.
pub(in super::super) fn tests_of<'s>(facts: &Facts<'s>, view: &Rc<FileView<'s>>) -> Vec<Draft> {
    if facts.snapshot.role(view.file) != FileRole::Test {
        return Vec::new();
    }
    let Some(subject) = subject_of(facts, view) else { return Vec::new() };
    let subject = facts.view(subject);
    let tests: Vec<u32> = view
        .definitions()
        .filter(|it| is_function(it.1.kind) && is_test(view.name(it.0)))
        .map(|it| it.0)
        .collect();
    let test_of = |name: &str| -> Option<u32> {
        let wanted = words(name);
        let named = |it: &&u32| {
            let own = subject_words(view.name(**it));
            !wanted.is_empty() && own == wanted
        };
        tests.iter().find(named).copied()
    };
    let functions: Vec<(u32, Option<u32>)> = subject
        .definitions()
        .filter(|it| is_function(it.1.kind) && is_public(&subject, it.0))
        .map(|it| (it.0, test_of(subject.name(it.0))))
        .collect();
    let n_tested = functions.iter().filter(|it| it.1.is_some()).count();
    let share = n_tested as f32 / functions.len().max(1) as f32;
    if n_tested < LEAST || share < SHARE {
        return Vec::new();
    }
    let missing = functions.iter().enumerate().filter(|it| it.1.1.is_none());
    let draft = |(at, (idx, _)): (usize, &(u32, Option<u32>))| {
        let near = functions.iter().enumerate().filter_map(|(it, of)| Some((it, of.0, of.1?)));
        let (_, function, test) = near.min_by_key(|it| it.0.abs_diff(at))?;
        let wanted = Place { view: Rc::clone(&subject), idx: *idx };
        // Some test may well be of this function, though it is not named so.
        let is_mentioned = has_word(&view.text, wanted.name());
        (!is_mentioned).then_some(())?;
        of_function(facts, view, &wanted, (function, test), share)
    };
    missing.filter_map(draft).collect()
}

/// The only file that a file of tests is named after.
fn subject_of(facts: &Facts<'_>, view: &FileView<'_>) -> Option<FileId> {
    let own = stem(view.path);
    let bare = ["test_", "Test"].iter().find_map(|it| own.strip_prefix(it));
    let bare = bare.or_else(|| {
        ["_test", "_tests", "Tests", "Test", "_spec", "Spec"]
            .iter()
            .find_map(|it| own.strip_suffix(it))
    })?;
    let names = facts.snapshot.path_names();
    let mut found: Vec<FileId> = names.of_stem(bare).to_vec();
    found.retain(|it| {
        let path = facts.snapshot.path(*it);
        facts.snapshot.role(*it) != FileRole::Test && extension(path) == extension(view.path)
    });
    (found.len() == 1).then(|| found[0])
}

fn is_test(name: &str) -> bool {
    name.starts_with("test") || name.starts_with("Test") || name.ends_with("Test")
}

/// The words of a test's name without those that say that it is one.
fn subject_words(test: &str) -> Vec<String> {
    let mut res = words(test);
    res.retain(|it| it != "test" && it != "tests");
    res
}

fn is_public(view: &FileView<'_>, idx: u32) -> bool {
    let name = view.name(idx);
    let head = view.definition(idx).map_or("", |it| view.of(it.signature));
    match view.language {
        Some(Language::Python) => !name.starts_with('_'),
        Some(Language::Go) => name.starts_with(char::is_uppercase),
        Some(Language::Rust) => head.starts_with("pub"),
        _ => !head.contains("private"),
    }
}

fn of_function<'s>(
    facts: &Facts<'s>,
    view: &Rc<FileView<'s>>,
    wanted: &Place<'s>,
    (function, test): (u32, u32),
    share: f32,
) -> Option<Draft> {
    let subject = &wanted.view;
    let model = Place { view: Rc::clone(view), idx: test };
    let rename = Rename::new(subject.name(function), wanted.name())?;
    let name = rename.identifier(model.name());
    if name == model.name() || spellings(&words(&name)).iter().any(|it| facts.is_defined(it)) {
        return None;
    }
    let lines = view.lines_of(test);
    let indent = indentation(view.line(lines.start)).to_owned();
    let signature = |idx: u32| subject.definition(idx).map(|it| subject.of(it.signature));
    let (own, other) = (signature(wanted.idx)?, signature(function)?);
    let takes_the_same = parameters_in(&rename.apply(other)) == parameters_in(own);
    let code = like(&model, std::slice::from_ref(&rename), &indent).filter(|_| takes_the_same);
    let form = if code.is_some() { ForecastForm::Code } else { ForecastForm::Signature };
    let signature = rename.apply(view.of(view.definition(test)?.signature));
    let code = code.unwrap_or_else(|| format!("{indent}{}", signature.trim_end()));
    let function = subject.name(function);
    Some(Draft {
        kind: ForecastKind::MissingTest,
        form,
        code,
        line: lines.end,
        evidence: vec![
            cite_place(wanted, format!("{} has no test", wanted.name())),
            cite_place(&model, format!("{function} has one")),
        ],
        fit: share,
        name,
    })
}
