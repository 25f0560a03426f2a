//! The programs with the database engine, which are a workspace of their own in `fleet`, and the
//! engines that read their tables.

use crate::object_store_server::ObjectStoreServer;
use crate::workspace::{self, Workspace};
use crate::{interop, shell};
use std::path::PathBuf;

/// The workspace, with a target folder of its own, so that its builds wait for no others. `cargo
/// clippy` would compile the database engine once more.
pub(crate) const FLEET: Workspace = Workspace {
    manifest: "fleet/Cargo.toml",
    target: Some("fleet"),
    is_linted_in_builds: true,
};

const SQL: [&str; 2] = ["--package", "rtoscope-sql"];

/// The programs of the workspace, and those of Ballista as they are released.
const PACKAGES: [&str; 5] = [
    "rtoscope-ballista",
    "rtoscope-cluster",
    "rtoscope-fleet",
    "ballista-executor",
    "ballista-scheduler",
];

/// Builds, lints and tests the program for SQL.
pub(crate) fn test_sql() -> anyhow::Result<()> {
    workspace::run_tests(&FLEET, &SQL)
}

/// Builds, lints and tests the programs for fleets, with an S3 server and a cluster of Ballista
/// on this machine, and runs Spark.
pub(crate) fn test() -> anyhow::Result<()> {
    let python = interop::install_fleet()?;
    let mut build = FLEET.cargo(&["build"])?;
    for package in PACKAGES {
        build.args(["--package", package]);
    }
    shell::run(&mut build)?;
    shell::run(&mut workspace::document(&FLEET)?)?;
    let server = ObjectStoreServer::start(&python)?;
    let mut test = FLEET.cargo(&["test", "--workspace"])?;
    server.set_environment(&mut test);
    shell::run(test.args(["--", "--include-ignored"]))?;
    interop::test_fleet(&python, &FLEET.program("debug", "rtoscope-fleet")?)
}

/// The path of the program for SQL, built if necessary.
pub(crate) fn sql_program() -> anyhow::Result<PathBuf> {
    shell::run(FLEET.cargo(&["test", "--no-run"])?.args(SQL))?;
    FLEET.program("debug", "rtoscope-sql")
}

/// Builds `rtoscope-fleet` for measurements; returns its path.
pub(crate) fn build_release() -> anyhow::Result<PathBuf> {
    let build = ["build", "--release", "--package", "rtoscope-fleet"];
    shell::run(&mut FLEET.cargo(&build)?)?;
    FLEET.program("release", "rtoscope-fleet")
}
