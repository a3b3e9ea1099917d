//! Composes a prompt and keeps what it was made of, with the time of every stage, so that [`super::trace`] can explain it.

use std::time::Instant;

use foreword_engine::compose::{Format, Origin};
use foreword_engine::context::{Ranked, Situation, around, rank_telling};
use foreword_engine::index::Snapshot;
use foreword_engine::preset::Preset;
use foreword_engine::prompt::{Composed, Target, prompt};
use foreword_engine::scope::{Cursor, Scope};
use foreword_engine::trim::{Piece, Window};
use foreword_model::TokenCounter;
use foreword_model::request::{ContextPiece, Fill, RenderedPrompt};
use serde::Serialize;

/// What is asked for.
#[derive(Clone, Copy)]
pub(crate) struct Wanted<'w> {
    /// The repository's name, for formats that show it.
    pub(crate) repository: &'w str,
    pub(crate) snapshot: &'w Snapshot,
    pub(crate) cursor: &'w Cursor,
    /// Its budget is for the whole prompt, without what a server adds ([`TokenCounter::added`]).
    pub(crate) preset: &'w Preset,
    pub(crate) format: &'static Format,
    pub(crate) counter: &'w TokenCounter,
}

/// A prompt, and what each stage made on the way to it.
pub(crate) struct Made<'s> {
    pub(crate) situation: Situation<'s>,
    pub(crate) scope: Scope,
    pub(crate) window: Window,
    pub(crate) ranked: Ranked,
    pub(crate) composed: Composed,
    /// In order of time.
    pub(crate) stages: Vec<Stage>,
}

/// How long one stage took.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Stage {
    pub(crate) stage: &'static str,
    pub(crate) ms: f64,
}

/// Takes the time of one stage after another.
pub(crate) struct Watch {
    last: Instant,
    stages: Vec<Stage>,
}

impl Watch {
    pub(crate) fn new() -> Self {
        Self { last: Instant::now(), stages: Vec::new() }
    }

    /// A stage ends now; the next one begins.
    pub(crate) fn lap(&mut self, stage: &'static str) {
        let now = Instant::now();
        self.stages.push(Stage { stage, ms: (now - self.last).as_secs_f64() * 1e3 });
        self.last = now;
    }

    pub(crate) fn stages(self) -> Vec<Stage> {
        self.stages
    }
}

/// The hole of a composed prompt, as a model is asked to fill it that is sent the prompt: the text around the cursor is
/// the window that the prompt has.
pub(crate) fn fill(composed: &Composed, format: &'static Format) -> Fill {
    let prompt = &composed.prompt;
    let window = |origin: Origin| {
        let parts = prompt.segments.iter().filter(|it| it.origin == origin);
        parts.map(|it| &prompt.text[it.range.clone()]).collect()
    };
    let shown = |it: &Piece| ContextPiece { path: it.path.clone(), text: it.text.clone() };
    Fill {
        prefix: window(Origin::Prefix),
        suffix: window(Origin::Suffix),
        pieces: composed.choice.pieces.iter().map(shown).collect(),
        prompt: Some(RenderedPrompt {
            format: format.name,
            text: prompt.text.clone(),
            stop: prompt.stop.clone(),
        }),
        ..Fill::default()
    }
}

/// Composes. Fails where the index is damaged, or with [`foreword_engine::prompt::TooSmall`].
pub(crate) fn compose(wanted: Wanted<'_>) -> anyhow::Result<Made<'_>> {
    let watch = Watch::new();
    let situation = Situation::new(wanted.snapshot, wanted.cursor)?;
    compose_in(wanted, situation, watch)
}

/// The same where the cursor's text is laid over the snapshot already, which `watch` saw.
pub(crate) fn compose_in<'w>(
    wanted: Wanted<'w>,
    situation: Situation<'w>,
    mut watch: Watch,
) -> anyhow::Result<Made<'w>> {
    let Wanted { repository, cursor, preset, format, counter, .. } = wanted;
    let count = |text: &str| counter.count(text);
    let scope = situation.scope(cursor);
    watch.lap("scope");
    let ranked =
        rank_telling(&situation, cursor, &scope, preset, &mut |step| watch.lap(step.name()));
    let window = around(cursor, &scope, preset, &count);
    watch.lap("window");
    let target = Target { format, repository, count: &count };
    let composed = prompt(&situation, cursor, &scope, &window, &ranked, preset, target)?;
    watch.lap("compose");
    let stages = watch.stages();
    Ok(Made { situation, scope, window, ranked, composed, stages })
}
