use super::LogEntry;

/// A consistent position of a session.
///
/// Entries are numbered from the start of the session. Entry `n` is in slot `n` modulo
/// the number of slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogSnapshot {
    /// The first slot of the buffer.
    pub start: *const LogEntry,
    /// The slot of the next entry; `end` immediately after a buffer was filled.
    pub current: *const LogEntry,
    /// End of the last slot.
    pub end: *const LogEntry,
    /// Whether the buffer is a ring.
    pub cyclic: bool,
    /// The session of this log.
    pub session: u32,
    /// Number of the oldest remaining entry, which is also the number of overwritten
    /// entries.
    pub first_entry: u64,
    /// Number of the next entry.
    pub next_entry: u64,
    /// Number of lost entries.
    pub lost: u64,
    /// Idle time since the session started, in ticks.
    pub idle_ticks: u64,
}

impl LogSnapshot {
    /// Number of remaining entries.
    pub const fn entries(&self) -> u64 {
        self.next_entry.wrapping_sub(self.first_entry)
    }

    /// Whether entries have been overwritten.
    pub const fn wrapped(&self) -> bool {
        self.first_entry != 0
    }
}

/// A source of entries: a running log or a finished one.
pub trait LogSource {
    /// The position; [`None`] without a session.
    fn snapshot(&self) -> Option<LogSnapshot>;

    /// Copies entries of `session` in order, starting at number `from` or at the oldest
    /// remaining one. It copies any number of entries, but at least one if one exists and
    /// `into` has room. Returns the number of the first entry and the count. Unfinished
    /// entries are copied as [`LogEntry::UNFINISHED`].
    fn copy_entries(&self, session: u32, from: u64, into: &mut [LogEntry]) -> (u64, usize);
}

/// Reads entries, oldest first, from a log that may be running: once for the existing
/// entries, or repeatedly for new ones.
#[derive(Debug)]
pub struct LogReader<'a, S> {
    source: &'a S,
    session: u32,
    next_entry: u64,
    overwritten: u64,
}

impl<'a, S: LogSource> LogReader<'a, S> {
    /// Creates a reader that starts at the oldest remaining entry of the current session;
    /// [`None`] without a session.
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

    /// Copies the next entries into `into`. Returns an empty slice if all have been read
    /// or the session has ended.
    pub fn read<'b>(&mut self, into: &'b mut [LogEntry]) -> &'b [LogEntry] {
        let mut read = 0_usize;
        while let Some(free) = into.get_mut(read..).filter(|free| !free.is_empty()) {
            let (first, copied) = self
                .source
                .copy_entries(self.session, self.next_entry, free);
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

    /// Number of entries that were overwritten before they could be read.
    pub fn overwritten(&self) -> u64 {
        self.overwritten
    }
}
