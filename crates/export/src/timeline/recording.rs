//! Facts about a recording: findings, diagnostics and gaps.

use super::Value::{Event, Number, Text};
use super::{Class, Timeline, Value};
use rtoscope_analysis::View;
use rtoscope_analysis::report::findings;
use rtoscope_trace::EventIndex;
use std::collections::BTreeMap;
use std::io;

/// Writes the findings, each at its event, on a track of their own if none is given.
pub(crate) fn findings<T: Timeline>(
    view: &View<'_>,
    mut track: Option<T::Track>,
    to: &mut T,
) -> io::Result<()> {
    for finding in findings::findings(view) {
        let event = finding.event.map(EventIndex);
        let time = event.and_then(|event| view.trace.events.time(event));
        let (time, class) = (time.unwrap_or_default(), Class::Finding(finding.severity));
        let track = *track.get_or_insert_with(|| to.add_track("findings"));
        let arguments = [
            ("severity", Text(finding.severity.name())),
            ("event", Value::event(event)),
        ];
        to.instant(track, time, class, &finding.message, &arguments)?;
    }
    Ok(())
}

/// Writes the diagnostics, each at its event.
pub(crate) fn diagnostics<T: Timeline>(
    view: &View<'_>,
    track: T::Track,
    to: &mut T,
) -> io::Result<()> {
    for diagnostic in view.diagnostics.iter() {
        let time = view.trace.events.time(diagnostic.event.unwrap_or_default());
        let severity = diagnostic.severity().to_string();
        let arguments = [
            ("message", Text(&diagnostic.message)),
            ("severity", Text(&severity)),
            ("count", Number(diagnostic.count)),
        ];
        let (time, name) = (time.unwrap_or_default(), diagnostic.kind.name());
        to.instant(track, time, Class::Diagnostic, name, &arguments)?;
    }
    Ok(())
}

/// Writes gaps, from the last event before to the first event after.
pub(crate) fn gaps<T: Timeline>(view: &View<'_>, to: &mut T) -> io::Result<()> {
    // Gaps of several cores overlap, which slices on one track must not.
    let mut tracks = BTreeMap::new();
    for gap in &view.trace.gaps {
        let track = *tracks.entry(gap.core).or_insert_with(|| match gap.core {
            Some(core) => to.add_track(&format!("events missing on core {core}")),
            None => to.add_track("events missing"),
        });
        let arguments = [
            (
                "missing at most",
                gap.missing.map_or(Text("(unknown)"), Number),
            ),
            ("first event after", Event(gap.next_event)),
        ];
        let times = view.trace.gap_bounds(gap);
        let name = match gap.is_restart {
            true => "target restarted",
            false => "events missing",
        };
        to.slice(track, times, Class::Gap, name, &arguments)?;
    }
    Ok(())
}
