use super::ring::distance;
use super::word_scan::escape_mask;
use rtoscope_wire::rkh::frame::{ESCAPE, ESCAPE_XOR, FLAG};

/// Writes a frame to where it goes in a ring, over the ring's end if need be:
/// escapes bytes and sums them up. Nothing counts before the ring takes the
/// cursor back.
#[derive(Debug)]
pub(super) struct FrameCursor {
    pub(super) position: *mut u8,
    /// Bytes that may still be written.
    pub(super) free_bytes: usize,
    /// Whether there were more.
    pub(super) overflow: bool,
    /// The low 8 bits are the sum of the frame's bytes.
    sum: u32,
    begin: *mut u8,
    end: *mut u8,
}

impl FrameCursor {
    /// # Safety
    /// From `begin` to `end` must be memory that may be written, as long as the
    /// cursor is used, and `position` in it and before `end`. `free_bytes` must not be more
    /// than that.
    pub(super) const unsafe fn new(at: *mut u8, room: usize, begin: *mut u8, end: *mut u8) -> Self {
        Self {
            position: at,
            free_bytes: room,
            overflow: false,
            sum: 0,
            begin,
            end,
        }
    }

    /// Aborts the frame so far; the host counts it as damaged.
    pub(super) fn abort(&mut self) {
        self.put_byte(ESCAPE);
        self.put_byte(FLAG);
    }

    /// Ends the frame.
    pub(super) fn end(&mut self, checksum: bool) {
        if checksum {
            self.bytes(&[self.sum.wrapping_neg() as u8]);
        }
        self.put_byte(FLAG);
    }

    /// Writes a text up to its first NUL, and a NUL.
    pub(super) fn text(&mut self, text: &[u8]) {
        let end = text.iter().position(|byte| *byte == 0);
        self.bytes(text.get(..end.unwrap_or(text.len())).unwrap_or_default());
        self.bytes(&[0]);
    }

    /// Writes bytes, escaped where they have to be.
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.sum = self.sum.wrapping_add(byte_sum(bytes));
        self.write_unsummed(bytes);
    }

    /// [`bytes`](Self::bytes) that are not summed up.
    #[inline(never)]
    pub(super) fn write_unsummed(&mut self, bytes: &[u8]) {
        let most = bytes.len().saturating_mul(2);
        if self.free_bytes >= most && distance(self.position, self.end) > most {
            // SAFETY: there is room, and one more before the end.
            let at = unsafe { write_escaped(self.position, bytes) };
            self.free_bytes = self.free_bytes.wrapping_sub(distance(self.position, at));
            self.position = at;
            return;
        }
        for byte in bytes {
            if matches!(*byte, ESCAPE | FLAG) {
                self.put_byte(ESCAPE);
                self.put_byte(*byte ^ ESCAPE_XOR);
            } else {
                self.put_byte(*byte);
            }
        }
    }

    fn put_byte(&mut self, byte: u8) {
        if self.free_bytes == 0 {
            self.overflow = true;
            return;
        }
        self.free_bytes -= 1;
        // SAFETY: `position` is within the memory that was promised, since it goes
        // back to the beginning where it reaches the end.
        let next = unsafe {
            self.position.write(byte);
            self.position.add(1)
        };
        self.position = if next == self.end { self.begin } else { next };
    }
}

/// Writes bytes, escaped where they have to be, four at once where none has,
/// and returns where they end.
///
/// # Safety
/// From `position` on must be memory for twice as many bytes that may be written.
#[inline(never)]
pub(super) unsafe fn write_escaped(mut at: *mut u8, bytes: &[u8]) -> *mut u8 {
    let mut rest = bytes;
    while let Some((first, behind)) = rest.split_first() {
        if rest.len() >= 4 {
            // SAFETY: four bytes are there; they need not be aligned.
            let word = unsafe { rest.as_ptr().cast::<u32>().read_unaligned() };
            if escape_mask(word) == 0 {
                // SAFETY: promised by the caller.
                at = unsafe {
                    at.cast::<u32>().write_unaligned(word);
                    at.add(4)
                };
                rest = rest.get(4..).unwrap_or_default();
                continue;
            }
        }
        let mut byte = *first;
        // SAFETY: promised by the caller.
        unsafe {
            if matches!(byte, ESCAPE | FLAG) {
                at.write(ESCAPE);
                at = at.add(1);
                byte ^= ESCAPE_XOR;
            }
            at.write(byte);
            at = at.add(1);
        }
        rest = behind;
    }
    at
}

/// A number whose low 8 bits are the sum of the bytes.
pub(super) fn byte_sum(bytes: &[u8]) -> u32 {
    bytes
        .iter()
        .fold(0, |sum, byte| sum.wrapping_add((*byte).into()))
}
