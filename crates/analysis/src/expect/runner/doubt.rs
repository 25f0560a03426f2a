//! Whether missing records could have changed what was found.

use super::{Course, Verdict};
use crate::expect::outcome::{DifferenceKind, Doubt};
use crate::expect::plan::Part;
use rtoscope_trace::{EventIndex, Gap};

impl Course<'_> {
    /// Whether something is missing that could have changed the verdict.
    pub(super) fn doubt(&self, verdict: &Verdict, anchor: Option<EventIndex>) -> Option<Doubt> {
        let (begins, ends) = match self.plan.part {
            Part::Given { begins, ends, .. } => (begins, ends),
            Part::Found { .. } => (true, true),
        };
        let gaps = &self.trace.gaps;
        let inside = |gap: &&Gap| {
            let begins_before = |until| self.trace.last_before(gap).is_none_or(|last| last < until);
            anchor.is_none_or(|anchor| gap.before > anchor) && begins_before(verdict.until)
        };
        let mut inside = gaps.iter().filter(inside).peekable();
        if let Some(first) = inside.peek() {
            let before_event = first.before.0;
            let (mut count, mut missing) = (0, Some(0_u64));
            for gap in inside {
                count += 1;
                let sum = missing.zip(gap.missing);
                missing = sum.map(|(sum, more)| sum.saturating_add(more));
            }
            return Some(Doubt::MissingRecords {
                gaps: count,
                missing,
                before_event,
            });
        }
        if !begins {
            return Some(Doubt::NoBeginning);
        }
        // What was found before the recording ended is certain.
        let open = verdict.difference.as_ref();
        let open = open.is_none_or(|it| it.kind == DifferenceKind::Missing);
        (!ends && open).then_some(Doubt::NoEnd)
    }
}
