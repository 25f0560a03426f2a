//! A log that is read out while the target runs.

use super::CswitchOptions;
use super::target::{Recorder, slots};
use super::workload::CswitchWorkload;
use super::write::KeptEntries;
use rtoscope_record::cswitch::{BufferMode, LogEntry, LogSnapshot, LogSource};
use std::cell::RefCell;

/// Slots of the ring.
const RING_SLOTS: usize = 8192;
/// Entries to record once all have been read: fewer than the ring holds.
const BLOCK_ENTRIES: u64 = 4096;

/// The log of one core as a lossless source: reading entries advances the
/// simulation, which records into the ring of a real log.
pub(super) struct CoreEntryStream<'a> {
    kept: KeptEntries,
    run: RefCell<ReplayState<'a>>,
}

struct ReplayState<'a> {
    workload: CswitchWorkload,
    recorder: Recorder,
    /// Remaining entries of all cores.
    left: u64,
    /// Entries of the core so far.
    made: u64,
    progress: &'a mut dyn FnMut(u64) -> bool,
}

impl<'a> CoreEntryStream<'a> {
    /// Creates the stream for a core. `progress` gets the number of entries of
    /// all cores since its last call, and returns whether to continue.
    pub(super) fn new(
        options: &CswitchOptions,
        kept: KeptEntries,
        progress: &'a mut dyn FnMut(u64) -> bool,
    ) -> Self {
        let recorder = Recorder::new(options);
        recorder.start(slots(RING_SLOTS), BufferMode::Cyclic);
        Self {
            kept,
            run: RefCell::new(ReplayState {
                workload: CswitchWorkload::new(options),
                recorder,
                left: options.entries,
                made: 0,
                progress,
            }),
        }
    }
}

impl ReplayState<'_> {
    /// Records the core's entries up to a number.
    fn advance_to(&mut self, core: u8, number: u64) {
        let before = self.left;
        while self.left > 0 && self.made < number {
            let step = self.workload.next_entry();
            self.left -= 1;
            if step.core == core {
                self.recorder.record(&step);
                self.made += 1;
            }
        }
        if !(self.progress)(before - self.left) {
            self.left = 0;
        }
    }
}

impl LogSource for CoreEntryStream<'_> {
    fn snapshot(&self) -> Option<LogSnapshot> {
        let snapshot = self.run.borrow().recorder.log.snapshot()?;
        Some(LogSnapshot {
            cyclic: false,
            first_entry: 0,
            next_entry: self.kept.next,
            lost: 0,
            idle_ticks: self.kept.idle,
            ..snapshot
        })
    }

    fn copy_entries(&self, session: u32, from: u64, into: &mut [LogEntry]) -> (u64, usize) {
        let mut run = self.run.borrow_mut();
        if run.made <= from {
            run.advance_to(self.kept.core, from + BLOCK_ENTRIES);
        }
        run.recorder.log.copy_entries(session, from, into)
    }
}
