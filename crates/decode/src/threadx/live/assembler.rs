//! Whole buffers cut out of the bytes as they come.

use crate::threadx::Buffer;
use memchr::memmem;
use rtoscope_wire::threadx::{ID, Layout};

/// Collects bytes until a buffer is whole.
///
/// A header is only taken for one if its marker words are right and its pointers
/// fit each other. Bytes that belong to no buffer are left out and counted.
pub(super) struct Assembler {
    held: Vec<u8>,
    /// Bytes at the start of those that are done with.
    done: usize,
    /// Bytes of them in which no further header begins.
    searched: usize,
    /// Bytes before this were part of a buffer that was whole.
    shared: usize,
    /// Bytes of the recording before all of them.
    offset: u64,
    /// What the header where `done` ends announces.
    begun: Option<Buffer>,
    /// The last buffer that was whole.
    last: Option<Buffer>,
    /// Buffers that were begun and did not become whole: bytes are missing.
    pub(super) damaged: u64,
    /// Buffers that were begun when the connection broke.
    pub(super) cut: u64,
    /// Bytes of those, and bytes that belong to none.
    pub(super) lost_bytes: u64,
}

/// A buffer as a target sent it.
pub(super) struct Whole {
    /// Bytes of the recording before it.
    pub(super) offset: u64,
    /// Its bytes, from the header to the end of the ring.
    pub(super) bytes: Vec<u8>,
    /// What its header says.
    pub(super) buffer: Buffer,
    /// Bytes at its end that may be the next header's, if some are missing
    /// before.
    pub(super) doubtful: usize,
}

/// Buffers that announce more bytes than this are taken for damage.
const MOST_BYTES: u64 = 256 << 20;

/// Bytes that tell a header from what looks like one: the longest one's.
const HEADER: usize = 96;

/// Zeros before the id where a big-endian `ULONG` has 8 bytes.
const HIGH_HALF: usize = 4;

/// Bytes of the longest id.
const ID_BYTES: usize = 8;

/// What the id has in its middle in either byte order.
const MIDDLE: &[u8] = b"XT";

/// What stands at a place.
enum Place {
    Header(Buffer),
    /// What could be the start of a header.
    Undecided,
    Nothing,
}

impl Assembler {
    /// Behind so many bytes of a recording.
    pub(super) fn new(offset: u64) -> Self {
        Self {
            held: Vec::new(),
            done: 0,
            searched: 0,
            shared: 0,
            offset,
            begun: None,
            last: None,
            damaged: 0,
            cut: 0,
            lost_bytes: 0,
        }
    }

