//! Completions of a hole with the context of each method.

use anyhow::{Context as _, Result};
use foreword_engine::preset::Preset;
use serde::Serialize;

use super::PassSettings;
use super::sandbox::{Ending, TestRun};
use crate::baselines::WordCache;
use crate::measures::coverage::ContextPiece;
use crate::runs::completion::cursor::{CodeView, cursor_of, ensure_hole_is_absent};
use crate::runs::completion::retrieval::Retrieval;
use crate::runs::completion::{CompletionSettings, Method};
use crate::runs::model_client::HoleText;
use crate::runs::speculate::TaskPlanner;
use crate::tasks::corpus::count_tokens;
use crate::tasks::task::Task;

/// A completion with one context.
#[derive(Debug, Serialize)]
pub(crate) struct Attempt {
    /// Name of the method that chose the context.
    pub(crate) context: String,
    /// Tokens for pieces; `None` for the method's own.
    pub(crate) budget: Option<usize>,
    /// The completion.
    pub(crate) body: String,
    /// The run of the tests with it.
    pub(crate) run: Option<TestRun>,
}

impl Attempt {
    /// Whether the tests passed.
    pub(crate) fn passed(&self) -> bool {
        self.run.as_ref().is_some_and(|it| it.ending == Ending::Passed)
    }

    /// The context with its budget.
    pub(crate) fn series(&self) -> String {
        match self.budget {
            Some(budget) => format!("{} at {budget}", self.context),
            None => self.context.clone(),
        }
    }
}

/// Completes the functions of one repository.
pub(super) struct Attempter<'s> {
    settings: &'s CompletionSettings,
    preset: &'s Preset,
    words: WordCache,
    planner: Option<TaskPlanner<'s>>,
}

impl<'s> Attempter<'s> {
    pub(super) fn new(settings: &'s PassSettings, preset: &'s Preset) -> Self {
        let planner = settings.plans.as_ref().map(TaskPlanner::new);
        Self { settings: &settings.completion, preset, words: WordCache::default(), planner }
    }

    /// The completions of a model with the engine's context, those of the baselines and those from plans, within each
    /// budget.
    pub(super) fn attempts(&mut self, code: &CodeView<'_>, task: &Task) -> Result<Vec<Attempt>> {
        let (settings, preset) = (self.settings, self.preset);
        let model = settings.model.as_deref().context("there is no model")?;
        ensure_hole_is_absent(code, task)?;
        let cursor = cursor_of(task, settings.protocol, code.session)?;
        let view = code.view(&cursor)?;
        let retrieval = Retrieval::new(&view, &cursor, preset);
        let truth = task.ground_truth.as_deref().unwrap_or_default();
        let spot = HoleText::new(&task.repo, cursor.path(), &retrieval.window, truth);
        let attempt = |context: &str, budget: Option<usize>, pieces: &[ContextPiece]| {
            let body = model.complete(&spot, pieces)?;
            Ok::<_, anyhow::Error>(Attempt { context: context.to_owned(), budget, body, run: None })
        };
        let mut res = Vec::new();
        let own = retrieval.piece_budget();
        for budget in &settings.budgets {
            let pieces = retrieval.pieces(budget.unwrap_or(own));
            res.push(attempt(Method::Engine.name(), *budget, &pieces)?);
        }
        let input = retrieval.baseline_input(code, &task.id);
        for baseline in &settings.baselines {
            let offer = baseline.offer(&mut self.words, &input);
            for budget in &settings.budgets {
                let pieces = offer.cut(*budget, &count_tokens);
                res.push(attempt(baseline.name(), *budget, &pieces)?);
            }
        }
        if let Some(planner) = &mut self.planner {
            let tokens: Vec<usize> = settings.budgets.iter().map(|it| it.unwrap_or(own)).collect();
            let (live, at) = ((&retrieval, preset), (code, &cursor));
            for (mix, tokens, pieces) in
                planner.contexts(&settings.corpora, task, live, at, &tokens)?
            {
                res.push(attempt(&mix, Some(tokens), &pieces)?);
            }
        }
        Ok(res)
    }
}
