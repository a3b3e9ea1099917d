//! Reports of runs, on a terminal ([`print`](mod@print)) and as a page: the JSON that a command wrote becomes tables,
//! intervals and plots in a self-contained HTML file. One run, or several side by side, with their paired differences.
//!
//! The page knows no command by name: it shows every mean with an interval, in tables by its path in the JSON
//! ([`extract`]), so that a new command's results are in the report without changes here.

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
