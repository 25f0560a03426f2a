//! Object levels as counters.

use super::tracks::{RecordingWriter, Track};
use crate::timeline::{KnownLevel, known_levels};
use rtoscope_analysis::levels::LevelStep;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Writes every level of every object as a counter of the process.
///
/// The format cannot mark a value as unknown from some time on: instead, a second
/// series is 1 then, and the first has no value.
pub(super) fn write(to: &mut RecordingWriter<'_, '_, impl Write>) -> io::Result<()> {
    let track = Track {
        number: 0,
        ..to.recording
    };
    let levels: Vec<_> = known_levels(&to.view).collect();
    for (known, name) in levels.iter().zip(counter_names(&levels)) {
        let mut was_unknown = false;
        for LevelStep { start, level, .. } in known.steps() {
            let time = to.time(start);
            to.json.counter(track, time, &name, |values| {
                if let Some(level) = level {
                    values.number("level", level.into());
                }
                if was_unknown || level.is_none() {
                    values.number("unknown", level.is_none().into());
                }
            });
            was_unknown = level.is_none();
            to.json.flush_if_full()?;
        }
    }
    Ok(())
}

/// Unique names of the counters: viewers would merge counters of equal names.
fn counter_names(levels: &[KnownLevel<'_>]) -> Vec<String> {
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for level in levels {
        *counts.entry(&level.name).or_default() += 1;
    }
    let unique = levels.iter().map(|level| match counts.get(&*level.name) {
        Some(1) => level.name.clone(),
        _ => format!(
            "{} ({}, {})",
            level.name,
            level.resource.address,
            level.id.index()
        ),
    });
    unique.collect()
}
