//! Where a query word occurs: as a definition's name, in code, or only in docs, tests and comments.

use std::ops::ControlFlow;

use super::super::types::AskRequest;
use super::verdict::Occurrence;
use crate::index::{Field, FileId, FileRole, Frequencies, Snapshot};

/// Chunks with a form of the word that are looked at. The best occurrence comes long before.
const MAX_CHUNKS: usize = 20_000;

/// Returns the best occurrence of these terms in the files of the request.
pub(super) fn occurrence(
    snapshot: &Snapshot,
    request: &AskRequest<'_>,
    terms: &[String],
) -> Occurrence {
    let (mut best, mut left) = (Occurrence::Nowhere, MAX_CHUNKS);
    for it in terms {
        let _ = snapshot.each_occurrence(it, &mut |file, frequencies| {
            best = best.max(of_chunk(snapshot, request, file, frequencies));
            left = left.saturating_sub(1);
            match best == Occurrence::Definition || left == 0 {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
    }
    best
}

fn of_chunk(
    snapshot: &Snapshot,
    request: &AskRequest<'_>,
    file: FileId,
    frequencies: Frequencies,
) -> Occurrence {
    if request.keep.is_some_and(|keep| !keep(file)) {
        return Occurrence::Nowhere;
    }
    let is_code = matches!(snapshot.role(file), FileRole::Code | FileRole::Gathering);
    let has = |field: Field| frequencies[field as usize] > 0;
    match () {
        () if !is_code => Occurrence::Outside,
        () if has(Field::Symbols) => Occurrence::Definition,
        () if has(Field::Path) => Occurrence::Path,
        () if has(Field::Doc) => Occurrence::Doc,
        () => Occurrence::Body,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::IndexConfig;
    use crate::source::Source;

    #[test]
    fn a_word_stands_where_it_tells_most() {
        let source = |path: &str, text: &str| Source { path: path.into(), text: text.into() };
        let sources = vec![
            source(
                "shop/stock.py",
                "def take_item(name):\n    \"\"\"Off the shelf.\"\"\"\n    return apple(name)\n",
            ),
            source("tests/test_stock.py", "def test_pear():\n    assert pear\n"),
        ];
        let snapshot = Snapshot::of_sources(sources, IndexConfig::default()).unwrap();
        let check = |word: &str, expect: Occurrence| {
            let found = occurrence(&snapshot, &AskRequest::default(), &[word.to_owned()]);
            assert_eq!(found, expect, "{word}");
        };
        check("item", Occurrence::Definition);
        check("shop", Occurrence::Path);
        check("shelf", Occurrence::Doc);
        check("apple", Occurrence::Body);
        check("pear", Occurrence::Outside);
        check("plum", Occurrence::Nowhere);
    }
}
