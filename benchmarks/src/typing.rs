//! The cost of one more character in an open file, part by part: the text is analysed incrementally, overlaid on the
//! index, and a context is composed.

use std::sync::Arc;

use foreword_chunk::{Analysis, Parse, PreviousParse};
use foreword_engine::index::{AnalyzedFile, FileId, IndexConfig, PackedFile, Snapshot, Store};
use foreword_engine::order::Truncation;
use foreword_engine::pipeline::{Control, CursorRetrieval};
use foreword_engine::preset::{self, Preset};
use foreword_engine::scope::{Cursor, View};

use crate::arguments::Arguments;
use crate::measure;
use crate::query::count;
use crate::random::Random;
use crate::stages;
use crate::timers::Timers;

/// Classes of file sizes, in bytes.
const CLASSES: [(u32, u32); 4] =
    [(0, 10_000), (10_000, 50_000), (50_000, 200_000), (200_000, 1 << 20)];
/// Keys pressed in each file.
const KEYS: usize = 12;

/// `foreword-bench typing DIR`.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let root = arguments.directory()?;
    let n: usize = arguments.number("files", 10)?;
    let scratch = arguments.scratch()?;
    let store = Store::new(scratch.path().join("index"), IndexConfig::default());
    stages::indexed(&root, &store)?;
    measure::begin(arguments)?;
    let snapshot = stages::indexed(&root, &store)?.snapshot;
    let mut random = Random(23);
    for (least, most) in CLASSES {
        let fits = |it: &FileId| {
            (least..most).contains(&snapshot.size(*it).0) && snapshot.record(*it).language.is_some()
        };
        let files: Vec<FileId> = snapshot.files().filter(fits).collect();
        let mut timers = Timers::default();
        for _ in 0..n.min(files.len()) {
            typed(&snapshot, files[random.below(files.len())], &mut random, &mut timers)?;
        }
        timers.print(&format!("a key in a file of {} to {} kB", least / 1000, most / 1000));
    }
    measure::end();
    Ok(())
}

/// The rest of a line is deleted and typed again.
fn typed(
    snapshot: &Snapshot,
    file: FileId,
    random: &mut Random,
    timers: &mut Timers,
) -> anyhow::Result<()> {
    let (path, text) = (snapshot.path(file).to_owned(), snapshot.text(file));
    let Some((start, end)) = long_line(&text, random) else { return Ok(()) };
    let middle = text.floor_char_boundary(start + (end - start) / 3);
    let mut before: Option<PreviousParse> = None;
    for key in 0..KEYS {
        let offset = text.floor_char_boundary((middle + key).min(end));
        let now = format!("{}{}", &text[..offset], &text[end..]);
        if key == 0 {
            let language = snapshot.record(file).language;
            before = Parse::new(now.as_bytes(), language).into_previous();
            continue;
        }
        before = one_key(snapshot, &path, now, offset, before.as_ref(), timers)?;
    }
    Ok(())
}

/// A line of forty characters or more, near a random place.
fn long_line(text: &str, random: &mut Random) -> Option<(usize, usize)> {
    let mut start =
        text[..text.floor_char_boundary(random.below(text.len().max(1)))].rfind('\n')? + 1;
    loop {
        let end = start + text[start..].find('\n')?;
        if end - start >= 40 {
            return Some((start, end));
        }
        start = end + 1;
    }
}

fn one_key(
    snapshot: &Snapshot,
    path: &str,
    text: String,
    offset: usize,
    before: Option<&PreviousParse>,
    timers: &mut Timers,
) -> anyhow::Result<Option<PreviousParse>> {
    let language = snapshot.file(path).and_then(|it| snapshot.record(it).language);
    let config = &snapshot.config().chunk;
    let cursor = Cursor::new(path, text.clone(), offset)?;
    let parsed = timers.time("(parse on)", || Parse::after(text.as_bytes(), language, before));
    let symbols = timers.time("(symbols)", || parsed.symbols());
    timers.time("(chunks)", || parsed.chunks(&symbols, config));
    let (analysed, kept) = timers.time("analyse: these three and terms", || {
        let parse = Parse::after(text.as_bytes(), language, before);
        let symbols = parse.symbols();
        let chunks = parse.chunks(&symbols, config);
        let (outline, outcome) = (parse.outline(), parse.outcome());
        let analysis = Analysis { chunks, symbols, outline, outcome };
        let (path, text, kept) = (path.to_owned(), text.clone(), parse.into_previous());
        (AnalyzedFile::with_analysis(path, text, language, analysis), kept)
    });
    let packed = Arc::new(timers.time("pack", || PackedFile::new(analysed)));
    let change = [(path.to_owned(), Some(packed))].into();
    let overlaid = timers.time("lay over the index", || snapshot.with_packed(&change))?;
    timers.time("context", || answer(snapshot, Arc::new(overlaid), &cursor, &preset::context()));
    Ok(kept)
}

fn answer(before: &Snapshot, overlaid: Arc<Snapshot>, cursor: &Cursor, preset: &Preset) -> usize {
    let view = View::with_overlay(before, Some(overlaid));
    let retrieval = CursorRetrieval::new(view, cursor, preset, &count, &mut Control::default());
    let window = &retrieval.window;
    let shown = count(&window.prefix) + count(&window.suffix);
    let left = preset.budget.total.saturating_sub(shown);
    retrieval.select(left, Truncation::Left, &count).pieces.len()
}
