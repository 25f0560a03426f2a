//! Exit codes.

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

/// Prints the error, if there is one, and returns the exit code.
pub fn exit_code(ended: anyhow::Result<CheckOutcome>) -> ExitCode {
    match ended {
        Ok(CheckOutcome::Passed) => ExitCode::SUCCESS,
        Ok(CheckOutcome::Failed) => ExitCode::from(CHECK_FAILED),
        Ok(CheckOutcome::Undecided) => ExitCode::from(CHECK_UNDECIDED),
        // The reader of our output has closed the pipe early, for example `head`.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            crate::message!("{error:#}");
            ExitCode::from(USAGE_OR_INPUT_ERROR)
        }
    }
}

/// Whether the cause is a pipe that its reader closed.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io = cause.downcast_ref::<io::Error>();
        io.is_some_and(|io| io.kind() == io::ErrorKind::BrokenPipe)
    })
}
