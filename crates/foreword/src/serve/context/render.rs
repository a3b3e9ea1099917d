//! Renders a hole and its pieces in the prompt format of a model.

use foreword_chunk::Language;
use foreword_engine::compose::{self, Format, Hole, Origin, Part, Prompt};
use foreword_engine::trim::Count;
use foreword_model::request::{ContextPiece, Fill, RenderedPrompt};

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
