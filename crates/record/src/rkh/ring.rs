use super::Overrun;
use super::cursor::{Cursor, escape};
use core::mem::MaybeUninit;
use core::ptr;
use rtoscope_wire::rkh::frame::FLAG;

/// A buffer that is too small to record into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooSmall;

/// Bytes of a buffer at least: the target's configuration fits whatever has to
/// be escaped of it, and some records behind it.
pub(super) const LEAST: usize = 64;

/// Frames on their way to the host, in a ring of bytes.
///
/// Of the ring's bytes one is never used, so that a full ring is not an empty
/// one; but one that was [lapped](Ring::lapped) is full.
#[derive(Debug)]
#[repr(C)]
pub(super) struct Ring {
    /// Where the next frame begins; may be `end`.
    pub(super) write: *mut u8,
    /// A frame without escapes that ends here or before needs no further look.
    pub(super) limit: *mut u8,
    /// Records since the start that have a number.
    pub(super) number: u32,
    pub(super) begin: *mut u8,
    pub(super) end: *mut u8,
    /// The first byte that was not taken, unless lapped.
    pub(super) oldest: *mut u8,
    /// Whether new bytes have reached the oldest: those from `write` on are the
    /// oldest now, and the first frame there is cut.
    pub(super) lapped: bool,
    /// Where the bytes that were taken end.
    pub(super) taken_to: Place,
    /// What is to be taken before the oldest byte.
    pub(super) owed: Owed,
    /// Records since the start that have no number.
    pub(super) bare: u32,
    /// Frames taken, where they are counted.
    pub(super) taken: u32,
    /// New records that were lost, and how many of them since the last that was
    /// not.
    pub(super) refused: u32,
    pub(super) skipped: u32,
}

/// A place in a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Behind a flag.
    Between,
    /// Behind another byte.
    Within,
    /// Behind an escape.
    Escape,
}

/// Bytes that the host gets although they are not in the ring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owed {
    Nothing,
    /// The stream's first byte, or the end of an abort.
    Flag,
    /// An escape and a flag, which abort a frame.
    Abort,
}

impl Ring {
    pub(super) const fn new() -> Self {
        Self {
            write: ptr::null_mut(),
            limit: ptr::null_mut(),
            number: 0,
            begin: ptr::null_mut(),
            end: ptr::null_mut(),
            oldest: ptr::null_mut(),
            lapped: false,
            taken_to: Place::Between,
            owed: Owed::Nothing,
            bare: 0,
            taken: 0,
            refused: 0,
            skipped: 0,
        }
    }

    /// Empties the ring and begins a stream, in a new buffer if there is one.
    pub(super) fn start(&mut self, buffer: Option<&'static mut [MaybeUninit<u8>]>) {
        if let Some(buffer) = buffer {
            let bytes = buffer.as_mut_ptr_range();
            self.begin = bytes.start.cast();
            self.end = bytes.end.cast();
        }
        self.owed = match self.taken_to {
            Place::Within => Owed::Abort,
            Place::Between | Place::Escape => Owed::Flag,
        };
        self.taken_to = Place::Between;
        self.number = 0;
        self.bare = 0;
        self.taken = 0;
        self.refused = 0;
        self.skipped = 0;
        self.write = self.begin;
        self.clear();
    }

    /// Whether there is a buffer.
    pub(super) fn is_there(&self) -> bool {
        !self.begin.is_null()
    }

    fn clear(&mut self) {
        self.oldest = self.write;
        self.lapped = false;
        self.set_limit();
    }

    pub(super) fn size(&self) -> usize {
        distance(self.begin, self.end)
    }

    /// Bytes that were not taken.
    pub(super) fn used(&self) -> usize {
        if self.lapped {
            self.size()
        } else if self.write >= self.oldest {
            distance(self.oldest, self.write)
        } else {
            self.size().wrapping_sub(distance(self.write, self.oldest))
        }
    }

    /// Lets `write` never be `end`, which is the same place as `begin`. Not where
    /// `oldest` is `begin`: the limit does not let `write` come that far.
    pub(super) fn wrap(&mut self) {
        if self.write == self.end {
            self.write = self.begin;
            self.set_limit();
        }
    }

