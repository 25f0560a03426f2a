//! Buffers that continue one another: the target fills them in turn, or each
//! full one was appended to a file.

use super::buffer::TraceBuffer;
use super::buffer_candidates::Candidate;
use super::entry_header::EntryHeader;
use super::entry_rules::EntryRules;
use super::event_ring::EventRing;
use super::registry;
use crate::clock::{self, ClockModulus, ClockOptions};
use crate::memory::Memory;
use crate::records::{self, RecordRun};
use rtoscope_trace::clock::{ClockDirection, ClockQuality};
use rtoscope_wire::threadx::BufferLayout;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Fewer entries after a buffer may be there by chance.
const MIN_APPENDED_ENTRIES: usize = 2;

/// Entries after a longer pause are those of another recording: a target may be idle for
/// longer than it has recorded, but seldom for many times as long.
const MAX_PAUSE_PER_SPAN: u64 = 16;

/// A buffer of a timeline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimelinePart {
    /// The buffer.
    pub buffer: TraceBuffer,
    /// Whether events may be missing between the previous part and this one.
    pub may_lack_events: bool,
    /// Entries after the ring that continue it.
    pub appended_entries: u64,
    /// Whether events may be missing between the ring and these entries.
    pub may_lack_before_appended: bool,
    /// What its entries can contain.
    pub(super) rules: Arc<EntryRules>,
}

impl TimelinePart {
    pub(super) fn new(candidate: &Candidate) -> Self {
        Self {
            buffer: candidate.buffer,
            rules: Arc::clone(&candidate.rules),
            may_lack_events: false,
            appended_entries: 0,
            may_lack_before_appended: false,
        }
    }

    /// The buffer with a ring that includes the appended entries.
    pub(super) fn extended(&self) -> TraceBuffer {
        let mut buffer = self.buffer;
        let more = self.appended_entries * buffer.layout.entry_bytes() as u64;
        buffer.header.buffer_end = buffer.layout.advance(buffer.header.buffer_end, more);
        buffer.event_slots += self.appended_entries;
        buffer
    }

    /// Finds the entries after a buffer that continue it: copies of the ring were appended
    /// to the file, but the header is still that of the first.
    fn find_appended(&mut self, memory: &Memory<'_>) {
        // A target that hands over its buffer when it is full has just filled the last slot.
        if self.buffer.current_slot().is_some_and(|slot| slot > 0) {
            return;
        }
        let layout = self.buffer.layout;
        let end = self.buffer.address.saturating_add(self.buffer.bytes());
        let following = memory.available_from(end);
        let slots = following.chunks_exact(layout.entry_bytes());
        let entries = slots.map_while(|bytes| EntryHeader::read(layout, bytes));
        let entries = entries.take_while(|entry| self.rules.is_plausible(entry));
        let stamps: Vec<u64> = entries.map(|entry| entry.timestamp).collect();
        let first = stamps
            .first()
            .filter(|_| stamps.len() >= MIN_APPENDED_ENTRIES);
        let Some(first) = first else { return };
        let Some(ring) = TimedRing::new(memory, self.clone()) else {
            return;
        };
        let modulus = ring.modulus();
        let steps = stamps.windows(2).filter_map(|pair| match pair {
            [from, to] => Some(modulus.step(ring.direction, *from, *to)),
            _ => None,
        });
        let span = steps.fold(ring.span, u64::saturating_add);
        let pause = modulus.step(ring.direction, ring.last, *first);
        if pause <= span.saturating_mul(MAX_PAUSE_PER_SPAN).min(modulus.half()) {
            self.appended_entries = stamps.len() as u64;
            self.may_lack_before_appended = pause > span;
        }
    }

    /// The appended entries.
    pub(super) fn appended_runs<'a>(
        &self,
        memory: &'a Memory<'_>,
    ) -> impl Iterator<Item = RecordRun<'a>> {
        let ring = self.buffer.events_address();
        let size = self.buffer.layout.entry_bytes();
        let slots = self.buffer.event_slots;
        records::record_runs(memory, ring, size, slots..slots + self.appended_entries)
    }
}

/// The timelines that buffers form: each contains at least one, the oldest
/// first. `is_file` if they were appended to a file, oldest first.
pub(super) fn timelines(
    memory: &Memory<'_>,
    buffers: &[Candidate],
    is_file: bool,
) -> Vec<Vec<TimelinePart>> {
    if let [only] = buffers {
        let mut part = TimelinePart::new(only);
        if is_file {
            part.find_appended(memory);
        }
        return vec![vec![part]];
    }
    let mut clocks: HashMap<(BufferLayout, u64), Vec<TimedRing>> = HashMap::new();
    let mut all = Vec::new();
    for part in buffers.iter().map(TimelinePart::new) {
        match TimedRing::new(memory, part.clone()) {
            Some(ring) => {
                let buffer = &part.buffer;
                let clock = (buffer.layout, buffer.header.timer_mask);
                clocks.entry(clock).or_default().push(ring);
            }
            None => all.push(vec![part]),
        }
    }
    for rings in clocks.into_values() {
        all.extend(ClockRings::new(rings).timelines(is_file));
    }
    all
}

/// The times of a ring.
struct TimedRing {
    part: TimelinePart,
    /// Address, type and name of each object in the registry.
    objects: HashSet<(u64, u8, Vec<u8>)>,
    first: u64,
    last: u64,
    events: usize,
    span: u64,
    longest_step: u64,
    direction: ClockDirection,
}

