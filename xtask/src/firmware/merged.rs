//! Checks of the three recordings of one run, placed on one time axis.

use super::command::Command;
use super::figures::Figures;
use super::run::Run;
use crate::shell;
use anyhow::{Context as _, ensure};
use serde::Deserialize;

/// The kinds of event that two recorders log at the same time, as the trace buffer and the other
/// recording name them.
const COMMON: [(&str, &str, &str); 5] = [
    ("ISR enter", LOG, "ISR enter"),
    ("ISR exit", LOG, "ISR exit"),
    ("tx_semaphore_put", STREAM, "semaphore put"),
    ("tx_queue_send", STREAM, "QUE FIFO"),
    ("time slice", STREAM, "slice over"),
];

/// The kinds of event of the log after which another context runs.
const SWITCHES: [&str; 4] = ["sync resume", "async resume", "wake", "sleep"];

/// That of QEMU's board.
const CLOCK: &str = "--clock=25MHz";

const TRACE: &str = "trace.trx";
const LOG: &str = "log.cswl";
const STREAM: &str = "stream.rkh";

#[derive(Deserialize)]
struct Event {
    file: String,
    /// Ticks on the common axis.
    time: u64,
    context: String,
    kind: String,
}

/// Merges the recordings by their common counter: their common events have the same times, and
/// the log's switches agree with the contexts of the trace.
pub(super) fn compare(command: &Command, run: &Run) -> anyhow::Result<Figures> {
    let folder = run.memory.parent().context("the run has no folder")?;
    let run_in_folder =
        |arguments: &[&str]| shell::output(command.process().current_dir(folder).args(arguments));
    let memory = run.memory.to_string_lossy();
    let convert = |options: &[&str], file: &str| {
        let all = [&["convert", &memory, "-o", file], options].concat();
        run_in_folder(&all).map(drop)
    };
    convert(&["--input-format=threadx"], TRACE)?;
    let log = run.log_options();
    convert(&log.each_ref().map(String::as_str), LOG)?;
    ensure!(
        run.stream == folder.join(STREAM),
        "the stream has another name"
    );
    let axis = "axis.toml";
    run_in_folder(&[
        "merge",
        TRACE,
        LOG,
        STREAM,
        "--common-counter",
        CLOCK,
        "-o",
        axis,
    ])?;
    let table = ["--to=jsonl", "--table=events", "-o", "-"];
    let lines = run_in_folder(&[&["export", axis], &table[..]].concat())?;
    let events = serde_json::Deserializer::from_slice(&lines).into_iter();
    let events: Vec<Event> = events.collect::<Result<_, _>>()?;

    let mut figures = Figures::default();
    for (kind, file, other_kind) in COMMON {
        let [times, other_times] = [
            times(&events, TRACE, kind),
            times(&events, file, other_kind),
        ];
        let equal = times.iter().zip(&other_times).filter(|(a, b)| a == b);
        figures.add(
            format!("{kind} in {file}"),
            times.len() as u64,
            equal.count() as u64,
        );
        figures.add(
            format!("{kind} alone"),
            0_u32,
            times.len().abs_diff(other_times.len()) as u64,
        );
    }
    let log = events.iter().filter(|event| event.file == LOG);
    let switches: Vec<_> = log
        .filter(|event| SWITCHES.contains(&&*event.kind))
        .collect();
    let (mut counted, mut agreeing) = (0_u64, 0);
    for event in events
        .iter()
        .filter(|event| event.file == TRACE && !event.context.starts_with('('))
    {
        let before = switches.partition_point(|switch| switch.time <= event.time);
        if let Some(last) = before.checked_sub(1) {
            counted += 1;
            agreeing += u64::from(switches[last].context == event.context);
        }
    }
    figures.add("contexts that agree with the log", counted, agreeing);
    Ok(figures)
}

fn times(events: &[Event], file: &str, kind: &str) -> Vec<u64> {
    let events = events
        .iter()
        .filter(|event| event.file == file && event.kind == kind);
    events.map(|event| event.time).collect()
}
