//! Packets of a target, with everything that may happen to them on the way.

use super::event_listener::{
    EventListener, assert_same, kinds, read_again, received_events, settings,
};
use proptest::prelude::*;
use rtoscope_decode::live::{HostTime, LiveDecoder, LiveOptions};
use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, DecodeOptions, DecodedRecording, UnpackedInput, threadx};
use rtoscope_generate::ThreadXOptions;
use rtoscope_wire::threadx::{
    BufferLayout, ControlHeader, EventEntry, PACKET_VERSION, PacketHeader, PacketWriter,
    RegistryEntry, RingPosition, UlongSize,
};

/// A target that sends what it records.
struct Sender {
    header: PacketHeader,
    /// All slots of the registry.
    registry: Vec<Vec<u8>>,
    /// Slots up to here were sent.
    sent_objects: usize,
    position: RingPosition,
}

impl Sender {
    fn new(layout: BufferLayout, session: u32) -> Self {
        Self {
            header: PacketHeader {
                layout,
                version: PACKET_VERSION,
                name_size: 16,
                registry_slots: 4,
                timer_mask: 0xFFFF_FFFF,
                session,
                ring_slots: 50,
            },
            registry: Vec::new(),
            sent_objects: 0,
            position: RingPosition::default(),
        }
    }

    fn register(&mut self, slot: usize, pointer: u64, name: &str) {
        let entry = RegistryEntry {
            available: 0,
            object_type: 1,
            reserved: [0, 0],
            pointer,
            parameters: [1, 2],
            name: name.as_bytes(),
        };
        let mut bytes = vec![0; self.header.layout.registry_stride(16)];
        entry.write(self.header.layout, 16, &mut bytes).unwrap();
        self.registry.resize(slot, vec![0; bytes.len()]);
        self.registry.push(bytes);
    }

    /// A packet with new objects and these entries.
    fn packet(&mut self, entries: &[u8], size: usize) -> Vec<u8> {
        let mut bytes = vec![0; size];
        let mut packet = PacketWriter::new(&mut bytes, self.header).unwrap();
        while let Some(slot) = self.registry.get(self.sent_objects)
            && (slot[1] == 0 || packet.push_object(self.sent_objects as u32, slot))
        {
            self.sent_objects += 1;
        }
        packet.begin_ring(self.position);
        assert!(packet.push_entries(entries));
        let length = packet.finish();
        bytes.truncate(length);
        self.position.first_entry += (entries.len() / self.header.layout.entry_bytes()) as u64;
        bytes
    }

    /// The target overwrites this many entries before they are sent.
    fn overwrite(&mut self, entries: u64) {
        self.position.first_entry += entries;
        self.position.overwritten += entries;
    }

    /// Entries that contain their numbers.
    fn numbered(&self, count: u64) -> Vec<u8> {
        let layout = self.header.layout;
        let mut bytes = vec![0; count as usize * layout.entry_bytes()];
        let numbers = self.position.first_entry..;
        for (number, place) in numbers.zip(bytes.chunks_exact_mut(layout.entry_bytes())) {
            let number = number as u32;
            let entry = EventEntry {
                context: 0x2000_1000,
                priority: 0x8005_0005,
                id: 5000,
                timestamp: number.wrapping_mul(10),
                info: [number, 0, 0, 0],
            };
            match layout.ulong {
                UlongSize::Four => entry.write(layout.order, place).unwrap(),
                UlongSize::Eight => EventEntry::<u64> {
                    context: entry.context.into(),
                    priority: entry.priority.into(),
                    id: entry.id.into(),
                    timestamp: entry.timestamp.into(),
                    info: entry.info.map(u64::from),
                }
                .write(layout.order, place)
                .unwrap(),
            };
        }
        bytes
    }
}

fn file(bytes: &[u8]) -> DecodedRecording {
    let input = UnpackedInput::open(Input::new(bytes), BufferChoice::First, None).unwrap();
    assert_eq!(input.format(), threadx::FORMAT);
    input.decode(&DecodeOptions::default()).unwrap()
}

fn live(bytes: &[u8], chunk: usize) -> (LiveDecoder, DecodedRecording) {
    let mut live = LiveDecoder::new(LiveOptions {
        format: None,
        ..settings()
    });
    for part in bytes.chunks(chunk) {
        live.push(part, HostTime(0));
    }
    live.connection_lost();
    let recording = live.next_update().unwrap().unwrap().recording;
    (live, recording)
}

