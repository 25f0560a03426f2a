//! What is known of a recording beside its events: what it is, what it lacks,
//! and what an engineer should look at.

use super::mark::Kind;
use super::stage::{Stage, Track, Value};
use rtoscope_analysis::naming::Naming;
use rtoscope_analysis::report::findings;
use rtoscope_analysis::schedule::Unmasking;
use rtoscope_tables::Source;
use rtoscope_trace::diagnostic::counted;
use rtoscope_trace::{ContextId, EventIndex};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Writes everything.
pub(super) fn write<W: Write>(stage: &mut Stage<'_, W>, source: &Source<'_>) -> io::Result<()> {
    let track = stage.track("recording");
    about(stage, source, track);
    losses(stage, track);
    look_at(stage);
    stage.packets.flush_full()?;
    inversions(stage)?;
    interrupts_off(stage)?;
    stays(stage)
}

/// What the recording is, and what its times are worth.
fn about<W: Write>(stage: &mut Stage<'_, W>, source: &Source<'_>, track: Track) {
    let trace = stage.view.trace;
    let frequency = trace.clock.timebase();
    let unit = if stage.scale.is_time() {
        "1 ns is a nanosecond"
    } else {
        "1 ns is a tick of the target's clock"
    };
    let quality = trace.clock.quality.to_string();
    let mut arguments = vec![
        ("file", Value::Text(source.name)),
        ("format", Value::Text(source.format)),
        ("events", Value::Number(trace.events.len() as u64)),
        ("times", Value::Text(unit)),
        ("clock", Value::Text(&quality)),
    ];
    let frequency = frequency.map(|frequency| Value::Number(frequency.0.get()));
    arguments.extend(frequency.map(|frequency| ("clock in Hz", frequency)));
    let start = stage.time_of(EventIndex(0));
    let kind = Kind::Instant;
    stage.note(start, kind, track, "recording", "recording", &arguments);
}

/// Where events are missing, and what else is wrong with the recording.
fn losses<W: Write>(stage: &mut Stage<'_, W>, track: Track) {
    let trace = stage.view.trace;
    let mut tracks = BTreeMap::new();
    for gap in &trace.gaps {
        // Gaps of several cores overlap, which slices of a track must not.
        let track = gap.core.map_or(track, |core| {
            *tracks
                .entry(core)
                .or_insert_with(|| stage.track(&format!("events missing on core {core}")))
        });
        let times = trace.gap_times(gap).map(|time| stage.time(time));
        let name = match gap.missing {
            Some(missing) => counted(missing, "event is missing", "events are missing"),
            None => "events are missing".to_owned(),
        };
        stage.slice(times, track, "loss", &name, &[]);
    }
    for diagnostic in stage.view.diagnostics.iter() {
        let time = stage.time_of(diagnostic.event.unwrap_or(EventIndex(0)));
        let severity = diagnostic.severity().to_string();
        let arguments = [
            ("message", Value::Text(&diagnostic.message)),
            ("severity", Value::Text(&severity)),
            ("count", Value::Number(diagnostic.count)),
        ];
        let name = diagnostic.kind.name();
        stage.note(time, Kind::Instant, track, "diagnostic", name, &arguments);
    }
}

/// The findings.
fn look_at<W: Write>(stage: &mut Stage<'_, W>) {
    let all = findings::findings(stage.view);
    if all.is_empty() {
        return;
    }
    let track = stage.track("findings");
    for finding in all {
        let time = stage.time_of(EventIndex(finding.event.unwrap_or_default()));
        let mut arguments = vec![("weight", Value::Text(finding.weight.name()))];
        let event = finding.event.map(EventIndex);
        let event = event.map(|event| Value::Number(stage.view.trace.number(event)));
        arguments.extend(event.map(|event| ("event", event)));
        let name = finding.message.as_str();
        stage.note(time, Kind::Instant, track, "finding", name, &arguments);
    }
}

