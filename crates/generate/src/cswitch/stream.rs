//! A log that is read out while the target runs.

use super::CswitchOptions;
use super::target::{Recorder, slots};
use super::workload::CswitchWorkload;
use super::write::KeptEntries;
use rtoscope_record::cswitch::{BufferMode, LogEntry, LogSnapshot, LogSource};
use std::cell::RefCell;

/// Slots of the ring.
const RING_SLOTS: usize = 8192;
/// Entries that are made when all have been read: fewer than the ring keeps.
const BLOCK_ENTRIES: u64 = 4096;

/// The log of one core as a source that never loses anything: the simulation
/// goes on as entries are asked for, into the ring of a real log.
pub(super) struct CoreEntryStream<'a> {
    kept: KeptEntries,
    run: RefCell<ReplayState<'a>>,
}

struct ReplayState<'a> {
    workload: CswitchWorkload,
    recorder: Recorder,
    /// Entries of all cores that are still to come.
    left: u64,
    /// Entries of the core.
    made: u64,
    progress: &'a mut dyn FnMut(u64) -> bool,
}

impl<'a> CoreEntryStream<'a> {
    /// The core of which that is kept. `progress` takes how many entries of all
    /// cores have passed since it was last called, and says whether to go on.
    pub(super) fn new(
        settings: &CswitchOptions,
        kept: KeptEntries,
        progress: &'a mut dyn FnMut(u64) -> bool,
    ) -> Self {
        let recorder = Recorder::new(settings);
        recorder.start(slots(RING_SLOTS), BufferMode::Cyclic);
        Self {
            kept,
            run: RefCell::new(ReplayState {
                workload: CswitchWorkload::new(settings),
                recorder,
                left: settings.entries,
                made: 0,
                progress,
            }),
        }
    }
}

impl ReplayState<'_> {
    /// Makes the core's entries up to that number.
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
