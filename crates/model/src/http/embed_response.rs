//! The bytes of an embedding response as vectors, in the shapes of OpenAI, Ollama and llama.cpp. Numbers are read as
//! numbers: a tree of JSON values would take sixteen times the memory of what a server sends.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use serde_json::Value;

use super::read::error_message;

/// Maximum numbers of an embedding; published models return at most 12,288.
pub(super) const MAX_DIMENSIONS: usize = 65_536;

/// A response.
pub(super) struct Embeddings {
    /// Number of the text and its vector, in the order of the response.
    pub(super) vectors: Vec<(usize, Vec<f32>)>,
    /// Tokens of the texts, if the server reports them.
    pub(super) tokens: Option<u64>,
}

/// Why a response has no vectors.
pub(super) enum Fault {
    /// It has another shape.
    Shape,
    /// The server reports an error.
    Reported(String),
    /// An embedding with more than [`MAX_DIMENSIONS`] numbers.
    Dimensions,
}

#[derive(Default, Deserialize)]
struct Body {
    data: Option<Vec<Item>>,
    embeddings: Option<Vec<Embedding>>,
    usage: Option<Usage>,
    prompt_eval_count: Option<u64>,
}

#[derive(Deserialize)]
struct Usage {
    prompt_tokens: Option<u64>,
}

#[derive(Deserialize)]
struct Item {
    index: Option<usize>,
    embedding: Embedding,
}

/// A vector, or the mean of the vectors of a text's tokens.
struct Embedding(Vec<f32>);

impl Embeddings {
    /// Reads a response.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, Fault> {
        let is_list = bytes.iter().find(|it| !it.is_ascii_whitespace()) == Some(&b'[');
        let body = match is_list {
            true => {
                serde_json::from_slice(bytes).map(|it| Body { data: Some(it), ..Body::default() })
            }
            false => serde_json::from_slice::<Body>(bytes),
        };
        let Body { data, embeddings, usage, prompt_eval_count } =
            body.map_err(|error| fault(bytes, &error))?;
        let numbered =
            |(position, it): (usize, Item)| (it.index.unwrap_or(position), it.embedding.0);
        let vectors = match (data, embeddings) {
            (Some(data), _) => data.into_iter().enumerate().map(numbered).collect(),
            (None, Some(all)) => all.into_iter().map(|it| it.0).enumerate().collect(),
            (None, None) => return Err(fault(bytes, &serde_json::Error::custom(""))),
        };
        let tokens = usage.and_then(|it| it.prompt_tokens).or(prompt_eval_count);
        Ok(Self { vectors, tokens })
    }
}

/// A message of the server, if there is one in a response of a length that errors have.
fn fault(bytes: &[u8], error: &serde_json::Error) -> Fault {
    const MAX_ERROR_BYTES: usize = 64 << 10;
    if error.to_string().starts_with(TOO_MANY) {
        return Fault::Dimensions;
    }
    let value = (bytes.len() <= MAX_ERROR_BYTES).then(|| serde_json::from_slice::<Value>(bytes));
    let message = value.and_then(Result::ok).and_then(|it| error_message(&it));
    message.map_or(Fault::Shape, Fault::Reported)
}

const TOO_MANY: &str = "too many dimensions";

impl<'de> Deserialize<'de> for Embedding {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(EmbeddingVisitor)
    }
}

struct EmbeddingVisitor;

impl<'de> Visitor<'de> for EmbeddingVisitor {
    type Value = Embedding;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("numbers, or lists of numbers")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut all: A) -> Result<Embedding, A::Error> {
        let (mut numbers, mut rows) = (Vec::new(), 0_usize);
        while let Some(element) = all.next_element::<Element>()? {
            match element {
                Element::Number(it) if rows == 0 => numbers.push(it),
                Element::Row(row) if rows == 0 && numbers.is_empty() => (numbers, rows) = (row, 1),
                Element::Row(row) if rows > 0 && row.len() == numbers.len() => {
                    numbers.iter_mut().zip(row).for_each(|(sum, it)| *sum += it);
                    rows += 1;
                }
                _ => return Err(A::Error::custom("numbers and lists of other lengths")),
            }
            if numbers.len() > MAX_DIMENSIONS {
                return Err(A::Error::custom(TOO_MANY));
            }
        }
        numbers.iter_mut().for_each(|it| *it /= rows.max(1) as f32);
        Ok(Embedding(numbers))
    }
}

/// A number of an embedding, or the vector of a token.
enum Element {
    Number(f32),
    Row(Vec<f32>),
}

impl<'de> Deserialize<'de> for Element {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ElementVisitor)
    }
}

struct ElementVisitor;

impl<'de> Visitor<'de> for ElementVisitor {
    type Value = Element;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number or a list of numbers")
    }

    fn visit_f64<E>(self, it: f64) -> Result<Element, E> {
        Ok(Element::Number(it as f32))
    }

    fn visit_u64<E>(self, it: u64) -> Result<Element, E> {
        Ok(Element::Number(it as f32))
    }

    fn visit_i64<E>(self, it: i64) -> Result<Element, E> {
        Ok(Element::Number(it as f32))
    }

    /// Some servers write NaN as null; users of the vector detect NaN.
    fn visit_unit<E>(self) -> Result<Element, E> {
        Ok(Element::Number(f32::NAN))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut all: A) -> Result<Element, A::Error> {
        let mut row = Vec::new();
        while let Some(it) = all.next_element::<Option<f32>>()? {
            row.push(it.unwrap_or(f32::NAN));
            if row.len() > MAX_DIMENSIONS {
                return Err(A::Error::custom(TOO_MANY));
            }
        }
        Ok(Element::Row(row))
    }
}
