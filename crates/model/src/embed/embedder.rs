//! An embedding model with what it wants to be told, asked with patience.

use std::time::{Duration, Instant};

use foreword_engine::dense::QuestionVector;
use foreword_engine::index::PROBE;

use super::{EmbedRequest, Prefixes};
use crate::error::ModelError;
use crate::http::{Api, Server};

/// Which model, and how it is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmbedderSettings {
    /// The address of the server.
    pub url: String,
    /// The protocol; detected without it.
    pub api: Option<Api>,
    /// The name of the model; the server's own without it.
    pub model: Option<String>,
    /// The server's key.
    pub key: Option<String>,
    /// The words before questions and texts; those that the model's card names without them.
    pub question_prefix: Option<String>,
    /// As above, before texts.
    pub text_prefix: Option<String>,
    /// Tokens of a text that are sent; what the server reads without it.
    pub context: Option<usize>,
    /// How long a question may wait for its vector.
    pub patience: Duration,
}

impl EmbedderSettings {
    /// What vectors are kept by: the model, whichever server has it, or the server where nobody named the model.
    pub fn identity(&self) -> String {
        let name = self.model.as_deref().unwrap_or(&self.url);
        match self.prefixes().text.as_str() {
            "" => name.to_owned(),
            prefix => format!("{name} {prefix}"),
        }
    }

    fn prefixes(&self) -> Prefixes {
        let known = Prefixes::of_model(self.model.as_deref().unwrap_or_default());
        Prefixes {
            question: self.question_prefix.clone().unwrap_or(known.question),
            text: self.text_prefix.clone().unwrap_or(known.text),
        }
    }
}

/// A connected embedding model.
#[derive(Clone, Debug)]
pub struct Embedder {
    server: Server,
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
    /// Connects to the server; no text is sent.
    pub async fn connect(settings: &EmbedderSettings) -> Result<Self, ModelError> {
        let EmbedderSettings { url, api, model, key, context, patience, .. } = settings;
        let server = Server::connect(url, *api, model.as_deref(), key.clone()).await?;
        let most_bytes = context.map_or(usize::MAX, |it| it.saturating_mul(BYTES_A_TOKEN));
        Ok(Self { server, prefixes: settings.prefixes(), most_bytes, patience: *patience })
    }

    /// The name of the model; the server's address where it has none.
    pub fn name(&self) -> &str {
        let name = self.server.model();
        if name.is_empty() { self.server.base() } else { name }
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
        let question = format!("{}{text}", self.prefixes.question);
        let texts = vec![PROBE.to_owned(), cut(&question, self.most_bytes).to_owned()];
        let mut vectors = self.send(&texts, self.patience).await?.into_iter();
        let probe = self.direction(vectors.next())?;
        Ok((self.direction(vectors.next())?, probe))
    }

    /// The vectors of texts, in their order. Texts that are too long are cut; `None` for one that the model has no vector for
    /// all the same.
    pub async fn texts(&self, texts: &[String]) -> Result<Vec<Option<Vec<f32>>>, ModelError> {
        let mut res = vec![None; texts.len()];
        let whole =
            |it: &String| cut(&format!("{}{it}", self.prefixes.text), self.most_bytes).to_owned();
        let mut left: Vec<Vec<(usize, String)>> =
            vec![texts.iter().map(whole).enumerate().collect()];
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
        let deadline = Some(Instant::now() + patience);
        let request =
            EmbedRequest { texts: texts.to_vec(), dimensions: None, batch: texts.len(), deadline };
        Ok(self.server.embed(&request).await?.vectors)
    }

    fn direction(&self, vector: Option<Vec<f32>>) -> Result<QuestionVector, ModelError> {
        let vector = vector.unwrap_or_default();
        QuestionVector::new(&vector)
            .ok_or_else(|| ModelError::NoDirection { url: self.server.base().to_owned() })
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
