//! Finds the oldest entry of a buffer.

use super::address_space::AddressSpace;
use super::log::{CoreLog, EntryLayout, LogPart, MissingEntries, Overwritten};
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{Address, Diagnostic, DiagnosticKind};
use rtoscope_wire::cswitch::{CoreHistory, EntryKind, LogEntry};
use std::ops::Range;

/// The known properties of a core's buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct LogBuffer {
    pub(super) core: u8,
    pub(super) start: u64,
    pub(super) end: u64,
    /// The position of the next entry.
    pub(super) current: Option<u64>,
    pub(super) cyclic: Option<bool>,
    pub(super) is_wrapped: Option<bool>,
    /// Entries of all earlier laps.
    pub(super) lap_start: Option<u64>,
    /// The session number of the recording.
    pub(super) session: Option<u32>,
    pub(super) lost_entries: Option<u64>,
    pub(super) idle_ticks: Option<u64>,
}

/// Orders the entries of a buffer, as far as memory contains them.
pub(super) fn ordered_log<'a>(
    space: AddressSpace<'a>,
    buffer: &LogBuffer,
    shape: EntryLayout,
    found: &mut Vec<Diagnostic>,
) -> CoreLog<'a> {
    let ring = LogRing {
        space,
        layout: shape,
        start: buffer.start,
        slots: buffer.end.saturating_sub(buffer.start) / shape.entry_bytes() as u64,
    };
    let current = buffer
        .current
        .and_then(|current| ring.current_slot(current, found));
    let (wrapped, next) = match current {
        Some(next) if ring.has_wrapped(buffer, next) => (true, ring.check_seam(next, found)),
        Some(next) => (false, next),
        None => ring.find_seam(buffer, found),
    };
    let current = current.filter(|slot| *slot == next);
    let mut parts = Vec::new();
    let older = if wrapped { next..ring.slots } else { 0..0 };
    let missing = ring.append_slots(&mut parts, older, 0, found);
    let absent = ring.append_slots(&mut parts, 0..next, missing, found);
    let whole = absent == 0
        && parts
            .iter()
            .all(|part| part.missing == MissingEntries::None);
    let mut log = CoreLog {
        core: buffer.core,
        cyclic: buffer.cyclic,
        is_full: ring.is_full(buffer, next, current.is_some()),
        lost_entries: buffer.lost_entries,
        idle_ticks: buffer.idle_ticks,
        parts,
        ..CoreLog::default()
    };
    if wrapped {
        drop_torn_oldest(&mut log, shape, found);
    }
    let written = drop_torn_newest(&mut log, shape, found);
    let newer = current.zip(buffer.lap_start).filter(|_| whole);
    log.core_past = newer
        .zip(buffer.session)
        .and_then(|((slot, laps), session)| {
            let end = laps.checked_add(slot)?.checked_sub(u64::from(!written))?;
            let entries = log.entry_bytes() / shape.entry_bytes() as u64;
            Some(CoreHistory {
                core: log.core.into(),
                session,
                preceding_entries: end.checked_sub(entries)?,
            })
        });
    let numbered = log.core_past.map(|past| past.preceding_entries);
    let earlier = buffer.lap_start.filter(|_| current.is_some());
    let preceding = numbered.or_else(|| match wrapped {
        true => earlier?.checked_add(next)?.checked_sub(ring.slots),
        false => earlier,
    });
    log.overwritten = match (preceding, buffer.cyclic) {
        _ if wrapped => Overwritten::some(preceding),
        (_, Some(false)) | (Some(0), _) => Overwritten::No,
        (Some(preceding), _) => Overwritten::some(Some(preceding)),
        (None, _) if ring.ends_unwritten(next) => Overwritten::No,
        (None, _) if buffer.is_wrapped == Some(true) => Overwritten::some(None),
        (None, _) => Overwritten::Unknown,
    };
    log
}

struct LogRing<'a> {
    space: AddressSpace<'a>,
    layout: EntryLayout,
    start: u64,
    slots: u64,
}

/// With fewer slots, steps are no evidence of how long a regular step is.
const MIN_SLOTS: u64 = 8;

