//! Pass@1: the tests of a repository decide whether a completion is right.
//!
//! Tasks are removed functions ([`remove`](crate::tasks::remove)). A context is chosen, and a model asked, in the state
//! that lacks the function with every mention of it, the tests included, as SpecAgent's benchmark does (arXiv 2510.17925).
//! Then the completion is put into the repository as it was, and all its tests are run, as in REPOCOD (arXiv
//! 2410.21647), in a sandbox.
//!
//! A function counts if the tests pass as they are and fail without its body: with one that does nothing, and in
//! compiled languages, where that mostly does not compile, also with one that stops the program. Without a model the
//! run tells which functions count.

mod attempt;
mod body;
mod environment;
mod memory;
mod sandbox;
mod text;

use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};
use foreword_engine::preset::Preset;
use serde::Serialize;

pub use self::sandbox::Limits;
pub use self::text::text;

use self::attempt::{Attempt, Attempter};
use self::body::Place;
use self::environment::Environment;
use self::sandbox::{Ending, Sandbox, TestRun};
use crate::runs::completion::cursor::each;
use crate::runs::completion::{CompletionSettings, choose};
use crate::runs::run::Run;
use crate::runs::speculate::Speculation;
use crate::tasks::task::Task;

/// The settings of a run.
#[derive(Debug)]
pub struct PassSettings {
    /// The tasks, the contexts and the model.
    pub completion: CompletionSettings,
    /// Directory with an environment per repository, at `owner+name`.
    pub environments: PathBuf,
    /// Limits of each run of the tests.
    pub limits: Limits,
    /// Contexts from plans, in addition.
    pub plans: Option<Speculation>,
    /// Repositories that are tested at the same time.
    pub jobs: usize,
}

/// The result of a run.
#[derive(Debug, Serialize)]
pub struct PassResult {
    /// The limits of each run of the tests.
    pub limits: Limits,
    /// Each function.
    pub functions: Vec<FunctionResult>,
}

/// A function and its attempts.
#[derive(Debug, Serialize)]
pub struct FunctionResult {
    pub(crate) id: String,
    pub(crate) repo: String,
    pub(crate) language: String,
    /// Why it does not count.
    pub(crate) discarded: Option<&'static str>,
    /// The run that decided that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) run: Option<TestRun>,
    /// The completions, by context and budget.
    pub(crate) attempts: Vec<Attempt>,
}

/// Tests all selected functions.
pub fn pass(settings: &PassSettings, preset: &Preset) -> Result<Run<PassResult>> {
    let sandbox = Sandbox::new(settings.limits)?;
    let mut batch = choose(&settings.completion)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(settings.jobs).build()?;
    let functions = pool.install(|| batch.ask(|tasks| all(settings, preset, &sandbox, tasks)));
    ensure!(!functions.is_empty(), "no task was asked: {}", batch.left_out.reasons());
    let result = PassResult { limits: settings.limits, functions };
    Ok(Run::new(preset, batch, result))
}

/// The functions of one repository, in turn.
fn all(
    settings: &PassSettings,
    preset: &Preset,
    sandbox: &Sandbox,
    tasks: &[Task],
) -> Vec<Result<FunctionResult, String>> {
    let mut attempter = Attempter::new(settings, preset);
    let mut tester = None;
    each(&settings.completion, tasks, |code, task| {
        let tester = match &mut tester {
            Some(tester) => tester,
            None => tester.insert(Tester::new(settings, sandbox, &task.repo)?),
        };
        let mut res = FunctionResult {
            id: task.id.clone(),
            repo: task.repo.clone(),
            language: task.language.clone(),
            discarded: None,
            run: None,
            attempts: Vec::new(),
        };
        match tester.check(task)? {
            Ok(place) if settings.completion.model.is_some() => {
                let completions = attempter.attempts(code, task)?;
                res.attempts = tester.judge(task, &place, completions)?;
            }
            Ok(_) => {}
            Err(Discard { why, run }) => (res.discarded, res.run) = (Some(why), run),
        }
        Ok(res)
    })
}

/// A function that does not count.
struct Discard {
    why: &'static str,
    run: Option<TestRun>,
}

impl From<&'static str> for Discard {
    fn from(why: &'static str) -> Self {
        Self { why, run: None }
    }
}

/// Runs the tests of one repository.
struct Tester<'s> {
    sandbox: &'s Sandbox,
    environment: Option<Environment>,
    /// The run of the repository as it is.
    untouched: Option<TestRun>,
}

impl<'s> Tester<'s> {
    fn new(settings: &PassSettings, sandbox: &'s Sandbox, repository: &str) -> Result<Self> {
        let environment = Environment::read(&settings.environments, repository)?;
        Ok(Self { sandbox, environment, untouched: None })
    }

    /// The place of a function that counts, or why it does not count.
    fn check(&mut self, task: &Task) -> Result<Result<Place, Discard>> {
        let Some(environment) = &self.environment else {
            return Ok(Err("its repository has no environment".into()));
        };
        if task.corpus.rev.as_deref() != Some(environment.revision.as_str()) {
            return Ok(Err("its environment has another commit".into()));
        }
        let path = path_of(task)?;
        let on_disk = environment.tree().join(path);
        let shown = || format!("cannot read {}", on_disk.display());
        let file = std::fs::read_to_string(&on_disk).with_context(shown)?;
        let place = match Place::new(task, &file) {
            Ok(place) => place,
            Err(why) => return Ok(Err(why.into())),
        };
        // The true body is the file as it was, whichever the function: one run is enough.
        ensure!(place.with_truth() == file, "the true body is not the file as it was");
        let untouched = match self.untouched.take() {
            Some(known) => known,
            None => self.sandbox.run(environment, path, &file)?,
        };
        let untouched = self.untouched.insert(untouched);
        if untouched.ending != Ending::Passed {
            let run = Some(untouched.clone());
            return Ok(Err(Discard { why: "the tests fail with the true body", run }));
        }
        let wrong = [
            (Some(place.with_nothing()), "the tests pass with an empty body"),
            (place.with_stop(), "no test runs it"),
        ];
        for (text, why) in wrong {
            let Some(text) = text else { continue };
            let run = self.sandbox.run(environment, path, &text)?;
            if run.ending == Ending::Passed {
                return Ok(Err(Discard { why, run: Some(run) }));
            }
        }
        Ok(Ok(place))
    }

    /// Runs the tests with each completion; equal ones share a run.
    fn judge(
        &self,
        task: &Task,
        place: &Place,
        mut completions: Vec<Attempt>,
    ) -> Result<Vec<Attempt>> {
        let environment = self.environment.as_ref().context("there is no environment")?;
        for at in 0..completions.len() {
            let (before, rest) = completions.split_at_mut(at);
            let it = &mut rest[0];
            let same = before.iter().find(|earlier| earlier.body == it.body);
            it.run = match same.and_then(|earlier| earlier.run.clone()) {
                Some(known) => Some(known),
                None => {
                    Some(self.sandbox.run(environment, path_of(task)?, &place.with(&it.body))?)
                }
            };
        }
        Ok(completions)
    }
}

fn path_of(task: &Task) -> Result<&str> {
    task.target_file.as_deref().context("the task names no file")
}