#[test]
fn packets_contain_what_one_long_buffer_holds() {
    for (layout, cores) in [(0, 1), (1, 1), (2, 2), (3, 3)] {
        let mut whole = Vec::new();
        let options = ThreadXOptions {
            layout: BufferLayout::ALL[layout],
            cores,
            events: 3000,
            ..ThreadXOptions::default()
        };
        rtoscope_generate::write(&options, &mut whole, &mut |_| ()).unwrap();
        let layout = options.layout;
        let header = ControlHeader::read(layout, &whole).unwrap();
        let at = |pointer| layout.distance(header.base_address, pointer) as usize;
        let stride = layout.registry_stride(header.name_size);
        let registry = whole[layout.header_bytes()..at(header.registry_end)].chunks(stride);
        let mut sender = Sender::new(layout, 1);
        sender.header.name_size = header.name_size;
        sender.header.timer_mask = header.timer_mask;
        sender.registry = registry.map(<[u8]>::to_vec).collect();
        sender.header.registry_slots = sender.registry.len() as u16;
        let mut bytes = Vec::new();
        let events = &whole[at(header.buffer_start)..at(header.buffer_end)];
        for entries in events.chunks(13 * layout.entry_bytes()) {
            bytes.extend(sender.packet(entries, 4000));
        }
        let expected = file(&whole);
        let packets = file(&bytes);
        assert_same(&packets.trace, &expected.trace);
        assert_eq!(kinds(&packets.trace), kinds(&expected.trace));
        for chunk in [1, 7, 1000, usize::MAX] {
            assert_same(&live(&bytes, chunk).1.trace, &expected.trace);
        }
        let with_garbage = [&b"boot\r\nTXT"[..], &bytes].concat();
        assert_same(&file(&with_garbage).trace, &expected.trace);
        assert_same(&live(&with_garbage, 3).1.trace, &expected.trace);
    }
}

#[test]
fn objects_are_known_from_their_packet_on() {
    let mut sender = Sender::new(BufferLayout::ALL[0], 1);
    sender.register(0, 0x2000_1000, "main");
    sender.register(2, 0x3000, "worker");
    let entries = sender.numbered(2);
    let mut bytes = sender.packet(&entries, 400);
    // Another object takes the place of the first one.
    sender.register(0, 0x4000, "late");
    sender.sent_objects = 0;
    bytes.extend(sender.packet(&[], 400));
    let (live, recording) = live(&bytes, 50);
    for trace in [&recording.trace, &file(&bytes).trace] {
        let found = trace.objects.iter();
        let mut found: Vec<_> = found
            .map(|it| (it.name.to_string(), it.address.0, it.deleted))
            .collect();
        found.sort();
        let expected = [
            ("late".to_owned(), 0x4000, false),
            ("main".to_owned(), 0x2000_1000, true),
            ("worker".to_owned(), 0x3000, false),
        ];
        assert_eq!(found, expected);
    }
    // A decoder without the start of the recording.
    let mut other = LiveDecoder::new(settings());
    other.load_metadata(threadx::FORMAT, &live.metadata());
    let entries = sender.numbered(1);
    other.push(&sender.packet(&entries, 400), HostTime(0));
    let trace = other.next_update().unwrap().unwrap().recording.trace;
    let names = trace.objects.iter().map(|it| it.name.to_string());
    assert_eq!(names.collect::<Vec<_>>(), ["late", "worker"]);
}

#[test]
fn a_session_with_another_number_is_a_restart() {
    let mut first = Sender::new(BufferLayout::ALL[0], 1);
    let mut bytes = Vec::new();
    for _ in 0..3 {
        let entries = first.numbered(5);
        bytes.extend(first.packet(&entries, 400));
    }
    for session in [2, 2] {
        // The second one has the same number, but begins again.
        let mut next = Sender::new(BufferLayout::ALL[0], session);
        let entries = next.numbered(5);
        bytes.extend(next.packet(&entries, 400));
    }
    let trace = file(&bytes).trace;
    assert_eq!(trace.events.len(), 25);
    let gaps = trace.gaps.iter().map(|gap| (gap.next_event.0, gap.missing));
    assert_eq!(gaps.collect::<Vec<_>>(), [(15, None), (20, None)]);
    let restarts = trace.diagnostics.iter();
    let restarts = restarts.filter(|it| it.kind.name() == "restart");
    assert_eq!(restarts.count(), 2);
}

#[test]
fn the_cause_of_a_gap_is_reported() {
    let mut sender = Sender::new(BufferLayout::ALL[0], 1);
    let entries = sender.numbered(5);
    let mut bytes = sender.packet(&entries, 400);
    sender.overwrite(7);
    let entries = sender.numbered(5);
    bytes.extend(sender.packet(&entries, 400));
    let entries = sender.numbered(5);
    let _lost = sender.packet(&entries, 400);
    let entries = sender.numbered(5);
    bytes.extend(sender.packet(&entries, 400));
    sender.overwrite(3);
    let entries = sender.numbered(5);
    let _lost = sender.packet(&entries, 400);
    let entries = sender.numbered(5);
    bytes.extend(sender.packet(&entries, 400));
    let trace = file(&bytes).trace;
    let gaps = trace.gaps.iter().map(|gap| (gap.next_event.0, gap.missing));
    assert_eq!(
        gaps.collect::<Vec<_>>(),
        [(5, Some(7)), (10, Some(5)), (15, Some(8))]
    );
    let messages = trace.diagnostics.iter();
    let messages = messages.filter(|it| it.message.contains(" between "));
    let messages: Vec<_> = messages
        .filter_map(|it| it.message.split(';').next())
        .collect();
    assert_eq!(
        messages,
        [
            "7 events missing between event 4 and event 5: the whole ring was overwritten \
             before it was read again",
            "5 events missing between event 9 and event 10: packets of the target were not \
             received",
            "8 events missing between event 14 and event 15: packets of the target were not \
             received, and 3 of them were overwritten before",
        ]
    );
}

