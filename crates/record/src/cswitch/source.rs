use super::Entry;

/// Where a recording stands, all of one moment.
///
/// Entries are numbered from the start of the recording. The slot of number
/// `n` is that many behind `start`, in a circle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Snapshot {
    /// The first slot of the buffer.
    pub start: *const Entry,
    /// The slot of the next entry; `end` if a buffer is just full.
    pub current: *const Entry,
    /// Behind the last slot.
    pub end: *const Entry,
    /// Whether the buffer is used as a ring.
    pub cyclic: bool,
    /// Which recording of this log it is.
    pub session: u32,
    /// Number of the oldest entry that is left: so many were overwritten.
    pub first: u64,
    /// Number of the next entry.
    pub next: u64,
    /// Entries that were not taken.
    pub lost: u64,
    /// Ticks spent idle since the recording started.
    pub idle: u64,
}

impl Snapshot {
    /// Entries that are left.
    pub const fn entries(&self) -> u64 {
        self.next.wrapping_sub(self.first)
    }

    /// Whether entries have been overwritten.
    pub const fn wrapped(&self) -> bool {
        self.first != 0
    }
}

/// Something that holds entries: a log that runs, or a recording that has
/// ended.
pub trait Source {
    /// Where it stands; [`None`] if nothing is recorded.
    fn snapshot(&self) -> Option<Snapshot>;

    /// Copies entries of the recording `session` from number `from` on, or
    /// from the oldest that is left, in their order and as many as it likes:
    /// at least one if there is one and `into` has room. Gives the number of
    /// the first of them and how many. An entry that is not finished comes as
    /// [`Entry::UNFINISHED`].
    fn copy(&self, session: u32, from: u64, into: &mut [Entry]) -> (u64, usize);
}

/// Reads entries, oldest first, from a log that may run on: once for what is
/// there, or again and again for what is new.
#[derive(Debug)]
pub struct Reader<'a, S> {
    source: &'a S,
    session: u32,
    next: u64,
    overwritten: u64,
}

impl<'a, S: Source> Reader<'a, S> {
    /// A reader of the present recording from the oldest entry that is left;
    /// [`None`] if nothing is recorded.
    pub fn new(source: &'a S) -> Option<Self> {
        let Snapshot { session, first, .. } = source.snapshot()?;
        Some(Self {
            source,
            session,
            next: first,
            overwritten: 0,
        })
    }

    /// The next entries, copied into `into`; none if all have been read or the
    /// recording has ended.
    pub fn read<'b>(&mut self, into: &'b mut [Entry]) -> &'b [Entry] {
        let mut read = 0_usize;
        while let Some(room) = into.get_mut(read..).filter(|room| !room.is_empty()) {
            let (first, copied) = self.source.copy(self.session, self.next, room);
            if copied == 0 {
                break;
            }
            self.overwritten = self.overwritten.wrapping_add(first.wrapping_sub(self.next));
            self.next = first.wrapping_add(copied as u64);
            read = read.wrapping_add(copied);
        }
        into.get(..read).unwrap_or_default()
    }

    /// Entries that were overwritten before they could be read.
    pub fn overwritten(&self) -> u64 {
        self.overwritten
    }
}
