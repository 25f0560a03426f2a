//! What the host gets of a ring.

use super::Overrun;
use super::ring::{Owed, Place, Ring, distance};
use rtoscope_wire::rkh::frame::{ESCAPE, FLAG};

impl Ring {
    /// Takes the oldest bytes, at most as many as `into` has, out of the ring.
    /// Fewer may be taken although there are more; 0 if there are none.
    pub(super) fn take(&mut self, overrun: Overrun, into: &mut [u8]) -> usize {
        if !self.is_there() {
            return 0;
        }
        self.settle();
        if self.owed != Owed::Nothing {
            return self.pay(into);
        }
        let end = if self.write >= self.oldest {
            self.write
        } else {
            self.end
        };
        let count = distance(self.oldest, end).min(into.len());
        let mut place = self.taken_to;
        let mut frames = 0;
        for (index, to) in into.iter_mut().take(count).enumerate() {
            // SAFETY: `count` bytes from `oldest` on are in the ring, and were
            // written.
            let byte = unsafe { self.oldest.add(index).read() };
            frames += u32::from(place.is_ended_by(byte));
            place = Place::behind(byte);
            *to = byte;
        }
        self.taken_to = place;
        if overrun == Overrun::OverwriteOldest {
            self.taken = self.taken.wrapping_add(frames);
        }
        self.oldest = self.oldest.wrapping_add(count);
        if self.oldest == self.end {
            self.oldest = self.begin;
        }
        self.set_limit();
        count
    }

    /// Lets the cut frame of a lapped ring go.
    fn settle(&mut self) {
        self.wrap();
        if self.lapped {
            self.oldest = self.first_whole();
            self.lapped = false;
            self.abort();
            self.set_limit();
        }
    }

    /// Gives a byte that the host is owed.
    fn pay(&mut self, into: &mut [u8]) -> usize {
        let (byte, owed) = match self.owed {
            Owed::Abort => (ESCAPE, Owed::Flag),
            Owed::Flag | Owed::Nothing => (FLAG, Owed::Nothing),
        };
        into.first_mut().map_or(0, |place| {
            *place = byte;
            self.owed = owed;
            1
        })
    }

    /// Bytes that can be taken.
    pub(super) fn waiting(&mut self) -> usize {
        if !self.is_there() {
            return 0;
        }
        self.settle();
        let owed = match self.owed {
            Owed::Nothing => 0,
            Owed::Flag => 1,
            Owed::Abort => 2,
        };
        self.used() + owed
    }

    /// Records that were lost since the start.
    pub(super) fn lost(&self, overrun: Overrun) -> u32 {
        match overrun {
            Overrun::KeepOldest => self.refused,
            Overrun::OverwriteOldest if self.is_there() => self
                .number
                .wrapping_add(self.bare)
                .wrapping_sub(self.taken)
                .wrapping_sub(self.frames()),
            Overrun::OverwriteOldest => 0,
        }
    }

    /// Frames in the ring that will be taken to their ends.
    fn frames(&self) -> u32 {
        let (from, mut place) = if self.lapped {
            (self.first_whole(), Place::Between)
        } else {
            (self.oldest, self.taken_to)
        };
        let write = if self.write == self.end {
            self.begin
        } else {
            self.write
        };
        let mut frames = 0;
        let mut at = from;
        while at != write {
            let byte = self.read(&mut at);
            frames += u32::from(place.is_ended_by(byte));
            place = Place::behind(byte);
        }
        frames
    }

    /// Where the first frame begins that is not cut, in a lapped ring.
    fn first_whole(&self) -> *mut u8 {
        let mut at = if self.write == self.end {
            self.begin
        } else {
            self.write
        };
        for _ in 0..self.size() {
            if self.read(&mut at) == FLAG {
                break;
            }
        }
        at
    }

    /// The byte at a place in the ring that was written, and the next place.
    fn read(&self, at: &mut *mut u8) -> u8 {
        // SAFETY: the callers stay between `begin` and `end`, where a lapped ring
        // has been written all over, or between `oldest` and `write`.
        let (byte, next) = unsafe { (at.read(), at.add(1)) };
        *at = if next == self.end { self.begin } else { next };
        byte
    }
}

impl Place {
    const fn behind(byte: u8) -> Self {
        match byte {
            FLAG => Self::Between,
            ESCAPE => Self::Escape,
            _ => Self::Within,
        }
    }

    /// Whether a byte behind this place ends a frame.
    fn is_ended_by(self, byte: u8) -> bool {
        self != Self::Between && byte == FLAG
    }
}
