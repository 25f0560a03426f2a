//! ThreadX traces that are sent while they record: by the recorder, and by the header that drains
//! the kernel's own trace.

use crate::firmware::command::Command;
use crate::firmware::figures::{Figures, items, number, word};
use anyhow::{Context as _, bail, ensure};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Checks that a trace that was sent by the recorder has all entries, or reports them as missing.
pub(super) fn check_sent(command: &Command, folder: &Path) -> anyhow::Result<()> {
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
    let received = number(&info, "events")?;
    figures.add("entries", recorded - overwritten, received);
    figures.add("missing", overwritten, missing(&info)?);
    let text = format!("{:?}", command.lines("objects", &file, &[])?);
    ensure!(
        text.contains("\"camera\"") && text.contains("\"late\""),
        "objects without names: {text}"
    );
    figures.check("a trace sent while it records")
}

/// Compares each entry of a drained trace with the program's own list, and the gaps with the
/// entries that are missing.
pub(super) fn check_drained(command: &Command, folder: &Path) -> anyhow::Result<()> {
    let file = folder.join("drain.txts");
    let truth = fs::read_to_string(folder.join("drain.txt")).context("drain.txt")?;
    let mut recorded = Vec::new();
    let mut names = BTreeMap::new();
    let mut overwritten = 0u64;
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
    let gaps = items(&info["gaps"]).filter_map(|gap| {
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
        let id = event.get("number").and_then(Value::as_u64);
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
    figures.add("entries", recorded.len() as u64, next);
    figures.add("missing", overwritten, missing(&info)?);
    let found = format!("{:?}", command.lines("objects", &file, &[])?);
    let known = names
        .values()
        .filter(|name| found.contains(&format!("\"{name}\"")));
    figures.add("objects", names.len() as u64, known.count() as u64);
    figures.check("a drained trace")
}

/// The number of missing events.
pub(super) fn missing(info: &Value) -> anyhow::Result<u64> {
    items(&info["gaps"])
        .map(|gap| gap["missing"].as_u64().context("an unknown gap"))
        .sum()
}
