//! Prefixes that embedding models expect before questions and texts.

/// Prefixes of questions and texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prefixes {
    /// Before a question.
    pub question: String,
    /// Before a text to be found.
    pub text: String,
}

/// Parts of model names, with the prefixes from their model cards. The first match counts.
const KNOWN: [(&str, &str, &str); 10] = [
    ("nomic-embed-text", "search_query: ", "search_document: "),
    ("nomic-embed-code", CODE, ""),
    ("coderankembed", CODE, ""),
    ("embeddinggemma", "task: search result | query: ", "title: none | text: "),
    (
        "qwen3-embedding",
        "Instruct: Given a question, retrieve the code that answers it\nQuery:",
        "",
    ),
    ("mxbai-embed", PASSAGES, ""),
    ("arctic-embed", PASSAGES, ""),
    ("bge-small-en", PASSAGES, ""),
    ("bge-base-en", PASSAGES, ""),
    ("bge-large-en", PASSAGES, ""),
];

const CODE: &str = "Represent this query for searching relevant code: ";
const PASSAGES: &str = "Represent this sentence for searching relevant passages: ";

impl Prefixes {
    /// Prefixes of a model; empty if it is unknown or needs none.
    pub fn of_model(name: &str) -> Self {
        let name = name.to_lowercase().replace('_', "-");
        let is_e5 = name.split(['/', '-', ':']).any(|it| it == "e5");
        let e5 = is_e5.then_some(("query: ", "passage: "));
        let known = KNOWN.iter().find(|it| name.contains(it.0)).map(|it| (it.1, it.2));
        let (question, text) = known.or(e5).unwrap_or_default();
        Self { question: question.to_owned(), text: text.to_owned() }
    }
}
