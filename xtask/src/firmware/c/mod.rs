//! The C interface: its example, its argument checks, and the hooks for
//! ThreadX, on this machine and on a board.

pub(crate) mod board;
mod examples;
mod host;
mod kernels;
mod trace_stream;

use super::command::Command;
use super::figures::{Figures, number};
use anyhow::{Context as _, anyhow, bail, ensure};
use board::Core;
use rtoscope_wire::cswitch::EntryKind;
use std::fs;
use std::io::Write as _;
use std::net::TcpListener;
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
    check_packed(command, &packed)?;
    check_swo(command, &packed)?;
    check_packed(command, &board::packed()?)?;
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
    let declared = ["--custom-events", &declarations.display().to_string()];
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

/// Compares a compact stream with what the program recorded; the program lost some events.
fn check_packed(command: &Command, folder: &Path) -> anyhow::Result<()> {
    let missing = compare_packed(command, folder, "packed")?;
    ensure!(missing > 0, "the program lost no event");
    let info = command.json("info", &folder.join("packed.cswl"), &[])?;
    let filter = "the target's filter suppressed entries: readiness";
    ensure!(info.to_string().contains(filter), "no filter: {info}");
    Ok(())
}

/// Compares each event of the compact stream `name`.cswl with what the program recorded, in
/// `name`.txt: its time, kind and values. Returns the number of lost events, which both agree on.
fn compare_packed(command: &Command, folder: &Path, name: &str) -> anyhow::Result<u64> {
    let file = folder.join(name).with_extension("cswl");
    let truth = folder.join(name).with_extension("txt");
    let truth = fs::read_to_string(&truth).with_context(|| truth.display().to_string())?;
    let (recorded, lost) = truth
        .trim_end()
        .rsplit_once("\nlost ")
        .context("no losses")?;
    let events = command.lines("events", &file, &[])?;
    let is_event = |event: &&serde_json::Value| {
        let event = event.get("event");
        event.is_some_and(|it| it != "time" && it != "filter")
    };
    let mut events = events.iter().filter(is_event);
    let mut start = None;
    for line in recorded.lines() {
        let numbers: Vec<u64> = line.split(' ').map(str::parse).collect::<Result<_, _>>()?;
        let &[time, kind, operand, value] = numbers.as_slice() else {
            bail!("not an event: {line}");
        };
        let start = *start.get_or_insert(time);
        let event = events.next().with_context(|| format!("missing: {line}"))?;
        let field = |name: &str| event.get(name).and_then(serde_json::Value::as_u64);
        let word = |name: &str| {
            let text = event.get(name)?.as_str()?;
            u64::from_str_radix(text.trim_start_matches("0x"), 16).ok()
        };
        // A resumed thread is the second field, after its code address.
        let is_resume = kind == EntryKind::SyncResume as u64;
        let found_operand = word(if is_resume { "info2" } else { "info1" });
        let found_value = if is_resume { Some(0) } else { word("info2") };
        ensure!(
            field("ticks") == Some(time - start)
                && field("id") == Some(kind)
                && (kind == EntryKind::Sleep as u64
                    || kind == EntryKind::IsrEnter as u64
                    || kind == EntryKind::IsrExit as u64
                    || found_value == Some(value))
                && (kind == EntryKind::Sleep as u64 || found_operand == Some(operand)),
            "recorded {line}, found {event}"
        );
    }
    ensure!(events.next().is_none(), "more events than recorded");
    let info = command.json("info", &file, &[])?;
    let gaps = info.get("gaps").and_then(serde_json::Value::as_array);
    let missing = gaps.into_iter().flatten().map(|gap| {
        gap.get("missing")
            .and_then(serde_json::Value::as_u64)
            .context("an unknown gap")
    });
    let missing: u64 = missing.sum::<anyhow::Result<u64>>()?;
    ensure!(
        missing == lost.parse::<u64>()?,
        "{lost} events were lost, {missing} are missing"
    );
    Ok(missing)
}

/// Checks that the events of a stream arrive through a server of SWO.
fn check_swo(command: &Command, folder: &Path) -> anyhow::Result<()> {
    let sent = command.lines("events", &folder.join("packed.cswl"), &[])?;
    let bytes = fs::read(folder.join("packed.itm")).context("packed.itm")?;
    let server = TcpListener::bind("127.0.0.1:0")?;
    let address = format!("swo://{}?stimulus=1", server.local_addr()?);
    let limit = format!("--limit={}", sent.len());
    let serve = std::thread::spawn(move || {
        let (mut stream, _) = server.accept()?;
        stream.write_all(&bytes)
    });
    let received = command.lines("live", Path::new(&address), &[&limit])?;
    let served = serve.join().map_err(|_| anyhow!("the server failed"))?;
    served.context("the server of SWO")?;
    let field = |event: &serde_json::Value, name: &str| event.get(name).cloned();
    let columns = ["ticks", "id", "info1", "info2"];
    let is_same = sent.iter().zip(&received).all(|(sent, received)| {
        columns
            .iter()
            .all(|name| field(sent, name) == field(received, name))
    });
    ensure!(
        sent.len() == received.len() && is_same,
        "{} events were sent through SWO, {} arrived",
        sent.len(),
        received.len()
    );
    Ok(())
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
