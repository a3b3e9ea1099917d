//! The processes in which an index parses: Python, with this module alone. So a text that stops a grammar does not stop
//! the user's program.

use std::path::PathBuf;

use foreword_load::{Analyzer, WorkerCommand, run_worker};
use pyo3::exceptions::{PyOSError, PyRuntimeWarning};
use pyo3::prelude::*;

/// What a worker runs: loads the module from its file, without the package and the site's modules.
const PROGRAM: &str = "\
import sys
from importlib.machinery import ExtensionFileLoader as Loader
from importlib.util import module_from_spec, spec_from_file_location as spec_of
spec = spec_of('foreword._native', sys.argv[1], loader=Loader('foreword._native', sys.argv[1]))
module = module_from_spec(spec)
spec.loader.exec_module(module)
module._run_worker()
";

/// How a worker is started; `None` where Python is part of another program.
pub(crate) fn command(py: Python<'_>) -> Option<WorkerCommand> {
    let sys = py.import("sys").ok()?;
    let program: PathBuf = sys.getattr("executable").ok()?.extract().ok()?;
    let name = program.file_stem()?.to_str()?.to_ascii_lowercase();
    let is_python = name.starts_with("python") || name.starts_with("pypy");
    let module = py.import("foreword._native").ok()?;
    let module: PathBuf = module.getattr("__file__").ok()?.extract().ok()?;
    let args = ["-I", "-S", "-c", PROGRAM].map(Into::into).into_iter();
    let args = args.chain([module.into_os_string()]).collect();
    (is_python && program.is_absolute()).then_some(WorkerCommand { program, args })
}

/// Warns once if files are parsed in this process.
pub(crate) fn warn_without(py: Python<'_>, analyzer: &Analyzer) -> PyResult<()> {
    let Some(why) = analyzer.fallback() else { return Ok(()) };
    let message = format!("foreword parses in this process, which a file may stop: {why}\0");
    let message = std::ffi::CStr::from_bytes_until_nul(message.as_bytes()).unwrap_or_default();
    PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), message, 2)
}

/// Works as a parser until the input ends.
#[pyfunction]
pub(crate) fn _run_worker(py: Python<'_>) -> PyResult<()> {
    py.detach(run_worker).map_err(|it| PyOSError::new_err(it.to_string()))
}