impl<'a> LogRing<'a> {
    /// The slot of a current pointer; the number of slots if it points past the
    /// last one.
    fn current_slot(&self, current: u64, found: &mut Vec<Diagnostic>) -> Option<u64> {
        let size = self.layout.entry_bytes() as u64;
        let slot = current.checked_sub(self.start).filter(|at| at % size == 0);
        let slot = slot.map(|at| at / size).filter(|slot| *slot <= self.slots);
        if slot.is_none() {
            let message = format!(
                "the pointer to the current entry is {}, expected a slot of {size} bytes between {} and \
                 {}; the oldest entry is guessed from the counters",
                Address(current),
                Address(self.start),
                Address(self.start.saturating_add(self.slots.saturating_mul(size)))
            );
            found.push(Diagnostic::new(DiagnosticKind::CurrentPointer, message));
        }
        slot
    }

    fn bytes(&self, slot: u64) -> Option<&'a [u8]> {
        let mut runs = self
            .space
            .runs(self.start, self.layout.entry_bytes(), slot..slot + 1);
        runs.next().map(|run| run.bytes)
    }

    /// Slots are written in order: a ring has wrapped if its last slot is
    /// written and the next one to write is another.
    fn has_wrapped(&self, buffer: &LogBuffer, next: u64) -> bool {
        let ring = buffer.cyclic != Some(false);
        let written = || match self.bytes(self.slots.saturating_sub(1)) {
            Some(last) => self.is_entry(last),
            // The end of the ring is not in memory.
            None => {
                let size = self.layout.entry_bytes();
                let older = self.space.runs(self.start, size, next..self.slots);
                let mut older = older.flat_map(|run| run.bytes.chunks_exact(size));
                older.any(|bytes| self.is_entry(bytes))
            }
        };
        ring && next < self.slots && buffer.is_wrapped.unwrap_or_else(written)
    }

    /// Whether the last slot is unwritten, and not the newest entry.
    fn ends_unwritten(&self, next: u64) -> bool {
        let last = self.slots.checked_sub(1).filter(|last| next <= *last);
        let last = last.and_then(|last| self.bytes(last));
        last.is_some_and(|bytes| !self.is_entry(bytes))
    }

    /// Whether a buffer that may not be a ring is full. For a moment after the
    /// last slot is written, a ring looks the same. If nothing identifies the
    /// buffer as a ring or not, the pointer decides.
    fn is_full(&self, buffer: &LogBuffer, next: u64, is_default_full: bool) -> bool {
        let is_at_end = self.slots > 0 && next == self.slots;
        is_at_end
            && match buffer.cyclic {
                Some(cyclic) => !cyclic,
                None => is_default_full,
            }
    }

    fn is_entry(&self, bytes: &[u8]) -> bool {
        let kind = self.layout.read(bytes).map(|entry| entry.kind);
        kind.is_some_and(super::is_known) && !(kind == Some(0) && is_unwritten(bytes))
    }

    /// Whether the ring has wrapped, and the slot to write next, if there is no
    /// pointer: after the last written slot, or at a backward step of the
    /// counters.
    fn find_seam(&self, buffer: &LogBuffer, found: &mut Vec<Diagnostic>) -> (bool, u64) {
        let mut course = CounterSteps::new(self.layout);
        let mut written = 0;
        for run in self
            .space
            .runs(self.start, self.layout.entry_bytes(), 0..self.slots)
        {
            let entries = run.bytes.chunks_exact(self.layout.entry_bytes());
            for (slot, bytes) in (run.first..).zip(entries) {
                if is_unwritten(bytes) {
                    continue;
                }
                written = slot + 1;
                course.push(slot, bytes);
            }
        }
        let seam = course
            .seam
            .filter(|_| course.backward_steps == 1 && buffer.cyclic != Some(false));
        match seam {
            Some(seam) if written == self.slots => {
                let message = format!(
                    "the start of the ring is unknown; counters step back only at slot {seam}, \
                     which is assumed to be the oldest entry"
                );
                found.push(Diagnostic::new(
                    DiagnosticKind::ConfigurationGuessed,
                    message,
                ));
                (true, seam)
            }
            _ => (false, written),
        }
    }

    /// The oldest slot of a ring that has wrapped, whose pointer is to `next`: if the
    /// counters step back at another slot only, and not at the pointer, that slot.
    fn check_seam(&self, next: u64, found: &mut Vec<Diagnostic>) -> u64 {
        let size = self.layout.entry_bytes();
        let mut steps = CounterSteps::new(self.layout);
        let laps = [next..self.slots, 0..next, next..next + 1].into_iter();
        let runs = laps.flat_map(|lap| self.space.runs(self.start, size, lap));
        for run in runs {
            let slots = (run.first..).zip(run.bytes.chunks_exact(size));
            for (slot, bytes) in slots.filter(|(_, bytes)| self.is_entry(bytes)) {
                steps.push(slot, bytes);
            }
        }
        let regular = 2 * u64::from(steps.longest);
        let Some(seam) = steps.seam.filter(|_| {
            steps.backward_steps == 1 && u64::from(steps.last) <= regular && self.slots >= MIN_SLOTS
        }) else {
            return next;
        };
        let age = (seam + self.slots - next) % self.slots;
        // An entry that was being written is skipped instead.
        if age <= 1 || age + 1 == self.slots {
            return next;
        }
        let distance = match age * 2 > self.slots {
            true => format!("{} entries ahead of the counters", self.slots - age),
            false => format!("{age} entries old"),
        };
        let message = format!(
            "the pointer to the current entry is {distance}: these step back only at slot {seam}, \
             which is taken as the oldest entry"
        );
        found.push(Diagnostic::new(DiagnosticKind::CurrentPointer, message));
        seam
    }

    /// Appends a range of slots, possibly incomplete, after `missing`
    /// missing entries; returns the number of missing entries at its end.
    fn append_slots(
        &self,
        parts: &mut Vec<LogPart<'a>>,
        slots: Range<u64>,
        mut missing: u64,
        found: &mut Vec<Diagnostic>,
    ) -> u64 {
        let mut expected = slots.start;
        let mut absent = |expected: u64, next: u64| {
            let absent = next.saturating_sub(expected);
            if absent > 0 {
                let message = format!(
                    "{} of the log, from slot {expected} on, {} not in the input",
                    pluralise(absent, "entry", "entries"),
                    if absent == 1 { "is" } else { "are" }
                );
                let diagnostic = Diagnostic::new(DiagnosticKind::MissingBytes, message);
                found.push(diagnostic.with_count(absent));
            }
            absent
        };
        for run in self
            .space
            .runs(self.start, self.layout.entry_bytes(), slots.clone())
        {
            missing += absent(expected, run.first);
            expected = run.end();
            parts.push(LogPart {
                bytes: run.bytes,
                missing: MissingEntries::from_count(missing),
                epoch: 0,
            });
            missing = 0;
        }
        missing + absent(expected, slots.end)
    }
}

