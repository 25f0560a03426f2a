//! Exit codes.

use std::fmt;
use std::io;
use std::process::ExitCode;

/// A check failed.
const CHECK_FAILED: u8 = 1;

/// A check could not be decided.
const CHECK_UNDECIDED: u8 = 3;

/// Wrong usage or unreadable input.
const USAGE_OR_INPUT_ERROR: u8 = 2;

/// The result of a command's checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckOutcome {
    /// All passed, or there were none.
    Passed,
    /// At least one failed.
    Failed,
    /// None failed, but at least one could not be decided.
    Undecided,
}

impl CheckOutcome {
    /// The outcome of checks that all passed or not.
    pub const fn of(passed: bool) -> Self {
        if passed { Self::Passed } else { Self::Failed }
    }
}

/// A check could not be decided, for this reason.
#[derive(Debug)]
pub struct Undecided(pub String);

impl fmt::Display for Undecided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl std::error::Error for Undecided {}

/// Prints the error, if there is one, and returns the exit code.
pub fn exit_code(ended: anyhow::Result<CheckOutcome>) -> ExitCode {
    if let Some(failure) = rtoscope_decode::source::read_failure() {
        crate::message!("{failure}: the output is wrong");
        return ExitCode::from(USAGE_OR_INPUT_ERROR);
    }
    match ended {
        Ok(CheckOutcome::Passed) => ExitCode::SUCCESS,
        Ok(CheckOutcome::Failed) => ExitCode::from(CHECK_FAILED),
        Ok(CheckOutcome::Undecided) => ExitCode::from(CHECK_UNDECIDED),
        // The reader of our output has closed the pipe early, for example `head`.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            crate::message!("{}", message_with_causes(&error));
            ExitCode::from(match error.is::<Undecided>() {
                true => CHECK_UNDECIDED,
                false => USAGE_OR_INPUT_ERROR,
            })
        }
    }
}

/// Prints an error and exits.
pub(crate) fn exit_with(error: &anyhow::Error) -> ! {
    crate::message!("{}", message_with_causes(error));
    std::process::exit(USAGE_OR_INPUT_ERROR.into())
}

/// The message of an error and those of its causes. Errors of some libraries end with their cause;
/// it is not repeated.
pub fn message_with_causes(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1) {
        let cause = cause.to_string();
        if !text.ends_with(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

/// Whether the cause is a pipe that its reader closed.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io = cause.downcast_ref::<io::Error>();
        io.is_some_and(|io| io.kind() == io::ErrorKind::BrokenPipe)
    })
}

#[cfg(test)]
mod tests {
    use super::message_with_causes;
    use anyhow::anyhow;

    #[test]
    fn causes_are_named_once() {
        let error = anyhow!("no route").context("GET x: no route");
        let error = error.context("s3://x: GET x: no route").context("list");
        assert_eq!(message_with_causes(&error), "list: s3://x: GET x: no route");
    }
}
