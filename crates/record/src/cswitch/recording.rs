use super::{LogEntry, LogSnapshot, LogSource};
use core::mem::MaybeUninit;
use core::slice;

/// A session that has ended: its entries and its buffer.
#[derive(Debug)]
pub struct FinishedLog(LogSnapshot);

// SAFETY: it owns the buffer; entries are plain words.
unsafe impl Send for FinishedLog {}
// SAFETY: through a shared reference the buffer is only read.
unsafe impl Sync for FinishedLog {}

impl FinishedLog {
    /// # Safety
    /// No other code may use the buffer for the life of the program, or for as long as
    /// its provider guarantees it. The buffer must contain entries in every slot that the
    /// snapshot covers.
    pub(crate) const unsafe fn new(snapshot: LogSnapshot) -> Self {
        Self(snapshot)
    }

    /// The position at which the session ended.
    pub const fn snapshot(&self) -> LogSnapshot {
        self.0
    }

    /// The entries as in memory: from the first slot to the last one written.
    pub fn memory(&self) -> &[LogEntry] {
        let slots = if self.0.wrapped() {
            self.slot_count()
        } else {
            self.0.entries() as usize
        };
        // SAFETY: all these slots were written, and no code writes to them any more.
        unsafe { slice::from_raw_parts(self.0.start, slots) }
    }

    /// Index of the oldest entry in [`FinishedLog::memory`]; the others follow it,
    /// continuing at index 0.
    pub fn oldest_index(&self) -> usize {
        if self.0.wrapped() && self.0.current != self.0.end {
            // SAFETY: both point into the buffer.
            unsafe { self.0.current.offset_from(self.0.start) as usize }
        } else {
            0
        }
    }

    /// The entries, oldest first: those up to the end of the memory, and those from its
    /// start.
    pub fn entries(&self) -> (&[LogEntry], &[LogEntry]) {
        let memory = self.memory();
        let parts = (
            memory.get(self.oldest_index()..),
            memory.get(..self.oldest_index()),
        );
        (parts.0.unwrap_or_default(), parts.1.unwrap_or_default())
    }

    /// The buffer, for the next session.
    pub fn into_buffer(self) -> &'static mut [MaybeUninit<LogEntry>] {
        let start = self.0.start as *mut MaybeUninit<LogEntry>;
        // SAFETY: `self` owns the buffer and is consumed here.
        unsafe { slice::from_raw_parts_mut(start, self.slot_count()) }
    }

    fn slot_count(&self) -> usize {
        // SAFETY: both belong to the buffer.
        unsafe { self.0.end.offset_from(self.0.start) as usize }
    }
}

impl LogSource for FinishedLog {
    fn snapshot(&self) -> Option<LogSnapshot> {
        Some(self.0)
    }

    fn copy_entries(&self, _session: u32, from: u64, into: &mut [LogEntry]) -> (u64, usize) {
        let first = from.max(self.0.first_entry);
        let skipped = first.wrapping_sub(self.0.first_entry) as usize;
        let (older, newer) = self.entries();
        let entries = older.iter().chain(newer).skip(skipped);
        let mut copied = 0;
        for (target, entry) in into.iter_mut().zip(entries) {
            *target = *entry;
            copied += 1;
        }
        (first, copied)
    }
}
