//! How full objects are.

use super::json::TraceEventWriter;
use super::tracks::{RecordingProcess, Track};
use rtoscope_analysis::levels::{LevelHistories, LevelStep};
use rtoscope_trace::ResourceId;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Writes every level of every object as a counter of the process.
///
/// The format cannot say that a value is not known from some moment on: a
/// second series then is 1, and the first says nothing.
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
        // Of what is not known at first nothing has to be said.
        while steps.next_if(|step| step.level.is_none()).is_some() {}
        let mut was_unknown = false;
        for LevelStep { start, level, .. } in steps {
            json.counter(track, recording.time(start), &name, |values| {
                if let Some(level) = level {
                    values.number("level", level.into());
                }
                if was_unknown || level.is_none() {
                    values.number("not known", level.is_none().into());
                }
            });
            was_unknown = level.is_none();
            json.flush_if_full()?;
        }
    }
    Ok(())
}

/// The names of the counters, none of them twice: viewers would make one counter
/// of two.
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
