//! Checks that the recorders cannot panic.

use super::symbols::Symbols;
use crate::toolchain::Toolchain;
use anyhow::bail;

/// The undefined symbol that the program's panic handler calls.
const PANIC_SYMBOL: &str = "a_panic_can_be_reached";

/// A program with all functions of the recorders links only if none of them can
/// panic. The build has shown that it links; this check excludes other reasons:
/// the program must fail to link once something can panic, and it must not
/// contain any function of `core::panicking`.
pub(super) fn check(target: &str) -> anyhow::Result<()> {
    let program = Toolchain::outputs(target, "release")?.join("no-panic");
    for name in Symbols::read(&program)?.names() {
        if name.contains("panicking") {
            bail!("{target}: the recorders' functions need {name}");
        }
    }
    let mut build = super::cargo_build(target)?;
    build.args(["--features", "no-panic/panic"]);
    let output = build.output()?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    if output.status.success() || !stderr.contains(PANIC_SYMBOL) {
        bail!("{target}: a panic is not detected: {stderr}");
    }
    eprintln!("{target}: no function of the recorders can panic");
    Ok(())
}
