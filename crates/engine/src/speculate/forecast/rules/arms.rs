//! Arms and cases for variants of an enumeration of which others have one, and entries of lists and tables of variants.

use std::rc::Rc;

use foreword_chunk::{Kind, Language};

use super::super::draft::{Draft, cite, cite_place, renamed};
use super::super::facts::{Facts, Place};
use super::super::view::{FileView, indentation, last_part};
use super::super::words::Rename;
use super::labels::{Label, VariantName, label_of};
use crate::retrieve::is_builtin;
use crate::sorting::sort_by_key;
use crate::speculate::{ForecastForm, ForecastKind};

/// An enumeration with more variants is not read.
const MANY: usize = 200;
/// Where everything else has an arm, or nothing demands one for each variant, at least so many must have one…
const LEAST: usize = 3;
/// …and this share of all.
const SHARE: f32 = 0.75;
/// The longest arm that is a model for others, in lines.
const LONGEST: u32 = 12;
/// How well an arm that no compiler asks for fits, at the most: of the 14 that were foretold in the histories of 24
/// repositories none was written (`benchmarks/results/speculation.md`).
const UNASKED: f32 = 0.1;
/// The longest pattern that is read, in lines.
const LONGEST_PATTERN: u32 = 60;

/// The variants of an enumeration in its order.
struct Variants<'s> {
    /// The enumeration, or its first constant where the group has no name.
    of: String,
    all: Vec<Place<'s>>,
}

/// An arm: the lines that it has, and what it is for.
struct Arm {
    first: u32,
    end: u32,
    label: Label,
}

/// What the matches, switches and tables of a file lack.
pub(in super::super) fn arms<'s>(facts: &Facts<'s>, view: &Rc<FileView<'s>>) -> Vec<Draft> {
    if view.record.outline.is_empty() {
        return Vec::new();
    }
    groups(view).iter().flat_map(|it| of_group(facts, view, it)).collect()
}

/// The arms that stand side by side.
fn groups(view: &FileView<'_>) -> Vec<Vec<Arm>> {
    let Some(language) = view.language else { return Vec::new() };
    let outline = &view.record.outline;
    let mut open: Vec<(usize, Vec<Arm>)> = Vec::new();
    let mut res = Vec::new();
    for line in 0..view.lines.count() {
        let level = outline.level(line as usize);
        if !outline.begins_statement(line as usize) && view.line(line + 1).trim().is_empty() {
            continue;
        }
        while open.last().is_some_and(|it| it.0 > level) {
            res.extend(open.pop().map(|it| it.1));
        }
        if !outline.begins_statement(line as usize) || view.line(line + 1).trim().is_empty() {
            continue;
        }
        if open.last().is_none_or(|it| it.0 < level) {
            open.push((level, Vec::new()));
        }
        let start = view.lines.start_of(line + 1) as u32;
        let text = view.line(line + 1);
        let is_code = !view.is_prose(start + indentation(text).len() as u32);
        let end = outline.statement_end(line as usize) as u32 + 1;
        let whole = view.slice(line + 1..end.min(line + 1 + LONGEST_PATTERN));
        let label = label_of(text, whole, language).filter(|_| is_code);
        // What is no arm among arms hides some: one with an attribute, or one that is too long to read.
        let odd = Label { is_rest: true, is_arm: true, ..Label::default() };
        if let (Some(label), Some(group)) = (label.or(is_code.then_some(odd)), open.last_mut()) {
            group.1.push(Arm { first: line + 1, end, label });
        }
    }
    res.extend(open.into_iter().map(|it| it.1));
    res.retain(|it| it.iter().filter(|it| !it.label.names.is_empty()).count() > 1);
    res
}

