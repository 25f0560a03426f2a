use super::slot::{AtomicSlot, SlotRead, SlotState};
use super::{BufferMode, EntryKind, LogEntry, LogSnapshot, LogSource, SwitchRecorder};
use crate::Name;
use crate::port::Clock;
#[cfg(not(all(test, loom)))]
use core::sync::atomic::{AtomicU32, Ordering};
#[cfg(all(test, loom))]
use loom::sync::atomic::{AtomicU32, Ordering};

/// A lock-free log: threads, interrupts of all priorities and other cores record
/// concurrently, and none of them waits for another.
///
/// The log contains its `N` slots; `N` is a power of two and at least 2. Entries are in
/// the order in which their writers claimed them; their counters never decrease if all
/// writers use the same clock. While a slot is being written, it is marked as
/// [`UNFINISHED`](super::UNFINISHED). A writer that is delayed for a whole lap of a ring
/// keeps its slot. Writers that find the slot occupied lose their entry, which is
/// counted; two entries never mix.
///
/// Entries are counted modulo 2^32: immediately after that many entries, a ring appears
/// to be new.
#[repr(C)]
pub struct AtomicSwitchLog<C, const N: usize> {
    /// Number of the next entry; its low bits are the slot's index.
    next: AtomicU32,
    /// Number of the session's first entry.
    first: AtomicU32,
    /// Flags: [`RUNNING`] and others.
    mode: AtomicU32,
    lost: AtomicU32,
    idle_ticks: AtomicU32,
    idle_last: AtomicU32,
    is_asleep: AtomicU32,
    clock: C,
    /// The slots, laid out as those of a [`SwitchLog`](super::SwitchLog).
    slots: [AtomicSlot; N],
    slot_states: [SlotState; N],
}

/// No session was ever started.
const NEVER: u32 = 0;
const RUNNING: u32 = 1;
const STARTING: u32 = 2;
const STARTED: u32 = 4;
const CYCLIC: u32 = 8;

impl<C, const N: usize> AtomicSwitchLog<C, N> {
    const CAPACITY: u32 = {
        assert!(N.is_power_of_two() && N >= 2 && N <= 1 << 30);
        N as u32
    };

    /// Creates a log that is not recording.
    #[cfg(not(all(test, loom)))]
    pub const fn new(clock: C) -> Self {
        #[allow(clippy::declare_interior_mutable_const)]
        const ZERO: AtomicU32 = AtomicU32::new(0);
        Self {
            next: ZERO,
            first: ZERO,
            mode: AtomicU32::new(NEVER),
            lost: ZERO,
            idle_ticks: ZERO,
            idle_last: ZERO,
            is_asleep: ZERO,
            clock,
            slots: [AtomicSlot::UNFINISHED; N],
            slot_states: [SlotState::FIRST; N],
        }
    }

    /// Creates a log that is not recording.
    #[cfg(all(test, loom))]
    pub fn new(clock: C) -> Self {
        let zero = || AtomicU32::new(0);
        Self {
            next: zero(),
            first: zero(),
            mode: AtomicU32::new(NEVER),
            lost: zero(),
            idle_ticks: zero(),
            idle_last: zero(),
            is_asleep: zero(),
            clock,
            slots: core::array::from_fn(|_| AtomicSlot::unfinished()),
            slot_states: core::array::from_fn(|_| SlotState::first()),
        }
    }

    /// Whether the log is recording.
    #[inline(always)]
    pub fn is_on(&self) -> bool {
        self.mode.load(Ordering::Relaxed) & RUNNING != 0
    }

    /// Number of lost entries, modulo 2^32: those that found the buffer full, or their
    /// slot occupied by a writer of the previous lap.
    pub fn lost(&self) -> u32 {
        self.lost.load(Ordering::Relaxed)
    }

    /// Stops recording; the entries remain. Writers that have already claimed an entry
    /// may still finish it.
    pub fn stop(&self) {
        self.mode.fetch_and(!RUNNING, Ordering::AcqRel);
    }

