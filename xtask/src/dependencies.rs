//! Dependencies: that all are used, that their licences allow it, and that no crate is
//! there in two versions unless `deny.toml` names it.

use crate::{packages, shell};

const MACHETE_VERSION: &str = "0.9.2";
const DENY_VERSION: &str = "0.20.2";

/// Fails on an unused dependency, and on one that `deny.toml` rules out. A check whose
/// tool cannot be installed is skipped.
pub(crate) fn test() -> anyhow::Result<()> {
    check("cargo-machete", MACHETE_VERSION, &["."])?;
    check(
        "cargo-deny",
        DENY_VERSION,
        &["--workspace", "check", "licenses", "bans"],
    )
}

/// Runs a tool in the root of the repository, where it can be installed.
fn check(name: &str, version: &str, arguments: &[&str]) -> anyhow::Result<()> {
    match packages::cargo_install(name, version) {
        Ok(tool) => shell::run(&mut shell::program(&tool.to_string_lossy(), arguments)),
        Err(error) => {
            eprintln!("skipped {name}, which cannot be installed: {error:#}");
            Ok(())
        }
    }
}