    pub(super) fn set_limit(&mut self) {
        self.limit = if self.skipped > 0 {
            self.write
        } else if self.lapped || self.write >= self.oldest && self.oldest != self.begin {
            self.end
        } else if self.write >= self.oldest {
            self.end.wrapping_sub(1)
        } else {
            self.oldest.wrapping_sub(1)
        };
    }

    /// Appends a frame that `write` writes, flag and checksum apart: whole, or
    /// not at all. It takes `least` bytes without escapes at least.
    #[inline(always)]
    pub(super) fn append(&mut self, rules: Rules, least: usize, write: impl FnOnce(&mut Cursor)) {
        if let Some(mut cursor) = self.open(rules, least) {
            write(&mut cursor);
            cursor.end(rules.checksum);
            self.close(rules.overrun, &cursor);
        }
    }

    /// Appends a frame that lies ready, without flag and without escapes.
    #[cold]
    #[inline(never)]
    pub(super) fn append_ready(&mut self, rules: Rules, frame: &[u8]) {
        let most = 2 * frame.len() + 1;
        if distance(self.write, self.limit) >= most {
            // SAFETY: up to `limit` may be written.
            self.write = unsafe {
                let end = escape(self.write, frame);
                end.write(FLAG);
                end.add(1)
            };
        } else if let Some(mut cursor) = self.open(rules, frame.len() + 1) {
            cursor.summed(frame);
            cursor.end(false);
            self.close(rules.overrun, &cursor);
        }
    }

    /// A cursor for the next frame; `None` if there is no room for it.
    #[inline(never)]
    fn open(&mut self, rules: Rules, least: usize) -> Option<Cursor> {
        self.wrap();
        let used = match rules.overrun {
            Overrun::KeepOldest => self.used(),
            Overrun::OverwriteOldest => 0,
        };
        let room = self.size().saturating_sub(1).saturating_sub(used);
        if room < least {
            self.refuse(rules.overrun);
            return None;
        }
        // SAFETY: the ring has memory, since there is room, and `write` is in it.
        let mut cursor = unsafe { Cursor::new(self.write, room, self.begin, self.end) };
        let is_hidden = !rules.sequence || self.skipped % 256 == 0;
        if self.skipped > 0 && is_hidden {
            cursor.abort();
        }
        Some(cursor)
    }

    #[inline(never)]
    fn close(&mut self, overrun: Overrun, cursor: &Cursor) {
        if cursor.overflow {
            self.refuse(overrun);
            return;
        }
        if overrun == Overrun::OverwriteOldest {
            // Bytes of the frame and, before it, those that were not taken.
            let length = self.size().wrapping_sub(1).wrapping_sub(cursor.room);
            self.lapped |= self.used().wrapping_add(length) >= self.size();
        }
        self.write = cursor.at;
        self.skipped = 0;
        self.set_limit();
    }

    /// Loses a frame that had no room.
    fn refuse(&mut self, overrun: Overrun) {
        match overrun {
            Overrun::KeepOldest => {
                self.refused = self.refused.wrapping_add(1);
                self.skipped = self.skipped.wrapping_add(1);
                self.set_limit();
            }
            // It was larger than the ring, and has destroyed all others.
            Overrun::OverwriteOldest => {
                self.clear();
                self.abort();
            }
        }
    }

    /// Lets the host know that frames are missing before the oldest.
    pub(super) fn abort(&mut self) {
        if self.owed == Owed::Nothing {
            self.owed = match self.taken_to {
                Place::Between | Place::Within => Owed::Abort,
                Place::Escape => Owed::Flag,
            };
        }
        self.taken_to = Place::Between;
    }
}

/// What frames end with, and what to do where there is no room for them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules {
    pub(super) overrun: Overrun,
    pub(super) sequence: bool,
    pub(super) checksum: bool,
}

/// Bytes from one place of a buffer up to a later one.
pub(super) fn distance(from: *const u8, to: *const u8) -> usize {
    (to as usize).wrapping_sub(from as usize)
}
