//! Packets of a trace that keeps recording: whatever happens between two reads, or at any
//! point of one, all entries arrive once and in order, or are counted as overwritten.

use super::buffer;
use super::support::memory;
use crate::preemption::{Core, PreemptingMask, TickingClock};
use proptest::prelude::*;
use rtoscope_record::threadx::{
    MIN_READ_BYTES, ObjectType, ThreadXRecorder, TraceCursor, WordWidth, buffer_words,
};
use rtoscope_wire::Word;
use rtoscope_wire::cswitch::{Crc32, SECTION_HEADER_BYTES, SectionHeader, SectionTag};
use rtoscope_wire::threadx::{
    EventEntry, MIN_PACKET_BYTES, OBJECTS_FIXED_BYTES, OBJECTS_SECTION, PACKET_HEADER_BYTES,
    PacketHeader, RING_POSITION_BYTES, RING_SECTION, RegistryEntry, RingPosition,
};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A recorder whose clock counts the entries: their timestamps are their numbers.
struct TestRecorder {
    recorder: ThreadXRecorder<PreemptingMask, TickingClock, u32>,
    core: Rc<Core>,
}

impl std::ops::Deref for TestRecorder {
    type Target = ThreadXRecorder<PreemptingMask, TickingClock, u32>;

    fn deref(&self) -> &Self::Target {
        &self.recorder
    }
}

/// An interrupt at one point, or at every one.
#[derive(Clone, Copy)]
struct Interrupt {
    point: Option<u32>,
    is_everywhere: bool,
    /// Number of entries that it records.
    entries: u32,
    registers: bool,
}

impl Interrupt {
    const NONE: Self = Self {
        point: None,
        is_everywhere: false,
        entries: 0,
        registers: false,
    };
}

impl Interrupt {
    fn occur(self, recorder: &TestRecorder, point: u32) {
        if !self.is_everywhere && self.point != Some(point) {
            return;
        }
        write(recorder, self.entries);
        if self.registers {
            let timer = 0x9000 + point as usize;
            recorder.register(ObjectType::TIMER, timer, "late", [point, 0]);
            recorder.unregister(0x9000 + point.wrapping_sub(7) as usize);
        }
    }
}

/// Records entries that contain a number.
fn write(recorder: &TestRecorder, entries: u32) {
    for _ in 0..entries {
        let number = recorder.core.ticks.get();
        recorder.user_event(4096, [number, !number, number ^ 0xAAAA_AAAA, 7]);
    }
}

fn start(slots: usize, objects: usize) -> &'static TestRecorder {
    let core = Core::new(1);
    let recorder = ThreadXRecorder::new(PreemptingMask(core.clone()), TickingClock(core.clone()));
    let recorder: &'static TestRecorder = Box::leak(Box::new(TestRecorder { recorder, core }));
    enable(recorder, slots, objects);
    recorder
}

fn enable(recorder: &TestRecorder, slots: usize, objects: usize) {
    recorder.core.ticks.set(0);
    recorder
        .enable(memory(buffer_words::<u32>(objects, slots)), objects)
        .unwrap();
}

/// What a host knows of a session.
#[derive(Default)]
struct Host {
    session: u32,
    /// The number that the next entry has if none is missing.
    next: u64,
    received: u64,
    overwritten: u64,
    /// Slots of the registry as in memory, and how often each one was received.
    slots: BTreeMap<u32, (Vec<u8>, u32)>,
}

