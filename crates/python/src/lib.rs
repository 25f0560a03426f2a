//! The extension module `rtoscope._native`. The package around it, in Python, makes arguments of
//! a command line of its parameters, and objects of JSON.

#![expect(
    clippy::needless_pass_by_value,
    reason = "PyO3 passes converted arguments by value"
)]

mod background;
mod error;
mod recording;
mod table;

use pyo3::prelude::*;

#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::error::Error;

    #[pymodule_export]
    use crate::recording::{NativeRecording, check, compare, open};

    #[pymodule_export]
    use crate::table::{NativeTable, tables};
}
