//! Words of a file that cannot be names of other files: text of comments and strings, and names bound by a function
//! (parameters, local variables, loop variables).
//!
//! Both are derived from node kinds, which grammars name alike: a kind with `comment` or `string` in it is prose, one
//! with `parameter` or `pattern` binds names. A new grammar needs no entry for that; the tests below name every
//! language.

mod by_line;
mod classes;

use tree_sitter::Node;

pub(super) use self::by_line::prose_of_line;
pub(super) use self::classes::{NodeClass, NodeClasses};
use crate::listed::ListedNode;
use crate::span::Span;

/// Reports the parts of a prose node outside its named children: a string without its interpolations. Children are
/// visited separately.
pub(super) fn prose(node: Span, children: &[ListedNode<'_>], found: &mut dyn FnMut(Span)) {
    let mut at = node.start as usize;
    let mut part = |start: usize, end: usize| {
        if start < end {
            found(Span::new(start, end));
        }
    };
    for child in children.iter().map(|it| it.node).filter(Node::is_named) {
        part(at, child.start_byte());
        at = at.max(child.end_byte());
    }
    part(at, node.end as usize);
}

/// Reports the arguments of a shell command: unquoted words that are text.
pub(super) fn arguments(children: &[ListedNode<'_>], found: &mut dyn FnMut(Span)) {
    let nodes = children.iter().map(|it| it.node);
    for child in nodes.filter(|it| it.is_named() && it.kind() == "word") {
        found(Span::new(child.start_byte(), child.end_byte()));
    }
}

/// Reports the local names of a binding node.
pub(super) fn bound(
    class: NodeClass,
    classes: &NodeClasses,
    children: &[ListedNode<'_>],
    found: &mut dyn FnMut(Span),
) {
    for ListedNode { node: child, kind, field, .. } in children {
        if !classes.binds_field(class, *field) {
            continue;
        }
        if classes.is_name(*child) {
            found(Span::new(child.start_byte(), child.end_byte()));
            if class.binds_one() {
                return;
            }
        } else if classes.of_kind(*kind).is_list() {
            let names = child.named_children(&mut child.walk()).collect::<Vec<_>>();
            let names = names.into_iter().filter(|it| classes.is_name(*it));
            names.for_each(|it| found(Span::new(it.start_byte(), it.end_byte())));
        }
    }
}

/// Sorts and merges spans of prose, and drops those without a word.
pub(super) fn merged(text: &[u8], mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_unstable();
    spans.dedup_by(|next, last| {
        let touch = next.start <= last.end;
        last.end = if touch { last.end.max(next.end) } else { last.end };
        touch
    });
    let is_word = |it: &u8| it.is_ascii_alphabetic() || *it >= 0x80;
    spans.retain(|it| text[it.range()].iter().any(is_word));
    spans
}

/// One occurrence of each bound name, in order. Excludes names of definitions and names written like a type or
/// constant, which patterns compare with instead of binding.
pub(super) fn distinct(text: &[u8], mut spans: Vec<Span>, definitions: &[Span]) -> Vec<Span> {
    let is_small = |it: &Span| {
        let name = &text[it.range()];
        name.len() > 1 && !name[0].is_ascii_uppercase()
    };
    spans.retain(|it| is_small(it) && definitions.binary_search(it).is_err());
    spans.sort_unstable();
    let mut seen = std::collections::HashSet::with_capacity(spans.len());
    spans.retain(|it| seen.insert(&text[it.range()]));
    spans
}

#[cfg(test)]
mod tests;
