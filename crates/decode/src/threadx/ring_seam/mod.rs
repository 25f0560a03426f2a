//! Checks the order of a ring against its timestamps.
//!
//! Around a ring, timestamps increase from slot to slot and fall once, by the whole
//! span, at the oldest entry. A dump that was not taken at one instant shows something
//! else: if the header is older than the ring, the fall is not at the current pointer;
//! if memory was read around a cache, entries of an earlier lap are between newer ones;
//! if the target ran meanwhile, there may be several falls.
//!
//! A counter that wraps falls, too, so that steps are modulo its period. In a narrow
//! clock, or if the ring lasts longer than about half a period, a fall is no evidence.

mod falls;
mod reordered;
mod step_scan;

use super::buffer::TraceBuffer;
use super::entry_header::EntryHeader;
use super::event_ring::EventRing;
use crate::clock::{self, ClockModulus, ClockOptions};
use crate::memory::Memory;
use falls::{Falls, lower_entries};
use reordered::Reordered;
use rtoscope_trace::clock::ClockDirection;
use rtoscope_trace::{Diagnostic, DiagnosticKind};
use rtoscope_wire::threadx::BufferLayout;
use step_scan::StepScan;

/// With fewer entries, steps are no evidence of how long a regular step is.
const MIN_ENTRIES: usize = 8;

/// A fall of less than the span divided by this is a clock that stepped back slightly.
const MIN_FALLS_PER_SPAN: u64 = 100;

/// An irregular step is at least this many times as long as any regular one.
const IRREGULAR_FACTOR: u64 = 16;

/// If a period is this many times as long as any regular step, then the step from an entry
/// to one of another lap is hardly ever as short.
const MIN_STEPS_PER_PERIOD: u64 = 4096;

/// A used slot, as its timestamp shows it.
#[derive(Debug, Clone, Copy)]
struct RingEntry {
    /// The run in the ring, and the entry in the run.
    run: usize,
    index: usize,
    slot: u64,
    /// Bits 24 to 31 of the id, the core of an SMP kernel.
    core: u8,
    timestamp: u64,
    /// Ticks since the newest entry according to the current pointer.
    time: i64,
}

/// Returns the ring in the order of its timestamps, without entries of earlier laps.
pub(super) fn check<'a>(
    ring: EventRing<'a>,
    memory: &Memory<'_>,
    buffer: &TraceBuffer,
    options: &ClockOptions,
    found: &mut Vec<Diagnostic>,
) -> EventRing<'a> {
    let bits = 8 * buffer.layout.ulong.bytes() as u32;
    let modulus = clock::modulus(bits, buffer.header.timer_mask, options);
    if !modulus.is_wide() {
        return ring;
    }
    let scan = StepScan::of(buffer.layout, &ring.runs, modulus);
    let direction = options.direction.unwrap_or(scan.direction());
    if scan.is_in_order(modulus, direction, ring.is_wrapped) {
        return ring;
    }
    let entries = read_entries(buffer.layout, &ring, modulus, direction);
    let seam = RingSeam {
        modulus,
        direction,
        is_cyclic: ring.is_wrapped,
        entries,
    };
    let Some(ordered) = seam.order() else {
        return ring;
    };
    let header = memory.offset_of(buffer.address).unwrap_or(buffer.address);
    found.extend(ordered.pointer_diagnostic().map(|it| it.at_offset(header)));
    let place = |slot: u64| {
        let entry = buffer.layout.entry_bytes() as u64;
        let address = buffer.events_address().saturating_add(slot * entry);
        memory.offset_of(address).unwrap_or(address)
    };
    let reordered = Reordered::new(&ring, buffer, &ordered);
    found.extend(reordered.diagnostics(place));
    found.extend(ordered.jump_diagnostic());
    reordered.ring
}

