//! Tests and the functions that their names name.

use std::collections::BTreeMap;

use foreword_chunk::Kind;
use foreword_engine::index::terms::{identifiers, terms_of};
use foreword_engine::index::{FileRole, file_role};
use foreword_engine::source::Source;

use super::row::{PairKind, Row};
use super::units::Unit;

/// The functions of a source by the words of their names, and its tests.
#[derive(Default)]
pub(super) struct Tests {
    /// A name that several functions have tells none of them.
    functions: BTreeMap<Vec<String>, Option<Row>>,
    tests: Vec<Vec<String>>,
}

impl Tests {
    /// Notes a function or a test.
    pub(super) fn note(&mut self, unit: &Unit<'_>, file: &Source) {
        if !matches!(unit.kind, Kind::Function | Kind::Method) {
            return;
        }
        let words = words(unit.short_name);
        if file_role(&file.path, Some(unit.language)) == FileRole::Test {
            let is_test = words.first().is_some_and(|it| it == "test");
            if is_test && words.len() > 2 {
                self.tests.push(words[1..].to_vec());
            }
        } else if words.iter().map(String::len).sum::<usize>() >= 6 {
            let row = || Some(unit.row("", PairKind::Test, String::new()));
            self.functions.entry(words).and_modify(|it| *it = None).or_insert_with(row);
        }
    }

    /// Calls `found` with each test whose name holds more than that of one function.
    pub(super) fn pairs(self, source: &str, found: &mut dyn FnMut(Row)) {
        for test in &self.tests {
            let function =
                (1..test.len()).rev().find_map(|n| self.functions.get(&test[..n])?.as_ref());
            if let Some(row) = function {
                found(Row { source: source.to_owned(), text: test.join(" "), ..row.clone() });
            }
        }
    }
}

/// The words of a name, in lower case.
fn words(name: &str) -> Vec<String> {
    let (mut parts, mut whole, mut scratch) = (Vec::new(), None, String::new());
    identifiers(name, |start, end| {
        terms_of(&name[start..end], &mut scratch, |term, is_whole| match is_whole {
            true => whole = Some(term.to_owned()),
            false => parts.push(term.to_owned()),
        });
    });
    if parts.is_empty() { whole.into_iter().collect() } else { parts }
}
