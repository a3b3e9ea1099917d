//! Snapshots whose contents are elsewhere: a search engine for many repositories has the files, and this process has the
//! table of all files and, of contents and statistics, what it has asked for so far.
//!
//! A partial snapshot answers every question from what is known, and writes down what it would have needed. Its owner
//! gets that, adds it, and asks again, until nothing is missing: then every question of the pipeline was answered as
//! the whole snapshot answers it. No stage knows the difference.
//!
//! * `facts`: what is known of the whole repository: frequencies of terms, places of names, upper bounds of scores.
//! * `needs`: what was asked for in vain.
//! * `precise`: what compilers said of names, as far as it is here.
//! * `sorted_keys`: all terms and all names.
//! * `export`: what a whole snapshot gives away, and partial snapshots made of it.

mod export;
mod facts;
mod needs;
mod precise;
mod sorted_keys;

pub(in crate::index) use export::LONG_NAMES;
pub use export::{Dictionary, ExportError, ExportedFile};
pub use facts::{Bounds, NameSites, Partial};
pub use needs::{FactsNeeds, FactsOf, LexicalQuery, Needs};
