//! A copy of a ThreadX trace buffer, updated by polling.

use super::error::StubError;
use super::memory_trace::{MemoryTrace, PollOutcome};
use super::registry_mirror::RegistryMirror;
use super::stub::Stub;
use rtoscope_decode::memory::Memory;
use rtoscope_decode::threadx::TraceBuffer;
use rtoscope_trace::Address;
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_wire::threadx::{BufferLayout, ControlHeader};

/// A ThreadX trace buffer as it was on the target at one moment: header, registry and
/// ring.
///
/// The newest event is withheld until two polls have seen it, because ThreadX may write
/// some of its fields later.
pub(super) struct BufferMirror {
    /// Address on the target.
    address: u64,
    buffer: TraceBuffer,
    bytes: Vec<u8>,
    registry: RegistryMirror,
    /// The slot after the newest event in the copy; `None` before the first event.
    end_slot: Option<u64>,
    /// The next slot to be written, as of the previous poll.
    previous_next_slot: Option<u64>,
    /// Whether no slot can have been read while it was written.
    is_settled: bool,
}

/// Maximum size of a control header in bytes.
pub(super) const HEADER_BYTES: usize = 96;

/// Maximum size of a buffer in bytes.
const MAX_BUFFER_BYTES: u64 = 64 << 20;

/// Number of known events read again to detect that the ring has wrapped.
const OVERLAP_EVENTS: u64 = 8;

/// Number of words of an entry that are not written later: context, priority, event id,
/// timestamp.
const STABLE_WORDS: usize = 4;

/// Whether `bytes` at an address start with the header of a trace buffer. The header
/// contains its own address, so a copy does not match.
pub(super) fn is_header(address: u64, bytes: &[u8]) -> bool {
    let Some(layout) = BufferLayout::detect(bytes).filter(|_| buffer_len(bytes).is_some()) else {
        return false;
    };
    let header = ControlHeader::read(layout, bytes);
    header.is_ok_and(|header| layout.distance(header.base_address, address) == 0)
}

/// The size of the trace buffer whose header is at the start of `bytes`, if there is
/// one.
fn buffer_len(bytes: &[u8]) -> Option<usize> {
    let layout = BufferLayout::detect(bytes).filter(|layout| layout.markers_match(bytes))?;
    let header = ControlHeader::read(layout, bytes).ok()?;
    let length = layout.distance(header.base_address, header.buffer_end);
    let is_one = (layout.header_bytes() as u64..=MAX_BUFFER_BYTES).contains(&length);
    usize::try_from(length).ok().filter(|_| is_one)
}

impl BufferMirror {
    /// Opens the buffer whose header is at an address, if there is one.
    pub(super) fn open(stub: &mut Stub, address: u64) -> Result<Option<Self>, StubError> {
        match stub.read(address, HEADER_BYTES) {
            Err(StubError::Unreadable { .. }) => Ok(None),
            bytes => Ok(Self::new(address, &bytes?)),
        }
    }

    fn new(address: u64, start: &[u8]) -> Option<Self> {
        let length = buffer_len(start)?;
        let mut bytes = vec![0; length];
        let header = start.get(..length).unwrap_or(start);
        bytes.get_mut(..header.len())?.copy_from_slice(header);
        let memory = Memory::from_file_bytes(&*bytes);
        let buffer = TraceBuffer::locate(&memory, 0, &mut Vec::new()).ok()?;
        Some(Self {
            address,
            registry: RegistryMirror::new(&buffer),
            buffer,
            bytes,
            end_slot: None,
            previous_next_slot: None,
            is_settled: false,
        })
    }

    /// Reads the events of a range of slots, in the order of time.
    fn read_events(
        &self,
        stub: &mut Stub,
        mut from: u64,
        mut count: u64,
    ) -> Result<Vec<u8>, StubError> {
        let mut bytes = Vec::new();
        while count > 0 {
            let part = count.min(self.slots() - from);
            let at = self.address.wrapping_add(self.offset(from) as u64);
            bytes.extend(stub.read(at, part as usize * self.entry_bytes())?);
            from = (from + part) % self.slots();
            count -= part;
        }
        Ok(bytes)
    }

