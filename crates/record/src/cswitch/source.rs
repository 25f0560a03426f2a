use super::LogEntry;

/// Where a recording stands, all of one moment.
///
/// Entries are numbered from the start of the recording. The slot of number
/// `n` is that many behind `start`, in a circle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogSnapshot {
    /// The first slot of the buffer.
    pub start: *const LogEntry,
    /// The slot of the next entry; `end` if a buffer is just full.
    pub current: *const LogEntry,
    /// Behind the last slot.
    pub end: *const LogEntry,
    /// Whether the buffer is used as a ring.
    pub cyclic: bool,
    /// Which recording of this log it is.
    pub session: u32,
    /// Number of the oldest entry that is left: so many were overwritten.
    pub first_entry: u64,
    /// Number of the next entry.
    pub next_entry: u64,
    /// Entries that were not taken.
    pub lost: u64,
    /// Ticks spent idle since the recording started.
    pub idle_ticks: u64,
}

impl LogSnapshot {
    /// Entries that are left.
    pub const fn entries(&self) -> u64 {
        self.next_entry.wrapping_sub(self.first_entry)
    }

    /// Whether entries have been overwritten.
    pub const fn wrapped(&self) -> bool {
        self.first_entry != 0
    }
}

/// Something that holds entries: a log that runs, or a recording that has
/// ended.
pub trait LogSource {
    /// Where it stands; [`None`] if nothing is recorded.
    fn snapshot(&self) -> Option<LogSnapshot>;

    /// Copies entries of the recording `session` from number `from` on, or
    /// from the oldest that is left, in their order and as many as it likes:
    /// at least one if there is one and `into` has room. Gives the number of
    /// the first of them and how many. An entry that is not finished comes as
    /// [`LogEntry::UNFINISHED`].
    fn copy_entries(&self, session: u32, from: u64, into: &mut [LogEntry]) -> (u64, usize);
}

/// Reads entries, oldest first, from a log that may run on: once for what is
/// there, or again and again for what is new.
#[derive(Debug)]
pub struct LogReader<'a, S> {
    source: &'a S,
    session: u32,
    next_entry: u64,
    overwritten: u64,
}

impl<'a, S: LogSource> LogReader<'a, S> {
    /// A reader of the present recording from the oldest entry that is left;
    /// [`None`] if nothing is recorded.
    pub fn new(source: &'a S) -> Option<Self> {
        let LogSnapshot {
            session,
            first_entry: first,
            ..
        } = source.snapshot()?;
        Some(Self {
            source,
            session,
            next_entry: first,
            overwritten: 0,
        })
    }

    /// The next entries, copied into `into`; none if all have been read or the
    /// recording has ended.
    pub fn read<'b>(&mut self, into: &'b mut [LogEntry]) -> &'b [LogEntry] {
        let mut read = 0_usize;
        while let Some(room) = into.get_mut(read..).filter(|room| !room.is_empty()) {
            let (first, copied) = self
                .source
                .copy_entries(self.session, self.next_entry, room);
            if copied == 0 {
                break;
            }
            self.overwritten = self
                .overwritten
                .wrapping_add(first.wrapping_sub(self.next_entry));
            self.next_entry = first.wrapping_add(copied as u64);
            read = read.wrapping_add(copied);
        }
        into.get(..read).unwrap_or_default()
    }

    /// Entries that were overwritten before they could be read.
    pub fn overwritten(&self) -> u64 {
        self.overwritten
    }
}
