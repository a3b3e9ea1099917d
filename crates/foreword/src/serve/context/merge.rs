//! One prompt of the repository's pieces and of what the client has gathered itself, each thing once.

use std::sync::Arc;

use foreword_chunk::Language;
use foreword_engine::compose::{self, Format, Hole, Origin, Part, Prompt};
use foreword_engine::preset;
use foreword_engine::prompt::Composed;
use foreword_engine::scope::Cursor;
use foreword_engine::trim::{Count, Dropped, Piece, Why};
use foreword_model::request::{ContextPiece, Fill, RenderedPrompt};
use rustc_hash::FxHashSet;

use crate::answer::prompt::{Made, Wanted, Watch, compose_in};
use crate::answer::trace::Trace;
use crate::host::{Repository, View};
use crate::serve::context::prepare::Form;
use crate::serve::protocols::request::Ask;

/// Of the tokens, the share that the client's own snippets may take.
const CLIENT: f32 = 0.25;

/// So much of a snippet's lines are somewhere else already when it is the same.
const SAME: f32 = 0.8;

/// A prompt, and what it was made of.
pub(crate) struct Merged {
    pub(crate) prompt: RenderedPrompt,
    /// In the order of the prompt.
    pub(crate) pieces: Vec<ContextPiece>,
    /// The text before the cursor that is shown.
    pub(crate) prefix: String,
    pub(crate) suffix: String,
    /// The repository's pieces.
    pub(crate) chosen: Vec<Piece>,
}

/// Composes the prompt for a cursor and hands it over; then, if that says that it is wanted, explains all, as JSON.
pub(crate) fn compose(
    repository: &Repository,
    view: &View,
    cursor: &Cursor,
    ask: &Ask,
    form: &Form,
    hand_over: impl FnOnce(Merged) -> bool,
) -> anyhow::Result<Option<String>> {
    let watch = Watch::new();
    let at_cursor =
        repository.overlay_cursor(Arc::clone(&view.snapshot), &cursor.path, &cursor.text)?;
    let (format, counter) = (form.format, &form.counter);
    let mut preset = form.preset;
    preset.budget = preset::budget(own(form));
    let whole = preset.budget.total;
    let (brought, taken) = brought(ask, form);
    preset.budget.total = whole - taken;
    let repository = repository.workspace().name.as_str();
    let snapshot = &*view.snapshot;
    let wanted = Wanted { repository, snapshot, cursor, preset: &preset, format, counter };
    let mut made = compose_in(wanted, at_cursor.situation(), watch)?;
    let (merged, own) = merged(&wanted, &mut made, brought, whole);
    if !hand_over(merged) {
        return Ok(None);
    }
    explained(Trace::new(&wanted, &made, view.fresh), own, whole).map(Some)
}

/// The prompt with what the client brought, within so many tokens, and how many pieces of it are the repository's. What
/// was made is from then on what is shown.
fn merged(
    wanted: &Wanted<'_>,
    made: &mut Made<'_>,
    brought: Vec<ContextPiece>,
    most: usize,
) -> (Merged, usize) {
    let Wanted { repository, cursor, format, counter, .. } = *wanted;
    let count = |text: &str| counter.count(text);
    let fill = Fill {
        prefix: std::mem::take(&mut made.window.prefix),
        suffix: std::mem::take(&mut made.window.suffix),
        ..Fill::default()
    };
    let render = |pieces: &[ContextPiece]| {
        render(format, repository, &cursor.path, made.scope.language, &fill, pieces)
    };
    let composed = made.composed.choice.pieces.len();
    let own = without_known(&mut made.composed, &brought);
    let is_as_composed = brought.is_empty() && own.len() == composed;
    // What the client brings changes least from one request to the next, so it stands first: a server need not read
    // it again.
    let mut pieces = [brought, own].concat();
    let mut rendered = render(&pieces);
    let mut tokens = if is_as_composed { made.composed.tokens } else { rendered.tokens(&count) };
    while tokens > most && !pieces.is_empty() {
        pieces.remove(0);
        rendered = render(&pieces);
        tokens = rendered.tokens(&count);
    }
    let choice = &mut made.composed.choice.pieces;
    let own = choice.len().min(pieces.len());
    choice.drain(..choice.len() - own);
    let chosen = choice.clone();
    made.composed.tokens = tokens;
    made.composed.prompt = numbered(rendered.whole, pieces.len() - own, own);
    let Fill { prefix, suffix, .. } = fill;
    (Merged { prompt: rendered.prompt, pieces, prefix, suffix, chosen }, own)
}

/// Tokens of the prompt without what a tokenizer adds.
fn own(form: &Form) -> usize {
    form.budget.saturating_sub(form.counter.added())
}

/// What of the client's snippets is shown, and what it costs.
pub(crate) fn brought(ask: &Ask, form: &Form) -> (Vec<ContextPiece>, usize) {
    let most = (own(form) as f32 * CLIENT) as usize;
    fitting(&ask.shown, [&ask.prefix, &ask.suffix], most, &|text| form.counter.count(text))
}

