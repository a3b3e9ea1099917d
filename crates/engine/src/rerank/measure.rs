//! Features that need only the index: defined names, paths and file roles.

use foreword_chunk::{Definition, Kind, Language};
use rustc_hash::FxHashMap;

use super::combine::is_neutral;
use super::config::RerankConfig;
use super::inputs::RerankInputs;
use super::paths::{PathCoverage, PathQuery};
use crate::evidence::{Feature, Reason};
use crate::fuse::Candidate;
use crate::index::bm25::WeightedTerm;
use crate::index::terms::{identifiers, terms_of};
use crate::index::{ChunkId, FileId, FileRole, PathFeatures, Snapshot};
use crate::preset::constants::rerank::{FUNCTION_DEPTH, GENERATED_DEGREE, RE_EXPORT_LINES};
use crate::retrieve::QuestionWord;
use crate::retrieve::query::is_plain;

/// Measures each candidate independently.
pub(super) fn measure(
    inputs: &RerankInputs<'_>,
    candidates: &mut [Candidate],
    config: &RerankConfig,
) {
    if !is_neutral(config.defines_words) {
        measure_defined_words(inputs, candidates);
    }
    let files = features_of_files(inputs, candidates, config);
    for it in candidates {
        let is_exact = it.reasons.iter().any(|it| matches!(it, Reason::Defines { .. }));
        // A plain word of a sentence is hardly ever meant as a name.
        let is_name = |name: &str| inputs.query.is_symbol || !is_plain(name);
        let is_named =
            |it: &Reason| matches!(it, Reason::Defines { name } if is_name(name.as_str()));
        let is_named = it.reasons.iter().any(is_named);
        it.features.set(Feature::DefinesName, f32::from(u8::from(is_named)));
        if inputs.query.files.contains(&it.chunk.file) {
            it.features.set(Feature::NamedFile, 1.0);
        }
        let Some(of_file) = files.get(&it.chunk.file) else { continue };
        it.features.set(Feature::FileName, of_file.path.stem);
        it.features.set(Feature::PathWords, of_file.path.words);
        if let Some(class) = of_file.class {
            // What defines the name is wanted, even if it is generated.
            let degree = if is_exact { class.1.min(1.0) } else { class.1 };
            it.features.set(class.0, degree);
        }
        if of_file.is_re_export {
            it.features.set(Feature::ReExport, 1.0);
        }
    }
}

/// Features shared by all chunks of a file.
struct FileFeatures {
    path: PathCoverage,
    /// A class of files, and how much it is one.
    class: Option<(Feature, f32)>,
    is_re_export: bool,
}

fn features_of_files(
    inputs: &RerankInputs<'_>,
    candidates: &[Candidate],
    config: &RerankConfig,
) -> FxHashMap<FileId, FileFeatures> {
    let snapshot = inputs.snapshot;
    let mut files: Vec<FileId> = candidates.iter().map(|it| it.chunk.file).collect();
    files.sort_unstable();
    files.dedup();
    let paths: Vec<&PathFeatures> = files.iter().map(|it| snapshot.path_features(*it)).collect();
    let coverages = PathQuery::new(inputs.query).coverages(&paths);
    let is_code = |it: &FileId| snapshot.role(*it) == FileRole::Code;
    let named = files.iter().zip(&coverages).filter(|it| is_code(it.0)).map(|it| it.1.question);
    let most_named = named.fold(0.0, f32::max);
    let features = |(file, path): (FileId, PathCoverage)| {
        let class = class_of(inputs, file).map(|it| (it.0, degree_of(it, path, most_named)));
        let is_re_export =
            !is_neutral(config.re_export) && inputs.hole.is_none() && is_re_export(snapshot, file);
        (file, FileFeatures { path, class, is_re_export })
    };
    files.into_iter().zip(coverages).map(features).collect()
}

/// How much a file is of a class. Data whose path has more of the question than that of any code is what is asked for:
/// `release workflow`.
fn degree_of(class: (Feature, f32), path: PathCoverage, most_named: f32) -> f32 {
    let is_asked_for = class.0 == Feature::Data && path.question > most_named;
    if is_asked_for { class.1 * (1.0 - path.question) } else { class.1 }
}

fn class_of(inputs: &RerankInputs<'_>, file: FileId) -> Option<(Feature, f32)> {
    match inputs.snapshot.role(file) {
        FileRole::Test => Some((Feature::Test, 1.0)),
        FileRole::Periphery => Some((Feature::Periphery, 1.0)),
        FileRole::Gathering => Some((Feature::Gathering, 1.0)),
        FileRole::Prose => Some((Feature::Prose, 1.0)),
        FileRole::Data => Some((Feature::Data, 1.0)),
        FileRole::ThirdParty if is_about_project_of(inputs, file) => None,
        FileRole::ThirdParty => {
            let is_project = inputs.snapshot.copied_project(file).is_some();
            Some((Feature::ThirdParty, if is_project { 1.0 } else { GENERATED_DEGREE }))
        }
        // Patches, manual pages, lists: at a cursor, what is in no known language may be like the cursor's file.
        FileRole::Code if inputs.hole.is_none() && inputs.snapshot.language(file).is_none() => {
            Some((Feature::Data, 1.0))
        }
        FileRole::Code => None,
    }
}

