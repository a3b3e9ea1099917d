//! Reports of runs, on a terminal ([`print`](mod@print)) and as a page: turns the JSON of a command into tables,
//! intervals and plots in a self-contained HTML file. Shows one run, or several side by side with their paired
//! differences.
//!
//! The page is independent of commands: it shows every mean with an interval, in tables by its path in the JSON
//! ([`extract`]), so that a new command needs no change here.

pub mod extract;
mod html;
mod markup;
mod paired;
mod plot;
pub mod print;
mod read;

pub use html::page;
pub use read::{Report, read};

#[cfg(test)]
mod tests;
