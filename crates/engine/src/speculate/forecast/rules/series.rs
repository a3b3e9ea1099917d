//! The next element of a numbered series: `test_4` after `test_2` and `test_3`.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::super::draft::{Draft, cite_place};
use super::super::facts::{Facts, Place};
use super::super::view::{FileView, indentation, is_function};
use super::super::words::Rename;
use crate::speculate::{ForecastForm, ForecastKind};

/// A series has at least so many elements.
const LEAST: usize = 3;

/// Series by where they are and what is before the number: the numbers and the definitions.
type Series<'v> = BTreeMap<(Option<u32>, &'v str), Vec<(u32, u32)>>;

/// The next elements of the series of a file.
pub(in super::super) fn series<'s>(facts: &Facts<'s>, view: &Rc<FileView<'s>>) -> Vec<Draft> {
    let mut found: Series<'_> = BTreeMap::new();
    for (idx, it) in view.definitions().filter(|it| is_function(it.1.kind)) {
        if let Some((stem, number)) = numbered(view.name(idx)) {
            found.entry((it.parent, stem)).or_default().push((number, idx));
        }
    }
    found.into_iter().filter_map(|((_, stem), it)| next(facts, view, stem, it)).collect()
}

/// A name that ends in a number: what is before it, and the number.
fn numbered(name: &str) -> Option<(&str, u32)> {
    let stem = name.trim_end_matches(|it: char| it.is_ascii_digit());
    let number = &name[stem.len()..];
    (stem.len() > 1 && number.len() < 4).then_some(())?;
    Some((stem, number.parse().ok()?))
}

fn next<'s>(
    facts: &Facts<'s>,
    view: &Rc<FileView<'s>>,
    stem: &str,
    mut elements: Vec<(u32, u32)>,
) -> Option<Draft> {
    elements.sort_unstable();
    let (last, idx) = *elements.last()?;
    let run = elements.iter().rev().zip(0..).take_while(|(it, back)| it.0 + back == last).count();
    let width = view.name(idx).len() - stem.len();
    let name = format!("{stem}{:0width$}", last + 1);
    if run < LEAST || facts.is_defined(&name) {
        return None;
    }
    let place = Place { view: Rc::clone(view), idx };
    let lines = view.lines_of(idx);
    let indent = indentation(view.line(lines.start)).to_owned();
    let own = place.name().to_owned();
    let rename = Rename::new(&own, &name)?;
    let signature = view.of(view.definition(idx)?.signature).trim_end();
    let code = format!("{indent}{}", rename.apply(signature));
    Some(Draft {
        kind: ForecastKind::NextElement,
        form: ForecastForm::Signature,
        code,
        line: lines.end,
        evidence: vec![cite_place(&place, format!("{own} is the last of {run}"))],
        fit: run as f32 / (run as f32 + 2.0),
        name,
    })
}