fn of_group<'s>(facts: &Facts<'s>, view: &Rc<FileView<'s>>, group: &[Arm]) -> Vec<Draft> {
    let named: Vec<&str> =
        group.iter().flat_map(|it| &it.label.names).map(|it| it.variant.as_str()).collect();
    let Some(variants) = variants_of(facts, view, group, &named) else { return Vec::new() };
    // A variant that is there in some builds only may have its arm in others.
    let is_conditional = |it: &Place<'s>| {
        it.view.definition(it.idx).is_some_and(|of| it.view.of(of.span).contains("#[cfg"))
    };
    let is_named = |it: &&Place<'s>| named.contains(&it.name()) || is_conditional(it);
    let missing: Vec<&Place<'s>> = variants.all.iter().filter(|it| !is_named(it)).collect();
    let has_rest = group.iter().any(|it| it.label.is_rest);
    let is_match = group.iter().all(|it| it.label.is_arm);
    let n_odd = group.iter().filter(|it| it.label.names.is_empty()).count();
    if n_odd > 1 {
        return Vec::new();
    }
    let share = (variants.all.len() - missing.len()) as f32 / variants.all.len() as f32;
    let demands = is_match && !has_rest && must_be_exhaustive(view);
    let n_named = variants.all.len() - missing.len();
    if missing.is_empty() || (!demands && (n_named < LEAST || share < SHARE)) {
        return Vec::new();
    }
    let fit = if demands { 1.0 } else { share * UNASKED };
    let draft = |it: &&Place<'s>| draft(view, group, &variants, it, fit);
    missing.iter().filter_map(draft).collect()
}

/// Whether the compiler asks for an arm for each variant.
fn must_be_exhaustive(view: &FileView<'_>) -> bool {
    matches!(
        view.language,
        Some(Language::Rust | Language::Swift | Language::Kotlin | Language::Scala)
    )
}

/// Whether a name without a path can be a variant that is not defined in this file.
fn is_brought_in(view: &FileView<'_>, name: &str, of: &str) -> bool {
    if view.language != Some(Language::Rust) {
        return true;
    }
    view.record.symbols.imports.iter().any(|it| {
        let is_all = it.names.iter().any(|it| it.name == "*");
        it.names.iter().any(|it| it.name == name) || is_all && last_part(&it.module) == of
    })
}

/// The enumeration that all names are variants of.
fn variants_of<'s>(
    facts: &Facts<'s>,
    view: &Rc<FileView<'s>>,
    group: &[Arm],
    named: &[&str],
) -> Option<Variants<'s>> {
    let label = group.iter().flat_map(|it| &it.label.names).next()?;
    let is_bare = |it: &&VariantName| it.of.is_none();
    let bare = group.iter().flat_map(|it| &it.label.names).find(is_bare).map(|it| &it.variant);
    if bare.is_some_and(|it| view.language.is_some_and(|language| is_builtin(language, it))) {
        return None;
    }
    let mut sites = facts.sites(&label.variant, view.language);
    sites.retain(|it| it.kind == Kind::Constant);
    sort_by_key(&mut sites, |it| (it.file != view.file, *it));
    let mut found = sites.into_iter().filter_map(|it| {
        let place = Place { view: facts.view(it.file), idx: it.definition };
        let variants = group_of(&place)?;
        let names: Vec<&str> = variants.all.iter().map(Place::name).collect();
        let is_of = match label.of.as_deref() {
            Some("Self") | None => true,
            Some(of) => last_part(of) == variants.of || view.language == Some(Language::Go),
        };
        let is_visible =
            it.file == view.file || bare.is_none_or(|it| is_brought_in(view, it, &variants.of));
        (is_of && is_visible && named.iter().all(|it| names.contains(it))).then_some(variants)
    });
    let first = found.next()?;
    // Of several enumerations with these variants none is meant for certain, unless one is here.
    let is_here = first.all.first().is_some_and(|it| it.view.file == view.file);
    (is_here || found.next().is_none()).then_some(first)
}

