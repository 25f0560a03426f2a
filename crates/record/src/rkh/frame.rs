//! Writes records as frames.

use super::RkhRecorder;
use super::cursor::{FrameCursor, byte_sum};
use super::packed::{MAX_ARGUMENT_WORDS, PackedArguments};
use super::ring::{Ring, distance};
use super::setup::{SetupConstants, StreamSetup};
use super::user::PreparedFrame;
use super::word_scan::WordScan;
use crate::port::{Clock, Mask};
use core::mem::MaybeUninit;
use core::slice;
use rtoscope_wire::rkh::frame::FLAG;

impl<S: StreamSetup, M: Mask, C: Clock> RkhRecorder<S, M, C> {
    /// Records a frame that contains only numbers. Its length is known at compile time,
    /// so that the program contains one function for each length that it uses.
    #[inline(always)]
    pub(super) fn record(&self, id: u8, arguments: PackedArguments) {
        let words = arguments.words;
        macro_rules! by_length {
            ($($short:literal)*; $($long:literal)*) => {
                match arguments.bytes {
                    $($short => self.record_short::<$short>(id, words[0], words[1]),)*
                    $($long => self.record_long::<$long>(id, &words),)*
                    _ => {}
                }
            };
        }
        by_length!(0 1 2 3 4 5 6 7 8; 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24);
    }

    /// For two words, which are passed in registers.
    #[inline(never)]
    fn record_short<const BYTES: usize>(&self, id: u8, first: u32, second: u32) {
        self.write_frame::<BYTES>(id, [first, second, 0, 0, 0, 0]);
    }

    #[inline(never)]
    fn record_long<const BYTES: usize>(&self, id: u8, words: &[u32; MAX_ARGUMENT_WORDS]) {
        self.write_frame::<BYTES>(id, *words);
    }

    #[inline(always)]
    fn write_frame<const BYTES: usize>(&self, id: u8, words: [u32; MAX_ARGUMENT_WORDS]) {
        self.with_ring(|ring, timestamp| {
            let number = ring.numbered;
            ring.numbered = number.wrapping_add(1);

            let mut scan = WordScan::new();
            // The bytes before the first complete word.
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
            macro_rules! each_word {
                ($($index:literal)*) => {
                    $(if BYTES > 4 * $index {
                        scan.add(words[$index]);
                    })*
                };
            }
            each_word!(0 1 2 3 4 5);
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

            let length = SetupConstants::<S>::OVERHEAD_BYTES + BYTES;
            let tail = u32::from(FLAG) << 8 | checksum;
            // SAFETY: both destinations have room for the frame: the ring before `limit`,
            // as checked here, and the array on the stack.
            unsafe {
                let write = ring.write;
                if distance(write, ring.limit) >= length && scan.needs_no_escape() {
                    write_unescaped::<S, BYTES>(write, id, number, timestamp, &words, tail);
                    ring.write = write.add(length);
                } else {
                    let mut frame = MaybeUninit::<LongestFrame<BYTES>>::uninit();
                    let start = frame.as_mut_ptr().cast::<u8>();
                    write_unescaped::<S, BYTES>(start, id, number, timestamp, &words, tail);
                    ring.append_prepared(
                        Self::FRAME_RULES,
                        slice::from_raw_parts(start, length - 1),
                    );
                }
            }
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

    /// Records a frame whose arguments were prepared outside the mask.
    #[inline(always)]
    pub(super) fn record_prepared(&self, id: u8, prepared: &mut PreparedFrame) {
        self.with_ring(|ring, timestamp| {
            let number = ring.numbered;
            ring.numbered = number.wrapping_add(1);
            let start = prepared.bytes.as_mut_ptr().cast::<u8>();
            let mut store = UnalignedWriter(start);
            // SAFETY: a prepared frame reserves room for the fields before its arguments,
            // whose bytes are initialised, and for the checksum after them.
            unsafe {
                store.put(
                    SetupConstants::<S>::wire_id(id),
                    SetupConstants::<S>::ID_BYTES,
                );
                store.put(number, S::CONFIGURATION.sequence.into());
                store.put(timestamp, SetupConstants::<S>::TIMESTAMP_BYTES);
                let mut length = prepared.length;
                if S::CONFIGURATION.checksum {
                    let sum = byte_sum(slice::from_raw_parts(start, length));
                    let uncovered = SetupConstants::<S>::uncovered_sum(timestamp);
                    start.add(length).write(uncovered.wrapping_sub(sum) as u8);
                    length += 1;
                }
                ring.append_prepared(Self::FRAME_RULES, slice::from_raw_parts(start, length));
            }
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

/// Room for a frame with `BYTES` bytes of arguments in any configuration.
#[repr(C)]
struct LongestFrame<const BYTES: usize> {
    /// Id, sequence number, timestamp, checksum and flag.
    overhead: [u8; 4 + 1 + 4 + 1 + 1],
    arguments: [u8; BYTES],
}

/// Writes a frame without escapes, from its id to its flag. The two bytes of `tail` are
/// the checksum and the flag.
///
/// # Safety
/// The memory from `at` on must be writable for the length of the frame.
#[inline(always)]
unsafe fn write_unescaped<S: StreamSetup, const BYTES: usize>(
    at: *mut u8,
    id: u8,
    number: u32,
    timestamp: u32,
    words: &[u32; MAX_ARGUMENT_WORDS],
    tail: u32,
) {
    let mut store = UnalignedWriter(at);
    // SAFETY: the caller guarantees this.
    unsafe {
        store.put(
            SetupConstants::<S>::wire_id(id),
            SetupConstants::<S>::ID_BYTES,
        );
        store.put(number, S::CONFIGURATION.sequence.into());
        store.put(timestamp, SetupConstants::<S>::TIMESTAMP_BYTES);
        macro_rules! put_words {
            ($($index:literal)*) => {
                $(if BYTES > 4 * $index {
                    let left = BYTES - 4 * $index;
                    store.put(words[$index], if left < 4 { left } else { 4 });
                })*
            };
        }
        put_words!(0 1 2 3 4 5);
        store.put(tail, S::CONFIGURATION.checksum.into());
        store.put(tail >> 8, 1);
    }
}

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
