//! How a candidate stands to the cursor's file: where its file is, whether that is imported, how many candidates it has;
//! what the names around the hole have in common with it. These are inputs of the learned combiner alone, measured from
//! what the index has without reading records, and from the texts that [`likeness`](super::likeness) reads.

use foreword_chunk::Kind;
use rustc_hash::FxHashMap;

use crate::evidence::Feature;
use crate::fuse::Candidate;
use crate::index::{FileId, FileRole, Snapshot, file_role};
use crate::retrieve::HoleInputs;

/// Measures each candidate.
pub(super) fn measure(snapshot: &Snapshot, hole: &HoleInputs<'_>, candidates: &mut [Candidate]) {
    let path = hole.cursor.path();
    let language = hole.scope.language;
    let is_test = |path: &str, language| file_role(path, language) == FileRole::Test;
    let here = is_test(path, language);
    let mut n_hits: FxHashMap<FileId, u16> = FxHashMap::default();
    candidates.iter().for_each(|it| *n_hits.entry(it.chunk.file).or_default() += 1);
    let mut imported: Vec<FileId> =
        hole.scope.imports.iter().flat_map(|it| it.files.iter().copied()).collect();
    imported.sort_unstable();
    for it in candidates {
        let file = it.chunk.file;
        let (other, info) = (snapshot.path(file), snapshot.chunk(it.chunk));
        let flag = |is_so: bool| f32::from(u8::from(is_so));
        let age = hole.cursor.recent().iter().position(|it| it == other);
        let role = is_test(other, snapshot.language(file));
        let values = [
            (Feature::PathDistance, directories_between(path, other) as f32),
            (Feature::SameLanguage, flag(snapshot.language(file) == language)),
            (Feature::Lines, (info.end_line + 1).saturating_sub(info.start_line) as f32),
            (Feature::Callable, flag(info.kind.is_some_and(is_callable))),
            (Feature::TypeDefinition, flag(info.kind.is_some_and(is_type))),
            (Feature::FirstChunk, flag(it.chunk.idx == 0)),
            (Feature::FileHits, f32::from(n_hits[&file])),
            (Feature::Imported, flag(imported.binary_search(&file).is_ok())),
            (Feature::Recency, age.map_or(0.0, |it| 1.0 / (it as f32 + 1.0))),
            (Feature::SameRole, flag(role == here)),
            (Feature::CursorInTest, flag(here)),
            (Feature::NamedDefinitions, it.definitions.len() as f32),
        ];
        for (feature, value) in values {
            it.features.set(feature, value);
        }
    }
}

fn is_callable(kind: Kind) -> bool {
    matches!(kind, Kind::Function | Kind::Method | Kind::Constructor | Kind::Macro)
}

fn is_type(kind: Kind) -> bool {
    use Kind::{Class, Enum, Implementation, Interface, Type};
    matches!(kind, Class | Enum | Implementation | Interface | Type)
}

/// How many directories one goes up and down from one file to another.
fn directories_between(a: &str, b: &str) -> usize {
    let directories = |path: &str| path.matches('/').count();
    let common = a.split('/').zip(b.split('/')).take_while(|(a, b)| a == b).count();
    let common = common.min(directories(a)).min(directories(b));
    directories(a) + directories(b) - 2 * common
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_one_directory_are_next_to_each_other() {
        assert_eq!(directories_between("src/a.rs", "src/b.rs"), 0);
        assert_eq!(directories_between("src/a.rs", "src/a.rs"), 0);
        assert_eq!(directories_between("src/a.rs", "src/deep/b.rs"), 1);
        assert_eq!(directories_between("src/a/x.rs", "src/b/x.rs"), 2);
        assert_eq!(directories_between("a.rs", "src/b.rs"), 1);
    }
}
