//! Writes records as frames.

use super::RkhRecorder;
use super::cursor::FrameCursor;
use super::packed::PackedArguments;
use super::ring::{Ring, distance};
use super::setup::{SetupConstants, StreamSetup};
use super::word_scan::WordScan;
use crate::port::{Clock, Mask};
use core::mem::MaybeUninit;
use core::slice;
use rtoscope_wire::rkh::frame::FLAG;

impl<S: StreamSetup, M: Mask, C: Clock> RkhRecorder<S, M, C> {
    /// Records a frame that contains only numbers.
    #[inline(always)]
    pub(super) fn record(&self, id: u8, arguments: PackedArguments) {
        let words = &arguments.words;
        // The number of bytes is known at compile time, so that the caller stores only the
        // words that they occupy.
        macro_rules! record {
            ($($index:literal)*) => {{
                let words = [$(words[$index].to_le()),*];
                // SAFETY: the words contain the arguments, and zeros after them.
                unsafe { self.record_words(id, words.as_ptr(), arguments.bytes) }
            }};
        }
        match arguments.bytes {
            0..=4 => record!(0),
            5..=8 => record!(0 1),
            9..=12 => record!(0 1 2),
            _ => record!(0 1 2 3 4 5),
        }
    }

    /// Records a record with `bytes` bytes of arguments, at most 1000, in the byte order of the
    /// stream and without escapes. The filter is not checked.
    ///
    /// # Safety
    /// `words` must be the address of this many bytes, rounded up to words. The unused bytes
    /// of the last word must be 0.
    #[inline(never)]
    pub unsafe fn record_words(&self, id: u8, words: *const u32, bytes: usize) {
        self.with_ring(|ring, timestamp| {
            let number = ring.numbered;
            ring.numbered = number.wrapping_add(1);
            // Words are stored until all bytes are: up to three more than the arguments,
            // where checksum and flag follow.
            let room = SetupConstants::<S>::OVERHEAD_BYTES.wrapping_add(bytes) + 3;
            // SAFETY: the caller guarantees the words; before `limit`, the ring is free.
            unsafe {
                if distance(ring.write, ring.limit) < room {
                    Self::append_without_room(ring, id, number, timestamp, words, bytes);
                    return;
                }
                let mut scan = WordScan::new();
                let mut store = UnalignedWriter(ring.write);
                store.put_head::<S>(id, number, timestamp);
                let end = store.0.wrapping_add(bytes);
                let mut word = words;
                while store.0 < end {
                    let number = u32::from_le(word.read());
                    word = word.add(1);
                    scan.add(number);
                    store.put(number, 4);
                }
                let checksum = Self::checksum(&mut scan, id, number, timestamp);
                if scan.needs_no_escape() {
                    store.0 = end;
                    if S::CONFIGURATION.checksum {
                        store.put(u32::from(FLAG) << 8 | checksum, 2);
                    } else {
                        store.put(FLAG.into(), 1);
                    }
                    ring.write = store.0;
                } else {
                    Self::append_words(
                        ring,
                        [id.into(), number, timestamp, checksum],
                        words,
                        bytes,
                    );
                }
            }
        });
    }

    /// Appends a frame that does not fit before the ring's end or may find no room at all.
    ///
    /// # Safety
    /// As [`record_words`](Self::record_words).
    #[cold]
    #[inline(never)]
    unsafe fn append_without_room(
        ring: &mut Ring,
        id: u8,
        number: u32,
        timestamp: u32,
        words: *const u32,
        bytes: usize,
    ) {
        let mut scan = WordScan::new();
        // SAFETY: the caller guarantees the words.
        unsafe {
            let end = words.cast::<u8>().add(bytes).cast();
            let mut word = words;
            while word < end {
                scan.add(u32::from_le(word.read()));
                word = word.add(1);
            }
            let checksum = Self::checksum(&mut scan, id, number, timestamp);
            Self::append_words(ring, [id.into(), number, timestamp, checksum], words, bytes);
        }
    }

    /// Appends a frame that may need escapes. `fields` are its id, number, timestamp and
    /// checksum.
    ///
    /// # Safety
    /// As [`record_words`](Self::record_words).
    #[cold]
    unsafe fn append_words(ring: &mut Ring, fields: [u32; 4], words: *const u32, bytes: usize) {
        let [id, number, timestamp, checksum] = fields;
        let mut head = MaybeUninit::<[u8; MAX_HEAD_BYTES]>::uninit();
        let start = head.as_mut_ptr().cast::<u8>();
        // SAFETY: the head has room for its fields; the caller guarantees the words, whose
        // bytes are in the order of the frame.
        let (head, arguments) = unsafe {
            UnalignedWriter(start).put_head::<S>(id as u8, number, timestamp);
            (
                slice::from_raw_parts(start, SetupConstants::<S>::HEADER_BYTES),
                slice::from_raw_parts(words.cast::<u8>(), bytes),
            )
        };
        ring.append_prepared(Self::FRAME_RULES, head, arguments, checksum as u8);
    }