impl Host {
    /// Checks a packet. Returns its number of entries.
    fn push(&mut self, bytes: &[u8]) -> usize {
        let header = PacketHeader::read(bytes).unwrap().unwrap();
        let layout = header.layout;
        assert_eq!(layout, buffer::layout::<u32>());
        if header.session != self.session {
            *self = Self {
                session: header.session,
                ..Self::default()
            };
        }
        let stride = layout.registry_stride(header.name_size);
        let mut entries = 0;
        let mut at = PACKET_HEADER_BYTES;
        loop {
            let section = SectionHeader::read(&bytes[at..], layout.order).unwrap();
            let start = at + SECTION_HEADER_BYTES;
            at = start + section.length as usize;
            let content = &bytes[start..at];
            match section.tag {
                OBJECTS_SECTION => {
                    let first = u32::read(content, layout.order).unwrap();
                    let slots = content[OBJECTS_FIXED_BYTES..].chunks_exact(stride);
                    assert!(slots.remainder().is_empty());
                    for (slot, bytes) in (first..).zip(slots) {
                        assert!(slot < u32::from(header.registry_slots));
                        let entry = RegistryEntry::read(layout, header.name_size, bytes);
                        assert!(entry.unwrap().is_used());
                        let times = self.slots.get(&slot).map_or(0, |(_, times)| *times);
                        self.slots.insert(slot, (bytes.to_vec(), times + 1));
                    }
                }
                RING_SECTION => {
                    let position = RingPosition::read(content, layout.order).unwrap();
                    let missing = position.first_entry - self.next;
                    assert_eq!(position.overwritten, self.overwritten + missing);
                    self.overwritten = position.overwritten;
                    self.next = position.first_entry;
                    for bytes in content[RING_POSITION_BYTES..].chunks(layout.entry_bytes()) {
                        let entry = EventEntry::<u32>::read(bytes, layout.order).unwrap();
                        let number = self.next as u32;
                        assert_eq!(entry.timestamp, number);
                        if number >= 2 {
                            // An interrupt between the arguments and the entry is possible.
                            let [argument, ..] = entry.info;
                            let info = [argument, !argument, argument ^ 0xAAAA_AAAA, 7];
                            assert_eq!((entry.id, entry.info), (4096, info));
                            assert!(argument <= number);
                        }
                        self.next += 1;
                        self.received += 1;
                        entries += 1;
                    }
                }
                SectionTag::END => {
                    let mut sum = Crc32::new();
                    sum.update(&bytes[..start]);
                    assert_eq!(u32::read(content, layout.order), Some(sum.value()));
                    assert_eq!(at, bytes.len());
                    return entries;
                }
                _ => panic!("an unknown section"),
            }
        }
    }

    /// Reads until nothing is new.
    fn read_all(&mut self, recorder: &TestRecorder, cursor: &mut TraceCursor, size: usize) {
        let mut buffer = vec![0xEE; size];
        loop {
            let length = recorder.read_new(cursor, &mut buffer);
            if length == 0 {
                break;
            }
            self.push(&buffer[..length]);
        }
        assert_eq!(self.next, u64::from(recorder.core.ticks.get()));
        assert_eq!(self.received + self.overwritten, self.next);
        assert_eq!(self.overwritten, cursor.overwritten_entries());
    }
}

/// The used slots of the registry in memory.
fn registry(recorder: &TestRecorder) -> BTreeMap<u32, Vec<u8>> {
    recorder.disable().unwrap();
    let words = recorder.take_buffer().unwrap();
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
    let layout = buffer::layout::<u32>();
    let header = buffer::read(layout, &bytes).header;
    let stride = layout.registry_stride(header.name_size);
    let start = layout.header_bytes();
    let end = start + layout.distance(header.registry_start, header.registry_end) as usize;
    (0..)
        .zip(bytes[start..end].chunks(stride).map(<[u8]>::to_vec))
        .filter(|(_, slot)| slot[1] != 0)
        .collect()
}

