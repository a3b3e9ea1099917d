//! The meaning of questions by the user's embedding model (`[models.embed]`), an optional signal beside the words.
//!
//! A server that is slow, gone, or another one than the vectors are by costs its patience once in a while and a note;
//! words alone answer then. Making the vectors is [`foreword_model::embed::fill`], by `foreword embed` and by open
//! repositories in the background.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use foreword_engine::dense::QuestionVector;
use foreword_engine::index::{Coverage, Snapshot, Store, VectorStore, Vectors};
use foreword_engine::preset;
use foreword_engine::retrieve::{Meanings, question_query};
use foreword_model::ModelError;
use foreword_model::embed::{Embedder, EmbedderSettings};

/// Pause after a failed request.
const RETRY_AFTER: Duration = Duration::from_secs(15);

/// Interval at which vectors written by other processes are read.
const REREAD_INTERVAL: Duration = Duration::from_secs(3);

/// Maximum number of cached question vectors, for pages of one answer and repeated questions.
const MAX_QUESTIONS: usize = 16;

/// The embedding model of one repository, with its vectors.
pub struct Embedding {
    settings: EmbedderSettings,
    store: VectorStore,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    embedder: Option<Embedder>,
    vectors: Option<(Arc<Vectors>, u64, Instant)>,
    failed: Option<(String, Instant)>,
    /// Latest last.
    questions: Vec<(String, QuestionVector)>,
}

/// The embedding of a question, if known.
#[derive(Default)]
pub struct QuestionMeaning {
    embedded: Option<(QuestionVector, Arc<Vectors>)>,
    coverage: Option<Coverage>,
    trouble: Option<String>,
}

impl QuestionMeaning {
    /// The vectors of the question and of the chunks.
    pub fn meanings(&self) -> Option<Meanings<'_>> {
        let embedded = self.embedded.as_ref();
        embedded.map(|(question, chunks)| Meanings { question, chunks })
    }

    /// The share of chunks with vectors.
    pub fn coverage(&self) -> Option<Coverage> {
        self.coverage
    }

    /// A note about missing vectors or a failure; `None` without problems.
    pub fn note(&self) -> Option<String> {
        let partly = self.coverage.filter(|it| !it.is_whole()).map(|it| {
            format!(
                "the meaning of {} of {} chunks is known so far, the others are found by words alone; `foreword embed` makes the rest",
                it.known, it.chunks
            )
        });
        self.trouble.clone().or(partly)
    }
}

impl Embedding {
    /// A model with vectors next to the index in `store`. Sends no request yet.
    pub fn new(settings: &EmbedderSettings, store: &Store) -> Self {
        Self {
            settings: settings.clone(),
            store: VectorStore::new(store, &settings.identity()),
            state: Mutex::default(),
        }
    }

    /// The settings of the model.
    pub fn settings(&self) -> &EmbedderSettings {
        &self.settings
    }

    /// Where the vectors are stored.
    pub fn store(&self) -> &VectorStore {
        &self.store
    }

    /// The current vectors, at most a few seconds old.
    pub fn vectors(&self) -> Arc<Vectors> {
        let mut state = self.lock();
        let size = self.store.size();
        match &state.vectors {
            Some((vectors, read, at)) if *read == size || at.elapsed() < REREAD_INTERVAL => {
                Arc::clone(vectors)
            }
            _ => {
                let vectors = Arc::new(self.store.load());
                state.vectors = Some((Arc::clone(&vectors), size, Instant::now()));
                vectors
            }
        }
    }

    /// The embedding of a question. Sends no request without vectors, or for a name, which is searched by its spelling.
    pub fn meaning(&self, snapshot: &Snapshot, text: &str) -> QuestionMeaning {
        if question_query(text, snapshot, &preset::search().query).is_symbol {
            return QuestionMeaning::default();
        }
        let vectors = self.vectors();
        let coverage = Some(vectors.coverage(snapshot));
        if vectors.is_empty() {
            return QuestionMeaning { coverage, ..QuestionMeaning::default() };
        }
        match self.question(text, &vectors) {
            Ok(question) => {
                QuestionMeaning { embedded: Some((question, vectors)), coverage, trouble: None }
            }
            Err(why) => {
                let trouble = Some(format!("found by words alone: {why}"));
                QuestionMeaning { trouble, ..QuestionMeaning::default() }
            }
        }
    }

    fn question(&self, text: &str, vectors: &Vectors) -> Result<QuestionVector, String> {
        let mut state = self.lock();
        if let Some((_, known)) = state.questions.iter().find(|it| it.0 == text) {
            return Ok(known.clone());
        }
        if let Some((why, at)) = &state.failed
            && at.elapsed() < RETRY_AFTER
        {
            return Err(why.clone());
        }
        state.failed = None;
        match self.ask(&mut state, text, vectors) {
            Ok(question) => {
                if state.questions.len() == MAX_QUESTIONS {
                    state.questions.remove(0);
                }
                state.questions.push((text.to_owned(), question.clone()));
                Ok(question)
            }
            Err(why) => {
                (state.embedder, state.failed) = (None, Some((why.clone(), Instant::now())));
                Err(why)
            }
        }
    }

    fn ask(
        &self,
        state: &mut State,
        text: &str,
        vectors: &Vectors,
    ) -> Result<QuestionVector, String> {
        let asked = apart(|| {
            foreword_model::wait(async {
                let embedder = match &state.embedder {
                    Some(known) => known.clone(),
                    None => Embedder::connect(&self.settings).await?,
                };
                let found = embedder.question(text).await?;
                Ok::<_, ModelError>((embedder, found))
            })
        });
        let (embedder, (question, probe)) = asked.map_err(|it| explained(&it))?;
        state.embedder = Some(embedder);
        match vectors.is_by(&probe) {
            true => Ok(question),
            false => Err(format!(
                "another embedding model answers at {} than the vectors are by; `foreword embed` makes them anew",
                self.settings.source.place()
            )),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The error of a model server, with the names of this role's settings.
pub fn explained(error: &ModelError) -> String {
    error
        .to_string()
        .replace("--model-url", "models.embed.url")
        .replace("--model-api", "models.embed.api")
        .replace("--gguf wants", "models.embed.gguf wants")
        .replace("a code completion model", "an embedding model")
        .replace("--gguf-context", "models.embed.context")
        .replace("raise --timeout or lower --budget", "raise models.embed.timeout_ms")
}

/// Runs a closure on its own thread: callers may be on a thread of a runtime, which must not block on another runtime.
fn apart<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| match scope.spawn(run).join() {
        Ok(res) => res,
        Err(panic) => std::panic::resume_unwind(panic),
    })
}
