//! Mutex holds and priority inversions.

use super::OverlapLanes;
use super::json::TraceEventWriter;
use super::tracks::{ProcessTracks, RecordingProcess};
use rtoscope_analysis::schedule::{Inversion, LockEnding, MutexHold};
use rtoscope_trace::{ContextId, ResourceId};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Writes the mutex holds, one track per mutex, and the priority inversions.
pub(super) fn write(
    json: &mut TraceEventWriter<impl Write>,
    recording: &RecordingProcess<'_>,
    tracks: &mut ProcessTracks,
) -> io::Result<()> {
    let schedule = recording.view.schedule;
    let mut mutexes: BTreeMap<ResourceId, OverlapLanes> = BTreeMap::new();
    for hold in &schedule.mutex_holds {
        let lanes = mutexes.entry(hold.resource).or_insert_with(|| {
            let name = recording.view.resource_name(hold.resource);
            OverlapLanes::new(format!("mutex {name}"))
        });
        write_hold(json, recording, tracks, lanes, hold);
        json.flush_if_full()?;
    }
    let mut lanes = OverlapLanes::new("priority inversions".to_owned());
    for inversion in &schedule.inversions {
        write_inversion(json, recording, tracks, &mut lanes, inversion);
        json.flush_if_full()?;
    }
    Ok(())
}

fn write_hold(
    json: &mut TraceEventWriter<impl Write>,
    recording: &RecordingProcess<'_>,
    tracks: &mut ProcessTracks,
    lanes: &mut OverlapLanes,
    hold: &MutexHold,
) {
    let track = lanes.assign(json, tracks, hold.start, hold.end);
    let owner = recording.view.trace.context_name(hold.owner);
    let times = recording.time_range(hold.start, hold.end);
    json.slice(track, times, "mutex", owner, |arguments| {
        arguments.number("first event", recording.event_number(hold.first));
        arguments.number("last event", recording.event_number(hold.last));
        arguments.flag("start recorded", hold.start_known);
        arguments.text("ending", hold_ending_label(hold.ending));
        arguments.flag("contended", hold.contended);
    });
}

fn write_inversion(
    json: &mut TraceEventWriter<impl Write>,
    recording: &RecordingProcess<'_>,
    tracks: &mut ProcessTracks,
    lanes: &mut OverlapLanes,
    inversion: &Inversion,
) {
    let view = &recording.view;
    let name = |context: &ContextId| view.trace.context_name(*context);
    let names = |all: &[ContextId]| all.iter().map(name).collect::<Vec<_>>().join(", ");
    let track = lanes.assign(json, tracks, inversion.start, inversion.end);
    let times = recording.time_range(inversion.start, inversion.end);
    let blocked = name(&inversion.blocked);
    let title = match inversion.owners.first() {
        Some(owner) => format!("{blocked} blocked by {}", name(owner)),
        None => format!("{blocked} blocked"),
    };
    json.slice(track, times, "inversion", title, |arguments| {
        arguments.text("mutex", view.resource_name(inversion.resource));
        arguments.number("blocked priority", inversion.blocked_priority.into());
        arguments.number("owner priority", inversion.owner_priority.into());
        arguments.text("owners", names(&inversion.owners));
        if !inversion.chain.is_empty() {
            arguments.text("chain", names(&inversion.chain));
        }
        match inversion.unbounded() {
            Some(unbounded) => arguments.flag("unbounded", unbounded),
            None => arguments.text("unbounded", "(unknown)"),
        }
        let culprits = inversion.culprits.iter().map(|one| one.thread);
        let culprits: Vec<_> = culprits.collect();
        if !culprits.is_empty() {
            arguments.text("prolonged by", names(&culprits));
        }
        for (key, event) in [
            ("get event", inversion.get),
            ("first event", inversion.first),
            ("last event", inversion.last),
        ] {
            if let Some(event) = event {
                arguments.number(key, recording.event_number(event));
            }
        }
        arguments.text("ending", hold_ending_label(inversion.ending));
    });
}

fn hold_ending_label(ending: LockEnding) -> &'static str {
    match ending {
        LockEnding::Done => "released",
        LockEnding::GaveUp => "gave-up",
        LockEnding::Lost => "lost",
    }
}
