//! The repository lines in the prompts of recent requests in one file, and the outcomes of those completions.

use serde_json::Value;

use super::journal::{Filter, Journal};
use super::record::{Record, Verdict};

/// Maximum number of requests read per file, since each trace must be unpacked.
const MAX_REQUESTS: usize = 100;

/// The pieces of recent prompts.
pub(crate) struct PromptedLines(Vec<Prompt>);

/// The pieces of one prompt: path, first and last line.
struct Prompt {
    pieces: Vec<(String, u32, u32)>,
    /// The completion, if it was accepted.
    accepted: Option<String>,
}

impl PromptedLines {
    /// Reads the requests in one file of the repository at `root`.
    pub(crate) fn of(journal: &Journal, root: &str, path: &str) -> Self {
        let records = journal.list(&Filter::default());
        let is_here = |it: &&std::sync::Arc<Record>| {
            let place = &it.location;
            place.path.as_deref() == Some(path) && place.workspace.as_deref() == Some(root)
        };
        let prompts = records.iter().filter(is_here).filter_map(|it| prompt(it));
        Self(prompts.take(MAX_REQUESTS).collect())
    }

    /// Number of requests with known prompts.
    pub(crate) fn requests(&self) -> usize {
        self.0.len()
    }

    /// Number of prompts that contained some of these lines, and number of accepted completions among them.
    pub(crate) fn with(&self, path: &str, (first, last): (u32, u32)) -> (usize, usize) {
        let has =
            |it: &&Prompt| it.pieces.iter().any(|it| it.0 == path && it.1 <= last && first <= it.2);
        let prompts: Vec<&Prompt> = self.0.iter().filter(has).collect();
        (prompts.len(), prompts.iter().filter(|it| it.accepted.is_some()).count())
    }

    /// Number of accepted completions with a line that contains `text`.
    pub(crate) fn accepted_with(&self, text: &str) -> usize {
        let has = |it: &&Prompt| it.accepted.as_ref().is_some_and(|it| it.contains(text));
        self.0.iter().filter(has).count()
    }
}

/// `None` where the context was not explained.
fn prompt(record: &Record) -> Option<Prompt> {
    let trace = record.explanation.value()?;
    let line = |it: &Value| it.as_u64().and_then(|it| u32::try_from(it).ok());
    let piece = |it: &Value| {
        Some((it["path"].as_str()?.to_owned(), line(&it["start_line"])?, line(&it["end_line"])?))
    };
    let pieces = trace["pieces"].as_array()?.iter().filter_map(piece).collect();
    let is_accepted = record.verdict == Some(Verdict::Accepted);
    Some(Prompt { pieces, accepted: is_accepted.then(|| record.answer.clone()) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serve::context::outcome::Location;
    use crate::serve::observation::explanation::Explanation;

    #[test]
    fn prompts_of_the_file_are_counted_by_lines_and_by_what_became_of_them() {
        let journal = Journal::new();
        let put = |id: &str, path: &str, verdict| {
            let (sender, explanation) = Explanation::channel();
            sender.send(r#"{"pieces": [{"path": "b.py", "start_line": 3, "end_line": 9}]}"#);
            let (path, workspace) = (Some(path.to_owned()), Some("/r".to_owned()));
            let location = Location { workspace, path, ..Location::default() };
            let id = id.to_owned();
            let answer = "def add(a, b):\n".to_owned();
            let record = Record { id, location, explanation, answer, verdict, ..Record::default() };
            journal.put(record);
        };
        put("1", "a.py", None);
        put("2", "a.py", Some(Verdict::Accepted));
        put("3", "other.py", Some(Verdict::Accepted));
        let lines = PromptedLines::of(&journal, "/r", "a.py");
        assert_eq!(lines.requests(), 2);
        assert_eq!(lines.with("b.py", (9, 12)), (2, 1));
        assert_eq!(lines.accepted_with("def add(a, b):"), 1);
        assert_eq!(lines.accepted_with("def other"), 0);
        assert_eq!(lines.with("b.py", (10, 12)), (0, 0));
        assert_eq!(lines.with("c.py", (3, 9)), (0, 0));
        assert_eq!(PromptedLines::of(&journal, "/elsewhere", "a.py").requests(), 0);
    }
}
