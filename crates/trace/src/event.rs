//! The events of a trace, in columns.

use crate::extras::Extras;
use crate::{ContextId, Contexts, EventIndex, KindId, Ticks};
use std::ops::Range;

/// A column of target words: 4 bytes each where the target's words have 4.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Words {
    /// Words of 4 bytes.
    Narrow(Vec<u32>),
    /// Words of 8 bytes.
    Wide(Vec<u64>),
}

impl Words {
    /// How many words there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Narrow(words) => words.len(),
            Self::Wide(words) => words.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The `index`-th word.
    pub fn get(&self, index: usize) -> Option<u64> {
        match self {
            Self::Narrow(words) => words.get(index).copied().map(u64::from),
            Self::Wide(words) => words.get(index).copied(),
        }
    }
}

/// A column of four arguments an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Arguments {
    /// Arguments of 4 bytes.
    Narrow(Vec<[u32; 4]>),
    /// Arguments of 8 bytes.
    Wide(Vec<[u64; 4]>),
}

impl Arguments {
    /// The arguments of the `index`-th event.
    pub fn get(&self, index: usize) -> Option<[u64; 4]> {
        match self {
            Self::Narrow(words) => words.get(index).map(|words| words.map(u64::from)),
            Self::Wide(words) => words.get(index).copied(),
        }
    }
}

/// A thread's priority (0 is the highest) and preemption threshold, or the
/// context that an interrupt interrupted: what a record says about who ran,
/// packed into a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing(pub u32);

const THRESHOLD_KNOWN: u32 = 1 << 31;

impl Standing {
    /// A thread's event whose record does not give a priority.
    pub const NO_PRIORITY: Self = Self(u16::MAX as u32);

    /// A thread's priority and, where recorded, its preemption threshold, both
    /// below 32768.
    pub const fn thread(priority: u16, threshold: Option<u16>) -> Self {
        match threshold {
            Some(threshold) => {
                Self(THRESHOLD_KNOWN | ((threshold & 0x7FFF) as u32) << 16 | priority as u32)
            }
            None => Self(priority as u32),
        }
    }

    /// Whether a thread's preemption threshold was recorded.
    pub const fn has_threshold(self) -> bool {
        self.0 & THRESHOLD_KNOWN != 0
    }

    /// The context that an interrupt interrupted; [`ContextId::UNKNOWN`] where
    /// the record does not say.
    pub const fn interrupted(context: ContextId) -> Self {
        Self(context.0)
    }
}

/// The columns. All have one value an event, in trace order: oldest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Events {
    /// Time since the first event, in ticks; never falls.
    pub time: Vec<u64>,
    /// The stamp as recorded, not masked.
    pub stamp: Words,
    /// The core that recorded the event; empty if it was core 0 throughout.
    pub core: Vec<u8>,
    /// The context in which it happened.
    pub context: Vec<ContextId>,
    /// What happened.
    pub kind: Vec<KindId>,
    /// What the record says about who ran, see [`Event::priority`] and
    /// [`Event::interrupted`].
    pub standing: Vec<Standing>,
    /// Its arguments.
    pub arguments: Arguments,
    /// What does not fit into four arguments.
    pub extras: Extras,
}

/// One event, gathered from the columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    /// Its number: the oldest is 0.
    pub index: EventIndex,
    /// Time since the first event.
    pub time: Ticks,
    /// The stamp as recorded.
    pub stamp: u64,
    /// The core that recorded it.
    pub core: u8,
    /// The context in which it happened.
    pub context: ContextId,
    /// What happened.
    pub kind: KindId,
    /// What the record says about who ran.
    pub standing: Standing,
    /// Its arguments.
    pub arguments: [u64; 4],
}

/// Who logged an event, and when: what a scheduler needs beside what it means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Presence {
    /// The event's number.
    pub index: EventIndex,
    /// Time since the first event.
    pub time: Ticks,
    /// The core that recorded it.
    pub core: u8,
    /// The context in which it happened.
    pub context: ContextId,
    /// What the record says about who ran.
    pub standing: Standing,
}

impl Presence {
    /// The running thread's effective priority; 0 is the highest. `None`
    /// outside threads and with [`Standing::NO_PRIORITY`].
    pub fn priority(&self) -> Option<u16> {
        let known = self.context > Contexts::IDLE && self.standing != Standing::NO_PRIORITY;
        known.then_some(self.standing.0 as u16)
    }

    /// The context that was interrupted, in an interrupt;
    /// [`ContextId::UNKNOWN`] where the record does not say.
    pub fn interrupted(&self) -> Option<ContextId> {
        (self.context == Contexts::INTERRUPT).then_some(ContextId(self.standing.0))
    }
}

impl Event {
    fn is_thread(&self) -> bool {
        self.context > Contexts::IDLE
    }

