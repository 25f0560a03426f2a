//! Follows the starts and ends of intervals.

use super::{BoundaryEvent, Interval, IntervalDefinition, IntervalSeries, Pairing, RepeatedStart};
use crate::event_value::EventValue;
use crate::markers::SpanEnding;
use rtoscope_trace::catalogue::Meaning;
use rtoscope_trace::{Contexts, Event, Gap, Ticks, Trace};
use std::collections::HashMap;

/// The value that pairs a start and an end.
enum PairingValue {
    Any,
    Thread,
    Object,
    Argument(EventValue),
}

/// Follows the starts and ends of one definition, event by event.
pub(super) struct IntervalTracker<'t> {
    trace: &'t Trace,
    pairing: PairingValue,
    repeated: RepeatedStart,
    /// The gaps after the last event.
    gaps: std::slice::Iter<'t, Gap>,
    /// The open intervals of each value, the innermost last. A value is absent until its
    /// first event after the start of the trace or a gap: what was open before is unknown.
    open: HashMap<u64, Vec<usize>>,
    series: IntervalSeries,
    /// Whether a start and an end had a value that pairs them, and one that had none.
    has_start: bool,
    has_end: bool,
    without_value: [Option<Event>; 2],
}

impl<'t> IntervalTracker<'t> {
    pub(super) fn new(trace: &'t Trace, definition: &IntervalDefinition) -> Self {
        Self {
            trace,
            pairing: match &definition.pairing {
                Pairing::Any => PairingValue::Any,
                Pairing::Thread => PairingValue::Thread,
                Pairing::Object => PairingValue::Object,
                Pairing::Argument(name) => PairingValue::Argument(EventValue::parse(name)),
            },
            repeated: definition.repeated,
            gaps: trace.gaps.iter(),
            open: HashMap::new(),
            series: IntervalSeries::default(),
            has_start: false,
            has_end: false,
            without_value: [None; 2],
        }
    }

    /// An event that starts or ends intervals, after all before it.
    pub(super) fn event(&mut self, boundary: BoundaryEvent) {
        while let Some(gap) = self.gaps.as_slice().first()
            && gap.next_event <= boundary.event
        {
            self.gaps.next();
            self.lose(gap);
        }
        let Some(event) = self.trace.events.get(boundary.event) else {
            return;
        };
        let Some(value) = self.value(&event) else {
            self.series.unpaired.push(event.index);
            let [start, end] = &mut self.without_value;
            let sides = [(boundary.is_start, start), (boundary.is_end, end)];
            for (_, side) in sides.into_iter().filter(|(is_of_side, _)| *is_of_side) {
                side.get_or_insert(event);
            }
            return;
        };
        self.has_start |= boundary.is_start;
        self.has_end |= boundary.is_end;
        if boundary.is_end {
            self.end(value, &event);
        }
        if boundary.is_start {
            self.start(value, &event);
        }
    }

    /// The value that pairs an event with others; `None` if it has none.
    fn value(&self, event: &Event) -> Option<u64> {
        match &self.pairing {
            PairingValue::Any => Some(0),
            PairingValue::Thread if event.context <= Contexts::IDLE => {
                Some(u64::from(event.context.0) | u64::from(event.core) << 32)
            }
            PairingValue::Thread => Some(event.context.0.into()),
            PairingValue::Object => {
                let kind = self.trace.catalogue.get(event.kind)?;
                let mut named = self.trace.raw_arguments(kind, event);
                let is_object = |meaning: Meaning| {
                    meaning.object_class().is_some() && meaning != Meaning::ContextName
                };
                let object = named.find(|(argument, _)| is_object(argument.meaning));
                object.map(|(_, address)| address)
            }
            PairingValue::Argument(argument) => argument.of(self.trace, event),
        }
    }

    fn start(&mut self, value: u64, event: &Event) {
        let open = self.open.entry(value).or_default();
        let interval = Interval {
            start: event.time,
            until: event.time,
            first: event.index,
            last: None,
            ending: SpanEnding::Open,
            context: event.context,
        };
        let current = open.last().copied();
        let current = current.and_then(|index| self.series.intervals.get_mut(index));
        match (self.repeated, current) {
            (RepeatedStart::Restart, Some(current)) => {
                self.series.repeated.push(current.first);
                *current = interval;
            }
            (RepeatedStart::First, Some(_)) => self.series.repeated.push(event.index),
            (RepeatedStart::Nested, _) | (_, None) => {
                open.push(self.series.intervals.len());
                self.series.intervals.push(interval);
            }
        }
    }

    fn end(&mut self, value: u64, event: &Event) {
        let Some(open) = self.open.get_mut(&value) else {
            self.open.insert(value, Vec::new());
            self.series.start_unknown.push(event.index);
            return;
        };
        let interval = open
            .pop()
            .and_then(|index| self.series.intervals.get_mut(index));
        let Some(interval) = interval else {
            // An outer one may have started before everything that is recorded.
            let without_start = match self.repeated {
                RepeatedStart::Nested => &mut self.series.start_unknown,
                RepeatedStart::Restart | RepeatedStart::First => &mut self.series.unmatched,
            };
            without_start.push(event.index);
            return;
        };
        // Cores may record events of the same moment out of order.
        interval.until = event.time.max(interval.start);
        interval.last = Some(event.index);
        interval.ending = SpanEnding::Ended;
    }

    /// Events are missing: what is open now may end among them.
    fn lose(&mut self, gap: &Gap) {
        let [last, _] = self.trace.gap_bounds(gap);
        self.close_all(last, SpanEnding::Lost);
        self.open.clear();
    }

    fn close_all(&mut self, until: Ticks, ending: SpanEnding) {
        for index in self.open.values().flatten() {
            if let Some(interval) = self.series.intervals.get_mut(*index) {
                interval.until = until.max(interval.start);
                interval.ending = ending;
            }
        }
    }

    /// The intervals; an error describes why the events cannot be paired.
    pub(super) fn finish(mut self) -> Result<IntervalSeries, String> {
        let sides = ["from", "to"]
            .into_iter()
            .zip(self.without_value)
            .zip([self.has_start, self.has_end]);
        for ((side, without), has_some) in sides {
            if let (Some(event), false) = (without, has_some) {
                return Err(match &self.pairing {
                    PairingValue::Argument(_) => format!(
                        "{side}: no event has the argument to pair by; the first one has {}",
                        EventValue::names(self.trace, &event).join(", ")
                    ),
                    _ => format!("{side}: no event has an object to pair by"),
                });
            }
        }
        if let Some(gap) = self.gaps.as_slice().first() {
            self.lose(gap);
        }
        self.close_all(self.trace.events.span(), SpanEnding::Open);
        let mut series = self.series;
        // A restart moves the start of an interval.
        series.intervals.sort_unstable_by_key(|it| it.first);
        series.repeated.sort_unstable();
        Ok(series)
    }
}
