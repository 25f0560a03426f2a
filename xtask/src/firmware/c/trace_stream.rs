//! ThreadX traces that are sent while they record: by the recorder, by the header that drains the
//! kernel's own trace, and by a real kernel.

use super::{board, host};
use crate::firmware::command::Command;
use crate::firmware::figures::{Figures, entry, number};
use crate::shell;
use anyhow::{Context as _, bail, ensure};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

pub(super) fn check(command: &Command, library: &Path) -> anyhow::Result<()> {
    check_sent(command, &host::trace(library)?)?;
    check_sent(command, &board::trace()?)?;
    check_drained(command, &host::drain()?)?;
    check_drained(command, &board::drain()?)?;
    check_recording(command)
}

/// Checks that a trace that was sent by the recorder has all entries, or reports them as missing.
fn check_sent(command: &Command, folder: &Path) -> anyhow::Result<()> {
    let file = folder.join("trace.txts");
    let truth = fs::read_to_string(folder.join("trace.txt")).context("trace.txt")?;
    let counts: Vec<u32> = truth
        .split_whitespace()
        .map(str::parse)
        .collect::<Result<_, _>>()?;
    let &[recorded, overwritten] = counts.as_slice() else {
        bail!("trace.txt: {truth}");
    };
    let info = command.json("info", &file, &[])?;
    let events = command.lines("events", &file, &[])?;
    let numbers = events.iter().filter_map(|event| word(event, "info1"));
    let numbers: Vec<_> = numbers.skip_while(|number| *number == 0).collect();
    ensure!(
        numbers.is_sorted_by(|one, next| one < next),
        "entries are out of order"
    );
    let mut figures = Figures::default();
    let received = number(&info, &["events"])?;
    figures.add("entries", recorded - overwritten, received);
    figures.add("missing", overwritten, missing(&info)?);
    let objects = command.json("objects", &file, &[])?;
    let text = objects.to_string();
    ensure!(
        text.contains("\"camera\"") && text.contains("\"late\""),
        "objects without names: {text}"
    );
    figures.check("a trace sent while it records")
}

/// Compares each entry of a drained trace with the program's own list, and the gaps with the
/// entries that are missing.
fn check_drained(command: &Command, folder: &Path) -> anyhow::Result<()> {
    let file = folder.join("drain.txts");
    let truth = fs::read_to_string(folder.join("drain.txt")).context("drain.txt")?;
    let mut recorded = Vec::new();
    let mut names = BTreeMap::new();
    let mut overwritten = 0;
    for line in truth.lines() {
        let mut fields = line.split(' ');
        let kind = fields.next();
        match kind {
            Some("entry") => {
                let numbers: Vec<u64> = fields.map(str::parse).collect::<Result<_, _>>()?;
                recorded.push(numbers);
            }
            Some("object") => {
                let address: u64 = fields.next().context("no address")?.parse()?;
                names.insert(address, fields.collect::<Vec<_>>().join(" "));
            }
            Some("overwritten") => overwritten = fields.next().context("no count")?.parse()?,
            _ => bail!("drain.txt: {line}"),
        }
    }
    let events = command.lines("events", &file, &[])?;
    let info = command.json("info", &file, &[])?;
    let gaps = info.get("gaps").and_then(Value::as_array);
    let gaps = gaps.into_iter().flatten().filter_map(|gap| {
        let at = gap.get("before_event")?.as_u64()?;
        Some((at, gap.get("missing")?.as_u64()?))
    });
    let gaps: BTreeMap<u64, u64> = gaps.collect();
    let mut next = 0;
    for (index, event) in (0..).zip(&events) {
        let found = word(event, "info1").context("no number")?;
        ensure!(
            found - next == gaps.get(&index).copied().unwrap_or_default(),
            "event {index} is entry {found} after {next}, with gaps {gaps:?}"
        );
        let expected = recorded
            .get(usize::try_from(found)?)
            .context("no such entry")?;
        let id = event.get("id").and_then(Value::as_u64);
        let is_same = [Some(found), id, word(event, "info2"), word(event, "info4")]
            .into_iter()
            .zip(expected)
            .all(|(found, expected)| found == Some(*expected));
        ensure!(
            is_same && expected.len() == 4,
            "recorded {expected:?}, found {event}"
        );
        next = found + 1;
    }
    let mut figures = Figures::default();
    figures.add("entries", u32::try_from(recorded.len())?, next);
    figures.add("missing", overwritten, missing(&info)?);
    let objects = command.json("objects", &file, &[])?;
    let found = objects.to_string();
    let known = names
        .values()
        .filter(|name| found.contains(&format!("\"{name}\"")));
    figures.add(
        "objects",
        u32::try_from(names.len())?,
        u64::try_from(known.count())?,
    );
    figures.check("a drained trace")
}

