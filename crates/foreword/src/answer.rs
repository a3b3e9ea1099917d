//! What every interface (command line, editor, agent, server) answers from a snapshot, before it is put into a protocol.
//! The serialised fields are those of docs/json.md.

pub(crate) mod complete;
pub(crate) mod excerpt;
pub(crate) mod explain;
pub(crate) mod filter;
pub(crate) mod inspector_page;
pub(crate) mod map;
pub(crate) mod nearby;
pub(crate) mod next;
pub(crate) mod prompt;
pub(crate) mod reading_list;
pub(crate) mod search;
pub(crate) mod status;
pub(crate) mod symbols;
pub(crate) mod tokens;
pub(crate) mod trace;
