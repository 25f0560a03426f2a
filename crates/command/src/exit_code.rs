//! How a command ends.

use std::io;
use std::process::ExitCode;

/// A check failed.
const CHECK_FAILED: u8 = 1;

/// Usage errors and unreadable input.
const USAGE_OR_INPUT_ERROR: u8 = 2;

/// Says what went wrong, if anything, and with which status the program ends.
/// `Ok` tells whether every check held that the command makes.
pub fn exit_code(ended: anyhow::Result<bool>) -> ExitCode {
    match ended {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(CHECK_FAILED),
        // Whoever read our output has seen enough.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            crate::message!("{error:#}");
            ExitCode::from(USAGE_OR_INPUT_ERROR)
        }
    }
}

/// Whether something failed since whoever reads our output has seen enough.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io = cause.downcast_ref::<io::Error>();
        io.is_some_and(|io| io.kind() == io::ErrorKind::BrokenPipe)
    })
}