/// The thread that sends. Interrupts dispatch it for a moment, without an event of its own, which
/// no trace of ThreadX shows.
const SENDER: &str = "sender";

/// What the kernel of a recording counted.
#[derive(Deserialize)]
struct Truth {
    threads: Vec<Thread>,
    handlers: Vec<Handler>,
    resumptions: u32,
    suspensions: u32,
    semaphore_puts: u32,
    semaphore_gets: u32,
    queue_sends: u32,
    queue_receives: u32,
    lost: u32,
}

#[derive(Deserialize)]
struct Thread {
    name: String,
    resumes: u32,
}

#[derive(Deserialize)]
struct Handler {
    number: u32,
    entries: u32,
}

/// Compares a trace that a real kernel sent with the kernel's own counters.
fn check_recording(command: &Command) -> anyhow::Result<()> {
    let folder = shell::root().join("testdata/firmware/threadx-stream");
    let file = folder.join("stream.txts");
    let truth = fs::read(folder.join("truth.json")).context("truth.json")?;
    let truth: Truth = serde_json::from_slice(&truth)?;
    let report = command.json("report", &file, &[])?;
    let info = command.json("info", &file, &[])?;
    let events = command.lines("events", &file, &[])?;
    let mut figures = Figures::default();
    for thread in &truth.threads {
        let found = entry(&report["threads"], "name", &json!(thread.name))?;
        let dispatches = number(found, &["dispatches"])?;
        if thread.name == SENDER {
            ensure!(
                dispatches <= thread.resumes.into()
                    && dispatches * 20 > u64::from(thread.resumes) * 19,
                "{SENDER} was dispatched {} times, {dispatches} found",
                thread.resumes
            );
            continue;
        }
        figures.add(
            format!("{}: dispatches", thread.name),
            thread.resumes,
            dispatches,
        );
    }
    for handler in &truth.handlers {
        let is_entry = |event: &&Value| {
            event["id"] == 3 && word(event, "info2") == Some(handler.number.into())
        };
        let entries = u64::try_from(events.iter().filter(is_entry).count())?;
        figures.add(
            format!("handler {}", handler.number),
            handler.entries,
            entries,
        );
    }
    let count = |id: u64| u64::try_from(events.iter().filter(|event| event["id"] == id).count());
    figures.add("resumptions", truth.resumptions, count(1)?);
    figures.add("suspensions", truth.suspensions, count(2)?);
    figures.add("semaphore puts", truth.semaphore_puts, count(88)?);
    figures.add("semaphore gets", truth.semaphore_gets, count(83)?);
    figures.add("queue sends", truth.queue_sends, count(69)?);
    figures.add("queue receives", truth.queue_receives, count(68)?);
    figures.add("missing", truth.lost, missing(&info)?);
    figures.check("a real ThreadX")
}

/// The number of missing events.
fn missing(info: &Value) -> anyhow::Result<u64> {
    let gaps = info.get("gaps").and_then(Value::as_array);
    let missing = gaps.into_iter().flatten().map(|gap| {
        let missing = gap.get("missing").and_then(Value::as_u64);
        missing.context("an unknown gap")
    });
    missing.sum()
}

/// A word of an event, which is a number or hexadecimal.
fn word(event: &Value, name: &str) -> Option<u64> {
    let value = event.get(name)?;
    value.as_u64().or_else(|| {
        let digits = value.as_str()?.trim_start_matches("0x");
        u64::from_str_radix(digits, 16).ok()
    })
}