#[derive(Debug, Clone)]
enum TransmissionEvent {
    Send(u64),
    Overwrite(u64),
    /// A packet is lost.
    Lose(u64),
    /// A byte of a packet is damaged.
    Damage(u64, usize),
    Garbage(Vec<u8>),
}

fn steps() -> impl Strategy<Value = Vec<TransmissionEvent>> {
    let step = prop_oneof![
        6 => (0..30_u64).prop_map(TransmissionEvent::Send),
        1 => (0..1000_u64).prop_map(TransmissionEvent::Overwrite),
        1 => (0..30_u64).prop_map(TransmissionEvent::Lose),
        1 => (0..30_u64, any::<usize>()).prop_map(|(count, at)| TransmissionEvent::Damage(count, at)),
        1 => proptest::collection::vec(any::<u8>(), 0..60).prop_map(TransmissionEvent::Garbage),
    ];
    proptest::collection::vec(step, 1..30)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn every_missing_entry_is_counted(
        layout in proptest::sample::select(&BufferLayout::ALL[..]), steps in steps(),
        chunk in 1..300_usize,
    ) {
        let mut sender = Sender::new(layout, 9);
        let mut bytes = Vec::new();
        // The numbers of the entries that arrive.
        let mut expected: Vec<u64> = Vec::new();
        for step in steps {
            let start = sender.position.first_entry;
            match step {
                TransmissionEvent::Send(count) => {
                    let entries = sender.numbered(count);
                    bytes.extend(sender.packet(&entries, 4000));
                    expected.extend(start..start + count);
                }
                TransmissionEvent::Overwrite(count) => sender.overwrite(count),
                TransmissionEvent::Lose(count) => {
                    let entries = sender.numbered(count);
                    drop(sender.packet(&entries, 4000));
                }
                TransmissionEvent::Damage(count, at) => {
                    let entries = sender.numbered(count);
                    let mut packet = sender.packet(&entries, 4000);
                    let at = at % packet.len();
                    packet[at] ^= 0x10;
                    bytes.extend(packet);
                }
                TransmissionEvent::Garbage(garbage) => bytes.extend(garbage),
            }
        }
        // A damaged length may take a packet that follows with it.
        for _ in 0..3 {
            let entries = sender.numbered(1);
            expected.push(sender.position.first_entry);
            bytes.extend(sender.packet(&entries, 4000));
        }
        let mut listener = EventListener::new();
        for part in bytes.chunks(chunk) {
            listener.push(part, 0);
        }
        listener.live.connection_lost();
        listener.drain_updates();
        let mut next = listener.received[0].event_id;
        for event in &listener.received {
            let missing = event.event_id - next;
            let first = event.number == 0;
            prop_assert_eq!(event.gap.flatten(), (missing > 0 && !first).then_some(missing));
            next = event.event_id + 1;
        }
        let received: Vec<_> = listener.event_ids();
        prop_assert!(received.iter().all(|number| expected.contains(number)));
        prop_assert_eq!(listener.live.stats().missing_events,
            next - listener.received[0].event_id - received.len() as u64);
        let whole = file(&bytes);
        prop_assert_eq!(received_events(&whole), listener.received);
    }

    #[test]
    fn what_is_read_again_is_the_same(
        counts in proptest::collection::vec(0..60_u64, 2..30), from in 0..1000_u64,
        layout in proptest::sample::select(&BufferLayout::ALL[..]),
    ) {
        let mut sender = Sender::new(layout, 3);
        sender.register(0, 0x2000_1000, "main");
        let mut listener = EventListener::new();
        let mut recorded = Vec::new();
        for (count, at) in counts.iter().zip(1..) {
            if count % 7 == 3 {
                sender.overwrite(*count);
            }
            let entries = sender.numbered(*count);
            let packet = sender.packet(&entries, 5000);
            listener.push(&packet, at);
            recorded.push((packet, at));
        }
        let Some(again) = read_again(&listener, &recorded, from)? else {
            return Ok(());
        };
        if again.live.stats().events > 0 {
            let window = again.live.window(10).unwrap().decode().unwrap();
            prop_assert_eq!(window.trace.objects.len(), 1);
        }
    }
}
