use super::CompactStream;
use super::container::{ContainerBuffer, END_BYTES, START_BYTES};
use super::filter::StreamFilter;
use super::name_table::Unsent;
use super::recorder::StreamState;
use super::ring::{OVERFLOW, PAUSE, SEVERAL_PAUSES, distance};
use crate::port::{Clock, Mask};
use rtoscope_wire::cswitch::packed::{
    HAS_OPERAND, KIND_MASK, MAX_LONG_TICKS, MAX_SHORT_OPERAND, MAX_SHORT_TICKS, PADDING,
    PAUSE_TICKS, PAUSES, PackedHeader, entry_words,
};
use rtoscope_wire::cswitch::{CoreHistory, EntryKind};

/// Minimum size of the buffer of [`CompactStream::read`] in bytes.
pub const MIN_READ_BYTES: usize = 256;

/// Maximum number of words of an event: those of a formatted one of the recorder in C. Both end
/// containers at the same entry.
const MAX_EVENT_WORDS: usize = 15;

/// Number of words for which there must be room before an entry that may follow suppressed ones:
/// pauses, a pause and the longest event.
const MAX_ENTRY_WORDS: usize = 4 + MAX_EVENT_WORDS;

/// Room that names leave, in bytes.
const RESERVE: usize = START_BYTES + END_BYTES + 4 * MAX_ENTRY_WORDS;

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
    /// Whether anything is suppressed, or the host does not know yet that nothing is any more.
    has_filter: bool,
    is_filter_new: bool,
    has_unsent_names: bool,
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
        loop {
            let claimed = self.with_state(|state| {
                let now = self.clock().now();
                begin(state, now)
            });
            let mut session = match claimed {
                Some(session) => session,
                None => return 0,
            };
            let has_entries = session.skip_losses();
            let length = match has_entries {
                true => self.write_container(&mut session, buffer),
                false => 0,
            };
            self.with_state(|state| {
                state.ring.read = session.next as *mut u32;
                state.ring.set_limit();
                state.position = session.position;
                state.has_unsent_names |= session.has_unsent_names;
                state.is_reading = false;
            });
            // If all entries were suppressed, the next container has their time.
            if length > 0 || !has_entries {
                return length;
            }
        }
    }

    /// Writes a container, or nothing if it has neither names nor entries. Returns its length.
    fn write_container(&self, session: &mut ReadSession, buffer: &mut [u8]) -> usize {
        let first = session.position;
        let mut container = ContainerBuffer::new(buffer, session.frequency_hz);
        let has_names = session.has_unsent_names && self.write_names(session, &mut container);
        container.push_history(CoreHistory {
            core: self.core(),
            session: session.session,
            preceding_entries: first.entries,
        });
        let from = session.next;
        let places = container.entries_mut();
        let words = if session.has_filter {
            let filter = self.with_state(|state| state.filter);
            session.store_filtered(&filter, places)
        } else {
            session.count_entries(places.len() / 4);
            distance(from, session.next)
        };
        let entries = session.position.entries.wrapping_sub(first.entries) as u32;
        if entries == 0 && !has_names {
            session.wrap();
            return 0;
        }
        let header = PackedHeader {
            core: self.core(),
            entries,
            start_ticks: first.ticks,
            lost: session.position.lost,
        };
        container.push_packed(header, words);
        if session.has_filter {
            container.keep(words);
        } else {
            // SAFETY: these words were written and are claimed, as in `ReadSession::word`.
            let words = unsafe { core::slice::from_raw_parts(from, words) };
            container.push_entries(words);
        }
        session.wrap();
        container.finish()
    }

    /// Writes the names that were not sent and have room. Returns whether there is one.
    fn write_names(&self, session: &mut ReadSession, container: &mut ContainerBuffer<'_>) -> bool {
        let mut has_names = false;
        session.has_unsent_names = false;
        for index in 0..=NAMES {
            let room = container.room().saturating_sub(RESERVE);
            let unsent = self.with_state(|state| match index < NAMES {
                true => state.names.take_unsent(index, room),
                // All slots are taken.
                false => state.names.take_nameless(room),
            });
            match unsent {
                Unsent::Name(name) => {
                    container.push_name(name);
                    has_names = true;
                }
                Unsent::TooLong => session.has_unsent_names = true,
                Unsent::Nothing => {}
                Unsent::End => break,
            }
        }
        has_names
    }
}

/// Claims the written entries for a reader; [`None`] if there are none, or if they are
/// claimed already.
#[inline(always)]
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
        has_filter: state.is_filter_new || state.filter.has_any(),
        is_filter_new: core::mem::replace(&mut state.is_filter_new, false),
        has_unsent_names: core::mem::replace(&mut state.has_unsent_names, false),
        session: state.session,
        frequency_hz: state.frequency_hz,
    })
}

/// The bits of an entry's first word that its number of words depends on.
const ENTRY_MASK: u32 = HAS_OPERAND | KIND_MASK;

/// Number of words of an entry by these bits; 0 for those that need more than to be copied.
#[allow(clippy::indexing_slicing)] // Evaluated by the compiler.
const COPIED_WORDS: [u8; 64] = {
    let mut words = [0; 64];
    let mut first = 0;
    while first < 64_u32 {
        let is_special = first == OVERFLOW
            || first == PAUSE
            || first == PAUSES | HAS_OPERAND
            || first & KIND_MASK == PADDING;
        if !is_special {
            words[first as usize] = entry_words(first) as u8;
        }
        first += 1;
    }
    words
};

