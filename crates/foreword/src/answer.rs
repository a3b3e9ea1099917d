//! What every door answers from a snapshot, before it is told in a door's own way. The fields are those of
//! docs/json.md.

pub(crate) mod complete;
pub(crate) mod context;
pub(crate) mod excerpt;
pub(crate) mod explain;
pub(crate) mod filter;
pub(crate) mod map;
pub(crate) mod nearby;
pub(crate) mod page;
pub(crate) mod prompt;
pub(crate) mod search;
pub(crate) mod status;
pub(crate) mod symbols;
pub(crate) mod tokens;
pub(crate) mod trace;
