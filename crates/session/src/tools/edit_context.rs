//! The tool `context`: what to read before an edit.

use super::arguments::{self, ContextArguments};
use super::evidence::{Evidence, EvidenceReason, Locator, SiteKind};
use super::page::{Entry, Page, ToolAnswer};
use super::target::{Place, Target, check_line};
use crate::answer::next::{LikelyPlace, PlaceQuery, likely};
use crate::answer::reading_list::{Part, Role, SessionView, around_line, for_task};
use crate::usage::usage;
use foreword_engine::retrieve::Certainty;

/// The most places that may have to change next.
const NEXT_PLACES: usize = 10;

/// The share of the budget that the parts may take; the rest is for the footer.
const PARTS_SHARE: f32 = 0.9;

pub(super) fn answer(
    target: &Target<'_>,
    arguments: &ContextArguments,
) -> anyhow::Result<ToolAnswer> {
    let budget = arguments::budget(arguments.tokens, 4000);
    if arguments.next {
        return next_places(target, arguments, budget);
    }
    let tokens = (budget as f32 * PARTS_SHARE) as usize;
    let (parts, nothing) = parts(target, arguments, tokens)?;
    let mut locator = Locator::new(&target.view.snapshot);
    let mut page = Page::whole(parts.iter().map(|it| entry(&mut locator, it)).collect());
    page.note = parts.is_empty().then_some(nothing);
    Ok(page.answer(target, budget))
}

/// The places that may have to change next, each with its reasons.
fn next_places(
    target: &Target<'_>,
    arguments: &ContextArguments,
    budget: usize,
) -> anyhow::Result<ToolAnswer> {
    let snapshot = &target.view.snapshot;
    let place = arguments.file.as_deref().map(|it| target.place(it)).transpose()?;
    let cursor = place.map(|Place { path, file, lines: named }| {
        let line = arguments.line.or(named.map(|it| it.0)).unwrap_or(1);
        let line = check_line("line", line, snapshot.size(file).1, &path)?;
        anyhow::Ok((path, line))
    });
    let cursor = cursor.transpose()?;
    let cursor = cursor.as_ref().map(|(path, line)| (&**path, *line));
    let wanted = PlaceQuery { cursor, limit: NEXT_PLACES, written: &[], least: None };
    let repository = target.origin.local("next")?;
    let found = likely(snapshot, repository.workspace(), repository.past(), &wanted);
    let mut locator = Locator::new(snapshot);
    let mut page =
        Page::whole(found.places.iter().map(|it| likely_entry(&mut locator, it)).collect());
    page.note = found.places.is_empty().then(|| match found.edits {
        0 => "no uncommitted changes; pass file and line to start from a position".to_owned(),
        n => format!("no likely place: none follows from the {n} edits"),
    });
    page.note = page.note.into_iter().chain(found.note).reduce(|a, b| format!("{a}; {b}"));
    Ok(page.answer(target, budget))
}

/// A place with its reasons, and the lines that follow from the edits.
fn likely_entry(locator: &mut Locator<'_>, it: &LikelyPlace) -> Entry {
    let evidence = locator.lines(&it.path, (it.start_line, it.end_line));
    let why: Vec<&str> = it.reasons.iter().map(|it| &*it.text).collect();
    let percent = (it.confidence * 100.0).round();
    let mut text = format!("{}\n{}", it.text, why.join("\n"));
    for edit in &it.edits {
        let line = format!("\nfollows: line {} becomes {}", edit.start_line, edit.text.trim_end());
        text.push_str(&line);
    }
    let mut entry = Entry::of(evidence, text);
    entry.heading = format!("{}  {}  {percent} %", entry.heading, it.symbol);
    entry.fields["confidence"] = it.confidence.into();
    entry.fields["why"] = why.into();
    if !it.edits.is_empty() {
        entry.fields["edits"] = serde_json::json!(it.edits);
    }
    entry
}

/// The parts to read, and the message if there are none.
fn parts(
    target: &Target<'_>,
    arguments: &ContextArguments,
    tokens: usize,
) -> anyhow::Result<(Vec<Part>, String)> {
    let count = |text: &str| target.counter.count(text);
    let snapshot = &target.view.snapshot;
    let elsewhere = |path: &str| target.origin.elsewhere(path, snapshot);
    let session = SessionView { snapshot, elsewhere: &elsewhere };
    match (&arguments.task, &arguments.file) {
        (Some(task), None) => {
            let nothing = format!(
                "nothing matched: nothing in {} files has any of the words of \"{task}\"",
                snapshot.totals().files
            );
            Ok((for_task(session, task, tokens, &count)?, nothing))
        }
        (task, Some(file)) => {
            let Place { path, file, lines: named } = target.place(file)?;
            let (_, lines) = snapshot.size(file);
            let line = arguments.line.or(named.map(|it| it.0));
            let line = line.map(|line| check_line("line", line, lines, &path));
            let line = line.transpose()?;
            target.origin.read(&path, line.map_or((1, lines), |it| (it, it)));
            let task = task.as_deref().unwrap_or_default();
            let parts = around_line(session, (file, line), task, tokens, &count)?;
            Ok((parts, format!("{path} is empty")))
        }
        (None, None) => Err(usage(
            "context: give task (in words), or file, with line where one is meant, or both",
        )),
    }
}

fn entry(locator: &mut Locator<'_>, it: &Part) -> Entry {
    let evidence = evidence(locator, it);
    let mut entry = Entry::of(evidence, it.text.clone());
    entry.heading = format!("{}: {}", it.role.name(), entry.heading);
    entry.fields["role"] = it.role.name().into();
    entry.fields["why"] = why(it).into();
    entry
}

fn evidence(locator: &mut Locator<'_>, it: &Part) -> Evidence {
    let kind = match &it.uses {
        Some((_, kind, _)) => Some(SiteKind::Use(*kind)),
        None => it.kind.map(SiteKind::Definition),
    };
    let requested = (it.role == Role::Here).then_some(EvidenceReason::Requested);
    let uses = it.uses.iter().map(|(name, ..)| EvidenceReason::Uses(name.clone()));
    let ranked = it.reasons.iter().cloned().map(EvidenceReason::Ranked);
    let evidence = locator.lines(&it.path, (it.start_line, it.end_line));
    evidence.named(&it.symbol, kind).because(requested.into_iter().chain(uses).chain(ranked))
}

/// The first reason in words; empty for the code itself.
fn why(it: &Part) -> String {
    match (&it.uses, it.reasons.first()) {
        (Some((name, _, Certainty::Sure)), _) => format!("uses {name}"),
        (Some((name, _, Certainty::Possible)), _) => format!("possibly uses {name}"),
        (None, Some(reason)) => reason.to_string(),
        (None, None) => String::new(),
    }
}
