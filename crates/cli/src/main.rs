//! The command `rtoscope`.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    rtoscope_cli::main()
}
