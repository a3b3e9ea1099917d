//! Turns candidates into definitions: merges them by name, widens, documents, nests and sorts them.

use super::candidates::{DefinitionCandidate, Lead, LeadKind, SymbolCandidates};
use super::import::Statement;
use super::lead;
use super::types::{Definition, Kind};
use super::{query, signature};
use crate::language::Language;
use crate::span::Span;

pub(super) fn arrange(
    text: &[u8],
    language: Language,
    found: &SymbolCandidates,
) -> Vec<Definition> {
    let mut candidates = found.definitions.items.clone();
    merge(&mut candidates);
    reach(text, language, &mut candidates);
    let mut imports: Vec<Span> = found.statements.items.iter().map(Statement::span).collect();
    imports.sort_unstable();
    candidates.retain(|it| it.kind != Some(Kind::Constant) || !is_import(it, &imports));
    widen(&mut candidates, found.widenings.items.clone());
    if matches!(language, Language::C | Language::Cpp) {
        join_typedefs(text, &mut candidates);
    }
    lead::attach(text, language, &mut candidates, found.leads.items.clone());
    candidates.sort_by_key(|it| {
        (it.span.start, u32::MAX - it.span.end, it.core.start, u32::MAX - it.core.end, it.name)
    });
    let parents = parents(&candidates);
    let is_nameable = nameable(text, &candidates, &parents);
    let mut leads = found.leads.items.clone();
    leads.sort_unstable_by_key(|it| (it.span.start, it.span.end));
    let nesting = Nesting { text, language, leads: &leads };
    let mut definitions = nesting.nest(&candidates, &parents, &is_nameable);
    let comments = found.leads.items.iter().filter(|it| it.kind == LeadKind::Comment);
    let mut comments: Vec<Span> = comments.map(|it| it.span).collect();
    comments.sort_unstable_by_key(|it| it.end);
    for it in definitions.iter_mut().filter(|it| it.body.is_some()) {
        it.signature = lead::without_comments(text, language, &comments, it.signature);
    }
    definitions
}

/// Merges candidates of the same name: the first pattern gives the kind, all patterns together the extent.
fn merge(candidates: &mut Vec<DefinitionCandidate>) {
    candidates.sort_by_key(|it| (it.kind.is_none(), it.name, it.pattern));
    candidates.dedup_by(|it, first| {
        let same = it.name == first.name && it.kind.is_some() && first.kind.is_some();
        if same {
            if it.core.contains(first.core) {
                (first.core, first.span) = (it.core, it.span);
            }
            first.body = first.body.or(it.body);
            first.qualifier = first.qualifier.or(it.qualifier);
            first.doc = first.doc.or(it.doc);
        }
        same
    });
}

/// Whether a variable only holds an import (`const fs = require("fs")`). Then it is not a definition.
fn is_import(it: &DefinitionCandidate, imports: &[Span]) -> bool {
    let next = imports.partition_point(|import| import.start < it.core.start);
    // The semicolon may be part of only one of the two.
    imports
        .get(next)
        .is_some_and(|import| import.end <= it.core.end && it.core.end - import.end <= 1)
}

/// Extends decorated or exported definitions to include the decorators or the export.
fn widen(candidates: &mut [DefinitionCandidate], mut widenings: Vec<(Span, Span)>) {
    widenings.sort_by_key(|it| (it.1, it.0));
    widenings.dedup();
    // An outer node with several inner ones (`export const a = 1, b = 2`) widens none.
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

/// For each candidate, the index of the innermost enclosing one.
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

/// Whether other code can name each candidate. Local variables of functions are excluded.
fn nameable(
    text: &[u8],
    candidates: &[DefinitionCandidate],
    parents: &[Option<usize>],
) -> Vec<bool> {
    let mut seen = std::collections::HashSet::new();
    let mut keep = |idx: usize| {
        let it = &candidates[idx];
        let Some(kind) = it.kind else { return false };
        let is_local = parents[idx].is_some_and(|it| has_locals(&candidates[it]));
        match kind {
            Kind::Constant | Kind::Field => {
                // Repeated assignments in a script define a variable once.
                !is_local && seen.insert((parents[idx], &text[it.name.range()]))
            }
            Kind::Function => !is_local || it.body.is_some(),
            _ => true,
        }
    };
    (0..candidates.len()).map(&mut keep).collect()
}

/// Extends each definition whose pattern requests it to the next of its kind, or to the end of the file: C#'s
/// `namespace A;`.
fn reach(text: &[u8], language: Language, candidates: &mut [DefinitionCandidate]) {
    let Some(query) = query::of_language(language) else { return };
    let reaches = |it: &DefinitionCandidate| {
        query.settings.get(it.pattern).is_some_and(|settings| settings.reaches)
    };
    let mut end = text.trim_ascii_end().len() as u32;
    let mut at: Vec<usize> = (0..candidates.len()).filter(|&it| reaches(&candidates[it])).collect();
    at.sort_unstable_by_key(|&it| std::cmp::Reverse(candidates[it].core.start));
    for idx in at {
        let it = &mut candidates[idx];
        let before = it.core.start;
        let head_end = it.core.end as usize;
        let rest = text.get(head_end..end as usize).unwrap_or_default();
        it.body = (!rest.trim_ascii().is_empty())
            .then(|| Span { start: end - rest.trim_ascii_start().len() as u32, end });
        it.core.end = end.max(it.core.end);
        it.span = it.core;
        end = text[..before as usize].trim_ascii_end().len() as u32;
    }
}

/// Merges `typedef struct point {…} point;` into one type.
fn join_typedefs(text: &[u8], candidates: &mut Vec<DefinitionCandidate>) {
    let named = |it: &DefinitionCandidate| &text[it.name.range()];
    let is_new_name = |it: &DefinitionCandidate| it.kind == Some(Kind::Type);
    let mut typedefs: Vec<(Span, &[u8])> =
        candidates.iter().filter(|it| is_new_name(it)).map(|it| (it.span, named(it))).collect();
    typedefs.sort_unstable();
    let mut joined = Vec::new();
    for it in candidates.iter_mut().filter(|it| it.body.is_some() && !is_new_name(it)) {
        let next = typedefs.partition_point(|other| other.0.start <= it.core.start);
        let around = typedefs[..next].iter().rev().take_while(|other| other.0.end >= it.core.end);
        if let Some(other) = around.into_iter().find(|other| other.1 == named(it)) {
            joined.push(*other);
            (it.core, it.span) = (other.0, other.0);
        }
    }
    joined.sort_unstable();
    let is_joined = |it: &DefinitionCandidate| joined.binary_search(&(it.span, named(it))).is_ok();
    candidates.retain(|it| !is_new_name(it) || !is_joined(it));
}

/// Converts candidates to definitions.
struct Nesting<'a> {
    text: &'a [u8],
    language: Language,
    /// Comments and attributes, sorted by first byte.
    leads: &'a [Lead],
}

