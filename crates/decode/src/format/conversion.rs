//! Writes a trace as the file that its recorder would leave.

use rtoscope_trace::Diagnostics;
use std::io::{self, Write};

/// A trace to write without its container: a raw buffer, or the log in a
/// container of its own.
pub trait Conversion {
    /// The problems of the input.
    fn diagnostics(&self) -> &Diagnostics;

    /// Writes it.
    ///
    /// # Errors
    ///
    /// If the output fails.
    fn write(&self, output: &mut dyn Write) -> io::Result<ConvertedBytes>;
}

/// The size of a written trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConvertedBytes {
    /// Bytes written.
    pub bytes: u64,
    /// Those that are missing in the input, written as zeros.
    pub missing_bytes: u64,
    /// Bytes of the trace that the input ends before.
    pub cut_bytes: u64,
}
