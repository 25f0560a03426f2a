//! Generated files that are committed: renews them.

use crate::{firmware, header, shell, web};
use std::fs;

/// The viewer's types, which tests named `typescript_types_are_current` write.
const TYPES: [&str; 3] = [
    "web/src/session/reports.ts",
    "web/src/session/sql.ts",
    "web/src/session/wire.ts",
];

/// Accepts how the output of the command, the recordings of the firmware and the views of
/// the viewer are now.
pub(crate) fn run() -> anyhow::Result<()> {
    renew()?;
    // Before the snapshots, which contain these recordings.
    firmware::bless()?;
    // The latter has a view as SQL for other engines.
    for package in ["rtoscope", "rtoscope-sql"] {
        let mut snapshots = shell::cargo(&["test", "--package", package]);
        shell::run(snapshots.env("INSTA_UPDATE", "always"))?;
    }
    web::bless()
}

/// Renews the files that follow from the code alone, the headers for C and the viewer's types,
/// and reports which ones changed.
pub(crate) fn renew() -> anyhow::Result<()> {
    let types = || TYPES.map(|file| fs::read(shell::root().join(file)).ok());
    let before = types();
    let mut tests = shell::cargo(&["test", "--quiet", "--workspace", "--lib"]);
    tests.args(["--exclude", "rtoscope-sql", "typescript_types"]);
    shell::output(tests.env("RTOSCOPE_BLESS", "1"))?;
    for (file, (before, now)) in TYPES.iter().zip(before.iter().zip(types())) {
        if *before != now {
            eprintln!("renewed {file}");
        }
    }
    header::renew()
}
