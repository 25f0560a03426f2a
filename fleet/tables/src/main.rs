//! `rtoscope-fleet`: the tables of the event traces of many devices.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    rtoscope_fleet::main()
}