/// Whether a slot was never written: cleared memory, or erased flash.
pub(super) fn is_unwritten(bytes: &[u8]) -> bool {
    let all = |value: u8| bytes.iter().all(|byte| *byte == value);
    all(0) || all(0xFF)
}

/// Counter steps from slot to slot.
struct CounterSteps {
    layout: EntryLayout,
    previous: Option<u32>,
    backward_steps: u64,
    /// The slot after the last backward step.
    seam: Option<u64>,
    /// The last step, 0 if it was backward, and the longest one before it.
    last: u32,
    longest: u32,
}

impl CounterSteps {
    fn new(shape: EntryLayout) -> Self {
        Self {
            layout: shape,
            previous: None,
            backward_steps: 0,
            seam: None,
            last: 0,
            longest: 0,
        }
    }

    fn push(&mut self, slot: u64, bytes: &[u8]) {
        let Some(entry) = self.layout.read(bytes) else {
            return;
        };
        self.longest = self.longest.max(self.last);
        self.last = 0;
        if let Some(before) = self.previous {
            if is_backward_step(self.layout, before, entry.counter) {
                self.backward_steps += 1;
                self.seam = Some(slot);
            } else {
                self.last = entry.counter.wrapping_sub(before) & self.layout.counter_mask();
            }
        }
        self.previous = Some(entry.counter);
    }
}

