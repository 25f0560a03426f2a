use super::ring::distance;
use super::word_scan::escape_mask;
use rtoscope_wire::rkh::frame::{ESCAPE, ESCAPE_XOR, FLAG};

/// Writes a frame into a ring, across the ring's end if necessary: escapes bytes and sums
/// them. The frame takes effect only when the ring commits the cursor.
#[derive(Debug)]
pub(super) struct FrameCursor {
    pub(super) position: *mut u8,
    /// Number of bytes that may still be written.
    pub(super) free_bytes: usize,
    /// Whether bytes did not fit.
    pub(super) overflow: bool,
    /// The sum of the frame's bytes in its low 8 bits.
    sum: u32,
    begin: *mut u8,
    end: *mut u8,
}

impl FrameCursor {
    /// # Safety
    /// The memory from `begin` to `end` must be writable while the cursor is used, with
    /// `at` inside it and before `end`. `free_bytes` must not exceed its size.
    pub(super) const unsafe fn new(
        at: *mut u8,
        free_bytes: usize,
        begin: *mut u8,
        end: *mut u8,
    ) -> Self {
        Self {
            position: at,
            free_bytes,
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

    /// Removes bytes with this sum, which were written, from the checksum.
    #[inline(always)]
    pub(super) fn exclude_from_sum(&mut self, sum: u32) {
        self.sum = self.sum.wrapping_sub(sum);
    }

    /// Writes a text up to its first NUL, and a NUL.
    pub(super) fn text(&mut self, text: &[u8]) {
        let end = text.iter().position(|byte| *byte == 0);
        self.bytes(text.get(..end.unwrap_or(text.len())).unwrap_or_default());
        self.bytes(&[0]);
    }

    /// Writes bytes, escaped if necessary.
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.sum = self.sum.wrapping_add(byte_sum(bytes));
        self.write_unsummed(bytes);
    }

    /// As [`bytes`](Self::bytes), without adding them to the sum.
    #[inline(never)]
    pub(super) fn write_unsummed(&mut self, bytes: &[u8]) {
        let max_len = bytes.len().saturating_mul(2);
        if self.free_bytes >= max_len && distance(self.position, self.end) > max_len {
            // SAFETY: there is room, with at least one more byte before the end.
            let at = unsafe { write_escaped(self.position, bytes) };
            self.free_bytes = self.free_bytes.wrapping_sub(distance(self.position, at));
            self.position = at;
            return;
        }
        let (mut at, mut free) = (self.position, self.free_bytes);
        for byte in bytes {
            let needs_escape = matches!(*byte, ESCAPE | FLAG);
            let length = 1 + usize::from(needs_escape);
            if free < length {
                self.overflow = true;
                break;
            }
            free -= length;
            // SAFETY: there is room.
            at = unsafe {
                if needs_escape {
                    self.put(self.put(at, ESCAPE), *byte ^ ESCAPE_XOR)
                } else {
                    self.put(at, *byte)
                }
            };
        }
        self.position = at;
        self.free_bytes = free;
    }

    fn put_byte(&mut self, byte: u8) {
        if self.free_bytes == 0 {
            self.overflow = true;
            return;
        }
        self.free_bytes -= 1;
        // SAFETY: there is room.
        self.position = unsafe { self.put(self.position, byte) };
    }

    /// Writes a byte of the ring and returns the address of the next one.
    ///
    /// # Safety
    /// The address must be that of a byte of the ring.
    #[inline(always)]
    unsafe fn put(&self, at: *mut u8, byte: u8) -> *mut u8 {
        // SAFETY: the caller guarantees this.
        let next = unsafe {
            at.write(byte);
            at.add(1)
        };
        if next == self.end { self.begin } else { next }
    }
}

/// Writes bytes, escaped if necessary, four at a time if none needs an escape. Returns
/// the end of the written bytes.
///
/// # Safety
/// The memory from `at` on must be writable for twice as many bytes.
#[inline(never)]
pub(super) unsafe fn write_escaped(mut at: *mut u8, bytes: &[u8]) -> *mut u8 {
    let mut rest = bytes;
    while let Some((first, remaining)) = rest.split_first() {
        if rest.len() >= 4 {
            // SAFETY: four bytes are present; they need not be aligned.
            let word = unsafe { rest.as_ptr().cast::<u32>().read_unaligned() };
            if escape_mask(word) == 0 {
                // SAFETY: the caller guarantees this.
                at = unsafe {
                    at.cast::<u32>().write_unaligned(word);
                    at.add(4)
                };
                rest = rest.get(4..).unwrap_or_default();
                continue;
            }
        }
        let mut byte = *first;
        // SAFETY: the caller guarantees this.
        unsafe {
            if matches!(byte, ESCAPE | FLAG) {
                at.write(ESCAPE);
                at = at.add(1);
                byte ^= ESCAPE_XOR;
            }
            at.write(byte);
            at = at.add(1);
        }
        rest = remaining;
    }
    at
}

/// The sum of the bytes in the low 8 bits.
#[inline(never)]
pub(super) fn byte_sum(bytes: &[u8]) -> u32 {
    bytes
        .iter()
        .fold(0, |sum, byte| sum.wrapping_add((*byte).into()))
}
