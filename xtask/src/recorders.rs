//! Tests of the recorders that the workspace's tests do not cover: the interleavings of
//! the lock-free log.

use crate::firmware::toolchain;
use crate::shell;

const PACKAGE: [&str; 2] = ["--package", "rtoscope-record"];

pub(crate) fn test() -> anyhow::Result<()> {
    // Different atomic types: nothing built before can be reused.
    let mut interleavings = shell::cargo(&["test", "--test", "integration"]);
    interleavings.args(PACKAGE).arg("--target-dir");
    interleavings.arg(toolchain::folder()?.join("loom"));
    shell::run(interleavings.env("RUSTFLAGS", "--cfg loom"))
}