    /// The slot of an entry, and the slot's state.
    fn slot_at(&self, number: u32) -> Option<(&AtomicSlot, &SlotState)> {
        let index = (number & (Self::CAPACITY - 1)) as usize;
        Some((self.slots.get(index)?, self.slot_states.get(index)?))
    }

    /// Writes an entry unless another writer occupies its slot or a later lap has used
    /// it.
    #[inline(always)]
    fn write_slot(&self, number: u32, entry: LogEntry) -> bool {
        let lap = number & !(Self::CAPACITY - 1);
        match self.slot_at(number) {
            Some((slot, state)) if state.try_acquire(lap) => {
                slot.write(entry);
                state.release(lap);
                true
            }
            _ => false,
        }
    }
}

impl<C: Clock, const N: usize> AtomicSwitchLog<C, N> {
    /// Starts a session. Returns `false` if one is running, which then continues, or if
    /// another caller is starting one.
    pub fn start(&self, mode: BufferMode) -> bool {
        let previous = self.mode.load(Ordering::Relaxed);
        if previous & (RUNNING | STARTING) != 0
            || self
                .mode
                .compare_exchange(previous, STARTING, Ordering::AcqRel, Ordering::Relaxed)
                .is_err()
        {
            return false;
        }
        // The session starts in the first slot and skips one lap. The skipped lap
        // overwrites all slots with unfinished entries.
        let after = |next: u32| (next | (Self::CAPACITY - 1)).wrapping_add(1);
        let first = |next| after(next).wrapping_add(Self::CAPACITY);
        let mut next = self.next.load(Ordering::Relaxed);
        while let Err(now) =
            self.next
                .compare_exchange(next, first(next), Ordering::AcqRel, Ordering::Relaxed)
        {
            next = now;
        }
        for number in 0..Self::CAPACITY {
            self.write_slot(after(next).wrapping_add(number), LogEntry::UNFINISHED);
        }
        self.first.store(first(next), Ordering::Relaxed);
        self.lost.store(0, Ordering::Relaxed);
        self.idle_ticks.store(0, Ordering::Relaxed);
        self.idle_last.store(self.clock.now(), Ordering::Relaxed);
        let mode = match mode {
            BufferMode::OneShot => STARTED | RUNNING,
            BufferMode::Cyclic => STARTED | RUNNING | CYCLIC,
        };
        self.mode.store(mode, Ordering::Release);
        true
    }

    /// Idle time since the session started, in ticks modulo 2^32, as in
    /// [`SwitchLog::idle_ticks`](super::SwitchLog::idle_ticks).
    pub fn idle_ticks(&self) -> u32 {
        let total = self.idle_ticks.load(Ordering::Relaxed);
        if self.is_asleep.load(Ordering::Acquire) == 0 {
            return total;
        }
        let last = self.idle_last.load(Ordering::Relaxed);
        total.wrapping_add(self.clock.now().wrapping_sub(last))
    }