    /// Stores events from a slot on.
    fn store_events(&mut self, from: u64, events: &[u8]) {
        let slots = (from..self.slots()).chain(0..from);
        for (slot, event) in slots.zip(events.chunks_exact(self.entry_bytes())) {
            let at = self.offset(slot);
            if let Some(place) = self.bytes.get_mut(at..at + event.len()) {
                place.copy_from_slice(event);
            }
        }
    }

    /// Whether stored events from a slot on equal the first of `events`.
    fn matches(&self, from: u64, count: u64, events: &[u8]) -> bool {
        let lasting = STABLE_WORDS * self.buffer.layout.ulong.bytes();
        let slots = (from..self.slots()).chain(0..from).take(count as usize);
        let mut pairs = slots.zip(events.chunks_exact(self.entry_bytes()));
        pairs.all(|(slot, event)| {
            let at = self.offset(slot);
            let kept = self.bytes.get(at..at + lasting);
            kept.is_some() && kept == event.get(..lasting)
        })
    }

    /// Reads the header and returns the next slot to be written.
    fn read_next_slot(&self, stub: &mut Stub) -> Result<NextSlot, StubError> {
        let layout = self.buffer.layout;
        let bytes = stub.read(self.address, layout.header_bytes())?;
        let header = ControlHeader::read(layout, &bytes);
        let Ok(header) = header else {
            return Ok(NextSlot::Gone);
        };
        let mine = self.buffer.header;
        let current = mine.current;
        if (ControlHeader { current, ..header }) != mine {
            return Ok(NextSlot::Gone);
        }
        let buffer = TraceBuffer {
            header,
            ..self.buffer
        };
        Ok(buffer.current_slot().map_or(NextSlot::Torn, NextSlot::Slot))
    }

    /// Reads everything again.
    fn start_over(
        &mut self,
        stub: &mut Stub,
        end: u64,
        moves: bool,
        why: PollOutcome,
    ) -> Result<PollOutcome, StubError> {
        let known = OVERLAP_EVENTS.min(self.slots());
        let newest = self.slot_before(end, known);
        let before = self.read_events(stub, newest, known)?;
        let all = self.read_events(stub, end, self.slots())?;
        self.store_events(end, &all);
        self.end_slot = Some(end);
        self.previous_next_slot = None;
        self.is_settled = false;
        if moves && !self.matches(newest, known, &before) {
            return Ok(PollOutcome::TooSlow);
        }
        Ok(why)
    }

    /// Whether the target has not overwritten the slots read up to `end` since;
    /// `newest` are the last of their events.
    fn is_intact(
        &self,
        stub: &mut Stub,
        read: u64,
        end: u64,
        newest: &[u8],
    ) -> Result<Option<bool>, StubError> {
        let now = match self.read_next_slot(stub)? {
            NextSlot::Slot(now) => now,
            NextSlot::Torn => return Ok(None),
            NextSlot::Gone => return Ok(Some(false)),
        };
        let since = self.distance(end, now);
        let again = self.read_events(stub, self.slot_before(end, 1), 1)?;
        let lasting = STABLE_WORDS * self.buffer.layout.ulong.bytes();
        let is_same = again.get(..lasting) == newest.get(..lasting);
        Ok(Some(is_same && read + since < self.slots()))
    }

    fn slots(&self) -> u64 {
        self.buffer.event_slots
    }

    fn entry_bytes(&self) -> usize {
        self.buffer.layout.entry_bytes()
    }

    /// Offset of a slot in the buffer.
    fn offset(&self, slot: u64) -> usize {
        let start = self.buffer.events_address();
        // The buffer fits into memory, and the slot is in it.
        start as usize + slot as usize * self.entry_bytes()
    }

