//! Records that are missing in the compared part.

use super::Comparison;
use crate::expect::outcome::Uncertainty;
use rtoscope_trace::{EventIndex, Gap};

/// What follows from missing records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::expect) enum LossPolicy {
    /// The comparison continues: a record that must not occur at all makes the
    /// test fail.
    Continue,
    /// The test is decided: a target waits for the answer.
    Decide,
}

/// The missing records of a test.
#[derive(Debug)]
pub(super) struct LostRecords {
    gaps: usize,
    /// Maximum number of missing records, if known.
    missing: Option<u64>,
    /// The event after the first gap.
    before_event: u64,
}

impl LostRecords {
    /// One gap of unknown length.
    pub(super) fn one_before(event: u64) -> Self {
        Self {
            gaps: 1,
            missing: None,
            before_event: event,
        }
    }

    pub(super) fn uncertainty(&self) -> Uncertainty {
        Uncertainty::MissingRecords {
            gaps: self.gaps,
            missing: self.missing,
            before_event: self.before_event,
        }
    }
}

impl<'a> Comparison<'a> {
    /// Whether records are missing directly before an event of the compared
    /// part.
    pub(super) fn is_lost_before(&self, index: EventIndex) -> bool {
        let gaps = self.gaps_from(index.0);
        self.state.has_started()
            && gaps
                .iter()
                .take_while(|gap| gap.next_event == index)
                .any(|gap| self.is_compared(gap))
    }

    /// Counts the gaps before the event `first`, or a later one, that
    /// `is_relevant`, given the last event before the gap.
    pub(super) fn note_lost(
        &mut self,
        first: u32,
        is_relevant: impl Fn(&Gap, Option<EventIndex>) -> bool,
    ) {
        let trace = self.trace;
        for gap in self.gaps_from(first) {
            if !self.is_compared(gap) || !is_relevant(gap, trace.last_event_before(gap)) {
                continue;
            }
            let lost = self.state.lost.get_or_insert(LostRecords {
                gaps: 0,
                missing: Some(0),
                before_event: trace.recording_event(gap.next_event),
            });
            lost.gaps += 1;
            let sum = lost.missing.zip(gap.missing);
            lost.missing = sum.map(|(sum, more)| sum.saturating_add(more));
        }
    }

    /// The gaps before an event, or a later one.
    fn gaps_from(&self, first: u32) -> &'a [Gap] {
        let gaps = &self.trace.gaps;
        let before = gaps.partition_point(|gap| gap.next_event.0 < first);
        gaps.get(before..).unwrap_or_default()
    }

    /// Whether a gap is in the compared part, as far as its start is known.
    fn is_compared(&self, gap: &Gap) -> bool {
        let next_event = self.trace.recording_event(gap.next_event);
        self.state.start.is_none_or(|start| next_event > start)
    }
}
