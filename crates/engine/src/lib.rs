//! From a repository and a cursor to the right prompt.
//!
//! The stages, in the order in which data flows; a module names only modules before it:
//! `source → history → index → scope → evidence → retrieve → fuse → rerank → order → trim → compose`, and [`pipeline`] runs them.
//!
//! Texts have their secrets masked before they come here ([`secret`]); a cursor masks its own.
//!
//! Vectors by the user's embedding model ([`dense`]) make chunks comparable with questions in other words.
//!
//! Three calls answer: [`search()`] a question, [`context()`] a cursor with the pieces that a reader should see, and
//! [`prompt()`] a cursor with the prompt of a model family.
//!
//! ```
//! use foreword_engine::compose::Format;
//! use foreword_engine::index::{IndexConfig, Snapshot};
//! use foreword_engine::pipeline::Control;
//! use foreword_engine::prompt::Target;
//! use foreword_engine::retrieve::Question;
//! use foreword_engine::scope::{Cursor, View};
//! use foreword_engine::search::SearchRequest;
//! use foreword_engine::source::Source;
//! use foreword_engine::{preset, prompt, search};
//!
//! // What was read from disk, from git or from an editor.
//! let registry = "def register_handler(registry, name, priority=0):\n    registry[name] = priority\n";
//! let app = "from registry import register_handler\n\nregister_handler(";
//! let source = |path: &str, text: &str| Source { path: path.into(), text: text.into() };
//! let sources = vec![source("registry.py", registry), source("app.py", app)];
//! let snapshot = Snapshot::of_sources(sources, IndexConfig::default())?;
//!
//! // A token counter: the model's own, or an estimate that does not undercount.
//! let count = |text: &str| text.len();
//!
//! let question = Question::new("register a handler");
//! let request = SearchRequest { question, limit: 10, tokens: None };
//! let answer = search(&snapshot, &request, &preset::search(), &count, &mut Control::default());
//! assert_eq!(answer.results[0].path, "registry.py");
//!
//! let cursor = Cursor::at_end("app.py", app);
//! let view = View::new(&snapshot, &cursor)?;
//! let format = Format::named("qwen2.5-coder").expect("the format is in the table");
//! let target = Target { format, repository: "example", count: &count };
//! let answer = prompt(view, &cursor, &preset::context(), target, &mut Control::default())?;
//! assert!(answer.prompt.text.contains("def register_handler"));
//! for piece in &answer.selection.pieces {
//!     println!("{}:{}: {}", piece.path, piece.start_line, piece.reasons[0]);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![deny(missing_docs)]
#![warn(clippy::disallowed_methods, reason = "the engine does no IO; see ARCHITECTURE.md")]

pub mod ask;
pub mod compose;
pub mod custom;
pub mod dense;
pub mod evidence;
pub mod feedback;
pub mod fuse;
pub mod fuzzy;
pub mod grep;
pub mod history;
pub mod index;
pub mod map;
pub mod next;
pub mod order;
pub mod pipeline;
pub mod preset;
pub mod prompt;
pub mod rerank;
pub mod retrieve;
pub mod scope;
pub mod search;
pub mod secret;
pub mod sorting;
pub mod source;
pub mod speculate;
pub mod trim;
pub mod visible;

pub use pipeline::context;
pub use prompt::prompt;
pub use search::search;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
