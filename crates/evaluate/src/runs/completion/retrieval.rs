//! The engine's retrieval at the cursor of a task.

use std::ops::Deref;

use anyhow::{Context as _, Result};
use foreword_chunk::Language;
use foreword_engine::fuse::Candidate;
use foreword_engine::order::Truncation;
use foreword_engine::pipeline::{Control, CursorRetrieval};
use foreword_engine::preset::Preset;
use foreword_engine::scope::{Cursor, View};
use foreword_engine::trim::{Piece, Selection as PieceSelection, Window};

use crate::baselines::BaselineInput;
use crate::measures::coverage::{ContextPiece, Hole};
use crate::runs::completion::cursor::CodeView;
use crate::tasks::corpus::count_tokens;
use crate::tasks::task::Task;

/// The engine's retrieval at a cursor.
pub struct Retrieval<'a>(CursorRetrieval<'a>);

impl<'a> Deref for Retrieval<'a> {
    type Target = CursorRetrieval<'a>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<'a> Retrieval<'a> {
    /// Ranks the candidates and cuts the window.
    pub fn new(view: &View<'a>, cursor: &'a Cursor, preset: &'a Preset) -> Self {
        let mut control = Control::default();
        Self(CursorRetrieval::new(view.clone(), cursor, preset, &count_tokens, &mut control))
    }

    /// The same candidates with another window.
    #[must_use]
    pub fn with_window(self, window: Window) -> Self {
        Self(CursorRetrieval { window, ..self.0 })
    }

    /// Takes the candidates out of the retrieval.
    pub fn take_candidates(&mut self) -> Vec<Candidate> {
        std::mem::take(&mut self.0.ranking.candidates)
    }

    /// Replaces the candidates; the best comes first.
    pub fn put_candidates(&mut self, candidates: Vec<Candidate>) {
        self.0.ranking.candidates = candidates;
    }

    /// The tokens of the preset's prompt that remain for pieces.
    pub fn piece_budget(&self) -> usize {
        self.preset.budget.total.saturating_sub(self.window_tokens())
    }

    /// Tokens of the window.
    pub fn window_tokens(&self) -> usize {
        count_tokens(&self.window.prefix) + count_tokens(&self.window.suffix)
    }

    /// The hole of a task.
    pub fn hole(&self, task: &Task) -> Result<Hole> {
        let text = self.cursor.text();
        let head = &text[..text.floor_char_boundary(4096)];
        let language = Language::of_path(self.cursor.path(), head);
        let window = (self.window.prefix.as_str(), self.window.suffix.as_str());
        let truth = task.ground_truth.as_deref().context("the task has no ground truth")?;
        Ok(Hole::new(truth, self.cursor.prefix(), window, language, &task.relevant))
    }

    /// The input of the baselines.
    pub fn baseline_input<'s>(&'s self, code: &CodeView<'s>, id: &'s str) -> BaselineInput<'s> {
        BaselineInput {
            snapshot: self.view.snapshot(),
            cursor: self.cursor,
            scope: &self.scope,
            window: &self.window,
            session: code.session,
            edits: code.edits,
            id,
            count: &count_tokens,
        }
    }

    /// The engine's pieces for a window, within `tokens`.
    pub fn select(&self, window: &Window, tokens: usize) -> PieceSelection {
        self.select_beside(window, tokens, Truncation::Left, &count_tokens)
    }

    /// The engine's pieces within `tokens`.
    pub fn pieces(&self, tokens: usize) -> Vec<ContextPiece> {
        self.select(&self.window, tokens).pieces.iter().map(context_piece).collect()
    }

    /// The engine's pieces within a budget; by default that of the preset.
    pub fn within(&self, budget: Option<usize>) -> Vec<ContextPiece> {
        self.pieces(budget.unwrap_or(self.preset.budget.total))
    }
}

/// Converts a piece of the engine.
pub fn context_piece(it: &Piece) -> ContextPiece {
    ContextPiece {
        path: it.path.clone(),
        start_line: it.start_line,
        end_line: it.end_line,
        text: it.text.clone(),
        tokens: it.tokens,
    }
}
