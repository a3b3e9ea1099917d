//! Compared methods: single signals of the engine, and simple lists without it.

use foreword_chunk::LineIndex;
use foreword_engine::index::Snapshot;
use foreword_engine::next::{Config, NextReason, NextRequest, Place, next_edits};

/// The methods, in the order of an outcome's lists.
pub const METHODS: [&str; 5] =
    ["foreword", "references only", "co-change only", "recent files", "same file"];

/// Lines between two places of a file.
const STEP: u32 = 20;

/// The lists of all methods but the first.
pub(super) fn lists(snapshot: &Snapshot, request: &NextRequest<'_>) -> Vec<Vec<Place>> {
    let with = |config: Config| next_edits(snapshot, request, &config);
    vec![
        with(references()),
        with(co_change()),
        recent(snapshot, request),
        same_file(snapshot, request),
    ]
}

/// Uses of the names that the edits changed or removed, nearest first.
fn references() -> Config {
    let near = [0.5, 0.4, 0.3, 0.2];
    let codes = ["gone", "renamed", "replaced", "removed", "signature", "new", "body"];
    let chances = codes.into_iter().map(|it| (it, near));
    let silent = ["alike", "beside", "import", "co-change", "test", "following", "neighbour"]
        .map(|it| (it, [0.0; 4]));
    Config { chances: chances.chain(silent).collect(), least: 1e-6, ..Config::measured() }
}

/// Files that changed together with the edited ones, at the lines most similar to the edits.
fn co_change() -> Config {
    let codes =
        ["gone", "renamed", "replaced", "removed", "signature", "new", "body", "alike", "beside"];
    let silent = codes
        .into_iter()
        .chain(["import", "test", "following", "neighbour"])
        .map(|it| (it, [0.0; 4]));
    Config { chances: silent.collect(), least: 1e-6, ..Config::measured() }
}

fn line_of(snapshot: &Snapshot, path: &str, at: usize) -> Option<(u32, u32)> {
    let file = snapshot.file(path)?;
    let text = snapshot.text(file);
    let line = LineIndex::new(text.as_bytes()).line_of(at.min(text.len()));
    Some((line, snapshot.size(file).1))
}

fn place(path: &str, line: u32, n: usize) -> Place {
    Place {
        path: path.to_owned(),
        start_line: line,
        end_line: line,
        symbol: String::new(),
        kind: None,
        confidence: 1.0 / (1.0 + n as f32),
        reasons: vec![NextReason::Following],
    }
}

/// The last edits, the latest one per file.
pub(super) fn recent(snapshot: &Snapshot, request: &NextRequest<'_>) -> Vec<Place> {
    let mut res: Vec<Place> = Vec::new();
    for it in request.edits {
        if res.iter().all(|known| known.path != it.path)
            && let Some((line, _)) = line_of(snapshot, &it.path, it.range.end)
        {
            res.push(place(&it.path, line, res.len()));
        }
    }
    res.truncate(request.limit);
    res
}

/// The file of the last edit: positions from there, alternating down and up.
fn same_file(snapshot: &Snapshot, request: &NextRequest<'_>) -> Vec<Place> {
    let last = &request.edits[0];
    let Some((line, lines)) = line_of(snapshot, &last.path, last.range.end) else {
        return Vec::new();
    };
    let mut all = vec![line];
    for n in 1..=request.limit as u32 {
        all.extend(Some(line + n * STEP).filter(|it| *it <= lines + STEP / 2));
        all.extend(line.checked_sub(n * STEP).filter(|it| *it > 0));
    }
    all.truncate(request.limit);
    all.into_iter().enumerate().map(|(n, line)| place(&last.path, line, n)).collect()
}
