//! The C interface: its example, its argument checks, and the hooks for
//! ThreadX, on this machine and on a board.

pub(crate) mod board;
mod examples;
pub(crate) mod kernel_programs;
mod kernels;
mod packed;
pub(crate) mod recordings;
pub(crate) mod rkh;
mod trace_stream;

use super::command::Command;
use super::figures::{Figures, number};
use anyhow::{Context as _, ensure};
use board::{Core, FOLDER, Platform};
use std::fs;
use std::path::Path;

pub(super) fn run(command: &Command) -> anyhow::Result<()> {
    let library = board::install()?;
    let host = Platform::Installed(&library);
    let [cortex_m3, cortex_r5] = [Core::CortexM3, Core::CortexR5].map(Platform::Board);
    host.run(&["threadx/test/hooks.c"], &["threadx/test"])?;
    check_removed()?;
    for core in [Core::CortexM3, Core::CortexR5] {
        core.build_library()?;
    }
    for platform in [host, cortex_m3, cortex_r5] {
        platform.run(&["test/limits.c"], &[])?;
    }
    examples::compile()?;
    crate::archives::test()?;
    // A Cortex-M3 in QEMU lacks the core's own counter.
    cortex_r5.run(&["test/counter.c"], &[])?;
    let hooks = [
        "threadx/test/board/addresses.c",
        "threadx/rtoscope_execution.c",
    ];
    cortex_m3.run(&hooks, &["threadx/test/board"])?;
    let interrupts = ["threadx/test/board/interrupts.c"];
    cortex_m3.run(&interrupts, &["threadx/test/board"])?;
    cortex_m3.run(&["test/scheduler.c", "test/scheduler.S"], &[])?;
    check_formats(command, &cortex_m3.run(&["test/formats.c"], &[])?)?;
    for platform in [host, cortex_m3] {
        check_macros(command, &platform.run(&["test/macros.c"], &[])?)?;
        rkh::check(command, platform)?;
        check_stream(command, &platform.run(&["test/stream.c"], &[])?)?;
        trace_stream::check_sent(command, &platform.run(&["test/trace.c"], &[])?)?;
    }
    for platform in [Platform::Host, cortex_m3] {
        let drain = platform.run(&["threadx/test/drain/drain.c"], &["threadx/test/drain"])?;
        trace_stream::check_drained(command, &drain)?;
        for source in ["test/packed.c", "test/flight.c", "test/cores.c"] {
            packed::check(command, &platform.run(&[source], &[])?, source)?;
        }
    }
    // It writes the stream of the program above through a simulated ITM.
    packed::check_live(command, &Platform::Host.run(&["test/itm.c"], &[])?)?;
    crate::soak::run_short()?;
    kernels::check(command)?;
    recordings::check(command)?;
    for platform in [cortex_m3, cortex_r5] {
        let folder = platform.run(&["test/stacks.c"], &[])?;
        for recording in ["stacks.cswl", "stacks.trx"] {
            check_stacks(command, &folder, recording)?;
        }
    }
    for platform in [host, cortex_m3, cortex_r5] {
        check(command, &platform.run(&["examples/record.c"], &[])?)?;
    }
    Ok(())
}

/// Checks that the switches leave nothing of a recorder: the object file is the same as
/// without any call.
fn check_removed() -> anyhow::Result<()> {
    let source = format!("{FOLDER}/test/removed.c");
    let compile = |more: &[String]| {
        let compiler = crate::shell::program("cc", &[]);
        anyhow::Ok(fs::read(board::object(compiler, source.as_ref(), more)?)?)
    };
    ensure!(
        compile(&[])? == compile(&["-DNO_CALLS".to_owned()])?,
        "the object file of test/removed.c differs from one without calls"
    );
    Ok(())
}

