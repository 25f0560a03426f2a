//! The command on macOS: checked by the compiler. Linking it takes Apple's SDK.

use crate::shell;
use crate::toolchain::Toolchain;

const TARGETS: [&str; 2] = ["aarch64-apple-darwin", "x86_64-apple-darwin"];

/// Checks the command without the viewer, whose build is the same everywhere.
pub(crate) fn check() -> anyhow::Result<()> {
    for target in TARGETS {
        let check = ["check", "--package", "rtoscope", "--no-default-features"];
        shell::run(&mut Toolchain::find(target)?.cargo("Cargo.toml", target, &check)?)?;
    }
    Ok(())
}
