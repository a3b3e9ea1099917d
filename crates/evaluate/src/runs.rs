//! Runs: one question about the engine per module, over tasks, with the table that answers it.
//!
//! * [`search`]: questions and names → files, by the protocol of the semble benchmark.
//! * [`comparison`]: a hole in a file, at the parent commit → the coverage of the pieces, next to
//!   [`baselines`](crate::baselines).
//! * [`completion`]: the common part of all runs over holes.
//! * [`ask`]: a question about a repository → the evidence for an answer, stage by stage.
//! * [`definitions`]: a hole → the definitions elsewhere that it uses. [`issues`]: an issue → the files of its fix.
//! * [`truth`]: small handwritten projects, each for a property of ranking that must not be lost.
//! * [`next_line`]: the next line by the embedded model, with and without the context.
//! * [`lies`]: false and true statements → those that the check of answers marks.
//! * [`forecasts`]: functions that were added → those that the check of plans rejects. [`speculate`]: plans of a model.
//! * [`pass`]: a function that was removed, completed → whether the tests of its repository pass.
//! * [`leakage`]: the gain from a later state. [`table`]: observations of variants, by series and budget.
//! * [`model_client`]: a model server that completes with each context.
//! * [`submission`]: the competition's file.
//! * [`run`]: the record of a run. [`provenance`]: its settings, data and machine. [`overrides`]: settings from the
//!   command line.

pub mod ask;
pub mod comparison;
pub mod completion;
pub mod definitions;
pub mod forecasts;
pub mod issues;
pub mod leakage;
pub mod lies;
pub mod model_client;
pub mod next_edit;
pub mod next_line;
pub mod overrides;
pub mod pass;
pub mod provenance;
pub mod run;
pub mod search;
pub mod speculate;
pub mod submission;
pub mod table;
pub mod truth;
pub mod validity;
