use core::mem::MaybeUninit;
use core::ptr;
use rtoscope_wire::cswitch::EntryKind;
use rtoscope_wire::cswitch::packed::{
    HAS_OPERAND, MAX_LONG_TICKS, PADDING, PAUSE_TICKS, PAUSES, entry_words,
};

/// Minimum size of the ring in words.
pub const MIN_RING_WORDS: usize = 64;

/// A word that is no entry of a container: a number of lost entries follows it.
pub(super) const OVERFLOW: u32 = 30 | HAS_OPERAND;

/// The first word of [`PAUSES`].
pub(super) const SEVERAL_PAUSES: u32 = PAUSES | HAS_OPERAND;

/// The first word of an entry that only lets time pass; its operand are ticks.
pub(super) const PAUSE: u32 = EntryKind::Time as u32 | HAS_OPERAND;

/// Room for an overflow, pauses, a pause and an entry of some words, each contiguous.
const fn slack_words(words: usize) -> usize {
    words.wrapping_mul(2).wrapping_add(10)
}

/// Packed entries that were not read, in a ring of words.
///
/// One word is always unused, so that a full ring differs from an empty one. Words between
/// `read` and `write` do not change until `read` moves.
#[derive(Debug)]
#[repr(C)]
pub(super) struct StreamRing {
    /// Start of the next entry; may be `end`.
    pub(super) write: *mut u32,
    /// An entry that starts before this address has room for three words. At `begin`
    /// whenever [`StreamRing::push_slow`] must decide.
    pub(super) limit: *mut u32,
    /// The counter at the last entry.
    pub(super) last: u32,
    pub(super) begin: *mut u32,
    pub(super) end: *mut u32,
    /// The first word that was not read; never `end`.
    pub(super) read: *mut u32,
    /// Number of entries that found no room since the last one that did.
    lost: u32,
    /// Number of entries that found no room since the start.
    pub(super) lost_total: u32,
    pub(super) is_on: bool,
    is_paused: bool,
    /// Ticks until `last` that no entry contains, because entries were lost.
    ticks_pending: u64,
}

impl StreamRing {
    pub(super) const fn new() -> Self {
        Self {
            write: ptr::null_mut(),
            limit: ptr::null_mut(),
            last: 0,
            begin: ptr::null_mut(),
            end: ptr::null_mut(),
            read: ptr::null_mut(),
            lost: 0,
            lost_total: 0,
            is_on: false,
            is_paused: false,
            ticks_pending: 0,
        }
    }

    /// Uses a buffer of at least [`MIN_RING_WORDS`] from now on.
    pub(super) fn set_buffer(&mut self, buffer: &'static mut [MaybeUninit<u32>]) {
        let words = buffer.as_mut_ptr_range();
        self.begin = words.start.cast();
        self.end = words.end.cast();
    }

    /// Empties the ring and records from now on. The ring needs a buffer.
    pub(super) fn start(&mut self, now: u32) {
        self.read = self.begin;
        self.write = self.begin;
        self.last = now;
        self.lost = 0;
        self.lost_total = 0;
        self.ticks_pending = 0;
        self.is_paused = false;
        self.is_on = true;
        self.set_limit();
    }

    pub(super) fn stop(&mut self) {
        self.is_on = false;
        self.set_limit();
    }

    pub(super) fn pause(&mut self, pause: bool) {
        self.is_paused = pause;
        self.set_limit();
    }

    /// The end of the entries for a reader.
    pub(super) fn written_end(&self) -> *mut u32 {
        if self.write == self.end {
            self.begin
        } else {
            self.write
        }
    }

    pub(super) fn set_limit(&mut self) {
        // A full ring must differ from an empty one.
        let last = if self.read > self.write {
            self.read.wrapping_sub(1)
        } else if self.read == self.begin {
            self.end.wrapping_sub(1)
        } else {
            self.end
        };
        let is_slow = !self.is_on || self.is_paused || self.lost != 0;
        self.limit = if is_slow || distance(self.begin, last) < 2 {
            self.begin
        } else {
            last.wrapping_sub(2)
        };
    }

