//! Repositories kept warm and fresh, and every answer about them as a value: the library under all doors of foreword.
//! The command line, editors, agents, HTTP and Python translate their protocol into these calls and render the answers.
//!
//! # Rooms
//!
//! In this order; a room names only rooms before it (tested):
//!
//! 1. [`usage`], [`uri`], [`clock`], [`recurring_error`], `shared_cache`: small tools.
//! 2. [`seed`]: the cluster that answers while there is no index. [`setup`]: from settings to a workspace, its index directory, and an index that is up to date.
//! 3. [`admission`]: which files may be used at all. [`filter`]: restricts an answer to paths, languages and kinds of definition.
//! 4. [`feedback`]: votes on earlier answers. [`custom`]: what a team and a user add. [`embedding`]: the user's embedding
//!    model.
//! 5. [`backend`]: the model that completes and answers. [`config`]: the user's settings. [`speculation`]: plans of a
//!    repository's files.
//! 6. [`activity`]: what was just edited and looked at. [`host`]: open repositories, fresh before every answer.
//! 7. [`answer`]: the answers. [`tools`]: what agents call. [`ask`]: answers to questions in words.

#![deny(missing_docs)]

pub mod activity;
pub mod admission;
pub mod answer;
pub mod ask;
pub mod backend;
pub mod clock;
pub mod config;
pub mod custom;
pub mod embedding;
pub mod feedback;
pub mod filter;
pub mod host;
pub mod recurring_error;
pub mod seed;
pub mod setup;
mod shared_cache;
pub mod speculation;
pub mod tools;
pub mod uri;
pub mod usage;
