//! Random events and pauses, read at random times in containers of random sizes.

use super::received::{Received, ReceivedEntry};
use super::{TestClock, TestStream, ring, stream};
use proptest::prelude::*;
use rtoscope_decode::DecodeOptions;
use rtoscope_decode::live::{HostTime, LiveDecoder, LiveOptions};
use rtoscope_record::stream::{EntryGroup, ThreadState};
use rtoscope_wire::cswitch::EntryKind;
use rtoscope_wire::cswitch::command::StreamCommand;
use std::collections::BTreeSet;

#[derive(Debug, Clone, Copy)]
enum Action {
    Resume(u32),
    ResumeShort(u8),
    Idle,
    Ready(u32),
    ReadyShort(u8),
    Wait(u32),
    IsrEnter(u8),
    IsrExit(u8),
    IsrReturn(u32),
    MarkerBegin(u32, u32),
    MarkerEnd(u32, u32),
    Marker(u32, u32),
    /// Time passes.
    Advance(u32),
    /// A long time passes, in which the stream is only read.
    Silence(u32),
    Read(usize),
    ReadAll(usize),
    Command(StreamCommand),
}

impl Action {
    /// Records; returns the entry.
    fn record(self, stream: &TestStream<'_>) -> Option<(EntryKind, u32, u32)> {
        Some(match self {
            Self::Resume(thread) => {
                stream.resume(thread);
                (EntryKind::SyncResume, thread, 0)
            }
            Self::ResumeShort(thread) => {
                stream.resume_short(thread);
                (EntryKind::SyncResume, thread.into(), 0)
            }
            Self::Idle => {
                stream.idle();
                (EntryKind::Sleep, 0, 0)
            }
            Self::Ready(thread) => {
                stream.ready(thread);
                (EntryKind::Ready, thread, 0)
            }
            Self::ReadyShort(thread) => {
                stream.ready_short(thread);
                (EntryKind::Ready, thread.into(), 0)
            }
            Self::Wait(reason) => {
                stream.wait(ThreadState(reason));
                (EntryKind::Wait, reason, 0)
            }
            Self::IsrEnter(handler) => {
                stream.isr_enter(handler);
                (EntryKind::IsrEnter, handler.into(), 0)
            }
            Self::IsrExit(handler) => {
                stream.isr_exit(handler);
                (EntryKind::IsrExit, handler.into(), 0)
            }
            Self::IsrReturn(thread) => {
                stream.isr_return(thread);
                (EntryKind::IsrReturn, thread, 0)
            }
            Self::MarkerBegin(marker, value) => {
                stream.marker_begin(marker, value);
                (EntryKind::MarkerBegin, marker, value)
            }
            Self::MarkerEnd(marker, value) => {
                stream.marker_end(marker, value);
                (EntryKind::MarkerEnd, marker, value)
            }
            Self::Marker(marker, value) => {
                stream.marker(marker, value);
                (EntryKind::MarkerInstant, marker, value)
            }
            _ => return None,
        })
    }
}

fn any_record() -> impl Strategy<Value = Action> {
    prop_oneof![
        any::<u32>().prop_map(Action::Resume),
        any::<u8>().prop_map(Action::ResumeShort),
        Just(Action::Idle),
        any::<u32>().prop_map(Action::Ready),
        any::<u8>().prop_map(Action::ReadyShort),
        (0..=13_u32).prop_map(Action::Wait),
        any::<u8>().prop_map(Action::IsrEnter),
        any::<u8>().prop_map(Action::IsrExit),
        any::<u32>().prop_map(Action::IsrReturn),
        (0..20_u32, any::<u32>()).prop_map(|(marker, value)| Action::MarkerBegin(marker, value)),
        (0..20_u32, any::<u32>()).prop_map(|(marker, value)| Action::MarkerEnd(marker, value)),
        (0..20_u32, any::<u32>()).prop_map(|(marker, value)| Action::Marker(marker, value)),
    ]
}

