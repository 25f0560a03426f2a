//! Records as frames.

use super::Recorder;
use super::check::Check;
use super::cursor::{Cursor, sum};
use super::packed::{Packed, WORDS};
use super::ring::{Ring, distance};
use super::setup::{Derived, Setup};
use super::user::Draft;
use crate::port::{Clock, Mask};
use core::mem::MaybeUninit;
use core::slice;
use rtoscope_wire::rkh::frame::FLAG;

impl<S: Setup, M: Mask, C: Clock> Recorder<S, M, C> {
    /// Records a frame of numbers only. As their length is known when this is
    /// compiled, one function is left for each length that occurs.
    #[inline(always)]
    pub(super) fn record(&self, id: u8, arguments: Packed) {
        let words = arguments.words;
        macro_rules! by_length {
            ($($short:literal)*; $($long:literal)*) => {
                match arguments.bytes {
                    $($short => self.short::<$short>(id, words[0], words[1]),)*
                    $($long => self.long::<$long>(id, &words),)*
                    _ => {}
                }
            };
        }
        by_length!(0 1 2 3 4 5 6 7 8; 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24);
    }

    /// Of two words, which come in registers.
    #[inline(never)]
    fn short<const BYTES: usize>(&self, id: u8, first: u32, second: u32) {
        self.frame::<BYTES>(id, [first, second, 0, 0, 0, 0]);
    }

    #[inline(never)]
    fn long<const BYTES: usize>(&self, id: u8, words: &[u32; WORDS]) {
        self.frame::<BYTES>(id, *words);
    }

    #[inline(always)]
    fn frame<const BYTES: usize>(&self, id: u8, words: [u32; WORDS]) {
        self.recording(|ring, stamp| {
            let number = ring.number;
            ring.number = number.wrapping_add(1);

            let mut check = Check::new();
            // What stands before the first whole word.
            let mut single = 0;
            if S::CONFIGURATION.sequence {
                single |= number & 0xFF;
            }
            match Derived::<S>::STAMP {
                4 => check.add(stamp),
                2 => single |= (stamp & 0xFFFF) << 16,
                1 => single |= (stamp & 0xFF) << 16,
                _ => {}
            }
            macro_rules! each_word {
                ($($index:literal)*) => {
                    $(if BYTES > 4 * $index {
                        check.add(words[$index]);
                    })*
                };
            }
            each_word!(0 1 2 3 4 5);
            let sum = check
                .sum()
                .wrapping_add(u32::from(id))
                .wrapping_add(single)
                .wrapping_add(single >> 16)
                .wrapping_add(single >> 24);
            let checksum = sum.wrapping_neg() & 0xFF;
            if S::CONFIGURATION.checksum {
                single |= checksum << 8;
            }
            check.suspect(single);

            let length = Derived::<S>::BESIDE + BYTES;
            let tail = u32::from(FLAG) << 8 | checksum;
            // SAFETY: both places have room for the frame: before `limit`, as is
            // looked at, and on the stack.
            unsafe {
                let write = ring.write;
                if distance(write, ring.limit) >= length && check.is_clean() {
                    lay::<S, BYTES>(write, id, number, stamp, &words, tail);
                    ring.write = write.add(length);
                } else {
                    let mut frame = MaybeUninit::<[u8; LONGEST]>::uninit();
                    let start = frame.as_mut_ptr().cast::<u8>();
                    lay::<S, BYTES>(start, id, number, stamp, &words, tail);
                    ring.append_ready(Self::RULES, slice::from_raw_parts(start, length - 1));
                }
            }
        });
    }

    /// Records a frame whose arguments are written by `write`. `least` is how
    /// many bytes they take at least.
    #[inline(always)]
    pub(super) fn record_slowly(&self, id: u8, least: usize, write: impl FnOnce(&mut Cursor)) {
        self.recording(|ring, stamp| {
            let number = ring.number;
            ring.number = number.wrapping_add(1);
            Self::append(ring, Head { id, number, stamp }, least, write);
        });
    }

    /// Records a frame of which the arguments are there.
    #[inline(always)]
    pub(super) fn record_draft(&self, id: u8, draft: &mut Draft) {
        self.recording(|ring, stamp| {
            let number = ring.number;
            ring.number = number.wrapping_add(1);
            let mut store = Store(draft.bytes.as_mut_ptr());
            // SAFETY: a draft has room for what stands before its arguments.
            unsafe {
                store.put(id.into(), 1);
                store.put(number, S::CONFIGURATION.sequence.into());
                store.put(stamp, Derived::<S>::STAMP);
            }
            let end = draft.length + usize::from(S::CONFIGURATION.checksum);
            if let Some(frame) = draft.bytes.get_mut(..end) {
                if S::CONFIGURATION.checksum {
                    // The checksum's own place is still 0.
                    let checksum = sum(frame).wrapping_neg() as u8;
                    if let Some(last) = frame.last_mut() {
                        *last = checksum;
                    }
                }
                ring.append_ready(Self::RULES, frame);
            }
        });
    }

    #[inline(always)]
    fn append(ring: &mut Ring, head: Head, least: usize, write: impl FnOnce(&mut Cursor)) {
        let least = Derived::<S>::BESIDE.wrapping_add(least);
        ring.append(Self::RULES, least, |cursor| {
            let head = Packed::new()
                .with(head.id.into(), 1)
                .with(head.number, S::CONFIGURATION.sequence.into())
                .with(head.stamp, Derived::<S>::STAMP);
            head.write(cursor);
            write(cursor);
        });
    }
}

/// Bytes of the longest frame of numbers only.
const LONGEST: usize = 1 + 1 + 4 + 4 * WORDS + 1 + 1;

/// Lays a frame without escapes down, from its id to its flag. Checksum and flag
/// are the two bytes of `tail`.
///
/// # Safety
/// From `at` on must be memory for it that may be written.
#[inline(always)]
unsafe fn lay<S: Setup, const BYTES: usize>(
    at: *mut u8,
    id: u8,
    number: u32,
    stamp: u32,
    words: &[u32; WORDS],
    tail: u32,
) {
    let mut store = Store(at);
    // SAFETY: promised by the caller.
    unsafe {
        store.put(id.into(), 1);
        store.put(number, S::CONFIGURATION.sequence.into());
        store.put(stamp, Derived::<S>::STAMP);
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

/// What stands before a record's arguments.
#[derive(Debug, Clone, Copy)]
struct Head {
    id: u8,
    number: u32,
    stamp: u32,
}

/// Stores numbers one behind the other, the low byte first.
struct Store(*mut u8);

impl Store {
    /// # Safety
    /// The next `width` bytes, 0 to 4, must be memory that may be written.
    #[inline(always)]
    unsafe fn put(&mut self, number: u32, width: usize) {
        let at = self.0;
        // SAFETY: promised by the caller; the place need not be aligned.
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
