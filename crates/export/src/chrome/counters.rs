//! Object levels as counters.

use super::json::TraceEventWriter;
use super::tracks::{RecordingProcess, Track};
use rtoscope_analysis::levels::{LevelHistories, LevelStep};
use rtoscope_trace::ResourceId;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Writes every level of every object as a counter of the process.
///
/// The format cannot mark a value as unknown from some time on: instead, a second
/// series is 1 then, and the first has no value.
pub(super) fn write(
    json: &mut TraceEventWriter<impl Write>,
    recording: &RecordingProcess<'_>,
    histories: &LevelHistories,
) -> io::Result<()> {
    let names = counter_names(recording, histories);
    let track = Track {
        process: recording.process,
        number: 0,
    };
    for ((_, history), name) in histories.iter().zip(names) {
        let mut steps = history.iter().peekable();
        // A level that is unknown from the start needs no value.
        while steps.next_if(|step| step.level.is_none()).is_some() {}
        let mut was_unknown = false;
        for LevelStep { start, level, .. } in steps {
            json.counter(track, recording.time(start), &name, |values| {
                if let Some(level) = level {
                    values.number("level", level.into());
                }
                if was_unknown || level.is_none() {
                    values.number("unknown", level.is_none().into());
                }
            });
            was_unknown = level.is_none();
            json.flush_if_full()?;
        }
    }
    Ok(())
}

/// Unique names of the counters: viewers would merge counters of equal names.
fn counter_names(recording: &RecordingProcess<'_>, histories: &LevelHistories) -> Vec<String> {
    let view = &recording.view;
    let resource = |id: ResourceId| view.schedule.resources.get(id.index());
    let name = |(id, _): (ResourceId, _)| {
        let class = resource(id).map_or("object", |resource| resource.class.name());
        format!("{class} {}", view.resource_name(id))
    };
    let names: Vec<String> = histories.iter().map(name).collect();
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for name in &names {
        *counts.entry(name).or_default() += 1;
    }
    let unique = names.iter().zip(histories.iter()).map(|(name, (id, _))| {
        let is_unique = counts.get(name.as_str()) == Some(&1);
        match resource(id).filter(|_| !is_unique) {
            Some(resource) => format!("{name} ({}, {})", resource.address, id.index()),
            None => name.clone(),
        }
    });
    unique.collect()
}
