//! FreeRTOS's recorder into the ThreadX event trace: a recording of a real kernel, compared with
//! what the program counted.

use crate::firmware::command::Command;
use crate::firmware::figures::{Figures, entry, number};
use crate::shell;
use anyhow::{Context as _, ensure};
use serde::Deserialize;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// What the program counted.
#[derive(Deserialize)]
struct Truth {
    threads: Vec<Thread>,
    handlers: Vec<Handler>,
    mutex_takes: u32,
    mutex_waits: u32,
    semaphore_takes: u32,
    semaphore_waits: u32,
    recursive_takes: u32,
    receives: u32,
    send_calls: u32,
    receive_calls: u32,
    /// Sends that found the queue full, and then waited.
    full: u32,
    /// Receives that found the queue empty, and did not wait.
    empty: u32,
    max_level: u32,
    level_at_end: u32,
    signals: u32,
    signals_taken: u32,
    signals_refused: u32,
    signal_calls: u32,
    signals_at_end: u32,
    sets: u32,
    priority_changes: u32,
}

#[derive(Deserialize)]
struct Thread {
    name: String,
    resumes: u32,
    waits: u32,
}

#[derive(Deserialize)]
struct Handler {
    number: u32,
    entries: u32,
}

const REPORTS: [&str; 6] = ["threads", "isr", "locks", "objects", "inversions", "health"];

pub(super) fn check(command: &Command) -> anyhow::Result<()> {
    let folder = shell::root().join("testdata/firmware/freertos-threadx");
    let file = folder.join("trace.trx");
    let truth = fs::read(folder.join("truth.json")).context("truth.json")?;
    let truth: Truth = serde_json::from_slice(&truth)?;
    let report = command.json("report", &file, &REPORTS)?;
    let mut figures = Figures::default();
    add_threads(&mut figures, &truth, &report)?;
    add_locks(&mut figures, &truth, &report["locks"])?;
    add_objects(&mut figures, &truth, &report["objects"])?;
    let events = command.lines("events", &file, &[])?;
    let changes = events
        .iter()
        .filter(|event| event["event"] == "tx_thread_priority_change");
    let changes = u64::try_from(changes.count())?;
    figures.add("priority changes", truth.priority_changes, changes);
    figures.check("freertos-threadx")?;
    check_findings(&report["findings"])?;
    check_rules(command, &file)
}

fn add_threads(figures: &mut Figures, truth: &Truth, report: &Value) -> anyhow::Result<()> {
    for thread in &truth.threads {
        let name = &thread.name;
        let found = entry(&report["threads"], "name", &json!(name))?;
        let dispatches = number(found, &["dispatches"])?;
        figures.add(format!("{name}: resumes"), thread.resumes, dispatches);
        let suspensions = number(found, &["suspensions"])?;
        figures.add(format!("{name}: waits"), thread.waits, suspensions);
    }
    let entered = truth.handlers.iter().filter(|handler| handler.entries > 0);
    for handler in entered {
        let found = entry(&report["isr"], "number", &json!(handler.number))?;
        figures.add(
            format!("handler {}", handler.number),
            handler.entries,
            number(found, &["activations"])?,
        );
    }
    Ok(())
}

/// The mutex with inheritance, the binary semaphore that is used as a lock, and the mutex that its
/// owner takes twice.
fn add_locks(figures: &mut Figures, truth: &Truth, locks: &Value) -> anyhow::Result<()> {
    let unbounded = [0, truth.semaphore_waits, 0];
    let counted = [
        ("mutex", truth.mutex_takes, truth.mutex_waits),
        ("semaphore", truth.semaphore_takes, truth.semaphore_waits),
        ("recursive", truth.recursive_takes, 0),
    ];
    for ((name, takes, waits), unbounded) in counted.into_iter().zip(unbounded) {
        let found = entry(locks, "name", &json!(name))?;
        figures.add(
            format!("{name}: takes"),
            takes,
            number(found, &["acquisitions"])?,
        );
        figures.add(
            format!("{name}: waits"),
            waits,
            number(found, &["contended"])?,
        );
        let inversions = number(found, &["inversions", "total"])?;
        figures.add(format!("{name}: inversions"), waits, inversions);
        let found = number(found, &["inversions", "unbounded"])?;
        figures.add(format!("{name}: unbounded"), unbounded, found);
    }
    Ok(())
}

fn add_objects(figures: &mut Figures, truth: &Truth, objects: &Value) -> anyhow::Result<()> {
    let mut add = |name: &str, path: &[&str], counted: u32| -> anyhow::Result<()> {
        let found = number(entry(objects, "name", &json!(name))?, path)?;
        figures.add(format!("{name}: {}", path.join(" ")), counted, found);
        Ok(())
    };
    add("queue", &["puts"], truth.send_calls)?;
    add("queue", &["takes"], truth.receive_calls)?;
    add("queue", &["blocked"], truth.full)?;
    add("queue", &["refused"], truth.full + truth.empty)?;
    add("queue", &["transfer", "count"], truth.receives)?;
    add("queue", &["level", "max"], truth.max_level)?;
    add("queue", &["level", "at_end"], truth.level_at_end)?;
    let signals = truth.signals + truth.signals_refused;
    add("filled", &["puts"], signals)?;
    add("filled", &["takes"], truth.signal_calls)?;
    add("filled", &["transfer", "count"], truth.signals_taken)?;
    add("filled", &["level", "at_end"], truth.signals_at_end)?;
    add("events", &["puts"], truth.sets)
}

/// Only the semaphore lets another task prolong an inversion.
fn check_findings(findings: &Value) -> anyhow::Result<()> {
    let unbounded = entry(findings, "category", &json!("unbounded-inversion"))?;
    let message = unbounded["message"].as_str().unwrap_or_default();
    ensure!(
        message.contains("mutex semaphore of low") && message.contains("prolonged by middle"),
        "unbounded: {message}"
    );
    let bounded = entry(findings, "category", &json!("bounded-inversion"))?;
    let message = bounded["message"].as_str().unwrap_or_default();
    ensure!(message.contains("mutex mutex of low"), "bounded: {message}");
    Ok(())
}

/// The rules of `doctor`.
fn check_rules(command: &Command, file: &Path) -> anyhow::Result<()> {
    let doctor = command.process().args(["doctor"]).arg(file).output()?;
    let printed = String::from_utf8_lossy(&doctor.stdout);
    ensure!(doctor.status.success(), "doctor: {printed}");
    Ok(())
}
