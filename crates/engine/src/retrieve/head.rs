//! Heads of files like the cursor's, for a hole that is in a head itself: what its siblings import, and what they say
//! before any code, is what comes there. Definitions of what is imported already are not.

use crate::sorting::sort_by;
use foreword_chunk::Import;
use rustc_hash::{FxHashMap, FxHashSet};

use super::inputs::{HoleInputs, Inputs};
use super::list::Hit;
use crate::evidence::Reason;
use crate::index::terms::identifiers;
use crate::index::{ChunkId, FileId, FileRecord, Snapshot};

/// How many files' imports are read.
const MAX_FILES: usize = 64;

/// How many files found by their words there may be among them.
const MAX_BY_WORDS: usize = 32;

/// How many candidates there may be: a prompt has room for a dozen heads.
const MAX_HEADS: usize = 24;

/// Being in the same directory, against having the same imports.
const SAME_DIRECTORY: f32 = 0.3;

/// Having the same last word in the name (`UserController`, `PostController`).
const SAME_ROLE: f32 = 0.3;

/// Importing names that the cursor's file uses and does not import, when it is many.
const WANTED: f32 = 1.0;

/// The number of wanted names at which half of [`WANTED`] counts.
const SOME_WANTED: f32 = 2.0;

/// Heads of files in the same language: those beside the cursor's file, those with the same role by their names, and
/// those whose heads have the words around the hole. A score is how alike the imports are (Jaccard), and more for names
/// that the cursor's file still has to import.
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

/// The files that are compared, each once.
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

/// What other heads are compared with.
struct OwnFile<'h> {
    path: &'h str,
    modules: FxHashSet<&'h str>,
    /// Names that the file uses and does not import.
    wanted: FxHashSet<&'h str>,
}

impl<'h> OwnFile<'h> {
    fn new(hole: &HoleInputs<'h>) -> Self {
        let (text, record) = (hole.cursor.text(), &hole.scope.record);
        let imports = &record.symbols.imports;
        let (mut wanted, mut defined) = (FxHashSet::default(), FxHashSet::default());
        identifiers(text, |start, end| {
            if end - start > 1 {
                wanted.insert(&text[start..end]);
            }
        });
        for it in &record.symbols.definitions {
            defined.insert(it.name.of(text));
        }
        let imported: FxHashSet<&str> = imports.iter().flat_map(introduced).collect();
        wanted.retain(|it| !imported.contains(it) && !defined.contains(it));
        let modules = imports.iter().map(|it| it.module.as_str()).collect();
        Self { path: hole.cursor.path(), modules, wanted }
    }

    fn compare(&self, snapshot: &Snapshot, file: FileId) -> Option<Hit> {
        let record = snapshot.record(file);
        if record.chunks.is_empty() {
            return None;
        }
        let (common, all, wanted) = self.common(&record);
        let path = snapshot.path(file);
        let alike = common as f32 / all.max(1) as f32;
        let directory = |it: &str| it.rfind('/').map_or(0, |at| at + 1);
        let is_beside = path[..directory(path)] == self.path[..directory(self.path)];
        let n = wanted.len() as f32;
        let score = 0.05
            + alike
            + WANTED * n / (n + SOME_WANTED)
            + if is_beside { SAME_DIRECTORY } else { 0.0 }
            + if role_of(path) == role_of(self.path) { SAME_ROLE } else { 0.0 };
        let reason = Reason::Head { common: common as u32, wanted };
        let chunk = ChunkId { file, idx: 0 };
        Some(Hit { chunk, definition: None, score, reason })
    }

    /// How many modules both import, how many any of the two does, and the wanted names that the other imports.
    fn common(&self, record: &FileRecord) -> (usize, usize, Vec<String>) {
        let imports = &record.symbols.imports;
        let theirs: FxHashSet<&str> = imports.iter().map(|it| it.module.as_str()).collect();
        let common = theirs.iter().filter(|it| self.modules.contains(**it)).count();
        let all = theirs.len() + self.modules.len() - common;
        let mut wanted: FxHashMap<&str, usize> = FxHashMap::default();
        for (at, name) in imports.iter().flat_map(introduced).enumerate() {
            if self.wanted.contains(name) {
                wanted.entry(name).or_insert(at);
            }
        }
        let mut wanted: Vec<(&str, usize)> = wanted.into_iter().collect();
        wanted.sort_unstable_by_key(|it| it.1);
        (common, all, wanted.into_iter().map(|it| it.0.to_owned()).collect())
    }
}

/// The names that an import introduces: those it lists, or the module's by its alias or its last part.
fn introduced(import: &Import) -> impl Iterator<Item = &str> {
    let names = import.names.iter().map(|it| it.alias.as_ref().unwrap_or(&it.name).as_str());
    let module = || {
        let last = import.module.rsplit(['.', '/', ':', '\\']).find(|it| !it.is_empty());
        import.alias.as_deref().or(last)
    };
    let module = import.names.is_empty().then(module).flatten();
    names.chain(module)
}

/// The last word of a file's name, with the extension: `UserController.java` and `PostController.java` have
/// `Controller`.
fn role_of(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name);
    let last = stem.rsplit(['_', '-']).next().unwrap_or(stem);
    let capital = last.rfind(char::is_uppercase).unwrap_or(0);
    let role = &last[capital..];
    if role.len() == stem.len() { String::new() } else { role.to_owned() }
}
