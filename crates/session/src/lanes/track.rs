//! The state of a lane over time, as consecutive steps.

use super::BarClass;
use crate::axis::partition_point;
use crate::query::Axis;

/// The state of a lane over time. Steps ascend on both axes; the first starts at 0. A
/// lane that is never active has no steps.
pub(crate) trait Track: Sync {
    /// Number of steps.
    fn len(&self) -> usize;

    /// Start of a step, in ticks.
    fn time(&self, step: usize) -> u64;

    /// The event at the start of a step, or the last before it.
    fn event(&self, step: usize) -> u32;

    /// The class of a step.
    fn class(&self, step: usize) -> BarClass;

    /// The class that the lane shows for a class of the track.
    fn visible_class(&self, class: BarClass) -> BarClass {
        class
    }

    /// The context, activation or resource of a step.
    fn subject(&self, step: usize) -> u32;

    /// Whether the step's event belongs to the step, rather than being the last before
    /// it.
    fn owns_event(&self, step: usize) -> bool;

    /// Whether the start of the step was recorded.
    fn start_known(&self, _step: usize) -> bool {
        true
    }

    /// The start of a step on an axis.
    #[inline]
    fn position(&self, axis: Axis, step: usize) -> u64 {
        match (axis, step.checked_sub(1)) {
            (Axis::Time, _) => self.time(step),
            (Axis::Index, None) => 0,
            (Axis::Index, Some(before)) => {
                let event = self.event(step);
                // An event that starts another step cannot also start this one.
                let owns = self.owns_event(step) && self.event(before) < event;
                u64::from(event) + u64::from(!owns)
            }
        }
    }

    /// The number of steps that start at or before a position.
    fn steps_until(&self, axis: Axis, at: f64) -> usize {
        partition_point(self.len(), |step| self.position(axis, step) as f64 <= at)
    }
}
