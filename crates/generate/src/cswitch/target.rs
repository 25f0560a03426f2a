//! The recorders of the simulated target: one log per core.

use super::CswitchOptions;
use super::workload::PlannedEntry;
use crate::counter::Counter;
use rtoscope_record::Name;
use rtoscope_record::cswitch::{BufferMode, FinishedLog, LogEntry, PREVIOUSLY_DISABLED, SwitchLog};
use rtoscope_record::port::SpinLock;
use rtoscope_wire::cswitch::EntryKind;
use std::mem::MaybeUninit;

/// The memory of a log.
pub(super) type Slots = &'static mut [MaybeUninit<LogEntry>];

/// A log and its clock.
pub(super) struct Recorder {
    pub(super) log: SwitchLog<SpinLock, Counter>,
    counter: Counter,
    mask: u64,
}

impl Recorder {
    /// Creates a recorder without memory.
    pub(super) fn new(options: &CswitchOptions) -> Self {
        let counter = Counter::default();
        Self {
            log: SwitchLog::new(SpinLock::new(), counter.clone()),
            counter,
            mask: u64::MAX >> (64 - u32::from(options.counter_bits)),
        }
    }

    /// Starts a recording; none may be running.
    pub(super) fn start(&self, slots: Slots, mode: BufferMode) {
        let started = self.log.start(slots, mode);
        debug_assert!(started);
    }

    /// Ends the recording.
    pub(super) fn stop(&self) -> Option<FinishedLog> {
        self.log.stop()
    }

    /// Sets the current value of the counter.
    pub(super) fn set_clock(&self, time: u64) {
        self.counter.set((time & self.mask) as u32);
    }

    /// Records an entry as the kernel would.
    ///
    /// Handlers pass a name in the simulated memory, while the log's own
    /// methods for handlers take a name of this program.
    pub(super) fn record(&self, step: &PlannedEntry) {
        self.set_clock(step.time);
        let address = step.address as usize;
        let name = name_at(step.name);
        let log = &self.log;
        match step.kind {
            EntryKind::Sleep => log.sleep(address, name),
            EntryKind::Wake => log.wake(address, name),
            EntryKind::SyncResume => log.sync_resume(address, name),
            EntryKind::AsyncResume => log.async_resume(address, name),
            EntryKind::IsrReturn => log.isr_return(address, name),
            EntryKind::InterruptsDisabled => {
                log.interrupts_disabled(step.flagged, address, name);
            }
            EntryKind::InterruptsRestored => {
                log.interrupts_restored(step.flagged, address, name);
            }
            EntryKind::MarkerBegin => log.marker_begin(name, step.address as u32),
            EntryKind::MarkerEnd => log.marker_end(name, step.address as u32),
            EntryKind::MarkerInstant => log.marker(name, step.address as u32),
            kind @ (EntryKind::IsrEnter
            | EntryKind::IsrExit
            | EntryKind::Ready
            | EntryKind::Wait
            | EntryKind::Time
            | EntryKind::Filter
            | EntryKind::Formatted
            | EntryKind::FormatValues
            | EntryKind::StackBegin
            | EntryKind::StackRegisters
            | EntryKind::StackWords
            | EntryKind::StackEnd
            | EntryKind::Fault) => {
                let flag = if step.flagged { PREVIOUSLY_DISABLED } else { 0 };
                log.record(kind as u32 | flag, address, name);
            }
        }
    }
}

/// Memory that a recorder keeps for the life of the program, as on a target.
pub(super) fn slots(entries: usize) -> Slots {
    Box::leak(vec![MaybeUninit::uninit(); entries].into_boxed_slice())
}

/// The name at an address of the simulated memory, which is never dereferenced.
pub(super) fn name_at(address: u64) -> Name {
    Name::from_ptr(std::ptr::without_provenance(address as usize))
}
