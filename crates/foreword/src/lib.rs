//! The doors of foreword: each translates a protocol or a command line into calls of the engine, and back.
#![warn(missing_docs)]

pub mod cli;