    /// Takes the next bytes.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.held.drain(..self.done);
        self.offset += self.done as u64;
        self.searched = self.searched.saturating_sub(self.done);
        self.shared = self.shared.saturating_sub(self.done);
        self.done = 0;
        self.held.extend_from_slice(bytes);
    }

    /// What was begun is not completed.
    pub(super) fn interrupt(&mut self) {
        self.cut += u64::from(self.begun.take().is_some());
        self.lose_until(self.held.len());
    }

    /// The next whole buffer, once it is there.
    pub(super) fn next(&mut self) -> Option<Whole> {
        loop {
            let Some(buffer) = self.begun else {
                self.begun = Some(self.find()?);
                continue;
            };
            let size = usize::try_from(buffer.bytes()).ok()?;
            let end = self.done.saturating_add(size);
            match self.find_repeated(&buffer, end) {
                (at, Place::Header(next)) => {
                    // Bytes are missing: the next one begins within this one.
                    self.damaged += 1;
                    self.lose_until(at);
                    self.begun = Some(next);
                    self.searched = at + 1;
                    continue;
                }
                (_, Place::Undecided) => return None,
                (_, Place::Nothing) => {}
            }
            let bytes = self.held.get(self.done..end)?.to_vec();
            let offset = self.offset + self.done as u64;
            let doubtful = self.begun_id(end, buffer.layout.ulong.bytes());
            self.done = end - doubtful;
            self.searched = self.done;
            self.shared = end;
            self.begun = None;
            self.last = Some(buffer);
            return Some(Whole {
                offset,
                bytes,
                buffer,
                doubtful,
            });
        }
    }

    /// Bytes before `end`, the last ones for now, that are the start of an id, as
    /// long as the one of the buffer that was begun.
    fn begun_id(&self, end: usize, id_bytes: usize) -> usize {
        if self.held.len() > end {
            return 0;
        }
        let id = self.held.get(self.done..self.done + id_bytes);
        let id = id.unwrap_or_default();
        let is_begun = |count: &usize| {
            let begun = id.get(..*count).unwrap_or_default();
            begun.iter().any(|byte| *byte != 0) && self.held.ends_with(begun)
        };
        (1..id.len()).rev().find(is_begun).unwrap_or_default()
    }

    /// Finds the next header. What is before it is lost.
    fn find(&mut self) -> Option<Buffer> {
        while let Some(at) = self.candidate(self.held.len()) {
            match place(self.held.get(at..).unwrap_or_default()) {
                Place::Header(buffer) => {
                    self.lose_until(at);
                    self.searched = at + 1;
                    return Some(buffer);
                }
                Place::Undecided => {
                    self.lose_until(at);
                    return None;
                }
                Place::Nothing => self.searched = at + 1,
            }
        }
        self.lose_until(self.searched);
        None
    }

    /// Finds a header within a buffer up to `end` that is of the same buffer of a
    /// target as this one, or as the last one that was whole.
    fn find_repeated(&mut self, buffer: &Buffer, end: usize) -> (usize, Place) {
        // An id may go on behind the end.
        let limit = end.saturating_add(ID_BYTES);
        while let Some(at) = self.candidate(limit.min(self.held.len())) {
            let expected = |next: &Buffer| {
                is_same(next, buffer) || self.last.is_some_and(|last| is_same(next, &last))
            };
            if at >= end {
                break;
            }
            match place(self.held.get(at..).unwrap_or_default()) {
                Place::Header(next) if expected(&next) => return (at, Place::Header(next)),
                Place::Undecided => return (at, Place::Undecided),
                _ => self.searched = at + 1,
            }
        }
        (end, Place::Nothing)
    }

    /// The first place before `end`, from those that were searched on, where the
    /// id of a header begins; searched up to there. Without one, everything is
    /// searched but what could be the start of an id.
    fn candidate(&mut self, end: usize) -> Option<usize> {
        let little = (ID as u32).to_le_bytes();
        let big = (ID as u32).to_be_bytes();
        let from = self.searched.max(self.done).min(end);
        let part = self.held.get(from..end).unwrap_or_default();
        let id_at = |middle: usize| {
            let starts = |at: Option<usize>, id: [u8; 4]| {
                at.filter(|at| part.get(*at..).unwrap_or_default().starts_with(&id))
            };
            let big =
                starts(middle.checked_sub(1), big).map(|at| match at.checked_sub(HIGH_HALF) {
                    Some(before) if part.get(before..at) == Some(&[0; HIGH_HALF]) => before,
                    _ => at,
                });
            starts(middle.checked_sub(2), little).or(big)
        };
        let found = memmem::find_iter(part, MIDDLE).find_map(id_at);
        self.searched = match found {
            Some(at) => from + at,
            None => end.saturating_sub(ID_BYTES - 1).max(from),
        };
        found.map(|at| from + at)
    }

    fn lose_until(&mut self, end: usize) {
        self.lost_bytes += end.saturating_sub(self.done.max(self.shared)) as u64;
        self.done = self.done.max(end);
        self.searched = self.searched.max(self.done);
    }
}

fn place(bytes: &[u8]) -> Place {
    let marked = Layout::ALL.iter().any(|layout| layout.markers_match(bytes));
    match Buffer::announced(bytes) {
        Ok(buffer) if marked && buffer.bytes() <= MOST_BYTES => Place::Header(buffer),
        _ if bytes.len() < HEADER => Place::Undecided,
        _ => Place::Nothing,
    }
}

/// Whether two headers are of the same buffer of a target.
fn is_same(one: &Buffer, other: &Buffer) -> bool {
    let place = |buffer: &Buffer| {
        let header = buffer.header;
        (
            buffer.layout,
            header.base,
            header.registry_start,
            header.buffer_start,
            header.buffer_end,
        )
    };
    place(one) == place(other)
}
