//! Numbers that Python passes. Those beyond the machine's are its largest: they are limits, or places that no text has.

use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;

/// A number from 0 on.
pub(crate) fn number(object: &Bound<'_, PyAny>) -> PyResult<usize> {
    match object.extract::<usize>() {
        Err(error) if error.is_instance_of::<PyOverflowError>(object.py()) => {
            if object.lt(0)? {
                return Err(PyValueError::new_err("the number is negative; write 0 or more"));
            }
            Ok(usize::MAX)
        }
        other => other,
    }
}

/// The same with 32 bits.
pub(crate) fn small_number(object: &Bound<'_, PyAny>) -> PyResult<u32> {
    number(object).map(|it| u32::try_from(it).unwrap_or(u32::MAX))
}

/// The same, or `None`.
pub(crate) fn optional_number(object: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    if object.is_none() { Ok(None) } else { number(object).map(Some) }
}