/// A thread that records and reads, with interrupts.
fn session(slots: usize, interrupt: Interrupt) -> u32 {
    let recorder = start(slots, 6);
    let (mut host, mut cursor) = (Host::default(), TraceCursor::new());
    recorder
        .core
        .interrupt(move |point| interrupt.occur(recorder, point));
    let mut buffer = vec![0; 700];
    recorder.register(ObjectType::QUEUE, 0x8000, "queue", [1, 2]);
    for step in 0..4 {
        write(recorder, 1 + step);
        let length = recorder.read_new(&mut cursor, &mut buffer);
        if length > 0 {
            host.push(&buffer[..length]);
        }
        recorder.register(ObjectType::MUTEX, 0x8100 + step as usize, "mutex", [1, 2]);
    }
    let points = recorder.core.calm();
    host.read_all(recorder, &mut cursor, 700);
    let expected = registry(recorder);
    let received = host
        .slots
        .into_iter()
        .map(|(slot, (bytes, _))| (slot, bytes));
    assert_eq!(received.collect::<BTreeMap<_, _>>(), expected);
    points
}

#[test]
fn interrupts_at_any_point_lose_nothing_uncounted() {
    for slots in [1, 2, 5, 40] {
        let points = session(slots, Interrupt::NONE);
        assert!(points > 40);
        for entries in [0, 1, 3, 11, 45] {
            for registers in [false, true] {
                let everywhere = Interrupt {
                    point: None,
                    is_everywhere: true,
                    entries,
                    registers,
                };
                session(slots, everywhere);
                for point in 0..points {
                    let once = Interrupt {
                        point: Some(point),
                        is_everywhere: false,
                        ..everywhere
                    };
                    session(slots, once);
                }
            }
        }
    }
}

#[test]
fn objects_are_read_once_and_again_on_request() {
    let recorder = start(100, 20);
    let (mut host, mut cursor) = (Host::default(), TraceCursor::new());
    for object in 0..10 {
        recorder.register(ObjectType::QUEUE, 0x100 + object, "an object", [0, 0]);
    }
    host.read_all(recorder, &mut cursor, 400);
    for object in 10..13 {
        recorder.register(ObjectType::QUEUE, 0x100 + object, "a late object", [0, 0]);
        write(recorder, 3);
        host.read_all(recorder, &mut cursor, MIN_READ_BYTES);
    }
    assert_eq!(host.slots.len(), 13);
    assert!(host.slots.values().all(|(_, times)| *times == 1));
    recorder.unregister(0x104);
    recorder.unregister(0x106);
    host.read_all(recorder, &mut cursor, 400);
    let twice = host.slots.iter().filter(|(_, (_, times))| *times == 2);
    assert_eq!(twice.map(|(slot, _)| *slot).collect::<Vec<_>>(), [4, 6]);
    cursor.forget_objects();
    host.read_all(recorder, &mut cursor, 400);
    assert!(host.slots.values().all(|(_, times)| *times >= 2));
    // More changes at once than the recorder remembers.
    for object in 0..9 {
        recorder.unregister(0x100 + object);
    }
    host.read_all(recorder, &mut cursor, 400);
    let received = host
        .slots
        .into_iter()
        .map(|(slot, (bytes, _))| (slot, bytes));
    assert_eq!(received.collect::<BTreeMap<_, _>>(), registry(recorder));
}

#[test]
fn a_short_buffer_reads_nothing() {
    let recorder = start(10, 2);
    let mut cursor = TraceCursor::new();
    recorder.register(ObjectType::QUEUE, 0x100, "an object", [0, 0]);
    for size in 0..MIN_READ_BYTES {
        assert_eq!(recorder.read_new(&mut cursor, &mut vec![0; size]), 0);
    }
    let mut buffer = vec![0; MIN_READ_BYTES];
    let length = recorder.read_new(&mut cursor, &mut buffer);
    let mut host = Host::default();
    assert!(host.push(&buffer[..length]) > 0, "at least one entry");
    assert_eq!(host.slots.len(), 1, "and one object");
}

