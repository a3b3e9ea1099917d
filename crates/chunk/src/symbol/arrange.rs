//! From candidates to definitions: merged by name, widened, documented, nested, sorted.

use super::candidates::{DefinitionCandidate, LeadKind, SymbolCandidates};
use super::import::Statement;
use super::lead;
use super::types::{Definition, Kind};
use crate::language::Language;
use crate::span::Span;

/// The definitions among the candidates.
pub(super) fn arrange(
    text: &[u8],
    language: Language,
    found: &SymbolCandidates,
) -> Vec<Definition> {
    let mut candidates = found.definitions.items.clone();
    merge(&mut candidates);
    let mut imports: Vec<Span> = found.statements.items.iter().map(Statement::span).collect();
    imports.sort_unstable();
    candidates.retain(|it| it.kind != Some(Kind::Constant) || !is_import(it, &imports));
    widen(&mut candidates, found.widenings.items.clone());
    lead::attach(text, language, &mut candidates, found.leads.items.clone());
    candidates.sort_by_key(|it| {
        (it.span.start, u32::MAX - it.span.end, it.core.start, u32::MAX - it.core.end, it.name)
    });
    let parents = parents(&candidates);
    let is_nameable = nameable(text, &candidates, &parents);
    let mut definitions = nest(text, language, &candidates, &parents, &is_nameable);
    let comments = found.leads.items.iter().filter(|it| it.kind == LeadKind::Comment);
    let mut comments: Vec<Span> = comments.map(|it| it.span).collect();
    comments.sort_unstable_by_key(|it| it.end);
    for it in definitions.iter_mut().filter(|it| it.body.is_some()) {
        it.signature = lead::without_comments(text, language, &comments, it.signature);
    }
    definitions
}

/// One candidate for each name: the first pattern gives the kind, all of them the extent.
fn merge(candidates: &mut Vec<DefinitionCandidate>) {
    candidates.sort_by_key(|it| (it.kind.is_none(), it.name, it.pattern));
    candidates.dedup_by(|it, first| {
        let same = it.name == first.name && it.kind.is_some() && first.kind.is_some();
        if same {
            if it.core.contains(first.core) {
                (first.core, first.span) = (it.core, it.span);
            }
            first.body = first.body.or(it.body);
            first.doc = first.doc.or(it.doc);
        }
        same
    });
}

/// Whether a variable only holds an import (`const fs = require("fs")`); then it is no definition.
fn is_import(it: &DefinitionCandidate, imports: &[Span]) -> bool {
    let next = imports.partition_point(|import| import.start < it.core.start);
    // The semicolon may be part of one and not of the other.
    imports
        .get(next)
        .is_some_and(|import| import.end <= it.core.end && it.core.end - import.end <= 1)
}

/// Extends decorated or exported definitions to their decorators or the export.
fn widen(candidates: &mut [DefinitionCandidate], mut widenings: Vec<(Span, Span)>) {
    widenings.sort_by_key(|it| (it.1, it.0));
    widenings.dedup();
    // An outer node with several inner ones (`export const a = 1, b = 2`) belongs to none of them.
    let mut single: Vec<(Span, Span)> =
        widenings.chunk_by(|a, b| a.1 == b.1).filter(|it| it.len() == 1).map(|it| it[0]).collect();
    single.sort_unstable();
    for candidate in candidates {
        while let Ok(at) = single.binary_search_by_key(&candidate.span, |it| it.0) {
            if single[at].1 == candidate.span {
                break;
            }
            candidate.span = single[at].1;
        }
    }
}

/// For each candidate the innermost one that encloses it.
fn parents(candidates: &[DefinitionCandidate]) -> Vec<Option<usize>> {
    let mut around: Vec<usize> = Vec::new();
    let mut parents = Vec::with_capacity(candidates.len());
    for (idx, it) in candidates.iter().enumerate() {
        let holds =
            |outer: &DefinitionCandidate| outer.core.contains(it.core) && outer.core != it.core;
        while around.last().is_some_and(|&last| candidates[last].core.end <= it.core.start) {
            around.pop();
        }
        parents.push(around.iter().rev().copied().find(|&outer| holds(&candidates[outer])));
        around.push(idx);
    }
    parents
}

/// Which candidates are definitions that other code can name: not the local variables of functions.
fn nameable(
    text: &[u8],
    candidates: &[DefinitionCandidate],
    parents: &[Option<usize>],
) -> Vec<bool> {
    let mut seen = std::collections::BTreeSet::new();
    let mut keep = |idx: usize| {
        let it = &candidates[idx];
        let Some(kind) = it.kind else { return false };
        let is_local = parents[idx].is_some_and(|it| has_locals(&candidates[it]));
        match kind {
            Kind::Constant | Kind::Field => {
                // A script that assigns a variable twice defines it once.
                !is_local && seen.insert((parents[idx], &text[it.name.range()]))
            }
            Kind::Function => !is_local || it.body.is_some(),
            _ => true,
        }
    };
    (0..candidates.len()).map(&mut keep).collect()
}

/// The nameable candidates as definitions.
fn nest(
    text: &[u8],
    language: Language,
    candidates: &[DefinitionCandidate],
    parents: &[Option<usize>],
    is_nameable: &[bool],
) -> Vec<Definition> {
    let mut definitions: Vec<Definition> = Vec::with_capacity(candidates.len());
    // The definition of each candidate; for one that is dropped the definition that encloses it.
    let mut numbers: Vec<Option<u32>> = Vec::with_capacity(candidates.len());
    for (idx, it) in candidates.iter().enumerate() {
        let parent = parents[idx].and_then(|it| numbers[it]);
        let (Some(kind), true) = (it.kind, is_nameable[idx]) else {
            numbers.push(parent);
            continue;
        };
        let around = parent.map(|it| &definitions[it as usize]);
        let kind = refined(kind, around, it.name, text, language);
        numbers.push(Some(definitions.len() as u32));
        definitions.push(Definition {
            kind,
            span: it.span,
            name: it.name,
            signature: signature(text, it),
            body: it.body,
            doc: it.doc,
            parent,
        });
    }
    definitions
}

/// A function inside a class is a method, and a method with a certain name a constructor.
fn refined(
    kind: Kind,
    around: Option<&Definition>,
    name: Span,
    text: &[u8],
    language: Language,
) -> Kind {
    let Some(around) = around.filter(|it| has_methods(it.kind)) else { return kind };
    let kind = if kind == Kind::Function { Kind::Method } else { kind };
    let name = &text[name.range()];
    let constructs = language.constructors().iter().any(|it| it.as_bytes() == name)
        || language == Language::Cpp && &text[around.name.range()] == name;
    if kind == Kind::Method && constructs { Kind::Constructor } else { kind }
}

fn has_methods(kind: Kind) -> bool {
    matches!(kind, Kind::Class | Kind::Interface | Kind::Enum | Kind::Implementation)
}

/// Whether variables inside are not reachable from elsewhere (the fields of a Haskell data constructor are).
fn has_locals(it: &DefinitionCandidate) -> bool {
    match it.kind {
        None | Some(Kind::Function | Kind::Method | Kind::Macro) => true,
        Some(Kind::Constructor) => it.body.is_some(),
        Some(_) => false,
    }
}

fn signature(text: &[u8], it: &DefinitionCandidate) -> Span {
    let end = it.body.map_or(it.span.end, |body| body.start).max(it.span.start) as usize;
    let len = text[it.span.start as usize..end].trim_ascii_end().len();
    Span::new(it.span.start as usize, it.span.start as usize + len)
}
