//! Exact and regular-expression search over the texts of a snapshot.
//!
//! The engine is that of ripgrep, so patterns have the same meaning. The snapshot is searched, not the disk: unsaved
//! buffers count, and matches come with the definition that encloses them. If a pattern contains a whole identifier, the
//! index excludes files that cannot match (`narrow`). Where contents are elsewhere, parts of identifiers do so too
//! (`fragments`), and a bounded number of bytes is read.

mod fragments;
mod narrow;
mod pattern;
mod show;
mod types;

use foreword_chunk::LineIndex;
use rayon::prelude::*;

use crate::index::{FileId, Snapshot};

use self::pattern::Pattern;
pub use self::types::{Case, GrepAnswer, GrepError, GrepMatch, GrepRequest, MAX_LINE_CHARS};

/// Searches the texts of a snapshot, files in parallel.
pub fn grep(snapshot: &Snapshot, request: &GrepRequest<'_>) -> Result<GrepAnswer, GrepError> {
    let pattern = Pattern::new(request)?;
    let kept = |file: &FileId| request.keep.is_none_or(|keep| keep(*file));
    let files: Vec<FileId> = snapshot.files().filter(kept).collect();
    let candidates = narrow::candidates(snapshot, request, &pattern, &files);
    let candidates = candidates.as_deref().unwrap_or(&files);
    let read = &candidates[..n_readable(snapshot, candidates, request.most_bytes)];
    let found = scan(snapshot, &pattern, read, request.limit);
    let unread = candidates.len() - read.len();
    let total = found.iter().map(|it| it.total).sum();
    Ok(GrepAnswer {
        matches: show(snapshot, &found, request),
        total,
        files: found.len(),
        searched: files.len() - unread,
        unread,
        truncated: total > request.limit || unread > 0,
    })
}

/// The words of a pattern: parts of names that its matches have, as they are written there.
pub fn words_of(request: &GrepRequest<'_>) -> Vec<String> {
    fragments::words_of(request)
}

/// Bytes of texts that are read from elsewhere at most, unless the request says so.
const MAX_BYTES_ELSEWHERE: u64 = 32 << 20;

/// The number of files, from the first, that are read. What is here already counts too, so that it decides nothing.
fn n_readable(snapshot: &Snapshot, files: &[FileId], most_bytes: Option<u64>) -> usize {
    if snapshot.partial().is_none() {
        return files.len();
    }
    let most = most_bytes.unwrap_or(MAX_BYTES_ELSEWHERE);
    let mut bytes = 0;
    let fits = |file: &&FileId| {
        bytes += u64::from(snapshot.size(**file).0);
        bytes <= most
    };
    files.iter().take_while(fits).count()
}

/// The matches of one file.
#[derive(Debug, PartialEq, Eq)]
struct FileMatches {
    file: FileId,
    total: usize,
    /// The first of them, up to the limit.
    first: Vec<(usize, usize)>,
}

/// The files that have matches, in order.
fn scan(
    snapshot: &Snapshot,
    pattern: &Pattern,
    files: &[FileId],
    limit: usize,
) -> Vec<FileMatches> {
    let scanned = files.par_iter().map_init(
        || pattern.clone(),
        |pattern, &file| {
            let text = snapshot.text(file);
            let mut res = FileMatches { file, total: 0, first: Vec::new() };
            pattern.each(&text, |start, end| {
                if res.total < limit {
                    res.first.push((start, end));
                }
                res.total += 1;
            });
            res
        },
    );
    let mut found: Vec<FileMatches> = scanned.filter(|it| it.total > 0).collect();
    found.sort_unstable_by_key(|it| it.file);
    found
}

/// Maximum lines around all matches together, before and after them each.
const MAX_LINES_AROUND: usize = 100_000;

/// The first matches, with their lines and definitions.
fn show(snapshot: &Snapshot, found: &[FileMatches], request: &GrepRequest<'_>) -> Vec<GrepMatch> {
    let mut left = request.limit;
    let mut shown: Vec<(FileId, &[(usize, usize)])> = Vec::new();
    for it in found {
        let n = it.first.len().min(left);
        if n == 0 {
            break;
        }
        left -= n;
        shown.push((it.file, &it.first[..n]));
    }
    let context = MAX_LINES_AROUND / (request.limit - left).max(1);
    let context = request.context.min(context as u32);
    let matches = shown.par_iter().map(|&(file, places)| {
        let (text, record) = snapshot.contents(file);
        let lines = LineIndex::new(text.as_bytes());
        let view = show::FileView {
            path: snapshot.path(file),
            text: &text,
            record: &record,
            lines: &lines,
        };
        places.iter().map(|&(start, end)| view.show(start, end, context)).collect::<Vec<_>>()
    });
    matches.collect::<Vec<_>>().into_iter().flatten().collect()
}

#[cfg(test)]
mod tests;
