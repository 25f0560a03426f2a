//! The hooks for ThreadX, Zephyr and NuttX: tests call them as the kernels do, with small models of
//! the kernels' headers, and compare the decoded events with the calls.

use super::{board, host, packed};
use crate::firmware::command::Command;
use crate::firmware::figures::{Figures, entry, number};
use crate::shell;
use anyhow::{Context as _, ensure};
use serde::Deserialize;
use serde_json::json;
use std::fs;

struct Kernel {
    name: &'static str,
    hooks: &'static str,
    test: &'static str,
    include: [&'static str; 2],
    /// Definitions for a Cortex-M.
    board: &'static [&'static str],
}

const KERNELS: [Kernel; 3] = [
    Kernel {
        name: "threadx",
        hooks: "threadx/rtoscope_threadx_stream.c",
        test: "threadx/test/stream/hooks.c",
        include: ["threadx", "threadx/test/stream/model"],
        board: &[],
    },
    Kernel {
        name: "zephyr",
        hooks: "zephyr/rtoscope_zephyr.c",
        test: "zephyr/test/hooks.c",
        include: ["zephyr", "zephyr/test"],
        board: &["-DCONFIG_CPU_CORTEX_M", "-DCONFIG_RTOSCOPE_DWT"],
    },
    Kernel {
        name: "nuttx",
        hooks: "nuttx/rtoscope_note.c",
        test: "nuttx/test/notes.c",
        include: ["nuttx", "nuttx/test"],
        board: &[],
    },
];

/// Streams from real kernels.
const RECORDINGS: [&str; 5] = [
    "threadx",
    "nuttx",
    "freertos",
    "freertos-riscv",
    "freertos-posix",
];

pub(super) fn check(command: &Command) -> anyhow::Result<()> {
    for kernel in &KERNELS {
        let sources = [kernel.hooks, kernel.test];
        let folder = host::single_header(kernel.name, &sources, &kernel.include)?;
        let lost = packed::compare(command, &folder, "kernel")?;
        ensure!(lost == 0, "{}: {lost} events were lost", kernel.name);
        board::object(kernel.hooks, &kernel.include, kernel.board)?;
    }
    for recording in RECORDINGS {
        check_recording(command, recording)?;
    }
    super::freertos::check(command)
}

/// What the program of a recording counted.
#[derive(Deserialize)]
struct Truth {
    threads: Vec<Thread>,
    idle: Option<u32>,
    handlers: Vec<Handler>,
    #[serde(default)]
    markers: Vec<Marker>,
    #[serde(default)]
    lost: u32,
}

#[derive(Deserialize)]
struct Thread {
    name: String,
    id: u32,
    resumes: u32,
    waits: Option<u32>,
}

#[derive(Deserialize)]
struct Handler {
    number: u32,
    entries: u32,
}

#[derive(Deserialize)]
struct Marker {
    name: String,
    count: u32,
}

/// Compares a stream from a real kernel with what the program counted.
fn check_recording(command: &Command, kernel: &str) -> anyhow::Result<()> {
    let folder = shell::root().join("testdata/firmware").join(kernel);
    let file = folder.join("stream.cswl");
    let truth = fs::read(folder.join("truth.json")).context("truth.json")?;
    let truth: Truth = serde_json::from_slice(&truth)?;
    let report = command.json("report", &file, &["context-switches"])?;
    let report = &report["context_switches"];
    let events = command.lines("events", &file, &[])?;
    let count = |kind: &str, context: &str| {
        let is_counted =
            |event: &&serde_json::Value| event["event"] == kind && event["context"] == context;
        u64::try_from(events.iter().filter(is_counted).count())
    };
    let mut figures = Figures::default();
    for thread in &truth.threads {
        let address = json!(format!("{:#x}", thread.id));
        let found = entry(&report["threads"], "address", &address)?;
        let name = &thread.name;
        ensure!(found["name"] == **name, "{name}: {found}");
        let resumes = number(found, &["resumes"])?;
        figures.add(format!("{name}: resumes"), thread.resumes, resumes);
        if let Some(waits) = thread.waits {
            figures.add(format!("{name}: waits"), waits, count("wait", name)?);
        }
    }
    if let Some(idle) = truth.idle {
        figures.add("idle", idle, count("sleep", "(idle)")?);
    }
    for marker in &truth.markers {
        let is_counted = |event: &&serde_json::Value| {
            event["event"] == "marker" && event["arguments"]["marker"] == *marker.name
        };
        let found = u64::try_from(events.iter().filter(is_counted).count())?;
        figures.add(&marker.name, marker.count, found);
    }
    let info = command.json("info", &file, &[])?;
    let gaps = info["gaps"].as_array().map_or(0, Vec::len);
    figures.add("gaps", truth.lost, u64::try_from(gaps)?);
    for handler in &truth.handlers {
        let address = json!(format!("{:#x}", handler.number));
        let found = entry(&report["handlers"], "address", &address)?;
        figures.add(
            format!("handler {}", handler.number),
            handler.entries,
            number(found, &["activations"])?,
        );
    }
    figures.check(kernel)
}
