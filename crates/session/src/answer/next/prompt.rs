//! The prompt for a next-edit model: the region around a cursor, the edits since the last commit, and context.

use std::ops::Range;
use std::sync::Arc;

use anyhow::Context as _;
use foreword_chunk::LineIndex;
use foreword_engine::compose::Part;
use foreword_engine::compose::edit::{
    EditFormat, EditInput, EditPrompt, EditRegion, PastEdit, compose_edit, file_before,
};
use foreword_engine::index::Snapshot;
use foreword_engine::next::{Edit, edits_since_commit};
use foreword_engine::pipeline::Control;
use foreword_engine::scope::{Cursor, View};
use foreword_engine::trim::Piece;
use foreword_engine::{context, preset};

/// Tokens for pieces of other files: such models have windows of 4,000 to 8,000 tokens, and are used for their speed.
const PIECE_TOKENS: usize = 1500;

/// Maximum number of edits in the prompt; Sweep's program has six, Zed's eight.
const MAX_EDITS: usize = 6;

/// Maximum lines of an edit; longer ones are not worth their tokens.
const MAX_EDIT_LINES: usize = 60;

/// Approximate bytes of code per token, since the model's counting is unknown.
const BYTES_PER_TOKEN: usize = 3;

/// A prompt, and the region that its answer replaces.
pub(super) struct RegionPrompt {
    /// The file.
    pub(super) text: Arc<str>,
    /// Its bytes that the model may rewrite.
    pub(super) region: Range<usize>,
    pub(super) prompt: EditPrompt,
}

/// The prompt at a byte of a file of the snapshot.
pub fn edit_prompt(
    snapshot: &Snapshot,
    place: (&str, usize),
    format: &EditFormat,
) -> anyhow::Result<EditPrompt> {
    Ok(prompt_at(snapshot, place, format)?.prompt)
}

/// The prompt at the first word of a line, from 1.
pub(super) fn region_prompt(
    snapshot: &Snapshot,
    (path, line): (&str, u32),
    format: &EditFormat,
) -> anyhow::Result<RegionPrompt> {
    let file = snapshot.file(path).with_context(|| format!("{path} is not in the index"))?;
    let text = snapshot.text(file);
    let start = LineIndex::new(text.as_bytes()).start_of(line).min(text.len());
    let indent = text[start..].find(|it: char| it != ' ' && it != '\t').unwrap_or_default();
    prompt_at(snapshot, (path, start + indent), format)
}

fn prompt_at(
    snapshot: &Snapshot,
    (path, offset): (&str, usize),
    format: &EditFormat,
) -> anyhow::Result<RegionPrompt> {
    let file = snapshot.file(path).with_context(|| format!("{path} is not in the index"))?;
    let text = snapshot.text(file);
    let mut edits = edits_since_commit(snapshot);
    if !edits.is_empty() {
        let line = 1 + text[..offset].matches('\n').count() as u32;
        super::towards(snapshot, &mut edits, (path, line));
    }
    let text_of = |it: &Edit| snapshot.file(&it.path).map(|it| snapshot.text(it));
    let texts: Vec<_> = edits.iter().map(|it| text_of(it).unwrap_or_default()).collect();
    let past = edits.iter().zip(&texts).filter_map(|(it, text)| past_edit(it, text));
    let history: Vec<PastEdit<'_>> = past.take(MAX_EDITS).collect();
    let region = EditRegion::around(&text, offset, format.lines);
    let own: Vec<(Range<usize>, &str)> = edits
        .iter()
        .filter(|it| it.path == path)
        .map(|it| (it.range.clone(), it.removed.as_str()))
        .collect();
    let pieces = pieces(snapshot, (path, &text, offset))?;
    let parts: Vec<Part<'_>> =
        pieces.iter().map(|it| Part { path: &it.path, text: &it.text }).collect();
    let prompt = compose_edit(
        format,
        &EditInput {
            path,
            above: &text[region.above.clone()],
            to_cursor: &text[region.region.start..offset],
            from_cursor: &text[offset..region.region.end],
            original: &region.original(&text, &own),
            below: &text[region.below.clone()],
            file_before: &file_before(&text, offset, &own),
            parts: &parts,
            history: &history,
        },
    );
    Ok(RegionPrompt { text: Arc::clone(&text), region: region.region, prompt })
}

/// Pieces of other files.
fn pieces(
    snapshot: &Snapshot,
    (path, text, offset): (&str, &str, usize),
) -> anyhow::Result<Vec<Piece>> {
    let cursor = Cursor::new(path, text, offset)?;
    let view = View::new(snapshot, &cursor)?;
    let count = |text: &str| text.len() / BYTES_PER_TOKEN + 1;
    let preset = preset::context();
    Ok(context(view, &cursor, &preset, PIECE_TOKENS, &count, &mut Control::default()).pieces)
}

fn past_edit<'e>(edit: &'e Edit, text: &'e str) -> Option<PastEdit<'e>> {
    let after = text.get(edit.range.clone())?;
    let is_short = |it: &str| it.lines().count() <= MAX_EDIT_LINES;
    let line = 1 + text[..edit.range.start].matches('\n').count() as u32;
    let before = edit.removed.as_str();
    let (start, end) = (edit.range.start, edit.range.end);
    (is_short(before) && is_short(after)).then_some(PastEdit {
        path: &edit.path,
        line,
        before,
        after,
        above: text[..start].split_inclusive('\n').next_back().unwrap_or_default(),
        below: text[end..].split_inclusive('\n').next().unwrap_or_default(),
    })
}
