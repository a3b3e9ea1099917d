//! Questions about what people do with a project as a whole: install, build, run and test it, contribute to it.
//!
//! The words of such a question are everywhere in a repository, so they do not find the answer. It is where every project
//! has it: in the README, in the guide for contributors, in documents named after it, under headings of a few usual words,
//! with commands of a few tools. `table` knows these, `question` tells which one is asked for, `sections` divides a
//! document, and `guides` takes the best.

mod guides;
mod question;
mod sections;
mod table;

pub(super) use guides::guides;
pub(super) use question::activity_question;
