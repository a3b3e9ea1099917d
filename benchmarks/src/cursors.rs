//! Random cursors, and the context for one of them.

use foreword_engine::index::{FileId, Snapshot};
use foreword_engine::order::Truncation;
use foreword_engine::pipeline::{Control, CursorRetrieval};
use foreword_engine::preset::Preset;
use foreword_engine::scope::{Cursor, View};

use crate::measure::seconds;
use crate::query::count;
use crate::random::Random;

/// How the editor's text differs from the indexed one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Edit {
    /// Not at all.
    None,
    /// The rest of the cursor's line is missing.
    LineCut,
}

/// Cursors in the middle of lines that are not blank, each in a file drawn by its bytes.
pub(crate) fn sample(
    snapshot: &Snapshot,
    n: usize,
    edit: Edit,
    random: &mut Random,
) -> Vec<Cursor> {
    let files: Vec<FileId> = snapshot.files().collect();
    let ends: Vec<u64> = files
        .iter()
        .scan(0, |sum, it| {
            *sum += u64::from(snapshot.size(*it).0);
            Some(*sum)
        })
        .collect();
    let total = ends.last().copied().unwrap_or(1).max(1);
    let mut res = Vec::new();
    while res.len() < n {
        let at = random.next() % total;
        let file = files[ends.partition_point(|it| *it <= at)];
        res.extend(cursor(snapshot, file, edit, random));
    }
    res
}

fn cursor(snapshot: &Snapshot, file: FileId, edit: Edit, random: &mut Random) -> Option<Cursor> {
    let text = snapshot.text(file);
    let at = text.floor_char_boundary(random.below(text.len().max(1)));
    let start = text[..at].rfind('\n').map_or(0, |it| it + 1);
    let end = text[at..].find('\n').map_or(text.len(), |it| at + it);
    let line = &text[start..end];
    if line.trim().len() < 8 {
        return None;
    }
    let offset = text.floor_char_boundary(start + line.len() / 2);
    let text = match edit {
        Edit::None => text.to_string(),
        Edit::LineCut => format!("{}{}", &text[..offset], &text[end..]),
    };
    let path = snapshot.path(file).to_owned();
    Cursor::new(path, text, offset).ok()
}

/// A file between 4 and 40 kB, the usual size of an edited file.
pub(crate) fn middling_file(snapshot: &Snapshot, random: &mut Random) -> Option<FileId> {
    let usual = |it: &FileId| (4_000..40_000).contains(&snapshot.size(*it).0);
    let files: Vec<FileId> = snapshot.files().filter(usual).collect();
    (!files.is_empty()).then(|| files[random.below(files.len())])
}

/// The seconds that a context takes, and its number of pieces.
pub(crate) fn context(
    snapshot: &Snapshot,
    cursor: &Cursor,
    preset: &Preset,
) -> anyhow::Result<(f64, usize)> {
    let mut found = Err(anyhow::anyhow!("it did not run"));
    let seconds = seconds(|| found = answer(snapshot, cursor, preset));
    Ok((seconds, found?))
}

fn answer(snapshot: &Snapshot, cursor: &Cursor, preset: &Preset) -> anyhow::Result<usize> {
    let view = View::new(snapshot, cursor)?;
    let retrieval = CursorRetrieval::new(view, cursor, preset, &count, &mut Control::default());
    let window = &retrieval.window;
    let shown = count(&window.prefix) + count(&window.suffix);
    let left = preset.budget.total.saturating_sub(shown);
    Ok(retrieval.select(left, Truncation::Left, &count).pieces.len())
}
