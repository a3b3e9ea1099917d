//! The facts in the index directory, and imports of SCIP indexes into them.
//!
//! ```text
//! precise/facts   a number of the format, bitcode of the facts, a checksum; replaced as a whole
//! precise/lock    locked by the kernel while a process imports
//! ```
//!
//! All views of a store share them, since they are kept by path and text. A damaged file counts as absent: the next import
//! makes it again.
#![expect(clippy::disallowed_methods, reason = "the index directory is the engine's own")]

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use rustc_hash::FxHashSet;

use super::check::{Symbols, check, shown};
use super::directed::directed;
use super::document::{Document, Tool};
use super::error::ScipError;
use super::facts::{Facts, FileFacts, Provenance, lines_of};
use super::wire::Stream;
use crate::index::checksum::checksum;
use crate::index::store::{try_lock, write_file};
use crate::source::ContentHash;

/// The format of the file.
const FORMAT_VERSION: u32 = 2;
/// Most bytes of what an index says of itself.
const MAX_METADATA: u64 = 1 << 20;
/// Most bytes of a document.
const MAX_DOCUMENT: u64 = 64 << 20;
/// Most occurrences of an index.
const MAX_OCCURRENCES: usize = 1 << 25;
/// Refused documents that are named.
const MAX_REFUSALS: usize = 100;

/// An index that is imported.
#[derive(Clone, Debug, Default)]
pub struct ScipSource {
    /// Its file, for people.
    pub file: String,
    /// When it was written, in seconds since the epoch.
    pub written_at_s: u64,
}

/// A document that was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Its path, as written.
    pub path: String,
    /// Why it was not taken.
    pub reason: String,
}

/// Result of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScipImport {
    /// The program that wrote the index; empty if it does not say.
    pub tool: String,
    /// Its version.
    pub version: String,
    /// Number of documents.
    pub documents: usize,
    /// Number of those that were taken.
    pub accepted: usize,
    /// Names with a meaning in these.
    pub occurrences: usize,
    /// Number of documents that were not taken.
    pub refused: usize,
    /// The first of them.
    pub refusals: Vec<Refusal>,
}

/// The text of a document: its path in the index, the text and its hash.
pub type IndexedText = (String, Arc<str>, ContentHash);

/// The length and time of a file by which a change is seen.
type FileState = (u64, Option<SystemTime>);

/// The facts of a store.
#[derive(Debug)]
pub struct FactsFile {
    path: PathBuf,
    loaded: Mutex<Option<(FileState, Arc<Facts>)>>,
}

impl FactsFile {
    /// Names the facts in the directory of a store. Touches no file.
    pub(in crate::index) fn new(store: &Path) -> Self {
        Self { path: store.join("precise").join("facts"), loaded: Mutex::default() }
    }

    /// The facts; read again if another process has written them.
    pub fn load(&self) -> Arc<Facts> {
        let Some(metadata) = self.path.metadata().ok().filter(std::fs::Metadata::is_file) else {
            return Arc::default();
        };
        let state = (metadata.len(), metadata.modified().ok());
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, facts)) = loaded.as_ref().filter(|it| it.0 == state) {
            return Arc::clone(facts);
        }
        let bytes = std::fs::read(&self.path).unwrap_or_default();
        let facts = Arc::new(decode(&bytes).unwrap_or_default());
        *loaded = Some((state, Arc::clone(&facts)));
        facts
    }

    /// Takes the documents of a SCIP index that fit the present texts of their files. On an error nothing is changed.
    pub fn import(
        &self,
        input: impl Read,
        source: &ScipSource,
        text_of: &dyn Fn(&str) -> Option<IndexedText>,
    ) -> Result<ScipImport, ScipError> {
        let lock = try_lock(&self.path.with_file_name("lock"))?;
        let _lock = lock.ok_or(ScipError::Busy)?;
        let mut reading = Reading::new(text_of);
        reading.read(Stream::new(input))?;
        let Reading { tool, mut files, symbols, mut import, .. } = reading;
        directed(&mut files, &symbols.all);
        if import.documents == 0 {
            return Err(ScipError::Empty);
        }
        // Both are printed, and are what somebody wrote into a file.
        import.tool = shown(&tool.name);
        import.version = shown(&tool.version);
        if files.is_empty() {
            return Ok(import);
        }
        let ScipSource { file, written_at_s } = source.clone();
        let (tool, version) = (import.tool.clone(), import.version.clone());
        let provenance = Provenance { tool, version, file, written_at_s };
        let newer = Facts { provenances: vec![provenance], symbols: symbols.all, files };
        let facts = self.load().with(&newer);
        write_file(&self.path, &encode(&facts))?;
        Ok(import)
    }
}

