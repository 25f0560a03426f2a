//! The part of level histories in a scope.

use super::history::{CallDirection, CallOutcome, RecordedCall};
use super::{LevelHistory, LevelStats, ObjectUsage};
use crate::report::Scope;
use rtoscope_trace::{EventIndex, ResourceId, Trace};
use std::ops::Range;

/// A scope of a trace, for the histories of its objects.
pub(super) struct HistoryPart<'a> {
    trace: &'a Trace,
    scope: &'a Scope,
    /// The window in ticks.
    window: Range<u64>,
    /// The numbers of the events in the window.
    events: Range<usize>,
    /// The first event after the last gap before the window.
    last_gap: Option<EventIndex>,
}

impl<'a> HistoryPart<'a> {
    pub(super) fn new(trace: &'a Trace, scope: &'a Scope) -> Self {
        let events = scope.events(trace);
        let gaps = trace.gaps.iter().map(|gap| gap.next_event);
        let last_gap = gaps.take_while(|next| next.index() < events.start).last();
        Self {
            trace,
            scope,
            window: scope.window(trace.events.span()),
            events,
            last_gap,
        }
    }

    /// How an object was used in the scope.
    pub(super) fn usage(&self, resource: ResourceId, history: &LevelHistory) -> ObjectUsage {
        let level = self.level_stats(history);
        let highest = level.maximum().map(|highest| highest.level);
        let mut usage = ObjectUsage {
            resource,
            class: history.class,
            capacity: history.capacity_with(highest),
            puts: 0,
            takes: 0,
            other_calls: 0,
            blocked: 0,
            refused: 0,
            unserved_puts: 0,
            unserved_takes: 0,
            level,
        };
        for RecordedCall {
            event,
            direction,
            outcome,
            ..
        } in history.calls(self.events.clone())
        {
            if !self.includes(event) {
                continue;
            }
            let calls = match direction {
                CallDirection::Put => &mut usage.puts,
                CallDirection::Take => &mut usage.takes,
                CallDirection::Flush | CallDirection::Other => &mut usage.other_calls,
            };
            *calls += 1;
            usage.blocked += u64::from(outcome == CallOutcome::Blocked);
            usage.refused += u64::from(outcome == CallOutcome::Refused);
            let unserved = matches!(outcome, CallOutcome::Blocked | CallOutcome::Refused);
            match direction {
                CallDirection::Put => usage.unserved_puts += u64::from(unserved),
                CallDirection::Take => usage.unserved_takes += u64::from(unserved),
                CallDirection::Flush | CallDirection::Other => {}
            }
        }
        usage
    }

    fn includes(&self, event: EventIndex) -> bool {
        if self.scope.core.is_none() && self.scope.threads.is_none() {
            return true;
        }
        let event = self.trace.events.get(event);
        event.is_some_and(|event| self.scope.includes(&event))
    }

    fn level_stats(&self, history: &LevelHistory) -> LevelStats {
        let mut stats = LevelStats::new(self.window.clone());
        // The call after which the level still was the one at the start of the
        // window.
        let first = history.last_call_before(self.events.start);
        let first = first.max(self.last_gap).unwrap_or_default();
        for (step, end) in history.steps_within(&self.window) {
            let event = match step.start.0 < self.window.start {
                true => step.event.max(first),
                false => step.event,
            };
            stats.add(step.start.0, end.0, step.level, event);
        }
        if self.window.end == self.trace.events.span().0 {
            stats.set_at_end(history.level_at_end);
        }
        stats
    }
}
