//! Output of `foreword speculate`: JSON (docs/json.md) and text.

use foreword_engine::speculate::Schedule;
use foreword_model::agents::Cost;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::cli::config::Settings;
use crate::cli::output::{self, DIM, NAME};
use foreword_session::backend::Prices;
use foreword_session::speculation::{FileOutcome, FileReport, ModelPlanner, RunReport, usd};

/// Number of pending files that are named.
const NEXT: usize = 5;

/// Actual or estimated cost of requests.
#[derive(Serialize)]
pub(super) struct CostOutput {
    requests: u64,
    prompt_tokens: u64,
    answer_tokens: u64,
    seconds: f64,
    usd: f64,
}

impl CostOutput {
    pub(super) fn new(it: &Cost, prices: &Prices) -> Self {
        Self {
            requests: it.requests,
            prompt_tokens: it.prompt_tokens,
            answer_tokens: it.answer_tokens,
            seconds: it.millis as f64 / 1e3,
            usd: usd(prices, it),
        }
    }

    fn text(&self) -> String {
        let Self { requests, prompt_tokens, answer_tokens, seconds, usd } = self;
        let money = if *usd > 0.0 { format!(", {usd:.4} usd") } else { String::new() };
        let time = if *seconds > 0.0 { format!(", {seconds:.1} s") } else { String::new() };
        format!("{requests} requests, {prompt_tokens} + {answer_tokens} tokens{time}{money}")
    }
}

/// The summary of a run (docs/json.md).
#[derive(Serialize)]
pub(super) struct Summary<'r> {
    pub(super) version: u32,
    pub(super) model: String,
    pub(super) dry_run: bool,
    pub(super) current: usize,
    pub(super) outdated: usize,
    pub(super) planned: usize,
    pub(super) left: usize,
    pub(super) beyond: usize,
    pub(super) next: Vec<String>,
    pub(super) stopped: Option<&'r str>,
    pub(super) cost: Option<CostOutput>,
    pub(super) at_most: Option<CostOutput>,
    pub(super) likely: Option<CostOutput>,
    pub(super) bytes: u64,
    pub(super) files: &'r [FileReport],
}

impl<'r> Summary<'r> {
    pub(super) fn new(planner: &ModelPlanner, found: &Schedule, report: &'r RunReport) -> Self {
        let planned = report.files.iter().filter(|it| it.outcome == FileOutcome::Planned).count();
        Self {
            version: 1,
            model: planner.model().to_owned(),
            dry_run: false,
            current: found.current,
            outdated: found.outdated,
            planned,
            left: found.pending.len(),
            beyond: found.beyond,
            next: found.pending.iter().take(NEXT).cloned().collect(),
            stopped: report.stopped.as_deref(),
            cost: None,
            at_most: None,
            likely: None,
            bytes: planner.store().size(),
            files: &report.files,
        }
    }

    pub(super) fn text(&self) -> String {
        let mut text: String = self.files.iter().map(report_text).collect();
        let Self { planned, current, left, model, .. } = self;
        let model = output::plain(model);
        text.push_str(&match self.dry_run {
            true => format!("{left} files would be planned by {model}, {} of them again; {current} plans are current\n", self.outdated),
            false => format!("{planned} files planned by {model}; {current} plans are current\n"),
        });
        let costs =
            [("cost", &self.cost), ("about", &self.likely), ("at most about", &self.at_most)];
        for (name, cost) in costs.into_iter().filter_map(|it| Some((it.0, it.1.as_ref()?))) {
            text.push_str(&format!("{name}: {}\n", cost.text()));
        }
        if let Some(why) = self.stopped {
            text.push_str(&format!("stopped: {}\n", output::plain(why)));
        }
        if *left > 0 {
            let next: Vec<String> = self.next.iter().map(|it| output::path(it)).collect();
            let more = if *left > next.len() { ", …" } else { "" };
            text.push_str(&format!("{left} files to plan, next {}{more}\n", next.join(", ")));
        }
        text
    }
}

