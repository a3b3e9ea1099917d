//! `foreword search --regex` and `--exact`: lines that match a pattern, in the same files as other searches.

use std::time::{Duration, Instant};

use foreword_engine::grep::{Case, GrepAnswer, GrepMatch};
use foreword_session::answer::search::{Pattern, SearchMatch, matching, unread_note};
use foreword_session::answer::tokens;
use serde::Serialize;

use super::{Detail, SearchScope, VERSION, check_filter, filter};
use crate::cli::args::SearchArgs;
use crate::cli::config::Settings;
use crate::cli::output::{DIM, NAME};
use crate::cli::workspace::{self, OpenWorkspace};
use crate::cli::{Outcome, output, usage};

/// JSON of `search --regex --json`: the fields of a search, and those of pattern matches.
#[derive(Serialize)]
struct PatternOutput<'s> {
    version: u32,
    snapshot: &'s str,
    complete: bool,
    searched: SearchScope<'s>,
    results: Vec<SearchMatch>,
    /// Number of all matches, printed or not.
    total: usize,
    truncated: bool,
    elapsed_ms: f64,
}

pub(super) fn run(
    args: &SearchArgs,
    pattern: &Pattern<'_>,
    settings: &Settings,
) -> anyhow::Result<Outcome> {
    let pattern = with_options(pattern, args)?;
    let filter = filter(args, settings)?;
    let (opened, (mut answer, took)) = workspace::answer_at(settings, &args.at, None, |opened| {
        let start = Instant::now();
        check_filter(&filter, &opened.snapshot)?;
        let answer = matching(&opened.snapshot, &pattern, &filter)?;
        Ok((answer, start.elapsed()))
    })?;
    if let Some(tokens) = args.tokens {
        truncate(tokens, &mut answer)?;
    }
    let unread = unread_note(&answer);
    if let Some(note) = unread.iter().find(|_| !settings.quiet) {
        output::note(note);
    }
    let elapsed = opened.took + took;
    if args.json {
        output::json(&json((args, pattern.pattern), &opened, &answer, elapsed)?)?;
    } else {
        output::text(&text(args, &answer))?;
    }
    Ok(if answer.matches.is_empty() { Outcome::Nothing } else { Outcome::Done })
}

/// The pattern with the options of the command line.
pub(super) fn with_options<'q>(
    pattern: &Pattern<'q>,
    args: &SearchArgs,
) -> anyhow::Result<Pattern<'q>> {
    if pattern.pattern.is_empty() {
        return Err(usage("the pattern is empty"));
    }
    if !args.tags.tag.is_empty() {
        return Err(usage("--tag: patterns match lines, which have no tags; remove this option"));
    }
    let case = match (args.ignore_case, args.case_sensitive) {
        (true, _) => Case::Insensitive,
        (_, true) => Case::Sensitive,
        _ => Case::Smart,
    };
    Ok(Pattern { case, word: args.word, around: args.around, ..*pattern })
}

/// Drops the last matches to fit into `tokens`.
fn truncate(tokens: usize, answer: &mut GrepAnswer) -> anyhow::Result<()> {
    let counter = tokens::general()?;
    let mut left = tokens;
    let fits = |it: &&GrepMatch| {
        let rest = left.checked_sub(counter.count(&it.text));
        left = rest.unwrap_or_default();
        rest.is_some()
    };
    let fitting = answer.matches.iter().take_while(fits).count();
    answer.truncated |= fitting < answer.matches.len();
    answer.matches.truncate(fitting);
    Ok(())
}

fn json<'s>(
    (args, query): (&SearchArgs, &'s str),
    opened: &'s OpenWorkspace,
    answer: &GrepAnswer,
    elapsed: Duration,
) -> anyhow::Result<PatternOutput<'s>> {
    let snapshot = &opened.snapshot;
    let counter = tokens::general()?;
    let detail = Detail::of(args);
    let result = |it| detail.apply(SearchMatch::of_line(it, &counter));
    let root = || opened.workspace.root.display().to_string();
    let unread = unread_note(answer);
    Ok(PatternOutput {
        version: VERSION,
        snapshot: snapshot.id(),
        complete: snapshot.is_complete() && unread.is_none(),
        searched: SearchScope {
            root: opened.pushed.clone().unwrap_or_else(root),
            query,
            terms: Vec::new(),
            files: answer.searched as u32,
            chunks: snapshot.totals().chunks,
            unread: unread.or_else(|| opened.unread.clone()),
            deferred: opened.deferred.clone(),
            embedded: None,
            meaning: None,
        },
        total: answer.total,
        truncated: answer.truncated,
        results: answer.matches.iter().map(result).collect(),
        elapsed_ms: elapsed.as_secs_f64() * 1e3,
    })
}

fn text(args: &SearchArgs, answer: &GrepAnswer) -> String {
    if answer.total == 0 {
        return format!("nothing matched in {} files\n", answer.searched);
    }
    let detail = Detail::of(args);
    let mut text: String = answer.matches.iter().map(|it| line(it, detail)).collect();
    if answer.truncated {
        let (n, total) = (answer.matches.len(), answer.total);
        let more = if args.tokens.is_some() { "-k or --tokens" } else { "-k" };
        text.push_str(&format!("{DIM}{n} of {total} matches; more with {more}{DIM:#}\n"));
    }
    text
}

/// A match; lines around it stand below the place, with their numbers.
pub(super) fn line(it: &GrepMatch, detail: Detail) -> String {
    let path = output::path(&it.path);
    let location = format!("{NAME}{path}:{}:{}{NAME:#}", it.line, it.column);
    let symbol = if it.symbol.is_empty() {
        String::new()
    } else {
        format!("  {DIM}in {}{DIM:#}", output::plain(&it.symbol))
    };
    if detail == Detail::Brief {
        return format!("{location}{symbol}\n");
    }
    if it.before.is_empty() && it.after.is_empty() {
        return format!("{location}  {}{symbol}\n", output::plain(it.text.trim()));
    }
    let first = it.line - it.before.len() as u32;
    let context = |it: &String| format!("{DIM}{}{DIM:#}", output::plain(it));
    let before = it.before.iter().map(context);
    let found = it.text.lines().map(output::plain);
    let lines = before.chain(found).chain(it.after.iter().map(context));
    let numbered = (first..).zip(lines).map(|(n, it)| format!("{DIM}{n:>6}{DIM:#}  {it}\n"));
    format!("{location}{symbol}\n{}\n", numbered.collect::<String>())
}
