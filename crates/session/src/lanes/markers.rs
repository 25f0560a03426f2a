//! Tracks of markers.

use super::BarClass;
use super::track::Track;
use rtoscope_analysis::markers::{MarkerSpan, Markers, PlannedSpan};
use rtoscope_trace::{EventIndex, Ticks, Trace};
use std::collections::BTreeSet;

/// The track of each marker, by its number.
#[derive(Debug, Default)]
pub(crate) struct MarkerTracks(Vec<MarkerTrack>);

/// The spans of a marker over time: of several that are open, the one that began last.
#[derive(Debug, Default)]
pub(crate) struct MarkerTrack {
    steps: Vec<MarkerStep>,
    /// Numbers of its events, in ascending order.
    pub(crate) events: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct MarkerStep {
    start: u64,
    event: u32,
    /// The index of the span among all spans, or [`NOTHING`].
    span: u32,
    /// Whether the event is the begin of the span.
    begins: bool,
}

/// No span is open, as far as known.
const NOTHING: u32 = u32::MAX;

/// The bit of the index of a planned span.
const PLANNED: u32 = 1 << 31;

/// A begin or end of a span, in the order of the trace.
#[derive(Debug, Clone, Copy)]
struct SpanEdge {
    time: u64,
    event: u32,
    begins: bool,
    /// Whether the event is this begin or end, rather than the last one before it.
    is_recorded: bool,
    span: u32,
}

impl MarkerTracks {
    pub(crate) fn of(trace: &Trace, markers: &Markers) -> Self {
        let mut tracks: Vec<MarkerTrack> = Vec::new();
        tracks.resize_with(markers.names.len(), MarkerTrack::default);
        let mut edges: Vec<Vec<SpanEdge>> = vec![Vec::new(); tracks.len()];
        for (span, number) in markers.spans.iter().zip(0..) {
            let place = span.marker.index();
            if let Some(track) = tracks.get_mut(place) {
                let events = span.begin.into_iter().chain(span.end);
                track.events.extend(events.map(|event| event.0));
            }
            if let (Some(begin), Some(edges)) = (span.begin, edges.get_mut(place)) {
                edges.extend(span_edges(trace, span, begin, number));
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
            track.fill(edges);
        }
        Self(tracks)
    }

    pub(crate) fn iter(&self) -> std::slice::Iter<'_, MarkerTrack> {
        self.0.iter()
    }

    pub(crate) fn get(&self, marker: u32) -> Option<&MarkerTrack> {
        self.0.get(marker as usize)
    }
}

fn window_edges(trace: &Trace, window: &PlannedSpan, number: u32) -> [SpanEdge; 2] {
    let edge = |time: Ticks, begins| SpanEdge {
        time: time.0,
        event: trace.events.index_after(time).0.saturating_sub(1),
        begins,
        is_recorded: false,
        span: number,
    };
    [edge(window.start, true), edge(window.end, false)]
}

fn span_edges(trace: &Trace, span: &MarkerSpan, begin: EventIndex, number: u32) -> [SpanEdge; 2] {
    // The last event in which the span is known to be open.
    let last = || trace.events.index_after(span.until).0.saturating_sub(1);
    [
        SpanEdge {
            time: span.start.0,
            event: begin.0,
            begins: true,
            is_recorded: true,
            span: number,
        },
        SpanEdge {
            time: span.until.0,
            event: span.end.map_or_else(last, |end| end.0),
            begins: false,
            is_recorded: span.end.is_some(),
            span: number,
        },
    ]
}

impl MarkerTrack {
    fn fill(&mut self, mut edges: Vec<SpanEdge>) {
        edges.sort_unstable_by_key(|edge| (edge.event, !edge.is_recorded, edge.time, edge.span));
        let mut open = BTreeSet::new();
        if edges.first().is_some_and(|first| first.time > 0) {
            self.push(0, 0, NOTHING, false);
        }
        for edge in edges {
            if edge.begins {
                open.insert(edge.span);
            } else {
                open.remove(&edge.span);
            }
            let innermost = open.last().copied().unwrap_or(NOTHING);
            let begins = edge.begins && edge.is_recorded && innermost == edge.span;
            if self.steps.last().is_none_or(|last| last.span != innermost) {
                self.push(edge.time, edge.event, innermost, begins);
            }
        }
        self.steps.shrink_to_fit();
    }

    fn push(&mut self, start: u64, event: u32, span: u32, begins: bool) {
        self.steps.push(MarkerStep {
            start,
            event,
            span,
            begins,
        });
    }

    /// Ticks in which a span is open.
    pub(crate) fn open_ticks(&self) -> u64 {
        let ends = self.steps.iter().skip(1).map(|next| next.start);
        let steps = self.steps.iter().zip(ends);
        let open = steps.filter(|(step, _)| step.span != NOTHING);
        open.map(|(step, end)| end.saturating_sub(step.start)).sum()
    }

    /// The span of a step.
    pub(crate) fn span<'m>(&self, markers: &'m Markers, step: usize) -> Option<&'m MarkerSpan> {
        markers.spans.get(self.subject(step) as usize)
    }
}

impl Track for MarkerTrack {
    fn len(&self) -> usize {
        self.steps.len()
    }

    #[inline]
    fn time(&self, step: usize) -> u64 {
        self.steps.get(step).map_or(0, |step| step.start)
    }

    #[inline]
    fn event(&self, step: usize) -> u32 {
        self.steps.get(step).map_or(0, |step| step.event)
    }

    #[inline]
    fn class(&self, step: usize) -> BarClass {
        match self.subject(step) {
            NOTHING => BarClass::NOTHING,
            _ => BarClass::MARKER,
        }
    }

    #[inline]
    fn subject(&self, step: usize) -> u32 {
        self.steps.get(step).map_or(NOTHING, |step| step.span)
    }

    #[inline]
    fn owns_event(&self, step: usize) -> bool {
        self.steps.get(step).is_some_and(|step| step.begins)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track(edges: &[(u64, u32, bool, u32)]) -> MarkerTrack {
        let mut track = MarkerTrack::default();
        let edge = |(time, event, begins, span): &(u64, u32, bool, u32)| SpanEdge {
            time: *time,
            event: *event,
            begins: *begins,
            is_recorded: true,
            span: *span,
        };
        track.fill(edges.iter().map(edge).collect());
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
            (0, NOTHING),
            (10, 0),
            (20, 1),
            (40, NOTHING),
            (50, 2),
            (60, 3),
            (70, 2),
            (80, NOTHING),
        ];
        assert_eq!(steps, expected);
        assert_eq!(track.open_ticks(), 60);
        assert!(track.owns_event(2) && !track.owns_event(3) && !track.owns_event(6));
    }
}
