//! Object levels as counters.

use super::track_writer::{CounterUnit, TrackWriter};
use rtoscope_analysis::timeline::counters;
use rtoscope_trace::ObjectClass;
use std::io::{self, Write};

/// Values per batch; complete blocks are flushed after each.
const VALUE_BATCH: usize = 1 << 12;

/// Writes the levels of all objects with a known level.
pub(super) fn write<W: Write>(writer: &mut TrackWriter<'_, W>) -> io::Result<()> {
    for counter in counters(writer.view) {
        let mut steps = counter.steps().peekable();
        if steps.peek().is_none() {
            continue;
        }
        let unit = match counter.resource.class {
            ObjectClass::BytePool => CounterUnit::Bytes,
            _ => CounterUnit::Count,
        };
        let track = writer.counter(&counter.name(writer.view), unit);
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