/// The report of one file as text.
fn report_text(it: &FileReport) -> String {
    let mut text = format!(
        "{NAME}{}{NAME:#}  {}: {} blocks, {} forecasts; {} calls, {} + {} tokens, {:.1} s",
        output::path(&it.path),
        it.outcome.name(),
        it.blocks,
        it.forecasts,
        it.calls,
        it.prompt_tokens,
        it.answer_tokens,
        it.seconds
    );
    if it.usd > 0.0 {
        text.push_str(&format!(", {:.4} usd", it.usd));
    }
    text.push('\n');
    let thrown: Vec<String> = it.thrown_out.iter().map(|(flaw, n)| format!("{n} {flaw}")).collect();
    if !thrown.is_empty() {
        text.push_str(&format!("  {DIM}rejected: {}{DIM:#}\n", thrown.join(", ")));
    }
    for problem in &it.problems {
        text.push_str(&format!("  {DIM}{}{DIM:#}\n", output::plain(problem)));
    }
    text
}

/// A progress bar on a terminal: files, time left, and cost so far.
pub(super) struct Progress(Option<ProgressBar>, std::cell::Cell<f64>);

impl Progress {
    pub(super) fn new(settings: &Settings) -> Self {
        let shown = !settings.quiet && output::stderr_is_terminal();
        let style =
            ProgressStyle::with_template("planning {bar:20} {pos}/{len} files, {eta} left {msg}");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = shown.then(|| ProgressBar::new(0).with_style(style));
        Self(bar, std::cell::Cell::new(0.0))
    }

    pub(super) fn show(&self, done: &FileReport, left: usize) {
        let Self(Some(bar), usd) = self else { return };
        usd.set(usd.get() + done.usd);
        bar.inc(1);
        bar.set_length(bar.position() + left as u64 - 1);
        let cost = if usd.get() > 0.0 { format!("{:.3} usd ", usd.get()) } else { String::new() };
        bar.set_message(format!("{cost}{}", output::path(&done.path)));
    }

    pub(super) fn finish(&self) {
        self.0.iter().for_each(ProgressBar::finish_and_clear);
    }
}
/// The plan of one file.
#[derive(Serialize)]
pub(super) struct FileOutput {
    pub(super) version: u32,
    pub(super) path: String,
    /// Whether the plan was already stored.
    pub(super) stored: bool,
    pub(super) blocks: Vec<BlockOutput>,
    pub(super) forecasts: Vec<ForecastOutput>,
    /// Report of the run that made the plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) run: Option<FileReport>,
}

#[derive(Serialize)]
pub(super) struct BlockOutput {
    pub(super) path: String,
    pub(super) start_line: u32,
    pub(super) end_line: u32,
    pub(super) score: f32,
    /// The model's reason.
    pub(super) reason: String,
    pub(super) text: String,
}

#[derive(Serialize)]
pub(super) struct ForecastOutput {
    pub(super) name: String,
    pub(super) path: String,
    pub(super) line: u32,
    pub(super) score: f32,
    pub(super) evidence: Vec<String>,
    pub(super) code: String,
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
            text.push_str(&format!("  {DIM}{}{DIM:#}\n", output::plain(&it.reason)));
            text.push_str(&output::plain(&it.text));
        }
        for it in &self.forecasts {
            let place = format!("{}:{}", output::path(&it.path), it.line);
            text.push_str(&format!(
                "\n{NAME}forecast{NAME:#} at {place}  {DIM}{:.2}{DIM:#}\n",
                it.score
            ));
            for evidence in &it.evidence {
                text.push_str(&format!("  {DIM}{}{DIM:#}\n", output::plain(evidence)));
            }
            text.push_str(&output::plain(&it.code));
        }
        if let Some(run) = &self.run {
            text.push_str(&format!("\n{}", report_text(run)));
        }
        text
    }
}
