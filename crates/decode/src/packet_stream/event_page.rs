//! Consecutive events of a stream, in columns.

use rtoscope_trace::event::PriorityWord;
use rtoscope_trace::events::{ArgumentColumn, WordColumn};
use rtoscope_trace::extras::Extras;
use rtoscope_trace::{ContextId, EventColumns, EventIndex, EventKindId, Gap};
use std::ops::Range;

/// An event as it is stored.
pub(crate) struct StoredEvent {
    /// Ticks since the start of the stream.
    pub(crate) time: u64,
    /// The timestamp as recorded; `None` if packets have the time since the packet before.
    pub(crate) timestamp: Option<u32>,
    pub(crate) core: u8,
    pub(crate) context: ContextId,
    pub(crate) priority_word: PriorityWord,
    pub(crate) kind: u32,
    pub(crate) arguments: [u32; 4],
    /// The upper halves of the arguments of a target with words of 64 bits.
    pub(crate) upper_halves: [u32; 4],
}

/// Consecutive events. Ids of objects are as recorded.
#[derive(Debug, Clone, Default)]
pub(crate) struct EventPage {
    /// The number of its first event in the stream.
    pub(crate) first: u64,
    pub(crate) time: Vec<u64>,
    /// Empty if packets have none.
    pub(crate) timestamp: Vec<u32>,
    pub(crate) core: Vec<u8>,
    pub(crate) context: Vec<ContextId>,
    pub(crate) kind: Vec<EventKindId>,
    pub(crate) priority_word: Vec<PriorityWord>,
    pub(crate) arguments: Vec<[u32; 4]>,
    /// The upper halves of the arguments; empty if all are 0.
    pub(crate) upper_halves: Vec<[u32; 4]>,
    pub(crate) extras: Extras,
    /// The offsets of the packets, if they are wanted.
    pub(crate) offset: Vec<u64>,
    /// The gaps before its events.
    pub(crate) gaps: Vec<StreamGap>,
}

/// Missing packets before an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StreamGap {
    /// The number of the event in the stream.
    pub(crate) next_event: u64,
    pub(crate) cause: GapCause,
    /// Their number, if it is known.
    pub(crate) missing: Option<u64>,
    /// The core whose packets are missing, if the others are complete.
    pub(crate) core: Option<u8>,
}

/// Why packets are missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GapCause {
    /// The target's buffer was full.
    Overflow,
    /// Bytes are damaged or missing.
    Damage {
        /// The offset of the first byte that belongs to no packet.
        offset: u64,
        /// Number of bytes that belong to no packet.
        bytes: u64,
    },
    /// Another thread runs although the one before was not switched out.
    MissingSwitchOut,
    /// The connection was lost.
    Disconnected,
    /// The recording was stopped and started again.
    Pause,
    /// The target started again.
    Restart,
}

