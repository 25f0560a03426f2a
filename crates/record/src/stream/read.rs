use super::CompactStream;
use super::container::{ContainerBuffer, END_BYTES};
use super::filter::StreamFilter;
use super::name_table::Unsent;
use super::recorder::StreamState;
use super::ring::{OVERFLOW, PAUSE, SEVERAL_PAUSES};
use crate::port::{Clock, Mask};
use rtoscope_wire::cswitch::packed::{
    HAS_OPERAND, KIND_MASK, MAX_LONG_TICKS, MAX_SHORT_OPERAND, MAX_SHORT_TICKS,
    PACKED_HEADER_BYTES, PADDING, PAUSE_TICKS, PackedHeader, entry_words,
};
use rtoscope_wire::cswitch::{CORE_HISTORY_BYTES, CoreHistory, EntryKind, SECTION_HEADER_BYTES};

/// Minimum size of the buffer of [`CompactStream::read`] in bytes.
pub const MIN_READ_BYTES: usize = 256;

/// The sections of a container without names and entries, and its end.
const FIXED_BYTES: usize =
    2 * SECTION_HEADER_BYTES + CORE_HISTORY_BYTES + PACKED_HEADER_BYTES + END_BYTES;

/// Room that names leave for entries, in bytes.
const ENTRIES_RESERVE: usize = 4 * MAX_ENTRY_WORDS;

/// Number of words for which there must be room before an entry: pauses, a pause and the longest
/// entry, which is a formatted event of the recorder in C. Both end containers at the same entry.
const MAX_ENTRY_WORDS: usize = 4 + 15;

/// Ticks since the last entry after which one lets the time pass: the counter must not wrap
/// between two entries.
const MAX_SILENCE_TICKS: u32 = 1 << 30;

/// The reader's position in the stream.
#[derive(Debug, Clone, Copy)]
pub(super) struct ReadPosition {
    /// Number of entries in containers so far.
    entries: u64,
    /// The time of the last entry.
    ticks: u64,
    /// Number of entries lost so far.
    lost: u64,
}

impl ReadPosition {
    /// The start of a session, with its first value of the counter.
    pub(super) const fn new(counter: u32) -> Self {
        Self {
            entries: 0,
            ticks: counter as u64,
            lost: 0,
        }
    }
}

/// What a call of [`CompactStream::read`] needs of the state, and its progress.
struct ReadSession {
    next: *const u32,
    /// The end of the entries, where the ring continues at `begin`.
    written_end: *const u32,
    begin: *const u32,
    end: *const u32,
    position: ReadPosition,
    filter: StreamFilter,
    is_filter_new: bool,
    session: u32,
    frequency_hz: u32,
}

impl<M: Mask, C: Clock, const NAMES: usize> CompactStream<M, C, NAMES> {
    /// Moves the next bytes of the stream to `buffer` and returns their number: one
    /// container of at least one entry; 0 if there is nothing new, if `buffer` has fewer than
    /// [`MIN_READ_BYTES`], or if another context is reading.
    ///
    /// Others may record meanwhile. The mask is held for some instructions at a time. Call it
    /// at least once while the counter wraps, so that no wrap is missed in a pause.
    pub fn read(&self, buffer: &mut [u8]) -> usize {
        if buffer.len() < MIN_READ_BYTES {
            return 0;
        }
        let mut session = match self.with_state(|state| {
            let now = self.clock().now();
            begin(state, now)
        }) {
            Some(session) => session,
            None => return 0,
        };
        let first = session.position;
        let mut container = ContainerBuffer::new(buffer, session.frequency_hz);
        let has_names = self.write_names(&mut container);
        container.push_history(CoreHistory {
            core: self.core(),
            session: session.session,
            preceding_entries: first.entries,
        });
        let at = container.begin_entries();
        session.write_entries(&mut container);
        let entries = session.position.entries.wrapping_sub(first.entries) as u32;
        let header = PackedHeader {
            core: self.core(),
            entries,
            start_ticks: first.ticks,
            lost: session.position.lost,
        };
        let length = container.finish(at, header);
        self.with_state(|state| {
            state.ring.read = session.next as *mut u32;
            state.ring.set_limit();
            state.position = session.position;
            state.is_reading = false;
        });
        // If all entries were suppressed, the next container has their time.
        if entries > 0 || has_names { length } else { 0 }
    }

    /// Writes the names that were not sent and have room. Returns whether there is one.
    fn write_names(&self, container: &mut ContainerBuffer<'_>) -> bool {
        let mut has_names = false;
        let reserve = FIXED_BYTES + ENTRIES_RESERVE;
        for index in 0..NAMES {
            let room = container.room().saturating_sub(reserve);
            match self.with_state(|state| state.names.take_unsent(index, room)) {
                Unsent::Name(name) => {
                    container.push_name(name);
                    has_names = true;
                }
                Unsent::Nothing => {}
                Unsent::End => break,
            }
        }
        let room = container.room().saturating_sub(reserve);
        if let Some(name) = self.with_state(|state| state.names.take_nameless(room)) {
            container.push_name(name);
            has_names = true;
        }
        has_names
    }
}

