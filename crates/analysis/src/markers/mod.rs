//! Points of interest: spans and instants that the application marks.
//!
//! A span ends at the first end of the same name and value after it; spans with equal
//! names and values nest. Name and value identify a span whatever contexts and cores
//! record its two ends. At a gap, spans that are open become unknown: their ends may be
//! missing, and later ends may belong to begins that are missing.

mod builder;
#[cfg(test)]
pub(crate) mod tests;

pub(crate) use builder::MarkersBuilder;

use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{Diagnostic, DiagnosticKind, EventIndex, Ticks};

/// A marker: index into [`Markers::names`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MarkerId(pub u32);

impl MarkerId {
    /// The number as an index into a slice.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The points of interest of a trace.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Markers {
    /// The display names, in the order of their first events.
    pub names: Vec<String>,
    /// The spans, in the order of their first recorded events.
    pub spans: Vec<MarkerSpan>,
    /// The instants, in trace order.
    pub instants: Vec<MarkerInstant>,
    /// The windows of declared slots, each marker's in the order of time.
    pub planned: Vec<PlannedSpan>,
}

/// A window of a declared slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlannedSpan {
    /// The slot's marker.
    pub marker: MarkerId,
    /// Its start.
    pub start: Ticks,
    /// Its end.
    pub end: Ticks,
}

/// A span of time that the application marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MarkerSpan {
    /// Its marker.
    pub marker: MarkerId,
    /// The value that identifies it among spans of its name.
    pub value: u64,
    /// The event of its begin; `None` if it is not recorded.
    pub begin: Option<EventIndex>,
    /// The event of its end; `None` if it is not recorded.
    pub end: Option<EventIndex>,
    /// The first time at which it is known to be open.
    pub start: Ticks,
    /// The last time at which it is known to be open.
    pub until: Ticks,
    /// How it ends.
    pub ending: SpanEnding,
}

/// How a span ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SpanEnding {
    /// At a recorded end.
    Ended,
    /// It is open at the end of the trace.
    Open,
    /// Events are missing, and its end may be among them.
    Lost,
}

impl SpanEnding {
    /// The name in output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ended => "ended",
            Self::Open => "open",
            Self::Lost => "lost",
        }
    }
}

/// A point in time that the application marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MarkerInstant {
    /// Its marker.
    pub marker: MarkerId,
    /// Its value.
    pub value: u64,
    /// Its event.
    pub event: EventIndex,
    /// Its time.
    pub time: Ticks,
}

impl MarkerSpan {
    /// The duration, if both ends are recorded.
    pub fn duration(&self) -> Option<Ticks> {
        self.begin?;
        self.end?;
        Some(Ticks(self.until.0.saturating_sub(self.start.0)))
    }

    /// Its first recorded event.
    pub fn first_event(&self) -> EventIndex {
        self.begin.or(self.end).unwrap_or_default()
    }
}

impl Markers {
    /// Whether the trace has no points of interest.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty() && self.instants.is_empty()
    }

    /// The display name of a marker.
    pub fn name(&self, marker: MarkerId) -> &str {
        self.names
            .get(marker.index())
            .map(String::as_str)
            .unwrap_or_default()
    }

    /// The marker with a display name.
    pub fn find(&self, name: &str) -> Option<MarkerId> {
        let found = self.names.iter().position(|other| other == name)?;
        u32::try_from(found).ok().map(MarkerId)
    }

    /// Adds a name, which must be new.
    pub(crate) fn add_name(&mut self, name: &str) -> MarkerId {
        let marker = MarkerId(u32::try_from(self.names.len()).unwrap_or(u32::MAX));
        self.names.push(name.to_owned());
        marker
    }

    /// Spans with an unknown begin or end.
    pub(crate) fn diagnostics(&self) -> Vec<Diagnostic> {
        let report =
            |spans: &mut dyn Iterator<Item = &MarkerSpan>, one: &str, many: &str, why: &str| {
                let first = spans.next()?;
                let count = 1 + spans.count() as u64;
                let first_name = self.name(first.marker);
                let message = format!(
                    "{} {why}; the first is {first_name} ({})",
                    pluralise(count, one, many),
                    first.value
                );
                let diagnostic = Diagnostic::new(DiagnosticKind::UnmatchedMarker, message);
                Some(diagnostic.at_event(first.first_event()).with_count(count))
            };
        let spans = || self.spans.iter();
        [
            report(
                &mut spans().filter(|span| span.begin.is_none() && span.start == span.until),
                "span of a marker ends",
                "spans of markers end",
                "without a recorded begin",
            ),
            report(
                &mut spans().filter(|span| span.ending == SpanEnding::Lost),
                "span of a marker is",
                "spans of markers are",
                "open where events are missing, so that the end is unknown",
            ),
            report(
                &mut spans().filter(|span| span.ending == SpanEnding::Open),
                "span of a marker is",
                "spans of markers are",
                "open at the end of the trace",
            ),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}