impl EventPage {
    /// Number of events.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.time.len()
    }

    /// The number of the event after the page.
    #[inline]
    pub(crate) fn end(&self) -> u64 {
        self.first + self.len() as u64
    }

    /// Reserves memory for events.
    pub(crate) fn reserve(&mut self, events: usize) {
        // If the allocation fails, the columns grow as needed.
        let _ = self.time.try_reserve(events);
        let _ = self.context.try_reserve(events);
        let _ = self.kind.try_reserve(events);
        let _ = self.priority_word.try_reserve(events);
        let _ = self.arguments.try_reserve(events);
    }

    /// Appends an event whose further words are in the extras.
    #[inline(always)]
    pub(crate) fn push(&mut self, event: &StoredEvent) {
        if event.core != 0 || !self.core.is_empty() {
            self.push_core(event.core);
        }
        if event.upper_halves != [0; 4] || !self.upper_halves.is_empty() {
            self.push_upper_halves(event.upper_halves);
        }
        self.time.push(event.time);
        self.timestamp.extend(event.timestamp);
        self.context.push(event.context);
        self.kind.push(EventKindId(event.kind));
        self.priority_word.push(event.priority_word);
        self.arguments.push(event.arguments);
        self.extras.end_event();
    }

    fn push_core(&mut self, core: u8) {
        self.core.resize(self.time.len(), 0);
        self.core.push(core);
    }

    fn push_upper_halves(&mut self, upper_halves: [u32; 4]) {
        self.upper_halves.resize(self.time.len(), [0; 4]);
        self.upper_halves.push(upper_halves);
    }

    /// An empty page that continues this one.
    pub(crate) fn continuation(&self) -> Self {
        Self {
            first: self.end(),
            extras: self.extras.continuation(),
            ..Self::default()
        }
    }

    /// Appends those events of the next page whose numbers are in `wanted`.
    pub(crate) fn append(&mut self, next: &Self, wanted: &Range<u64>) {
        let place = |number: u64| (number.clamp(next.first, next.end()) - next.first) as usize;
        let range = place(wanted.start)..place(wanted.end);
        if self.len() == 0 {
            self.first = next.first + range.start as u64;
        }
        fn part<'a, T>(column: &'a [T], range: &Range<usize>) -> &'a [T] {
            column.get(range.clone()).unwrap_or_default()
        }
        if !next.core.is_empty() || !self.core.is_empty() {
            self.core.resize(self.time.len(), 0);
            self.core.extend_from_slice(part(&next.core, &range));
            self.core.resize(self.time.len() + range.len(), 0);
        }
        if !next.upper_halves.is_empty() || !self.upper_halves.is_empty() {
            self.upper_halves.resize(self.time.len(), [0; 4]);
            let upper_halves = part(&next.upper_halves, &range);
            self.upper_halves.extend_from_slice(upper_halves);
            self.upper_halves
                .resize(self.time.len() + range.len(), [0; 4]);
        }
        self.time.extend_from_slice(part(&next.time, &range));
        let timestamps = part(&next.timestamp, &range);
        self.timestamp.extend_from_slice(timestamps);
        self.context.extend_from_slice(part(&next.context, &range));
        self.kind.extend_from_slice(part(&next.kind, &range));
        let words = part(&next.priority_word, &range);
        self.priority_word.extend_from_slice(words);
        let arguments = part(&next.arguments, &range);
        self.arguments.extend_from_slice(arguments);
        self.extras.append(&next.extras, range);
        let gaps = next.gaps.iter();
        self.gaps
            .extend(gaps.filter(|gap| wanted.contains(&gap.next_event)));
    }

    /// Puts the events in the order of their times; returns the new place of each.
    pub(crate) fn sort_by_time(&mut self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        order.sort_by_key(|place| self.time.get(*place as usize).copied());
        fn reorder<T: Copy>(column: &mut Vec<T>, order: &[u32]) {
            // A column of events that all have the same value may be shorter.
            if !column.is_empty() {
                let ordered = order.iter().filter_map(|place| column.get(*place as usize));
                *column = ordered.copied().collect();
            }
        }
        if !self.core.is_empty() {
            self.core.resize(self.time.len(), 0);
        }
        reorder(&mut self.time, &order);
        reorder(&mut self.core, &order);
        reorder(&mut self.context, &order);
        reorder(&mut self.kind, &order);
        reorder(&mut self.priority_word, &order);
        reorder(&mut self.arguments, &order);
        let events: Vec<_> = order.iter().copied().map(EventIndex).collect();
        self.extras.reorder(&events);
        let mut places = vec![0; order.len()];
        for (place, event) in (0..).zip(order) {
            if let Some(slot) = places.get_mut(event as usize) {
                *slot = place;
            }
        }
        for gap in &mut self.gaps {
            let place = places.get((gap.next_event - self.first) as usize);
            gap.next_event = self.first + place.map_or(self.time.len() as u64, |it| (*it).into());
        }
        self.gaps.sort_by_key(|gap| gap.next_event);
        places
    }

    /// The gaps between its events.
    pub(crate) fn inner_gaps(&self) -> impl Iterator<Item = (&StreamGap, Gap)> {
        self.gaps.iter().filter_map(|gap| {
            let place = gap.next_event.checked_sub(self.first)?;
            let place = u32::try_from(place).ok().filter(|place| *place > 0)?;
            let inner = Gap {
                next_event: EventIndex(place),
                missing: gap.missing,
                core: gap.core,
                is_restart: gap.cause == GapCause::Restart,
            };
            Some((gap, inner))
        })
    }

    /// The columns of a trace that begins with the page's first event; `is_wide` if the target has
    /// words of 64 bits.
    pub(crate) fn into_columns(mut self, is_wide: bool) -> EventColumns {
        if self.timestamp.is_empty() {
            // Packets have no timestamp, but the time since the packet before.
            self.timestamp = self.time.iter().map(|time| *time as u32).collect();
        }
        let start = self.time.first().copied().unwrap_or_default();
        self.time.iter_mut().for_each(|time| *time -= start);
        let (timestamp, arguments) = if is_wide {
            self.upper_halves.resize(self.time.len(), [0; 4]);
            let halves = self.arguments.iter().zip(&self.upper_halves);
            let wide = halves.map(|(lower, upper)| {
                std::array::from_fn(|place| {
                    let [lower, upper] = [lower, upper].map(|it| it.get(place).copied());
                    u64::from(lower.unwrap_or(0)) | u64::from(upper.unwrap_or(0)) << 32
                })
            });
            let timestamps = self.timestamp.iter().copied().map(u64::from);
            (
                WordColumn::Wide(timestamps.collect()),
                ArgumentColumn::Wide(wide.collect()),
            )
        } else {
            (
                WordColumn::Narrow(self.timestamp),
                ArgumentColumn::Narrow(self.arguments),
            )
        };
        EventColumns {
            timestamp,
            time: self.time,
            core: self.core,
            context: self.context,
            kind: self.kind,
            priority_word: self.priority_word,
            arguments,
            extras: self.extras,
        }
    }
}