impl TimedRing {
    /// `None` if the clock does not show the order of rings.
    fn new(memory: &Memory<'_>, part: TimelinePart) -> Option<Self> {
        let buffer = &part.buffer;
        let ring = EventRing::by_pointer(memory, buffer);
        let size = buffer.layout.entry_bytes();
        let slots = ring
            .runs
            .iter()
            .flat_map(|run| run.bytes.chunks_exact(size));
        let entries = slots.filter_map(|bytes| EntryHeader::read(buffer.layout, bytes));
        let stamps: Vec<u64> = entries
            .filter(EntryHeader::is_used)
            .map(|entry| entry.timestamp)
            .collect();
        let bits = 8 * buffer.layout.ulong.bytes() as u32;
        let options = ClockOptions::default();
        let mask = buffer.header.timer_mask;
        let times = clock::unwrap_words(&stamps, bits, mask, &options);
        let (ClockQuality::Good | ClockQuality::EventCounter) = times.clock.quality else {
            return None;
        };
        let steps = times.time.windows(2).filter_map(|pair| match pair {
            [from, to] => Some(to - from),
            _ => None,
        });
        Some(Self {
            objects: registry::entries(memory, buffer)
                .filter(|(_, slot)| slot.is_used())
                .map(|(_, it)| (it.pointer, it.object_type, it.name_text().to_vec()))
                .collect(),
            first: *stamps.first()?,
            last: *stamps.last()?,
            events: stamps.len(),
            span: *times.time.last()?,
            longest_step: steps.max().unwrap_or_default(),
            direction: times.clock.direction,
            part,
        })
    }

    fn modulus(&self) -> ClockModulus {
        let buffer = &self.part.buffer;
        let bits = 8 * buffer.layout.ulong.bytes() as u32;
        let mask = buffer.header.timer_mask;
        clock::modulus(bits, mask, &ClockOptions::default())
    }
}

/// Rings whose entries have the stamps of one clock.
struct ClockRings {
    rings: Vec<TimedRing>,
    modulus: ClockModulus,
    direction: ClockDirection,
    /// The longest time between two entries of a ring.
    longest_step: u64,
    /// Longer times between two rings are no continuation.
    longest_pause: u64,
    /// Whether the clock shows the order of the rings.
    is_ordered: bool,
}

impl ClockRings {
    /// `rings` are at least one.
    fn new(rings: Vec<TimedRing>) -> Self {
        let largest = rings.iter().max_by_key(|ring| ring.events);
        let direction = largest.map_or(ClockDirection::Up, |ring| ring.direction);
        let modulus = rings
            .first()
            .map_or(ClockModulus::Mask(u64::MAX), TimedRing::modulus);
        let span: u64 = rings.iter().fold(0, |sum, it| sum.saturating_add(it.span));
        let is_ordered = span <= modulus.half();
        let longest_step = rings.iter().map(|ring| ring.longest_step).max();
        let longest_step = longest_step.unwrap_or_default();
        Self {
            modulus,
            direction,
            longest_pause: match is_ordered {
                true => span,
                false => longest_step,
            },
            longest_step,
            is_ordered,
            rings,
        }
    }

    /// The time between two rings, if the second continues the first.
    fn pause(&self, one: &TimedRing, next: &TimedRing) -> Option<u64> {
        let pause = self.modulus.step(self.direction, one.last, next.first);
        let is_same_target = one.objects.is_empty() && next.objects.is_empty()
            || !one.objects.is_disjoint(&next.objects);
        let fits = pause <= self.longest_pause.min(self.modulus.half());
        (fits && is_same_target).then_some(pause)
    }

    /// The number of rings that do not continue the previous one, and the time
    /// between the others.
    fn cost(&self, order: &[&TimedRing]) -> (usize, u64) {
        let pauses = order.windows(2).map(|pair| match pair {
            [one, next] => self.pause(one, next),
            _ => None,
        });
        pauses.fold((0, 0), |(breaks, sum), pause| match pause {
            Some(pause) => (breaks, sum.saturating_add(pause)),
            None => (breaks + 1, sum),
        })
    }

    /// The rings by their stamps, from the one after the longest pause on.
    fn by_stamp(&self) -> Vec<&TimedRing> {
        let mut order: Vec<_> = self.rings.iter().collect();
        order.sort_by_key(|ring| self.modulus.masked(ring.first));
        if self.direction == ClockDirection::Down {
            order.reverse();
        }
        let before = order.iter().cycle().skip(order.len().saturating_sub(1));
        let pauses = before.zip(&order).enumerate().map(|(place, (one, next))| {
            let pause = self.modulus.step(self.direction, one.last, next.first);
            let overlaps = self.modulus.reversed(pause) <= one.span;
            (Reverse(place), if overlaps { 0 } else { pause })
        });
        let longest = pauses.max_by_key(|(place, pause)| (*pause, *place));
        order.rotate_left(longest.map_or(0, |(Reverse(place), _)| place));
        order
    }

    fn timelines(&self, is_file: bool) -> Vec<Vec<TimelinePart>> {
        let by_address: Vec<_> = self.rings.iter().collect();
        let order = match self.is_ordered {
            true => {
                let by_stamp = self.by_stamp();
                match self.cost(&by_stamp) < self.cost(&by_address) {
                    true => by_stamp,
                    false => by_address,
                }
            }
            false => by_address,
        };
        let mut all: Vec<Vec<TimelinePart>> = Vec::new();
        let mut before: Option<&TimedRing> = None;
        for ring in order {
            let pause = before
                .filter(|_| self.is_ordered || is_file)
                .and_then(|before| self.pause(before, ring));
            let mut part = ring.part.clone();
            match (pause, all.last_mut()) {
                (Some(pause), Some(last)) => {
                    part.may_lack_events = pause > self.longest_step;
                    last.push(part);
                }
                _ => all.push(vec![part]),
            }
            before = Some(ring);
        }
        all
    }
}
