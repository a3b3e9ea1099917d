//! Values as Python has them.

use pyo3::prelude::*;
use serde_json::Value;

/// A value as Python has it.
pub(crate) fn python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (value.to_string(),))
}
