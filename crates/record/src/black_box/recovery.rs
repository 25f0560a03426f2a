use super::{BLACK_BOX_HEADER_BYTES, BYTE_ORDER, BlackBoxMemory, BlackBoxSeal};
use super::{BlackBoxKind, FaultRecord};
use crate::cswitch::{
    ByteSink, CswlWriter, EntryKind, FinishedLog, LogEntry, LogSnapshot, ReadableMemory, UNFINISHED,
};
use crate::threadx::{Ulong, check_and_end};
use core::marker::PhantomData;
use core::mem::size_of;
use core::slice;
use rtoscope_wire::black_box::{BlackBoxHeader, FAULT_EVENT};

/// The recording of the previous run.
#[derive(Debug)]
pub struct Recovery<'a> {
    header: BlackBoxHeader,
    seal: BlackBoxSeal,
    memory: BlackBoxMemory,
    recording: RecoveredRecording,
    lifetime: PhantomData<&'a [u8]>,
}

/// What was recorded.
#[derive(Debug)]
pub enum RecoveredRecording {
    /// A ThreadX trace buffer.
    Trace,
    /// A context-switch log.
    Log(FinishedLog),
}

impl<'a> Recovery<'a> {
    /// # Safety
    /// As [`BlackBoxMemory::recover`].
    pub(super) unsafe fn new(memory: BlackBoxMemory) -> Option<Self> {
        let header = memory.read()?;
        let frozen = header.seal.is_some();
        let (seal, recording) = match header.kind {
            BlackBoxKind::Trace => {
                let words = memory.capacity / size_of::<Ulong>();
                // SAFETY: the caller guarantees that no other code uses the memory.
                let is_valid = unsafe {
                    let start = memory.payload().cast::<Ulong>();
                    check_and_end(start, words, frozen, FAULT_EVENT)
                };
                if !is_valid {
                    return None;
                }
                let seal = header.seal.unwrap_or_default();
                (seal, RecoveredRecording::Trace)
            }
            BlackBoxKind::OneShotLog | BlackBoxKind::RingLog => {
                // SAFETY: as above.
                let (seal, log) = unsafe { recover_log(memory, &header)? };
                (seal, RecoveredRecording::Log(log))
            }
        };
        if !frozen {
            memory.seal(seal);
        }
        Some(Self {
            header: BlackBoxHeader {
                seal: Some(seal),
                ..header
            },
            seal,
            memory,
            recording,
            lifetime: PhantomData,
        })
    }

    /// The number of this recording since the memory was first used: 1 for the first.
    pub fn boot_count(&self) -> u32 {
        self.header.boot_count
    }

    /// Why and where the previous run ended. Its origin is
    /// [`FaultOrigin::None`](super::FaultOrigin::None) if nothing froze the recording.
    pub fn fault(&self) -> &FaultRecord {
        &self.seal.fault
    }

    /// The recording.
    pub fn recording(&self) -> &RecoveredRecording {
        &self.recording
    }

    /// Header and recording as in memory: for a trace, a file that rtoscope reads.
    pub fn bytes(&self) -> &'a [u8] {
        let length = BLACK_BOX_HEADER_BYTES.saturating_add(self.memory.capacity);
        // SAFETY: the memory of the black box, to which no code writes while the recovery
        // is used.
        unsafe { slice::from_raw_parts(self.memory.header.cast(), length) }
    }

    /// Writes a file that rtoscope reads: a log with the names in readable memory as a
    /// CSWL container, a trace as it is in memory. The clock of a log has `frequency` Hz,
    /// 0 if unknown, and `counter_bits` bits.
    pub fn save(
        &self,
        mut sink: impl ByteSink,
        frequency: u64,
        counter_bits: u8,
        names: ReadableMemory<'_>,
    ) {
        match &self.recording {
            RecoveredRecording::Trace => sink.write(self.bytes()),
            RecoveredRecording::Log(log) => {
                let mut file = CswlWriter::new(sink, frequency, counter_bits, 1);
                file.write_recovered(log, names, &self.header.to_bytes(BYTE_ORDER));
                file.finish();
            }
        }
    }
}

