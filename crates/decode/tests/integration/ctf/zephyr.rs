//! Streams of Zephyr, without their metadata.

use super::writer::{ZephyrStream, decode_zephyr, interpreted, lines};
use rtoscope_trace::{
    ContextId, Contexts, DiagnosticKind, EventIndex, ObjectClass, SchedEvent, WaitReason,
};

const OUT: u8 = 0x10;
const IN: u8 = 0x11;
const READY: u8 = 0x17;
const PENDING: u8 = 0x18;
const ISR_ENTER: u8 = 0x1B;
const ISR_EXIT: u8 = 0x1C;

/// A thread waits for a semaphore, an interrupt gives it.
fn stream() -> ZephyrStream {
    let mut stream = ZephyrStream::default();
    stream
        .thread(100, IN, 0x100, "rx")
        .words(110, 0x24, &[0x900, 5])
        .words(120, 0x25, &[0x900, 5])
        .thread(130, PENDING, 0x100, "rx")
        .thread(140, OUT, 0x100, "rx")
        .thread(150, IN, 0x50, "idle 00")
        .event(160, 0x1E, &[])
        .event(200, ISR_ENTER, &[])
        .words(210, 0x22, &[0x900])
        .thread(220, READY, 0x100, "rx")
        .words(230, 0x23, &[0x900])
        .event(240, ISR_EXIT, &[])
        .thread(250, OUT, 0x50, "idle 00")
        .thread(260, IN, 0x100, "rx")
        .words(270, 0x26, &[0x900, 5, 0]);
    stream
}

#[test]
fn the_schedule_follows_from_its_events() {
    let recording = decode_zephyr(&stream().bytes).unwrap();
    let events = interpreted(&recording);
    assert_eq!(events.len(), 15);
    let trace = &recording.trace;
    let thread = ContextId(3);
    assert_eq!(trace.context_name(thread), "rx");
    let wait = |number: usize| match events[number].1 {
        SchedEvent::Suspend {
            thread,
            wait_reason,
            ..
        } => (thread, wait_reason),
        SchedEvent::Resume {
            thread,
            wait_reason,
            ..
        } => (thread, wait_reason),
        other => panic!("{other:?}"),
    };
    assert_eq!(wait(3), (thread, WaitReason::Semaphore));
    assert_eq!(wait(9), (thread, WaitReason::Semaphore));
    let switches = events.iter().filter_map(|(event, meaning)| match meaning {
        SchedEvent::Switch { to, .. } => Some((event.time.0, *to)),
        _ => None,
    });
    let unknown = ContextId::UNKNOWN;
    let expected = [
        (0, thread),
        (40, unknown),
        (50, Contexts::IDLE),
        (60, Contexts::IDLE),
        (150, unknown),
        (160, thread),
    ];
    assert_eq!(switches.collect::<Vec<_>>(), expected);
    assert_eq!(events[8].0.context, Contexts::INTERRUPT);
    let semaphore = trace
        .objects
        .iter()
        .find(|it| it.class == ObjectClass::Semaphore);
    assert_eq!(semaphore.unwrap().address.0, 0x900);
    assert_eq!(trace.clock.frequency().unwrap().to_string(), "1 GHz");
    assert!(trace.switch_model.records_states());
    let guessed = |it: &rtoscope_trace::Diagnostic| it.kind == DiagnosticKind::ConfigurationGuessed;
    assert!(trace.diagnostics.iter().any(guessed));
}

#[test]
fn times_of_32_bits_wrap() {
    let mut stream = ZephyrStream::default();
    let wrap = 1_u64 << 32;
    for time in [wrap - 10, wrap + 5, 2 * wrap - 1, 2 * wrap, 3 * wrap + 7] {
        stream.thread(time, IN, 0x100, "a");
    }
    let recording = decode_zephyr(&stream.bytes).unwrap();
    let times = (0..5).map(|number| recording.trace.events.time(EventIndex(number)).unwrap().0);
    // A pause of more than a wrap cannot be seen.
    let expected = [0, 15, wrap + 9, wrap + 10, wrap + 17];
    assert_eq!(times.collect::<Vec<_>>(), expected);
}

#[test]
fn cores_are_the_last_field() {
    let mut stream = ZephyrStream {
        is_smp: true,
        ..ZephyrStream::default()
    };
    for number in 0..10 {
        stream.core = number % 2;
        stream.thread((number * 10).into(), IN, 0x100 + number % 2, "worker");
    }
    let recording = decode_zephyr(&stream.bytes).unwrap();
    let trace = &recording.trace;
    assert_eq!(trace.cores, [0, 1]);
    assert_eq!(trace.events.len(), 10);
    let line = &lines(trace)[1];
    assert_eq!(
        line,
        "10 1 thread_switched_in thread_id=\"worker\" name=\"worker\" core_id=1"
    );
}

#[test]
fn a_cut_event_is_not_one() {
    let whole = stream().bytes;
    for cut in 1..17 {
        let recording = decode_zephyr(&whole[..whole.len() - cut]).unwrap();
        assert_eq!(recording.trace.events.len(), 14, "{cut}");
        let cut_event = |it: &&rtoscope_trace::Diagnostic| it.kind == DiagnosticKind::CutFrame;
        assert_eq!(
            recording.trace.diagnostics.iter().filter(cut_event).count(),
            1
        );
    }
}

#[test]
fn damage_ends_the_stream() {
    let mut stream = stream();
    stream.event(300, 0xEE, &[1, 2, 3]);
    let recording = decode_zephyr(&stream.bytes).unwrap();
    assert_eq!(recording.trace.events.len(), 15);
    let damage = |it: &&rtoscope_trace::Diagnostic| it.kind == DiagnosticKind::BadFrame;
    let diagnostics = &recording.trace.diagnostics;
    let message = &diagnostics.iter().find(damage).unwrap().message;
    assert!(
        message.contains("the metadata have no event 238; 8 bytes"),
        "{message}"
    );
    assert!(decode_zephyr(&[0; 100]).is_err());
}

/// A ring of slots: the third and fourth packets have overwritten the first two, one slot was
/// never used.
#[test]
fn slots_of_a_ring_are_in_the_order_of_their_numbers() {
    let slot = |number: u64| {
        let mut events = ZephyrStream::default();
        let begin = number * 1000;
        for event in 0..3 {
            events.thread(begin + event, IN, 0x100 + event as u32, "a");
        }
        let mut slot = 0xC1FC_1FC1_u32.to_le_bytes().to_vec();
        for time in [begin, begin + 3] {
            slot.extend(time.to_le_bytes());
        }
        let used = (36 + events.bytes.len()) as u32 * 8;
        for bits in [used, 256 * 8] {
            slot.extend(bits.to_le_bytes());
        }
        slot.extend(number.to_le_bytes());
        slot.extend(events.bytes);
        slot.resize(256, 0xAA);
        slot
    };
    let ring = [slot(5), slot(6), slot(8), slot(4)].concat();
    let recording = decode_zephyr(&ring).unwrap();
    let trace = &recording.trace;
    let times = (0..12).map(|number| trace.events.time(EventIndex(number)).unwrap().0);
    let expected: Vec<_> = [0, 1000, 2000, 4000]
        .into_iter()
        .flat_map(|it| it..it + 3)
        .collect();
    assert_eq!(times.collect::<Vec<_>>(), expected);
    // Packet 7 is missing.
    let gaps: Vec<_> = trace
        .gaps
        .iter()
        .map(|gap| (gap.next_event.0, gap.missing))
        .collect();
    assert_eq!(gaps, [(9, None)]);
}
