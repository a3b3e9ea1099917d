//! An embedding model with what it wants to be told, asked with patience.

use std::time::{Duration, Instant};

use foreword_engine::dense::QuestionVector;
use foreword_engine::index::PROBE;

use super::endpoint::{EmbedderSource, Endpoint};
use super::{LearnFrom, Prefixes};
use crate::error::ModelError;

/// Which model, and how it is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmbedderSettings {
    /// Where it is.
    pub source: EmbedderSource,
    /// The words before questions and texts; those that the model's card names without them.
    pub question_prefix: Option<String>,
    /// As above, before texts.
    pub text_prefix: Option<String>,
    /// Tokens of a text that are sent, what the server reads without it; of a file's model those that it reads, 2048 without it.
    pub context: Option<usize>,
    /// How long a question may wait for its vector.
    pub patience: Duration,
    /// From what a map of questions is learned.
    pub learn: LearnFrom,
}

impl EmbedderSettings {
    /// What vectors are kept by: the model, whichever server has it, or the server where nobody named the model; of a file what
    /// it holds.
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
    /// Bytes of a text that are sent.
    most_bytes: usize,
    patience: Duration,
}

/// How long a batch of texts may take: a processor without an accelerator embeds some dozen chunks a second.
const BATCH_PATIENCE: Duration = Duration::from_mins(2);

/// Bytes of code a token, at the least; a text that is too long all the same is cut again.
const BYTES_A_TOKEN: usize = 3;

/// Below so many bytes a text is not cut further: the model gives no vector for it.
const LEAST_BYTES: usize = 256;

/// How often a busy or starting server is asked again, and the longest wait before.
const TRIES: u32 = 6;
const LONGEST_WAIT: Duration = Duration::from_mins(1);

impl Embedder {
    /// Connects to the server, or loads the file; no text is sent.
    pub async fn connect(settings: &EmbedderSettings) -> Result<Self, ModelError> {
        let EmbedderSettings { source, context, patience, .. } = settings;
        let endpoint = Endpoint::open(source, *context).await?;
        // The model of a file counts itself.
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

    /// The name of the model; where it is, if it has none.
    pub fn name(&self) -> &str {
        self.endpoint.name()
    }

    /// The vector by which the model is known again, that of [`PROBE`].
    pub async fn probe(&self) -> Result<QuestionVector, ModelError> {
        let texts = vec![PROBE.to_owned()];
        let mut vectors = self.patiently(&texts).await?.into_iter();
        self.direction(vectors.next())
    }

    /// The vector of a question, and that of [`PROBE`]; fails where they do not come in time.
    pub async fn question(
        &self,
        text: &str,
    ) -> Result<(QuestionVector, QuestionVector), ModelError> {
        let texts =
            vec![PROBE.to_owned(), cut(&self.as_question(text), self.most_bytes).to_owned()];
        let mut vectors = self.send(&texts, self.patience).await?.into_iter();
        let probe = self.direction(vectors.next())?;
        Ok((self.direction(vectors.next())?, probe))
    }

    /// The vectors of texts, in their order. Texts that are too long are cut; `None` for one that the model has no vector for
    /// all the same.
    pub async fn texts(&self, texts: &[String]) -> Result<Vec<Option<Vec<f32>>>, ModelError> {
        self.prefixed(texts.iter().map(|it| self.as_text(it)).collect()).await
    }

    /// A text as the model wants to read it.
    pub(super) fn as_text(&self, text: &str) -> String {
        format!("{}{text}", self.prefixes.text)
    }

    /// A question as the model wants to read it.
    pub(super) fn as_question(&self, text: &str) -> String {
        format!("{}{text}", self.prefixes.question)
    }

    /// The vectors of questions and texts that have their prefixes.
    pub(super) async fn prefixed(
        &self,
        texts: Vec<String>,
    ) -> Result<Vec<Option<Vec<f32>>>, ModelError> {
        let mut res = vec![None; texts.len()];
        let short = |it: String| cut(&it, self.most_bytes).to_owned();
        let mut left: Vec<Vec<(usize, String)>> =
            vec![texts.into_iter().map(short).enumerate().collect()];
        while let Some(mut batch) = left.pop() {
            let sent: Vec<String> = batch.iter().map(|it| it.1.clone()).collect();
            match self.patiently(&sent).await {
                Ok(vectors) => {
                    let numbered = batch.iter().map(|it| it.0).zip(vectors);
                    numbered.for_each(|(at, vector)| res[at] = usable(vector));
                }
                Err(error) if !is_of_texts(&error) => return Err(error),
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

    /// Asks again while the server has too much to do, or loads its model.
    async fn patiently(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, ModelError> {
        let mut tries = 0;
        loop {
            let error = match self.send(texts, BATCH_PATIENCE).await {
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
        patience: Duration,
    ) -> Result<Vec<Vec<f32>>, ModelError> {
        self.endpoint.embed(texts, Instant::now() + patience).await
    }

    fn direction(&self, vector: Option<Vec<f32>>) -> Result<QuestionVector, ModelError> {
        let vector = vector.unwrap_or_default();
        QuestionVector::new(&vector)
            .ok_or_else(|| ModelError::NoDirection { url: self.place.clone() })
    }
}

/// Whether the texts may be the reason: too many, or one that is too long.
fn is_of_texts(error: &ModelError) -> bool {
    match error {
        ModelError::Refused { status, .. } => matches!(status, 200 | 400 | 413 | 422 | 500),
        ModelError::Timeout { .. } => true,
        _ => false,
    }
}

/// A vector that has a direction.
fn usable(vector: Vec<f32>) -> Option<Vec<f32>> {
    QuestionVector::new(&vector).is_some().then_some(vector)
}

/// The beginning of a text, of at most so many bytes.
fn cut(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}
