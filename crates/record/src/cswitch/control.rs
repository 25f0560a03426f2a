use super::{Entry, Mode, Snapshot};
use core::ptr::null_mut;

/// What a log knows of its buffer. Layout of C, as a debugger reads it: the
/// two fields that every entry needs come first, then the rest of the
/// article's control variables.
#[repr(C)]
pub(super) struct Control {
    /// The next slot; equal to `end` whenever there is something to decide:
    /// no buffer, a full one, the end of a lap.
    current: *mut Entry,
    /// Behind the last slot.
    end: *mut Entry,
    /// The first slot; null without a buffer.
    start: *mut Entry,
    /// 1 if the buffer is a ring.
    cyclic: u32,
    /// Number of the entry in the first slot, counted from the start of the
    /// recording: the entries of all laps before this one.
    lap_start: u64,
    lost: u64,
    idle_total: u64,
    idle_last: u32,
    /// 1 between a sleep and its wake.
    asleep: u32,
    /// Recordings that were started.
    session: u32,
}

impl Control {
    pub(super) const OFF: Self = Self {
        current: null_mut(),
        end: null_mut(),
        start: null_mut(),
        cyclic: 0,
        lap_start: 0,
        lost: 0,
        idle_total: 0,
        idle_last: 0,
        asleep: 0,
        session: 0,
    };

    /// # Safety
    /// The memory must be valid for reads and writes, and nobody else's, until
    /// [`Control::stop`].
    pub(super) unsafe fn start(&mut self, start: *mut Entry, entries: usize, mode: Mode, now: u32) {
        *self = Self {
            current: start,
            end: start.wrapping_add(entries),
            start,
            cyclic: u32::from(mode == Mode::Cyclic),
            idle_last: now,
            asleep: self.asleep,
            session: self.session.wrapping_add(1),
            ..Self::OFF
        };
    }

    pub(super) fn stop(&mut self) {
        *self = Self {
            idle_total: self.idle_total,
            idle_last: self.idle_last,
            asleep: self.asleep,
            session: self.session,
            ..Self::OFF
        };
    }

    /// Whether the next slot may be written as it is.
    #[inline(always)]
    pub(super) fn has_room(&self) -> bool {
        self.current != self.end
    }

    /// Makes room by beginning the next lap; where there is none, counts a
    /// loss.
    pub(super) fn make_room(&mut self) -> bool {
        if self.has_room() {
            return true;
        }
        let turns = self.cyclic != 0 && self.start != self.end;
        if turns {
            self.lap_start = self.lap_start.wrapping_add(self.entries() as u64);
            self.current = self.start;
        } else if !self.start.is_null() {
            self.lost = self.lost.wrapping_add(1);
        }
        turns
    }

    /// Writes an entry.
    ///
    /// # Safety
    /// [`Control::has_room`]
    #[inline(always)]
    pub(super) unsafe fn put(&mut self, entry: Entry) {
        // SAFETY: before the end there is a slot, which is the log's alone.
        self.current = unsafe { entry.store(self.current) };
    }

    #[inline(always)]
    pub(super) fn sleep(&mut self, now: u32) {
        self.idle_last = now;
        self.asleep = 1;
    }

    #[inline(always)]
    pub(super) fn wake(&mut self, now: u32) {
        self.idle_total = self.idle_until(now);
        self.asleep = 0;
    }

    /// Ticks spent idle, those of a sleep that has not ended among them.
    #[inline(always)]
    pub(super) fn idle_until(&self, now: u32) -> u64 {
        let sleep = now.wrapping_sub(self.idle_last);
        self.idle_total
            .wrapping_add(u64::from(if self.asleep == 0 { 0 } else { sleep }))
    }

    /// Slots of the buffer.
    fn entries(&self) -> usize {
        slots(self.start, self.end)
    }

    pub(super) fn snapshot(&self, now: u32) -> Option<Snapshot> {
        if self.start.is_null() {
            return None;
        }
        let written = slots(self.start, self.current) as u64;
        let next = self.lap_start.wrapping_add(written);
        Some(Snapshot {
            start: self.start,
            current: self.current,
            end: self.end,
            cyclic: self.cyclic != 0,
            session: self.session,
            first: next.saturating_sub(self.entries() as u64),
            next,
            lost: self.lost,
            idle: self.idle_until(now),
        })
    }

    /// Copies entries of that session from number `from` on, or from the
    /// oldest that is left; gives the number of the first and how many.
    pub(super) fn copy(&self, session: u32, from: u64, into: &mut [Entry]) -> (u64, usize) {
        let snapshot = match self.snapshot(0) {
            Some(snapshot) if snapshot.session == session => snapshot,
            _ => return (from, 0),
        };
        let first = from.max(snapshot.first);
        let mut copied = 0;
        for (number, place) in (first..snapshot.next).zip(into) {
            let slot = match number.checked_sub(self.lap_start) {
                Some(slot) => slot as usize,
                // Of the lap before, whose first slots this one has taken.
                None => self
                    .entries()
                    .wrapping_sub(self.lap_start.wrapping_sub(number) as usize),
            };
            // SAFETY: the slot lies in the buffer, as `first` is at most the
            // number of slots behind `next`, and an entry was written there.
            *place = unsafe { self.start.add(slot).read() };
            copied += 1;
        }
        (first, copied)
    }
}

/// Slots between two places of a buffer, the first not behind the second.
fn slots(from: *const Entry, to: *const Entry) -> usize {
    (to as usize).wrapping_sub(from as usize) / core::mem::size_of::<Entry>()
}
