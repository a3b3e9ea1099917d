//! Where a word of a question stands in the repository: a word that names a definition of its code is what the code is about,
//! one that only a document, a test or a comment has may be mentioned in passing.

use std::ops::ControlFlow;

use super::super::types::AskRequest;
use crate::index::{Field, FileId, FileRole, Frequencies, Snapshot};

/// The most telling place in which a word stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// No file has it.
    #[default]
    Nowhere,
    /// Tests, documents, examples, data or other projects' code have it.
    Outside,
    /// The code has it, in a line or a plain comment.
    Body,
    /// The documentation of a definition of the code has it.
    Doc,
    /// A path of the code, or the name of a definition around it.
    Path,
    /// A definition of the code is called by it, or by a name that has it as a part.
    Definition,
}

impl Standing {
    /// Its name in one word, for programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nowhere => "nowhere",
            Self::Outside => "outside",
            Self::Body => "body",
            Self::Doc => "doc",
            Self::Path => "path",
            Self::Definition => "definition",
        }
    }
}

/// How many chunks that have a form of the word are looked at. What a repository is about is found long before.
const CHUNKS: usize = 20_000;

/// Where any of these terms stands in the files that are asked about.
pub(super) fn standing(
    snapshot: &Snapshot,
    request: &AskRequest<'_>,
    terms: &[String],
) -> Standing {
    let (mut best, mut left) = (Standing::Nowhere, CHUNKS);
    for it in terms {
        let _ = snapshot.each_occurrence(it, &mut |file, frequencies| {
            best = best.max(of_chunk(snapshot, request, file, frequencies));
            left = left.saturating_sub(1);
            match best == Standing::Definition || left == 0 {
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
) -> Standing {
    if request.keep.is_some_and(|keep| !keep(file)) {
        return Standing::Nowhere;
    }
    let is_code = matches!(snapshot.role(file), FileRole::Code | FileRole::Gathering);
    let has = |field: Field| frequencies[field as usize] > 0;
    match () {
        () if !is_code => Standing::Outside,
        () if has(Field::Symbols) => Standing::Definition,
        () if has(Field::Path) => Standing::Path,
        () if has(Field::Doc) => Standing::Doc,
        () => Standing::Body,
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
        let check = |word: &str, expect: Standing| {
            let found = standing(&snapshot, &AskRequest::default(), &[word.to_owned()]);
            assert_eq!(found, expect, "{word}");
        };
        check("item", Standing::Definition);
        check("shop", Standing::Path);
        check("shelf", Standing::Doc);
        check("apple", Standing::Body);
        check("pear", Standing::Outside);
        check("plum", Standing::Nowhere);
    }
}
