//! Programs that run for ever, followed while they run: the demonstration, and those of compact
//! streams in C and in Rust. Also the test that compares the two recorders of such streams.

use super::c::kernel_programs::{self, Transport};
use super::{embassy, qemu};
use crate::{shell, workspace};

/// Builds the programs, for a target those in Rust in place of those that end, runs them,
/// follows their recordings through QEMU's GDB stub and compares them with their counters.
pub(super) fn follow(target: &str) -> anyhow::Result<()> {
    let program = super::build_package(target, "demo", &["--features", "endless"])?;
    qemu::MPS2.install()?;
    let test = ["test", "--workspace", "--test", "integration", "gdb::"];
    let mut test = workspace::ROOT.cargo(&test)?;
    test.args(["--", "--ignored", "stream::c_header::"]);
    test.env(
        "RTOSCOPE_STREAM_PROGRAM",
        kernel_programs::example(Transport::Rtt)?,
    );
    test.env(
        "RTOSCOPE_EMBASSY_PROGRAM",
        embassy::live(target, Transport::Rtt)?,
    );
    shell::run(test.env("RTOSCOPE_ENDLESS_PROGRAM", program))
}
