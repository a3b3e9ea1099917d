//! Questions that are answered by what they mean, with a small table.

use crate::dense::{TermTable, small_table};
use crate::index::{Change, IndexConfig, Snapshot};
use crate::pipeline::{Control, Request, rank};
use crate::preset;
use crate::retrieve::{Meanings, Question};
use crate::source::Source;

fn source(path: &str, text: &str) -> Source {
    Source { path: path.into(), text: text.into() }
}

fn sources() -> Vec<Source> {
    vec![
        source("a.py", "def parse(it):\n    return it\n"),
        source("b.py", "def draw(it):\n    return it\n"),
    ]
}

/// The files found for a question by what it means, with the reason of each.
fn found(snapshot: &Snapshot, text: &str) -> Vec<(String, String)> {
    let table = TermTable::new(&small_table()).unwrap();
    let question = Question { meanings: Some(Meanings::Table(&table)), ..Question::new(text) };
    let mut preset = preset::search();
    preset.fuse.weights[crate::evidence::Signal::Dense] = 1.0;
    let request = Request::Question { snapshot, question: &question };
    let ranking = rank(&request, &preset, &mut Control::default());
    let of = |it: &crate::fuse::Candidate| {
        (snapshot.path(it.chunk.file).to_owned(), it.reasons[0].to_string())
    };
    ranking.candidates.iter().map(of).collect()
}

#[test]
fn a_chunk_is_found_that_has_no_word_of_the_question() {
    let snapshot = Snapshot::of_sources(sources(), IndexConfig::default()).unwrap();
    let found = found(&snapshot, "read all of that");
    assert_eq!(found, [("a.py".to_owned(), "means the same 1.00".to_owned())]);
}

#[test]
fn a_name_is_not_looked_for_by_its_meaning() {
    let snapshot = Snapshot::of_sources(sources(), IndexConfig::default()).unwrap();
    assert_eq!(found(&snapshot, "read"), []);
}

#[test]
fn an_index_made_in_steps_finds_the_same() {
    let at_once = Snapshot::of_sources(sources(), IndexConfig::default()).unwrap();
    let mut in_steps = Snapshot::empty(IndexConfig::default());
    for it in sources().into_iter().rev() {
        in_steps = in_steps.with_changes(vec![Change::Write(it)]).unwrap();
    }
    let question = "read all of that";
    assert_eq!(found(&in_steps, question), found(&at_once, question));
}
