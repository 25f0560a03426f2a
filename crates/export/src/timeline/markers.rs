//! Points of interest.

use super::Value::{Event, Number, Text};
use super::{Class, Lanes, Timeline, Value};
use rtoscope_analysis::View;
use rtoscope_trace::{ContextId, EventIndex};
use std::collections::BTreeMap;
use std::io;

/// Writes spans and instants, one track per marker, and more for overlapping spans.
pub(crate) fn markers<T: Timeline>(view: &View<'_>, to: &mut T) -> io::Result<()> {
    let (trace, markers) = (view.trace, view.markers);
    let context = |event: EventIndex| {
        let context = trace.events.context(event).unwrap_or(ContextId::UNKNOWN);
        trace.context_name(context)
    };
    let mut lanes: BTreeMap<_, Lanes<T>> = BTreeMap::new();
    for span in &markers.spans {
        let Some(begin) = span.begin else { continue };
        let name = markers.name(span.marker);
        let context = context(begin);
        let lanes = lanes.entry(span.marker);
        let lanes = lanes.or_insert_with(|| Lanes::new(format!("marker {name}")));
        let arguments = [
            ("value", Number(span.value)),
            ("ending", Text(span.ending.name())),
            ("context", Text(&context)),
            ("first event", Event(begin)),
            ("last event", Value::event(span.end)),
        ];
        lanes.slice(
            to,
            [span.start, span.until],
            Class::Marker,
            name,
            &arguments,
        )?;
    }
    let mut tracks = BTreeMap::new();
    for instant in &markers.instants {
        let name = markers.name(instant.marker);
        let context = context(instant.event);
        let track = tracks.entry(instant.marker);
        let track = *track.or_insert_with(|| to.add_track(&format!("instants {name}")));
        let arguments = [
            ("value", Number(instant.value)),
            ("context", Text(&context)),
            ("event", Event(instant.event)),
        ];
        to.instant(track, instant.time, Class::Marker, name, &arguments)?;
    }
    Ok(())
}