    /// The checksum of a frame whose arguments were scanned. Scans the other bytes.
    #[inline(always)]
    fn checksum(scan: &mut WordScan, id: u8, number: u32, timestamp: u32) -> u32 {
        // The bytes before the arguments that are not a complete word.
        let mut single = 0;
        if S::CONFIGURATION.sequence {
            single |= number & 0xFF;
        }
        match SetupConstants::<S>::TIMESTAMP_BYTES {
            4 => scan.add(timestamp),
            2 => single |= (timestamp & 0xFFFF) << 16,
            1 => single |= (timestamp & 0xFF) << 16,
            _ => {}
        }
        // Of an id, only the first and the last byte are not 0.
        let wire_id = SetupConstants::<S>::wire_id(id);
        let id_sum = wire_id
            .wrapping_add(wire_id >> 8)
            .wrapping_add(wire_id >> 24);
        let sum = scan
            .sum()
            .wrapping_add(id_sum)
            .wrapping_sub(SetupConstants::<S>::uncovered_sum(timestamp))
            .wrapping_add(single)
            .wrapping_add(single >> 16)
            .wrapping_add(single >> 24);
        let checksum = sum.wrapping_neg() & 0xFF;
        if S::CONFIGURATION.checksum {
            single |= checksum << 8;
        }
        scan.scan_escapes(single);
        checksum
    }

    /// Counts a record that is too large for any frame as lost.
    #[cold]
    pub fn lose_record(&self) {
        self.with_ring(|ring, _| {
            ring.numbered = ring.numbered.wrapping_add(1);
            ring.reject_frame(S::OVERRUN);
        });
    }

    /// Records a frame whose arguments `write` writes. They take at least `min_len` bytes.
    #[inline(always)]
    pub(super) fn record_with(&self, id: u8, min_len: usize, write: impl FnOnce(&mut FrameCursor)) {
        self.with_ring(|ring, timestamp| {
            let number = ring.numbered;
            ring.numbered = number.wrapping_add(1);
            Self::append_record(
                ring,
                RecordHead {
                    id,
                    number,
                    timestamp,
                },
                min_len,
                write,
            );
        });
    }

    #[inline(always)]
    fn append_record(
        ring: &mut Ring,
        head: RecordHead,
        min_len: usize,
        write: impl FnOnce(&mut FrameCursor),
    ) {
        let min_len = SetupConstants::<S>::OVERHEAD_BYTES.wrapping_add(min_len);
        ring.append(Self::FRAME_RULES, min_len, |cursor| {
            let fields = PackedArguments::new()
                .with(
                    SetupConstants::<S>::wire_id(head.id),
                    SetupConstants::<S>::ID_BYTES,
                )
                .with(head.number, S::CONFIGURATION.sequence.into())
                .with(head.timestamp, SetupConstants::<S>::TIMESTAMP_BYTES);
            fields.write(cursor);
            if S::CONFIGURATION.has_uncovered_timestamp() {
                cursor.exclude_from_sum(SetupConstants::<S>::uncovered_sum(head.timestamp));
            }
            write(cursor);
        });
    }
}

/// Maximum length of id, sequence number and timestamp in bytes.
const MAX_HEAD_BYTES: usize = 4 + 1 + 4;

/// The fields before a record's arguments.
#[derive(Debug, Clone, Copy)]
struct RecordHead {
    id: u8,
    number: u32,
    timestamp: u32,
}

/// Writes consecutive numbers in little-endian order to unaligned memory.
struct UnalignedWriter(*mut u8);

impl UnalignedWriter {
    /// Writes the fields before a record's arguments.
    ///
    /// # Safety
    /// They must be writable memory.
    #[inline(always)]
    unsafe fn put_head<S: StreamSetup>(&mut self, id: u8, number: u32, timestamp: u32) {
        // SAFETY: the caller guarantees this.
        unsafe {
            self.put(
                SetupConstants::<S>::wire_id(id),
                SetupConstants::<S>::ID_BYTES,
            );
            self.put(number, S::CONFIGURATION.sequence.into());
            self.put(timestamp, SetupConstants::<S>::TIMESTAMP_BYTES);
        }
    }

    /// # Safety
    /// The next `width` bytes, 0 to 4, must be writable memory.
    #[inline(always)]
    unsafe fn put(&mut self, number: u32, width: usize) {
        let at = self.0;
        // SAFETY: the caller guarantees this; the address need not be aligned.
        unsafe {
            match width {
                0 => {}
                1 => at.write(number as u8),
                2 => at.cast::<u16>().write_unaligned((number as u16).to_le()),
                3 => {
                    at.cast::<u16>().write_unaligned((number as u16).to_le());
                    at.add(2).write((number >> 16) as u8);
                }
                _ => at.cast::<u32>().write_unaligned(number.to_le()),
            }
        }
        self.0 = at.wrapping_add(width);
    }
}
