//! The C interface: its example, on this machine and on a board, and the hooks
//! for ThreadX.

mod board;
mod host;

use super::command::Command;
use super::figures::{Figures, number};
use std::path::Path;

/// The folder of the interface.
const FOLDER: &str = "crates/record-c";

/// Compilers' options: C99 and all warnings, as errors.
const STRICT: [&str; 6] = [
    "-std=c99",
    "-Wall",
    "-Wextra",
    "-Wpedantic",
    "-Werror",
    "-O2",
];

pub(super) fn run(command: &Command) -> anyhow::Result<()> {
    host::hooks()?;
    check(command, &host::example()?, "C on this machine")?;
    check(command, &board::example()?, "C on the board")
}

/// Compares what the example did with what `rtoscope` finds in the files that it
/// has left.
fn check(command: &Command, folder: &Path, title: &str) -> anyhow::Result<()> {
    let mut figures = Figures::default();
    let trace = folder.join("pipeline.trx");
    let report = command.json("report", &trace, &["--all"])?;
    let performance = |name| number(&report, &["performance", name]);
    figures.add("trace: interrupts", FRAMES, performance("interrupts")?);
    figures.add(
        "trace: suspensions",
        2 * FRAMES,
        performance("suspensions")?,
    );
    figures.add(
        "trace: resumptions",
        2 * FRAMES,
        performance("resumptions")?,
    );

    let stream = command.json("info", &folder.join("pipeline.rkh"), &[])?;
    figures.add(
        "stream: records",
        5 + 3 * FRAMES,
        number(&stream, &["events"])?,
    );

    let log = folder.join("pipeline.cswl");
    let entries = command.json("info", &log, &[])?;
    figures.add("log: entries", 8 * FRAMES, number(&entries, &["events"])?);
    figures.check(title)
}

/// Frames that the example's camera takes.
const FRAMES: u32 = 20;
