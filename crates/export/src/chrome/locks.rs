//! Mutexes: who owned them, and priority inversions.

use super::Lanes;
use super::json::Json;
use super::tracks::{Recording, Tracks};
use rtoscope_analysis::schedule::{Ending, Hold, Inversion};
use rtoscope_trace::{ContextId, ResourceId};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Writes who owned which mutex, each mutex on a track of its own, and
/// inversions.
pub(super) fn write(
    json: &mut Json<impl Write>,
    recording: &Recording<'_>,
    tracks: &mut Tracks,
) -> io::Result<()> {
    let schedule = recording.view.schedule;
    let mut mutexes: BTreeMap<ResourceId, Lanes> = BTreeMap::new();
    for hold in &schedule.holds {
        let lanes = mutexes.entry(hold.resource).or_insert_with(|| {
            let name = recording.view.resource_name(hold.resource);
            Lanes::new(format!("mutex {name}"))
        });
        hold_of(json, recording, tracks, lanes, hold);
        json.settle()?;
    }
    let mut lanes = Lanes::new("priority inversions".to_owned());
    for inversion in &schedule.inversions {
        inversion_of(json, recording, tracks, &mut lanes, inversion);
        json.settle()?;
    }
    Ok(())
}

fn hold_of(
    json: &mut Json<impl Write>,
    recording: &Recording<'_>,
    tracks: &mut Tracks,
    lanes: &mut Lanes,
    hold: &Hold,
) {
    let track = lanes.place(json, tracks, hold.start, hold.end);
    let owner = recording.view.trace.context_name(hold.owner);
    let times = recording.times(hold.start, hold.end);
    json.slice(track, times, "mutex", owner, |arguments| {
        arguments.number("first event", recording.number(hold.first));
        arguments.number("last event", recording.number(hold.last));
        arguments.flag("beginning recorded", hold.started);
        arguments.text("ending", ending(hold.ending));
        arguments.flag("contended", hold.contended);
    });
}

fn inversion_of(
    json: &mut Json<impl Write>,
    recording: &Recording<'_>,
    tracks: &mut Tracks,
    lanes: &mut Lanes,
    inversion: &Inversion,
) {
    let view = &recording.view;
    let name = |context: &ContextId| view.trace.context_name(*context);
    let names = |all: &[ContextId]| all.iter().map(name).collect::<Vec<_>>().join(", ");
    let track = lanes.place(json, tracks, inversion.start, inversion.end);
    let times = recording.times(inversion.start, inversion.end);
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
                arguments.number(key, recording.number(event));
            }
        }
        arguments.text("ending", ending(inversion.ending));
    });
}

fn ending(ending: Ending) -> &'static str {
    match ending {
        Ending::Done => "released",
        Ending::GaveUp => "gave-up",
        Ending::Lost => "lost",
    }
}
