//! Benchmarks.

use crate::shell;

const PACKAGES: [&str; 5] = [
    "rtoscope-decode",
    "rtoscope-analysis",
    "rtoscope-session",
    "rtoscope-tables",
    "rtoscope-export",
];

pub(crate) fn run() -> anyhow::Result<()> {
    let mut command = shell::cargo(&["bench", "--benches"]);
    for package in PACKAGES {
        command.args(["--package", package]);
    }
    shell::run(&mut command)?;
    // Without the SQL engine, which takes half an hour to build.
    shell::run(&mut shell::cargo(&[
        "bench",
        "--benches",
        "--package",
        "rtoscope-sql",
        "--no-default-features",
    ]))
}
