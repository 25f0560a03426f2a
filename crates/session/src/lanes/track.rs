//! The state of a lane over time, as consecutive steps.

use super::BarClass;
use super::binary::TOO_MANY;
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

    /// The end of a step on an axis: the start of the next one, or the end of the lane.
    #[inline]
    fn end_position(&self, axis: Axis, step: usize, end: u64) -> u64 {
        match step + 1 < self.len() {
            true => self.position(axis, step + 1),
            false => end,
        }
    }

    /// The number of steps that start at or before a position.
    fn steps_until(&self, axis: Axis, at: f64) -> usize {
        partition_point(self.len(), |step| self.position(axis, step) as f64 <= at)
    }
}

/// A step of a [`StepTrack`]. Packed, as a trace can have millions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(Rust, packed(4))]
pub(crate) struct LaneStep {
    pub(crate) start: u64,
    /// The event at its start, or the last before it.
    pub(crate) event: u32,
    /// What its class refers to, or [`TOO_MANY`].
    pub(crate) subject: u32,
    pub(crate) class: BarClass,
    /// Whether the event belongs to it.
    pub(crate) owns_event: bool,
}

impl LaneStep {
    /// A step in which the lane is inactive.
    pub(crate) const fn nothing(start: u64, event: u32) -> Self {
        Self {
            start,
            event,
            subject: TOO_MANY,
            class: BarClass::NOTHING,
            owns_event: false,
        }
    }
}

/// A track whose steps are kept.
#[derive(Debug, Default)]
pub(crate) struct StepTrack {
    steps: Vec<LaneStep>,
    /// Numbers of the events that the lane shows, in ascending order.
    pub(crate) events: Vec<u32>,
}

impl StepTrack {
    /// Adds a step. The lane is inactive before the first one.
    pub(crate) fn push(&mut self, step: LaneStep) {
        if self.steps.is_empty() && step.start > 0 {
            self.steps.push(LaneStep::nothing(0, 0));
        }
        self.steps.push(step);
    }

    /// Adds a step; if the last one starts at the same time and `is_replaced`, in its place.
    pub(crate) fn push_over(&mut self, step: LaneStep, is_replaced: impl Fn(&LaneStep) -> bool) {
        match self.steps.last_mut() {
            Some(last) if last.start == step.start && is_replaced(last) => *last = step,
            _ => self.push(step),
        }
    }

    pub(crate) fn last(&self) -> Option<&LaneStep> {
        self.steps.last()
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.steps.shrink_to_fit();
    }

    /// Ticks in which the lane is busy, up to the last step.
    pub(crate) fn busy_time(&self) -> u64 {
        let ends = self.steps.iter().skip(1).map(|next| next.start);
        let steps = self.steps.iter().zip(ends);
        let busy = steps.filter(|(step, _)| step.class.is_busy());
        busy.map(|(step, end)| end.saturating_sub(step.start)).sum()
    }

    #[inline]
    fn step(&self, step: usize) -> LaneStep {
        const NOTHING: LaneStep = LaneStep::nothing(0, 0);
        self.steps.get(step).copied().unwrap_or(NOTHING)
    }
}

impl Track for StepTrack {
    #[inline]
    fn len(&self) -> usize {
        self.steps.len()
    }

    #[inline]
    fn time(&self, step: usize) -> u64 {
        self.step(step).start
    }

    #[inline]
    fn event(&self, step: usize) -> u32 {
        self.step(step).event
    }

    #[inline]
    fn class(&self, step: usize) -> BarClass {
        self.step(step).class
    }

    #[inline]
    fn subject(&self, step: usize) -> u32 {
        self.step(step).subject
    }

    #[inline]
    fn owns_event(&self, step: usize) -> bool {
        self.step(step).owns_event
    }

    fn start_known(&self, step: usize) -> bool {
        self.class(step) != BarClass::UNKNOWN
    }
}
