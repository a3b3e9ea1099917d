//! Plans by a chat model, file by file: which are missing, making them within budgets, and what they cost.
//!
//! Beside the plans (`plans/VIEW.agents.plans`) there are the transcripts of the last run for each file, the ledger, the
//! model that plans, and a mark while planning is paused. All of it is a cache of the index directory: deleting it costs
//! what making it cost, and changes no other answer.

mod ledger;
mod places;
mod purse;
mod run;

pub use ledger::{Entry, Ledger};
pub use places::{KnownModel, Places};
pub use purse::{Purse, usd};
pub use run::{FileOutcome, FileReport, RunReport};

use std::collections::BTreeSet;

use foreword_engine::history::{CoChange, CoChangeConfig, History};
use foreword_engine::index::{Snapshot, Store};
use foreword_engine::speculate::{PlanStore, Plans, Schedule, schedule};
use foreword_load::{HistoryLimits, Workspace, history};
use foreword_model::ModelError;
use foreword_model::agents::{
    AgentConfig, AgentError, AgentPlanner, AgentRun, Subject, Transcript,
};
use foreword_model::http::{Api, Server};

use crate::backend::ChatSettings;

/// A repository as it is now, with what its last commits say.
pub struct State {
    /// The snapshot.
    pub snapshot: Snapshot,
    /// The name of the repository.
    pub repository: String,
    history: History,
    together: CoChange,
    /// Where one is likely to type next, the likeliest first: what is not committed, then what was changed last.
    recently: Vec<String>,
}

impl State {
    /// `snapshot` has what differs from the last commit.
    pub fn new(workspace: &Workspace, store: &Store, snapshot: Snapshot) -> Self {
        let history = history(workspace, Some(store.dir()), &HistoryLimits::usual());
        let together = CoChange::new(history.clone(), CoChangeConfig::measured());
        let recently = recently(&snapshot, &history);
        let repository = workspace.name.clone();
        Self { snapshot, repository, history, together, recently }
    }

    fn subject<'s>(&'s self, path: &'s str) -> Subject<'s> {
        Subject {
            snapshot: &self.snapshot,
            repository: &self.repository,
            path,
            history: &self.history,
            together: &self.together,
        }
    }
}

/// Where one is likely to type next: the files that differ from the last commit, then those that were changed last.
fn recently(snapshot: &Snapshot, history: &History) -> Vec<String> {
    let edited = snapshot.files().map(|it| snapshot.path(it));
    let edited = edited.filter(|it| snapshot.diff().file(it).is_some());
    let committed = history.commits.iter().flat_map(|it| &it.files);
    let committed = committed.filter_map(|it| history.paths.get(*it as usize));
    let mut met = BTreeSet::new();
    let all = edited.chain(committed.map(String::as_str));
    all.filter(|it| met.insert(*it)).map(str::to_owned).collect()
}

/// Which files need a plan by a model, the likeliest to be edited first; `plans` are those that it has made.
pub fn schedule_of(
    workspace: &Workspace,
    store: &Store,
    snapshot: &Snapshot,
    (plans, most): (&Plans, usize),
) -> Schedule {
    let history = history(workspace, Some(store.dir()), &HistoryLimits::usual());
    schedule(snapshot, plans, &recently(snapshot, &history), most)
}

/// A chat model that plans, with where its plans are.
pub struct Agents {
    planner: AgentPlanner,
    store: PlanStore,
    places: Places,
    model: KnownModel,
}

impl Agents {
    /// Connects to the model of the settings.
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

    /// The model that planned last, without connecting: for replays, and for saying what would be done.
    pub fn offline(settings: &ChatSettings, workspace: &Workspace, store: &Store) -> Self {
        let known = Places::new(workspace, store).model();
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
        Self { planner, store: plans, places: Places::new(workspace, store), model }
    }

    /// Where the plans are.
    pub fn store(&self) -> &PlanStore {
        &self.store
    }

    /// The model, as it is named in keys and reports.
    pub fn model(&self) -> &str {
        &self.model.name
    }

    /// Has the model work on one file.
    pub fn plan(
        &mut self,
        state: &State,
        path: &str,
        purse: &mut Purse,
    ) -> Result<AgentRun, AgentError> {
        let header = self.planner.header(&state.snapshot, path);
        let mut transcript = Transcript::resume(&self.places.transcript(path), header);
        let mut meter = |charge| purse.charge(charge);
        foreword_model::wait(self.planner.plan(&state.subject(path), &mut transcript, &mut meter))
    }

    /// The same from the transcript of the last time, asking nobody.
    pub fn replay(&mut self, state: &State, path: &str) -> Result<AgentRun, AgentError> {
        let header = self.planner.header(&state.snapshot, path);
        let mut transcript = Transcript::replay(&self.places.transcript(path), header)?;
        let mut meter = |_| Ok(());
        foreword_model::wait(self.planner.plan(&state.subject(path), &mut transcript, &mut meter))
    }
}

/// The limits, by the settings and by the model's window.
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