/// Claims the written entries for a reader; [`None`] if there are none, or if they are
/// claimed already.
fn begin<const NAMES: usize>(state: &mut StreamState<NAMES>, now: u32) -> Option<ReadSession> {
    if state.is_reading {
        return None;
    }
    let ring = &mut state.ring;
    if ring.is_on && now.wrapping_sub(ring.last) > MAX_SILENCE_TICKS {
        ring.push_slow(EntryKind::Time as u32, 0, 0, now);
    }
    if ring.read == ring.written_end() {
        return None;
    }
    state.is_reading = true;
    Some(ReadSession {
        next: ring.read,
        written_end: ring.written_end(),
        begin: ring.begin,
        end: ring.end,
        position: state.position,
        filter: state.filter,
        is_filter_new: core::mem::replace(&mut state.is_filter_new, false),
        session: state.session,
        frequency_hz: state.frequency_hz,
    })
}

impl ReadSession {
    /// The word `offset` words after the next one.
    fn word(&self, offset: usize) -> u32 {
        // SAFETY: `next` is the start of an entry between the reader's position and
        // `written_end`, because the ring is not empty; the words of an entry are contiguous.
        // Nothing writes to them while they are claimed: writers do not reach the reader's
        // position, and a session does not start meanwhile.
        unsafe { self.next.wrapping_add(offset).read() }
    }

    /// Writes entries while there are some, and room for them. Ends before lost entries: the
    /// header of the container that follows shows the gap.
    fn write_entries(&mut self, container: &mut ContainerBuffer<'_>) {
        let first = self.position.entries;
        if self.is_filter_new {
            container.push_word(EntryKind::Filter as u32 | HAS_OPERAND);
            container.push_word(self.filter.groups);
            self.count_entries(1);
        }
        let mut suppressed_ticks = 0;
        while self.next != self.written_end && container.room() >= 4 * MAX_ENTRY_WORDS + END_BYTES {
            let word = self.word(0);
            if word == OVERFLOW {
                if self.position.entries != first {
                    break;
                }
                let lost = u64::from(self.word(1));
                self.position.lost = self.position.lost.wrapping_add(lost);
            } else if word & KIND_MASK != PADDING {
                self.write_entry(word, &mut suppressed_ticks, container);
            }
            self.next = self.next.wrapping_add(entry_words(word));
            if self.next == self.end {
                self.next = self.begin;
            }
        }
    }

    /// Writes the entry that starts with `word`, unless it is suppressed: its ticks are then
    /// those of an entry after it.
    fn write_entry(
        &mut self,
        word: u32,
        suppressed_ticks: &mut u64,
        container: &mut ContainerBuffer<'_>,
    ) {
        let words = entry_words(word);
        let (shift, max_ticks, operand) = if words == 1 {
            (14, MAX_SHORT_TICKS, word >> 6 & MAX_SHORT_OPERAND)
        } else {
            (6, MAX_LONG_TICKS, self.word(1))
        };
        let ticks = u64::from(word >> shift);
        self.add_ticks(ticks);
        let together = suppressed_ticks.wrapping_add(ticks);
        if self.filter.suppresses(word & KIND_MASK, operand) {
            *suppressed_ticks = together;
            return;
        }
        let suppressed = core::mem::replace(suppressed_ticks, 0);
        let mut first = word;
        if together <= max_ticks.into() {
            first = first.wrapping_add((suppressed as u32) << shift);
        } else {
            self.write_ticks(suppressed, container);
        }
        container.push_word(first);
        for offset in 1..words {
            container.push_word(self.word(offset));
        }
        self.count_entries(1);
        if word == SEVERAL_PAUSES {
            self.add_ticks(u64::from(operand).wrapping_mul(PAUSE_TICKS.into()));
            self.count_entries(operand.wrapping_sub(1));
        } else if word & KIND_MASK == EntryKind::Time as u32 {
            self.add_ticks(operand.into());
        }
    }

    /// Writes entries without an event for the ticks of suppressed ones.
    fn write_ticks(&mut self, ticks: u64, container: &mut ContainerBuffer<'_>) {
        let pauses = (ticks / u64::from(PAUSE_TICKS)) as u32;
        if pauses != 0 {
            container.push_word(SEVERAL_PAUSES);
            container.push_word(pauses);
        }
        container.push_word(PAUSE);
        container.push_word(ticks as u32 & (PAUSE_TICKS - 1));
        self.count_entries(pauses.wrapping_add(1));
    }

    fn add_ticks(&mut self, ticks: u64) {
        self.position.ticks = self.position.ticks.wrapping_add(ticks);
    }

    fn count_entries(&mut self, entries: u32) {
        self.position.entries = self.position.entries.wrapping_add(entries.into());
    }
}
