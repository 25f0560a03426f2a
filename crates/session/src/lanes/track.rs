//! What a lane does over time: steps, each of which lasts until the next.

use super::BarClass;
use crate::place::partition_point;
use crate::query::Axis;

/// What a lane does over time. Steps rise on both axes; the first begins at 0,
/// but for a lane that does nothing at all, which has none.
pub(super) trait Track: Sync {
    /// How many steps there are.
    fn len(&self) -> usize;

    /// When a step begins, in ticks.
    fn time(&self, step: usize) -> u64;

    /// The last event before it, or at its start.
    fn event(&self, step: usize) -> u32;

    /// What it stands for.
    fn class(&self, step: usize) -> BarClass;

    /// What the lane shows of a class.
    fn visible_class(&self, class: BarClass) -> BarClass {
        class
    }

    /// The context, activation or resource that it is about.
    fn subject(&self, step: usize) -> u32;

    /// Whether its event belongs to it, rather than being the last before it.
    fn owns_event(&self, step: usize) -> bool;

    /// Whether its beginning was recorded.
    fn start_known(&self, _step: usize) -> bool {
        true
    }

    /// Where a step begins on an axis.
    #[inline]
    fn position(&self, axis: Axis, step: usize) -> u64 {
        match (axis, step.checked_sub(1)) {
            (Axis::Time, _) => self.time(step),
            (Axis::Index, None) => 0,
            (Axis::Index, Some(before)) => {
                let event = self.event(step);
                // What another step began with cannot be this one's, too.
                let owns = self.owns_event(step) && self.event(before) < event;
                u64::from(event) + u64::from(!owns)
            }
        }
    }

    /// The number of steps that begin at or before a position.
    fn steps_until(&self, axis: Axis, at: f64) -> usize {
        partition_point(self.len(), |step| self.position(axis, step) as f64 <= at)
    }
}