/// Drops the repository's pieces that the client has brought already, and gives the others to be shown.
fn without_known(composed: &mut Composed, brought: &[ContextPiece]) -> Vec<ContextPiece> {
    let known = lines_of(brought.iter().map(|it| it.text.as_str()));
    let choice = &mut composed.choice;
    let (same, other) = std::mem::take(&mut choice.pieces)
        .into_iter()
        .partition(|it| !brought.is_empty() && share(&it.text, &known) >= SAME);
    choice.pieces = other;
    let dropped = |it: Piece| Dropped {
        chunk: it.place.chunk(),
        path: it.path,
        start_line: it.start_line,
        end_line: it.end_line,
        score: it.score,
        why: Why::Duplicate { of: "what the client sent".to_owned() },
    };
    choice.dropped.extend(Vec::from_iter(same).into_iter().map(dropped));
    let shown = |it: &Piece| ContextPiece { path: it.path.clone(), text: it.text.clone() };
    choice.pieces.iter().map(shown).collect()
}

/// The prompt with the repository's pieces numbered from 0 and the client's, which stand before them, after those.
fn numbered(mut prompt: Prompt, brought: usize, own: usize) -> Prompt {
    for segment in &mut prompt.segments {
        if let Origin::Part(at) = &mut segment.origin {
            *at = if *at < brought { *at + own } else { *at - brought };
        }
    }
    prompt
}

/// The explanation, in which what the client brought is of its own kind.
fn explained(mut trace: Trace, own: usize, budget: usize) -> anyhow::Result<String> {
    for segment in &mut trace.segments {
        if segment.piece.is_some_and(|it| it >= own) {
            segment.source = "client";
            segment.piece = None;
        }
    }
    trace.budget.total = budget + trace.budget.added;
    // What the client brought was paid from it, too.
    trace.settings.budget = trace.budget.total;
    Ok(serde_json::to_string(&trace)?)
}

/// A rendered prompt with the places of its parts.
pub(crate) struct Whole {
    pub(crate) prompt: RenderedPrompt,
    whole: Prompt,
}

impl Whole {
    fn tokens(&self, count: Count<'_>) -> usize {
        count(&self.whole.text)
    }

    /// The prompt as far as the end of the last piece: what stays the same while the user types.
    pub(crate) fn head(&self) -> &str {
        let is_piece = |it: &&compose::Segment| matches!(it.origin, Origin::Part(_));
        let last = self.whole.segments.iter().rfind(is_piece);
        last.map_or("", |it| &self.whole.text[..it.range.end])
    }
}

/// Renders a hole with pieces in a format.
pub(crate) fn render(
    format: &'static Format,
    repository: &str,
    path: &str,
    language: Option<Language>,
    fill: &Fill,
    pieces: &[ContextPiece],
) -> Whole {
    let hole = Hole {
        repository,
        path,
        line_comment: language.and_then(Language::line_comment),
        language_name: language.map(Language::name),
        prefix: &fill.prefix,
        suffix: &fill.suffix,
    };
    let parts: Vec<Part<'_>> =
        pieces.iter().map(|it| Part { path: &it.path, text: &it.text }).collect();
    let whole = compose::compose(format, &hole, &parts);
    let prompt =
        RenderedPrompt { format: format.name, text: whole.text.clone(), stop: whole.stop.clone() };
    Whole { prompt, whole }
}

/// The newest of the client's snippets that fit and are not in the text around the cursor, and what they cost.
fn fitting(
    brought: &[ContextPiece],
    around: [&str; 2],
    most: usize,
    count: Count<'_>,
) -> (Vec<ContextPiece>, usize) {
    let mut known = lines_of(around);
    let mut taken = 0;
    let mut res = Vec::new();
    for it in brought.iter().rev() {
        let tokens = count(&it.text) + count(&it.path);
        if share(&it.text, &known) >= SAME || taken + tokens > most {
            continue;
        }
        taken += tokens;
        known.extend(lines_of([it.text.as_str()]));
        res.push(it.clone());
    }
    res.reverse();
    (res, taken)
}

/// The lines that say something, without the blanks around them.
fn lines_of<'t>(texts: impl IntoIterator<Item = &'t str>) -> FxHashSet<&'t str> {
    texts.into_iter().flat_map(telling).collect()
}

fn telling(text: &str) -> impl Iterator<Item = &str> {
    let says = |it: &&str| it.chars().filter(|c| c.is_alphanumeric()).nth(2).is_some();
    text.lines().map(str::trim).filter(says)
}

/// How much of a text is among the lines.
fn share(text: &str, known: &FxHashSet<&str>) -> f32 {
    let (mut all, mut same) = (0, 0);
    for line in telling(text) {
        all += 1;
        same += usize::from(known.contains(line));
    }
    if all == 0 { 1.0 } else { same as f32 / all as f32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(path: &str, text: &str) -> ContextPiece {
        ContextPiece { path: path.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn what_is_in_the_window_or_newer_elsewhere_is_not_shown_again() {
        let around = ["def first():\n    return 1\n", ""];
        let brought = [
            shown("a.py", "def first():\n    return 1\n"),
            shown("b.py", "def second():\n    pass\n"),
            shown("c.py", "def second():\n    pass\n"),
            shown("d.py", "\n\n"),
        ];
        let (kept, taken) = fitting(&brought, around, 100, &|it: &str| it.len());
        assert_eq!(kept, [brought[2].clone()]);
        assert_eq!(taken, brought[2].text.len() + 4);
    }

    #[test]
    fn the_newest_snippets_stay_when_there_is_no_room_for_all() {
        let brought = [shown("a", "alpha beta\n"), shown("b", "gamma delta\n")];
        let (kept, _) = fitting(&brought, ["", ""], 15, &|it: &str| it.len());
        assert_eq!(kept, brought[1..]);
    }
}
