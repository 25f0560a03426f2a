//! Activations of interrupt service routines, and interrupts-off sections.

use super::Schedule;
use crate::packed_vec::{Columns, Pack, columns, pack_id, unpack_id};
use rtoscope_trace::{ContextId, EventIndex, Ticks};

/// An activation of an ISR: index into
/// [`Schedule::activations`](super::Schedule::activations).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct IsrActivationId(pub u32);

impl IsrActivationId {
    /// The number as an index into a slice.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Exits of an ISR without an entry, after a thread or idle has run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StrayExits {
    /// Its number.
    pub number: u32,
    /// Whether the trace has entries of it, so that it exits more than once.
    pub is_entered: bool,
    /// How many.
    pub count: u64,
    /// The first of them.
    pub first: Option<EventIndex>,
}

impl StrayExits {
    /// None so far.
    pub(super) const fn of(number: u32) -> Self {
        Self {
            number,
            is_entered: false,
            count: 0,
            first: None,
        }
    }
}

/// An interrupt service routine, from its entry to its exit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IsrActivation {
    /// The number that the application gave it. `None` if it did not record its
    /// entry and exit: then its activation is inferred from an uninterrupted
    /// group of records.
    pub number: Option<u32>,
    /// The core that ran it.
    pub core: u8,
    /// Number of active ISRs, itself included: 1 for the outermost.
    pub depth: u16,
    /// The thread it interrupted, or idle; [`ContextId::UNKNOWN`] if not
    /// recorded.
    pub interrupted: ContextId,
    /// Its first event.
    pub first: EventIndex,
    /// Its last event.
    pub last: EventIndex,
    /// Whether its first event is its entry.
    pub entered: bool,
    /// Whether its last event is its exit.
    pub exited: bool,
    /// The time of its first event.
    pub start: Ticks,
    /// The time of its last event; if the exit was not recorded, the last time
    /// at which it is known to have run.
    pub end: Ticks,
    /// Ticks of it in which nested ISRs ran.
    pub nested: Ticks,
}

impl IsrActivation {
    /// Ticks from entry to exit.
    pub fn duration(&self) -> Ticks {
        Ticks(self.end.0.saturating_sub(self.start.0))
    }

    /// Whether both entry and exit were recorded, so that its duration is
    /// known.
    pub fn is_complete(&self) -> bool {
        self.entered && self.exited
    }
}

impl Pack for IsrActivation {
    const COLUMNS: usize = 8;

    fn pack(&self) -> Columns {
        let core = u64::from(self.depth) << 8 | u64::from(self.core);
        columns([
            // The first column is read alone.
            self.number.map_or(0, |number| u64::from(number) + 1),
            self.start.0,
            self.end.0.wrapping_sub(self.start.0),
            self.nested.0,
            self.first.0.into(),
            self.last.0.wrapping_sub(self.first.0).into(),
            pack_id(self.interrupted.0),
            core << 2 | u64::from(self.entered) << 1 | u64::from(self.exited),
        ])
    }

    fn unpack(
        [
            number,
            start,
            duration,
            nested,
            first,
            events,
            interrupted,
            flags,
        ]: Columns,
    ) -> Self {
        Self {
            number: number.checked_sub(1).map(|number| number as u32),
            core: (flags >> 2) as u8,
            depth: (flags >> 10) as u16,
            interrupted: ContextId(unpack_id(interrupted)),
            first: EventIndex(first as u32),
            last: EventIndex((first as u32).wrapping_add(events as u32)),
            entered: flags & 2 != 0,
            exited: flags & 1 != 0,
            start: Ticks(start),
            end: Ticks(start.wrapping_add(duration)),
            nested: Ticks(nested),
        }
    }
}

impl Schedule {
    /// The number of the routine that is active.
    #[inline]
    pub(crate) fn isr_number(&self, id: IsrActivationId) -> Option<u32> {
        let number = self.activations.first_column(id.index())?;
        number.checked_sub(1).map(|number| number as u32)
    }

