//! Recordings for tests, and their content.

use rtoscope_decode::Format;
use rtoscope_decode::live::HostTime;
use rtoscope_recording::{
    DamagedBlock, Recorder, RecorderOptions, Recording, RecordingItem, Unread,
};
use std::ops::ControlFlow;
use std::path::Path;

/// A start time.
pub(crate) const START: u64 = 1_700_000_000_000_000_000;

pub(crate) const MILLISECOND: u64 = 1_000_000;

/// The time this many nanoseconds later.
pub(crate) fn after(nanoseconds: u64) -> HostTime {
    HostTime(START + nanoseconds)
}

pub(crate) fn settings(folder: &Path) -> RecorderOptions {
    RecorderOptions {
        folder: folder.into(),
        source: "a test".to_owned(),
        segment_bytes: None,
        segment_time: None,
        max_segments: None,
    }
}

pub(crate) fn begin(folder: &Path) -> Recorder {
    Recorder::create(settings(folder), after(0)).unwrap()
}

/// The byte at an offset of the recordings of these tests.
pub(crate) fn byte(offset: u64) -> u8 {
    (offset.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as u8
}

/// The bytes from an offset on.
pub(crate) fn bytes(offset: u64, count: usize) -> Vec<u8> {
    (offset..).take(count).map(byte).collect()
}

/// An item read from a recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ReadItem {
    Bytes(u64, Vec<u8>, HostTime),
    Preface(Format, Vec<u8>),
    Broke(HostTime, String, u64),
    Refused(HostTime, String),
    Unread(Unread),
    Damaged(DamagedBlock),
}

/// All items from an offset on; bytes with one time are joined.
pub(crate) fn read(folder: &Path, from: u64) -> Vec<ReadItem> {
    let mut all: Vec<ReadItem> = Vec::new();
    let visit = |part: RecordingItem<'_>| {
        match part {
            RecordingItem::Bytes { offset, bytes, at } => match all.last_mut() {
                Some(ReadItem::Bytes(start, before, last))
                    if *last == at && *start + before.len() as u64 == offset =>
                {
                    before.extend_from_slice(bytes);
                }
                _ => all.push(ReadItem::Bytes(offset, bytes.to_vec(), at)),
            },
            RecordingItem::Metadata { format, bytes } => {
                all.push(ReadItem::Preface(format, bytes.to_vec()));
            }
            RecordingItem::Interrupted {
                at,
                reason,
                missing_bytes: missing,
            } => all.push(ReadItem::Broke(at, reason.to_owned(), missing)),
            RecordingItem::Refused { at, message } => {
                all.push(ReadItem::Refused(at, message.to_owned()));
            }
            RecordingItem::Unread(unread) => all.push(ReadItem::Unread(unread)),
            RecordingItem::Damaged(block) => all.push(ReadItem::Damaged(block)),
        }
        ControlFlow::Continue(())
    };
    Recording::open(folder).unwrap().read(from, visit).unwrap();
    all
}

/// All bytes, which must be those of [`byte`] from the first on, in order.
pub(crate) fn check_bytes(gave: &[ReadItem]) -> u64 {
    let mut count = 0;
    let mut end = 0;
    for part in gave {
        if let ReadItem::Bytes(offset, bytes, _) = part {
            assert!(*offset >= end, "{offset} after {end}");
            end = *offset + bytes.len() as u64;
            count += bytes.len() as u64;
            for (offset, found) in (*offset..).zip(bytes) {
                assert_eq!(*found, byte(offset), "byte {offset}");
            }
        }
    }
    count
}
