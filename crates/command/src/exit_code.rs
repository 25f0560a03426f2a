//! Exit codes.

use std::io;
use std::process::ExitCode;

/// A check failed.
const CHECK_FAILED: u8 = 1;

/// Wrong usage or unreadable input.
const USAGE_OR_INPUT_ERROR: u8 = 2;

/// Prints the error, if there is one, and returns the exit code. `Ok` holds whether
/// all checks of the command passed.
pub fn exit_code(ended: anyhow::Result<bool>) -> ExitCode {
    match ended {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(CHECK_FAILED),
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