    /// Number of words that were not read.
    pub(super) fn used(&self) -> usize {
        if self.write >= self.read {
            distance(self.read, self.write)
        } else {
            let size = distance(self.begin, self.end);
            size.wrapping_sub(distance(self.write, self.read))
        }
    }

    /// Number of words that can be written without reaching the reader.
    fn room(&self) -> usize {
        let size = distance(self.begin, self.end);
        size.wrapping_sub(self.used()).wrapping_sub(1)
    }

    /// Appends a word. There must be room.
    fn put(&mut self, word: u32) {
        // SAFETY: `write` is within the buffer, because it continues at `begin` when it
        // reaches `end`, and only the holder of the mask writes at this address: the reader
        // uses the words before `write`.
        unsafe { self.write.write(word) };
        self.write = self.write.wrapping_add(1);
        if self.write == self.end {
            self.write = self.begin;
        }
    }

    /// Makes the next `count` words contiguous.
    fn align(&mut self, count: usize) {
        while distance(self.write, self.end) < count {
            self.put(PADDING);
        }
    }

    /// Appends two words that are contiguous.
    fn put_pair(&mut self, first: u32, second: u32) {
        self.align(2);
        self.put(first);
        self.put(second);
    }

    /// Appends the first entry after a pause in its long form. Returns `false`, and appends
    /// nothing, if [`StreamRing::push_slow`] must do it.
    pub(super) fn push_after_pause(
        &mut self,
        kind: u32,
        operand: u32,
        value: u32,
        now: u32,
    ) -> bool {
        let ticks = now.wrapping_sub(self.last);
        if self.write >= self.limit || ticks > MAX_LONG_TICKS {
            return false;
        }
        let at = self.write;
        // SAFETY: there is room for three words, because `write` is before the limit.
        unsafe {
            at.write(kind | HAS_OPERAND | ticks << 6);
            at.wrapping_add(1).write(operand);
            at.wrapping_add(2).write(value);
        }
        self.last = now;
        self.write = at.wrapping_add(entry_words(kind | HAS_OPERAND));
        true
    }

    /// Appends an entry at the end of the buffer, after a long pause or after lost entries,
    /// or counts it as lost. The ring must be on. An entry of the kind [`EntryKind::Time`] lets
    /// the time pass.
    pub(super) fn push_slow(&mut self, kind: u32, operand: u32, value: u32, now: u32) {
        let is_time = kind == EntryKind::Time as u32;
        let since_last = now.wrapping_sub(self.last);
        self.ticks_pending = self.ticks_pending.wrapping_add(since_last.into());
        self.last = now;
        self.write = self.written_end();
        let words = entry_words(kind | HAS_OPERAND);
        if self.room() >= slack_words(words) && (is_time || !self.is_paused) {
            let ticks = self.put_pending(is_time);
            if !is_time {
                self.align(words);
                let first = kind | HAS_OPERAND | ticks << 6;
                self.put(first);
                self.put(operand);
                if words == 3 {
                    self.put(value);
                }
            }
        } else if !is_time {
            self.lost = self.lost.wrapping_add(1);
            self.lost_total = self.lost_total.wrapping_add(1);
        }
        self.set_limit();
    }

    /// Appends the number of lost entries, and the pending ticks as far as they exceed an
    /// entry, or all of them. Returns the others.
    fn put_pending(&mut self, all: bool) -> u32 {
        let pauses = (self.ticks_pending / u64::from(PAUSE_TICKS)) as u32;
        let ticks = self.ticks_pending as u32 & (PAUSE_TICKS - 1);
        self.ticks_pending = 0;
        if self.lost != 0 {
            self.put_pair(OVERFLOW, self.lost);
            self.lost = 0;
        }
        if pauses != 0 {
            self.put_pair(SEVERAL_PAUSES, pauses);
        }
        if all || ticks > MAX_LONG_TICKS {
            self.put_pair(PAUSE, ticks);
            return 0;
        }
        ticks
    }
}

/// Number of words between two addresses in ascending order.
pub(super) fn distance(from: *const u32, to: *const u32) -> usize {
    (to as usize).wrapping_sub(from as usize) / core::mem::size_of::<u32>()
}
