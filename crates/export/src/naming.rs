//! How exports name things.

use rtoscope_analysis::naming::Naming;
use rtoscope_trace::{EventIndex, Party, Ticks, Trace};

/// The name of a lifeline.
pub(crate) fn party(trace: &Trace, party: Party) -> String {
    let name = Naming(trace).party(party);
    name.unwrap_or_else(|| "(unknown)".to_owned())
}

/// A duration, or a time since the first event: with a unit where the clock's frequency is
/// known.
pub(crate) fn time(trace: &Trace, time: Ticks) -> String {
    match trace.clock.timebase() {
        Some(frequency) => frequency.to_time(time).to_string(),
        None if time.0 == 1 => "1 tick".to_owned(),
        None => format!("{time} ticks"),
    }
}

/// The name of the next of several that would be called the same.
pub(crate) fn numbered(name: &str, count: u64) -> String {
    format!("{name} {count}")
}

/// An event in a line: its number, time, kind and arguments.
pub(crate) fn event(trace: &Trace, index: EventIndex) -> String {
    let Some(event) = trace.events.get(index) else {
        return format!("event {}", trace.number(index));
    };
    let number = trace.number(index);
    let time = time(trace, trace.moment(event.time));
    let kind = trace.catalogue.name(event.kind);
    let arguments = trace.arguments_line(&event);
    format!("event {number} · {time} · {kind} {arguments}")
}
