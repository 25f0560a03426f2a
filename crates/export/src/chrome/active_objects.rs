//! Active objects: steps, machine states and timers.

use super::OverlapLanes;
use super::flows::FlowEvents;
use super::json::TraceEventWriter;
use super::tracks::{ProcessTracks, RecordingProcess};
use rtoscope_analysis::active::{RtcStep, StateInterval, StepEnding, TimerEnding, TimerRun};
use rtoscope_analysis::naming::NameFormatter;
use rtoscope_trace::active_object::StepOutcome;
use rtoscope_trace::{Address, ContextId};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Writes the tracks of active objects, if there are any.
pub(super) fn write(
    json: &mut TraceEventWriter<impl Write>,
    recording: &RecordingProcess<'_>,
    tracks: &mut ProcessTracks,
    flows: &FlowEvents,
) -> io::Result<()> {
    let active = recording.view.active;
    steps(json, recording, tracks, flows)?;
    for object in &active.objects {
        let name = recording.view.trace.context_name(*object);
        for (label, intervals) in [
            ("state", &active.state_intervals),
            ("active states", &active.active_state_intervals),
        ] {
            let intervals = intervals.get(object.index()).map(Vec::as_slice);
            let name = format!("{name}: {label}");
            states(json, recording, tracks, name, intervals.unwrap_or_default())?;
        }
    }
    timers(json, recording, tracks)
}

fn steps(
    json: &mut TraceEventWriter<impl Write>,
    recording: &RecordingProcess<'_>,
    tracks: &mut ProcessTracks,
    flows: &FlowEvents,
) -> io::Result<()> {
    let trace = recording.view.trace;
    let mut objects: BTreeMap<ContextId, OverlapLanes> = BTreeMap::new();
    for step in &recording.view.active.steps {
        let lanes = objects.entry(step.object).or_insert_with(|| {
            let name = trace.context_name(step.object);
            OverlapLanes::new(format!("{name}: steps"))
        });
        let track = lanes.assign(json, tracks, step.start, step.end);
        let times = recording.time_range(step.start, step.end);
        json.slice(
            track,
            times,
            "step",
            step_title(recording, step),
            |arguments| {
                let naming = NameFormatter(trace);
                for (key, state) in [("state before", step.before), ("state after", step.after)] {
                    if let Some(state) = state {
                        arguments.text(key, naming.vertex(state));
                    }
                }
                arguments.text("ending", step_ending_label(step.ending));
                arguments.number("guards false", step.guards_false.into());
                arguments.number("first event", recording.event_number(step.first));
                arguments.number("last event", recording.event_number(step.last));
            },
        );
        if let Some(post) = step.post {
            flows.end_post(json, track, recording.time(step.start), post);
        }
        json.flush_if_full()?;
    }
    Ok(())
}

fn step_title(recording: &RecordingProcess<'_>, step: &RtcStep) -> String {
    match step.signal {
        Some(signal) => NameFormatter(recording.view.trace).signal(signal),
        None if step.initial => "(initial)".to_owned(),
        None => "(unknown signal)".to_owned(),
    }
}

fn step_ending_label(ending: StepEnding) -> &'static str {
    match ending {
        StepEnding::Recorded(StepOutcome::Processed) => "processed",
        StepEnding::Recorded(StepOutcome::Unhandled) => "unhandled",
        StepEnding::Recorded(StepOutcome::GuardFalse) => "guard false",
        StepEnding::Recorded(StepOutcome::NoBranch) => "no branch",
        StepEnding::Recorded(StepOutcome::UnknownState) => "unknown state",
        StepEnding::Recorded(StepOutcome::TooDeep) => "too deep",
        StepEnding::Recorded(StepOutcome::TooManySegments) => "too many segments",
        StepEnding::Lost => "lost",
        StepEnding::Unrecorded => "unrecorded",
        StepEnding::Open => "open",
    }
}

fn states(
    json: &mut TraceEventWriter<impl Write>,
    recording: &RecordingProcess<'_>,
    tracks: &mut ProcessTracks,
    name: String,
    intervals: &[StateInterval],
) -> io::Result<()> {
    let naming = NameFormatter(recording.view.trace);
    let mut lanes = OverlapLanes::new(name);
    for interval in intervals {
        let track = lanes.assign(json, tracks, interval.start, interval.end);
        let times = recording.time_range(interval.start, interval.end);
        json.slice(
            track,
            times,
            "state-interval",
            naming.vertex(interval.state),
            |arguments| {
                arguments.number("event", recording.event_number(interval.first));
                arguments.flag("end recorded", interval.complete);
            },
        );
        json.flush_if_full()?;
    }
    Ok(())
}

fn timers(
    json: &mut TraceEventWriter<impl Write>,
    recording: &RecordingProcess<'_>,
    tracks: &mut ProcessTracks,
) -> io::Result<()> {
    let trace = recording.view.trace;
    let naming = NameFormatter(trace);
    let mut timers: BTreeMap<Address, OverlapLanes> = BTreeMap::new();
    for run in &recording.view.active.timer_runs {
        let lanes = timers.entry(run.timer).or_insert_with(|| {
            let name = naming.timer(run.timer);
            OverlapLanes::new(format!("timer {name}"))
        });
        let track = lanes.assign(json, tracks, run.start, run.end);
        let times = recording.time_range(run.start, run.end);
        let name = match run.signal {
            Some(signal) => naming.signal(signal),
            None => "(unknown signal)".to_owned(),
        };
        json.slice(track, times, "timer", name, |arguments| {
            arguments.text("to", trace.context_name(run.object));
            arguments.number("timer ticks", run.ticks.into());
            arguments.number("period", run.period.into());
            arguments.text("ending", timer_ending_label(run));
            arguments.number("first event", recording.event_number(run.first));
            if let Some(last) = run.last {
                arguments.number("last event", recording.event_number(last));
            }
        });
        json.flush_if_full()?;
    }
    Ok(())
}

fn timer_ending_label(run: &TimerRun) -> &'static str {
    match run.ending {
        TimerEnding::Expired => "expired",
        TimerEnding::Stopped { .. } => "stopped",
        TimerEnding::Restarted => "restarted",
        TimerEnding::Running => "running",
        TimerEnding::Lost => "lost",
    }
}
