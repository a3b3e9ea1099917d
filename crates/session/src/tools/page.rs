//! One page of an answer within its budget: as text for models and as JSON for programs, with a footer that says how
//! fresh and complete it is.
//!
//! Each of the two that the caller passes on ([`BudgetScope`]) is within the budget.

use foreword_engine::visible::{one_line, printable, visible};
use foreword_model::TokenCounter;
use serde_json::{Map, Value, json};

use super::cursor::{self, QuestionId};
use super::evidence::Evidence;
use super::target::{BudgetScope, Origin, Target};

/// The answer of a tool in three forms.
pub struct ToolAnswer {
    /// For models.
    pub text: String,
    /// For programs, by the schema [`output_schema`](super::output_schema).
    pub structured: Value,
    /// The spans that support the answer, in its order. Imports and maps are summaries and have none.
    pub evidence: Vec<Evidence>,
}

/// One entry of an answer.
pub(super) struct Entry {
    /// The span; `None` for a summary.
    pub(super) evidence: Option<Evidence>,
    /// The location, in one line.
    pub(super) heading: String,
    /// The text at the location; may be empty.
    pub(super) body: String,
    /// The fields for programs; `body` is added as `excerpt`.
    pub(super) fields: Value,
}

/// Consecutive entries of an answer.
pub(super) struct Page {
    pub(super) entries: Vec<Entry>,
    /// Number of entries before the first of `entries`.
    pub(super) offset: usize,
    /// Number of all entries, if known.
    pub(super) total: Option<usize>,
    /// Whether there are more after `entries`.
    pub(super) more: bool,
    /// What a reader should know before the entries, in a sentence.
    pub(super) caution: Option<String>,
    /// A note, in a sentence.
    pub(super) note: Option<String>,
    /// More fields for programs.
    pub(super) fields: Map<String, Value>,
    /// The question that cursors continue; `None` without cursors.
    pub(super) question: Option<QuestionId>,
}

/// A page whose entries are dropped until it fits its budget.
struct Draft<'d> {
    page: Page,
    /// Number of entries at first.
    available: usize,
    target: &'d Target<'d>,
}

impl Page {
    /// All entries of an answer, without a cursor.
    pub(super) fn whole(entries: Vec<Entry>) -> Self {
        let total = Some(entries.len());
        let fields = Map::new();
        let (caution, note, question) = (None, None, None);
        Self { entries, offset: 0, total, more: false, caution, note, fields, question }
    }

    /// The first entries within `budget`, and how to get the others.
    pub(super) fn answer(self, target: &Target<'_>, budget: usize) -> ToolAnswer {
        Draft { available: self.entries.len(), page: self, target }.answer(budget)
    }
}

