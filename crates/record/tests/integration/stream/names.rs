//! Names of threads, markers and handlers.

use super::received::{Received, ReceivedName};
use super::{TestClock, ring, stream};
use rtoscope_record::port::{Clock, NullClock, SpinLock};
use rtoscope_record::stream::{CompactStream, EntryGroup};
use rtoscope_wire::cswitch::EntryKind;
use rtoscope_wire::cswitch::command::StreamCommand;

/// The names that a stream sends with its next entries, in containers of a size.
fn sent<const NAMES: usize, C: Clock>(
    stream: &CompactStream<SpinLock, C, NAMES>,
    size: usize,
    received: &mut Received,
) -> Vec<ReceivedName> {
    let mut bytes = vec![0; size];
    loop {
        match stream.read(&mut bytes) {
            0 => return std::mem::take(&mut received.names),
            length => received.push(&bytes[..length]),
        }
    }
}

fn name(is_handler: bool, id: u64, text: &str) -> ReceivedName {
    (is_handler, id, text.to_owned())
}

#[test]
fn names_are_sent_once_and_again() {
    let clock = TestClock::default();
    let stream = stream(&clock);
    let received = &mut Received::default();
    // Before the start, and more than fit.
    assert!(stream.name(0x2000_1000, "camera"));
    assert!(stream.name_handler(7, "dma"));
    assert!(stream.name(7, "frame\0with more after its end"));
    assert!(stream.name(8, "a name that is longer than 31 bytes"));
    assert!(!stream.name(9, "one too many"));
    assert!(stream.start(ring(64), 0));
    let names = [
        name(false, 0x2000_1000, "camera"),
        name(true, 7, "dma"),
        name(false, 7, "frame"),
        name(false, 8, "a name that is longer than 31 b"),
        // There was no room for it.
        name(false, 9, ""),
    ];
    assert_eq!(sent(&stream, 500, received), [], "there are no entries");
    stream.idle();
    assert_eq!(sent(&stream, 500, received), names);
    stream.idle();
    assert_eq!(sent(&stream, 500, received), []);
    stream.take(&StreamCommand::SendNames.to_bytes());
    // A small container has room for some of the names.
    for _ in 0..20 {
        stream.resume(1);
    }
    let [camera, dma, frame, longest, nameless] = names;
    let by_room = [camera, dma, frame, nameless, longest];
    assert_eq!(sent(&stream, 256, received), by_room);
    assert!(stream.name(8, "é is cut as a whole character: é"));
    stream.idle();
    let text = "é is cut as a whole character:";
    assert_eq!(sent(&stream, 500, received), [name(false, 8, text)]);
}

#[test]
fn a_new_session_sends_names_and_groups_again() {
    let clock = TestClock::default();
    let stream = stream(&clock);
    let mut bytes = [0; 400];
    assert!(stream.start(ring(64), 0));
    stream.name(1, "camera");
    stream.filter(EntryGroup::Markers, true);
    let mut sessions = Vec::new();
    for _ in 0..3 {
        stream.resume_short(1);
        stream.marker(1, 1);
        let length = stream.read(&mut bytes);
        let mut received = Received::default();
        received.push(&bytes[..length]);
        assert_eq!(received.names, [name(false, 1, "camera")]);
        let kinds: Vec<_> = received.entries.iter().map(|entry| entry.kind).collect();
        assert_eq!(kinds, [EntryKind::Filter, EntryKind::SyncResume]);
        sessions.push(received.session);
        stream.stop();
        assert!(stream.restart(0));
    }
    assert_eq!(sessions, [1, 2, 3]);
    stream.set_boot(7);
    assert!(!stream.restart(0));
    stream.stop();
    assert!(stream.restart(0));
    stream.resume_short(1);
    let length = stream.read(&mut bytes);
    let mut received = Received::default();
    received.push(&bytes[..length]);
    assert_eq!(received.session, 7 << 16 | 1);
}

#[test]
fn a_stream_needs_no_names() {
    let stream = CompactStream::<_, _, 0>::for_core(3, SpinLock::new(), NullClock);
    assert!(!stream.name(1, "camera"));
    assert!(stream.start(ring(64), 0));
    stream.idle();
    let sent = sent(&stream, 256, &mut Received::default());
    assert_eq!(sent, [name(false, 1, "")]);
}
