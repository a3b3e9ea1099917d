//! A request's context: how large it may be, whose turn it is, and what becomes of one that is late.

use std::sync::Arc;

use foreword_engine::compose::Format;
use foreword_engine::preset;
use tokio::sync::oneshot;

use crate::backend::{Endpoint, Upstream};
use crate::serve::app::App;
use crate::serve::complete::TOKENS;
use crate::serve::context::prepare::{Form, Prepared, prepare};
use crate::serve::observation::explanation::{Explaining, Explanation};
use crate::serve::observation::in_flight::Pending;
use crate::serve::observation::record::Context;
use crate::serve::protocols::request::{Ask, Told};

/// Of the time for a context, the part (one in so many) that a request waits for its turn. Whoever gets one has time to
/// finish then; else, under too much load, all would wait and none be in time.
const QUEUE: u32 = 3;

/// How the model is sent what it sees, within its window.
pub(crate) fn form(
    app: &App,
    upstream: &Arc<Upstream>,
    ask: &Ask,
    format: &'static Format,
) -> anyhow::Result<Form> {
    let endpoint = Endpoint::Server(Arc::clone(upstream));
    let counter = endpoint.counter(format)?;
    let answer = ask.wants.max_tokens.unwrap_or(TOKENS);
    let budget = endpoint.client_budget(app.options.budget, answer, ask.wants.window)?;
    Ok(Form { format, counter, budget, preset: preset::context(), reads_files: false })
}

/// The context, if it is wanted and comes in time.
pub(crate) async fn context(
    app: &Arc<App>,
    ask: &Ask,
    told: &Told,
    form: &Form,
    pending: &mut Pending,
) -> Option<Prepared> {
    if !ask.is_open() || told.bypass.unwrap_or(app.options.bypass) {
        return None;
    }
    let patience = app.options.patience;
    let deadline = tokio::time::Instant::now() + patience;
    let (explaining, explanation) = Explanation::coming();
    let made = computed(app, ask, form, explaining, pending.id());
    let failed = match tokio::time::timeout_at(deadline, made).await {
        Ok(Ok(prepared)) => {
            pending.prepared(&prepared);
            pending.record().trace = explanation;
            return Some(prepared);
        }
        Ok(Err(error)) if error.is::<Crowded>() => (Context::Late, error.to_string()),
        Ok(Err(error)) => (Context::Failed, error.to_string()),
        Err(_) => {
            let why = format!("the context was not ready after {} ms", patience.as_millis());
            (Context::Late, why)
        }
    };
    pending.record().context = failed.0;
    pending.record().notes.push(failed.1);
    None
}

/// No turn was free in time.
#[derive(Debug)]
struct Crowded;

impl std::fmt::Display for Crowded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("too many requests came at a time to make a context for each")
    }
}

impl std::error::Error for Crowded {}

/// Computes the context on a thread for that; so many are computed at a time as there are cores.
async fn computed(
    app: &Arc<App>,
    ask: &Ask,
    form: &Form,
    explaining: Explaining,
    id: &str,
) -> anyhow::Result<Prepared> {
    let Ok(turn) = tokio::time::timeout(app.options.patience / QUEUE, app.turn()).await else {
        return Err(Crowded.into());
    };
    let turn = turn?;
    let (app, ask, form, id) = (Arc::clone(app), ask.clone(), form.clone(), id.to_owned());
    let (sender, receiver) = oneshot::channel();
    tokio::task::spawn_blocking(move || {
        let explanation = handed_over(&app, &ask, &form, sender);
        drop(turn);
        if let Some(json) = explanation {
            explaining.done(&json);
            app.journal.grown(&id);
        }
    });
    receiver.await?
}

/// Hands the context over as soon as it is there, or why it is not; then explains it, unless others wait for their turn.
fn handed_over(
    app: &App,
    ask: &Ask,
    form: &Form,
    to: oneshot::Sender<anyhow::Result<Prepared>>,
) -> Option<String> {
    let mut to = Some(to);
    let mut hand_over = |made| to.take().is_some_and(|it| it.send(made).is_ok());
    let made = prepare(app, ask, form, app.options.patience, |mut prepared| {
        let is_idle = app.waiting() == 0;
        if !is_idle {
            let why = "others were waiting, so the context was not explained";
            prepared.notes.push(why.to_owned());
        }
        // What came too late is explained to nobody.
        hand_over(Ok(prepared)) && is_idle
    });
    match made {
        Ok(explanation) => explanation,
        Err(error) => {
            // If it is the explanation that failed, the request has gone on.
            hand_over(Err(error));
            None
        }
    }
}
