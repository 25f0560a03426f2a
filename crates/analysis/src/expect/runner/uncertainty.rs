//! Whether missing records could change a verdict.

use super::{Comparison, Verdict};
use crate::expect::outcome::{DifferenceKind, Uncertainty};
use crate::expect::plan::TraceRange;
use rtoscope_trace::{EventIndex, Gap};

impl Comparison<'_> {
    /// Returns the missing records that could have changed the verdict.
    pub(super) fn uncertainty(
        &self,
        verdict: &Verdict,
        anchor: Option<EventIndex>,
    ) -> Option<Uncertainty> {
        let (begins, ends) = match self.plan.range {
            TraceRange::Fixed {
                has_start: begins,
                has_end: ends,
                ..
            } => (begins, ends),
            TraceRange::Searched { .. } => (true, true),
        };
        let gaps = &self.trace.gaps;
        let inside = |gap: &&Gap| {
            let begins_before = |until| {
                self.trace
                    .last_event_before(gap)
                    .is_none_or(|last| last < until)
            };
            anchor.is_none_or(|anchor| gap.next_event > anchor) && begins_before(verdict.until)
        };
        let mut inside = gaps.iter().filter(inside).peekable();
        if let Some(first) = inside.peek() {
            let before_event = first.next_event.0;
            let (mut count, mut missing) = (0, Some(0_u64));
            for gap in inside {
                count += 1;
                let sum = missing.zip(gap.missing);
                missing = sum.map(|(sum, more)| sum.saturating_add(more));
            }
            return Some(Uncertainty::MissingRecords {
                gaps: count,
                missing,
                before_event,
            });
        }
        if !begins {
            return Some(Uncertainty::NoBeginning);
        }
        // A difference before the recording ended is certain.
        let open = verdict.difference.as_ref();
        let open = open.is_none_or(|it| it.kind == DifferenceKind::Missing);
        (!ends && open).then_some(Uncertainty::NoEnd)
    }
}