    /// Number of slots from one to another.
    fn distance(&self, from: u64, to: u64) -> u64 {
        (to + self.slots() - from) % self.slots()
    }

    /// The slot `count` slots before another.
    fn slot_before(&self, from: u64, count: u64) -> u64 {
        (from + self.slots() - count) % self.slots()
    }

    /// Sets the header's pointer to the next slot to be written.
    fn write_next_slot(&mut self, slot: u64) {
        let layout = self.buffer.layout;
        let mut header = self.buffer.header;
        let distance = slot * self.entry_bytes() as u64;
        header.current = layout.advance(header.buffer_start, distance);
        // The buffer is longer than its header.
        let _ = header.write(layout, &mut self.bytes);
    }

    /// Whether the slot to be written next is unchanged since it was stored, so that it
    /// was not read while being written. Otherwise stores it.
    fn check_settled(&mut self, stub: &mut Stub, slot: u64) -> Result<bool, StubError> {
        let now = self.read_events(stub, slot, 1)?;
        let at = self.offset(slot);
        let is_settled = self.bytes.get(at..at + now.len()) == Some(&*now);
        self.store_events(slot, &now);
        Ok(is_settled)
    }
}

/// The header's pointer to the next slot.
enum NextSlot {
    /// The next slot to be written.
    Slot(u64),
    /// Not the address of a slot: it is being written.
    Torn,
    /// Another buffer, or none.
    Gone,
}

impl MemoryTrace for BufferMirror {
    fn poll(&mut self, stub: &mut Stub, moves: bool) -> Result<PollOutcome, StubError> {
        let end = match self.read_next_slot(stub)? {
            NextSlot::Slot(end) => end,
            NextSlot::Torn => return Ok(PollOutcome::Retry),
            NextSlot::Gone => {
                let place = Address(self.address);
                return Ok(PollOutcome::Gone(format!(
                    "no trace buffer at {place} any more"
                )));
            }
        };
        let Some(taken) = self.end_slot else {
            return self.start_over(stub, end, moves, PollOutcome::Retry);
        };
        let new = self.distance(taken, end);
        let known = OVERLAP_EVENTS.min(self.slots() - new);
        let from = self.slot_before(taken, known);
        let events = self.read_events(stub, from, known + new)?;
        if !self.matches(from, known, &events) {
            return self.start_over(stub, end, moves, PollOutcome::Overrun);
        }
        if moves {
            let newest = events.rchunks_exact(self.entry_bytes()).next();
            let newest = newest.unwrap_or_default();
            match self.is_intact(stub, known + new, end, newest)? {
                Some(true) => {}
                Some(false) => return Ok(PollOutcome::TooSlow),
                None => return Ok(PollOutcome::Retry),
            }
        }
        let held_back = u64::from(new > 0 && self.previous_next_slot != Some(end));
        let take = new - held_back;
        self.previous_next_slot = Some(end);
        let is_first = !self.is_settled;
        if is_first && take == 0 && (new > 0 || !self.check_settled(stub, taken)?) {
            return Ok(PollOutcome::Retry);
        }
        let has_objects =
            (take > 0 || is_first) && self.registry.poll(stub, self.address, &mut self.bytes)?;
        if self.registry.is_unsettled() {
            return Ok(PollOutcome::Retry);
        }
        let taken = (taken + take) % self.slots();
        let count = (known + take) as usize * self.entry_bytes();
        self.store_events(from, events.get(..count).unwrap_or_default());
        self.end_slot = Some(taken);
        self.is_settled = true;
        let filled = new as f64 / self.slots() as f64;
        if take == 0 && !is_first && !has_objects {
            return Ok(PollOutcome::Unchanged { fill_ratio: filled });
        }
        self.write_next_slot(taken);
        Ok(PollOutcome::New { fill_ratio: filled })
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn name(&self) -> String {
        let events = pluralise(self.slots(), "event", "events");
        let place = Address(self.address);
        format!("ThreadX trace buffer for {events} at {place}")
    }
}
