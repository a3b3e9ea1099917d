//! Embeddings by a server: OpenAI's `/v1/embeddings`, also in llama.cpp and many others, Ollama's `/api/embed`, and the
//! mean of token vectors from llama.cpp's `/embedding` for models without pooling.

use foreword_engine::sorting::sort_by_key;
use serde_json::{Value, json};
use tokio::time::{Instant, timeout_at};

use super::Server;
use super::ask::whole;
use crate::embed::{EmbedRequest, EmbedResponse};
use crate::error::ModelError;

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
            let path = self.embed_path();
            let value = self.embeddings(path, texts).await?;
            let vectors = self.vectors(&value, texts.len())?;
            for vector in vectors {
                let expected = *dimensions.get_or_insert(vector.len());
                if vector.len() != expected || expected == 0 {
                    let (url, found) = (self.url(path), vector.len());
                    return Err(ModelError::WrongDimensions { url, expected, found });
                }
                res.vectors.push(vector);
            }
            let counts = [&value["usage"]["prompt_tokens"], &value["prompt_eval_count"]];
            if let Some(tokens) = counts.into_iter().find_map(Value::as_u64) {
                *res.prompt_tokens.get_or_insert(0) += tokens;
            }
        }
        Ok(res)
    }

    async fn embeddings(&self, path: &str, texts: &[String]) -> Result<Value, ModelError> {
        let answer = whole(self, path, &self.embed_body(texts)).await;
        let is_unpooled = matches!(&answer, Err(ModelError::Refused { message, .. })
            if self.api.is_llama_cpp() && message.contains("ooling"));
        if is_unpooled {
            return whole(self, "/embedding", &json!({ "content": texts })).await;
        }
        answer
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

    /// Vectors of a response, in the order of the texts.
    fn vectors(&self, value: &Value, expected: usize) -> Result<Vec<Vec<f32>>, ModelError> {
        let invalid = || ModelError::InvalidResponse {
            url: self.url(self.embed_path()),
            text: value.to_string().chars().take(80).collect(),
        };
        let mut indexed = Vec::new();
        if let Some(data) = value["data"].as_array() {
            for (position, it) in data.iter().enumerate() {
                let index = it["index"].as_u64().map_or(position, |it| it as usize);
                indexed.push((index, vector(&it["embedding"]).ok_or_else(invalid)?));
            }
        } else if let Some(all) = value.as_array() {
            for (position, it) in all.iter().enumerate() {
                let index = it["index"].as_u64().map_or(position, |it| it as usize);
                indexed.push((index, mean(&it["embedding"]).ok_or_else(invalid)?));
            }
        } else {
            let all = value["embeddings"].as_array().ok_or_else(invalid)?;
            for (position, it) in all.iter().enumerate() {
                indexed.push((position, vector(it).ok_or_else(invalid)?));
            }
        }
        sort_by_key(&mut indexed, |it| it.0);
        let is_complete = indexed.iter().map(|it| it.0).eq(0..expected);
        if !is_complete {
            let (url, found) = (self.url(self.embed_path()), indexed.len());
            return Err(ModelError::WrongVectorCount { url, expected, found });
        }
        Ok(indexed.into_iter().map(|it| it.1).collect())
    }
}

fn vector(value: &Value) -> Option<Vec<f32>> {
    // Some servers write NaN as null; users of the vector detect NaN.
    let number =
        |it: &Value| if it.is_null() { Some(f32::NAN) } else { it.as_f64().map(|it| it as f32) };
    value.as_array()?.iter().map(number).collect()
}

/// Mean of token vectors; a single vector is returned as is.
fn mean(value: &Value) -> Option<Vec<f32>> {
    if value.as_array()?.first().is_none_or(|it| !it.is_array()) {
        return vector(value);
    }
    let all: Option<Vec<Vec<f32>>> = value.as_array()?.iter().map(vector).collect();
    let all = all?;
    let mut sum = vec![0.0; all.first()?.len()];
    for it in &all {
        sum.iter_mut().zip(it).for_each(|(to, n)| *to += n / all.len() as f32);
    }
    Some(sum)
}
