//! The Python module of foreword: chunks of a text (`chunk`), and searches and prompts over an index (`index`, whose
//! answers are in `answer` and, as plain dicts, in `questions`; its parsing processes are started by `worker`; numbers among arguments are read by `number`).
//!
//! Texts are not copied: a Python string lends its UTF-8, and chunk texts are created on access. Every slow call releases
//! the interpreter's lock.

mod answer;
mod chunk;
mod index;
mod number;
mod questions;
mod value;
mod worker;

use pyo3::prelude::*;

/// The native half of the package `foreword`.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::answer::{Context, Definition, Piece, Result};
    #[pymodule_export]
    use super::chunk::{Chunk, chunk, languages};
    #[pymodule_export]
    use super::index::Index;
    #[pymodule_export]
    use super::worker::_run_worker;

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