/// Whether a counter step is shorter backwards than forwards.
pub(super) fn is_backward_step(shape: EntryLayout, before: u32, after: u32) -> bool {
    after.wrapping_sub(before) & shape.counter_mask() > shape.counter_mask() / 2
}

/// The oldest entry of a ring is overwritten next. If the target was halted
/// while it wrote that entry, its counter is newer than the newest one.
fn drop_torn_oldest(log: &mut CoreLog<'_>, shape: EntryLayout, found: &mut Vec<Diagnostic>) {
    let size = shape.entry_bytes();
    let mut oldest = log
        .parts
        .iter()
        .flat_map(|part| part.bytes.chunks_exact(size));
    let mut next = || Some(shape.read(oldest.next()?)?.counter);
    let (Some(first), Some(second), Some(third)) = (next(), next(), next()) else {
        return;
    };
    let newest = log
        .parts
        .last()
        .and_then(|part| part.bytes.chunks_exact(size).next_back());
    let newest = newest.and_then(|bytes| shape.read(bytes));
    let torn = is_backward_step(shape, first, second)
        && !is_backward_step(shape, second, third)
        && newest.is_some_and(|newest| !is_backward_step(shape, newest.counter, first));
    if let Some(part) = log.parts.first_mut().filter(|_| torn) {
        part.bytes = part.bytes.get(size..).unwrap_or_default();
        found.push(half_written_diagnostic(
            "skipped the oldest entry: it was being overwritten when the target was halted",
        ));
    }
}

/// The pointer may already be past the newest entry although its slot still
/// contains an entry of an earlier lap, older than the oldest; or it may have
/// no name yet, which is written last. Returns whether the newest entry is
/// kept.
fn drop_torn_newest(
    log: &mut CoreLog<'_>,
    shape: EntryLayout,
    found: &mut Vec<Diagnostic>,
) -> bool {
    let size = shape.entry_bytes();
    let oldest = log.parts.first().and_then(|part| shape.read(part.bytes));
    let mut newest = log
        .parts
        .iter()
        .rev()
        .flat_map(|part| part.bytes.chunks_exact(size).rev());
    let mut next = || shape.read(newest.next()?);
    let (Some(oldest), Some(last), Some(before), Some(third)) = (oldest, next(), next(), next())
    else {
        return true;
    };
    let has_written = last.name != 0 || is_nameless(log, shape, &last);
    let stale = is_backward_step(shape, oldest.counter, last.counter)
        && !is_backward_step(shape, oldest.counter, before.counter)
        && !is_backward_step(shape, third.counter, before.counter);
    if let Some(part) = log.parts.last_mut().filter(|_| !has_written || stale) {
        let end = part.bytes.len().saturating_sub(size);
        part.bytes = part.bytes.get(..end).unwrap_or_default();
        found.push(half_written_diagnostic(
            "skipped the newest entry: it was being written when the target was halted",
        ));
        return false;
    }
    true
}

/// Whether the newest entry has no name because its type needs none: entering
/// and leaving idle has no thread, a fault has none, and other entries of its type
/// may have no name either.
fn is_nameless(log: &CoreLog<'_>, shape: EntryLayout, newest: &LogEntry) -> bool {
    let size = shape.entry_bytes();
    let all = log
        .parts
        .iter()
        .flat_map(|part| part.bytes.chunks_exact(size));
    let alike = |entry: &LogEntry| entry.kind == newest.kind && entry.name == 0;
    let is_idle = newest.kind <= EntryKind::Sleep as u32;
    let is_fault = newest.kind == EntryKind::Fault as u32;
    let others = all
        .filter_map(|bytes| shape.read(bytes))
        .filter(alike)
        .take(2);
    is_fault || is_idle && newest.address != 0 || others.count() > 1
}

fn half_written_diagnostic(message: &str) -> Diagnostic {
    Diagnostic::new(DiagnosticKind::HalfWrittenEntry, message)
}

#[cfg(test)]
mod tests;
