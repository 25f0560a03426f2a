use super::OverrunPolicy;
use super::cursor::{FrameCursor, write_escaped};
use core::mem::MaybeUninit;
use core::ptr;
use rtoscope_wire::rkh::frame::FLAG;

/// The buffer is too small to record into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BufferTooSmall;

/// Minimum size of a buffer in bytes. The target's configuration fits even if all its
/// bytes need an escape, followed by some records.
pub(super) const MIN_BUFFER_BYTES: usize = 64;

/// Frames to be sent to the host, in a ring of bytes.
///
/// One byte of the ring is always unused, so that a full ring differs from an empty one;
/// a [lapped](Ring::lapped) ring is full.
#[derive(Debug)]
#[repr(C)]
pub(super) struct Ring {
    /// Start of the next frame; may be `end`.
    pub(super) write: *mut u8,
    /// A frame without escapes that ends at or before this address needs no further
    /// check.
    pub(super) limit: *mut u8,
    /// Number of records with a sequence number since the start.
    pub(super) numbered: u32,
    pub(super) begin: *mut u8,
    pub(super) end: *mut u8,
    /// The first byte that was not taken, unless lapped.
    pub(super) oldest: *mut u8,
    /// Whether new bytes have overwritten the oldest: the bytes from `write` on are now
    /// the oldest, and the first frame there is cut.
    pub(super) lapped: bool,
    /// The position in the stream after the last byte taken.
    pub(super) taken_position: StreamPosition,
    /// Bytes to return before the oldest byte.
    pub(super) pending_output: PendingOutput,
    /// Number of records without a sequence number since the start.
    pub(super) unnumbered: u32,
    /// Number of frames taken, if they are counted.
    pub(super) taken_frames: u32,
    /// Number of new records that were lost in total, and since the last one that was
    /// not.
    pub(super) lost: u32,
    pub(super) lost_since_last: u32,
}

/// A position in a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StreamPosition {
    /// After a flag.
    FrameBoundary,
    /// After any other byte.
    InFrame,
    /// After an escape byte.
    AfterEscape,
}

/// Bytes for the host that are not in the ring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PendingOutput {
    Nothing,
    /// The first byte of the stream, or the end of an abort.
    Flag,
    /// An escape byte and a flag, which abort a frame.
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

    /// Empties the ring and starts a stream, in a new buffer if there is one.
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

    /// Whether the ring has a buffer.
    pub(super) fn has_buffer(&self) -> bool {
        !self.begin.is_null()
    }

    /// Whether nothing was taken since the start of the stream, and no record is in it.
    pub(super) fn is_untouched(&self) -> bool {
        self.numbered == 0 && self.pending_output == PendingOutput::Flag
    }

    fn clear(&mut self) {
        self.oldest = self.write;
        self.lapped = false;
        self.set_limit();
    }

    pub(super) fn size(&self) -> usize {
        distance(self.begin, self.end)
    }

    /// Number of bytes that were not taken.
    pub(super) fn used(&self) -> usize {
        if self.lapped {
            self.size()
        } else if self.write >= self.oldest {
            distance(self.oldest, self.write)
        } else {
            self.size().wrapping_sub(distance(self.write, self.oldest))
        }
    }

    /// Moves `write` from `end` to `begin`, which is the same position. This never makes
    /// it equal to an `oldest` at `begin`: the limit keeps `write` before `end` then.
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

    /// Appends the frame that `write` writes, and its checksum and flag: completely, or
    /// not at all. It takes at least `min_len` bytes without escapes.
    #[inline(always)]
    pub(super) fn append(
        &mut self,
        rules: FrameRules,
        min_len: usize,
        write: impl FnOnce(&mut FrameCursor),
    ) {
        if let Some(mut cursor) = self.begin_frame(rules, min_len) {
            write(&mut cursor);
            cursor.end(rules.checksum);
            self.commit_frame(rules.overrun, &cursor);
        }
    }

    /// Appends a frame of these bytes and this checksum, if frames have one.
    pub(super) fn append_prepared(
        &mut self,
        rules: FrameRules,
        head: &[u8],
        arguments: &[u8],
        checksum: u8,
    ) {
        let checksum = [checksum];
        let checksum = checksum.get(..rules.checksum.into()).unwrap_or_default();
        let length = head.len() + arguments.len() + checksum.len() + 1;
        if distance(self.write, self.limit) >= 2 * length {
            // SAFETY: the memory up to `limit` is writable.
            self.write = unsafe {
                let end = write_escaped(self.write, head);
                let end = write_escaped(end, arguments);
                let end = write_escaped(end, checksum);
                end.write(FLAG);
                end.add(1)
            };
        } else if let Some(mut cursor) = self.begin_frame(rules, length) {
            cursor.write_unsummed(head);
            cursor.write_unsummed(arguments);
            cursor.write_unsummed(checksum);
            cursor.end(false);
            self.commit_frame(rules.overrun, &cursor);
        }
    }

    /// A cursor for the next frame; `None` if there is no room for it.
    #[inline(never)]
    fn begin_frame(&mut self, rules: FrameRules, min_len: usize) -> Option<FrameCursor> {
        self.wrap();
        let used = match rules.overrun {
            OverrunPolicy::KeepOldest => self.used(),
            OverrunPolicy::OverwriteOldest => 0,
        };
        let room = self.size().saturating_sub(1).saturating_sub(used);
        if room < min_len {
            self.reject_frame(rules.overrun);
            return None;
        }
        // SAFETY: there is room, so that the ring has memory, and `write` is in it.
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
            // Length of the frame, and of an abort before it.
            let length = self.size().wrapping_sub(1).wrapping_sub(cursor.free_bytes);
            self.lapped |= self.used().wrapping_add(length) >= self.size();
        }
        self.write = cursor.position;
        self.lost_since_last = 0;
        self.set_limit();
    }

    /// Drops a frame that had no room.
    pub(super) fn reject_frame(&mut self, overrun: OverrunPolicy) {
        match overrun {
            OverrunPolicy::KeepOldest => {
                self.lost = self.lost.wrapping_add(1);
                self.lost_since_last = self.lost_since_last.wrapping_add(1);
                self.set_limit();
            }
            // It was larger than the ring and has overwritten all other frames.
            OverrunPolicy::OverwriteOldest => {
                self.clear();
                self.abort();
            }
        }
    }

    /// Signals to the host that frames are missing before the oldest one.
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

/// The end of frames, and the behaviour if there is no room for them.
#[derive(Debug, Clone, Copy)]
pub(super) struct FrameRules {
    pub(super) overrun: OverrunPolicy,
    pub(super) sequence: bool,
    pub(super) checksum: bool,
}

/// Number of bytes from one position of a buffer to a later one.
#[inline(always)]
pub(super) fn distance(from: *const u8, to: *const u8) -> usize {
    (to as usize).wrapping_sub(from as usize)
}
