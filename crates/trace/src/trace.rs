//! A decoded recording.

use crate::catalogue::Meaning;
use crate::{
    Address, CallStacks, Catalogue, Clock, CodeLocations, ContextId, ContextKind, Contexts,
    Diagnostics, Event, EventIndex, Events, Object, Objects, SwitchModel, Ticks, Timescale,
};

/// A gap: events are missing between two consecutive ones. Nothing is known
/// about the time in between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gap {
    /// The first event after the gap.
    pub next_event: EventIndex,
    /// Number of missing events, as far as recorded: modulo 256 if records have
    /// sequence numbers of 8 bits; for slots that may never have been written, a maximum.
    pub missing: Option<u64>,
    /// The core whose events are missing, if each core has its own log: the
    /// other cores' events are complete. `None` if events of any core may be
    /// missing.
    pub core: Option<u8>,
    /// Whether the target restarted there, which need not lose events: no thread, wait or
    /// ownership from before exists any more.
    pub is_restart: bool,
}

/// The start of a trace that is a part of a longer recording. Events of the
/// part have numbers from 0, and times since its first event; adding these
/// values gives their numbers and times in the recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TraceOrigin {
    /// The number of its first event in the recording.
    pub event: u64,
    /// The time of that event, in ticks since the first event of the recording.
    pub time: Ticks,
}

/// A decoded recording of any format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    /// Its start, if it is a part of a longer recording.
    pub origin: TraceOrigin,
    /// The events, oldest first.
    pub events: Events,
    /// The contexts of the events.
    pub contexts: Contexts,
    /// The objects that they use.
    pub objects: Objects,
    /// The clock of the timestamps.
    pub clock: Clock,
    /// The numbers of the cores that recorded events, in order.
    pub cores: Vec<u8>,
    /// The gaps, in order.
    pub gaps: Vec<Gap>,
    /// The kinds of the events.
    pub catalogue: Catalogue,
    /// How the running context follows from the events.
    pub switch_model: SwitchModel,
    /// The known locations of code addresses in the events.
    pub code_locations: CodeLocations,
    /// The recorded call stacks.
    pub call_stacks: CallStacks,
    /// What is wrong with the recording, or limits its evidence.
    pub diagnostics: Diagnostics,
}

impl Trace {
    /// An event's number in the recording that this trace is a part of.
    pub fn recording_event(&self, event: EventIndex) -> u64 {
        self.origin.event.saturating_add(event.0.into())
    }

    /// Converts a time of the trace to ticks since the first event of the
    /// recording that it is a part of.
    pub fn recording_time(&self, time: Ticks) -> Ticks {
        self.timescale().recording_time(time)
    }

    /// The conversion of its ticks into time.
    pub fn timescale(&self) -> Timescale {
        self.clock.timescale(self.origin.time)
    }

    /// Whether this is the trace of the same recording from the same event on as
    /// `older`, with the same contexts, objects and other properties, and the same
    /// first `events` events. Whatever was computed from those events of `older`
    /// alone then holds for this trace. Only code locations may differ: later
    /// events add theirs.
    pub fn continues(&self, older: &Self, events: usize) -> bool {
        let gaps = |trace: &Self| {
            let begins_before = |gap: &&Gap| {
                let last = trace.last_event_before(gap);
                last.map_or(0, |last| last.index() + 1) < events
            };
            let gaps = trace.gaps.iter().filter(begins_before);
            gaps.copied().collect::<Vec<_>>()
        };
        self.origin == older.origin
            && self.clock.counts_like(&older.clock)
            && self.cores == older.cores
            && self.switch_model == older.switch_model
            && self.contexts == older.contexts
            && self.objects == older.objects
            && self.catalogue == older.catalogue
            && gaps(self) == gaps(older)
            && self.events.starts_with(&older.events, events)
    }

