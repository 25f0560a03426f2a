//! Formatting of errors.

use std::error::Error;

/// An error and its causes, on one line.
pub fn error_chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        let reason = error.to_string();
        // A transparent error has the same message as its cause.
        if !text.ends_with(&reason) {
            text.push_str(": ");
            text.push_str(&reason);
        }
        source = error.source();
    }
    text
}