impl ReadSession {
    /// The word `offset` words after the next one.
    fn word(&self, offset: usize) -> u32 {
        // SAFETY: `next` is the start of an entry between the reader's position and
        // `written_end`, because the ring is not empty; the words of an entry are contiguous.
        // Nothing writes to them while they are claimed: writers do not reach the reader's
        // position, and a session does not start meanwhile.
        unsafe { self.next.wrapping_add(offset).read() }
    }

    /// Continues at the start of the ring after its end.
    fn wrap(&mut self) {
        if self.next == self.end {
            self.next = self.begin;
        }
    }

    /// Skips padding and losses before the first entry. Returns `false` if there is none.
    fn skip_losses(&mut self) -> bool {
        while self.next != self.written_end {
            let word = self.word(0);
            if word == OVERFLOW {
                let lost = u64::from(self.word(1));
                self.position.lost = self.position.lost.wrapping_add(lost);
                self.next = self.next.wrapping_add(2);
                self.wrap();
            } else if word == PADDING {
                self.next = self.begin;
            } else {
                return true;
            }
        }
        false
    }

    /// The end of the entries that follow one another in memory.
    fn part_end(&self) -> *const u32 {
        if self.next < self.written_end {
            self.written_end
        } else {
            self.end
        }
    }

    /// Counts entries of at most `room` words. Ends before lost entries: the header of the
    /// container that follows shows the gap.
    fn count_entries(&mut self, room: usize) {
        let end = self.part_end();
        let stop = match distance(self.next, end) <= room {
            true => end,
            false => self
                .next
                .wrapping_add(room.saturating_sub(MAX_EVENT_WORDS - 1)),
        };
        let mut entries = 0_u32;
        // Fewer than 2^14 entries of fewer than 2^18 ticks.
        let mut short_ticks = 0_u32;
        while self.next < stop {
            let word = self.word(0);
            let words = COPIED_WORDS
                .get((word & ENTRY_MASK) as usize)
                .copied()
                .unwrap_or_default();
            if words == 1 {
                short_ticks = short_ticks.wrapping_add(word >> 14);
            } else if words != 0 {
                self.add_ticks((word >> 6).into());
            } else if self.count_time(word) {
                continue;
            } else {
                break;
            }
            entries = entries.wrapping_add(1);
            self.next = self.next.wrapping_add(words.into());
        }
        self.add_ticks(short_ticks.into());
        self.add_entries(entries);
    }

    /// Counts the next entry, which lets time pass; `false` if it ends the container.
    fn count_time(&mut self, word: u32) -> bool {
        if word == SEVERAL_PAUSES {
            let pauses = self.word(1);
            self.add_ticks(u64::from(pauses).wrapping_mul(PAUSE_TICKS.into()));
            self.add_entries(pauses);
        } else if word != OVERFLOW && word & KIND_MASK != PADDING {
            self.add_ticks(u64::from(word >> 6).wrapping_add(self.word(1).into()));
            self.add_entries(1);
        } else {
            return false;
        }
        self.next = self.next.wrapping_add(2);
        true
    }

    /// Stores entries in `places`, but for suppressed ones, whose ticks are those of an entry
    /// after them. Returns the number of words.
    fn store_filtered(&mut self, filter: &StreamFilter, places: &mut [u8]) -> usize {
        let end = self.part_end();
        let mut output = places.chunks_exact_mut(4);
        let mut stored = 0_usize;
        let mut store = |word: u32| {
            let place = output.next().and_then(|place| place.try_into().ok());
            if let Some(place) = place {
                let place: &mut [u8; 4] = place;
                *place = word.to_ne_bytes();
                stored = stored.wrapping_add(1);
            }
            output.len()
        };
        let mut room = usize::MAX;
        if self.is_filter_new {
            store(EntryKind::Filter as u32 | HAS_OPERAND);
            room = store(filter.groups);
            self.add_entries(1);
        }
        let mut suppressed = 0_u64;
        while self.next != end && room >= MAX_ENTRY_WORDS {
            let word = self.word(0);
            let words = entry_words(word);
            let (shift, max_ticks, operand) = if words == 1 {
                (14, MAX_SHORT_TICKS, word >> 6 & MAX_SHORT_OPERAND)
            } else {
                (6, MAX_LONG_TICKS, self.word(1))
            };
            let ticks = u64::from(word >> shift);
            let together = suppressed.wrapping_add(ticks);
            let from = self.next;
            if filter.suppresses(word & KIND_MASK, operand) {
                suppressed = together;
                self.add_ticks(ticks);
                self.next = from.wrapping_add(words);
                continue;
            }
            let is_copied = COPIED_WORDS.get((word & ENTRY_MASK) as usize) != Some(&0);
            if is_copied {
                self.add_ticks(ticks);
                self.add_entries(1);
            } else if !self.count_time(word) {
                break;
            }
            let mut first = word;
            if together <= max_ticks.into() {
                first = first.wrapping_add((suppressed as u32) << shift);
            } else {
                // Entries without an event for the ticks.
                let pauses = (suppressed / u64::from(PAUSE_TICKS)) as u32;
                if pauses != 0 {
                    store(SEVERAL_PAUSES);
                    store(pauses);
                }
                store(PAUSE);
                store(suppressed as u32 & (PAUSE_TICKS - 1));
                self.add_entries(pauses.wrapping_add(1));
            }
            suppressed = 0;
            room = store(first);
            self.next = from;
            for offset in 1..words {
                room = store(self.word(offset));
            }
            self.next = from.wrapping_add(words);
        }
        stored
    }

    fn add_ticks(&mut self, ticks: u64) {
        self.position.ticks = self.position.ticks.wrapping_add(ticks);
    }

    fn add_entries(&mut self, entries: u32) {
        self.position.entries = self.position.entries.wrapping_add(entries.into());
    }
}
