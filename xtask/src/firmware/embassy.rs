//! Tasks on two executors of embassy, recorded with a compact stream that contains the
//! program's own counts.

use super::c::kernel_programs::Transport;
use super::command::Command;
use super::figures::{Figures, items, word};
use super::qemu::{self, Board, SEMIHOSTING, Serial};
use crate::shell;
use crate::toolchain::{self, Toolchain};
use anyhow::{Context as _, ensure};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

/// The tasks, in the order of their counts.
const TASKS: [&str; 4] = ["sampler", "filter", "logger", "sender"];

/// The handlers with their exception numbers and the markers with their counts.
const HANDLERS: [(&str, u64, u64); 2] = [("SysTick", 15, 100), ("timer", 24, 101)];

/// The markers with the counts of the first task; those of the others follow.
const POLLS: u64 = 110;
const RESUMES: u64 = 120;
const READY: u64 = 130;
const WAITS: u64 = 140;

/// Runs the program built for a target, and compares its counts with the stream.
pub(super) fn compare(command: &Command, target: &str) -> anyhow::Result<()> {
    let program = Toolchain::outputs(target, "release")?.join("embassy");
    let folder = toolchain::folder()?.join("embassy").join(target);
    fs::create_dir_all(&folder)?;
    let file = folder.join("stream.cswl");
    let board = Board {
        serial: Serial::File(&file),
        more: &SEMIHOSTING,
        ..Board::new(qemu::MPS2, &program)
    };
    shell::run(&mut board.command()?)?;
    let stream = CountedEvents::read(command.lines("events", &file, &[])?)?;
    let mut figures = Figures::default();
    let info = command.json("info", &file, &[])?;
    let gaps = items(&info["gaps"]).count();
    figures.add("gaps", 0u32, gaps.try_into()?);
    let mut compare = |name: String, marker, found| {
        figures.add(name, stream.marker(marker)?, found);
        anyhow::Ok(())
    };
    for (name, number, marker) in HANDLERS {
        let is_entered = |event: &Value| word(event, "info1") == Some(number);
        let found = stream.count("ISR enter", is_entered)?;
        compare(format!("interrupts of {name}"), marker, found)?;
    }
    for (task, name) in (0..).zip(TASKS) {
        let of_task = |event: &Value| event["context"] == name;
        let found = stream.count("sync resume", of_task)?;
        compare(format!("{name}: resumes"), RESUMES + task, found)?;
        let found = stream.count("wait", of_task)?;
        compare(format!("{name}: waits"), WAITS + task, found)?;
        let id = stream.id(name)?;
        let found = stream.count("ready", |event| word(event, "info1") == Some(id))?;
        compare(format!("{name}: ready"), READY + task, found)?;
        // Executors that interrupt add resumes, and never the urgent one.
        let (polls, resumes) = (stream.marker(POLLS + task)?, stream.marker(RESUMES + task)?);
        ensure!(
            polls <= resumes && (task > 0 || polls == resumes),
            "{name}: {polls} polls, {resumes} resumes"
        );
    }
    figures.check(&format!("{target}: executors of embassy"))
}

/// Builds the program that runs for ever, in place of the one that ends; returns it.
pub(crate) fn live(target: &str, transport: Transport) -> anyhow::Result<PathBuf> {
    let features = match transport {
        Transport::Serial => "endless",
        Transport::Rtt => "endless,rtt",
    };
    super::build_package(target, "embassy", &["--features", features])
}

/// The events before the counts, and the counts.
struct CountedEvents {
    events: Vec<Value>,
    counts: Vec<Value>,
}

impl CountedEvents {
    fn read(mut events: Vec<Value>) -> anyhow::Result<Self> {
        let is_count = |event: &Value| {
            event["kind"] == "marker" && word(event, "info1") >= Some(HANDLERS[0].2)
        };
        let first = events.iter().position(is_count);
        let counts = events.split_off(first.context("the stream has no counts")?);
        Ok(Self { events, counts })
    }

    /// Number of events of a kind.
    fn count(&self, kind: &str, is_counted: impl Fn(&Value) -> bool) -> anyhow::Result<u64> {
        let events = self.events.iter();
        let counted = events.filter(|event| event["kind"] == kind && is_counted(event));
        Ok(counted.count().try_into()?)
    }

    /// The value of a marker.
    fn marker(&self, marker: u64) -> anyhow::Result<u64> {
        let found = self
            .counts
            .iter()
            .find(|event| word(event, "info1") == Some(marker));
        let value = found.and_then(|event| word(event, "info2"));
        value.with_context(|| format!("no marker {marker}"))
    }

    /// The number of a task.
    fn id(&self, name: &str) -> anyhow::Result<u64> {
        let is_resumed =
            |event: &&Value| event["kind"] == "sync resume" && event["context"] == name;
        let found = self.events.iter().find(is_resumed);
        let id = found.and_then(|event| word(event, "info2"));
        id.with_context(|| format!("{name} never runs"))
    }
}
