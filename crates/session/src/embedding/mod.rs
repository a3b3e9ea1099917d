//! The meaning of questions by the user's embedding model (`[models.embed]`), an optional signal beside the words.
//!
//! A server that is slow, gone, or another one than the vectors are by costs its patience once in a while and a note;
//! words alone answer then. Making the vectors is [`foreword_model::embed::fill`], by `foreword embed` and by open
//! repositories in the background.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use foreword_engine::dense::QuestionVector;
use foreword_engine::index::{Coverage, Snapshot, Store, VectorStore, Vectors};
use foreword_engine::preset;
use foreword_engine::retrieve::{Meanings, question_query};
use foreword_model::ModelError;
use foreword_model::embed::{Embedder, EmbedderSettings};

use crate::shared_cache::SharedCache;

/// Pause after a failed request.
const RETRY_AFTER: Duration = Duration::from_secs(15);

/// Interval at which vectors written by other processes are read.
const REREAD_INTERVAL: Duration = Duration::from_secs(3);

/// Maximum number of cached question vectors, for pages of one answer and repeated questions.
const MAX_QUESTIONS: usize = 16;

/// Maximum number of requests that wait for the server; further questions are answered by words at once.
const MAX_REQUESTS: usize = 4;

/// The embedding model of one repository, with its vectors. Nothing is locked for all callers while a file is read or a
/// server answers.
pub struct Embedding {
    settings: EmbedderSettings,
    store: VectorStore,
    /// The connected model.
    model: SharedCache<(), Embedder>,
    questions: SharedCache<String, QuestionVector>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    vectors: Option<StoredVectors>,
    failed: Option<(String, Instant)>,
    /// Number of questions that wait for the server.
    requests: usize,
}

/// The vectors in a file of this size, read at or after this time. While they are read, `earlier` ones are used.
#[derive(Clone)]
struct StoredVectors {
    vectors: Arc<OnceLock<Arc<Vectors>>>,
    earlier: Option<Arc<Vectors>>,
    size: u64,
    at: Instant,
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
            model: SharedCache::new(1),
            questions: SharedCache::new(MAX_QUESTIONS),
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

    /// The current vectors, at most a few seconds old. While one caller reads newer ones, the others get these.
    pub fn vectors(&self) -> Arc<Vectors> {
        let size = self.store.size();
        let mut state = self.lock();
        let known = state.vectors.clone();
        let is_current = |it: &StoredVectors| it.size == size || it.at.elapsed() < REREAD_INTERVAL;
        if let Some(known) = known.as_ref().filter(|it| is_current(it)) {
            drop(state);
            let earlier = known.vectors.get().or(known.earlier.as_ref());
            return Arc::clone(earlier.unwrap_or_else(|| self.read(&known.vectors)));
        }
        let earlier = known.and_then(|it| it.vectors.get().cloned().or(it.earlier));
        let vectors = Arc::default();
        let latest =
            StoredVectors { vectors: Arc::clone(&vectors), earlier, size, at: Instant::now() };
        state.vectors = Some(latest);
        drop(state);
        Arc::clone(self.read(&vectors))
    }

    fn read<'v>(&self, vectors: &'v OnceLock<Arc<Vectors>>) -> &'v Arc<Vectors> {
        vectors.get_or_init(|| Arc::new(self.store.load()))
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
        self.questions.get(text.to_owned(), || {
            let _request = self.admit()?;
            let asked = self.ask(text, vectors);
            let failed = asked.as_ref().err().map(|why| (why.clone(), Instant::now()));
            if failed.is_some() {
                self.model.clear();
            }
            self.lock().failed = failed;
            asked
        })
    }

    /// Admits a request, unless one failed a moment ago or too many are waiting.
    fn admit(&self) -> Result<Request<'_>, String> {
        let mut state = self.lock();
        if let Some((why, at)) = &state.failed
            && at.elapsed() < RETRY_AFTER
        {
            return Err(why.clone());
        }
        if state.requests == MAX_REQUESTS {
            let place = self.settings.source.place();
            return Err(format!("{MAX_REQUESTS} other questions wait for {place}"));
        }
        state.requests += 1;
        Ok(Request(self))
    }

    fn ask(&self, text: &str, vectors: &Vectors) -> Result<QuestionVector, String> {
        let connect = || foreword_model::wait(Embedder::connect(&self.settings));
        let asked = apart(|| {
            let embedder = self.model.get((), connect)?;
            foreword_model::wait(embedder.question(text))
        });
        let asked = asked.map_err(|it| format!("cannot start a thread: {it}"))?;
        let (question, probe) = asked.map_err(|it| explained(&it))?;
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

/// A question that waits for the server.
struct Request<'e>(&'e Embedding);

impl Drop for Request<'_> {
    fn drop(&mut self) {
        self.0.lock().requests -= 1;
    }
}

/// The error of a model server, with the names of this role's settings.
pub fn explained(error: &ModelError) -> String {
    error
        .to_string()
        .replace(
            "correct its address (`foreword config` shows where it is set)",
            "correct models.embed.url",
        )
        .replace("--model-url", "models.embed.url")
        .replace("--model-api", "models.embed.api")
        .replace("--gguf wants", "models.embed.gguf wants")
        .replace("a code completion model", "an embedding model")
        .replace("--gguf-context", "models.embed.context")
        .replace("raise --timeout or lower --budget", "raise models.embed.timeout_ms")
}

/// Runs a closure on its own thread: callers may be on a thread of a runtime, which must not block on another runtime.
fn apart<T: Send>(run: impl FnOnce() -> T + Send) -> std::io::Result<T> {
    std::thread::scope(|scope| match std::thread::Builder::new().spawn_scoped(scope, run)?.join() {
        Ok(res) => Ok(res),
        Err(panic) => std::panic::resume_unwind(panic),
    })
}
