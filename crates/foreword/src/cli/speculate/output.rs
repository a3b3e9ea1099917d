//! What `foreword speculate` prints: the JSON (docs/json.md), and the same as text.

use foreword_session::speculation::agents::FileReport;
use serde::Serialize;

use super::agents::line;
use crate::cli::output::{self, DIM, NAME};

/// How many of the files that are left are named.
pub(super) const NEXT: usize = 5;

/// The summary of a run.
#[derive(Serialize)]
pub(super) struct Summary {
    pub(super) version: u32,
    pub(super) root: String,
    pub(super) planner: &'static str,
    pub(super) dry_run: bool,
    /// Files that had a current plan before.
    pub(super) current: usize,
    /// Files that had an outdated one.
    pub(super) outdated: usize,
    /// Files that were planned.
    pub(super) planned: usize,
    pub(super) blocks: usize,
    pub(super) forecasts: usize,
    /// Files that need a plan and have none yet.
    pub(super) left: usize,
    /// Files that are not planned because there are too many.
    pub(super) beyond: usize,
    /// The first of those that are left.
    pub(super) next: Vec<String>,
    pub(super) bytes: u64,
    pub(super) index_bytes: u64,
    pub(super) elapsed_ms: f64,
}

/// The plan of one file.
#[derive(Serialize)]
pub(super) struct FileOutput {
    pub(super) version: u32,
    pub(super) path: String,
    pub(super) planner: String,
    /// Whether it was there already.
    pub(super) stored: bool,
    pub(super) blocks: Vec<BlockOutput>,
    pub(super) forecasts: Vec<ForecastOutput>,
    /// What agents did for it just now, and what it cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) run: Option<FileReport>,
}

#[derive(Serialize)]
pub(super) struct BlockOutput {
    pub(super) path: String,
    pub(super) start_line: u32,
    pub(super) end_line: u32,
    pub(super) score: f32,
    pub(super) reasons: Vec<String>,
    pub(super) text: String,
}

#[derive(Serialize)]
pub(super) struct ForecastOutput {
    pub(super) kind: &'static str,
    pub(super) form: &'static str,
    pub(super) name: String,
    pub(super) path: String,
    pub(super) line: u32,
    pub(super) score: f32,
    pub(super) evidence: Vec<String>,
    pub(super) code: String,
}

impl Summary {
    pub(super) fn text(&self) -> String {
        let Self { current, planned, blocks, forecasts, left, beyond, .. } = self;
        let mut text = match self.dry_run {
            true => format!(
                "{left} files would be planned, {} of them again; {current} plans are current. No model is asked\n",
                self.outdated
            ),
            false => format!(
                "{planned} files planned, {blocks} blocks and {forecasts} forecasts; {current} plans were current; {:.2} s\n",
                self.elapsed_ms / 1e3
            ),
        };
        if *left > 0 && !self.next.is_empty() {
            let next: Vec<String> = self.next.iter().map(|it| output::path(it)).collect();
            let more = if *left > next.len() { ", …" } else { "" };
            text.push_str(&format!("{left} files to plan, next {}{more}\n", next.join(", ")));
        }
        if *beyond > 0 {
            text.push_str(&format!(
                "{beyond} files are not planned because there are so many; --most raises the bound\n"
            ));
        }
        if self.bytes > 0 {
            let share = 100.0 * self.bytes as f64 / self.index_bytes.max(1) as f64;
            text.push_str(&format!(
                "plans: {:.2} MB, {share:.0} % of the index\n",
                self.bytes as f64 / 1e6
            ));
        }
        text
    }
}

impl FileOutput {
    pub(super) fn text(&self) -> String {
        let mut text = format!(
            "{NAME}{}{NAME:#}  {} blocks, {} forecasts\n",
            output::path(&self.path),
            self.blocks.len(),
            self.forecasts.len()
        );
        for it in &self.blocks {
            let place = format!("{}:{}-{}", output::path(&it.path), it.start_line, it.end_line);
            text.push_str(&format!("\n{NAME}{place}{NAME:#}  {DIM}{:.2}{DIM:#}\n", it.score));
            for reason in &it.reasons {
                text.push_str(&format!("  {DIM}{}{DIM:#}\n", output::plain(reason)));
            }
            text.push_str(&output::plain(&it.text));
        }
        for it in &self.forecasts {
            let place = format!("{}:{}", output::path(&it.path), it.line);
            text.push_str(&format!(
                "\n{NAME}forecast {}{NAME:#} at {place}  {DIM}{:.2}, {}{DIM:#}\n",
                it.kind, it.score, it.form
            ));
            for evidence in &it.evidence {
                text.push_str(&format!("  {DIM}{}{DIM:#}\n", output::plain(evidence)));
            }
            text.push_str(&output::plain(&it.code));
        }
        if let Some(run) = &self.run {
            text.push_str(&format!("\n{}", line(run)));
        }
        text
    }
}
