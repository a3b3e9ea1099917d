//! Merges the symbols of a host text, its parts and its tags.

use std::cmp::Reverse;

use crate::symbol::{Definition, Symbols};

/// All symbols in the order of the text. The parent of a definition without one is the innermost definition around it.
pub(crate) fn merge(sources: Vec<Symbols>) -> Symbols {
    let mut merged = Symbols::default();
    // Each definition with its source and its index there.
    let mut all: Vec<(Definition, usize, u32)> = Vec::new();
    for (source, symbols) in sources.into_iter().enumerate() {
        all.extend(symbols.definitions.into_iter().zip(0..).map(|(it, idx)| (it, source, idx)));
        merged.references.extend(symbols.references);
        merged.imports.extend(symbols.imports);
        merged.prose.extend(symbols.prose);
        merged.locals.extend(symbols.locals);
    }
    // The stable sort keeps the order within a source: outer before inner.
    all.sort_by_key(|(it, ..)| (it.span.start, Reverse(it.span.end)));
    merged.definitions = nested(&all);
    merged.references.sort_by_key(|it| it.name);
    merged.references.dedup_by_key(|it| it.name);
    merged.imports.sort_by_key(|it| it.span);
    merged.prose.sort_unstable();
    merged.prose.dedup_by(|next, last| {
        let touch = next.start <= last.end;
        last.end = if touch { last.end.max(next.end) } else { last.end };
        touch
    });
    merged.locals.sort_unstable();
    merged.locals.dedup();
    merged
}

fn nested(all: &[(Definition, usize, u32)]) -> Vec<Definition> {
    let mut numbers = std::collections::BTreeMap::new();
    let mut open: Vec<u32> = Vec::new();
    let mut definitions: Vec<Definition> = Vec::with_capacity(all.len());
    for (number, (it, source, idx)) in (0u32..).zip(all) {
        numbers.insert((*source, *idx), number);
        open.retain(|&outer| definitions[outer as usize].span.end > it.span.start);
        let around = || {
            let holds = |&outer: &u32| definitions[outer as usize].span.contains(it.span);
            open.iter().rev().copied().find(holds)
        };
        let own = it.parent.and_then(|parent| numbers.get(&(*source, parent)).copied());
        let parent = own.or_else(around);
        definitions.push(Definition { parent, ..*it });
        open.push(number);
    }
    definitions
}
