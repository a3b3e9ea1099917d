//! The prompt of a request: its format and budget, and its rendering from a hole and pieces.

use foreword_chunk::Language;
use foreword_engine::compose::{self, Format, Hole, Origin, Part, Prompt};
use foreword_engine::preset::Preset;
use foreword_engine::trim::Count;
use foreword_model::TokenCounter;
use foreword_model::request::{ContextPiece, Fill, RenderedPrompt};
use foreword_session::backend::Input;

/// The settings of a prompt.
#[derive(Clone)]
pub(crate) struct PromptSettings {
    /// The prompt format; if no prompt is rendered, it is used to count the pieces.
    pub(crate) format: &'static Format,
    pub(crate) counter: TokenCounter,
    /// Token budget of the whole prompt.
    pub(crate) budget: usize,
    /// The ranking preset.
    pub(crate) preset: Preset,
    /// The kind of input that the model reads.
    pub(crate) input: Input,
    /// Completions below this confidence are withheld, if the model states one.
    pub(crate) least_confidence: f64,
}

impl PromptSettings {
    /// The token budget minus the tokens that a tokenizer adds.
    pub(super) fn own_budget(&self) -> usize {
        self.budget.saturating_sub(self.counter.added())
    }

    /// The ranking preset with the budget of this prompt.
    pub(super) fn budgeted_preset(&self) -> Preset {
        let mut preset = self.preset.clone();
        preset.budget.total = self.own_budget();
        preset
    }
}

/// A prompt, and the origin of each part.
pub(super) struct SegmentedPrompt {
    pub(super) prompt: RenderedPrompt,
    pub(super) segments: Prompt,
}

impl SegmentedPrompt {
    pub(super) fn tokens(&self, count: Count<'_>) -> usize {
        count(&self.segments.text)
    }

    /// The prompt up to the end of the last piece, which stays the same while the user types.
    pub(super) fn head(&self) -> &str {
        let is_piece = |it: &&compose::Segment| matches!(it.origin, Origin::Part(_));
        let last = self.segments.segments.iter().rfind(is_piece);
        last.map_or("", |it| &self.segments.text[..it.range.end])
    }
}

/// The hole to render. Its own prompt and pieces are not read.
pub(super) struct HoleInFile<'h> {
    /// The name of the repository, for formats that show it.
    pub(super) repository: &'h str,
    pub(super) path: &'h str,
    pub(super) language: Option<Language>,
    pub(super) fill: &'h Fill,
}

/// Renders a hole with pieces.
pub(super) fn render(
    format: &'static Format,
    it: &HoleInFile<'_>,
    pieces: &[ContextPiece],
) -> SegmentedPrompt {
    let hole = Hole {
        repository: it.repository,
        path: it.path,
        line_comment: it.language.and_then(Language::line_comment),
        language_name: it.language.map(Language::name),
        prefix: &it.fill.prefix,
        suffix: &it.fill.suffix,
    };
    let parts: Vec<Part<'_>> =
        pieces.iter().map(|it| Part { path: &it.path, text: &it.text }).collect();
    let segments = compose::compose(format, &hole, &parts);
    let prompt = RenderedPrompt {
        format: format.name,
        text: segments.text.clone(),
        stop: segments.stop.clone(),
    };
    SegmentedPrompt { prompt, segments }
}
