//! Embeddings by a server: OpenAI's `/v1/embeddings`, also in llama.cpp and many others, Ollama's `/api/embed`, and the
//! mean of token vectors from llama.cpp's `/embedding` for models without pooling.

use foreword_engine::sorting::sort_by_key;
use serde_json::{Value, json};
use tokio::time::{Instant, timeout_at};

use super::Server;
use super::ask::{bytes, post};
use super::embed_response::{Embeddings, Fault, MAX_DIMENSIONS};
use crate::embed::{EmbedRequest, EmbedResponse};
use crate::error::ModelError;

/// Maximum bytes of a response: vectors of the tokens of a batch of texts.
const MAX_BYTES: usize = 64 << 20;

impl Server {
    /// Embeds texts in batches. Fails unless each text gets one vector, all of the same, expected length.
    pub async fn embed(&self, request: &EmbedRequest) -> Result<EmbedResponse, ModelError> {
        let embedding = self.embed_all(request);
        match request.deadline {
            None => embedding.await,
            Some(deadline) => timeout_at(Instant::from_std(deadline), embedding)
                .await
                .unwrap_or_else(|_| Err(ModelError::Timeout { url: self.base.clone() })),
        }
    }

    async fn embed_all(&self, request: &EmbedRequest) -> Result<EmbedResponse, ModelError> {
        let mut res = EmbedResponse::default();
        let mut dimensions = request.dimensions;
        for texts in request.texts.chunks(request.batch.max(1)) {
            let url = self.url(self.embed_path());
            let Embeddings { vectors, tokens } = self.embeddings(&url, texts).await?;
            for vector in in_order(&url, vectors, texts.len())? {
                let expected = *dimensions.get_or_insert(vector.len());
                if vector.len() != expected || expected == 0 {
                    let (model, found) = (self.model.clone(), vector.len());
                    return Err(ModelError::WrongDimensions { url, model, expected, found });
                }
                res.vectors.push(vector);
            }
            if let Some(tokens) = tokens {
                *res.prompt_tokens.get_or_insert(0) += tokens;
            }
        }
        Ok(res)
    }

    async fn embeddings(&self, url: &str, texts: &[String]) -> Result<Embeddings, ModelError> {
        let path = self.embed_path();
        let response = match post(self, path, &self.embed_body(texts)).await {
            Err(ModelError::Refused { message, .. })
                if self.api.is_llama_cpp() && message.contains("ooling") =>
            {
                post(self, "/embedding", &json!({ "content": texts })).await?
            }
            response => response?,
        };
        let bytes = bytes(self, response, MAX_BYTES).await?;
        Embeddings::parse(&bytes).map_err(|fault| {
            let url = url.to_owned();
            match fault {
                Fault::Reported(message) => ModelError::Refused { url, status: 200, message },
                Fault::Dimensions => ModelError::TooManyDimensions { url, most: MAX_DIMENSIONS },
                Fault::Shape => {
                    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(400)]);
                    ModelError::InvalidResponse { url, text: text.chars().take(80).collect() }
                }
            }
        })
    }

    fn embed_path(&self) -> &'static str {
        if self.api.is_ollama() { "/api/embed" } else { "/v1/embeddings" }
    }

    fn embed_body(&self, texts: &[String]) -> Value {
        if self.api.is_ollama() {
            // Requests an error for a text that is too long, instead of a vector of its beginning.
            json!({ "model": self.model, "input": texts, "truncate": false })
        } else {
            json!({ "model": self.model, "input": texts })
        }
    }
}

/// The vectors in the order of the texts; fails unless each text has one.
fn in_order(
    url: &str,
    mut indexed: Vec<(usize, Vec<f32>)>,
    expected: usize,
) -> Result<Vec<Vec<f32>>, ModelError> {
    sort_by_key(&mut indexed, |it| it.0);
    if !indexed.iter().map(|it| it.0).eq(0..expected) {
        indexed.dedup_by_key(|it| it.0);
        // With numbers of other texts than those that were sent, these count.
        let sent = indexed.iter().filter(|it| it.0 < expected).count();
        let found = if indexed.len() == expected { sent } else { indexed.len() };
        let url = url.to_owned();
        return Err(ModelError::WrongVectorCount { url, expected, found });
    }
    Ok(indexed.into_iter().map(|it| it.1).collect())
}
