//! Object levels as counters.

use super::track_writer::{CounterUnit, TrackWriter};
use rtoscope_analysis::levels::LevelHistories;
use rtoscope_trace::ObjectClass;
use std::io::{self, Write};

/// Values per batch; complete blocks are flushed after each.
const VALUE_BATCH: usize = 1 << 12;

/// Writes the levels of all objects with a known level.
pub(super) fn write<W: Write>(
    writer: &mut TrackWriter<'_, W>,
    histories: &LevelHistories,
) -> io::Result<()> {
    for (id, history) in histories.iter() {
        let resource = writer.view.schedule.resources.get(id.index());
        let known = history.iter().any(|step| step.level.is_some());
        let Some(resource) = resource.filter(|_| known) else {
            continue;
        };
        let name = format!("{} {}", resource.class, writer.view.resource_name(id));
        let unit = match resource.class {
            ObjectClass::BytePool => CounterUnit::Bytes,
            _ => CounterUnit::Count,
        };
        let track = writer.counter(&name, unit);
        let steps = history.iter().skip_while(|step| step.level.is_none());
        for (number, step) in steps.enumerate() {
            writer.counter_value(writer.time(step.start), track, step.level);
            if number % VALUE_BATCH == VALUE_BATCH - 1 {
                writer.packets.flush_full()?;
            }
        }
        writer.packets.flush_full()?;
    }
    Ok(())
}
