use super::{BufferMode, LogEntry, LogSnapshot};
use core::ptr::null_mut;

/// What a log knows of its buffer. Layout of C, as a debugger reads it: the
/// two fields that every entry needs come first, then the rest of the
/// article's control variables.
#[repr(C)]
pub(super) struct LogControl {
    /// The next slot; equal to `end` whenever there is something to decide:
    /// no buffer, a full one, the end of a lap.
    current: *mut LogEntry,
    /// Behind the last slot.
    end: *mut LogEntry,
    /// The first slot; null without a buffer.
    start: *mut LogEntry,
    /// 1 if the buffer is a ring.
    cyclic: u32,
    /// Number of the entry in the first slot, counted from the start of the
    /// recording: the entries of all laps before this one.
    lap_start: u64,
    lost: u64,
    idle_ticks: u64,
    idle_last: u32,
    /// 1 between a sleep and its wake.
    is_asleep: u32,
    /// Recordings that were started.
    session: u32,
}

impl LogControl {
    pub(super) const OFF: Self = Self {
        current: null_mut(),
        end: null_mut(),
        start: null_mut(),
        cyclic: 0,
        lap_start: 0,
        lost: 0,
        idle_ticks: 0,
        idle_last: 0,
        is_asleep: 0,
        session: 0,
    };

    /// # Safety
    /// The memory must be valid for reads and writes, and nobody else's, until
    /// [`LogControl::stop`].
    pub(super) unsafe fn start(
        &mut self,
        start: *mut LogEntry,
        entries: usize,
        mode: BufferMode,
        now: u32,
    ) {
        *self = Self {
            current: start,
            end: start.wrapping_add(entries),
            start,
            cyclic: u32::from(mode == BufferMode::Cyclic),
            idle_last: now,
            is_asleep: self.is_asleep,
            session: self.session.wrapping_add(1),
            ..Self::OFF
        };
    }

    pub(super) fn stop(&mut self) {
        *self = Self {
            idle_ticks: self.idle_ticks,
            idle_last: self.idle_last,
            is_asleep: self.is_asleep,
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
            self.lap_start = self.lap_start.wrapping_add(self.capacity() as u64);
            self.current = self.start;
        } else if !self.start.is_null() {
            self.lost = self.lost.wrapping_add(1);
        }
        turns
    }

    /// Writes an entry.
    ///
    /// # Safety
    /// [`LogControl::has_room`]
    #[inline(always)]
    pub(super) unsafe fn push(&mut self, entry: LogEntry) {
        // SAFETY: before the end there is a slot, which is the log's alone.
        self.current = unsafe { entry.store(self.current) };
    }

    #[inline(always)]
    pub(super) fn sleep(&mut self, now: u32) {
        self.idle_last = now;
        self.is_asleep = 1;
    }

    #[inline(always)]
    pub(super) fn wake(&mut self, now: u32) {
        self.idle_ticks = self.idle_ticks_at(now);
        self.is_asleep = 0;
    }

    /// Ticks spent idle, those of a sleep that has not ended among them.
    #[inline(always)]
    pub(super) fn idle_ticks_at(&self, now: u32) -> u64 {
        let sleep = now.wrapping_sub(self.idle_last);
        self.idle_ticks
            .wrapping_add(u64::from(if self.is_asleep == 0 { 0 } else { sleep }))
    }

    /// Slots of the buffer.
    fn capacity(&self) -> usize {
        slots_between(self.start, self.end)
    }

    pub(super) fn snapshot(&self, now: u32) -> Option<LogSnapshot> {
        if self.start.is_null() {
            return None;
        }
        let written = slots_between(self.start, self.current) as u64;
        let next = self.lap_start.wrapping_add(written);
        Some(LogSnapshot {
            start: self.start,
            current: self.current,
            end: self.end,
            cyclic: self.cyclic != 0,
            session: self.session,
            first_entry: next.saturating_sub(self.capacity() as u64),
            next_entry: next,
            lost: self.lost,
            idle_ticks: self.idle_ticks_at(now),
        })
    }

    /// Copies entries of that session from number `from` on, or from the
    /// oldest that is left; gives the number of the first and how many.
    pub(super) fn copy_entries(
        &self,
        session: u32,
        from: u64,
        into: &mut [LogEntry],
    ) -> (u64, usize) {
        let snapshot = match self.snapshot(0) {
            Some(snapshot) if snapshot.session == session => snapshot,
            _ => return (from, 0),
        };
        let first = from.max(snapshot.first_entry);
        let mut copied = 0;
        for (number, place) in (first..snapshot.next_entry).zip(into) {
            let slot = match number.checked_sub(self.lap_start) {
                Some(slot) => slot as usize,
                // Of the lap before, whose first slots this one has taken.
                None => self
                    .capacity()
                    .wrapping_sub(self.lap_start.wrapping_sub(number) as usize),
            };
            // SAFETY: the slot lies in the buffer, as `first_entry` is at most the
            // number of slots behind `next_entry`, and an entry was written there.
            *place = unsafe { self.start.add(slot).read() };
            copied += 1;
        }
        (first, copied)
    }
}

/// Slots between two places of a buffer, the first not behind the second.
fn slots_between(from: *const LogEntry, to: *const LogEntry) -> usize {
    (to as usize).wrapping_sub(from as usize) / core::mem::size_of::<LogEntry>()
}
