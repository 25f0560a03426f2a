//! Active objects: their steps, the states of their machines, and timers.

use super::Lanes;
use super::flows::Flows;
use super::json::Json;
use super::tracks::{Recording, Tracks};
use rtoscope_analysis::active::{Ending, Stay, Step, TimerEnd, TimerRun};
use rtoscope_analysis::naming::Naming;
use rtoscope_trace::reaction::Outcome;
use rtoscope_trace::{Address, ContextId};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Writes what active objects did, if there are any.
pub(super) fn write(
    json: &mut Json<impl Write>,
    recording: &Recording<'_>,
    tracks: &mut Tracks,
    flows: &Flows,
) -> io::Result<()> {
    let active = recording.view.active;
    steps(json, recording, tracks, flows)?;
    for object in &active.objects {
        let name = recording.view.trace.context_name(*object);
        for (what, stays) in [("state", &active.stays), ("active states", &active.spells)] {
            let stays = stays.get(object.index()).map(Vec::as_slice);
            let name = format!("{name}: {what}");
            states(json, recording, tracks, name, stays.unwrap_or_default())?;
        }
    }
    timers(json, recording, tracks)
}

fn steps(
    json: &mut Json<impl Write>,
    recording: &Recording<'_>,
    tracks: &mut Tracks,
    flows: &Flows,
) -> io::Result<()> {
    let trace = recording.view.trace;
    let mut objects: BTreeMap<ContextId, Lanes> = BTreeMap::new();
    for step in &recording.view.active.steps {
        let lanes = objects.entry(step.object).or_insert_with(|| {
            let name = trace.context_name(step.object);
            Lanes::new(format!("{name}: steps"))
        });
        let track = lanes.place(json, tracks, step.start, step.end);
        let times = recording.times(step.start, step.end);
        json.slice(track, times, "step", title(recording, step), |arguments| {
            let naming = Naming(trace);
            for (key, state) in [("state before", step.before), ("state after", step.after)] {
                if let Some(state) = state {
                    arguments.text(key, naming.vertex(state));
                }
            }
            arguments.text("ending", ending(step.ending));
            arguments.number("guards false", step.guards_false.into());
            arguments.number("first event", recording.number(step.first));
            arguments.number("last event", recording.number(step.last));
        });
        if let Some(post) = step.post {
            flows.end_post(json, track, recording.time(step.start), post);
        }
        json.settle()?;
    }
    Ok(())
}

fn title(recording: &Recording<'_>, step: &Step) -> String {
    match step.signal {
        Some(signal) => Naming(recording.view.trace).signal(signal),
        None if step.initial => "(initial)".to_owned(),
        None => "(unknown signal)".to_owned(),
    }
}

fn ending(ending: Ending) -> &'static str {
    match ending {
        Ending::Told(Outcome::Processed) => "processed",
        Ending::Told(Outcome::Unhandled) => "unhandled",
        Ending::Told(Outcome::GuardFalse) => "guard false",
        Ending::Told(Outcome::NoBranch) => "no branch",
        Ending::Told(Outcome::UnknownState) => "unknown state",
        Ending::Told(Outcome::TooDeep) => "too deep",
        Ending::Told(Outcome::TooManySegments) => "too many segments",
        Ending::Lost => "lost",
        Ending::Untold => "untold",
        Ending::Open => "open",
    }
}

fn states(
    json: &mut Json<impl Write>,
    recording: &Recording<'_>,
    tracks: &mut Tracks,
    name: String,
    stays: &[Stay],
) -> io::Result<()> {
    let naming = Naming(recording.view.trace);
    let mut lanes = Lanes::new(name);
    for stay in stays {
        let track = lanes.place(json, tracks, stay.start, stay.end);
        let times = recording.times(stay.start, stay.end);
        json.slice(
            track,
            times,
            "stay",
            naming.vertex(stay.state),
            |arguments| {
                arguments.number("event", recording.number(stay.first));
                arguments.flag("end recorded", stay.whole);
            },
        );
        json.settle()?;
    }
    Ok(())
}

fn timers(
    json: &mut Json<impl Write>,
    recording: &Recording<'_>,
    tracks: &mut Tracks,
) -> io::Result<()> {
    let trace = recording.view.trace;
    let naming = Naming(trace);
    let mut timers: BTreeMap<Address, Lanes> = BTreeMap::new();
    for run in &recording.view.active.timers {
        let lanes = timers.entry(run.timer).or_insert_with(|| {
            let name = naming.timer(run.timer);
            Lanes::new(format!("timer {name}"))
        });
        let track = lanes.place(json, tracks, run.start, run.end);
        let times = recording.times(run.start, run.end);
        let name = match run.signal {
            Some(signal) => naming.signal(signal),
            None => "(unknown signal)".to_owned(),
        };
        json.slice(track, times, "timer", name, |arguments| {
            arguments.text("to", trace.context_name(run.object));
            arguments.number("timer ticks", run.ticks.into());
            arguments.number("period", run.period.into());
            arguments.text("ending", timer_ending(run));
            arguments.number("first event", recording.number(run.first));
            if let Some(last) = run.last {
                arguments.number("last event", recording.number(last));
            }
        });
        json.settle()?;
    }
    Ok(())
}

fn timer_ending(run: &TimerRun) -> &'static str {
    match run.ending {
        TimerEnd::Expired => "expired",
        TimerEnd::Stopped { .. } => "stopped",
        TimerEnd::Restarted => "restarted",
        TimerEnd::Running => "running",
        TimerEnd::Lost => "lost",
    }
}
