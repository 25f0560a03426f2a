use super::{BufferMode, LogEntry, LogSnapshot};
use core::ptr::{addr_of_mut, null_mut};
use core::sync::atomic::{Ordering, compiler_fence};

/// The state of a log's buffer. It has C layout, so that a debugger can read it: first
/// the two fields that every entry needs, then the other control variables of the
/// article.
#[repr(C)]
pub(super) struct LogControl {
    /// The next slot. It equals `end` whenever the slow path must decide: without a
    /// buffer, with a full buffer, and at the end of a lap.
    pub(super) current: *mut LogEntry,
    /// End of the last slot.
    pub(super) end: *mut LogEntry,
    /// The first slot; null without a buffer.
    pub(super) start: *mut LogEntry,
    /// 1 if the buffer is a ring.
    pub(super) cyclic: u32,
    /// Number of the entry in the first slot, counted from the start of the session: the
    /// number of entries in all previous laps.
    pub(super) lap_start: u64,
    pub(super) lost: u64,
    idle_ticks: u64,
    idle_last: u32,
    /// 1 between a sleep and its wake.
    is_asleep: u32,
    /// Number of sessions started.
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
    /// The memory must be valid for reads and writes, and no other code may use it, until
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

    /// Whether the next slot can be written.
    #[inline(always)]
    pub(super) fn has_room(&self) -> bool {
        self.current != self.end
    }

    /// Starts the next lap of a ring. If the buffer is not a ring, counts a lost entry
    /// and returns `false`.
    pub(super) fn make_room(&mut self) -> bool {
        if self.has_room() {
            return true;
        }
        let wraps = self.cyclic != 0 && self.start != self.end;
        if wraps {
            let lap_start = self.lap_start.wrapping_add(self.capacity() as u64);
            // A fault handler may stop the writer between any two stores. `current` first:
            // while it is not the start, `lap_start` is complete. See `freeze`.
            // SAFETY: a field of `self`.
            unsafe { addr_of_mut!(self.current).write_volatile(self.start) };
            compiler_fence(Ordering::SeqCst);
            self.lap_start = lap_start;
        } else if !self.start.is_null() {
            self.lost = self.lost.wrapping_add(1);
        }
        wraps
    }

    /// Writes an entry.
    ///
    /// # Safety
    /// [`LogControl::has_room`] must be true.
    #[inline(always)]
    pub(super) unsafe fn push(&mut self, entry: LogEntry) {
        // SAFETY: a slot precedes the end, and it belongs to the log alone.
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

    /// Idle time in ticks, including that of the current sleep.
    #[inline(always)]
    pub(super) fn idle_ticks_at(&self, now: u32) -> u64 {
        let sleep = now.wrapping_sub(self.idle_last);
        self.idle_ticks
            .wrapping_add(u64::from(if self.is_asleep == 0 { 0 } else { sleep }))
    }

    /// Number of slots in the buffer.
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

    /// Copies entries of this session, starting at number `from` or at the oldest
    /// remaining one. Returns the number of the first entry and the count.
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
        for (number, target) in (first..snapshot.next_entry).zip(into) {
            let slot = match number.checked_sub(self.lap_start) {
                Some(slot) => slot as usize,
                // An entry of the previous lap, whose first slots this lap has
                // overwritten.
                None => self
                    .capacity()
                    .wrapping_sub(self.lap_start.wrapping_sub(number) as usize),
            };
            // SAFETY: the slot is in the buffer, because `first` is at most one lap
            // before `next`, and it contains an entry.
            *target = unsafe { self.start.add(slot).read() };
            copied += 1;
        }
        (first, copied)
    }
}

/// Number of slots between two positions in a buffer; `from` must not be after `to`.
fn slots_between(from: *const LogEntry, to: *const LogEntry) -> usize {
    (to as usize).wrapping_sub(from as usize) / core::mem::size_of::<LogEntry>()
}
