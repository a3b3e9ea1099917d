//! A node of a syntax tree in the list of its siblings: what every reader of the list asks for is fetched once.

use std::num::NonZeroU16;

use tree_sitter::Node;

/// A node, with its field in its parent if fields were asked for.
#[derive(Clone, Copy)]
pub(crate) struct ListedNode<'t> {
    pub(crate) node: Node<'t>,
    pub(crate) kind: u16,
    pub(crate) field: Option<NonZeroU16>,
    /// Number of its children.
    pub(crate) count: u32,
}

impl<'t> ListedNode<'t> {
    pub(crate) fn new(node: Node<'t>, field: Option<NonZeroU16>) -> Self {
        Self { node, kind: node.kind_id(), field, count: node.child_count() }
    }
}
