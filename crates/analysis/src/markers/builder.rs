//! Pairs the begins and ends of markers.

use super::{MarkerId, MarkerInstant, MarkerSpan, Markers, SpanEnding};
use foldhash::{HashMap, HashMapExt as _};
use rtoscope_trace::catalogue::{MarkerAction, MarkerRole};
use rtoscope_trace::{Address, Event, EventIndex, EventKindId, Object, ObjectClass, Ticks, Trace};
use std::borrow::Cow;

/// Builds the markers of a trace.
#[derive(Debug, Clone)]
pub(crate) struct MarkersBuilder {
    /// The kinds of events that are parts of markers, by number.
    kinds: Vec<(EventKindId, MarkerAction, Option<Cow<'static, str>>)>,
    found: Markers,
    by_name: HashMap<String, MarkerId>,
    by_address: HashMap<u64, MarkerId>,
    /// The innermost open span of each name and value.
    open: HashMap<(MarkerId, u64), u32>,
    /// By span: the span of the same name and value in which it is nested.
    outer: Vec<Option<u32>>,
    /// The value of the last span of each marker that began with another way than
    /// [`MarkerAction::Begin`].
    last_values: HashMap<MarkerId, u64>,
    /// Number of gaps passed.
    gaps: usize,
}

impl MarkersBuilder {
    pub(crate) fn new(trace: &Trace) -> Self {
        let kinds = trace.catalogue.iter().filter_map(|kind| {
            let MarkerRole { action, name } = kind.marker.clone()?;
            Some((kind.id, action, name))
        });
        Self {
            kinds: kinds.collect(),
            found: Markers::default(),
            by_name: HashMap::new(),
            by_address: HashMap::new(),
            open: HashMap::new(),
            outer: Vec::new(),
            last_values: HashMap::new(),
            gaps: 0,
        }
    }

    /// Applies the next event.
    #[inline]
    pub(crate) fn push(&mut self, trace: &Trace, event: &Event) {
        // Few kinds, if any.
        let found = self.kinds.iter().position(|(kind, ..)| *kind == event.kind);
        if let Some(kind) = found {
            self.push_marker(trace, event, kind);
        }
    }

    fn push_marker(&mut self, trace: &Trace, event: &Event, kind: usize) {
        self.pass_gaps(trace, event.index);
        let Some((_, action, name)) = self.kinds.get(kind).cloned() else {
            return;
        };
        let [first, second, ..] = event.arguments;
        let (marker, value) = match name {
            Some(name) => (self.marker_named(&name), first),
            None => (self.marker_at(trace, first), second),
        };
        match action {
            MarkerAction::Begin => self.begin(marker, value, event, Some(event.index)),
            MarkerAction::End => self.end(marker, value, event),
            MarkerAction::Instant => self.found.instants.push(MarkerInstant {
                marker,
                value,
                event: event.index,
                time: event.time,
            }),
            MarkerAction::Open => {
                self.last_values.insert(marker, value);
                self.begin(marker, value, event, None);
            }
            MarkerAction::Change => {
                if let Some(last) = self.last_values.insert(marker, value) {
                    self.end(marker, last, event);
                }
                self.begin(marker, value, event, Some(event.index));
            }
            MarkerAction::Lose => self.lose(marker, value, event),
        }
    }

    /// A span is open from this event on, which is its begin unless that is not recorded.
    fn begin(&mut self, marker: MarkerId, value: u64, event: &Event, begin: Option<EventIndex>) {
        let number = u32::try_from(self.found.spans.len()).unwrap_or(u32::MAX);
        self.outer.push(self.open.insert((marker, value), number));
        self.found.spans.push(MarkerSpan {
            marker,
            value,
            begin,
            end: None,
            start: event.time,
            until: event.time,
            ending: SpanEnding::Open,
        });
    }

    fn end(&mut self, marker: MarkerId, value: u64, event: &Event) {
        let Some(number) = self.open.remove(&(marker, value)) else {
            self.outer.push(None);
            self.found.spans.push(MarkerSpan {
                marker,
                value,
                begin: None,
                end: Some(event.index),
                start: event.time,
                until: event.time,
                ending: SpanEnding::Ended,
            });
            return;
        };
        if let Some(outer) = self.outer.get(number as usize).copied().flatten() {
            self.open.insert((marker, value), outer);
        }
        if let Some(span) = self.found.spans.get_mut(number as usize) {
            span.end = Some(event.index);
            span.until = event.time;
            span.ending = SpanEnding::Ended;
        }
    }

    /// Whether the innermost span of a name and value is open is not known any more.
    fn lose(&mut self, marker: MarkerId, value: u64, event: &Event) {
        self.last_values.remove(&marker);
        let Some(number) = self.open.remove(&(marker, value)) else {
            return;
        };
        if let Some(outer) = self.outer.get(number as usize).copied().flatten() {
            self.open.insert((marker, value), outer);
        }
        if let Some(span) = self.found.spans.get_mut(number as usize) {
            span.until = event.time;
            span.ending = SpanEnding::Lost;
        }
    }

    /// Passes the gaps before an event.
    fn pass_gaps(&mut self, trace: &Trace, event: EventIndex) {
        while let Some(gap) = trace.gaps.get(self.gaps)
            && gap.next_event <= event
        {
            self.gaps += 1;
            let [last_before, _] = trace.gap_bounds(gap);
            self.last_values.clear();
            self.close_open(last_before, SpanEnding::Lost);
        }
    }

    /// All open spans end in an unknown way.
    fn close_open(&mut self, until: Ticks, ending: SpanEnding) {
        for (_, innermost) in self.open.drain() {
            let mut next = Some(innermost);
            while let Some(number) = next {
                if let Some(span) = self.found.spans.get_mut(number as usize) {
                    // The gap of one core may begin before events of another.
                    span.until = until.max(span.start);
                    span.ending = ending;
                }
                next = self.outer.get(number as usize).copied().flatten();
            }
        }
    }

    pub(crate) fn finish(mut self, trace: &Trace) -> Markers {
        if !self.kinds.is_empty() {
            self.pass_gaps(trace, EventIndex(u32::MAX));
            self.close_open(trace.events.span(), SpanEnding::Open);
        }
        self.found
    }

    /// The marker whose name is at an address. Compilers may store equal names twice, so
    /// the name identifies it, if it is known.
    fn marker_at(&mut self, trace: &Trace, address: u64) -> MarkerId {
        if let Some(marker) = self.by_address.get(&address) {
            return *marker;
        }
        let place = Address(address);
        let object = trace.objects.find_class(place, ObjectClass::Marker);
        let name = object.map_or_else(|| place.to_string(), Object::display_name);
        let marker = self.marker_named(&name);
        self.by_address.insert(address, marker);
        marker
    }

    fn marker_named(&mut self, name: &str) -> MarkerId {
        if let Some(marker) = self.by_name.get(name) {
            return *marker;
        }
        let marker = self.found.add_name(name);
        self.by_name.insert(name.to_owned(), marker);
        marker
    }
}
