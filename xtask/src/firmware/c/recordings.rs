//! Recordings of real kernels in `testdata/firmware`, compared with what their programs counted.

use super::trace_stream::missing;
use crate::firmware::command::Command;
use crate::firmware::figures::{Figures, address, entry, items, number, word};
use crate::shell;
use anyhow::{Context as _, ensure};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

pub(super) fn check(command: &Command) -> anyhow::Result<()> {
    for kernel in [
        "threadx",
        "nuttx",
        "freertos",
        "freertos-riscv",
        "freertos-posix",
    ] {
        check_stream(command, kernel)?;
    }
    check_freertos(command)?;
    check_threadx(command)?;
    check_log(command, &folder("threadx-log"))?;
    Ok(())
}

fn folder(kernel: &str) -> PathBuf {
    shell::root().join("testdata/firmware").join(kernel)
}

/// The file of a recording, and its truth.
fn recording(folder: &Path, file: &str) -> anyhow::Result<(PathBuf, Value)> {
    let truth = fs::read(folder.join("truth.json")).context("truth.json")?;
    Ok((folder.join(file), serde_json::from_slice(&truth)?))
}

fn name(named: &Value) -> &str {
    named["name"].as_str().unwrap_or_default()
}

/// Compares a compact stream.
fn check_stream(command: &Command, kernel: &str) -> anyhow::Result<()> {
    let (file, truth) = recording(&folder(kernel), "stream.cswl")?;
    let report = command.json("report", &file, &["context-switches"])?;
    let report = &report["context_switches"];
    let events = command.lines("events", &file, &[])?;
    let count = |kind: &str, context: &str| {
        let events = events.iter();
        events
            .filter(|event| event["kind"] == kind && event["context"] == context)
            .count() as u64
    };
    let mut figures = Figures::default();
    for thread in items(&truth["threads"]) {
        let found = entry(
            &report["threads"],
            "address",
            address(number(thread, "id")?),
        )?;
        let name = name(thread);
        ensure!(found["name"] == name, "{name}: {found}");
        let rows = [("resumes", number(thread, "resumes")?, "resumes")];
        figures.add_all(&format!("{name}: "), found, &rows)?;
        if let Some(waits) = thread["waits"].as_u64() {
            figures.add(format!("{name}: waits"), waits, count("wait", name));
        }
    }
    if let Some(idle) = truth["idle"].as_u64() {
        figures.add("idle", idle, count("sleep", "(idle)"));
    }
    for marker in items(&truth["markers"]) {
        let found = events.iter().filter(|event| {
            event["kind"] == "marker" && event["arguments"]["marker"] == marker["name"]
        });
        figures.add(name(marker), number(marker, "count")?, found.count() as u64);
    }
    let info = command.json("info", &file, &[])?;
    let gaps = items(&info["gaps"]).count() as u64;
    figures.add("gaps", truth["lost"].as_u64().unwrap_or_default(), gaps);
    for handler in items(&truth["handlers"]) {
        let number_of = number(handler, "number")?;
        let found = entry(&report["handlers"], "address", address(number_of))?;
        let rows = [("", number(handler, "entries")?, "activations")];
        figures.add_all(&format!("handler {number_of}"), found, &rows)?;
    }
    figures.check(kernel)
}

/// Compares the ThreadX trace of a program on FreeRTOS.
fn check_freertos(command: &Command) -> anyhow::Result<()> {
    let (file, truth) = recording(&folder("freertos-threadx"), "trace.trx")?;
    let reports = ["threads", "isr", "locks", "objects", "inversions", "health"];
    let report = command.json("report", &file, &reports)?;
    let counted = |name: &str| number(&truth, name);
    let mut figures = Figures::default();
    for thread in items(&truth["threads"]) {
        let found = entry(&report["threads"], "name", name(thread))?;
        let rows = [
            ("resumes", number(thread, "resumes")?, "dispatches"),
            ("waits", number(thread, "waits")?, "suspensions"),
        ];
        figures.add_all(&format!("{}: ", name(thread)), found, &rows)?;
    }
    for handler in items(&truth["handlers"]) {
        let (number_of, entries) = (number(handler, "number")?, number(handler, "entries")?);
        if entries > 0 {
            let found = entry(&report["isr"], "number", number_of)?;
            let rows = [("", entries, "activations")];
            figures.add_all(&format!("handler {number_of}"), found, &rows)?;
        }
    }
    // The mutex with inheritance, the binary semaphore that is used as a lock, and the mutex that
    // its owner takes twice. The second lets another task prolong an inversion.
    let waits = counted("semaphore_waits")?;
    for (name, takes, waits, unbounded) in [
        ("mutex", counted("mutex_takes")?, counted("mutex_waits")?, 0),
        ("semaphore", counted("semaphore_takes")?, waits, waits),
        ("recursive", counted("recursive_takes")?, 0, 0),
    ] {
        let rows = [
            ("takes", takes, "acquisitions"),
            ("waits", waits, "contended"),
            ("inversions", waits, "inversions/total"),
            ("unbounded", unbounded, "inversions/unbounded"),
        ];
        let found = entry(&report["locks"], "object", name)?;
        figures.add_all(&format!("{name}: "), found, &rows)?;
    }
    let (full, empty) = (counted("full")?, counted("empty")?);
    let signals = counted("signals")? + counted("signals_refused")?;
    for (name, path, counted) in [
        ("queue", "puts", counted("send_calls")?),
        ("queue", "takes", counted("receive_calls")?),
        // Sends that found it full, and then waited.
        ("queue", "blocked", full),
        // Also receives that found it empty, and did not wait.
        ("queue", "refused", full + empty),
        ("queue", "transfer/count", counted("receives")?),
        ("queue", "level/max", counted("max_level")?),
        ("queue", "level/at_end", counted("level_at_end")?),
        ("filled", "puts", signals),
        ("filled", "takes", counted("signal_calls")?),
        ("filled", "transfer/count", counted("signals_taken")?),
        ("filled", "level/at_end", counted("signals_at_end")?),
        ("events", "puts", counted("sets")?),
    ] {
        let found = entry(&report["objects"], "object", name)?;
        figures.add_all(&format!("{name}: "), found, &[(path, counted, path)])?;
    }
    let events = command.lines("events", &file, &[])?;
    let changes = events.iter();
    let changes = changes.filter(|event| event["kind"] == "tx_thread_priority_change");
    let changes = changes.count() as u64;
    figures.add("priority changes", counted("priority_changes")?, changes);
    figures.check("freertos-threadx")?;
    for (category, expected) in [
        ("unbounded-inversion", "mutex semaphore of low"),
        ("unbounded-inversion", "prolonged by middle"),
        ("bounded-inversion", "mutex mutex of low"),
    ] {
        let finding = entry(&report["findings"], "category", category)?;
        let message = finding["message"].as_str().unwrap_or_default();
        ensure!(message.contains(expected), "{category}: {message}");
    }
    shell::output(command.process().arg("doctor").arg(file))?;
    Ok(())
}

