//! The engine's promises, tested from outside.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod answers;
mod damage;
mod imports;
mod incremental;
mod next;
mod next_text;
mod partial;
mod partial_grep;
mod pipeline;
mod prompts;
mod refactors;
mod secrets;
mod store;
mod tidy;
mod titles;
mod written;

use foreword_engine::index::{IndexConfig, Snapshot};
use foreword_engine::source::Source;

/// A snapshot of files written as `//- path` headers with their text below.
fn snapshot(fixture: &str) -> Snapshot {
    Snapshot::of_sources(sources(fixture), IndexConfig::default()).unwrap()
}

fn sources(fixture: &str) -> Vec<Source> {
    let mut res: Vec<Source> = Vec::new();
    for line in fixture.trim_start_matches('\n').split_inclusive('\n') {
        match (line.strip_prefix("//- "), res.last_mut()) {
            (Some(path), _) => {
                res.push(Source { path: path.trim().to_owned(), text: String::new() });
            }
            (None, Some(last)) => last.text.push_str(line),
            (None, None) => panic!("a fixture begins with `//- path`"),
        }
    }
    res
}

fn source(path: &str, text: &str) -> Source {
    Source { path: path.to_owned(), text: text.to_owned() }
}

/// Estimates tokens as the tests need: four bytes each.
fn count(text: &str) -> usize {
    text.len().div_ceil(4)
}
