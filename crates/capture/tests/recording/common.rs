//! Recordings for tests, and what is read of them.

use rtoscope_capture::recording::{Part, Recorder, Recording, RecordingSettings};
use rtoscope_decode::Format;
use rtoscope_decode::live::Moment;
use std::ops::ControlFlow;
use std::path::Path;

/// Some moment.
pub(crate) const BEGUN: u64 = 1_700_000_000_000_000_000;

pub(crate) const MILLISECOND: u64 = 1_000_000;

/// So many nanoseconds behind it.
pub(crate) fn after(nanoseconds: u64) -> Moment {
    Moment(BEGUN + nanoseconds)
}

pub(crate) fn settings(folder: &Path) -> RecordingSettings {
    RecordingSettings {
        folder: folder.into(),
        source: "a test".to_owned(),
        segment_bytes: None,
        segment_time: None,
        segments: None,
    }
}

pub(crate) fn begin(folder: &Path) -> Recorder {
    Recorder::create(settings(folder), after(0)).unwrap()
}

/// The byte at a place of the recordings of these tests.
pub(crate) fn byte(offset: u64) -> u8 {
    (offset.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as u8
}

/// The bytes from there on.
pub(crate) fn bytes(offset: u64, count: usize) -> Vec<u8> {
    (offset..).take(count).map(byte).collect()
}

/// What a recording gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Gave {
    Bytes(u64, Vec<u8>, Moment),
    Preface(Format, Vec<u8>),
    Broke(Moment, String, u64),
    Refused(Moment, String),
}

/// Everything from an offset on; bytes of one moment together.
pub(crate) fn read(folder: &Path, from: u64) -> Vec<Gave> {
    let mut all: Vec<Gave> = Vec::new();
    let visit = |part: Part<'_>| {
        match part {
            Part::Bytes { offset, bytes, at } => match all.last_mut() {
                Some(Gave::Bytes(start, before, last))
                    if *last == at && *start + before.len() as u64 == offset =>
                {
                    before.extend_from_slice(bytes);
                }
                _ => all.push(Gave::Bytes(offset, bytes.to_vec(), at)),
            },
            Part::Preface { format, bytes } => all.push(Gave::Preface(format, bytes.to_vec())),
            Part::Interrupted {
                at,
                reason,
                missing,
            } => all.push(Gave::Broke(at, reason.to_owned(), missing)),
            Part::Refused { at, message } => all.push(Gave::Refused(at, message.to_owned())),
        }
        ControlFlow::Continue(())
    };
    Recording::open(folder).unwrap().read(from, visit).unwrap();
    all
}

/// All bytes, which must be those of [`byte`] from the first on, in order.
pub(crate) fn check_bytes(gave: &[Gave]) -> u64 {
    let mut count = 0;
    let mut end = 0;
    for part in gave {
        if let Gave::Bytes(offset, bytes, _) = part {
            assert!(*offset >= end, "{offset} behind {end}");
            end = *offset + bytes.len() as u64;
            count += bytes.len() as u64;
            for (offset, found) in (*offset..).zip(bytes) {
                assert_eq!(*found, byte(offset), "byte {offset}");
            }
        }
    }
    count
}
