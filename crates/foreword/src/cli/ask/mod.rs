//! `foreword ask`: what there is to read about a question, cited.

mod link;

use std::io::Read as _;
use std::time::{Duration, Instant};

use foreword_engine::ask::{AskRequest, EvidenceItem, Gathered, gather};
use foreword_engine::index::FileId;
use serde::Serialize;

use super::args::AskArgs;
use super::config::Settings;
use super::output::{DIM, GOOD, NAME};
use super::workspace::{self, OpenWorkspace};
use super::{Outcome, output, usage};
use crate::answer::filter::Filter;
use crate::answer::tokens;
use crate::ask::output::{EvidenceOutput, StrengthOutput, evidence, kinds, missing, strength};
use crate::ask::reading::{Look, lines, reading};
use link::Links;

/// The version of the JSON that `ask` prints; grows when a field changes its meaning or is removed.
const VERSION: u32 = 1;

/// The largest text that is read from stdin: a report of coverage may be long.
const MAX_STDIN: u64 = 16 << 20;

/// What `ask --json` prints (docs/json.md).
#[derive(Serialize)]
struct AskOutput<'a> {
    version: u32,
    snapshot: &'a str,
    complete: bool,
    question: &'a str,
    kinds: Vec<&'static str>,
    messages: &'a [String],
    strength: StrengthOutput<'a>,
    missing: Option<String>,
    evidence: Vec<EvidenceOutput<'a>>,
    elapsed_ms: f64,
}

pub(super) fn run(args: &AskArgs, settings: &Settings) -> anyhow::Result<Outcome> {
    let question = args.question.as_deref().unwrap_or_default();
    let pasted = if args.stdin { stdin()? } else { String::new() };
    if question.trim().is_empty() && pasted.trim().is_empty() {
        return Err(usage(
            "ask: there is no question; give one, or pipe a traceback or the output of a compiler into `foreword ask --stdin`",
        ));
    }
    let filter = Filter::new(&args.path, &args.lang, &[])?;
    let (opened, (gathered, took)) = workspace::answer(settings, None, |opened| {
        let start = Instant::now();
        let gathered = gather_in(opened, args, (question, &pasted), &filter)?;
        Ok((gathered, start.elapsed()))
    })?;
    if args.json {
        output::json(&json(question, &opened, &gathered, took))?;
    } else {
        let shown = if args.evidence {
            texts(&gathered, args, &opened)
        } else {
            list(&gathered, args, &opened)
        };
        output::text(&shown)?;
    }
    let is_enough = gathered.strength.is_enough() && !gathered.evidence.is_empty();
    Ok(if is_enough { Outcome::Done } else { Outcome::Nothing })
}

/// What is piped in, as far as it is read.
fn stdin() -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    std::io::stdin().take(MAX_STDIN).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn gather_in(
    opened: &OpenWorkspace,
    args: &AskArgs,
    (question, pasted): (&str, &str),
    filter: &Filter,
) -> anyhow::Result<Gathered> {
    let snapshot = &opened.snapshot;
    let accepts = |file: FileId| filter.accepts(snapshot, file);
    let keep = filter.restricts_files().then_some(&accepts as &dyn Fn(FileId) -> bool);
    let request = AskRequest {
        question,
        pasted,
        repository: &opened.workspace.name,
        keep,
        tokens: args.tokens,
        earlier: &[],
    };
    let counter = tokens::general()?;
    Ok(gather(snapshot, &request, &|text| counter.count(text)))
}

fn json<'a>(
    question: &'a str,
    opened: &'a OpenWorkspace,
    gathered: &'a Gathered,
    took: Duration,
) -> AskOutput<'a> {
    let snapshot = &opened.snapshot;
    AskOutput {
        version: VERSION,
        snapshot: snapshot.id(),
        complete: snapshot.is_complete() && opened.unread.is_none(),
        question,
        kinds: kinds(&gathered.kinds),
        messages: &gathered.messages,
        strength: strength(&gathered.strength),
        missing: missing(snapshot, gathered),
        evidence: evidence(&gathered.evidence),
        elapsed_ms: (opened.took + took).as_secs_f64() * 1e3,
    }
}

/// The reading list.
fn list(gathered: &Gathered, args: &AskArgs, opened: &OpenWorkspace) -> String {
    let links = Links::new(args.links, &opened.workspace.root);
    let place = |it: &EvidenceItem| place(it, &links);
    let look = Look {
        place: &place,
        strong: &|text| format!("{GOOD}{text}{GOOD:#}"),
        faint: &|text| format!("{DIM}{text}{DIM:#}"),
        plain: &output::plain,
    };
    reading(&opened.snapshot, gathered, &look)
}

/// `path:start-end`, linked where the terminal can.
fn place(it: &EvidenceItem, links: &Links) -> String {
    let lines = lines(it);
    let shown = format!("{NAME}{}:{lines}{NAME:#}", output::path(&it.path));
    links.linked(&it.path, it.start_line, &shown)
}

/// The whole set, each piece with its reasons and its text.
fn texts(gathered: &Gathered, args: &AskArgs, opened: &OpenWorkspace) -> String {
    let links = Links::new(args.links, &opened.workspace.root);
    let mut text = String::new();
    for (at, it) in gathered.evidence.iter().enumerate() {
        let why: Vec<String> = it.why.iter().map(ToString::to_string).collect();
        let (place, role) = (place(it, &links), it.role.name());
        let symbol = output::plain(&it.symbol);
        text.push_str(&format!("[{}] {place}  {role}  {symbol}\n", at + 1));
        text.push_str(&format!("  {DIM}{}{DIM:#}\n", output::plain(&why.join("; "))));
        for line in output::plain(&it.text).lines() {
            text.push_str(&format!("    {line}\n"));
        }
        text.push('\n');
    }
    text
}
