//! Answers of all doors (command line, editor, agent, server, Python) as values, before a protocol renders them. The
//! serialised fields are those of docs/json.md.

pub mod complete;
pub mod excerpt;
pub mod explain;
pub mod map;
pub mod nearby;
pub mod next;
pub mod place;
pub mod prompt;
pub mod reading_list;
pub mod search;
pub mod status;
pub mod symbols;
pub mod tokens;
pub mod trace;
