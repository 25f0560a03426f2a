//! The C interface: its example, its argument checks, and the hooks for
//! ThreadX, on this machine and on a board.

mod board;
mod host;

use super::command::Command;
use super::figures::{Figures, number};
use std::path::Path;

/// The folder of the interface.
const FOLDER: &str = "crates/record-c";

/// Compiler flags: C99 and all warnings as errors.
const STRICT: [&str; 6] = [
    "-std=c99",
    "-Wall",
    "-Wextra",
    "-Wpedantic",
    "-Werror",
    "-O2",
];

pub(super) fn run(command: &Command) -> anyhow::Result<()> {
    let library = host::install()?;
    host::hooks(&library)?;
    host::limits(&library)?;
    host::removed()?;
    board::library()?;
    board::hooks()?;
    board::limits()?;
    check_macros(
        command,
        &host::macros(&library)?,
        "RKH's macros on this machine",
    )?;
    check_macros(command, &board::macros()?, "RKH's macros on the board")?;
    check(command, &host::example(&library)?, "C on this machine")?;
    check(command, &board::example()?, "C on the board")
}

/// Compares the example's counters with what `rtoscope` reads from its output.
fn check(command: &Command, folder: &Path, title: &str) -> anyhow::Result<()> {
    let mut figures = Figures::default();
    let trace = folder.join("pipeline.trx");
    let report = command.json("report", &trace, &[])?;
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
    let report = command.json("report", &log, &["context-switches"])?;
    let switches = |path: &[&str]| number(&report, &[&["context_switches"], path].concat());
    figures.add("log: switches", 2 * FRAMES, switches(&["dispatches"])?);
    figures.add("log: idle ticks", IDLE, switches(&["idle", "ticks"])?);
    let longest = switches(&["interrupts_off", "duration", "max"])?;
    figures.add(
        "log: longest interrupts-off section",
        MAX_OFF_TICKS,
        longest,
    );
    figures.check(title)
}

/// Compares the records of RKH's macros with what `rtoscope` reads.
fn check_macros(command: &Command, folder: &Path, title: &str) -> anyhow::Result<()> {
    let mut figures = Figures::default();
    let stream = command.json("info", &folder.join("macros.rkh"), &[])?;
    figures.add("stream: records", 7, number(&stream, &["events"])?);
    figures.check(title)
}

/// Frames taken by the example's camera.
const FRAMES: u32 = 20;

/// Idle ticks.
const IDLE: u32 = 40 * FRAMES;

/// Ticks with interrupts disabled in one of the frames.
const MAX_OFF_TICKS: u32 = 9;
