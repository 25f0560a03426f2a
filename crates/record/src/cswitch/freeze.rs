//! Ends a session from a fault handler, which may have interrupted a writer at any
//! instruction.

use super::control::LogControl;
use super::{EntryKind, LogEntry, SwitchLog, UNFINISHED};
use crate::Name;
use crate::port::Clock;
use core::mem::size_of;
use core::ptr::{addr_of, addr_of_mut, null_mut};

/// The position at which a session was frozen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FrozenPosition {
    /// The first slot.
    pub(crate) start: *mut LogEntry,
    /// The slot after the newest entry, at most the number of slots.
    pub(crate) next_slot: usize,
    /// Whether entries were overwritten.
    pub(crate) wrapped: bool,
    /// Number of entries before the oldest one, if known.
    pub(crate) preceding_entries: Option<u64>,
    pub(crate) lost: u64,
}

impl<M, C: Clock> SwitchLog<M, C> {
    /// Stops recording and ends the log with a fault entry. It acquires no mask: a handler
    /// of HardFault or NMI may call it. [`None`] without a session.
    pub(crate) fn freeze(&self, address: usize) -> Option<FrozenPosition> {
        self.turn_off();
        let entry = LogEntry {
            kind: EntryKind::Fault as u32,
            counter: self.clock().now(),
            address,
            name: Name::NONE,
        };
        // SAFETY: the control block of a log. The writer that the handler interrupted does
        // not run meanwhile, and the log is used by one core only.
        unsafe { LogControl::freeze(self.control_ptr(), entry) }
    }
}

impl LogControl {
    /// Writes `entry` over the slot that an interrupted writer may have half written, and
    /// leaves the log without a session and without room. If the interrupted writer
    /// continues later, it can change this slot only.
    ///
    /// # Safety
    /// `control` must be valid, and no other code may run meanwhile.
    pub(super) unsafe fn freeze(control: *mut Self, entry: LogEntry) -> Option<FrozenPosition> {
        // SAFETY: the caller guarantees a valid control block. Volatile, because the
        // compiler of the interrupted code assumes that no other code accesses it.
        let (start, current, end, ring, lap_start, lost) = unsafe {
            (
                addr_of!((*control).start).read_volatile(),
                addr_of!((*control).current).read_volatile(),
                addr_of!((*control).end).read_volatile(),
                addr_of!((*control).cyclic).read_volatile() != 0,
                addr_of!((*control).lap_start).read_volatile(),
                addr_of!((*control).lost).read_volatile(),
            )
        };
        if start.is_null() {
            return None;
        }
        let slots =
            |to: *mut LogEntry| (to as usize).wrapping_sub(start as usize) / size_of::<LogEntry>();
        let capacity = slots(end);
        let mut position = FrozenPosition {
            start,
            next_slot: capacity,
            wrapped: false,
            preceding_entries: Some(0),
            lost,
        };
        let is_full = current == end;
        let (slot, lap_start) = match (is_full, ring && capacity > 0) {
            (false, _) => (current, Some(lap_start)),
            (true, true) => (start, Some(lap_start.wrapping_add(capacity as u64))),
            (true, false) => (null_mut(), None),
        };
        if let Some(lap_start) = lap_start {
            position.next_slot = slots(slot).wrapping_add(1);
            let next = lap_start.wrapping_add(position.next_slot as u64);
            position.preceding_entries = Some(next.saturating_sub(capacity as u64));
            position.wrapped = lap_start > 0;
            if current == start && !is_full {
                // At the start of a session, or within the wrap of a ring, before or
                // after `lap_start` changed. The last slot shows whether it was used.
                // SAFETY: a slot of the log.
                let last = unsafe { addr_of!((*end.wrapping_sub(1)).kind).read_volatile() };
                position.wrapped = last != UNFINISHED;
                position.preceding_entries = if position.wrapped { None } else { Some(0) };
            }
            // SAFETY: a slot of the log.
            unsafe { slot.write_volatile(entry) };
        }
        let after = if slot.is_null() {
            end
        } else {
            slot.wrapping_add(1)
        };
        // SAFETY: as above.
        unsafe {
            addr_of_mut!((*control).cyclic).write_volatile(0);
            addr_of_mut!((*control).end).write_volatile(after);
            addr_of_mut!((*control).current).write_volatile(after);
            addr_of_mut!((*control).start).write_volatile(null_mut());
        }
        Some(position)
    }
}

// A test may fail, and all its memory is its own.
#[cfg(test)]
#[allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::undocumented_unsafe_blocks,
    clippy::match_bool
)]
mod tests {
    use super::*;
    use crate::cswitch::BufferMode;

    const SLOTS: usize = 4;
    const FAULT: LogEntry = LogEntry {
        kind: EntryKind::Fault as u32,
        counter: 9999,
        address: 0,
        name: Name::NONE,
    };