/// The variants beside one: the constants of its enumeration, or those of its group in languages without enumerations.
fn group_of<'s>(place: &Place<'s>) -> Option<Variants<'s>> {
    let view = &place.view;
    let of = |idx| Place { view: Rc::clone(view), idx };
    let own = view.definition(place.idx)?;
    let parent = own.parent.and_then(|it| Some((it, view.definition(it)?)));
    if let Some((idx, _)) = parent.filter(|it| it.1.kind == Kind::Enum) {
        let constants = view.children(Some(idx)).filter(|it| it.1.kind == Kind::Constant);
        let all: Vec<Place<'s>> = constants.map(|it| of(it.0)).take(MANY).collect();
        return Some(Variants { of: view.name(idx).to_owned(), all });
    }
    if !matches!(view.language, Some(Language::Go)) {
        return None;
    }
    let siblings: Vec<u32> =
        view.children(own.parent).filter(|it| it.1.kind == Kind::Constant).map(|it| it.0).collect();
    let at = siblings.iter().position(|it| *it == place.idx)?;
    let joins = |pair: &[u32]| {
        let (a, b) = (view.definition(pair[0]), view.definition(pair[1]));
        a.zip(b).is_some_and(|(a, b)| {
            let between = view.text.get(a.name.end as usize..b.name.start as usize).unwrap_or(")");
            !between.lines().any(|it| it.trim_start().starts_with(')'))
                && !between.contains("const")
                && !between.contains("var ")
        })
    };
    let first = (1..=at).rev().find(|it| !joins(&siblings[it - 1..=*it])).unwrap_or(0);
    let ends = (at + 1..siblings.len()).find(|it| !joins(&siblings[it - 1..=*it]));
    let group = &siblings[first..ends.unwrap_or(siblings.len())];
    let all: Vec<Place<'s>> = group.iter().map(|it| of(*it)).take(MANY).collect();
    let name = all.first().map(|it| it.name().to_owned())?;
    let is_iota = view.slice(all[0].line()..all[0].line() + 1).contains("iota");
    (all.len() > 1 && is_iota).then_some(Variants { of: name, all })
}

/// The arm for a variant, like the one for the nearest variant of the same form.
fn draft(
    view: &FileView<'_>,
    group: &[Arm],
    variants: &Variants<'_>,
    missing: &Place<'_>,
    fit: f32,
) -> Option<Draft> {
    let position = |name: &str| variants.all.iter().position(|it| it.name() == name);
    let own = position(missing.name())?;
    let candidates =
        group.iter().filter(|it| it.label.names.len() == 1 && it.end - it.first <= LONGEST);
    let form = |it: &Place<'_>| shape(it);
    let model = candidates
        .filter_map(|it| Some((it, position(&it.label.names[0].variant)?)))
        .min_by_key(|it| {
            let differs = form(&variants.all[it.1]) != form(missing);
            (differs, it.1.abs_diff(own), it.1 > own)
        })?;
    let (arm, at) = model;
    let rename = Rename::new(variants.all[at].name(), missing.name())?;
    let text = view.slice(arm.first..arm.end).trim_end();
    let is_same = form(&variants.all[at]) == form(missing);
    let code = match is_same {
        true => renamed(text, &[rename]),
        false => label_only(text, &rename)?,
    };
    let before = group.iter().filter(|it| {
        it.label.names.iter().filter_map(|it| position(&it.variant)).any(|it| it < own)
    });
    let line = before.map(|it| it.end).max().unwrap_or(group.first()?.first);
    let rest = group.iter().find(|it| it.label.is_rest).map_or(u32::MAX, |it| it.first);
    Some(Draft {
        kind: ForecastKind::MissingCase,
        form: if is_same { ForecastForm::Code } else { ForecastForm::Signature },
        name: missing.name().to_owned(),
        code,
        line: line.min(rest),
        evidence: vec![
            cite_place(missing, format!("{} is a variant of {}", missing.name(), variants.of)),
            cite(view, arm.first, format!("{} has an arm here", variants.all[at].name())),
        ],
        fit,
    })
}

/// What follows the name of a variant: nothing, a tuple, fields.
fn shape(it: &Place<'_>) -> Option<char> {
    let name = it.view.definition(it.idx)?.name;
    let after = it.view.text.get(name.end as usize..)?.trim_start();
    after.chars().next().filter(|it| matches!(it, '(' | '{'))
}

/// The first line of an arm for another variant, without what the other variant has in it.
fn label_only(arm: &str, rename: &Rename) -> Option<String> {
    let line = arm.lines().next()?;
    let end = line.find("=>").or_else(|| line.find("->")).or_else(|| line.rfind(':'))?;
    let before = rename.apply(line[..end].trim_end());
    let bare = before.split(['(', '{']).next()?.trim_end();
    let sign = if line[end..].starts_with(':') { ":" } else { line.get(end..end + 2)? };
    Some(if sign == ":" { format!("{bare}:") } else { format!("{bare} {sign}") })
}