/// Whether the query names the copied project, folder of built files or generated file, or the cursor is in it.
fn is_about_project_of(inputs: &RerankInputs<'_>, file: FileId) -> bool {
    let root = inputs.snapshot.third_party_root(file);
    if let Some(hole) = inputs.hole {
        return hole.cursor.path().starts_with(root);
    }
    let name = root.trim_end_matches('/').rsplit('/').next().unwrap_or(root);
    let mut n_named = 0;
    identifiers(name, |start, end| {
        terms_of(&name[start..end], &mut String::new(), |term, is_whole| {
            let is_said = |it: &QuestionWord| it.forms.iter().any(|it| it.term == term);
            let is_named = is_whole && inputs.query.words.iter().any(is_said);
            n_named += usize::from(is_named);
        });
    });
    // A file is named with its extension: its stem may be any word.
    n_named > usize::from(!root.ends_with('/'))
}

/// Whether a file is short, imports names and defines none.
fn is_re_export(snapshot: &Snapshot, file: FileId) -> bool {
    if snapshot.size(file).1 > RE_EXPORT_LINES || snapshot.language(file).is_none() {
        return false;
    }
    let record = snapshot.record(file);
    let only_names =
        |it: &Definition| matches!(it.kind, Kind::Module | Kind::Constant) && it.body.is_none();
    !record.symbols.imports.is_empty() && record.symbols.definitions.iter().all(only_names)
}

/// Marks chunks of code in which no function begins: imports, declarations, the middle of a long function. They mention
/// what functions do.
pub(super) fn measure_functions(snapshot: &Snapshot, candidates: &mut [Candidate]) {
    for it in candidates.iter_mut().take(FUNCTION_DEPTH) {
        let file = it.chunk.file;
        let is_code = !matches!(snapshot.role(file), FileRole::Prose | FileRole::Data);
        if is_code && snapshot.language(file).is_some() && !begins_function(snapshot, it.chunk) {
            it.features.set(Feature::NoFunction, 1.0);
        }
    }
}

fn begins_function(snapshot: &Snapshot, chunk: ChunkId) -> bool {
    let (info, record) = (snapshot.chunk(chunk), snapshot.record(chunk.file));
    let definitions = &record.symbols.definitions;
    let first = definitions.partition_point(|it| it.span.start < info.start);
    let mut here = definitions[first..].iter().take_while(|it| it.span.start < info.end);
    here.any(|it| {
        matches!(it.kind, Kind::Function | Kind::Method | Kind::Constructor | Kind::Macro)
    })
}

/// Marks chunks of Rust's unit tests, which stand in the files that they test: in a module `tests`, or in functions that
/// are called so.
pub(super) fn measure_unit_tests(snapshot: &Snapshot, candidates: &mut [Candidate]) {
    let rust = Language::from_name("rust");
    for it in candidates.iter_mut().take(FUNCTION_DEPTH) {
        let file = it.chunk.file;
        let is_code = matches!(snapshot.role(file), FileRole::Code | FileRole::Gathering);
        if is_code && snapshot.language(file) == rust && is_unit_test(snapshot, it.chunk) {
            it.features.set(Feature::Test, 1.0);
        }
    }
}

/// Whether the first definition that begins in a chunk, or else the one around it, is in a test.
fn is_unit_test(snapshot: &Snapshot, chunk: ChunkId) -> bool {
    let (info, record) = (snapshot.chunk(chunk), snapshot.record(chunk.file));
    let all = &record.symbols.definitions;
    let first = all.partition_point(|it| it.span.start < info.start);
    let begins = all.get(first).filter(|it| it.span.start < info.end).map(|_| first as u32);
    let around = || record.symbols.enclosing(info.start as usize);
    let mut next = begins.or_else(around);
    let mut names = Vec::new();
    while let Some(it) = next.and_then(|idx| all.get(idx as usize)) {
        names.push(it.name.range());
        next = it.parent;
    }
    let names = snapshot.parts(chunk.file, &names);
    names.iter().any(|it| matches!(it.as_str(), "tests" | "test") || it.starts_with("test_"))
}

/// Measures the share of the query's words in the names that a chunk defines.
fn measure_defined_words(inputs: &RerankInputs<'_>, candidates: &mut [Candidate]) {
    let is_word = |it: &(usize, &WeightedTerm)| it.1.weight >= 1.0;
    let words = inputs.query.terms.iter().enumerate().filter(is_word).map(|it| it.0);
    let words: Vec<usize> = words.collect();
    if words.is_empty() {
        return;
    }
    let chunks: Vec<ChunkId> = candidates.iter().map(|it| it.chunk).collect();
    let defined = inputs.snapshot.n_in_defined_names(inputs.weighed, &words, &chunks);
    for (it, defined) in candidates.iter_mut().zip(defined) {
        it.features.set(Feature::DefinesWords, defined as f32 / words.len() as f32);
    }
}
