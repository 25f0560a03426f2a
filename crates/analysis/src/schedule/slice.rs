//! Slices: the running contexts of a core.

use super::IsrActivationId;
use crate::event_time::EventTime;
use crate::packed_vec::{Columns, Pack, PackedVec, columns, pack_id, unpack_id};
use rtoscope_trace::{ContextId, Contexts, EventIndex, Ticks};
use std::ops::Range;

/// The running context of a core, packed into a word: a trace can have as many
/// slices as events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Running(u32);

const ISR_FLAG: u32 = 1 << 31;

/// The running context of a core.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RunningContext {
    /// A thread.
    Thread(ContextId),
    /// The innermost active interrupt service routine.
    Isr(IsrActivationId),
    /// An interrupt or the scheduler, outside the ISRs in the trace.
    Kernel,
    /// No thread is ready.
    Idle,
    /// Code that runs before the scheduler.
    Initialize,
    /// The trace has no evidence.
    Unknown,
}

impl Running {
    /// The trace has no evidence.
    pub const UNKNOWN: Self = Self(ContextId::UNKNOWN.0);

    /// An interrupt or the scheduler, outside the ISRs in the trace.
    pub const KERNEL: Self = Self(Contexts::INTERRUPT.0);

    /// A thread, idle or initialisation, or [`ContextId::UNKNOWN`].
    pub const fn context(context: ContextId) -> Self {
        Self(context.0)
    }

    /// An interrupt service routine.
    pub const fn isr(activation: IsrActivationId) -> Self {
        Self(activation.0 | ISR_FLAG)
    }

    /// The unpacked context.
    pub const fn running_context(self) -> RunningContext {
        match ContextId(self.0) {
            ContextId::UNKNOWN => RunningContext::Unknown,
            Contexts::INTERRUPT => RunningContext::Kernel,
            Contexts::IDLE => RunningContext::Idle,
            Contexts::INITIALIZE => RunningContext::Initialize,
            ContextId(word) if word & ISR_FLAG != 0 => {
                RunningContext::Isr(IsrActivationId(word & !ISR_FLAG))
            }
            context => RunningContext::Thread(context),
        }
    }
}

/// A span of time in which a core ran one context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slice {
    /// Its start; it lasts until the next slice of the core begins.
    pub start: Ticks,
    /// The last event before it, or at its start.
    pub event: EventIndex,
    /// The running context.
    pub running: Running,
}

impl Pack for Slice {
    const COLUMNS: usize = 4;

    fn pack(&self) -> Columns {
        // Activations have numbers of their own, which increase.
        let (context, activation) = match self.running.running_context() {
            RunningContext::Isr(id) => (0, pack_id(id.0)),
            _ => (pack_id(self.running.0), 0),
        };
        columns([self.start.0, self.event.0.into(), context, activation])
    }

    fn unpack([start, event, context, activation, ..]: Columns) -> Self {
        Self {
            start: Ticks(start),
            event: EventIndex(event as u32),
            running: match activation {
                0 => Running(unpack_id(context)),
                activation => Running::isr(IsrActivationId(unpack_id(activation))),
            },
        }
    }
}

/// The slices of one core, without gaps, from the first event of the trace to
/// the last. Neighbours differ, and none is empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoreSlices {
    /// The core's number.
    pub core: u8,
    /// The slices, in order of time.
    pub slices: PackedVec<Slice>,
    /// The end of the last one.
    pub end: Ticks,
}

impl CoreSlices {
    pub(super) fn new(core: u8) -> Self {
        Self {
            core,
            slices: PackedVec::from_iter([Slice {
                start: Ticks(0),
                event: EventIndex(0),
                running: Running::UNKNOWN,
            }]),
            end: Ticks(0),
        }
    }

    /// From that time on, which is not before the last slice, the core runs
    /// `running`.
    #[inline]
    pub(super) fn push(&mut self, from: EventTime, running: Running) {
        let Some(last) = self.slices.last_mut() else {
            return;
        };
        if last.running == running {
            return;
        }
        let (start, event) = (Ticks(from.time), from.event);
        if last.start < start {
            self.slices.push(Slice {
                start,
                event,
                running,
            });
            return;
        }
        // The last slice would be empty.
        *last = Slice {
            start,
            event,
            running,
        };
        let before = self.slices.len().checked_sub(2);
        let before = before.and_then(|before| self.slices.get(before));
        if before.is_some_and(|before| before.running == running) {
            self.slices.pop();
        }
    }

    /// What ran between two times is unknown; `running` runs from the second one on,
    /// which is the present.
    pub(super) fn forget(&mut self, from: EventTime, until: EventTime, running: Running) {
        while self.slices.len() > 1
            && self
                .slices
                .last()
                .is_some_and(|last| last.start.0 >= from.time)
        {
            self.slices.pop();
        }
        self.push(from, Running::UNKNOWN);
        self.push(until, running);
    }

    /// Everything after `end` is unknown.
    pub(super) fn finish(&mut self, end: Ticks) {
        self.end = end;
        if self.slices.last().is_some_and(|last| last.start >= end) {
            self.slices.pop();
        }
    }

    /// The slices, each with its end.
    pub fn iter(&self) -> impl Iterator<Item = (Slice, Ticks)> {
        self.iter_from(0)
    }

    /// The slices from index `first` on, each with its end.
    pub fn iter_from(&self, first: usize) -> impl Iterator<Item = (Slice, Ticks)> {
        let slices = self.slices.with_next(first);
        slices.map(|(slice, next)| (slice, next.map_or(self.end, |next| next.start)))
    }

    /// The slices in a window, each with its part in the window.
    pub fn within(&self, window: Range<u64>) -> impl Iterator<Item = (Slice, Range<u64>)> {
        let first = self
            .slices
            .partition_point(|slice| slice.start.0 <= window.start);
        self.iter_from(first.saturating_sub(1))
            .map_while(move |(slice, end)| {
                let part = slice.start.0.max(window.start)..end.0.min(window.end);
                (part.start < part.end).then_some((slice, part))
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn running_contexts_round_trip() {
        let isr = Running::isr(IsrActivationId(7));
        assert_eq!(
            isr.running_context(),
            RunningContext::Isr(IsrActivationId(7))
        );
        assert_eq!(Running::UNKNOWN.running_context(), RunningContext::Unknown);
        assert_eq!(Running::KERNEL.running_context(), RunningContext::Kernel);
        assert_eq!(
            Running::context(Contexts::IDLE).running_context(),
            RunningContext::Idle
        );
        let thread = ContextId(3);
        assert_eq!(
            Running::context(thread).running_context(),
            RunningContext::Thread(thread)
        );
    }
}
