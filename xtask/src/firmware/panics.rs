//! Whether anything in the recorders can panic.

use super::MANIFEST;
use super::symbols::Symbols;
use super::toolchain::Toolchain;
use anyhow::bail;

/// What the program's panic handler calls, and nobody defines.
const PANIC_SYMBOL: &str = "a_panic_can_be_reached";

/// The program with all functions of the recorders links only if none of them
/// can panic. That it did is a matter of the build; this sees that nothing else
/// was the reason: it does not link once something can, and no function of
/// `core::panicking` is left in it.
pub(super) fn check(target: &str) -> anyhow::Result<()> {
    let toolchain = Toolchain::find(target)?;
    let program = Toolchain::outputs(target, "release")?.join("no-panic");
    for name in Symbols::read(&program)?.names() {
        if name.contains("panicking") {
            bail!("{target}: the recorders' functions need {name}");
        }
    }
    let panics = [
        "build",
        "--release",
        "--package",
        "no-panic",
        "--features",
        "panic",
    ];
    let mut build = toolchain.cargo(MANIFEST, target, &panics)?;
    let output = build.output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    if output.status.success() || !said.contains(PANIC_SYMBOL) {
        bail!("{target}: a panic goes unnoticed: {said}");
    }
    eprintln!("{target}: no function of the recorders can panic");
    Ok(())
}
