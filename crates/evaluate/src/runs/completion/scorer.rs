//! Measures contexts at one cursor, optionally with the completions of a model.

use anyhow::Result;
use foreword_engine::pipeline::CursorRetrieval;

use super::retrieval::Retrieval;
use crate::measures::coverage::{ContextPiece, Coverage, Hole};
use crate::runs::model_client::{HoleText, ModelClient, score};

/// Measures the contexts of all methods at one cursor.
pub struct Scorer<'a> {
    /// Model that completes with each context, if any.
    pub model: Option<&'a ModelClient>,
    /// Retrieval at the cursor.
    pub retrieval: &'a Retrieval<'a>,
    /// Hole that contexts are measured against.
    pub hole: &'a Hole,
    /// `owner/name`.
    pub repository: &'a str,
}

impl Scorer<'_> {
    /// The measures of a context, and the model's completion if a model is set.
    pub fn measure(&self, pieces: &[ContextPiece]) -> Result<(Coverage, Option<String>)> {
        let mut res = self.hole.measure(pieces);
        let Some(model) = self.model else { return Ok((res, None)) };
        let CursorRetrieval { cursor, window, .. } = &**self.retrieval;
        let text_around = HoleText::new(self.repository, cursor.path(), window, self.hole.truth());
        let text = model.complete(&text_around, pieces)?;
        score(&mut res, &text, self.hole.truth());
        Ok((res, Some(text)))
    }
}
