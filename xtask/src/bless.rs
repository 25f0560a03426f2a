//! Files that programs of the repository write, and that are committed.

use crate::fleet::FLEET;
use crate::workspace::ROOT;
use crate::{firmware, header, shell, web};
use std::fs;

/// The viewer's types, which tests named `typescript_types_are_current` write.
const TYPES: [&str; 3] = [
    "web/src/session/documents.ts",
    "web/src/session/sql.ts",
    "web/src/session/wire.ts",
];

/// Makes the current output of the command, recordings of the firmware and views of the viewer
/// the expected ones.
pub(crate) fn run() -> anyhow::Result<()> {
    renew()?;
    // Before the snapshots, which contain these recordings.
    firmware::bless()?;
    let output = [
        "test",
        "--package",
        "rtoscope",
        "--package",
        "rtoscope-export",
    ];
    // A view as SQL for other engines.
    let sql = ["test", "--package", "rtoscope-sql", "--lib", "dialects"];
    for mut test in [ROOT.cargo(&output)?, FLEET.cargo(&sql)?] {
        shell::run(test.env("INSTA_UPDATE", "always"))?;
    }
    web::bless()
}

/// Renews the files that follow from the code alone, the headers for C and the viewer's types,
/// and reports which ones changed.
pub(crate) fn renew() -> anyhow::Result<()> {
    let types = || TYPES.map(|file| fs::read(shell::root().join(file)).ok());
    let before = types();
    let mut tests = ROOT.cargo(&[
        "test",
        "--quiet",
        "--workspace",
        "--lib",
        "typescript_types",
    ])?;
    shell::output(tests.env("RTOSCOPE_BLESS", "1"))?;
    for (file, (before, now)) in TYPES.iter().zip(before.iter().zip(types())) {
        if *before != now {
            eprintln!("renewed {file}");
        }
    }
    header::renew()
}