fn read_entries(
    layout: BufferLayout,
    ring: &EventRing<'_>,
    modulus: ClockModulus,
    direction: ClockDirection,
) -> Vec<RingEntry> {
    let size = layout.entry_bytes();
    let mut entries = Vec::new();
    for (number, run) in ring.runs.iter().enumerate() {
        for (index, bytes) in run.bytes.chunks_exact(size).enumerate() {
            let Some(header) = EntryHeader::read(layout, bytes).filter(EntryHeader::is_used) else {
                continue;
            };
            entries.push(RingEntry {
                run: number,
                index,
                slot: run.first + index as u64,
                core: (header.id >> super::cores::CORE_SHIFT) as u8,
                timestamp: header.timestamp,
                time: 0,
            });
        }
    }
    let newest = entries.last().map_or(0, |entry| entry.timestamp);
    for entry in &mut entries {
        let since = modulus.step(direction, newest, entry.timestamp);
        entry.time = match since > modulus.half() {
            true => 0_i64.saturating_sub_unsigned(modulus.reversed(since)),
            false => 0_i64.saturating_add_unsigned(since),
        };
    }
    entries
}

/// The used slots in the order of the current pointer.
struct RingSeam {
    modulus: ClockModulus,
    direction: ClockDirection,
    /// Whether the first entry may follow the last: the ring has wrapped.
    is_cyclic: bool,
    entries: Vec<RingEntry>,
}

/// The entries in the order of their timestamps.
struct OrderedEntries {
    entries: Vec<RingEntry>,
    /// How many of the oldest entries, according to the current pointer, are the newest.
    rotated: usize,
    /// Ticks by which the timestamps fall at the oldest entry.
    seam_ticks: u64,
    falls: Falls,
}

impl RingSeam {
    /// The order of the entries; `None` if nothing contradicts that of the current pointer,
    /// or if the timestamps show no order.
    fn order(self) -> Option<OrderedEntries> {
        let count = self.entries.len();
        if count < MIN_ENTRIES {
            return None;
        }
        let times = || self.entries.iter().map(|entry| entry.time);
        let (oldest, newest) = (times().min()?, times().max()?);
        let spread = newest.abs_diff(oldest);
        let period = self.modulus.period().unwrap_or(u64::MAX);
        if spread > period / 8 * 5 {
            // The ring lasts longer than half a period: its times are ambiguous.
            let rotated = self.irregular_jump()?;
            return Some(self.rotated(rotated, Falls::default()));
        }
        let tolerance = spread / MIN_FALLS_PER_SPAN;
        let lower = lower_entries(times(), tolerance);
        if lower == 0 {
            let rotated = self.irregular_jump()?;
            return Some(self.rotated(rotated, Falls::default()));
        }
        let rotated = match self.is_cyclic {
            true => 1 + times().rposition_of(newest)?,
            false => 0,
        };
        if rotated > 0 && rotated < count {
            let (before, after) = self.entries.split_at(rotated);
            let rotated_times = after.iter().chain(before).map(|entry| entry.time);
            let lower_then = lower_entries(rotated_times, tolerance);
            let is_better = match lower_then {
                0 => self.is_regular_across_pointer(rotated),
                lower_then => lower_then * 4 < lower * 3,
            };
            if is_better {
                let falls = match lower_then {
                    0 => Falls::default(),
                    _ => Falls::find(&self.order_from(rotated), tolerance)?,
                };
                return Some(self.rotated(rotated, falls));
            }
        }
        let mut falls = Falls::find(&self.entries, tolerance)?;
        if !self.is_cyclic {
            // A ring that never wrapped has no seam: what falls is the counter.
            falls.jumps.clear();
            if falls.dips.is_empty() {
                return None;
            }
        }
        Some(self.rotated(0, falls))
    }

    fn order_from(&self, first: usize) -> Vec<RingEntry> {
        let mut entries = self.entries.clone();
        entries.rotate_left(first);
        entries
    }

    fn rotated(mut self, rotated: usize, falls: Falls) -> OrderedEntries {
        self.entries.rotate_left(rotated);
        let ends = (self.entries.last(), self.entries.first());
        let seam_ticks = match ends {
            (Some(newest), Some(oldest)) => newest.time.abs_diff(oldest.time),
            _ => 0,
        };
        OrderedEntries {
            entries: self.entries,
            rotated,
            seam_ticks,
            falls,
        }
    }

