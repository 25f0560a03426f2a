//! Checks of the RKH stream.

use super::command::Command;
use super::figures::{Figures, entry, number};
use super::run::Run;
use serde_json::{Value, json};
use std::fs;

/// Compares the reports on the stream with the program's counters.
pub(super) fn compare(command: &Command, run: &Run) -> anyhow::Result<Figures> {
    let totals = &run.truth.totals;
    let mut figures = Figures::default();
    let bytes = fs::metadata(&run.stream)?.len();
    figures.add("bytes", totals.rkh_bytes, bytes);
    let info = command.json("info", &run.stream, &[])?;
    let report = command.json("report", &run.stream, &["all"])?;
    figures.add(
        "records",
        totals.rkh_records - totals.rkh_lost,
        number(&info, &["events"])?,
    );
    let missing = number(&info, &["losses", "missing_records"])?;
    figures.add("lost", totals.rkh_lost, missing);
    figures.add("bad frames", 0, number(&info, &["losses", "bad_frames"])?);
    let found = report["services"].as_array().map_or(&[][..], Vec::as_slice);
    let found: u64 = found
        .iter()
        .filter_map(|service| service["count"].as_u64())
        .sum();
    figures.add("services", totals.rkh_records, found);
    for (id, counted) in run.truth.records.iter().enumerate() {
        let found = match entry(&report["services"], "id", &json!(id)) {
            Ok(service) => number(service, &["count"])?,
            Err(_) => 0,
        };
        if *counted > 0 || found > 0 {
            figures.add(format!("record {id:02X}"), *counted, found);
        }
    }
    compare_signals(&mut figures, run, &report)?;
    Ok(figures)
}

/// Events sent to and handled by active objects.
fn compare_signals(figures: &mut Figures, run: &Run, report: &Value) -> anyhow::Result<()> {
    let sum = |key: &str| -> u64 {
        let signals = report["signals"].as_array().map_or(&[][..], Vec::as_slice);
        signals
            .iter()
            .filter_map(|signal| signal[key].as_u64())
            .sum()
    };
    figures.add("signals sent", run.truth.totals.queue_sends, sum("posted"));
    figures.add("signals handled", run.truth.totals.messages, sum("taken"));
    Ok(())
}