    /// A number that depends on the recorded events only, not on their names, the clock or how they
    /// were packed: another recording has another one. It is the same in all versions.
    pub fn fingerprint(&self) -> u64 {
        // FNV-1a on words, and the final mix of MurmurHash3.
        let mut hash = 0xCBF2_9CE4_8422_2325_u64;
        let mut add =
            |word: u64| hash = (hash ^ word).wrapping_mul(0x0100_0000_01B3).rotate_left(29);
        self.events.visit(0..self.events.len(), |event| {
            add(event.timestamp);
            add(u64::from(event.kind.0) << 8 | u64::from(event.core));
            event.arguments.into_iter().for_each(&mut add);
        });
        add(self.events.len() as u64);
        hash ^= hash >> 33;
        hash = hash.wrapping_mul(0xFF51_AFD7_ED55_8CCD);
        hash ^ hash >> 33
    }

    /// The last event before a gap: of the core whose events are missing, if
    /// known. `None` if the trace begins with the gap.
    pub fn last_event_before(&self, gap: &Gap) -> Option<EventIndex> {
        let mut before = (0..gap.next_event.0).rev().map(EventIndex);
        let Some(core) = gap.core else {
            return before.next();
        };
        before.find(|event| self.events.core(*event).unwrap_or_default() == core)
    }

    /// Whether the target restarted before an event.
    pub fn is_restart(&self, event: EventIndex) -> bool {
        let first = self.gaps.partition_point(|gap| gap.next_event < event);
        let gaps = self.gaps.iter().skip(first);
        let mut gaps = gaps.take_while(|gap| gap.next_event == event);
        gaps.any(|gap| gap.is_restart)
    }

    /// The start and end of a gap: the last event before it, else the start of
    /// the trace, and the first event after it.
    pub fn gap_bounds(&self, gap: &Gap) -> [Ticks; 2] {
        [self.last_event_before(gap), Some(gap.next_event)].map(|event| {
            let time = event.and_then(|event| self.events.time(event));
            time.unwrap_or_default()
        })
    }

    /// The code address of an event: its first argument with that meaning.
    /// `None` for a kind without one, or outside the catalogue.
    pub fn code_address(&self, event: &Event) -> Option<Address> {
        let kind = self.catalogue.get(event.kind)?;
        let mut words = self.raw_arguments(kind, event);
        let code = words.find(|(argument, _)| argument.meaning == Meaning::Code);
        code.map(|(_, value)| Address(value))
    }