    /// Whether the step from the newest to the oldest entry according to the current
    /// pointer is as short as others, so that one follows the other, if the entry `first`
    /// is the oldest.
    fn is_regular_across_pointer(&self, first: usize) -> bool {
        let step = |before: &RingEntry, after: &RingEntry| {
            self.modulus
                .step(self.direction, before.timestamp, after.timestamp)
        };
        let steps = self.entries.iter().zip(self.entries.iter().skip(1));
        let others = steps.enumerate().filter(|(at, _)| at + 1 != first);
        let others = others.map(|(_, (before, after))| step(before, after));
        let longest_step = self.modulus.half();
        let longest = others.filter(|step| *step <= longest_step).max();
        match (self.entries.last(), self.entries.first(), longest) {
            (Some(newest), Some(oldest), Some(longest)) => {
                step(newest, oldest) <= longest.saturating_mul(2)
            }
            _ => false,
        }
    }

    /// The entry after a step far longer than all others, if the step across the current
    /// pointer is as short as the others: a ring of more than half a period falls without
    /// a step back.
    fn irregular_jump(&self) -> Option<usize> {
        if !self.is_cyclic {
            return None;
        }
        let (mut jump, mut at, mut longest) = (0, 0, 0);
        let pairs = self.entries.iter().zip(self.entries.iter().skip(1));
        for ((before, after), number) in pairs.zip(1..) {
            let step = self
                .modulus
                .step(self.direction, before.timestamp, after.timestamp);
            if step > jump {
                (longest, jump, at) = (jump, step, number);
            } else {
                longest = longest.max(step);
            }
        }
        let (oldest, newest) = (self.entries.first()?, self.entries.last()?);
        let across = self
            .modulus
            .step(self.direction, newest.timestamp, oldest.timestamp);
        let regular = longest.max(across);
        let period = self.modulus.period().unwrap_or(u64::MAX);
        let is_seam = across <= longest.saturating_mul(2)
            && jump / IRREGULAR_FACTOR >= regular
            && regular <= period / MIN_STEPS_PER_PERIOD;
        is_seam.then_some(at)
    }
}

impl OrderedEntries {
    fn pointer_diagnostic(&self) -> Option<Diagnostic> {
        let count = self.entries.len();
        let rotated = self.rotated;
        if rotated == 0 {
            return None;
        }
        let oldest = self.entries.first()?.slot;
        let newest = self.entries.last()?.slot;
        let message = match count - rotated {
            _ if rotated == 1 => format!(
                "the entry at the current pointer, in slot {newest}, is newer than all others: it \
                 was being written, or the header is 1 entry old; it counts as the newest, and \
                 its fields may be those of an older entry"
            ),
            ahead if ahead < rotated => format!(
                "the current pointer is {ahead} {} ahead of the timestamps, which fall by {} \
                 ticks before slot {oldest}: that slot is taken as the oldest",
                entries_noun(ahead),
                self.seam_ticks
            ),
            _ => format!(
                "the current pointer is {rotated} entries old: the timestamps fall by {} ticks \
                 before slot {oldest}, which is taken as the oldest; the header was read before \
                 the ring, or not written back from a cache",
                self.seam_ticks
            ),
        };
        let distance = rotated.min(count - rotated) as u64;
        Some(Diagnostic::new(DiagnosticKind::CurrentPointer, message).with_count(distance))
    }

    fn jump_diagnostic(&self) -> Option<Diagnostic> {
        let jumps = self.falls.jumps.len() as u64;
        let longest = self.falls.longest_jump;
        let times = rtoscope_trace::diagnostic::pluralise(jumps, "time", "times");
        let message = format!(
            "the timestamps fall {times} between entries, by up to {longest} ticks: the target ran \
             while it was dumped, the current pointer is wrong, or the clock was set back; events \
             may be missing there, and the elapsed time is unknown"
        );
        let diagnostic = Diagnostic::new(DiagnosticKind::ClockJump, message);
        (jumps > 0).then(|| diagnostic.with_count(jumps))
    }
}

fn entries_noun(count: usize) -> &'static str {
    if count == 1 { "entry" } else { "entries" }
}

/// The last position of a value.
trait RightPosition {
    fn rposition_of(self, value: i64) -> Option<usize>;
}

impl<I: Iterator<Item = i64>> RightPosition for I {
    fn rposition_of(self, value: i64) -> Option<usize> {
        let same = self.enumerate().filter(|(_, it)| *it == value);
        same.last().map(|(at, _)| at)
    }
}
