//! Runs one task: the context of each method within each budget, and its measures.

use std::time::Instant;

use anyhow::{Result, ensure};
use foreword_engine::preset::Preset;

use super::outcome::{Answer, HoleKind, Outcome};
use crate::baselines::WordCache;
use crate::measures::coverage::{ContextPiece, Hole};
use crate::runs::completion::cursor::{CodeView, cursor_of, each, ensure_hole_is_absent};
use crate::runs::completion::retrieval::Retrieval;
use crate::runs::completion::scorer::Scorer;
use crate::runs::completion::{CompletionSettings, Detail, Method};
use crate::tasks::corpus::count_tokens;
use crate::tasks::task::Task;

/// The tasks of one repository, in turn.
pub(super) fn all(
    settings: &CompletionSettings,
    tasks: &[Task],
    preset: &Preset,
) -> Vec<Result<Outcome, String>> {
    let mut words = WordCache::default();
    each(settings, tasks, |code, task| ask(settings, code, task, preset, &mut words))
}

/// Runs one task.
pub(super) fn ask(
    settings: &CompletionSettings,
    code: &CodeView<'_>,
    task: &Task,
    preset: &Preset,
    words: &mut WordCache,
) -> Result<Outcome> {
    let cursor = cursor_of(task, settings.protocol, code.session)?;
    ensure_hole_is_absent(code, task)?;
    let start = Instant::now();
    let view = code.view(&cursor)?;
    let retrieval = Retrieval::new(&view, &cursor, preset);
    let own = retrieval.piece_budget();
    let most = settings.budgets.iter().map(|it| it.unwrap_or(own)).max().unwrap_or(own);
    retrieval.pieces(most);
    let milliseconds = start.elapsed().as_secs_f64() * 1e3;
    let hole = retrieval.hole(task)?;
    let methods = Methods::new(settings, code, &retrieval, &hole, task);
    let mut answers = methods.engine(Method::Engine.name(), &retrieval, own)?;
    for it in &settings.variants {
        let variant =
            Retrieval::new(&view, &cursor, &it.preset).with_window(retrieval.window.clone());
        answers.extend(methods.engine(&it.name, &variant, own)?);
    }
    answers.extend(methods.baselines(&task.id, words)?);
    Ok(Outcome {
        id: task.id.clone(),
        repo: task.repo.clone(),
        language: task.language.clone(),
        is_test: task.meta.is_test_file,
        kind: HoleKind::of(task),
        has_session: !code.session.is_empty(),
        milliseconds,
        window: retrieval.window_tokens(),
        known: hole.known(view.snapshot()),
        targets: hole.targets().len(),
        answers,
    })
}

/// The methods at one cursor.
struct Methods<'a> {
    settings: &'a CompletionSettings,
    code: &'a CodeView<'a>,
    scorer: Scorer<'a>,
}

impl<'a> Methods<'a> {
    fn new(
        settings: &'a CompletionSettings,
        code: &'a CodeView<'a>,
        retrieval: &'a Retrieval<'a>,
        hole: &'a Hole,
        task: &'a Task,
    ) -> Self {
        let model = settings.model.as_deref();
        Self { settings, code, scorer: Scorer { model, retrieval, hole, repository: &task.repo } }
    }

    /// The engine's answers within each budget; `own` is the budget of its preset.
    fn engine(&self, name: &str, retrieval: &Retrieval<'_>, own: usize) -> Result<Vec<Answer>> {
        let answer = |budget: &Option<usize>| {
            self.answer(name, *budget, &retrieval.pieces(budget.unwrap_or(own)))
        };
        self.settings.budgets.iter().map(answer).collect()
    }

    fn baselines(&self, id: &str, words: &mut WordCache) -> Result<Vec<Answer>> {
        let input = self.scorer.retrieval.baseline_input(self.code, id);
        let mut res = Vec::new();
        for baseline in &self.settings.baselines {
            let offer = baseline.offer(words, &input);
            for budget in &self.settings.budgets {
                let pieces = offer.cut(*budget, &count_tokens);
                res.push(self.answer(baseline.name(), *budget, &pieces)?);
            }
        }
        Ok(res)
    }

    fn answer(
        &self,
        method: &str,
        budget: Option<usize>,
        pieces: &[ContextPiece],
    ) -> Result<Answer> {
        let spent: usize = pieces.iter().map(|it| it.tokens).sum();
        ensure!(budget.is_none_or(|it| spent <= it), "{method} exceeds its budget");
        let (coverage, written) = self.scorer.measure(pieces)?;
        let method = method.to_owned();
        let (shown, covered, written) = match self.settings.detail {
            Detail::Measures => (Vec::new(), Vec::new(), None),
            Detail::Pieces => {
                let lines =
                    |it: &ContextPiece| format!("{}:{}-{}", it.path, it.start_line, it.end_line);
                let covered = self.scorer.hole.covered_by(pieces);
                (pieces.iter().map(lines).collect(), covered, written)
            }
        };
        Ok(Answer { method, budget, coverage, shown, covered, written })
    }
}
