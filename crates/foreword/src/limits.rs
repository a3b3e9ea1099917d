//! What bounds the memory that a peer can make a door take.

pub(crate) mod allocator;
pub(crate) mod gate;
pub(crate) mod json_size;
