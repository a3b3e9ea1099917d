//! Bounds on the memory that a peer can make a server use, and the limits of the shell.

pub(crate) mod allocator;
pub(crate) mod gate;
pub(crate) mod json_size;
pub(crate) mod shell;
