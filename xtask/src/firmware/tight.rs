//! The demonstration with little memory: rings that wrap, and a stream that
//! loses records.

use super::command::Command;
use super::figures::{Figures, number};
use super::run::{HOST_WORDS_SET, Run};
use anyhow::ensure;
use std::fs;

const LOG_ENTRIES: u32 = 500;
const TRACE_EVENTS: u32 = 300;
/// Size in words: header, registry, events.
const TRACE_WORDS: u32 = 12 + 16 * 12 + TRACE_EVENTS * 8;
const STREAM_BYTES: u32 = 700;

/// Runs it, and compares the recordings with the program's counters.
pub(super) fn compare(command: &Command, target: &str) -> anyhow::Result<Figures> {
    let limits = [HOST_WORDS_SET, LOG_ENTRIES, TRACE_WORDS, STREAM_BYTES];
    let run: Run = Run::new(target, "tight", &[("RECORDER_LIMITS", &limits)])?;
    let totals = &run.truth.totals;
    ensure!(
        totals.txtb_events > TRACE_EVENTS && totals.cswitch_entries > LOG_ENTRIES,
        "{target}: nothing was lost"
    );
    let mut figures = Figures::default();
    let trace = command.json("info", &run.memory, &["--input-format", "threadx"])?;
    figures.add("trace: events", TRACE_EVENTS, number(&trace, "events")?);
    let wrapped = trace["ring"]["wrapped"] == true;
    figures.add("trace: wrapped", 1u32, wrapped.into());
    let options = run.log_options();
    let log = options.each_ref().map(String::as_str);
    let log = command.json("info", &run.memory, &log)?;
    figures.add("log: entries", LOG_ENTRIES, number(&log, "events")?);
    let stream = command.json("info", &run.stream, &[])?;
    let bytes = fs::metadata(&run.stream)?.len();
    figures.add("stream: bytes", totals.rkh_bytes, bytes);
    let in_stream = totals.rkh_records - totals.rkh_lost;
    figures.add("stream: records", in_stream, number(&stream, "events")?);
    // No later record reports the records lost at the very end.
    let missing = number(&stream, "losses/missing_records")?;
    let some = totals.rkh_lost > 0 && missing > 0 && missing <= totals.rkh_lost.into();
    figures.add("stream: reports losses", 1u32, some.into());
    Ok(figures)
}
