//! Interrupts of cores.

use super::Value::{Event, Flag, Text};
use super::{Class, Lanes, Timeline, Value};
use rtoscope_analysis::View;
use std::collections::BTreeMap;
use std::io;

/// Writes the interrupts-off sections.
pub(crate) fn interrupts_off<T: Timeline>(view: &View<'_>, to: &mut T) -> io::Result<()> {
    let (trace, schedule) = (view.trace, view.schedule);
    let mut cores: BTreeMap<_, Lanes<T>> = BTreeMap::new();
    for section in &schedule.interrupts_off {
        let core = section.core;
        let lanes = cores.entry(core);
        let lanes = lanes.or_insert_with(|| Lanes::new(format!("core {core}: interrupts off")));
        let routine = section.activation;
        let routine = routine.and_then(|id| schedule.activations.get(id.index()));
        let by = match routine {
            Some(routine) => schedule.isr_name(routine.number),
            None => trace.context_name(section.context),
        };
        let event = trace.events.get(section.first);
        let code = event.and_then(|event| trace.code_address(&event));
        let code = code.map(|code| trace.code_locations.display(code).to_string());
        let arguments = [
            (
                "disabled at",
                Value::text(code.as_deref().unwrap_or_default()),
            ),
            ("first event", Event(section.first)),
            ("last event", Event(section.last)),
            ("start recorded", Flag(section.start_known)),
            ("ending", Text(section.ending.name())),
        ];
        let times = [section.start, section.end];
        lanes.slice(to, times, Class::InterruptsOff, &by, &arguments)?;
    }
    Ok(())
}
