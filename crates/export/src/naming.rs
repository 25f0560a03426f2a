//! Names and descriptions shared by the exports.

use rtoscope_analysis::naming::NameFormatter;
use rtoscope_trace::catalogue::Meaning;
use rtoscope_trace::{Endpoint, EventIndex, Trace};

/// The name of an endpoint.
pub(crate) fn endpoint_name(trace: &Trace, endpoint: Endpoint) -> String {
    let name = NameFormatter(trace).endpoint(endpoint);
    name.unwrap_or_else(|| "(unknown)".to_owned())
}

/// The name of a recording without its folder.
pub(crate) fn file_name(recording: &str) -> &str {
    recording.rsplit(['/', '\\']).next().unwrap_or(recording)
}

/// The name with a number, for duplicates.
pub(crate) fn numbered_name(name: &str, count: u64) -> String {
    format!("{name} {count}")
}

/// Whether values with this meaning are numbers without a sign; most others have texts.
pub(crate) const fn is_quantity(meaning: Meaning) -> bool {
    matches!(
        meaning,
        Meaning::Count
            | Meaning::Bytes
            | Meaning::Ticks
            | Meaning::Priority
            | Meaning::IsrNumber
            | Meaning::SystemState
            | Meaning::Port
            | Meaning::Number
    )
}

/// A recorded value with a sign.
pub(crate) fn signed(value: u64) -> i64 {
    let narrow = u32::try_from(value).map(|value| value.cast_signed().into());
    narrow.unwrap_or(value.cast_signed())
}

/// Describes an event on one line: number, time, kind and arguments.
pub(crate) fn describe_event(trace: &Trace, index: EventIndex) -> String {
    let Some(event) = trace.events.get(index) else {
        return format!("event {}", trace.recording_event(index));
    };
    let number = trace.recording_event(index);
    let time = trace.recording_time(event.time);
    let time = trace.timescale().duration_text(time);
    let kind = trace.catalogue.name(event.kind);
    let arguments = trace.arguments_line(&event);
    format!("event {number} · {time} · {kind} {arguments}")
}
