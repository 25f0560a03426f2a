//! Dependencies: that all are used, that their licences allow it, and that no crate is
//! there in two versions unless `deny.toml` names it.

use crate::{packages, shell};

const MACHETE_VERSION: &str = "0.9.2";
const DENY_VERSION: &str = "0.20.2";

/// The only program outside the workspace at the root that users need.
const SQL: &str = "crates/sql/Cargo.toml";

/// Fails on an unused dependency, and on one that `deny.toml` rules out. A check whose
/// tool cannot be installed is skipped.
pub(crate) fn test() -> anyhow::Result<()> {
    unused()?;
    for scope in [
        &["--workspace"][..],
        &["--manifest-path", SQL, "--config", "deny.toml"],
    ] {
        let check = ["check", "licenses", "bans"];
        run("cargo-deny", DENY_VERSION, &[scope, &check].concat())?;
    }
    Ok(())
}

/// Fails on an unused dependency.
pub(crate) fn unused() -> anyhow::Result<()> {
    run("cargo-machete", MACHETE_VERSION, &["."])
}

/// Runs a tool in the root of the repository, where it can be installed.
fn run(name: &str, version: &str, arguments: &[&str]) -> anyhow::Result<()> {
    match packages::cargo_install(name, version) {
        Ok(tool) => shell::run(&mut shell::program(&tool.to_string_lossy(), arguments)),
        Err(error) => {
            eprintln!("skipped {name}, which cannot be installed: {error:#}");
            Ok(())
        }
    }
}