    /// A context's display name: a thread's name (escaped) or, if it has none,
    /// its address; `(interrupt)`, `(initialize)` or `(idle)`.
    pub fn context_name(&self, id: ContextId) -> String {
        let Some(context) = self.contexts.get(id) else {
            return format!("context {id}");
        };
        match context.kind {
            ContextKind::Interrupt => "(interrupt)".to_owned(),
            ContextKind::Initialize => "(initialize)".to_owned(),
            ContextKind::Idle => "(idle)".to_owned(),
            ContextKind::Thread => {
                let object = context.object.and_then(|object| self.objects.get(object));
                object.map_or_else(|| context.address.to_string(), Object::display_name)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{ClockDirection, ClockQuality};
    use crate::event::PriorityWord;
    use crate::events::{ArgumentColumn, EventColumns, WordColumn};
    use crate::{EventKindId, Name, ObjectClass, ObjectId};

    /// A trace of two cores with an event at each tick.
    fn trace(count: u32) -> Trace {
        let len = count as usize;
        let mut contexts = Contexts::new(Address(0), Address(1), Address(2));
        contexts.push_thread(Address(0x10), Some(ObjectId(0)));
        let thread = Object {
            id: ObjectId(0),
            class: ObjectClass::Thread,
            type_number: 1,
            address: Address(0x10),
            name: Name::new(b"worker"),
            parameters: Some([0; 2]),
            priority: None,
            deleted: false,
            slot: Some(0),
        };
        Trace {
            origin: TraceOrigin::default(),
            events: Events::new(EventColumns {
                time: (0..count.into()).collect(),
                timestamp: WordColumn::Narrow((0..count).collect()),
                core: (0..len).map(|number| number as u8 % 2).collect(),
                context: vec![Contexts::IDLE; len],
                kind: vec![EventKindId(1); len],
                priority_word: vec![PriorityWord(0); len],
                arguments: ArgumentColumn::Narrow(vec![[7; 4]; len]),
                ..EventColumns::default()
            }),
            contexts,
            objects: Objects::new(vec![thread]),
            clock: Clock::new(u64::MAX, ClockDirection::Up),
            cores: vec![0, 1],
            gaps: Vec::new(),
            catalogue: Catalogue::default(),
            switch_model: SwitchModel::default(),
            code_locations: CodeLocations::default(),
            call_stacks: CallStacks::default(),
            diagnostics: Diagnostics::default(),
        }
    }

    fn gap(next_event: u32, core: Option<u8>) -> Gap {
        Gap {
            next_event: EventIndex(next_event),
            missing: None,
            core,
            is_restart: false,
        }
    }

    #[test]
    fn grown_traces_continue() {
        let older = trace(10);
        assert!(older.continues(&older, 10));
        let mut newer = trace(20);
        newer.clock.wraps = 3;
        newer.gaps = vec![gap(11, None), gap(15, Some(1))];
        assert!(newer.continues(&older, 10));
        assert!(!newer.continues(&older, 11) && !older.continues(&newer, 11));
        // Only the first events count.
        newer.events.edit(|columns| columns.time[9] = 10);
        assert!(newer.continues(&older, 9) && !newer.continues(&older, 10));
    }

    #[test]
    fn changed_traces_do_not_continue() {
        let changes: [fn(&mut Trace); 14] = [
            |trace| trace.origin.event = 1,
            |trace| trace.origin.time = Ticks(1),
            |trace| {
                trace.contexts.push_thread(Address(0x20), None);
            },
            |trace| {
                let mut renamed = trace.objects.get(ObjectId(0)).unwrap().clone();
                renamed.name = Name::new(b"server");
                trace.objects = Objects::new(vec![renamed]);
            },
            |trace| trace.clock.quality = ClockQuality::Good,
            |trace| trace.clock.period = Some(1 << 16),
            |trace| trace.cores.push(2),
            |trace| {
                trace.switch_model = SwitchModel::Explicit {
                    ends_handlers: false,
                    records_returns: true,
                    records_states: false,
                };
            },
            |trace| trace.gaps = vec![gap(5, None)],
            // The core's last event before the gap is the 9th.
            // It begins after event 8, the last one of its core.
            |trace| trace.gaps = vec![gap(10, Some(0))],
            |trace| {
                trace
                    .events
                    .edit(|columns| columns.context[3] = Contexts::INTERRUPT);
            },
            |trace| {
                trace
                    .events
                    .edit(|columns| columns.kind[0] = EventKindId(2));
            },
            |trace| {
                trace.events.edit(|columns| {
                    columns.arguments = ArgumentColumn::Wide(vec![[7; 4]; 20]);
                });
            },
            |trace| {
                trace.events.edit(|columns| {
                    columns.extras.push(1);
                    columns.extras.end_event();
                });
            },
        ];
        let older = trace(10);
        for (number, change) in changes.into_iter().enumerate() {
            let mut newer = trace(20);
            assert!(newer.continues(&older, 10));
            change(&mut newer);
            assert!(!newer.continues(&older, 10), "change {number}");
        }
    }

    #[test]
    fn earlier_gaps_must_stay() {
        let mut older = trace(10);
        older.gaps = vec![gap(5, None), gap(7, Some(0))];
        let mut newer = trace(20);
        assert!(!newer.continues(&older, 10));
        newer.gaps.clone_from(&older.gaps);
        newer.gaps.push(gap(12, None));
        assert!(newer.continues(&older, 10));
        newer.gaps.insert(1, gap(6, None));
        assert!(!newer.continues(&older, 10));
    }
}
