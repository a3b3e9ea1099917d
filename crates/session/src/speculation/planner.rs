//! A configured chat model that plans files, and its storage.

use foreword_engine::index::Store;
use foreword_engine::speculate::PlanStore;
use foreword_load::Workspace;
use foreword_model::ModelError;
use foreword_model::agents::{AgentConfig, AgentError, AgentPlanner, AgentRun, Transcript};
use foreword_model::http::{Api, Server};

use super::budget_guard::BudgetGuard;
use super::plan_paths::{KnownModel, PlanPaths};
use super::state::RepositoryState;
use crate::backend::ChatSettings;

/// A chat model that plans, and the paths of its plans.
pub struct ModelPlanner {
    pub(super) planner: AgentPlanner,
    pub(super) store: PlanStore,
    pub(super) paths: PlanPaths,
    pub(super) model: KnownModel,
}

impl ModelPlanner {
    /// Connects to the configured model.
    pub fn connect(
        settings: &ChatSettings,
        workspace: &Workspace,
        store: &Store,
    ) -> Result<Self, ModelError> {
        let (server, model) = foreword_model::wait(async {
            let api = settings.api.as_deref().and_then(Api::named);
            let (name, key) = (settings.model.as_deref(), settings.key.clone());
            let server = Server::connect(&settings.url, api, name, key).await?;
            let name = if server.model().is_empty() { server.base() } else { server.model() };
            let model = (name.to_owned(), server.window().await);
            Ok::<_, ModelError>((server, model))
        })?;
        Ok(Self::new(Some(server), model, settings, (workspace, store)))
    }

    /// Uses the model that planned last without connecting, for replays and dry runs.
    pub fn offline(settings: &ChatSettings, workspace: &Workspace, store: &Store) -> Self {
        let known = PlanPaths::new(workspace, store).model();
        let named = settings.model.as_deref();
        let known = known.filter(|it| named.is_none_or(|name| name == it.name));
        let name = named.unwrap_or(&settings.url).to_owned();
        let model = known.map_or((name, None), |it| (it.name, it.window));
        Self::new(None, model, settings, (workspace, store))
    }

    fn new(
        server: Option<Server>,
        (name, window): (String, Option<u64>),
        settings: &ChatSettings,
        (workspace, store): (&Workspace, &Store),
    ) -> Self {
        let planner = AgentPlanner::new(server, &name, config(settings, window));
        let fingerprint = planner.key().fingerprint.clone();
        let model = KnownModel { name, window, fingerprint };
        let plans = PlanStore::new(store, &workspace.view_key(), planner.key().clone());
        Self { planner, store: plans, paths: PlanPaths::new(workspace, store), model }
    }

    /// The store of the plans.
    pub fn store(&self) -> &PlanStore {
        &self.store
    }

    /// Name of the model in keys and reports.
    pub fn model(&self) -> &str {
        &self.model.name
    }

    /// Plans one file.
    pub fn plan(
        &mut self,
        state: &RepositoryState,
        path: &str,
        guard: &mut BudgetGuard,
    ) -> Result<AgentRun, AgentError> {
        let header = self.planner.header(&state.snapshot, path);
        let mut transcript = Transcript::resume(&self.paths.transcript(path), header);
        let mut meter = |charge| guard.charge(charge);
        foreword_model::wait(self.planner.plan(&state.subject(path), &mut transcript, &mut meter))
    }

    /// Plans one file from the transcript of its last run, without requests.
    pub fn replay(&mut self, state: &RepositoryState, path: &str) -> Result<AgentRun, AgentError> {
        let header = self.planner.header(&state.snapshot, path);
        let mut transcript = Transcript::replay(&self.paths.transcript(path), header)?;
        let mut meter = |_| Ok(());
        foreword_model::wait(self.planner.plan(&state.subject(path), &mut transcript, &mut meter))
    }
}

/// Limits from the settings and the model's context window.
fn config(settings: &ChatSettings, window: Option<u64>) -> AgentConfig {
    let usual = AgentConfig::usual();
    let limits = &settings.limits;
    let config = AgentConfig {
        max_tokens: limits.max_tokens.unwrap_or(usual.max_tokens),
        timeout: limits.timeout.unwrap_or(usual.timeout),
        ..usual
    };
    let window = [window.map(|it| it as usize), limits.context].into_iter().flatten().min();
    match window {
        Some(window) => config.within(window),
        None => config,
    }
}
