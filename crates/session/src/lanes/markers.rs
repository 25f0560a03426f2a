//! Tracks of markers.

use super::BarClass;
use super::binary::TOO_MANY;
use super::track::{LaneStep, StepTrack};
use rtoscope_analysis::markers::{MarkerSpan, Markers, PlannedSpan, SpanEnding};
use rtoscope_trace::{Ticks, Trace};
use std::collections::BTreeSet;

/// The bit of the index of a planned span.
const PLANNED: u32 = 1 << 31;

/// A begin or end of a span, in the order of the trace.
#[derive(Debug, Clone, Copy)]
struct SpanEdge {
    time: u64,
    event: u32,
    begins: bool,
    /// Whether the trace has an end of the span.
    ends: bool,
    /// Whether the event is this begin or end, rather than the last one before it.
    is_recorded: bool,
    span: u32,
}

/// The track of each marker, by its number: of several spans that are open, the one that began
/// last. Once a later one begins, a span that never ends is only shown where no other is
/// open. The subject of a step is the index of the span among all spans.
pub(crate) fn tracks(trace: &Trace, markers: &Markers) -> Vec<StepTrack> {
    let mut tracks: Vec<StepTrack> = Vec::new();
    tracks.resize_with(markers.names.len(), StepTrack::default);
    let mut edges: Vec<Vec<SpanEdge>> = vec![Vec::new(); tracks.len()];
    for (span, number) in markers.spans.iter().zip(0..) {
        let place = span.marker.index();
        if let Some(track) = tracks.get_mut(place) {
            let events = span.begin.into_iter().chain(span.end);
            track.events.extend(events.map(|event| event.0));
        }
        let is_visible = span.begin.is_some() || span.start < span.until;
        if let Some(edges) = edges.get_mut(place).filter(|_| is_visible) {
            edges.extend(span_edges(trace, span, number));
        }
    }
    for (window, number) in markers.planned.iter().zip(0..) {
        if let Some(edges) = edges.get_mut(window.marker.index()) {
            edges.extend(window_edges(trace, window, PLANNED | number));
        }
    }
    for instant in &markers.instants {
        if let Some(track) = tracks.get_mut(instant.marker.index()) {
            track.events.push(instant.event.0);
        }
    }
    for (track, edges) in tracks.iter_mut().zip(edges) {
        track.events.sort_unstable();
        fill(track, edges);
    }
    tracks
}

fn window_edges(trace: &Trace, window: &PlannedSpan, number: u32) -> [SpanEdge; 2] {
    let edge = |time: Ticks, begins| SpanEdge {
        time: time.0,
        event: trace.events.index_after(time).0.saturating_sub(1),
        begins,
        ends: true,
        is_recorded: false,
        span: number,
    };
    [edge(window.start, true), edge(window.end, false)]
}

fn span_edges(trace: &Trace, span: &MarkerSpan, number: u32) -> [SpanEdge; 2] {
    let last_at = |time| trace.events.index_after(time).0.saturating_sub(1);
    // The last event in which the span is known to be open.
    let last = || last_at(span.until);
    [
        SpanEdge {
            time: span.start.0,
            event: span
                .begin
                .map_or_else(|| last_at(span.start), |begin| begin.0),
            begins: true,
            ends: span.ending != SpanEnding::Open,
            is_recorded: span.begin.is_some(),
            span: number,
        },
        SpanEdge {
            time: span.until.0,
            event: span.end.map_or_else(last, |end| end.0),
            begins: false,
            ends: true,
            is_recorded: span.end.is_some(),
            span: number,
        },
    ]
}

fn fill(track: &mut StepTrack, mut edges: Vec<SpanEdge>) {
    edges.sort_unstable_by_key(|edge| (edge.event, !edge.is_recorded, edge.time, edge.span));
    let mut open = BTreeSet::new();
    // Spans that never end: the last one, and those before it.
    let mut endless = None;
    let mut overtaken = BTreeSet::new();
    for edge in edges {
        if edge.begins {
            if let Some(before) = endless.take().filter(|before| open.remove(before)) {
                overtaken.insert(before);
            }
            endless = (!edge.ends).then_some(edge.span);
            open.insert(edge.span);
        } else {
            open.remove(&edge.span);
            overtaken.remove(&edge.span);
        }
        let innermost = match (open.last(), overtaken.last()) {
            (Some(span), _) => Some((*span, BarClass::MARKER)),
            (None, Some(span)) => Some((*span, BarClass::ENDLESS_MARKER)),
            (None, None) => None,
        };
        let (subject, class) = innermost.unwrap_or((TOO_MANY, BarClass::NOTHING));
        if track.last().map_or(TOO_MANY, |last| last.subject) != subject {
            let nothing = LaneStep::nothing(edge.time, edge.event);
            track.push(match innermost {
                None => nothing,
                Some((innermost, _)) => LaneStep {
                    subject,
                    class,
                    owns_event: edge.begins && edge.is_recorded && innermost == edge.span,
                    ..nothing
                },
            });
        }
    }
    track.shrink_to_fit();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::track::Track;

    fn track(edges: &[(u64, u32, bool, u32)]) -> StepTrack {
        let mut track = StepTrack::default();
        let edge = |(time, event, begins, span): &(u64, u32, bool, u32)| SpanEdge {
            time: *time,
            event: *event,
            begins: *begins,
            ends: *span != 9,
            is_recorded: true,
            span: *span,
        };
        fill(&mut track, edges.iter().map(edge).collect());
        track
    }

    #[test]
    fn the_last_open_span_is_visible() {
        let track = track(&[
            (10, 1, true, 0),
            (20, 2, true, 1),
            (30, 3, false, 0),
            (40, 4, false, 1),
            (50, 5, true, 2),
            (60, 6, true, 3),
            (70, 7, false, 3),
            (80, 8, false, 2),
        ]);
        let steps: Vec<_> = (0..track.len())
            .map(|step| (track.time(step), track.subject(step)))
            .collect();
        let expected = [
            (0, TOO_MANY),
            (10, 0),
            (20, 1),
            (40, TOO_MANY),
            (50, 2),
            (60, 3),
            (70, 2),
            (80, TOO_MANY),
        ];
        assert_eq!(steps, expected);
        assert_eq!(track.busy_time(), 60);
        assert!(track.owns_event(2) && !track.owns_event(3) && !track.owns_event(6));
    }

    #[test]
    fn a_span_that_never_ends_does_not_hide_later_ones() {
        let track = track(&[
            (10, 1, true, 9),
            (30, 2, true, 10),
            (40, 3, false, 10),
            (50, 4, true, 11),
            (60, 5, false, 11),
            (99, 6, false, 9),
        ]);
        let steps: Vec<_> = (0..track.len())
            .map(|step| (track.time(step), track.subject(step), track.class(step)))
            .collect();
        let (marker, endless) = (BarClass::MARKER, BarClass::ENDLESS_MARKER);
        let expected = [
            (0, TOO_MANY, BarClass::NOTHING),
            (10, 9, marker),
            (30, 10, marker),
            (40, 9, endless),
            (50, 11, marker),
            (60, 9, endless),
            (99, TOO_MANY, BarClass::NOTHING),
        ];
        assert_eq!(steps, expected);
        assert_eq!(track.busy_time(), 40);
    }
}
