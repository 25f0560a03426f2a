//! The reader's side of a ring.

use super::OverrunPolicy;
use super::ring::{PendingOutput, Ring, StreamPosition, distance};
use rtoscope_wire::rkh::frame::{ESCAPE, FLAG};

impl Ring {
    /// Moves the oldest bytes of the ring to `into`. It may return fewer bytes than are
    /// available; 0 if there are none.
    pub(super) fn take(&mut self, overrun: OverrunPolicy, into: &mut [u8]) -> usize {
        if !self.has_buffer() {
            return 0;
        }
        self.skip_cut_frame();
        if self.pending_output != PendingOutput::Nothing {
            return self.take_pending(into);
        }
        let end = if self.write >= self.oldest {
            self.write
        } else {
            self.end
        };
        let count = distance(self.oldest, end).min(into.len());
        let mut position = self.taken_position;
        let mut frames = 0;
        for (index, to) in into.iter_mut().take(count).enumerate() {
            // SAFETY: the ring contains `count` written bytes from `oldest` on.
            let byte = unsafe { self.oldest.add(index).read() };
            frames += u32::from(position.is_ended_by(byte));
            position = StreamPosition::after(byte);
            *to = byte;
        }
        self.taken_position = position;
        if overrun == OverrunPolicy::OverwriteOldest {
            self.taken_frames = self.taken_frames.wrapping_add(frames);
        }
        self.oldest = self.oldest.wrapping_add(count);
        if self.oldest == self.end {
            self.oldest = self.begin;
        }
        self.set_limit();
        count
    }

    /// Skips the frame of a lapped ring whose start was overwritten.
    fn skip_cut_frame(&mut self) {
        self.wrap();
        if self.lapped {
            self.oldest = self.first_complete_frame();
            self.lapped = false;
            self.abort();
            self.set_limit();
        }
    }

    /// Returns a pending byte to the host.
    fn take_pending(&mut self, into: &mut [u8]) -> usize {
        let (byte, pending) = match self.pending_output {
            PendingOutput::Abort => (ESCAPE, PendingOutput::Flag),
            PendingOutput::Flag | PendingOutput::Nothing => (FLAG, PendingOutput::Nothing),
        };
        into.first_mut().map_or(0, |target| {
            *target = byte;
            self.pending_output = pending;
            1
        })
    }

    /// Number of bytes available to `take`.
    pub(super) fn available(&mut self) -> usize {
        if !self.has_buffer() {
            return 0;
        }
        self.skip_cut_frame();
        let pending = match self.pending_output {
            PendingOutput::Nothing => 0,
            PendingOutput::Flag => 1,
            PendingOutput::Abort => 2,
        };
        self.used() + pending
    }

    /// Number of records lost since the start.
    pub(super) fn lost(&self, overrun: OverrunPolicy) -> u32 {
        match overrun {
            OverrunPolicy::KeepOldest => self.lost,
            OverrunPolicy::OverwriteOldest if self.has_buffer() => self
                .numbered
                .wrapping_add(self.unnumbered)
                .wrapping_sub(self.taken_frames)
                .wrapping_sub(self.complete_frames()),
            OverrunPolicy::OverwriteOldest => 0,
        }
    }

    /// Number of frames in the ring whose end is still to be taken.
    fn complete_frames(&self) -> u32 {
        let (from, mut position) = if self.lapped {
            (self.first_complete_frame(), StreamPosition::FrameBoundary)
        } else {
            (self.oldest, self.taken_position)
        };
        let write = if self.write == self.end {
            self.begin
        } else {
            self.write
        };
        let mut frames = 0;
        let mut at = from;
        while at != write {
            let byte = self.read_byte(&mut at);
            frames += u32::from(position.is_ended_by(byte));
            position = StreamPosition::after(byte);
        }
        frames
    }

    /// The start of the first complete frame in a lapped ring.
    fn first_complete_frame(&self) -> *mut u8 {
        let mut at = if self.write == self.end {
            self.begin
        } else {
            self.write
        };
        for _ in 0..self.size() {
            if self.read_byte(&mut at) == FLAG {
                break;
            }
        }
        at
    }

    /// Reads the written byte at a position and advances the position.
    fn read_byte(&self, at: &mut *mut u8) -> u8 {
        // SAFETY: the callers stay between `begin` and `end` in a lapped ring, where all
        // bytes were written, or else between `oldest` and `write`.
        let (byte, next) = unsafe { (at.read(), at.add(1)) };
        *at = if next == self.end { self.begin } else { next };
        byte
    }
}

impl StreamPosition {
    const fn after(byte: u8) -> Self {
        match byte {
            FLAG => Self::FrameBoundary,
            ESCAPE => Self::AfterEscape,
            _ => Self::InFrame,
        }
    }

    /// Whether this byte at this position ends a frame.
    fn is_ended_by(self, byte: u8) -> bool {
        self != Self::FrameBoundary && byte == FLAG
    }
}
