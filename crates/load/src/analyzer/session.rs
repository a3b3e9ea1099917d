//! Analyses texts one after the other; open documents incrementally.

use std::collections::VecDeque;

use foreword_chunk::{Analysis, Parse, PreviousParse};

use super::job::Job;

/// Below this size a parse from scratch takes at most two milliseconds.
const MIN_INCREMENTAL_BYTES: usize = 16 << 10;

/// Maximum total size of the texts whose trees are kept. A syntax tree takes ten to twenty times the memory of its
/// text.
const MAX_KEPT_BYTES: usize = 2 << 20;

/// The trees of the most recently analysed documents.
#[derive(Default)]
pub(super) struct Session {
    /// The most recent last.
    documents: VecDeque<Document>,
}

/// A document with its tree.
pub(super) struct Document {
    name: String,
    bytes: usize,
    parse: PreviousParse,
}

impl Session {
    pub(super) fn analyze(&mut self, job: &Job<'_>) -> Analysis {
        let (analysis, document) = analyze(job, self.take(job));
        self.keep(document);
        analysis
    }

    /// The kept tree of a job's document; removed, because its next one replaces it.
    pub(super) fn take(&mut self, job: &Job<'_>) -> Option<Document> {
        let at = self.documents.iter().position(|it| Some(&*it.name) == job.document)?;
        self.documents.remove(at)
    }

    /// Keeps the tree of a document, and evicts the oldest ones; never the new one.
    pub(super) fn keep(&mut self, document: Option<Document>) {
        let Some(document) = document else { return };
        self.documents.retain(|it| it.name != document.name);
        self.documents.push_back(document);
        let mut bytes: usize = self.documents.iter().map(|it| it.bytes).sum();
        while bytes > MAX_KEPT_BYTES && self.documents.len() > 1 {
            bytes -= self.documents.pop_front().map_or(0, |it| it.bytes);
        }
    }
}

/// Analyses a text; returns its tree too if it is to be kept. `before` is the tree of the document's previous text.
pub(super) fn analyze(job: &Job<'_>, before: Option<Document>) -> (Analysis, Option<Document>) {
    let is_long = job.text.len() >= MIN_INCREMENTAL_BYTES;
    let before = before.filter(|_| is_long);
    let previous = before.as_ref().map(|it| &it.parse);
    let parse = Parse::after(job.text.as_bytes(), job.language, previous);
    let symbols = parse.symbols();
    let chunks = parse.chunks(&symbols, &job.config);
    let analysis = Analysis { chunks, symbols, outline: parse.outline(), outcome: parse.outcome() };
    let document = job.document.filter(|_| is_long).and_then(|name| {
        let parse = parse.into_previous()?;
        Some(Document { name: name.to_owned(), bytes: job.text.len(), parse })
    });
    (analysis, document)
}

#[cfg(test)]
mod tests {
    use foreword_chunk::Config;

    use super::*;

    fn analyze(session: &mut Session, name: &str, text: &str) -> Analysis {
        session.analyze(&Job::document(name, text, &Config::default()))
    }

    #[test]
    fn an_edited_document_gets_the_analysis_of_its_new_text() {
        let mut session = Session::default();
        let text = "def alpha():\n    pass\n".repeat(2000);
        analyze(&mut session, "a.py", &text);
        let edited = text.replacen("alpha", "beta", 1);
        let incremental = analyze(&mut session, "a.py", &edited);
        assert_eq!(incremental, analyze(&mut Session::default(), "a.py", &edited));
    }

    #[test]
    fn the_least_recently_edited_trees_are_evicted_when_there_are_too_many_bytes() {
        let mut session = Session::default();
        let text = "def alpha():\n    pass\n".repeat(30_000);
        for name in ["a.py", "b.py", "a.py", "c.py", "d.py"] {
            analyze(&mut session, name, &text);
        }
        let names: Vec<&str> = session.documents.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["a.py", "c.py", "d.py"]);
    }
}
