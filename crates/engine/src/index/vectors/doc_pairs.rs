//! A repository's doc comments with what they are about: questions whose answers are known, to learn a map of questions from
//! (`dense::query_map`).

use rustc_hash::FxHashSet;

use foreword_chunk::{Definition, Kind};

use super::doc_text::doc_text;
use super::text::hash_of;
use crate::index::file_role::FileRole;
use crate::index::ids::FileId;
use crate::index::record::FileRecord;
use crate::index::snapshot::Snapshot;

/// A doc comment and its definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocPair {
    /// The prose of the comment.
    pub question: String,
    /// The definition without it, in the form of [`super::chunk_texts`].
    pub text: String,
    /// Equal for pairs of one file.
    pub group: u64,
}

/// No file gives more: a file of many small functions is not the repository.
const MOST_OF_FILE: usize = 25;

/// Of longer definitions the beginning is kept: about as much as a chunk holds, in bytes.
const MOST_BYTES: usize = 2400;

/// Shorter definitions are declarations, in bytes without white space.
const LEAST_BYTES: usize = 40;

/// At most `most` pairs of a repository, no comment twice: those of the files whose paths have the lowest hashes, so that
/// another file changes little of which they are.
pub fn doc_pairs(snapshot: &Snapshot, most: usize) -> Vec<DocPair> {
    let is_code = |it: &FileId| {
        let is_other = matches!(snapshot.role(*it), FileRole::Prose | FileRole::Data);
        snapshot.language(*it).is_some() && !is_other
    };
    let mut files: Vec<FileId> = snapshot.files().filter(is_code).collect();
    files.sort_by_cached_key(|it| hash_of(snapshot.path(*it).as_bytes()));
    let (mut res, mut known) = (Vec::new(), FxHashSet::default());
    for file in files {
        for pair in of_file(snapshot, file) {
            if known.insert(pair.question.clone()) {
                res.push(pair);
            }
        }
        if res.len() >= most {
            break;
        }
    }
    res.truncate(most);
    res
}

/// Those of a file, at most [`MOST_OF_FILE`], by the hash of the comment.
fn of_file(snapshot: &Snapshot, file: FileId) -> Vec<DocPair> {
    let (text, record) = snapshot.contents(file);
    let path = snapshot.path(file);
    let group = hash_of(path.as_bytes()) as u64;
    let pair = |(idx, it): (u32, &Definition)| {
        let (question, body) = parts(&text, it)?;
        let title = title(&record, &text, idx);
        Some(DocPair { question, text: format!("{path}\n{title}{body}"), group })
    };
    let mut res: Vec<DocPair> = (0..).zip(&record.symbols.definitions).filter_map(pair).collect();
    res.sort_by_cached_key(|it| hash_of(it.question.as_bytes()));
    res.truncate(MOST_OF_FILE);
    res
}

fn title(record: &FileRecord, text: &str, idx: u32) -> String {
    match record.dotted_name(text, idx) {
        name if name.is_empty() => name,
        name => name + "\n",
    }
}

/// The prose of a definition's comment, and the beginning of the definition without it.
fn parts(text: &str, it: &Definition) -> Option<(String, String)> {
    if matches!(it.kind, Kind::Field | Kind::Section | Kind::Implementation) {
        return None;
    }
    let doc = it.doc?;
    let question = doc_text(text.get(doc.range())?)?;
    let inside = it.span.contains(doc).then(|| doc.range());
    let whole = it.span.range();
    let body = match inside {
        Some(doc) => [text.get(whole.start..doc.start)?, text.get(doc.end..whole.end)?].concat(),
        None => text.get(whole)?.to_owned(),
    };
    let body = &body[..body.floor_char_boundary(MOST_BYTES)];
    let letters = body.bytes().filter(|it| !it.is_ascii_whitespace()).count();
    (letters >= LEAST_BYTES).then(|| (question, body.trim().to_owned()))
}