/// The thread that sends. Interrupts dispatch it for a moment, without an event of its own, which
/// no trace of ThreadX shows.
const SENDER: &str = "sender";

/// Compares a trace that ThreadX sent while it recorded.
fn check_threadx(command: &Command) -> anyhow::Result<()> {
    let (file, truth) = recording(&folder("threadx-stream"), "stream.txts")?;
    let report = command.json("report", &file, &[])?;
    let events = command.lines("events", &file, &[])?;
    let mut figures = Figures::default();
    for thread in items(&truth["threads"]) {
        let found = entry(&report["threads"], "name", name(thread))?;
        let (resumes, found) = (number(thread, "resumes")?, number(found, "dispatches")?);
        if name(thread) == SENDER {
            ensure!(
                found <= resumes && found * 20 > resumes * 19,
                "{SENDER} was dispatched {resumes} times, {found} found"
            );
            continue;
        }
        figures.add(format!("{}: dispatches", name(thread)), resumes, found);
    }
    let count = |is: &dyn Fn(&Value) -> bool| events.iter().filter(|event| is(event)).count();
    for handler in items(&truth["handlers"]) {
        let number_of = number(handler, "number")?;
        let found = count(&|event| event["number"] == 3 && word(event, "info2") == Some(number_of));
        let entries = number(handler, "entries")?;
        figures.add(format!("handler {number_of}"), entries, found as u64);
    }
    for (name, id) in [
        ("resumptions", 1),
        ("suspensions", 2),
        ("semaphore_puts", 88),
        ("semaphore_gets", 83),
        ("queue_sends", 69),
        ("queue_receives", 68),
    ] {
        let found = count(&|event| event["number"] == id);
        figures.add(name, number(&truth, name)?, found as u64);
    }
    let info = command.json("info", &file, &[])?;
    figures.add("missing", number(&truth, "lost")?, missing(&info)?);
    figures.check("a real ThreadX")
}

/// Compares the context-switch log of a program on ThreadX. Returns the number of resumes that are
/// synchronous and asynchronous.
pub(crate) fn check_log(command: &Command, folder: &Path) -> anyhow::Result<[u64; 2]> {
    let (file, truth) = recording(folder, "log.cswl")?;
    let report = command.json("report", &file, &["context-switches"])?;
    let report = &report["context_switches"];
    let resumes = [
        number(&truth, "synchronous")?,
        number(&truth, "asynchronous")?,
    ];
    let mut figures = Figures::default();
    let rows = [
        ("synchronous", resumes[0], "resumes/sync resume"),
        ("asynchronous", resumes[1], "resumes/async resume"),
    ];
    figures.add_all("", report, &rows)?;
    for thread in items(&truth["threads"]) {
        let found = entry(&report["threads"], "name", name(thread))?;
        let rows = [("resumes", number(thread, "resumes")?, "resumes")];
        figures.add_all(&format!("{}: ", name(thread)), found, &rows)?;
    }
    let sum = |handlers: &Value, count: &str| -> anyhow::Result<u64> {
        items(handlers).map(|it| number(it, count)).sum()
    };
    let (counted, found) = (&truth["handlers"], &report["handlers"]);
    figures.add(
        "interrupts",
        sum(counted, "entries")?,
        sum(found, "activations")?,
    );
    figures.check("a log of ThreadX")?;
    Ok(resumes)
}
