//! Bounds on the memory that a peer can make a server use.

pub(crate) mod allocator;
pub(crate) mod gate;
pub(crate) mod json_size;
