//! The C interface: its example, its argument checks, and the hooks for
//! ThreadX, on this machine and on a board.

pub(crate) mod board;
mod examples;
mod freertos;
mod host;
pub(crate) mod kernel_programs;
mod kernels;
mod packed;
mod trace_stream;

use super::command::Command;
use super::figures::{Figures, number};
use anyhow::{Context as _, ensure};
use board::Core;
use std::fs;
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
    for core in [Core::CortexM3, Core::CortexR5] {
        board::library(core)?;
        board::limits(core)?;
    }
    examples::compile()?;
    crate::archives::test()?;
    board::counter()?;
    board::hooks()?;
    board::scheduler()?;
    check_macros(
        command,
        &host::macros(&library)?,
        "RKH's macros on this machine",
    )?;
    check_macros(command, &board::macros()?, "RKH's macros on the board")?;
    check_formats(command, &board::formats()?)?;
    check_stream(command, &host::stream(&library)?)?;
    check_stream(command, &board::stream()?)?;
    let packed = host::packed()?;
    packed::check(command, &packed)?;
    packed::check_live(command, &packed)?;
    packed::check(command, &board::packed()?)?;
    crate::soak::run_short()?;
    kernels::check(command)?;
    trace_stream::check(command, &library)?;
    for core in [Core::CortexM3, Core::CortexR5] {
        let folder = board::stacks(core)?;
        for recording in ["stacks.cswl", "stacks.trx"] {
            check_stacks(command, &folder, recording)?;
        }
    }
    check(command, &host::example(&library)?, "C on this machine")?;
    check(
        command,
        &board::example(Core::CortexM3)?,
        "C on a Cortex-M3",
    )?;
    check(
        command,
        &board::example(Core::CortexR5)?,
        "C on a Cortex-R5",
    )
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
    let declarations = folder.join("own.toml");
    let text = "[[record]]\nevent = 5\narguments = ['u16', 'obj', 'str']\n";
    fs::write(&declarations, text).context("own.toml")?;
    let file = folder.join("macros.rkh");
    let declared = [&*format!("-Ocustom-events={}", declarations.display())];
    let stream = command.json("info", &file, &declared)?;
    figures.add("stream: records", 8, number(&stream, &["events"])?);
    figures.check(title)?;
    let events = command.lines("events", &file, &declared)?;
    let arguments = events.last().and_then(|event| event.get("arguments"));
    let own = arguments.and_then(|arguments| Some((arguments.get("u16")?, arguments.get("str")?)));
    ensure!(
        own.is_some_and(|(speed, unit)| speed == "1200" && unit == "rpm"),
        "the own record: {arguments:?}"
    );
    Ok(())
}

/// Checks that a log that was sent while it recorded is complete, and that its names were
/// sent once.
fn check_stream(command: &Command, folder: &Path) -> anyhow::Result<()> {
    let mut figures = Figures::default();
    let file = folder.join("stream.cswl");
    let info = command.json("info", &file, &[])?;
    figures.add("log: entries", STREAM_ENTRIES, number(&info, &["events"])?);
    ensure!(
        !info.to_string().contains("\"gap\""),
        "the stream has gaps: {info}"
    );
    let bytes = fs::metadata(&file)?.len();
    ensure!(
        bytes < u64::from(STREAM_ENTRIES) * 28,
        "the stream has {bytes} bytes"
    );
    figures.check("a log sent while it records")
}

/// Compares the texts of formatted events, with the program's ELF file and with another.
fn check_formats(command: &Command, folder: &Path) -> anyhow::Result<()> {
    let elf = |name: &str| folder.join(name).display().to_string();
    let texts = |file: &str, argument: &str| {
        let elf = elf("formats.elf");
        let events = command.lines("events", &folder.join(file), &["--elf", &elf])?;
        let texts = events.iter().filter_map(|event| {
            let text = event.get("arguments")?.get(argument)?.as_str()?;
            Some(text.trim_matches('"').to_owned())
        });
        anyhow::Ok(texts.collect::<Vec<_>>())
    };
    let stream = [
        "queue 0 of camera: 0%",
        "queue 1 of camera: -5%",
        "queue 2 of camera: -10%",
        "plain",
        "e 1 2 3 4 5 6 7",
    ];
    let trace = [
        "frame 0 from camera",
        "frame 1 from camera",
        "frame 2 from camera",
        "done",
    ];
    let (found_stream, found_trace) = (texts("formats.rkh", "str")?, texts("formats.trx", "text")?);
    let compact = [
        "frame 0 from camera",
        "frame 1 from camera",
        "frame 2 from camera",
        "plain",
        "e 1 2 3 4 5 6 7",
    ];
    let found_compact = texts("formats.cswl", "str")?;
    ensure!(
        found_compact == compact,
        "formatted events of the compact stream: {found_compact:?}"
    );
    let locations = texts("formats.cswl", "address")?;
    ensure!(
        matches!(locations.as_slice(), [resume, wait]
            if resume.contains("resumed") && wait.contains("waiting")),
        "code addresses of the compact stream: {locations:?}"
    );
    ensure!(
        found_stream == stream,
        "formatted events of the stream: {found_stream:?}"
    );
    ensure!(
        found_trace == trace,
        "formatted events of the trace: {found_trace:?}"
    );
    Ok(())
}

/// Compares the functions of recorded call stacks with the calls of the program.
fn check_stacks(command: &Command, folder: &Path, recording: &str) -> anyhow::Result<()> {
    let elf = folder.join("stacks.elf").display().to_string();
    let events = command.lines("events", &folder.join(recording), &["--elf", &elf])?;
    let stacks = events.iter().filter_map(|event| {
        let frames = event.get("stack")?.get("frames")?.as_array()?.iter();
        let functions = frames.filter_map(|frame| frame.get("function")?.as_str());
        Some(functions.collect::<Vec<_>>().join(" < "))
    });
    let stacks: Vec<_> = stacks.collect();
    let expected = [
        "after < lock < descend < descend < descend < main",
        "after < lock < main",
    ];
    let is_expected = |(found, expected): (&String, &&str)| found.starts_with(expected);
    ensure!(
        stacks.len() == expected.len() && stacks.iter().zip(&expected).all(is_expected),
        "call stacks in {recording}: {stacks:?}"
    );
    Ok(())
}

/// Entries that the stream's program records.
const STREAM_ENTRIES: u32 = 90_000;

/// Frames taken by the example's camera.
const FRAMES: u32 = 20;

/// Idle ticks.
const IDLE: u32 = 40 * FRAMES;

/// Ticks with interrupts disabled in one of the frames.
const MAX_OFF_TICKS: u32 = 9;
