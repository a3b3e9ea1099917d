//! Each experiment runs on a tiny repository.

mod commands;
