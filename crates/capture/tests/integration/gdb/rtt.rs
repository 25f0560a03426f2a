//! Channels of RTT.

use super::buffer::FakeTarget;
use super::stub::{FakeStub, StubBehaviour, TargetScript, WhileRunning};
use super::watched_source::{SourceMessage, WatchedSource};
use rtoscope_capture::SourceOptions;

const BASE: u64 = 0x2000_0000;

/// Offset of the control block in the target's memory.
const BLOCK: usize = 0x100;

/// Sizes of the buffers of both directions.
const UP_BYTES: usize = 61;
const DOWN_BYTES: usize = 16;

/// Offsets of the buffers and of a name.
const UP: usize = 0x200;
const DOWN: usize = 0x280;
const NAME: usize = 0x300;

/// Offset of a word in a descriptor: the size, and the positions.
const SIZE: usize = 8;
const WRITE: usize = 12;
const READ: usize = 16;

/// A target with two channels to the host, the second named "rtoscope", and two to the
/// target.
fn target() -> FakeTarget {
    let mut target = FakeTarget::new(BASE, 0, 0);
    target.memory = vec![0; 0x400];
    target.memory[NAME..NAME + 8].copy_from_slice(b"rtoscope");
    target.memory[BLOCK..BLOCK + 10].copy_from_slice(b"SEGGER RTT");
    set(&mut target, BLOCK + 16, 2);
    set(&mut target, BLOCK + 20, 2);
    for (channel, name, buffer, size) in [
        (0, 0, 0x390, 16),
        (1, BASE as usize + NAME, UP, UP_BYTES),
        (2, 0, 0x3B0, 16),
        (3, 0, DOWN, DOWN_BYTES),
    ] {
        set(&mut target, descriptor(channel), name);
        set(&mut target, descriptor(channel) + 4, BASE as usize + buffer);
        set(&mut target, descriptor(channel) + SIZE, size);
    }
    target
}

fn descriptor(channel: usize) -> usize {
    BLOCK + 24 + 24 * channel
}

fn set(target: &mut FakeTarget, at: usize, word: usize) {
    target.memory[at..at + 4].copy_from_slice(&(word as u32).to_le_bytes());
}

fn get(target: &FakeTarget, at: usize) -> usize {
    u32::from_le_bytes(target.memory[at..at + 4].try_into().unwrap()) as usize
}

/// The byte of a stream at an offset.
fn byte(offset: usize) -> u8 {
    (offset * 7 + offset / 256) as u8
}

/// Writes a number of bytes of the stream, as far as they fit.
fn write(target: &mut FakeTarget, count: usize) {
    let at = descriptor(1);
    for _ in 0..count {
        let write = get(target, at + WRITE);
        let next = (write + 1) % UP_BYTES;
        if next == get(target, at + READ) {
            return;
        }
        target.memory[UP + write] = byte(target.inserted as usize);
        target.inserted += 1;
        set(target, at + WRITE, next);
    }
}

fn expected(count: usize) -> Vec<u8> {
    (0..count).map(byte).collect()
}

#[test]
fn a_channel_is_found_and_read() {
    for (options, while_running) in [
        ("poll=1", WhileRunning::Answers),
        ("channel=1&poll=1", WhileRunning::Answers),
        ("address=0x20000100&channel=1&poll=1", WhileRunning::Answers),
        ("poll=1", WhileRunning::Halts),
        ("channel=1&halt=1&poll=1", WhileRunning::Listens),
    ] {
        let behaviour = StubBehaviour {
            while_running,
            ..StubBehaviour::PLAIN
        };
        // It writes while it is read, and over the end of its buffer.
        let life: TargetScript = Box::new(|target, _| write(target, 7));
        let stub = FakeStub::start(target(), behaviour, life);
        let mut watch = WatchedSource::open(stub.port, options);
        let stream = watch.stream(200);
        assert_eq!(stream, expected(stream.len()), "{options}");
        assert!(watch.has(
            SourceMessage::Connected,
            "RTT channel 1 \"rtoscope\" at 0x20000100"
        ));
    }
}

/// Formats that are sent record by record are read from RTT only.
#[test]
fn streams_are_searched_in_channels() {
    let life: TargetScript = Box::new(|target, _| write(target, 7));
    let stub = FakeStub::start(target(), StubBehaviour::PLAIN, life);
    let settings = SourceOptions {
        format: Some(rtoscope_decode::rkh::FORMAT),
        ..SourceOptions::default()
    };
    let mut watch = WatchedSource::with(stub.port, "", &settings);
    assert_eq!(watch.stream(10)[..10], expected(10));
}

/// If the answer to a read or write is lost, no byte is lost or read twice.
#[test]
fn stops_lose_nothing() {
    for stops in 1..12 {
        let behaviour = StubBehaviour {
            stops,
            ..StubBehaviour::PLAIN
        };
        let life: TargetScript = Box::new(|target, _| write(target, 7));
        let stub = FakeStub::start(target(), behaviour, life);
        write(&mut stub.target.lock().unwrap(), 30);
        let mut watch = WatchedSource::open(stub.port, "");
        let stream = watch.stream(30);
        assert_eq!(stream, expected(stream.len()), "{stops}");
    }
}

#[test]
fn bytes_are_sent_to_the_target() {
    let stub = FakeStub::start(target(), StubBehaviour::PLAIN, Box::new(|_, _| {}));
    let mut watch = WatchedSource::open(stub.port, "");
    let error = watch.send(b"x").unwrap_err();
    assert!(error.contains("not connected"), "{error}");
    write(&mut stub.target.lock().unwrap(), 1);
    watch.stream(1);
    for round in 0..4 {
        watch.send(b"0123456789").unwrap();
        let mut target = stub.target.lock().unwrap();
        let at = descriptor(3);
        let read = get(&target, at + READ);
        let taken: Vec<u8> = (0..10)
            .map(|index| target.memory[DOWN + (read + index) % DOWN_BYTES])
            .collect();
        assert_eq!(taken, b"0123456789", "{round}");
        let end = (read + 10) % DOWN_BYTES;
        assert_eq!(get(&target, at + WRITE), end);
        set(&mut target, at + READ, end);
    }
    // The target takes nothing any more.
    let error = watch.send(&[0; 20]).unwrap_err();
    assert!(error.contains("took only 15 of 20 bytes"), "{error}");
}

#[test]
fn channels_may_appear_and_disappear() {
    let mut early = target();
    set(&mut early, descriptor(1) + SIZE, 0);
    let stub = FakeStub::start(early, StubBehaviour::PLAIN, Box::new(|_, _| {}));
    let mut watch = WatchedSource::open(stub.port, "address=0x20000100&channel=1");
    watch.until(|message| match message {
        SourceMessage::Waiting(what) => what
            .contains("an RTT channel with a buffer at 0x20000100")
            .then_some(()),
        _ => None,
    });
    *stub.target.lock().unwrap() = target();
    write(&mut stub.target.lock().unwrap(), 5);
    assert_eq!(watch.stream(5), expected(5));
    stub.target.lock().unwrap().memory.fill(0);
    watch.until(|message| match message {
        SourceMessage::Lost(why) => why
            .contains("no RTT control block at 0x20000100 any more")
            .then_some(()),
        _ => None,
    });
}
