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

struct Document {
    name: String,
    bytes: usize,
    parse: PreviousParse,
}

impl Session {
    pub(super) fn analyze(&mut self, job: &Job<'_>) -> Analysis {
        let is_long = job.text.len() >= MIN_INCREMENTAL_BYTES;
        let kept = job.document.and_then(|it| self.take(it)).filter(|_| is_long);
        let previous = kept.as_ref().map(|it| &it.parse);
        let parse = Parse::after(job.text.as_bytes(), job.language, previous);
        let symbols = parse.symbols();
        let chunks = parse.chunks(&symbols, &job.config);
        let analysis =
            Analysis { chunks, symbols, outline: parse.outline(), outcome: parse.outcome() };
        if let Some(name) = job.document.filter(|_| is_long)
            && let Some(parse) = parse.into_previous()
        {
            self.keep(Document { name: name.to_owned(), bytes: job.text.len(), parse });
        }
        analysis
    }

    fn take(&mut self, name: &str) -> Option<Document> {
        let at = self.documents.iter().position(|it| it.name == name)?;
        self.documents.remove(at)
    }

    /// Keeps the tree of a document, and evicts the oldest ones; never the new one.
    fn keep(&mut self, document: Document) {
        self.documents.push_back(document);
        let mut bytes: usize = self.documents.iter().map(|it| it.bytes).sum();
        while bytes > MAX_KEPT_BYTES && self.documents.len() > 1 {
            bytes -= self.documents.pop_front().map_or(0, |it| it.bytes);
        }
    }
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
