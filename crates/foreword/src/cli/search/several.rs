//! `foreword search --cluster --repository PATTERN`: one list from several repositories, ranked or of matching lines.

use std::collections::BTreeMap;
use std::time::Instant;

use foreword_cluster::Access;
use foreword_engine::grep::GrepMatch;
use foreword_engine::search::{SearchAnswer, SearchResult};
use foreword_session::answer::search::Pattern;
use foreword_session::custom::Adjustments;
use foreword_session::embedding::QuestionMeaning;

use super::pattern::{line, with_options};
use super::{Detail, filter, question, render};
use crate::cli::args::SearchArgs;
use crate::cli::config::Settings;
use crate::cli::output::DIM;
use crate::cli::push::{OTHER_KEYS, connect};
use crate::cli::{Outcome, output, usage};
use crate::many::pattern::{LineMatch, PatternQuestion, PatternsOutput, search as search_lines};
use crate::many::search::{
    LeftOut, ManyMatch, ManyOutput, ManyQuestion, PATIENCE, SearchScope, search,
};

pub(super) fn run(
    args: &SearchArgs,
    query: &str,
    access: &Access,
    settings: &Settings,
) -> anyhow::Result<Outcome> {
    let filter = &filter(args, settings)?;
    let cluster = connect(&args.at, settings)?;
    let adjustments = Adjustments::of_tags(&args.tags.tag)?;
    let meaning = QuestionMeaning::default();
    let asked = ManyQuestion {
        question: question(args, query, &meaning, &adjustments),
        filter,
        branch: args.at.branch.as_deref(),
        deadline: Instant::now() + PATIENCE,
    };
    let mut found = search(&cluster, access, &asked)?;
    let is_empty = found.results.is_empty();
    if !settings.quiet {
        let scopes: Vec<&SearchScope> = found.repositories.iter().collect();
        let failed = (found.failed_shards, found.shards);
        notes(&scopes, &found.left_out, failed).iter().for_each(|it| output::note(it));
    }
    if args.json {
        if Detail::of(args) == Detail::Brief {
            found.remove_texts();
        }
        output::json(&found)?;
    } else if is_empty {
        let n = found.repositories.len();
        output::text(&format!("nothing in {n} repositories matches {query}\n"))?;
    } else {
        output::text(&page(&found, Detail::of(args)))?;
    }
    Ok(if is_empty { Outcome::Nothing } else { Outcome::Done })
}

/// Prints the lines that match a pattern.
pub(super) fn lines(
    args: &SearchArgs,
    (query, pattern): (&str, &Pattern<'_>),
    access: &Access,
    settings: &Settings,
) -> anyhow::Result<Outcome> {
    let pattern = with_options(pattern, args)?;
    if args.tokens.is_some() {
        return Err(usage("--tokens: lines of several repositories are limited by -k alone"));
    }
    let asked = PatternQuestion {
        query,
        pattern,
        filter: &filter(args, settings)?,
        branch: args.at.branch.as_deref(),
        deadline: Instant::now() + PATIENCE,
    };
    let mut found = search_lines(&connect(&args.at, settings)?, access, &asked)?;
    let is_empty = found.results.is_empty();
    if !settings.quiet {
        let scopes: Vec<&SearchScope> = found.repositories.iter().map(|it| &it.searched).collect();
        let failed = (found.failed_shards, found.shards);
        notes(&scopes, &found.left_out, failed).iter().for_each(|it| output::note(it));
        output::note(&format!("chosen by the words {}", output::plain(&found.words.join(", "))));
        for it in &found.repositories {
            let name = output::plain(&it.searched.repository);
            it.unread.iter().for_each(|why| output::note(&format!("{name}: {why}")));
        }
    }
    if args.json {
        if Detail::of(args) == Detail::Brief {
            found.remove_texts();
        }
        output::json(&found)?;
    } else if is_empty {
        let n = found.repositories.len();
        output::text(&format!("nothing in {n} repositories matches {}\n", output::plain(query)))?;
    } else {
        output::text(&page_of_lines(&found, Detail::of(args)))?;
    }
    Ok(if is_empty { Outcome::Nothing } else { Outcome::Done })
}

/// The lines, with the repository before each path.
fn page_of_lines(found: &PatternsOutput<'_>, detail: Detail) -> String {
    let line = |it: &LineMatch| {
        let path = format!("{}:{}", it.repository, it.line.path);
        line(&GrepMatch { path, ..it.line.clone() }, detail)
    };
    let mut text: String = found.results.iter().map(line).collect();
    if found.truncated {
        let (n, total) = (found.results.len(), found.total);
        text.push_str(&format!("{DIM}{n} of {total} matches; more with -k{DIM:#}\n"));
    }
    text
}

/// What the answer does not have.
fn notes(
    repositories: &[&SearchScope],
    others: &[LeftOut],
    (failed, shards): (u64, u64),
) -> Vec<String> {
    let mut res = Vec::new();
    if failed > 0 {
        res.push(format!(
            "{failed} of {shards} shards of the cluster did not answer; repositories there are missing"
        ));
    }
    let names: Vec<String> = repositories.iter().map(|it| output::plain(&it.repository)).collect();
    res.push(match names.is_empty() {
        true => format!("no repository has a word of it; {OTHER_KEYS}"),
        false => format!("searched in {}", names.join(", ")),
    });
    let mut left_out: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for it in others {
        left_out.entry(&it.reason).or_default().push(output::plain(&it.repository));
    }
    let line = |(reason, names): (&str, Vec<String>)| {
        format!("not in {}: {}", names.join(", "), output::plain(reason))
    };
    res.extend(left_out.into_iter().map(line));
    for it in repositories.iter().filter(|it| it.cut) {
        res.push(format!(
            "{}: more files could have matching lines than were read",
            output::plain(&it.repository)
        ));
    }
    res
}

/// The results, with the repository before each path.
fn page(found: &ManyOutput<'_>, detail: Detail) -> String {
    let named = |it: &ManyMatch| {
        let path = format!("{}:{}", it.repository, it.result.path);
        SearchResult { path, ..it.result.clone() }
    };
    let results = found.results.iter().map(named).collect();
    let terms = found.terms.clone();
    render::results(&SearchAnswer { results, terms, unknown: Vec::new() }, detail)
}
