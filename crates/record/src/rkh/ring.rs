use super::OverrunPolicy;
use super::cursor::{FrameCursor, write_escaped};
use core::mem::MaybeUninit;
use core::ptr;
use rtoscope_wire::rkh::frame::FLAG;

/// A buffer that is too small to record into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BufferTooSmall;

/// Bytes of a buffer at least: the target's configuration fits whatever has to
/// be escaped of it, and some records behind it.
pub(super) const MIN_BUFFER_BYTES: usize = 64;

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
    pub(super) numbered: u32,
    pub(super) begin: *mut u8,
    pub(super) end: *mut u8,
    /// The first byte that was not taken, unless lapped.
    pub(super) oldest: *mut u8,
    /// Whether new bytes have reached the oldest: those from `write` on are the
    /// oldest now, and the first frame there is cut.
    pub(super) lapped: bool,
    /// Where the bytes that were taken end.
    pub(super) taken_position: StreamPosition,
    /// What is to be taken before the oldest byte.
    pub(super) pending_output: PendingOutput,
    /// Records since the start that have no number.
    pub(super) unnumbered: u32,
    /// Frames taken, where they are counted.
    pub(super) taken_frames: u32,
    /// New records that were lost, and how many of them since the last that was
    /// not.
    pub(super) lost: u32,
    pub(super) lost_since_last: u32,
}

/// A place in a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StreamPosition {
    /// Behind a flag.
    FrameBoundary,
    /// Behind another byte.
    InFrame,
    /// Behind an escape.
    AfterEscape,
}

/// Bytes that the host gets although they are not in the ring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PendingOutput {
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
            numbered: 0,
            begin: ptr::null_mut(),
            end: ptr::null_mut(),
            oldest: ptr::null_mut(),
            lapped: false,
            taken_position: StreamPosition::FrameBoundary,
            pending_output: PendingOutput::Nothing,
            unnumbered: 0,
            taken_frames: 0,
            lost: 0,
            lost_since_last: 0,
        }
    }

    /// Empties the ring and begins a stream, in a new buffer if there is one.
    pub(super) fn start(&mut self, buffer: Option<&'static mut [MaybeUninit<u8>]>) {
        if let Some(buffer) = buffer {
            let bytes = buffer.as_mut_ptr_range();
            self.begin = bytes.start.cast();
            self.end = bytes.end.cast();
        }
        self.pending_output = match self.taken_position {
            StreamPosition::InFrame => PendingOutput::Abort,
            StreamPosition::FrameBoundary | StreamPosition::AfterEscape => PendingOutput::Flag,
        };
        self.taken_position = StreamPosition::FrameBoundary;
        self.numbered = 0;
        self.unnumbered = 0;
        self.taken_frames = 0;
        self.lost = 0;
        self.lost_since_last = 0;
        self.write = self.begin;
        self.clear();
    }

    /// Whether there is a buffer.
    pub(super) fn has_buffer(&self) -> bool {
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
        self.limit = if self.lost_since_last > 0 {
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
    pub(super) fn append(
        &mut self,
        rules: FrameRules,
        least: usize,
        write: impl FnOnce(&mut FrameCursor),
    ) {
        if let Some(mut cursor) = self.begin_frame(rules, least) {
            write(&mut cursor);
            cursor.end(rules.checksum);
            self.commit_frame(rules.overrun, &cursor);
        }
    }

    /// Appends a frame that lies ready, without flag and without escapes.
    #[cold]
    #[inline(never)]
    pub(super) fn append_prepared(&mut self, rules: FrameRules, frame: &[u8]) {
        let most = 2 * frame.len() + 1;
        if distance(self.write, self.limit) >= most {
            // SAFETY: up to `limit` may be written.
            self.write = unsafe {
                let end = write_escaped(self.write, frame);
                end.write(FLAG);
                end.add(1)
            };
        } else if let Some(mut cursor) = self.begin_frame(rules, frame.len() + 1) {
            cursor.write_unsummed(frame);
            cursor.end(false);
            self.commit_frame(rules.overrun, &cursor);
        }
    }

    /// A cursor for the next frame; `None` if there is no room for it.
    #[inline(never)]
    fn begin_frame(&mut self, rules: FrameRules, least: usize) -> Option<FrameCursor> {
        self.wrap();
        let used = match rules.overrun {
            OverrunPolicy::KeepOldest => self.used(),
            OverrunPolicy::OverwriteOldest => 0,
        };
        let room = self.size().saturating_sub(1).saturating_sub(used);
        if room < least {
            self.reject_frame(rules.overrun);
            return None;
        }
        // SAFETY: the ring has memory, since there is room, and `write` is in it.
        let mut cursor = unsafe { FrameCursor::new(self.write, room, self.begin, self.end) };
        let is_hidden = !rules.sequence || self.lost_since_last % 256 == 0;
        if self.lost_since_last > 0 && is_hidden {
            cursor.abort();
        }
        Some(cursor)
    }

    #[inline(never)]
    fn commit_frame(&mut self, overrun: OverrunPolicy, cursor: &FrameCursor) {
        if cursor.overflow {
            self.reject_frame(overrun);
            return;
        }
        if overrun == OverrunPolicy::OverwriteOldest {
            // Bytes of the frame and, before it, those that were not taken.
            let length = self.size().wrapping_sub(1).wrapping_sub(cursor.free_bytes);
            self.lapped |= self.used().wrapping_add(length) >= self.size();
        }
        self.write = cursor.position;
        self.lost_since_last = 0;
        self.set_limit();
    }

    /// Loses a frame that had no room.
    fn reject_frame(&mut self, overrun: OverrunPolicy) {
        match overrun {
            OverrunPolicy::KeepOldest => {
                self.lost = self.lost.wrapping_add(1);
                self.lost_since_last = self.lost_since_last.wrapping_add(1);
                self.set_limit();
            }
            // It was larger than the ring, and has destroyed all others.
            OverrunPolicy::OverwriteOldest => {
                self.clear();
                self.abort();
            }
        }
    }

    /// Lets the host know that frames are missing before the oldest.
    pub(super) fn abort(&mut self) {
        if self.pending_output == PendingOutput::Nothing {
            self.pending_output = match self.taken_position {
                StreamPosition::FrameBoundary | StreamPosition::InFrame => PendingOutput::Abort,
                StreamPosition::AfterEscape => PendingOutput::Flag,
            };
        }
        self.taken_position = StreamPosition::FrameBoundary;
    }
}

/// What frames end with, and what to do where there is no room for them.
#[derive(Debug, Clone, Copy)]
pub(super) struct FrameRules {
    pub(super) overrun: OverrunPolicy,
    pub(super) sequence: bool,
    pub(super) checksum: bool,
}

/// Bytes from one place of a buffer up to a later one.
pub(super) fn distance(from: *const u8, to: *const u8) -> usize {
    (to as usize).wrapping_sub(from as usize)
}