fn any_command() -> impl Strategy<Value = StreamCommand> {
    prop_oneof![
        3 => Just(StreamCommand::Start),
        1 => Just(StreamCommand::Stop),
        1 => Just(StreamCommand::SendNames),
        2 => (any::<u32>(), any::<bool>())
            .prop_map(|(groups, suppress)| StreamCommand::Filter { groups, suppress }),
        4 => (0..20_u32, prop::bool::weighted(0.7))
            .prop_map(|(marker, suppress)| StreamCommand::FilterMarker { marker, suppress }),
        4 => (any::<u8>(), prop::bool::weighted(0.7))
            .prop_map(|(handler, suppress)| StreamCommand::FilterHandler { handler, suppress }),
        1 => Just(StreamCommand::Snapshot),
    ]
}

fn any_action() -> impl Strategy<Value = Action> {
    let short = prop_oneof![0..200_u32, 0..1_u32 << 19, 0..1_u32 << 27];
    prop_oneof![
        60 => any_record(),
        30 => short.prop_map(Action::Advance),
        2 => (0..0xB000_0000_u32).prop_map(Action::Silence),
        4 => (256..600_usize).prop_map(Action::Read),
        2 => (256..2000_usize).prop_map(Action::ReadAll),
        2 => any_command().prop_map(Action::Command),
    ]
}

/// What the entries of the stream must be.
struct Model {
    now: u64,
    /// Entries in the ring.
    recorded: Vec<ReceivedEntry>,
    /// Entries that a reader has taken.
    expected: Vec<ReceivedEntry>,
    groups: u32,
    markers: BTreeSet<u32>,
    handlers: BTreeSet<u32>,
}

impl Model {
    fn suppresses(&self, entry: &ReceivedEntry) -> bool {
        let has = |group: EntryGroup| self.groups & group.bit() != 0;
        match entry.kind {
            EntryKind::IsrReturn => has(EntryGroup::Interrupts),
            EntryKind::IsrEnter | EntryKind::IsrExit => {
                has(EntryGroup::Interrupts) || self.handlers.contains(&entry.operand)
            }
            EntryKind::Ready | EntryKind::Wait => has(EntryGroup::Readiness),
            EntryKind::MarkerBegin | EntryKind::MarkerEnd | EntryKind::MarkerInstant => {
                has(EntryGroup::Markers) || self.markers.contains(&entry.operand)
            }
            _ => false,
        }
    }

    /// All entries in the ring are read.
    fn read_all(&mut self) {
        let recorded = std::mem::take(&mut self.recorded);
        let passing = recorded.into_iter().filter(|entry| !self.suppresses(entry));
        let passing: Vec<_> = passing.collect();
        self.expected.extend(passing);
    }

    fn apply(&mut self, command: StreamCommand) {
        match command {
            StreamCommand::Filter { groups, suppress } => {
                let groups = groups & 7;
                self.groups = if suppress {
                    self.groups | groups
                } else {
                    self.groups & !groups
                };
            }
            StreamCommand::FilterMarker { marker, suppress } => {
                if !suppress {
                    self.markers.remove(&marker);
                } else if self.markers.len() < 8 {
                    self.markers.insert(marker);
                }
            }
            StreamCommand::FilterHandler { handler, suppress } => {
                if suppress {
                    self.handlers.insert(handler.into());
                } else {
                    self.handlers.remove(&handler.into());
                }
            }
            StreamCommand::SendNames
            | StreamCommand::Start
            | StreamCommand::Stop
            | StreamCommand::Snapshot => {}
        }
    }
}