/// State of an import.
struct Reading<'t> {
    text_of: &'t dyn Fn(&str) -> Option<IndexedText>,
    tool: Tool,
    symbols: Symbols,
    files: Vec<FileFacts>,
    seen: FxHashSet<String>,
    import: ScipImport,
    /// Symbols that implement others.
    n_pairs: usize,
}

impl<'t> Reading<'t> {
    fn new(text_of: &'t dyn Fn(&str) -> Option<IndexedText>) -> Self {
        Self {
            text_of,
            tool: Tool::default(),
            symbols: Symbols::default(),
            files: Vec::new(),
            seen: FxHashSet::default(),
            import: ScipImport::default(),
            n_pairs: 0,
        }
    }

    fn read(&mut self, mut stream: Stream<impl Read>) -> Result<(), ScipError> {
        let mut bytes = Vec::new();
        while let Some(field) = stream.next()? {
            let invalid = |name| move |_| ScipError::Invalid { field: name, at: field.at };
            match field.number {
                1 => {
                    stream.read(&field, "the metadata", MAX_METADATA, &mut bytes)?;
                    self.tool = Tool::decode(&bytes).map_err(invalid("the metadata"))?;
                }
                2 => {
                    stream.read(&field, "a document", MAX_DOCUMENT, &mut bytes)?;
                    let document = Document::decode(&bytes).map_err(invalid("a document"))?;
                    self.add(document)?;
                }
                _ => stream.skip(&field)?,
            }
        }
        Ok(())
    }

    fn add(&mut self, mut document: Document<'_>) -> Result<(), ScipError> {
        self.import.documents += 1;
        match self.facts(&mut document) {
            Ok(facts) => {
                self.import.accepted += 1;
                self.import.occurrences += facts.occurrences.len();
                self.n_pairs += facts.implements.len();
                self.files.push(facts);
            }
            Err(reason) => {
                self.import.refused += 1;
                if self.import.refusals.len() < MAX_REFUSALS {
                    let path = document.path.chars().take(200).collect();
                    self.import.refusals.push(Refusal { path, reason });
                }
            }
        }
        match self.import.occurrences + self.n_pairs > MAX_OCCURRENCES {
            true => Err(ScipError::TooMany(MAX_OCCURRENCES)),
            false => Ok(()),
        }
    }

    /// The facts of a document, or why it is refused.
    fn facts(&mut self, document: &mut Document<'_>) -> Result<FileFacts, String> {
        let path = document.path;
        if !is_inside(path) {
            return Err("the path leads out of the root, or is no relative one".to_owned());
        }
        let Some((path, text, hash)) = (self.text_of)(path) else {
            return Err("it is not in the index: ignored, or no longer there".to_owned());
        };
        if !self.seen.insert(path.clone()) {
            return Err("it is described twice; the first description counts".to_owned());
        }
        let occurrences = check(document, &text, &mut self.symbols).map_err(|it| {
            format!("{it}: it was indexed from another text; run the indexer again")
        })?;
        let implements = self.symbols.pairs(&document.implements);
        let lines = lines_of(&text);
        Ok(FileFacts { path, hash, provenance: 0, occurrences, lines, implements })
    }
}

/// Whether a path is relative and never leads upwards.
fn is_inside(path: &str) -> bool {
    path.split('/').all(|it| !matches!(it, "" | "." | "..")) && !path.contains(['\\', '\0', ':'])
}

fn encode(facts: &Facts) -> Vec<u8> {
    let mut res = FORMAT_VERSION.to_le_bytes().to_vec();
    res.extend(bitcode::encode(facts));
    res.extend(checksum(&res).to_le_bytes());
    res
}

fn decode(bytes: &[u8]) -> Option<Facts> {
    let (body, check) = bytes.split_last_chunk::<8>()?;
    let (format, facts) = body.split_first_chunk::<4>()?;
    if checksum(body) != u64::from_le_bytes(*check) || u32::from_le_bytes(*format) != FORMAT_VERSION
    {
        return None;
    }
    bitcode::decode::<Facts>(facts).ok().filter(Facts::is_consistent)
}
