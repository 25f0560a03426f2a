//! Checks of the RKH stream.

use super::command::Command;
use super::figures::{Figures, entry, items, number};
use super::run::Run;
use std::fs;

/// Compares the reports on the stream with the program's counters.
pub(super) fn compare(command: &Command, run: &Run) -> anyhow::Result<Figures> {
    let totals = &run.truth.totals;
    let mut figures = Figures::default();
    figures.add("bytes", totals.rkh_bytes, fs::metadata(&run.stream)?.len());
    let info = command.json("info", &run.stream, &[])?;
    let rows = [
        ("records", totals.rkh_records - totals.rkh_lost, "events"),
        ("lost", totals.rkh_lost, "losses/missing_records"),
        ("bad frames", 0, "losses/bad_frames"),
    ];
    figures.add_all("", &info, &rows)?;
    let report = command.json("report", &run.stream, &["all"])?;
    let sum = |list: &str, key: &str| -> u64 {
        let rows = items(&report[list]);
        rows.filter_map(|row| row[key].as_u64()).sum()
    };
    figures.add("services", totals.rkh_records, sum("services", "count"));
    for (id, counted) in run.truth.records.iter().enumerate() {
        let found = match entry(&report["services"], "id", id) {
            Ok(service) => number(service, "count")?,
            Err(_) => 0,
        };
        if *counted > 0 || found > 0 {
            figures.add(format!("record {id:02X}"), *counted, found);
        }
    }
    figures.add("signals sent", totals.queue_sends, sum("signals", "posted"));
    figures.add("signals handled", totals.messages, sum("signals", "taken"));
    Ok(figures)
}
