//! The exception of the package.

use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use rtoscope_command::message_with_causes;
use rtoscope_decode::DecodeError;

create_exception!(
    rtoscope,
    Error,
    PyException,
    "A recording, rule or option cannot be used."
);

/// The exception of an error about a file. Its attributes are the file, the offset in it and the
/// last cause, each of them `None` if it is unknown.
pub(crate) fn new(py: Python<'_>, error: &anyhow::Error, file: Option<&str>) -> PyErr {
    let raised = Error::new_err(message_with_causes(error));
    let offset = error
        .chain()
        .find_map(|cause| cause.downcast_ref::<DecodeError>()?.offset());
    let cause = error.chain().skip(1).last().map(ToString::to_string);
    let value = raised.value(py);
    let attributes = value
        .setattr("file", file)
        .and_then(|()| value.setattr("offset", offset))
        .and_then(|()| value.setattr("cause", cause));
    attributes.err().unwrap_or(raised)
}
