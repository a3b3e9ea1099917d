//! `foreword search --regex` and `--exact`: lines that a pattern matches, in the same files as every other search.

use std::time::Instant;

use foreword_engine::grep::{Case, GrepAnswer, GrepMatch};
use serde::Serialize;

use super::args::SearchArgs;
use super::config::Settings;
use super::output::{DIM, NAME};
use super::search::{Searched, asked};
use super::{Outcome, output, usage};
use crate::answer::search::{Pattern, SearchMatch, matching};
use crate::answer::tokens;

/// The version of the JSON; the same as `search`'s, with what only lines have beside it.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Answer<'s> {
    version: u32,
    snapshot: &'s str,
    complete: bool,
    searched: Searched<'s>,
    results: Vec<SearchMatch>,
    /// All matches, shown or not.
    total: usize,
    truncated: bool,
    elapsed_ms: f64,
}

pub(super) fn run(args: &SearchArgs, settings: &Settings) -> anyhow::Result<Outcome> {
    if args.query.is_empty() {
        return Err(usage("the pattern is empty"));
    }
    let (opened, filter) = asked(args, settings)?;
    let start = Instant::now();
    let snapshot = &opened.snapshot;
    let pattern = Pattern {
        pattern: &args.query,
        regex: args.regex,
        case: match (args.ignore_case, args.case_sensitive) {
            (true, _) => Case::Insensitive,
            (_, true) => Case::Sensitive,
            _ => Case::Smart,
        },
        word: args.word,
        limit: args.limit.unwrap_or(1000),
        around: args.around,
    };
    let mut answer = matching(snapshot, &pattern, &filter)?;
    if let Some(tokens) = args.tokens {
        keep_within(tokens, &mut answer)?;
    }
    let elapsed = opened.took + start.elapsed();
    let found = !answer.matches.is_empty();
    if args.json {
        let totals = snapshot.totals();
        let counter = tokens::general()?;
        let result = |it| match args.brief {
            true => SearchMatch::of_line(it, &counter).without_text(),
            false => SearchMatch::of_line(it, &counter),
        };
        output::json(&Answer {
            version: VERSION,
            snapshot: snapshot.id(),
            complete: snapshot.is_complete(),
            searched: Searched {
                root: opened.workspace.root.display().to_string(),
                query: &args.query,
                terms: Vec::new(),
                files: answer.searched as u32,
                chunks: totals.chunks,
                unread: opened.unread.clone(),
            },
            total: answer.total,
            truncated: answer.truncated,
            results: answer.matches.iter().map(result).collect(),
            elapsed_ms: elapsed.as_secs_f64() * 1e3,
        })?;
    } else {
        let mut text: String = answer.matches.iter().map(|it| people(it, args.brief)).collect();
        if answer.truncated {
            let (n, total) = (answer.matches.len(), answer.total);
            let more = if args.tokens.is_some() { "-k or --tokens" } else { "-k" };
            text.push_str(&format!("{DIM}{n} of {total} matches; more with {more}{DIM:#}\n"));
        }
        if answer.total == 0 {
            text = format!("nothing matched in {} files\n", answer.searched);
        }
        output::text(&text)?;
    }
    Ok(if found { Outcome::Done } else { Outcome::Nothing })
}

/// Leaves out the last matches, so that the others have at most so many tokens together.
fn keep_within(tokens: usize, answer: &mut GrepAnswer) -> anyhow::Result<()> {
    let counter = tokens::general()?;
    let mut left = tokens;
    let fits = |it: &&GrepMatch| {
        let rest = left.checked_sub(counter.count(&it.text));
        left = rest.unwrap_or_default();
        rest.is_some()
    };
    let kept = answer.matches.iter().take_while(fits).count();
    answer.truncated |= kept < answer.matches.len();
    answer.matches.truncate(kept);
    Ok(())
}

fn people(it: &GrepMatch, brief: bool) -> String {
    let path = output::path(&it.path);
    let place = format!("{NAME}{path}:{}:{}{NAME:#}", it.line, it.column);
    let symbol = if it.symbol.is_empty() {
        String::new()
    } else {
        format!("  {DIM}in {}{DIM:#}", output::plain(&it.symbol))
    };
    if brief {
        return format!("{place}{symbol}\n");
    }
    let mut res = String::new();
    for line in &it.before {
        res.push_str(&format!("    {DIM}{}{DIM:#}\n", output::plain(line)));
    }
    res.push_str(&format!("{place}  {}{symbol}\n", output::plain(it.text.trim())));
    for line in &it.after {
        res.push_str(&format!("    {DIM}{}{DIM:#}\n", output::plain(line)));
    }
    res
}
