//! The camera: some of its frames are late, and one is dropped.

use super::bless::counters;
use super::command::Command;
use super::figures::{Figures, address, number, word};
use super::run::Run;
use anyhow::{Context as _, ensure};
use serde_json::{Value, json};
use std::collections::HashMap;
use truth::camera::{CameraTruth, Cause, FRAMES, Frame, STAGES, Verdict};

/// A run of the camera.
pub(super) type CameraRun = Run<CameraTruth>;

/// Runs the camera built for a target, and compares its frames with its recordings.
pub(super) fn compare(command: &Command, target: &str) -> anyhow::Result<CameraRun> {
    let run = CameraRun::new(target, "roomy", &[])?;
    check_plan(&run.truth)?;
    compare_trace(command, &run)?.check(&format!("{target}: camera's trace buffer"))?;
    compare_log(command, &run)?.check(&format!("{target}: camera's log"))?;
    Ok(run)
}

/// The frames to which something was done are late or dropped, and no others.
fn check_plan(truth: &CameraTruth) -> anyhow::Result<()> {
    for frame in &truth.frames {
        let expected = match cause(frame)? {
            Cause::Nothing => Verdict::OnTime,
            Cause::QueueFull => Verdict::Dropped,
            Cause::Preempted | Cause::Blocked | Cause::InterruptsOff | Cause::Busy => Verdict::Late,
        };
        let found = verdict(frame)?;
        ensure!(found == expected, "expected {expected:?}: {frame:?}");
    }
    Ok(())
}

/// The trace buffer has every step of every frame at the counted time.
fn compare_trace(command: &Command, run: &CameraRun) -> anyhow::Result<Figures> {
    let options = ["--input-format", "threadx"];
    let mut figures = Figures::default();
    let report = command.json("report", &run.memory, &[&["all"], &options[..]].concat())?;
    let rows = [
        ("events", run.truth.totals.txtb_events, "events"),
        ("lost", 0, "health/lost_events"),
    ];
    figures.add_all("", &report, &rows)?;
    let steps = steps(&command.lines("events", &run.memory, &options)?)?;
    for (name, event, object, time) in STEPS {
        let counted = run.truth.frames.iter().filter(|frame| time(frame) != 0);
        let found = counted.clone().filter(|frame| {
            let step = (event.to_owned(), object.to_owned(), frame.number);
            steps.get(&step) == Some(&time(frame))
        });
        figures.add(name, counted.count() as u64, found.count() as u64);
    }
    Ok(figures)
}

/// A step of a frame: a name, its event and object, and the counted time.
type FrameStep = (&'static str, &'static str, &'static str, fn(&Frame) -> u32);

/// The steps whose events have the frame's number.
const STEPS: [FrameStep; 4] = [
    ("camera sends", "tx_queue_send", "raw", |frame| {
        frame.camera_sent
    }),
    ("decoder sends", "tx_queue_send", "decoded", |frame| {
        frame.decoder_sent
    }),
    ("filter sends", "tx_queue_send", "ready", |frame| {
        frame.filter_sent
    }),
    ("display shows", "user event 4096", "", |frame| frame.shown),
];

/// Times of events by name, object and frame.
fn steps(events: &[Value]) -> anyhow::Result<HashMap<(String, String, u32), u32>> {
    let mut steps = HashMap::new();
    for event in events {
        let text = |key: &str| event[key].as_str().unwrap_or_default().to_owned();
        let name = text("kind");
        let field = match name == "tx_queue_send" {
            true => "info2",
            false => "info1",
        };
        let frame = word(event, field).context("no frame")?.try_into()?;
        let time = number(event, "timestamp")?.try_into()?;
        steps.insert((name, text("object"), frame), time);
    }
    Ok(steps)
}

/// The log has every interrupt of the camera at the counted time, and the longest
/// section with interrupts off where it was injected.
fn compare_log(command: &Command, run: &CameraRun) -> anyhow::Result<Figures> {
    let options = run.log_options();
    let options = options.each_ref().map(String::as_str);
    let mut figures = Figures::default();
    let report = command.json("report", &run.memory, &[&["all"], &options[..]].concat())?;
    let rows = [
        ("entries", run.truth.totals.cswitch_entries, "events"),
        ("lost", run.truth.totals.cswitch_lost, "health/lost_events"),
    ];
    figures.add_all("", &report, &rows)?;
    let events = command.lines("events", &run.memory, &options)?;
    let entered = events
        .iter()
        .filter(|event| event["kind"] == json!("ISR enter"));
    let entered: Vec<_> = entered
        .filter_map(|event| event["timestamp"].as_u64())
        .collect();
    let captured = run.truth.frames.iter();
    let captured = captured.filter(|frame| entered.contains(&frame.captured.into()));
    let captured = captured.count() as u64;
    figures.add("camera's interrupts", FRAMES as u64, captured);
    let off = &report["context_switches"]["interrupts_off"];
    let longest = usize::try_from(number(off, "duration/event")?)?;
    let longest = events.get(longest).context("no such event")?;
    let mut injected = run.truth.frames.iter();
    let injected = injected.find(|frame| frame.cause == Cause::InterruptsOff as u32);
    let culprit = run.text(injected.context("no such frame")?.culprit)?;
    let found = longest["context"] == json!(culprit);
    figures.add(format!("interrupts off in {culprit}"), 1u32, found.into());
    Ok(figures)
}

/// The truth for tests: global figures, and the frames by name.
pub(super) fn truth(run: &CameraRun) -> anyhow::Result<Value> {
    let frames = run.truth.frames.iter().map(|frame| {
        let times = frame.named().take_while(|(name, _)| *name != "verdict");
        let mut fields: serde_json::Map<_, _> = times
            .filter(|(_, time)| *time != 0)
            .map(|(name, time)| (name.to_owned(), json!(time)))
            .collect();
        fields.insert("verdict".to_owned(), json!(verdict(frame)?.name()));
        if cause(frame)? != Cause::Nothing {
            fields.insert("cause".to_owned(), json!(cause(frame)?.name()));
            let stage = STAGES.get(frame.stage as usize).context("no stage")?;
            fields.insert("stage".to_owned(), json!(stage));
        }
        if frame.culprit != 0 {
            fields.insert("culprit".to_owned(), json!(run.text(frame.culprit)?));
        }
        Ok(Value::Object(fields))
    });
    Ok(json!({
        "memory_start": address(run.memory_start),
        "totals": counters(run.truth.totals.named()),
        "frames": frames.collect::<anyhow::Result<Vec<_>>>()?,
    }))
}

fn verdict(frame: &Frame) -> anyhow::Result<Verdict> {
    let verdict = Verdict::ALL.get(frame.verdict as usize);
    verdict.copied().context("no verdict")
}

fn cause(frame: &Frame) -> anyhow::Result<Cause> {
    let cause = Cause::ALL.get(frame.cause as usize);
    cause.copied().context("no cause")
}