/// Runs actions, and compares what a receiver gets. Returns all bytes, the number of received
/// entries and of lost ones.
fn run(words: usize, start: u32, actions: &[Action]) -> (Vec<u8>, usize, u32) {
    let clock = TestClock::default();
    clock.0.set(start);
    let stream = stream(&clock);
    assert!(stream.start(ring(words), 1_000_000));
    let mut model = Model {
        now: start.into(),
        recorded: Vec::new(),
        expected: Vec::new(),
        groups: 0,
        markers: BTreeSet::new(),
        handlers: BTreeSet::new(),
    };
    let mut received = Received::default();
    let mut all = Vec::new();
    let mut read = |size: usize| {
        let mut bytes = vec![0; size];
        let length = stream.read(&mut bytes);
        if length > 0 {
            received.push(&bytes[..length]);
            all.extend_from_slice(&bytes[..length]);
        }
        length > 0
    };
    for action in actions {
        match *action {
            Action::Advance(ticks) => {
                model.now += u64::from(ticks);
                clock.0.set(model.now as u32);
            }
            Action::Silence(ticks) => {
                // Otherwise the counter could wrap unnoticed.
                while read(300) {}
                model.now += u64::from(ticks);
                clock.0.set(model.now as u32);
                while read(300) {}
                model.read_all();
            }
            // Its entries are compared later, with those of the reads that follow.
            Action::Read(size) => {
                read(size);
            }
            Action::ReadAll(size) => {
                while read(size) {}
                model.read_all();
            }
            Action::Command(command) => {
                while read(256) {}
                model.read_all();
                stream.take(&command.to_bytes());
                model.apply(command);
            }
            record => {
                let lost = stream.lost();
                if let Some((kind, operand, value)) = record.record(&stream) {
                    if stream.lost() == lost {
                        model.recorded.push(ReceivedEntry {
                            time: model.now,
                            kind,
                            operand,
                            value,
                            lost: lost.into(),
                        });
                    } else {
                        assert_eq!(stream.lost(), lost + 1);
                    }
                }
            }
        }
    }
    // The last entry shows what was lost before it.
    while read(256) {}
    model.read_all();
    stream.pause(false);
    let lost = stream.lost();
    stream.idle();
    assert_eq!(stream.lost(), lost, "the ring is empty");
    model.recorded.push(ReceivedEntry {
        time: model.now,
        kind: EntryKind::Sleep,
        operand: 0,
        value: 0,
        lost: lost.into(),
    });
    while read(256) {}
    model.read_all();
    let is_filter = |entry: &&ReceivedEntry| entry.kind == EntryKind::Filter;
    let last_filter = received.entries.iter().rfind(is_filter).copied();
    // It shows the groups from there on.
    assert_eq!(last_filter.map_or(0, |filter| filter.operand), model.groups);
    received
        .entries
        .retain(|entry| entry.kind != EntryKind::Filter);
    assert_eq!(received.entries, model.expected);
    assert_eq!(received.lost, u64::from(lost));
    (all, received.entries.len(), lost)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 4 } else { 100 }))]

    #[test]
    fn entries_are_received_as_recorded(
        words in 64..300_usize,
        start in prop_oneof![Just(0), any::<u32>(), Just(u32::MAX)],
        actions in proptest::collection::vec(any_action(), 0..600),
    ) {
        run(words, start, &actions);
    }

    /// The decoder of rtoscope finds the same number of entries and of lost ones.
    #[test]
    fn streams_are_decoded(
        words in 64..300_usize,
        actions in proptest::collection::vec(
            prop_oneof![
                20 => any_record(),
                10 => (1..1_u32 << 27).prop_map(Action::Advance),
                1 => (256..600_usize).prop_map(Action::ReadAll),
            ], 1..400),
    ) {
        let (bytes, entries, lost) = run(words, 0, &actions);
        let mut live = LiveDecoder::new(LiveOptions {
            options: DecodeOptions::default(),
            format: None,
            max_events: 1_000_000,
        });
        live.push(&bytes, HostTime(0));
        let trace = live.next_update().unwrap().unwrap().recording.trace;
        let kinds = trace.events.kinds();
        let times = kinds.filter(|kind| kind.0 == EntryKind::Time as u32).count();
        prop_assert_eq!(trace.events.len() - times, entries);
        let missing: u64 = trace.gaps.iter().filter_map(|gap| gap.missing).sum();
        prop_assert_eq!(missing, u64::from(lost));
    }
}

#[test]
fn words_beside_the_end_of_the_ring_are_used() {
    // Every alignment of entries of each length to the end of the ring.
    for offset in 0..8 {
        let mut actions = vec![Action::ResumeShort(1); offset];
        for number in 0..300 {
            actions.push(match number % 5 {
                0 => Action::Marker(number, number),
                1 | 3 => Action::ResumeShort(number as u8),
                _ => Action::Resume(number),
            });
            actions.push(Action::Advance(3));
            if number % 7 == 0 {
                actions.push(Action::ReadAll(256));
            }
        }
        let (_, entries, lost) = run(64, 0, &actions);
        assert_eq!((entries, lost), (offset + 301, 0));
    }
}
