//! Benchmarks.

use crate::fleet::FLEET;
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
    let exports = [
        "bench",
        "--benches",
        "--package",
        "rtoscope-sql",
        "--no-default-features",
    ];
    shell::run(&mut FLEET.cargo(&exports)?)
}