    /// The numbered entry of a test.
    fn entry(number: usize) -> LogEntry {
        LogEntry {
            kind: 2,
            counter: number as u32,
            address: number,
            name: Name::from_ptr(number as *const u8),
        }
    }

    /// The stores of a writer, one by one: those of the wrap, the four words of the
    /// entry, the position. It stops after `stores` of them; `false` if there are fewer.
    fn write_until(control: &mut LogControl, entry: LogEntry, stores: usize) -> bool {
        let mut left = stores;
        let mut step = |work: &mut dyn FnMut()| {
            let runs = left > 0;
            left = left.saturating_sub(1);
            if runs {
                work();
            }
            runs
        };
        if control.current == control.end {
            if control.cyclic == 0 {
                step(&mut || control.lost += 1);
                return left > 0;
            }
            let lap = control.lap_start + SLOTS as u64;
            // The halves of `lap_start` are separate stores on a core of 32 bits.
            let halves = (control.lap_start & 0xFFFF_FFFF_0000_0000) | (lap & 0xFFFF_FFFF);
            let all = step(&mut || control.current = control.start)
                && step(&mut || control.lap_start = halves)
                && step(&mut || control.lap_start = lap);
            if !all {
                return false;
            }
        }
        let slot = control.current;
        // SAFETY: a slot of the test's buffer.
        unsafe {
            step(&mut || (*slot).kind = entry.kind)
                && step(&mut || (*slot).counter = entry.counter)
                && step(&mut || (*slot).address = entry.address)
                && step(&mut || (*slot).name = entry.name)
                && step(&mut || control.current = slot.wrapping_add(1))
        }
    }

    /// Whatever store a writer is stopped after, the frozen log has only whole entries, in
    /// order, and the newest ones; only the one being written may be missing.
    #[test]
    fn every_interrupted_store_leaves_whole_entries() {
        for mode in [BufferMode::Cyclic, BufferMode::OneShot] {
            // A carry between the halves of the counter in one of the cases.
            for base in [0, u64::from(u32::MAX) + 1 - SLOTS as u64] {
                for written in 0..3 * SLOTS {
                    for stores in 0..=8 {
                        check(mode, base, written, stores);
                    }
                }
            }
        }
    }

    fn check(mode: BufferMode, base: u64, written: usize, stores: usize) {
        let mut slots = [LogEntry::UNFINISHED; SLOTS];
        let start = slots.as_mut_ptr();
        let mut control = LogControl::OFF;
        // SAFETY: the test's own buffer.
        unsafe { control.start(start, SLOTS, mode, 0) };
        // A ring of an old session is full.
        let older = if base > 0 && mode == BufferMode::Cyclic {
            control.lap_start = base;
            (0..SLOTS).for_each(|at| unsafe { start.add(at).write(entry(1000 + at)) });
            SLOTS
        } else {
            0
        };
        for number in 0..written {
            write_until(&mut control, entry(2000 + number), usize::MAX);
        }
        let complete = write_until(&mut control, entry(2000 + written), stores);
        let case = format!("{mode:?} {base} {written} {stores}");
        // SAFETY: no other code uses it.
        let position = unsafe { LogControl::freeze(&mut control, FAULT) }.unwrap();
        assert!(!control.has_room(), "{case}");
        assert_eq!(unsafe { LogControl::freeze(&mut control, FAULT) }, None);
        let next = position.next_slot;
        let memory: Vec<LogEntry> = (0..SLOTS)
            .map(|at| unsafe { start.add(at).read() })
            .collect();
        let mut found: Vec<LogEntry> = match position.wrapped {
            true => memory[next..]
                .iter()
                .chain(&memory[..next])
                .copied()
                .collect(),
            false => memory[..next].to_vec(),
        };
        let all = (1000..1000 + older).chain(2000..2000 + written + usize::from(complete));
        let all: Vec<LogEntry> = all.map(entry).collect();
        if mode == BufferMode::OneShot {
            let kept = &all[..all.len().min(SLOTS)];
            if kept.len() < SLOTS {
                assert_eq!(found.pop(), Some(FAULT), "{case}");
            }
            return assert_eq!(found, kept, "{case}");
        }
        assert_eq!(found.pop(), Some(FAULT), "{case}");
        let newest = &all[all.len().saturating_sub(SLOTS - 1)..];
        assert_eq!(found, newest, "{case}");
        // The number of older entries is right, or not known within a wrap.
        let total = base + written as u64 + u64::from(complete) + 1;
        let expected = total.saturating_sub(SLOTS as u64);
        match position.preceding_entries {
            Some(number) => assert_eq!(number, expected, "{case}"),
            None => assert_eq!(next, 1, "{case}"),
        }
    }
}
