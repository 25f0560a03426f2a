//! Compares the events of a recording with the counts in its markers.

use crate::firmware::command::Command;
use anyhow::{Context as _, ensure};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::Stdio;

/// An event, as `rtoscope events --format json` writes it.
#[derive(Deserialize)]
struct Event {
    event: u64,
    kind: String,
    arguments: BTreeMap<String, Value>,
}

impl Event {
    fn argument(&self, name: &str) -> Option<&str> {
        self.arguments.get(name)?.as_str()
    }

    fn number(&self, name: &str) -> anyhow::Result<u64> {
        let number = self.argument(name).with_context(|| name.to_owned())?;
        Ok(number.parse()?)
    }
}

/// What a program counted, and what was received up to there.
#[derive(Debug, Clone, Copy)]
struct Counts {
    counted: u64,
    received: u64,
}

/// Counts of events and comparisons.
#[derive(Debug, Default)]
pub(super) struct Comparison {
    pub(super) events: u64,
    pub(super) comparisons: u64,
    /// Changes of the filter that the stream shows.
    pub(super) filters: u64,
    switches: u64,
    interrupts: u64,
    last_switches: Option<Counts>,
    last_interrupts: Option<Counts>,
}

impl Comparison {
    /// Compares a recording with its markers between all gaps, before which `gaps` has the next
    /// events.
    ///
    /// # Errors
    ///
    /// If there are more or fewer events between two markers than counted.
    pub(super) fn new(command: &Command, recording: &Path, gaps: &[u64]) -> anyhow::Result<Self> {
        let mut process = command.process();
        process.args(["events", "--format", "json"]).arg(recording);
        let mut process = process.stdout(Stdio::piped()).spawn()?;
        let output = process.stdout.take().context("no output")?;
        let mut comparison = Self::default();
        let mut gaps = gaps.iter().peekable();
        for line in BufReader::new(output).lines() {
            let line = line?;
            let event: Event = serde_json::from_str(&line).with_context(|| line.clone())?;
            if gaps.next_if(|gap| **gap <= event.event).is_some() {
                comparison.last_switches = None;
                comparison.last_interrupts = None;
            }
            comparison.add(&event).context(line)?;
        }
        ensure!(process.wait()?.success(), "`events` failed");
        Ok(comparison)
    }

    fn add(&mut self, event: &Event) -> anyhow::Result<()> {
        self.events += 1;
        match event.kind.as_str() {
            "sync resume" => self.switches += 1,
            "ISR enter" => self.interrupts += 1,
            "filter" => self.filters += 1,
            "marker" => {
                let (received, last) = match event.argument("marker") {
                    Some("switches") => (self.switches, &mut self.last_switches),
                    Some("interrupts") => (self.interrupts, &mut self.last_interrupts),
                    _ => return Ok(()),
                };
                let now = Counts {
                    counted: event.number("value")?,
                    received,
                };
                if let Some(last) = last.replace(now) {
                    let counted = now.counted - last.counted;
                    let received = now.received - last.received;
                    ensure!(
                        counted == received,
                        "{counted} counted, {received} received"
                    );
                    self.comparisons += 1;
                }
            }
            _ => {}
        }
        Ok(())
    }
}
