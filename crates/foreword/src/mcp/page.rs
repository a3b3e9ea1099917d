//! An answer within its budget, as text for models and as JSON for programs, with a footer that says what it is worth.
//!
//! Some clients show a model the text, some the JSON; each of the two keeps the budget for itself.

use std::hash::{DefaultHasher, Hash, Hasher as _};

use foreword_model::TokenCounter;
use serde_json::{Map, Value, json};

use super::tools::Call;
use crate::usage::usage;

/// What a tool answers.
pub(super) struct Answer {
    pub(super) text: String,
    pub(super) json: Value,
}

/// One entry of an answer.
pub(super) struct Item {
    /// The place, in one line.
    pub(super) head: String,
    /// What stands there; may be empty.
    pub(super) body: String,
    /// The fields for programs; `body` is added as `excerpt`.
    pub(super) row: Value,
}

/// The entries of an answer from some place on.
pub(super) struct Page {
    pub(super) items: Vec<Item>,
    /// How many entries there are before the first of `items`.
    pub(super) offset: usize,
    /// How many there are in all, where that is known.
    pub(super) total: Option<usize>,
    /// Whether there are more behind `items`.
    pub(super) more: bool,
    /// What else there is to say, in a sentence.
    pub(super) note: Option<String>,
    /// More fields for programs.
    pub(super) fields: Map<String, Value>,
    /// Names the question, so that a cursor of another one is noticed; 0 where there are no cursors.
    pub(super) question: u32,
}

/// A name for a question: equal for equal parts.
pub(super) fn fingerprint(question: &impl Hash) -> u32 {
    let mut hasher = DefaultHasher::new();
    question.hash(&mut hasher);
    (hasher.finish() as u32).max(1)
}

/// How many entries a cursor of this question leaves behind. A cursor of an older state of the repository counts too:
/// what it leaves behind is near enough.
pub(super) fn offset_of(cursor: Option<&str>, question: u32) -> anyhow::Result<usize> {
    let Some(cursor) = cursor.filter(|it| !it.is_empty()) else { return Ok(0) };
    let parts = cursor.split_once('.');
    let parts =
        parts.and_then(|(n, of)| Some((n.parse().ok()?, u32::from_str_radix(of, 16).ok()?)));
    match parts {
        Some((offset, of)) if of == question => Ok(offset),
        Some(_) => Err(usage(
            "cursor: it belongs to another question; repeat the arguments that it came with",
        )),
        None => Err(usage(format!("cursor {cursor}: not one of ours; leave it out to begin anew"))),
    }
}

impl Page {
    /// Entries without a cursor.
    pub(super) fn whole(items: Vec<Item>) -> Self {
        let total = Some(items.len());
        let (note, fields) = (None, Map::new());
        Self { items, offset: 0, total, more: false, note, fields, question: 0 }
    }

    /// The first entries that fit `budget`, and where to go on.
    pub(super) fn answer(mut self, call: &Call<'_>, budget: usize) -> Answer {
        let asked = self.items.len();
        let counter = &call.counter;
        let room = budget.saturating_sub(counter.count(&self.footer(call, asked)) + 8);
        self.keep_what_fits(counter, room);
        loop {
            let cut = self.items.len() < asked;
            let text = self.text(call, asked);
            let json = self.json(call, cut);
            let fits = counter.count(&text) <= budget && counter.count(&json.to_string()) <= budget;
            if fits || self.items.is_empty() {
                return Answer { text, json };
            }
            self.items.pop();
        }
    }

    /// Drops what certainly does not fit, and shortens the first entry when it alone is too long.
    fn keep_what_fits(&mut self, counter: &TokenCounter, room: usize) {
        let mut left = room;
        let mut kept = 0;
        for (n, item) in self.items.iter_mut().enumerate() {
            let mut cost = item.cost(counter);
            if n == 0 && cost > left {
                item.shorten(counter, left);
                cost = item.cost(counter);
            }
            if cost > left {
                break;
            }
            left -= cost;
            kept = n + 1;
        }
        self.items.truncate(kept);
    }

    fn text(&self, call: &Call<'_>, asked: usize) -> String {
        let mut text = String::new();
        for item in &self.items {
            text.push_str(&item.head);
            text.push('\n');
            if !item.body.is_empty() {
                text.push_str(item.body.trim_end_matches('\n'));
                text.push_str("\n\n");
            }
        }
        text + &self.footer(call, asked)
    }

    /// What the answer is worth, for a reader who has to decide whether to believe it.
    fn footer(&self, call: &Call<'_>, asked: usize) -> String {
        let view = call.view;
        let mut lines = Vec::new();
        lines.extend(self.note.clone());
        lines.extend(self.extent(asked));
        lines.extend(call.caveat());
        let freshness = if view.fresh { "up to date" } else { "NOT up to date" };
        let files = view.snapshot.totals().files;
        let root = call.repository.workspace().root.display();
        lines
            .push(format!("[{root}: {files} files, {freshness}, snapshot {}]", view.snapshot.id()));
        lines.join("\n") + "\n"
    }

    /// How much of all there is this is, and how to get at the rest.
    fn extent(&self, asked: usize) -> Option<String> {
        let shown = self.items.len();
        let cut = shown < asked;
        let more = match self.next(cut) {
            Some(it) => format!("; for more pass cursor \"{it}\""),
            None if cut => "; for more pass larger tokens".to_owned(),
            None => String::new(),
        };
        let of = match self.total {
            Some(0) => return None,
            Some(total) => format!(" of {total}"),
            None if more.is_empty() => return None,
            None => String::new(),
        };
        let from = match self.offset {
            0 => String::new(),
            offset => format!(", from {}", offset + 1),
        };
        Some(format!("{shown}{of} shown{from}{more}"))
    }

    fn json(&self, call: &Call<'_>, cut: bool) -> Value {
        let rows: Vec<Value> = self.items.iter().map(Item::json).collect();
        let mut res = self.fields.clone();
        res.insert("results".to_owned(), rows.into());
        res.insert("total".to_owned(), self.total.into());
        res.insert("next_cursor".to_owned(), self.next(cut).into());
        res.insert("note".to_owned(), self.note.clone().into());
        call.describe(&mut res);
        // What there is nothing to say of costs no tokens.
        res.retain(|_, value| !value.is_null());
        Value::Object(res)
    }

    fn next(&self, cut: bool) -> Option<String> {
        let at = self.offset + self.items.len();
        ((self.more || cut) && self.question != 0).then(|| format!("{at}.{:08x}", self.question))
    }
}

impl Item {
    fn json(&self) -> Value {
        let mut row = self.row.clone();
        if let Value::Object(row) = &mut row {
            row.retain(|_, value| *value != json!(""));
        }
        if !self.body.is_empty() {
            row["excerpt"] = json!(self.body);
        }
        row
    }

    /// Tokens, as text or as JSON, whichever is more.
    fn cost(&self, counter: &TokenCounter) -> usize {
        let text = counter.count(&self.head) + counter.count(&self.body) + 4;
        text.max(counter.count(&self.json().to_string()) + 1)
    }

    /// Takes lines off the end until the entry fits.
    fn shorten(&mut self, counter: &TokenCounter, room: usize) {
        let lines: Vec<String> = self.body.lines().map(str::to_owned).collect();
        for kept in (0..lines.len()).rev() {
            self.body = lines[..kept].join("\n");
            if kept > 0 {
                self.body.push_str(&format!("\n… {} more lines", lines.len() - kept));
            }
            if self.cost(counter) <= room {
                return;
            }
        }
    }
}
