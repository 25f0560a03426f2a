//! The programs for fleets, in a workspace of their own, and the engines that read their tables.

use crate::object_store_server::ObjectStoreServer;
use crate::{compiler, interop, shell};
use std::path::PathBuf;
use std::process::Command;

const MANIFEST: &str = "fleet/Cargo.toml";

/// The programs of the workspace, and those of Ballista as they are released.
const PACKAGES: [&str; 5] = [
    "rtoscope-ballista",
    "rtoscope-cluster",
    "rtoscope-fleet",
    "ballista-executor",
    "ballista-scheduler",
];

/// Builds, lints and tests the programs, with an S3 server and a cluster of Ballista on this machine, and
/// runs Spark.
pub(crate) fn test() -> anyhow::Result<()> {
    let python = interop::install_fleet()?;
    let fmt = ["fmt", "--manifest-path", MANIFEST, "--all", "--", "--check"];
    shell::run(&mut shell::cargo(&fmt))?;
    let mut build = cargo(&["build"])?;
    compiler::set(&mut build)?;
    for package in PACKAGES {
        build.args(["--package", package]);
    }
    shell::run(&mut build)?;
    let server = ObjectStoreServer::start(&python)?;
    let mut test = cargo(&["test", "--workspace"])?;
    compiler::set(&mut test)?;
    server.set_environment(&mut test);
    shell::run(test.args(["--", "--include-ignored"]))?;
    interop::test_fleet(&python, &program("debug")?)
}

/// Builds `rtoscope-fleet` for measurements; returns its path.
pub(crate) fn build_release() -> anyhow::Result<PathBuf> {
    shell::run(&mut cargo(&[
        "build",
        "--release",
        "--package",
        "rtoscope-fleet",
    ])?)?;
    program("release")
}

/// A command of cargo in the workspace.
fn cargo(words: &[&str]) -> anyhow::Result<Command> {
    let mut cargo = shell::cargo(words);
    cargo.args(["--manifest-path", MANIFEST, "--target-dir"]);
    cargo.arg(target()?);
    Ok(cargo)
}

fn target() -> anyhow::Result<PathBuf> {
    Ok(shell::target()?.join("fleet"))
}

fn program(profile: &str) -> anyhow::Result<PathBuf> {
    let name = shell::executable("rtoscope-fleet");
    Ok(target()?.join(profile).join(name))
}