    /// Who logged it, and when.
    pub fn presence(&self) -> Presence {
        Presence {
            index: self.index,
            time: self.time,
            core: self.core,
            context: self.context,
            standing: self.standing,
        }
    }

    /// The running thread's effective priority; 0 is the highest. `None`
    /// outside threads and with [`Standing::NO_PRIORITY`].
    pub fn priority(&self) -> Option<u16> {
        self.presence().priority()
    }

    /// The running thread's effective preemption threshold. `None` outside
    /// threads and where the kernel does not record it.
    pub fn threshold(&self) -> Option<u16> {
        let known = self.is_thread() && self.standing.has_threshold();
        known.then_some((self.standing.0 >> 16) as u16 & 0x7FFF)
    }

    /// The context that was interrupted, in an interrupt;
    /// [`ContextId::UNKNOWN`] where the record does not say.
    pub fn interrupted(&self) -> Option<ContextId> {
        self.presence().interrupted()
    }
}

/// The values of these numbers, as far as the column has them.
fn part<'c, T>(column: &'c [T], numbers: &Range<usize>) -> std::slice::Iter<'c, T> {
    let end = numbers.end.min(column.len());
    column.get(numbers.start..end).unwrap_or_default().iter()
}

impl Events {
    /// How many events there are.
    pub fn len(&self) -> usize {
        self.time.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.time.is_empty()
    }

    /// The event of that number.
    pub fn get(&self, index: EventIndex) -> Option<Event> {
        let at = index.index();
        Some(Event {
            index,
            time: Ticks(*self.time.get(at)?),
            stamp: self.stamp.get(at)?,
            core: self.core.get(at).copied().unwrap_or_default(),
            context: *self.context.get(at)?,
            kind: *self.kind.get(at)?,
            standing: *self.standing.get(at)?,
            arguments: self.arguments.get(at)?,
        })
    }

    /// All events, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Event> {
        let count = u32::try_from(self.len()).unwrap_or(u32::MAX);
        (0..count).filter_map(|index| self.get(EventIndex(index)))
    }

    /// Calls `visit` with the events of these numbers, oldest first: the fastest
    /// way to see many.
    pub fn visit(&self, numbers: Range<usize>, visit: impl FnMut(Event)) {
        match (&self.stamp, &self.arguments) {
            (Words::Narrow(stamps), Arguments::Narrow(arguments)) => {
                self.visit_words(numbers, stamps, arguments, visit);
            }
            (Words::Wide(stamps), Arguments::Wide(arguments)) => {
                self.visit_words(numbers, stamps, arguments, visit);
            }
            // Columns of different widths: not made by any decoder.
            _ => {
                let index = |number| EventIndex(u32::try_from(number).unwrap_or(u32::MAX));
                let events = numbers.map_while(|number| self.get(index(number)));
                events.for_each(visit);
            }
        }
    }

    #[inline]
    fn visit_words<W: Copy + Into<u64>>(
        &self,
        numbers: Range<usize>,
        stamps: &[W],
        arguments: &[[W; 4]],
        mut visit: impl FnMut(Event),
    ) {
        let first = u32::try_from(numbers.start).unwrap_or(u32::MAX);
        let mut cores = part(&self.core, &numbers);
        let columns = (first..)
            .zip(part(&self.time, &numbers))
            .zip(part(stamps, &numbers))
            .zip(part(&self.context, &numbers))
            .zip(part(&self.kind, &numbers))
            .zip(part(&self.standing, &numbers))
            .zip(part(arguments, &numbers));
        for ((((((index, time), stamp), context), kind), standing), arguments) in columns {
            visit(Event {
                index: EventIndex(index),
                time: Ticks(*time),
                stamp: (*stamp).into(),
                core: cores.next().copied().unwrap_or_default(),
                context: *context,
                kind: *kind,
                standing: *standing,
                arguments: arguments.map(Into::into),
            });
        }
    }

    /// The same without what happened, which is less to read.
    pub fn visit_presences(&self, numbers: Range<usize>, mut visit: impl FnMut(Presence)) {
        let first = u32::try_from(numbers.start).unwrap_or(u32::MAX);
        let mut cores = part(&self.core, &numbers);
        let columns = (first..)
            .zip(part(&self.time, &numbers))
            .zip(part(&self.context, &numbers))
            .zip(part(&self.standing, &numbers));
        for (((index, time), context), standing) in columns {
            visit(Presence {
                index: EventIndex(index),
                time: Ticks(*time),
                core: cores.next().copied().unwrap_or_default(),
                context: *context,
                standing: *standing,
            });
        }
    }

    /// Ticks from the first event to the last.
    pub fn span(&self) -> Ticks {
        Ticks(self.time.last().copied().unwrap_or_default())
    }
}
