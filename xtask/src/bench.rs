//! Benchmarks.

use crate::shell;

pub(crate) fn run() -> anyhow::Result<()> {
    shell::run(&mut shell::cargo(&[
        "bench",
        "--package",
        "rtoscope-decode",
        "--package",
        "rtoscope-analysis",
        "--package",
        "rtoscope-session",
        "--package",
        "rtoscope-export",
        "--benches",
    ]))
}
