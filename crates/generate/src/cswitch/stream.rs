//! A log that is read out while the target runs.

use super::Settings;
use super::course::Course;
use super::target::{Recorder, slots};
use super::write::Kept;
use rtoscope_record::cswitch::{Entry, Mode, Snapshot, Source};
use std::cell::RefCell;

/// Slots of the ring.
const SLOTS: usize = 8192;
/// Entries that are made when all have been read: fewer than the ring keeps.
const BLOCK: u64 = 4096;

/// The log of one core as a source that never loses anything: the simulation
/// goes on as entries are asked for, into the ring of a real log.
pub(super) struct Stream<'a> {
    kept: Kept,
    run: RefCell<Run<'a>>,
}

struct Run<'a> {
    course: Course,
    recorder: Recorder,
    /// Entries of all cores that are still to come.
    left: u64,
    /// Entries of the core.
    made: u64,
    progress: &'a mut dyn FnMut(u64) -> bool,
}

impl<'a> Stream<'a> {
    /// The core of which that is kept. `progress` takes how many entries of all
    /// cores have passed since it was last called, and says whether to go on.
    pub(super) fn new(
        settings: &Settings,
        kept: Kept,
        progress: &'a mut dyn FnMut(u64) -> bool,
    ) -> Self {
        let recorder = Recorder::new(settings);
        recorder.start(slots(SLOTS), Mode::Cyclic);
        Self {
            kept,
            run: RefCell::new(Run {
                course: Course::new(settings),
                recorder,
                left: settings.entries,
                made: 0,
                progress,
            }),
        }
    }
}

impl Run<'_> {
    /// Makes the core's entries up to that number.
    fn run_to(&mut self, core: u8, number: u64) {
        let before = self.left;
        while self.left > 0 && self.made < number {
            let step = self.course.next_step();
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

impl Source for Stream<'_> {
    fn snapshot(&self) -> Option<Snapshot> {
        let snapshot = self.run.borrow().recorder.log.snapshot()?;
        Some(Snapshot {
            cyclic: false,
            first: 0,
            next: self.kept.next,
            lost: 0,
            idle: self.kept.idle,
            ..snapshot
        })
    }

    fn copy(&self, session: u32, from: u64, into: &mut [Entry]) -> (u64, usize) {
        let mut run = self.run.borrow_mut();
        if run.made <= from {
            run.run_to(self.kept.core, from + BLOCK);
        }
        run.recorder.log.copy(session, from, into)
    }
}
