//! How full objects are, as counters.

use super::stage::{Stage, Unit};
use rtoscope_analysis::levels::Histories;
use rtoscope_trace::ObjectClass;
use std::io::{self, Write};

/// Values that are written before what has come together is handed on.
const BATCH: usize = 1 << 12;

/// Writes the levels of all objects of which one is known.
pub(super) fn write<W: Write>(stage: &mut Stage<'_, W>, histories: &Histories) -> io::Result<()> {
    for (id, history) in histories.iter() {
        let resource = stage.view.schedule.resources.get(id.index());
        let known = history.iter().any(|step| step.level.is_some());
        let Some(resource) = resource.filter(|_| known) else {
            continue;
        };
        let name = format!("{} {}", resource.class, stage.view.resource_name(id));
        let unit = match resource.class {
            ObjectClass::BytePool => Unit::Bytes,
            _ => Unit::Count,
        };
        let track = stage.counter(&name, unit);
        let steps = history.iter().skip_while(|step| step.level.is_none());
        for (number, step) in steps.enumerate() {
            stage.count(stage.time(step.start), track, step.level);
            if number % BATCH == BATCH - 1 {
                stage.packets.flush_full()?;
            }
        }
        stage.packets.flush_full()?;
    }
    Ok(())
}
