//! Object levels as counters.

use super::tracks::{RecordingWriter, Track};
use rtoscope_analysis::View;
use rtoscope_analysis::levels::LevelStep;
use rtoscope_analysis::timeline::{Counter, counters};
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
    let counters: Vec<_> = counters(&to.view).collect();
    for (counter, name) in counters.iter().zip(unique_names(&to.view, &counters)) {
        let mut was_unknown = false;
        for LevelStep { start, level, .. } in counter.steps() {
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
fn unique_names(view: &View<'_>, counters: &[Counter<'_>]) -> Vec<String> {
    let names = counters.iter().map(|counter| counter.name(view));
    let names: Vec<_> = names.collect();
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for name in &names {
        *counts.entry(name).or_default() += 1;
    }
    let unique = names.iter().zip(counters).map(|(name, counter)| {
        if counts.get(&**name) == Some(&1) {
            return name.clone();
        }
        let (address, number) = (counter.resource.address, counter.id.index());
        format!("{name} ({address}, {number})")
    });
    unique.collect()
}