/// Priority inversions, on a track a thread that was blocked.
fn inversions<W: Write>(stage: &mut Stage<'_, W>) -> io::Result<()> {
    let mut tracks = BTreeMap::new();
    for inversion in &stage.view.schedule.inversions {
        let blocked = stage.view.trace.context_name(inversion.blocked);
        let track = *tracks
            .entry(inversion.blocked)
            .or_insert_with(|| stage.track(&format!("priority inversions of {blocked}")));
        let mutex = stage.view.resource_name(inversion.resource);
        let owners = names(stage, inversion.owners.iter().copied());
        let culprits = names(
            stage,
            inversion.culprits.iter().map(|culprit| culprit.thread),
        );
        let unbounded = match inversion.unbounded() {
            Some(true) => "yes",
            Some(false) => "no",
            None => "not known",
        };
        let name = match inversion.unbounded() {
            Some(true) => format!("unbounded priority inversion: {mutex}"),
            _ => format!("priority inversion: {mutex}"),
        };
        let arguments = [
            ("mutex", Value::Text(&mutex)),
            ("blocked", Value::Text(&blocked)),
            (
                "blocked priority",
                Value::Number(inversion.blocked_priority.into()),
            ),
            ("owner", Value::Text(&owners)),
            (
                "owner priority",
                Value::Number(inversion.owner_priority.into()),
            ),
            ("unbounded", Value::Text(unbounded)),
            ("prolonged by", Value::Text(&culprits)),
        ];
        let end = arguments.len() - usize::from(culprits.is_empty());
        let arguments = arguments.get(..end).unwrap_or_default();
        let times = [inversion.start, inversion.end].map(|time| stage.time(time));
        stage.slice(times, track, "inversion", &name, arguments);
        stage.packets.flush_full()?;
    }
    Ok(())
}

fn names<W: Write>(stage: &Stage<'_, W>, contexts: impl Iterator<Item = ContextId>) -> String {
    let names: Vec<_> = contexts
        .map(|context| stage.view.trace.context_name(context))
        .collect();
    names.join(", ")
}

/// Times in which a core took no interrupts, on a track a core.
fn interrupts_off<W: Write>(stage: &mut Stage<'_, W>) -> io::Result<()> {
    let mut tracks = BTreeMap::new();
    for masked in &stage.view.schedule.masked {
        let track = *tracks
            .entry(masked.core)
            .or_insert_with(|| stage.track(&format!("interrupts off on core {}", masked.core)));
        let by = stage.view.trace.context_name(masked.context);
        let ending = match masked.ending {
            Unmasking::Restored => "interrupts were enabled",
            Unmasking::Switched => "the core went to somebody else",
            Unmasking::Unseen => "not recorded",
            Unmasking::Lost => "events are missing",
            Unmasking::Open => "the recording ends",
        };
        let arguments = [("by", Value::Text(&by)), ("ends", Value::Text(ending))];
        let times = [masked.start, masked.end].map(|time| stage.time(time));
        stage.slice(times, track, "interrupts off", "interrupts off", &arguments);
        stage.packets.flush_full()?;
    }
    Ok(())
}

/// The states of state machines, on a track a machine.
fn stays<W: Write>(stage: &mut Stage<'_, W>) -> io::Result<()> {
    let trace = stage.view.trace;
    let naming = Naming(trace);
    for object in &stage.view.active.objects {
        let stays = stage.view.active.stays.get(object.index());
        let Some(stays) = stays.filter(|stays| !stays.is_empty()) else {
            continue;
        };
        let track = stage.track(&format!("state of {}", trace.context_name(*object)));
        for stay in stays {
            let times = [stay.start, stay.end].map(|time| stage.time(time));
            stage.slice(times, track, "state", &naming.vertex(stay.state), &[]);
            stage.packets.flush_full()?;
        }
    }
    Ok(())
}