/// The log in the memory and its end.
///
/// # Safety
/// No other code may use the memory.
unsafe fn recover_log(
    memory: BlackBoxMemory,
    header: &BlackBoxHeader,
) -> Option<(BlackBoxSeal, FinishedLog)> {
    let start = memory.slots();
    let slots = memory.capacity / size_of::<LogEntry>();
    let cyclic = header.kind == BlackBoxKind::RingLog;
    if slots == 0 {
        return None;
    }
    let seal = match header.seal {
        Some(seal) => seal,
        // SAFETY: slots of the memory; any content is a valid entry.
        None => unsafe {
            let read = |slot: usize| start.add(slot).read_volatile();
            let mut seal = find_end(slots, cyclic, read)?;
            let end = seal.next_slot as usize;
            if cyclic || end < slots {
                // The slot after the newest entry may be half written.
                let slot = end % slots;
                let counter = read(end.wrapping_add(slots).wrapping_sub(1) % slots).counter;
                let is_first = end == 0 && !seal.wrapped;
                start.add(slot).write_volatile(LogEntry {
                    kind: EntryKind::Fault as u32,
                    counter: if is_first { 0 } else { counter },
                    ..LogEntry::UNFINISHED
                });
                seal.next_slot = slot.wrapping_add(1) as u32;
                if end == slots && !seal.wrapped {
                    seal.wrapped = true;
                    seal.preceding_entries = Some(1);
                }
            }
            seal
        },
    };
    let next_slot = seal.next_slot as usize;
    if next_slot > slots || (seal.wrapped && !cyclic) {
        return None;
    }
    let entries = if seal.wrapped { slots } else { next_slot } as u64;
    // A wrapped log has at least one preceding entry, which is how a snapshot shows it.
    let first_entry = match seal.preceding_entries {
        Some(entries) if seal.wrapped => entries.max(1),
        None if seal.wrapped => 1,
        _ => 0,
    };
    let snapshot = LogSnapshot {
        start,
        current: start.wrapping_add(next_slot),
        end: start.wrapping_add(slots),
        cyclic,
        session: header.boot_count,
        first_entry,
        next_entry: first_entry.checked_add(entries)?,
        lost: seal.lost,
        idle_ticks: 0,
    };
    // SAFETY: every slot contains an entry, and no other code uses the memory.
    Some((seal, unsafe { FinishedLog::new(snapshot) }))
}

/// The end of a log that was not frozen: at the first unused slot, or where the counters
/// decrease. [`None`] if they decrease at no slot or at several.
fn find_end(slots: usize, cyclic: bool, entry: impl Fn(usize) -> LogEntry) -> Option<BlackBoxSeal> {
    let unused = (0..slots).find(|slot| entry(*slot).kind == UNFINISHED);
    if let Some(unused) = unused {
        let is_rest_unused = (unused..slots).all(|slot| entry(slot).kind == UNFINISHED);
        return is_rest_unused.then(|| BlackBoxSeal {
            next_slot: unused as u32,
            preceding_entries: Some(0),
            ..BlackBoxSeal::default()
        });
    }
    if !cyclic {
        return Some(BlackBoxSeal {
            next_slot: slots as u32,
            preceding_entries: Some(0),
            ..BlackBoxSeal::default()
        });
    }
    let decreases = |slot: &usize| {
        let next = slot.wrapping_add(1) % slots.max(1);
        let step = entry(next).counter.wrapping_sub(entry(*slot).counter);
        step > i32::MAX as u32
    };
    let mut ends = (0..slots).filter(decreases);
    let last = ends.next()?;
    ends.next().is_none().then(|| BlackBoxSeal {
        next_slot: last.wrapping_add(1) as u32,
        wrapped: true,
        preceding_entries: None,
        ..BlackBoxSeal::default()
    })
}
