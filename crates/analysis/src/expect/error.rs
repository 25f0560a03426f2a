//! Errors in a spec, with their position.

use rtoscope_trace::filter::FilterError;
use std::fmt;

/// Why a spec cannot be parsed, or not be used with a trace.
///
/// Displayed as the problem, the line, and carets under the wrong part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecError {
    /// The wrong line, from 1.
    pub line: u32,
    error: FilterError,
}

impl SpecError {
    /// Creates an error in a line of a spec.
    pub(super) fn new(spec: &str, line: u32, error: FilterError) -> Self {
        let number = usize::try_from(line).unwrap_or(usize::MAX);
        let text = number.checked_sub(1).and_then(|at| spec.lines().nth(at));
        let error = error.in_expression(text.unwrap_or_default());
        Self { line, error }
    }
}

impl std::error::Error for SpecError {}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.error)
    }
}