#[test]
fn the_rest_is_read_after_disabling() {
    let recorder = start(10, 2);
    let (mut host, mut cursor) = (Host::default(), TraceCursor::new());
    recorder.register(ObjectType::QUEUE, 0x100, "an object", [0, 0]);
    write(recorder, 17);
    recorder.disable().unwrap();
    host.read_all(recorder, &mut cursor, 400);
    assert_eq!((host.received, host.overwritten), (10, 9));
    assert_eq!(host.slots.len(), 1);
    recorder.take_buffer().unwrap();
    cursor.forget_objects();
    assert_eq!(recorder.read_new(&mut cursor, &mut [0; 400]), 0);
    // Another session, in another memory.
    enable(recorder, 20, 3);
    write(recorder, 5);
    host.read_all(recorder, &mut cursor, 400);
    assert_eq!((host.received, host.overwritten), (7, 0));
    assert!(host.slots.is_empty());
}

#[derive(Debug, Clone)]
enum RecorderCall {
    Write(u32),
    Register(usize),
    Unregister(usize),
    Read(usize),
    Forget,
    Restart,
}

fn steps() -> impl Strategy<Value = Vec<RecorderCall>> {
    let step = prop_oneof![
        6 => (0..30_u32).prop_map(RecorderCall::Write),
        3 => (1..12_usize).prop_map(RecorderCall::Register),
        2 => (1..12_usize).prop_map(RecorderCall::Unregister),
        6 => (0..900_usize).prop_map(RecorderCall::Read),
        1 => Just(RecorderCall::Forget),
        1 => Just(RecorderCall::Restart),
    ];
    proptest::collection::vec(step, 0..60)
}

proptest! {
    #[test]
    fn everything_arrives_once_or_is_counted(
        slots in 1..40_usize, objects in 0..8_usize, steps in steps(), size in 180..900_usize,
    ) {
        let size = size.max(MIN_READ_BYTES);
        let recorder = start(slots, objects);
        let (mut host, mut cursor) = (Host::default(), TraceCursor::new());
        for step in steps {
            match step {
                RecorderCall::Write(entries) => write(recorder, entries),
                RecorderCall::Register(object) => {
                    recorder.register(ObjectType::QUEUE, object, "object", [0, 1]);
                }
                RecorderCall::Unregister(object) => recorder.unregister(object),
                RecorderCall::Read(size) => {
                    let mut buffer = vec![0; size];
                    let length = recorder.read_new(&mut cursor, &mut buffer);
                    if length > 0 {
                        host.push(&buffer[..length]);
                    }
                }
                RecorderCall::Forget => cursor.forget_objects(),
                RecorderCall::Restart => {
                    recorder.disable().unwrap();
                    recorder.take_buffer().unwrap();
                    enable(recorder, slots, objects);
                }
            }
        }
        host.read_all(recorder, &mut cursor, size);
        let received = host.slots.into_iter().map(|(slot, (bytes, _))| (slot, bytes));
        prop_assert_eq!(received.collect::<BTreeMap<_, _>>(), registry(recorder));
    }
}

#[test]
fn words_have_the_width_of_the_recorder() {
    fn check<W: WordWidth>() {
        let recorder = ThreadXRecorder::<super::support::NonNestingMask, _, W>::new(
            super::support::NonNestingMask::default(),
            super::support::ManualClock,
        );
        recorder
            .enable(memory::<W>(buffer_words::<W>(2, 9)), 2)
            .unwrap();
        recorder.register(ObjectType::MUTEX, 0x40, "a mutex", [W::from(1), W::from(2)]);
        let mut buffer = [0; 600];
        let length = recorder.read_new(&mut TraceCursor::new(), &mut buffer);
        let header = PacketHeader::read(&buffer[..length]).unwrap().unwrap();
        assert_eq!(header.layout, buffer::layout::<W>());
        assert_eq!((header.registry_slots, header.ring_slots), (2, 9));
        assert_eq!(header.timer_mask, 0xFFFF_FFFF);
        let expected = MIN_PACKET_BYTES
            + SECTION_HEADER_BYTES
            + OBJECTS_FIXED_BYTES
            + header.layout.registry_stride(header.name_size)
            + 2 * header.layout.entry_bytes();
        assert_eq!(length, expected);
    }
    check::<u32>();
    check::<u64>();
}