    /// The innermost interrupt service routine of a core at an event.
    pub fn isr_at(&self, event: EventIndex, core: u8) -> Option<(IsrActivationId, IsrActivation)> {
        let begun = self.activations.partition_point(|isr| isr.first <= event);
        let before = self.activations.range(0..begun).enumerate().rev();
        let of_core = before.filter(|(_, isr)| isr.core == core);
        for (index, isr) in of_core {
            if event <= isr.last {
                return Some((IsrActivationId(u32::try_from(index).ok()?), isr));
            }
            if isr.depth <= 1 {
                break;
            }
        }
        None
    }
}

/// How an interrupts-off section ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum InterruptsOffEnding {
    /// They were enabled by the last event.
    Restored,
    /// The core switched to another context by the last event, whose interrupt
    /// state is not recorded.
    Switched,
    /// They were enabled at an unknown time: the next event that disabled them
    /// found them enabled. The last event is the last one that found them off.
    Unrecorded,
    /// Events are missing after the last event.
    Lost,
    /// The trace ends.
    Open,
}

impl InterruptsOffEnding {
    const ALL: [Self; 5] = [
        Self::Restored,
        Self::Switched,
        Self::Unrecorded,
        Self::Lost,
        Self::Open,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Restored => "restored",
            Self::Switched => "switched",
            Self::Unrecorded => "unrecorded",
            Self::Lost => "lost",
            Self::Open => "open",
        }
    }
}

/// A span of time in which a core takes no interrupts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InterruptsOffSection {
    /// The core.
    pub core: u8,
    /// The context that disabled them, from the first event's record.
    pub context: ContextId,
    /// The innermost active ISR that disabled them, if any.
    pub activation: Option<IsrActivationId>,
    /// The time at which they were disabled; if that was not recorded, the time
    /// of the first event that found them off.
    pub start: Ticks,
    /// The time at which they were enabled; if that was not recorded, the last
    /// time at which they are known to have been off.
    pub end: Ticks,
    /// The event of the start.
    pub first: EventIndex,
    /// The event of the end; of a trace that ends, its last.
    pub last: EventIndex,
    /// Number of times that they were disabled while they were off.
    pub nested: u32,
    /// Whether the first event disabled them.
    pub start_known: bool,
    /// How it ended.
    pub ending: InterruptsOffEnding,
}

impl Pack for InterruptsOffSection {
    const COLUMNS: usize = 8;

    fn pack(&self) -> Columns {
        let core = u64::from(self.core) << 1 | u64::from(self.start_known);
        columns([
            self.start.0,
            self.end.0.wrapping_sub(self.start.0),
            self.first.0.into(),
            self.last.0.wrapping_sub(self.first.0).into(),
            pack_id(self.context.0),
            self.activation.map_or(0, |id| pack_id(id.0)),
            self.nested.into(),
            core << 3 | self.ending as u64,
        ])
    }

    fn unpack(
        [
            start,
            duration,
            first,
            events,
            context,
            activation,
            nested,
            flags,
        ]: Columns,
    ) -> Self {
        Self {
            core: (flags >> 4) as u8,
            context: ContextId(unpack_id(context)),
            activation: (activation > 0).then(|| IsrActivationId(unpack_id(activation))),
            start: Ticks(start),
            end: Ticks(start.wrapping_add(duration)),
            first: EventIndex(first as u32),
            last: EventIndex((first as u32).wrapping_add(events as u32)),
            nested: nested as u32,
            start_known: flags & 8 != 0,
            ending: InterruptsOffEnding::ALL[flags as usize & 7],
        }
    }
}

impl InterruptsOffSection {
    /// Ticks from start to end.
    pub fn duration(&self) -> Ticks {
        Ticks(self.end.0.saturating_sub(self.start.0))
    }

    /// Whether both ends were recorded, so that the duration is exact.
    /// Otherwise it is a minimum.
    pub fn is_complete(&self) -> bool {
        self.start_known && self.ending == InterruptsOffEnding::Restored
    }
}