    /// Records an entry. `kind` is the number of an [`EntryKind`], optionally with
    /// [`PREVIOUSLY_DISABLED`](super::PREVIOUSLY_DISABLED).
    #[inline]
    pub fn record(&self, kind: u32, address: usize, name: Name) {
        let mode = self.mode.load(Ordering::Acquire);
        if mode & RUNNING == 0 {
            return;
        }
        let written = match self.claim_slot(mode) {
            Some((number, counter)) => {
                let entry = LogEntry {
                    kind,
                    counter,
                    address,
                    name,
                };
                self.write_slot(number, entry)
            }
            None => false,
        };
        if !written {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Claims an entry: returns its number and its counter. The counter is read before
    /// the compare-and-exchange, so that a writer that is overtaken reads it again and
    /// counters keep the order of the numbers.
    #[inline(always)]
    fn claim_slot(&self, mode: u32) -> Option<(u32, u32)> {
        let mut number = self.next.load(Ordering::Acquire);
        loop {
            let written = number.wrapping_sub(self.first.load(Ordering::Relaxed));
            if mode & CYCLIC == 0 && written >= Self::CAPACITY {
                return None;
            }
            let counter = self.clock.now();
            match self.next.compare_exchange_weak(
                number,
                number.wrapping_add(1),
                Ordering::AcqRel,
                Ordering::Acquire,
            ) {
                Ok(_) => return Some((number, counter)),
                Err(now) => number = now,
            }
        }
    }

    /// The scheduler enters the idle loop. A second sleep without a wake in between
    /// restarts the idle time.
    #[inline]
    pub fn sleep(&self, address: usize, name: Name) {
        self.idle_last.store(self.clock.now(), Ordering::Relaxed);
        self.is_asleep.store(1, Ordering::Release);
        self.record(EntryKind::Sleep as u32, address, name);
    }

    /// The core leaves the idle loop. Without a preceding sleep, no idle time is counted.
    #[inline]
    pub fn wake(&self, address: usize, name: Name) {
        if self.is_asleep.swap(0, Ordering::AcqRel) != 0 {
            let last = self.idle_last.load(Ordering::Relaxed);
            let sleep = self.clock.now().wrapping_sub(last);
            self.idle_ticks.fetch_add(sleep, Ordering::Relaxed);
        }
        self.record(EntryKind::Wake as u32, address, name);
    }

    super::events::methods!();
}

impl<C: Clock, const N: usize> SwitchRecorder for AtomicSwitchLog<C, N> {
    #[inline(always)]
    fn record(&self, kind: u32, address: usize, name: Name) {
        AtomicSwitchLog::record(self, kind, address, name);
    }

    #[inline(always)]
    fn sleep(&self, address: usize, name: Name) {
        AtomicSwitchLog::sleep(self, address, name);
    }

    #[inline(always)]
    fn wake(&self, address: usize, name: Name) {
        AtomicSwitchLog::wake(self, address, name);
    }
}

impl<C: Clock, const N: usize> LogSource for AtomicSwitchLog<C, N> {
    /// The snapshot of the last session, running or stopped.
    fn snapshot(&self) -> Option<LogSnapshot> {
        let mode = self.mode.load(Ordering::Acquire);
        if mode & STARTED == 0 {
            return None;
        }
        let first = self.first.load(Ordering::Acquire);
        let next = self.next.load(Ordering::Acquire);
        let written = next.wrapping_sub(first);
        let start: *const LogEntry = self.slots.as_ptr().cast();
        let used = match written & (Self::CAPACITY - 1) {
            0 if written != 0 => N,
            slots => slots as usize,
        };
        Some(LogSnapshot {
            start,
            current: start.wrapping_add(used),
            end: start.wrapping_add(N),
            cyclic: mode & CYCLIC != 0,
            session: first,
            first_entry: u64::from(written.saturating_sub(Self::CAPACITY)),
            next_entry: u64::from(written),
            lost: u64::from(self.lost()),
            idle_ticks: u64::from(self.idle_ticks()),
        })
    }

    fn copy_entries(&self, session: u32, from: u64, into: &mut [LogEntry]) -> (u64, usize) {
        let snapshot = match LogSource::snapshot(self) {
            Some(snapshot) if snapshot.session == session => snapshot,
            _ => return (from, 0),
        };
        let oldest = from.max(snapshot.first_entry);
        let mut first = oldest;
        let mut copied = 0;
        let mut targets = into.iter_mut();
        for number in oldest..snapshot.next_entry {
            let absolute = session.wrapping_add(number as u32);
            let lap = absolute & !(Self::CAPACITY - 1);
            let entry = match self
                .slot_at(absolute)
                .map(|(slot, state)| state.read(lap, slot))
            {
                Some(SlotRead::Finished(entry)) => entry,
                Some(SlotRead::Unfinished) => LogEntry::UNFINISHED,
                Some(SlotRead::Overwritten) if copied == 0 => {
                    first = number.wrapping_add(1);
                    continue;
                }
                Some(SlotRead::Overwritten) | None => break,
            };
            match targets.next() {
                Some(target) => *target = entry,
                None => break,
            }
            copied += 1;
        }
        (first, copied)
    }
}