impl Draft<'_> {
    fn answer(mut self, budget: usize) -> ToolAnswer {
        let counter = &self.target.counter;
        let room = budget.saturating_sub(counter.count(&(self.header() + &self.footer())) + 8);
        let counted = self.target.counted;
        self.page.drop_what_cannot_fit((counter, counted), room);
        loop {
            let (text, structured) = (self.text(), self.structured());
            let structured_fits =
                counted == BudgetScope::Text || counter.count(&structured.to_string()) <= budget;
            let fits = counter.count(&text) <= budget && structured_fits;
            if fits || self.page.entries.is_empty() {
                let evidence = self.page.entries.into_iter().filter_map(|it| it.evidence);
                return ToolAnswer { text, structured, evidence: evidence.collect() };
            }
            self.page.entries.pop();
        }
    }

    fn text(&self) -> String {
        let mut text = self.header();
        for entry in &self.page.entries {
            // A summary has lines of its own.
            text.push_str(&match entry.evidence {
                Some(_) => one_line(&entry.heading),
                None => visible(&entry.heading),
            });
            text.push('\n');
            if !entry.body.is_empty() {
                text.push_str(&visible(entry.body.trim_end_matches('\n')));
                text.push_str("\n\n");
            }
        }
        text + &self.footer()
    }

    fn header(&self) -> String {
        let incomplete = self.target.caveat().filter(|_| !self.target.view.is_complete());
        let lines = incomplete.iter().chain(&self.page.caution);
        lines.map(|it| format!("{}\n", printable(it))).collect()
    }

    /// Extent and freshness of the answer, so that a reader can judge it.
    fn footer(&self) -> String {
        let view = self.target.view;
        let mut lines = Vec::new();
        lines.extend(self.page.note.clone());
        lines.extend(self.extent());
        lines.extend(self.target.caveat().filter(|_| self.target.view.is_complete()));
        let freshness = match (self.target.origin, view.fresh) {
            (Origin::Pushed(_), _) => "as pushed",
            (Origin::Seeded(_), _) => "up to date, from the cluster while they are indexed here",
            (_, true) => "up to date",
            (_, false) => "NOT up to date",
        };
        let files = view.snapshot.totals().files;
        let root = self.target.origin.place();
        lines
            .push(format!("[{root}: {files} files, {freshness}, snapshot {}]", view.snapshot.id()));
        printable(&lines.join("\n")).into_owned() + "\n"
    }

    /// The number of shown entries, and how to get the others.
    fn extent(&self) -> Option<String> {
        let more = match self.next_cursor() {
            Some(it) => format!("; for more pass cursor \"{it}\""),
            None if self.is_cut() => "; for more pass larger tokens".to_owned(),
            None => String::new(),
        };
        let of = match self.page.total {
            Some(0) => return None,
            Some(total) => format!(" of {total}"),
            None if more.is_empty() => return None,
            None => String::new(),
        };
        let from = match self.page.offset {
            0 => String::new(),
            offset => format!(", from {}", offset + 1),
        };
        Some(format!("{}{of} shown{from}{more}", self.page.entries.len()))
    }

    fn structured(&self) -> Value {
        let page = &self.page;
        let results: Vec<Value> = page.entries.iter().map(Entry::structured).collect();
        let mut res = page.fields.clone();
        res.insert("results".to_owned(), results.into());
        res.insert("total".to_owned(), page.total.into());
        res.insert("next_cursor".to_owned(), self.next_cursor().into());
        res.insert("note".to_owned(), page.caution.as_ref().or(page.note.as_ref()).cloned().into());
        res.extend(self.target.freshness());
        // Empty fields would only cost tokens.
        res.retain(|_, value| !value.is_null());
        Value::Object(res)
    }

    fn next_cursor(&self) -> Option<String> {
        let question = self.page.question.filter(|_| self.page.more || self.is_cut())?;
        let cursor = question.cursor(self.page.offset + self.page.entries.len());
        Some(match self.target.name {
            Some(name) => cursor::of_repository(&cursor, name),
            None => cursor,
        })
    }

    /// Whether entries were dropped to keep the budget.
    fn is_cut(&self) -> bool {
        self.page.entries.len() < self.available
    }
}

impl Page {
    /// Drops entries that cannot fit, and shortens the first one if it alone is too long.
    fn drop_what_cannot_fit(&mut self, counter: (&TokenCounter, BudgetScope), room: usize) {
        let mut left = room;
        let mut fitting = 0;
        for (n, entry) in self.entries.iter_mut().enumerate() {
            let mut cost = entry.cost(counter);
            if n == 0 && cost > left {
                entry.shorten(counter, left);
                cost = entry.cost(counter);
            }
            if cost > left {
                break;
            }
            left -= cost;
            fitting = n + 1;
        }
        self.entries.truncate(fitting);
    }
}

impl Entry {
    /// An entry with the heading and fields common to all spans.
    pub(super) fn of(evidence: Evidence, body: String) -> Self {
        let (heading, fields) = (evidence.heading(), evidence.fields());
        Self { evidence: Some(evidence), heading, body, fields }
    }

    fn structured(&self) -> Value {
        let mut fields = self.fields.clone();
        if let Value::Object(fields) = &mut fields {
            fields.retain(|_, value| *value != json!(""));
        }
        if !self.body.is_empty() {
            fields["excerpt"] = json!(self.body);
        }
        fields
    }

    /// Tokens of the text, or of the larger of text and JSON if both are limited.
    pub(super) fn cost(&self, (counter, counted): (&TokenCounter, BudgetScope)) -> usize {
        let text = counter.count(&visible(&self.heading)) + counter.count(&visible(&self.body)) + 4;
        if counted == BudgetScope::Text {
            return text;
        }
        text.max(counter.count(&self.structured().to_string()) + 1)
    }

    /// Drops lines from the end until the entry fits.
    fn shorten(&mut self, counter: (&TokenCounter, BudgetScope), room: usize) {
        let lines: Vec<String> = self.body.lines().map(str::to_owned).collect();
        for remaining in (0..lines.len()).rev() {
            self.body = lines[..remaining].join("\n");
            if remaining > 0 {
                self.body.push_str(&format!("\n… {} more lines", lines.len() - remaining));
            }
            if self.cost(counter) <= room {
                return;
            }
        }
    }
}
