//! Heads of similar files, for a cursor in the head of a file: their imports and what precedes the code are likely
//! next. Definitions of names that are already imported are not.

use crate::sorting::sort_by;
use foreword_chunk::Import;
use rustc_hash::{FxHashMap, FxHashSet};

use super::inputs::{HoleInputs, Inputs};
use super::list::Hit;
use crate::evidence::Reason;
use crate::index::terms::identifiers;
use crate::index::{ChunkId, FileId, FileRecord, Snapshot};
use crate::preset::constants::retrieve::{
    ANY_HEAD, HALF_OF_MISSING_IMPORTS, HEAD_IN_DIRECTORY, HEAD_WITH_ROLE, MISSING_IMPORTS,
};

/// Files whose imports are compared.
const MAX_FILES: usize = 64;

/// Of these, files found by lexical search.
const MAX_BY_WORDS: usize = 32;

/// Candidates returned; a prompt has room for about a dozen heads.
const MAX_HEADS: usize = 24;

/// Returns heads of files in the same language: files in the same directory, files with the same role by their names,
/// and files whose heads contain the words around the cursor. The score is the Jaccard similarity of the imports, plus
/// a bonus for names that the cursor's file still has to import.
pub(super) fn heads(inputs: &Inputs<'_>, hole: &HoleInputs<'_>) -> Vec<Hit> {
    if hole.scope.head.is_none() {
        return Vec::new();
    }
    let own = OwnFile::new(hole);
    let mut hits: Vec<Hit> =
        files(inputs, hole).into_iter().filter_map(|it| own.compare(inputs.snapshot, it)).collect();
    sort_by(&mut hits, |a, b| b.score.total_cmp(&a.score).then(a.chunk.cmp(&b.chunk)));
    hits.truncate(MAX_HEADS);
    hits
}

/// The files to compare, without duplicates.
fn files(inputs: &Inputs<'_>, hole: &HoleInputs<'_>) -> Vec<FileId> {
    let Inputs { snapshot, scores, .. } = *inputs;
    let scope = hole.scope;
    let is_like = |it: &FileId| Some(*it) != scope.file && snapshot.language(*it) == scope.language;
    let by_words = snapshot.best_of(scores, Some(&|it| is_like(&it)), inputs.limit);
    let by_words = by_words.into_iter().filter(|it| it.chunk.idx == 0).map(|it| it.chunk.file);
    let role = role_of(hole.cursor.path());
    let has_role = |it: &FileId| !role.is_empty() && role_of(snapshot.path(*it)) == role;
    let (beside, others): (Vec<FileId>, Vec<FileId>) =
        scope.package.iter().partition(|it| has_role(it));
    let by_role = snapshot.files().filter(is_like).filter(has_role);
    let mut seen = FxHashSet::default();
    let all = beside.into_iter().chain(by_words.take(MAX_BY_WORDS)).chain(others).chain(by_role);
    all.filter(|it| seen.insert(*it)).take(MAX_FILES).collect()
}

/// The cursor's file, with which other heads are compared.
struct OwnFile<'h> {
    path: &'h str,
    modules: FxHashSet<&'h str>,
    /// Names that the file uses but does not import.
    missing: FxHashSet<&'h str>,
}

impl<'h> OwnFile<'h> {
    fn new(hole: &HoleInputs<'h>) -> Self {
        let (text, record) = (hole.cursor.text(), &hole.scope.record);
        let imports = &record.symbols.imports;
        let (mut missing, mut defined) = (FxHashSet::default(), FxHashSet::default());
        identifiers(text, |start, end| {
            if end - start > 1 {
                missing.insert(&text[start..end]);
            }
        });
        for it in &record.symbols.definitions {
            defined.insert(it.name.of(text));
        }
        let imported: FxHashSet<&str> = imports.iter().flat_map(introduced).collect();
        missing.retain(|it| !imported.contains(it) && !defined.contains(it));
        let modules = imports.iter().map(|it| it.module.as_str()).collect();
        Self { path: hole.cursor.path(), modules, missing }
    }

    fn compare(&self, snapshot: &Snapshot, file: FileId) -> Option<Hit> {
        let record = snapshot.record(file);
        if record.chunks.is_empty() {
            return None;
        }
        let (common, all, missing) = self.common(&record);
        let path = snapshot.path(file);
        let alike = common as f32 / all.max(1) as f32;
        let directory = |it: &str| it.rfind('/').map_or(0, |at| at + 1);
        let is_beside = path[..directory(path)] == self.path[..directory(self.path)];
        let n = missing.len() as f32;
        let score = ANY_HEAD
            + alike
            + MISSING_IMPORTS * n / (n + HALF_OF_MISSING_IMPORTS)
            + if is_beside { HEAD_IN_DIRECTORY } else { 0.0 }
            + if role_of(path) == role_of(self.path) { HEAD_WITH_ROLE } else { 0.0 };
        let reason = Reason::Head { common: common as u32, wanted: missing };
        let chunk = ChunkId { file, idx: 0 };
        Some(Hit { chunk, definition: None, score, reason })
    }

    /// Number of modules that both import, number of modules that either imports, and missing names that the other
    /// imports.
    fn common(&self, record: &FileRecord) -> (usize, usize, Vec<String>) {
        let imports = &record.symbols.imports;
        let theirs: FxHashSet<&str> = imports.iter().map(|it| it.module.as_str()).collect();
        let common = theirs.iter().filter(|it| self.modules.contains(**it)).count();
        let all = theirs.len() + self.modules.len() - common;
        let mut missing: FxHashMap<&str, usize> = FxHashMap::default();
        for (at, name) in imports.iter().flat_map(introduced).enumerate() {
            if self.missing.contains(name) {
                missing.entry(name).or_insert(at);
            }
        }
        let mut missing: Vec<(&str, usize)> = missing.into_iter().collect();
        missing.sort_unstable_by_key(|it| it.1);
        (common, all, missing.into_iter().map(|it| it.0.to_owned()).collect())
    }
}

/// Names that an import binds: those listed, or the alias or last part of the module.
fn introduced(import: &Import) -> impl Iterator<Item = &str> {
    let names = import.names.iter().map(|it| it.alias.as_ref().unwrap_or(&it.name).as_str());
    let module = || {
        let last = import.module.rsplit(['.', '/', ':', '\\']).find(|it| !it.is_empty());
        import.alias.as_deref().or(last)
    };
    let module = import.names.is_empty().then(module).flatten();
    names.chain(module)
}

/// Last word of a file's name: `Controller` for `UserController.java` and `PostController.java`.
fn role_of(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name);
    let last = stem.rsplit(['_', '-']).next().unwrap_or(stem);
    let capital = last.rfind(char::is_uppercase).unwrap_or(0);
    let role = &last[capital..];
    if role.len() == stem.len() { String::new() } else { role.to_owned() }
}