impl Nesting<'_> {
    /// Converts the nameable candidates.
    fn nest(
        &self,
        candidates: &[DefinitionCandidate],
        parents: &[Option<usize>],
        is_nameable: &[bool],
    ) -> Vec<Definition> {
        let mut definitions: Vec<Definition> = Vec::with_capacity(candidates.len());
        // The definition index of each candidate; for a dropped one, that of the enclosing definition.
        let mut numbers: Vec<Option<u32>> = Vec::with_capacity(candidates.len());
        for (idx, it) in candidates.iter().enumerate() {
            let parent = parents[idx].and_then(|it| numbers[it]);
            let (Some(kind), true) = (it.kind, is_nameable[idx]) else {
                numbers.push(parent);
                continue;
            };
            let around = parent.map(|it| &definitions[it as usize]);
            let kind = self.refined(kind, around, it);
            numbers.push(Some(definitions.len() as u32));
            definitions.push(Definition {
                kind,
                span: it.span,
                name: it.name,
                qualifier: it.qualifier.filter(|it| !self.is_name(around, *it)),
                signature: signature::signature(self.text, self.leads, it),
                body: it.body,
                doc: it.doc,
                parent,
            });
        }
        definitions
    }

    /// Whether the qualifier names the enclosing definition: `def Foo.bar` in `class Foo`.
    fn is_name(&self, around: Option<&Definition>, qualifier: Span) -> bool {
        let written = &self.text[qualifier.range()];
        around.is_some_and(|it| &self.text[it.name.range()] == written)
    }

    /// A function inside a class is a method; a method with certain names is a constructor.
    fn refined(&self, kind: Kind, around: Option<&Definition>, it: &DefinitionCandidate) -> Kind {
        let name = &self.text[it.name.range()];
        let is_cpp = self.language == Language::Cpp;
        let owner = it.qualifier.map(|it| last_name(&self.text[it.range()]));
        if is_cpp && kind == Kind::Method && owner == Some(name) {
            return Kind::Constructor;
        }
        // A struct of Elixir is a module, whose functions remain functions; a protocol has methods.
        let is_struct =
            |it: &Definition| self.language == Language::Elixir && it.kind == Kind::Class;
        let has = |it: &&Definition| has_methods(it.kind) && !is_struct(it);
        let Some(around) = around.filter(has) else { return kind };
        let kind = if kind == Kind::Function { Kind::Method } else { kind };
        let constructs = self.language.constructors().iter().any(|it| it.as_bytes() == name)
            || is_cpp && &self.text[around.name.range()] == name;
        if kind == Kind::Method && constructs { Kind::Constructor } else { kind }
    }
}

/// The last name of a path: `B` in `a::B<T>`.
fn last_name(path: &[u8]) -> &[u8] {
    let end = memchr::memchr(b'<', path).unwrap_or(path.len());
    let start = path[..end].iter().rposition(|it| matches!(it, b':' | b'.' | b' '));
    &path[start.map_or(0, |it| it + 1)..end]
}

fn has_methods(kind: Kind) -> bool {
    matches!(kind, Kind::Class | Kind::Interface | Kind::Enum | Kind::Implementation)
}

/// Whether variables inside are local. (The fields of a Haskell data constructor are not.)
fn has_locals(it: &DefinitionCandidate) -> bool {
    match it.kind {
        None | Some(Kind::Function | Kind::Method | Kind::Macro) => true,
        Some(Kind::Constructor) => it.body.is_some(),
        Some(_) => false,
    }
}