/// Compares the example's counters with what `rtoscope` reads from its output.
fn check(command: &Command, folder: &Path) -> anyhow::Result<()> {
    let mut figures = Figures::default();
    let report = command.json("report", &folder.join("pipeline.trx"), &[])?;
    let rows = [
        ("interrupts", FRAMES, "interrupts"),
        ("suspensions", 2 * FRAMES, "suspensions"),
        ("resumptions", 2 * FRAMES, "resumptions"),
    ];
    figures.add_all("trace: ", &report["performance"], &rows)?;
    let stream = command.json("info", &folder.join("pipeline.rkh"), &[])?;
    let records = number(&stream, "events")?;
    figures.add("stream: records", 5 + 3 * FRAMES, records);
    let log = folder.join("pipeline.cswl");
    let entries = command.json("info", &log, &[])?;
    figures.add("log: entries", 8 * FRAMES, number(&entries, "events")?);
    let report = command.json("report", &log, &["context-switches"])?;
    let rows = [
        ("switches", 2 * FRAMES, "dispatches"),
        ("idle ticks", IDLE, "idle/total"),
        (
            "longest interrupts-off section",
            MAX_OFF_TICKS,
            "interrupts_off/duration/max",
        ),
    ];
    figures.add_all("log: ", &report["context_switches"], &rows)?;
    figures.check(&format!("the example in {}", folder.display()))
}

/// Compares the records of RKH's macros with what `rtoscope` reads.
fn check_macros(command: &Command, folder: &Path) -> anyhow::Result<()> {
    let declarations = folder.join("own.toml");
    let text = "[[record]]\nevent = 5\narguments = ['u16', 'obj', 'str']\n";
    fs::write(&declarations, text).context("own.toml")?;
    let declared = format!("-Ocustom-events={}", declarations.display());
    let events = command.lines("events", &folder.join("macros.rkh"), &[&declared])?;
    let own = events.last().map(|event| &event["arguments"]);
    ensure!(
        events.len() == 8 && own.is_some_and(|own| own["u16"] == "1200" && own["str"] == "rpm"),
        "RKH's macros in {}: {events:?}",
        folder.display()
    );
    Ok(())
}

/// Checks that a log that was sent while it recorded is complete, and that its names were
/// sent once.
fn check_stream(command: &Command, folder: &Path) -> anyhow::Result<()> {
    let file = folder.join("stream.cswl");
    let info = command.json("info", &file, &[])?;
    let bytes = fs::metadata(&file)?.len();
    ensure!(
        number(&info, "events")? == STREAM_ENTRIES
            && !info.to_string().contains("\"gap\"")
            && bytes < STREAM_ENTRIES * 28,
        "a log of {bytes} bytes sent while it records: {info}"
    );
    Ok(())
}

/// Compares the texts of formatted events, which stay in the program's ELF file.
fn check_formats(command: &Command, folder: &Path) -> anyhow::Result<()> {
    let elf = folder.join("formats.elf").display().to_string();
    let texts = |file: &str, argument: &str| {
        let events = command.lines("events", &folder.join(file), &["--elf", &elf])?;
        let texts = events.iter().filter_map(|event| {
            let text = event.get("arguments")?.get(argument)?.as_str()?;
            Some(text.trim_matches('"').to_owned())
        });
        anyhow::Ok(texts.collect::<Vec<_>>().join(", "))
    };
    let queues = "queue 0 of camera: 0%, queue 1 of camera: -5%, queue 2 of camera: -10%";
    let frames = "frame 0 from camera, frame 1 from camera, frame 2 from camera";
    let others = "plain, e 1 2 3 4 5 6 7";
    for (file, argument, expected) in [
        ("formats.rkh", "str", format!("{queues}, {others}")),
        ("formats.trx", "text", format!("{frames}, done")),
        ("formats.cswl", "str", format!("{frames}, {others}")),
    ] {
        let found = texts(file, argument)?;
        ensure!(found == expected, "formatted events of {file}: {found}");
    }
    let locations = texts("formats.cswl", "address")?;
    ensure!(
        locations.split(", ").count() == 2
            && locations.split_once(", ").is_some_and(
                |(resume, wait)| resume.contains("resumed") && wait.contains("waiting")
            ),
        "code addresses of the compact stream: {locations}"
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
const STREAM_ENTRIES: u64 = 90_000;

/// Frames taken by the example's camera.
const FRAMES: u32 = 20;

/// Idle ticks.
const IDLE: u32 = 40 * FRAMES;

/// Ticks with interrupts disabled in one of the frames.
const MAX_OFF_TICKS: u32 = 9;
