//! `foreword search --cluster --repository PATTERN`: one list from several repositories.

use std::collections::BTreeMap;
use std::time::Instant;

use foreword_cluster::Access;
use foreword_engine::search::{SearchAnswer, SearchResult};
use foreword_session::custom::Adjustments;
use foreword_session::embedding::QuestionMeaning;

use super::{Detail, filter, question, render};
use crate::cli::args::SearchArgs;
use crate::cli::config::Settings;
use crate::cli::push::{OTHER_KEYS, connect};
use crate::cli::{Outcome, output};
use crate::many::search::{ManyMatch, ManyOutput, ManyQuestion, PATIENCE, search};

pub(super) fn run(
    args: &SearchArgs,
    query: &str,
    access: &Access,
    settings: &Settings,
) -> anyhow::Result<Outcome> {
    let filter = &filter(args, settings)?;
    let cluster = connect(&args.at)?;
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
        notes(&found).iter().for_each(|it| output::note(it));
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

/// What the answer does not have.
fn notes(found: &ManyOutput<'_>) -> Vec<String> {
    let mut res = Vec::new();
    if found.failed_shards > 0 {
        res.push(format!(
            "{} of {} shards of the cluster did not answer; repositories there are missing",
            found.failed_shards, found.shards
        ));
    }
    let names: Vec<String> =
        found.repositories.iter().map(|it| output::plain(&it.repository)).collect();
    res.push(match names.is_empty() {
        true => format!("no repository has a word of it; {OTHER_KEYS}"),
        false => format!("searched in {}", names.join(", ")),
    });
    let mut left_out: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for it in &found.left_out {
        left_out.entry(&it.reason).or_default().push(output::plain(&it.repository));
    }
    let line = |(reason, names): (&str, Vec<String>)| {
        format!("not in {}: {}", names.join(", "), output::plain(reason))
    };
    res.extend(left_out.into_iter().map(line));
    for it in found.repositories.iter().filter(|it| it.cut) {
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
