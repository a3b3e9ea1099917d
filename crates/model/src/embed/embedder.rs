//! An embedding model with its prefixes and retries.

use std::time::{Duration, Instant};

use foreword_engine::dense::QuestionVector;
use foreword_engine::index::PROBE;

use super::Prefixes;
use super::endpoint::{EmbedderSource, Endpoint};
use crate::error::ModelError;

/// Settings of an embedding model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmbedderSettings {
    /// Location of the model.
    pub source: EmbedderSource,
    /// Words before a question; the model card's if `None`.
    pub question_prefix: Option<String>,
    /// Words before a text; the model card's if `None`.
    pub text_prefix: Option<String>,
    /// Tokens of a text to send. If `None`: all that a server reads, or 2048 for a model file.
    pub context: Option<usize>,
    /// Maximum wait for the vector of a question.
    pub patience: Duration,
}

impl EmbedderSettings {
    /// Key under which vectors are stored: the model's name, independent of the server; the server's address if no
    /// model is named; for a file, a hash of its contents.
    pub fn identity(&self) -> String {
        let name = self.source.identity();
        match self.prefixes().text.as_str() {
            "" => name,
            prefix => format!("{name} {prefix}"),
        }
    }

    fn prefixes(&self) -> Prefixes {
        let known = Prefixes::of_model(&self.source.name());
        Prefixes {
            question: self.question_prefix.clone().unwrap_or(known.question),
            text: self.text_prefix.clone().unwrap_or(known.text),
        }
    }
}

/// A connected embedding model.
#[derive(Clone, Debug)]
pub struct Embedder {
    endpoint: Endpoint,
    place: String,
    prefixes: Prefixes,
    /// Maximum bytes of a text to send.
    most_bytes: usize,
    patience: Duration,
}

/// Maximum time for a batch of texts: a processor without an accelerator embeds a few dozen chunks a second.
const BATCH_PATIENCE: Duration = Duration::from_mins(2);

/// Minimum bytes of code per token; a text that is still too long is cut again.
const BYTES_A_TOKEN: usize = 3;

/// Shorter texts are not cut further: the model has no vector for them.
const LEAST_BYTES: usize = 256;

/// Number of requests to a busy or starting server, and the maximum wait between them.
const TRIES: u32 = 6;
const LONGEST_WAIT: Duration = Duration::from_mins(1);

impl Embedder {
    /// Connects to the server, or loads the file. Sends no text.
    pub async fn connect(settings: &EmbedderSettings) -> Result<Self, ModelError> {
        let EmbedderSettings { source, context, patience, .. } = settings;
        let endpoint = Endpoint::open(source, *context).await?;
        // A model file counts tokens itself.
        let is_sent = matches!(source, EmbedderSource::Server { .. });
        let most = context.filter(|_| is_sent).map(|it| it.saturating_mul(BYTES_A_TOKEN));
        Ok(Self {
            endpoint,
            place: source.place(),
            prefixes: settings.prefixes(),
            most_bytes: most.unwrap_or(usize::MAX),
            patience: *patience,
        })
    }

    /// Name of the model, or its location if it has no name.
    pub fn name(&self) -> &str {
        self.endpoint.name()
    }

    /// The vector of [`PROBE`], which identifies the model.
    pub async fn probe(&self) -> Result<QuestionVector, ModelError> {
        let texts = vec![PROBE.to_owned()];
        let mut vectors = self.patiently(&texts, None).await?.into_iter();
        self.direction(vectors.next())
    }

    /// The vectors of a question and of [`PROBE`]; fails on a timeout.
    pub async fn question(
        &self,
        text: &str,
    ) -> Result<(QuestionVector, QuestionVector), ModelError> {
        let question = format!("{}{text}", self.prefixes.question);
        let texts = vec![PROBE.to_owned(), cut(&question, self.most_bytes).to_owned()];
        let mut vectors = self.send(&texts, None, self.patience).await?.into_iter();
        let probe = self.direction(vectors.next())?;
        Ok((self.direction(vectors.next())?, probe))
    }

    /// The vectors of texts, in order, of as many `dimensions` as the probe's. Texts that are too long are cut; `None` if
    /// the model still refuses a text.
    pub async fn texts(
        &self,
        texts: &[String],
        dimensions: usize,
    ) -> Result<Vec<Option<Vec<f32>>>, ModelError> {
        let mut res = vec![None; texts.len()];
        let sent = |it: &String| {
            let text = format!("{}{it}", self.prefixes.text);
            cut(&text, self.most_bytes).to_owned()
        };
        let mut left: Vec<Vec<(usize, String)>> =
            vec![texts.iter().map(sent).enumerate().collect()];
        while let Some(mut batch) = left.pop() {
            let sent: Vec<String> = batch.iter().map(|it| it.1.clone()).collect();
            match self.patiently(&sent, Some(dimensions)).await {
                Ok(vectors) => {
                    let numbered = batch.iter().map(|it| it.0).zip(vectors);
                    numbered.for_each(|(at, vector)| res[at] = usable(vector));
                }
                Err(error) if !is_text_error(&error) => return Err(error),
                Err(_) if batch.len() > 1 => {
                    let rest = batch.split_off(batch.len() / 2);
                    left.extend([rest, batch]);
                }
                Err(_) => {
                    let (at, text) = &batch[0];
                    if text.len() > LEAST_BYTES {
                        left.push(vec![(*at, cut(text, text.len() / 2).to_owned())]);
                    }
                }
            }
        }
        Ok(res)
    }

    /// Retries while the server is busy or loads its model.
    async fn patiently(
        &self,
        texts: &[String],
        dimensions: Option<usize>,
    ) -> Result<Vec<Vec<f32>>, ModelError> {
        let mut tries = 0;
        loop {
            let error = match self.send(texts, dimensions, BATCH_PATIENCE).await {
                Ok(vectors) => return Ok(vectors),
                Err(error) => error,
            };
            let wait = match &error {
                ModelError::Busy { after, .. } => after.parse().ok().map(Duration::from_secs),
                ModelError::Refused { status: 503, .. } => None,
                _ => return Err(error),
            };
            tries += 1;
            if tries == TRIES {
                return Err(error);
            }
            let wait = wait.unwrap_or(Duration::from_secs(1 << tries)).min(LONGEST_WAIT);
            tokio::time::sleep(wait).await;
        }
    }

    async fn send(
        &self,
        texts: &[String],
        dimensions: Option<usize>,
        patience: Duration,
    ) -> Result<Vec<Vec<f32>>, ModelError> {
        self.endpoint.embed(texts, dimensions, Instant::now() + patience).await
    }

    fn direction(&self, vector: Option<Vec<f32>>) -> Result<QuestionVector, ModelError> {
        let vector = vector.unwrap_or_default();
        QuestionVector::new(&vector)
            .ok_or_else(|| ModelError::NoDirection { url: self.place.clone() })
    }
}

/// Whether the texts may be the cause: too many, or one too long.
fn is_text_error(error: &ModelError) -> bool {
    match error {
        ModelError::Refused { status, .. } => matches!(status, 200 | 400 | 413 | 422 | 500),
        ModelError::Timeout { .. } => true,
        _ => false,
    }
}

/// The vector, if it has a direction.
fn usable(vector: Vec<f32>) -> Option<Vec<f32>> {
    QuestionVector::new(&vector).is_some().then_some(vector)
}

/// The first `most` bytes of a text, up to a character boundary.
fn cut(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}
